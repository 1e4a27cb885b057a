//! The terminal: a kept shell library over the files of simulated machines, and the commands that only they have.
//!
//! Owns sessions, the disk that the interpreter sees, limits and the words of a refusal. Knows no rule of the
//! simulation: whoever builds a [`Shell`] brings a [`World`] and one [`Command`] per simulated program.

mod braced;
mod command;
mod complete;
mod disk;
mod line;
mod login;
mod names;
mod programs;
mod recall;
mod resume;
mod shared_input;
mod shell;
mod sim;
mod words;
mod world;

pub use command::{Call, Caller, Command};
pub use complete::Completion;
pub use login::Pause;
pub use shell::{Output, Shell, StopHandle, Stream};
pub use sim::{Machines, commands, kept};
pub use world::{Machine, World};
