//! The terminal over a toy world: two machines, no simulation.

mod real;
mod session;
mod toy;
