//! `fourgaps completions`: what a shell needs to complete this program's words.

use super::Trouble;
use crate::args::Args;
use clap::CommandFactory;
use std::io::Write;

/// Prints the completions of a shell.
pub fn run(shell: clap_complete::Shell, out: &mut dyn Write) -> Result<u8, Trouble> {
    clap_complete::generate(shell, &mut Args::command(), "fourgaps", &mut &mut *out);
    Ok(0)
}
