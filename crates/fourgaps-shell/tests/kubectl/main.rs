//! `kubectl` over simulated machines.

mod bench;
mod get;
