//! The terminal: a kept shell library over the files of simulated machines, and the commands that only they have.
//!
//! Owns sessions, the disk that the interpreter sees, limits and the words of a refusal. Knows no rule of the
//! simulation: whoever builds a [`Shell`] brings a [`World`] and one [`Command`] per simulated program.

mod command;
mod disk;
mod login;
mod outside;
mod shell;
mod world;

pub use command::{Call, Command};
pub use shell::{Output, Shell, StopHandle, Stream};
pub use world::{Machine, World};
