//! Deciding: what a wish makes happen. Every change goes through [`Node::apply`].

mod cri;
mod kernel;
mod systemd;

use crate::fact::Fact;
use crate::ids;
use crate::journal::UnitEvent;
use crate::node::Node;
use crate::op::{Answer, Done, Op, Verb};
use crate::process::{End, Signal};
use crate::toolkit::Phase;
use crate::unit::{Supervisor, UnitState};
use fourgaps_base::{FileEdit, FileError, FileTree, Files, parent};
use std::sync::Arc;

/// A node while it decides, and what has happened so far.
pub(crate) struct Deciding<'n> {
    pub(crate) node: &'n mut Node,
    facts: Vec<Fact>,
}

impl Node {
    /// Works out what a wish makes happen, and makes it happen.
    pub fn act(&mut self, op: &Op) -> Done {
        let mut deciding = Deciding { node: self, facts: Vec::new() };
        let answer = deciding.decide(op);
        deciding.kubelet_looks();
        Done { facts: deciding.facts, answer }
    }

    /// Starts containerd as its supervisor does; by hand where there is none. The way in for whoever needs no other wish.
    pub fn start_containerd(&mut self) {
        let mut deciding = Deciding { node: self, facts: Vec::new() };
        match deciding.node.supervisor {
            Supervisor::None => deciding.start_by_hand(true),
            _ => deciding.systemctl(Verb::Start),
        };
    }

    /// When something happens by itself next, in ms; never, where nothing is due.
    pub fn next_due_ms(&self) -> Option<u64> {
        self.due().map(|(ms, _)| ms)
    }

    /// What happens next by itself, and when; of two that are due together, the unit comes first, then the
    /// toolkit, then the kubelet.
    fn due(&self) -> Option<(u64, Due)> {
        if let Some(up_ms) = self.down_until_ms {
            return Some((up_ms, Due::Boot));
        }
        let unit = match self.unit.state {
            UnitState::AutoRestart { due_ms, .. } => Some((due_ms, Due::Unit)),
            _ => None,
        };
        let toolkits =
            self.toolkits.iter().filter_map(|toolkit| Some((toolkit.due_ms()?, Due::Toolkit(toolkit.pid))));
        let kubelet = self.kubelet.due_ms().map(|ms| (ms, Due::Kubelet));
        unit.into_iter().chain(toolkits).chain(kubelet).min_by_key(|(ms, _)| *ms)
    }
}

/// What falls due.
enum Due {
    Boot,
    Unit,
    Toolkit(u32),
    Kubelet,
}

