//! The terminal over a toy world: two machines, no simulation.

mod session;
mod toy;
