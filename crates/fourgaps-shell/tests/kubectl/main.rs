//! `kubectl` over simulated machines.

mod bench;
mod change;
mod get;
mod recorded;
#[path = "../shell/term.rs"]
mod term;