impl Deciding<'_> {
    /// Changes the disk. The disk itself decides; what it did is not folded a second time.
    pub(crate) fn edit(&mut self, edit: FileEdit) -> Result<(), FileError> {
        let now_ms = self.node.now_ms;
        Arc::make_mut(&mut self.node.files).edit(&edit, now_ms)?;
        self.facts.push(Fact::Edited(edit));
        Ok(())
    }

    /// Changes the disk where it lets itself be changed, as programs do that do not look.
    pub(crate) fn edits(&mut self, edits: impl IntoIterator<Item = FileEdit>) {
        for edit in edits {
            // A change that the disk refuses is none.
            let _ = self.edit(edit);
        }
    }

    /// Writes a file, making the folders above it.
    pub(crate) fn write(&mut self, path: &str, text: &str) {
        let folders = missing_folders(self.node.files(), path);
        self.edits(folders);
        self.edits([FileEdit::write(path, text)]);
    }

    /// Removes a folder and everything below it.
    pub(crate) fn remove_all(&mut self, folder: &str) {
        let mut below: Vec<String> = self.node.files().below(folder).map(String::from).collect();
        below.reverse();
        self.edits(below.into_iter().chain([folder.into()]).map(FileEdit::Remove));
    }

    pub(crate) fn happens(&mut self, fact: Fact) {
        self.node.apply(&fact);
        self.facts.push(fact);
    }

    fn logs(&mut self, event: UnitEvent) {
        self.happens(Fact::Unit(event));
    }

    fn decide(&mut self, op: &Op) -> Answer {
        if self.node.down_until_ms.is_some() && !matches!(op, Op::Wait { .. }) {
            return Answer::Down;
        }
        match op {
            Op::Edit(edit) => match self.edit(edit.clone()) {
                Err(why) => Answer::File(why),
                Ok(()) => Answer::Done,
            },
            Op::Systemctl(verb) => self.systemctl(*verb),
            Op::Start { sighup_ignored } => self.start_by_hand(*sighup_ignored),
            Op::Signal { pid, signal } => self.signal(*pid, *signal),
            Op::RunSandbox(spec) => self.run_sandbox(spec),
            Op::StopSandbox { id } => self.with_sandbox(id, |id| Fact::SandboxStopped { id }),
            Op::RemoveSandbox { id } => self.with_sandbox(id, |id| Fact::SandboxRemoved { id }),
            Op::Toolkit { options, astray, in_pod } => self.run_toolkit(options, *astray, *in_pod),
            Op::Ctk { release, words } => self.configure_by_ctk(*release, words),
            Op::Kubelet(op) => self.kubelet_op(op),
            Op::Sysctl(what) => self.sysctl(what),
            Op::Reboot => self.reboot(),
            Op::Wait { ms } => self.wait(*ms),
        }
    }

    /// The kubelet sees what became of the runtime and of the toolkit.
    fn kubelet_looks(&mut self) {
        self.look_at_toolkits();
        self.look_at_runtime();
    }

    fn wait(&mut self, ms: u64) -> Answer {
        let until = self.node.now_ms.saturating_add(ms);
        while let Some((ms, due)) = self.node.due().filter(|(ms, _)| *ms <= until) {
            // What became due while nobody looked happens now: time never goes back.
            self.happens(Fact::Clock { ms: ms.max(self.node.now_ms) });
            match due {
                Due::Boot => self.boot(),
                Due::Unit => self.restart_by_itself(),
                Due::Toolkit(pid) => self.toolkit_is_due(pid),
                Due::Kubelet => self.kubelet_is_due(),
            }
            self.kubelet_looks();
        }
        self.happens(Fact::Clock { ms: until });
        Answer::Done
    }

    pub(crate) fn pid(&mut self) -> u32 {
        let (ids, last) = (self.node.ids, self.node.last_pid);
        let pid = last + 1 + (ids::draw(self.node.seed, u64::from(last)) % 7) as u32;
        self.happens(Fact::Drawn { ids, pid });
        pid
    }

    pub(crate) fn id(&mut self) -> String {
        let (ids, pid) = (self.node.ids + 1, self.node.last_pid);
        self.happens(Fact::Drawn { ids, pid });
        ids::container_id(self.node.seed, ids)
    }

    /// Starts a process; one that refuses its files ends at once.
    fn start(&mut self, sighup_ignored: bool) -> Option<End> {
        self.edits(self.node.edit_at_start());
        let pid = self.pid();
        self.happens(Fact::Started { pid, sighup_ignored });
        let exit = self.node.containerd.as_ref().and_then(|process| process.run().exit);
        let end = exit.map(End::Exited);
        match end {
            Some(end) => self.happens(Fact::Ended { end }),
            None => self.happens(Fact::Socket(true)),
        }
        end
    }

    fn start_by_hand(&mut self, sighup_ignored: bool) -> Answer {
        if self.node.containerd.is_some() {
            return Answer::NotSimulated("a second containerd on one node".into());
        }
        self.start(sighup_ignored);
        Answer::Done
    }

    /// A process that runs ends; only one that ends in order takes its socket away.
    fn ends(&mut self, end: End) {
        self.happens(Fact::Ended { end });
        if end == End::Exited(0) {
            self.happens(Fact::Socket(false));
        }
    }

    /// Sends SIGHUP to containerd.
    pub(crate) fn hang_up_containerd(&mut self) {
        if let Some(pid) = self.node.containerd.as_ref().map(|process| process.pid) {
            self.signal(pid, Signal::Hup);
        }
    }

    fn signal(&mut self, pid: u32, signal: Signal) -> Answer {
        if let Some(process) = self.node.containerd.as_ref().filter(|process| process.pid == pid) {
            if let Some(end) = process.end_by(signal) {
                self.ends(end);
                if self.node.unit.state == UnitState::Running {
                    self.after_end(end, false);
                }
            }
            return Answer::Done;
        }
        if self.node.toolkit_of(pid).is_some_and(|toolkit| !matches!(toolkit.phase, Phase::Ended { .. })) {
            self.signal_toolkit(pid, signal);
            return Answer::Done;
        }
        if self.signal_container(pid, signal) {
            return Answer::Done;
        }
        let of_pid = self.node.sandboxes.iter().find(|sandbox| sandbox.pid == Some(pid));
        let Some(id) = of_pid.map(|sandbox| sandbox.id.clone()) else { return Answer::NoProcess };
        // The pause program is the first of its process namespace: what it has no handler for does not reach it.
        if matches!(signal, Signal::Term | Signal::Int | Signal::Kill) {
            self.happens(Fact::SandboxStopped { id });
        }
        Answer::Done
    }
}

/// The folders above a path that are to be made before it, from the top down.
pub(crate) fn missing_folders(files: &FileTree, path: &str) -> Vec<FileEdit> {
    let mut missing = Vec::new();
    let mut folder = parent(path);
    while !files.exists(folder) && folder.starts_with('/') {
        missing.push(FileEdit::MakeFolder(folder.into()));
        folder = parent(folder);
    }
    missing.reverse();
    missing
}
