//! `kubectl` over simulated machines.

mod bench;
mod get;
mod recorded;
