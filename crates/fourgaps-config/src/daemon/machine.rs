//! The machine that a process starts on, as far as its answers depend on it.

use crate::{read_toml, readable};
use std::collections::BTreeSet;

/// What a machine has beside its configuration files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Its platform, as Go names it.
    pub platform: String,
    /// The generation of control groups: 1 or 2.
    pub cgroups: u8,
    /// How many inotify instances its user may still have.
    pub inotify_instances: i64,
    /// Programs: a name for one on the search path, a whole path for another.
    pub programs: BTreeSet<String>,
    /// Images that need not be pulled.
    pub images: BTreeSet<String>,
}
readable!(Machine { platform, cgroups, inotify_instances, programs, images });

impl Machine {
    /// The machine on which the recordings were made.
    ///
    /// Its disk is no part of the recordings, so what is known of it is read off the recorded answers.
    pub fn recorded() -> Self {
        read_toml(include_str!("../../versions/machine.toml")).expect("a test reads the machine")
    }

    /// True where a program of this name or path can be started.
    pub fn has_program(&self, program: &str) -> bool {
        self.programs.contains(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_machine_reads() {
        assert!(Machine::recorded().has_program("runc"));
    }
}
