//! The tests over all rooms, as one program.

mod architecture;
mod conformance;
mod determinism;
mod kubectl;
