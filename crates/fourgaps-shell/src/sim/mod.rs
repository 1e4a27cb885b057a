//! The programs that only the simulated machines have: one file each, which names everything that it accepts.

mod containerd;
mod kubectl;
mod machines;

pub use machines::Machines;

use crate::command::Command;

/// Every simulated program.
pub fn commands() -> Vec<Box<dyn Command<Machines>>> {
    vec![Box::new(containerd::Containerd), Box::new(kubectl::Kubectl)]
}
