//! The terminal over a toy world: two machines, no simulation.

mod fuzz;
mod real;
mod safety;
mod session;
mod toy;
