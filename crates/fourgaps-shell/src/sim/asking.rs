//! What every program that runs on a node begins with.

use super::Machines;
use crate::command::Call;
use crate::world::World;
use fourgaps_config::tools::Tools;
use fourgaps_node::{Node, Process};
use fourgaps_view::{Asked, Printed, Stamp};

/// The process number of a program that runs for a moment: a choice, since nothing depends on it.
const PID: u32 = 4321;

/// When and as which process a program runs now.
pub(super) fn stamp(world: &Machines) -> Stamp {
    Stamp { unix_ms: world.now_ms(), pid: PID }
}

/// How long a program that follows something looks on while nothing happens, in milliseconds; the real one until Ctrl+C.
/// Pods that have to leave a node that is not ready do so after five minutes.
pub(super) const QUIET_MS: u64 = 600_000;
/// What it says then; its status is that of Ctrl+C.
pub(super) const STOPPED: &str = "nothing happens for ten minutes; stopped as by Ctrl+C";

/// The words of a node's containerd.
pub(super) fn tools(node: &Node) -> &'static Tools {
    Tools::of(node.version().name()).expect("every version that is built in has its tools")
}

/// A client of a node's containerd.
pub(super) fn asked(node: &Node, stamp: Stamp) -> Asked<'_> {
    Asked {
        version: node.version(),
        tools: tools(node),
        daemon: node.containerd().map(Process::run),
        dial: node.dial().err().unwrap_or(Asked::NO_SOCKET),
        stamp,
    }
}

impl Call<'_, Machines> {
    /// The node that the program runs on; on another machine it is not there.
    pub(super) fn node(&self) -> Option<&Node> {
        self.world.node(self.host)
    }

    /// Says in the words of bash that a machine has no such program; gives its status.
    pub(super) fn not_installed(&mut self, name: &str) -> i32 {
        self.err(format!("bash: {name}: command not found\n"));
        127
    }

    /// Prints what a program printed; gives its status.
    pub(super) fn print(&mut self, printed: &Printed) -> i32 {
        self.out(&printed.stdout);
        self.err(&printed.stderr);
        printed.exit
    }

    /// True where a word asks for help.
    pub(super) fn wants_help(&self) -> bool {
        self.args.iter().any(|arg| arg == "--help")
    }
}

/// Those words that could stand where the cursor is, given the words that may follow each path of words before it.
pub(super) fn next_words(words: &[String], tree: &[(&str, &[&str])]) -> Vec<String> {
    let path: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
    let path = path.join(" ");
    let found = tree.iter().find(|(head, _)| *head == path);
    found.map_or_else(Vec::new, |(_, next)| next.iter().map(|word| (*word).to_string()).collect())
}
