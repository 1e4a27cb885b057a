//! `kubectl` over simulated machines.

mod bench;
mod change;
mod deploy;
mod get;
mod recorded;
#[path = "../shell/term.rs"]
mod term;
