//! `kubectl` over simulated machines.

mod bench;
mod change;
mod deploy;
mod get;
mod made;
mod marks;
mod operator;
mod recorded;
mod table;
#[path = "../shell/term.rs"]
mod term;
mod verbs;
mod waiting;
