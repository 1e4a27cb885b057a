//! The terminal: over a toy world of machines without a simulation, and over real nodes.

mod awk;
mod fuzz;
mod machine;
mod node;
mod real;
mod recorded;
mod refusals;
mod safety;
mod session;
mod stories;
mod term;
mod toy;
