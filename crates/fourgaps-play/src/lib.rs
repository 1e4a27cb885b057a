//! A lab being played in terminals: the learner's list of actions on one side, the shell's sessions on the other.
//!
//! The list is the truth. Whoever holds only the list folds what every line did; here the lines are run, so that variables,
//! folders and logins of the sessions are those that the lines left behind.

mod ask;
mod ask_cluster;
#[cfg(not(target_arch = "wasm32"))]
mod check;
mod grade;
mod large;
mod play;
mod story;
mod what_if;

pub use ask::Progress;
#[cfg(not(target_arch = "wasm32"))]
pub use check::check;
pub use play::{Completed, Gone, HostState, Play, Ran, Replayed, Sources, Taken, Turn};
pub use story::Event;
pub use what_if::{Apart, Changed, Ended, WhatIf};
