//! The terminal: over a toy world of machines without a simulation, and over real nodes.

mod node;
mod real;
mod recorded;
mod refusals;
mod session;
mod stories;
mod term;
mod toy;
