//! Deciding: what a wish makes happen. Every change goes through [`Node::apply`].

use crate::fact::Fact;
use crate::ids;
use crate::journal::UnitEvent;
use crate::node::Node;
use crate::op::{Answer, Done, Op, SandboxSpec, Verb};
use crate::process::{End, Signal};
use crate::sandbox::Sandbox;
use crate::toolkit::Phase;
use crate::unit::{JobEnd, RESTART_AFTER_MS, Supervisor, UnitState};
use fourgaps_base::{FileEdit, FileError, FileTree, Files, parent};
use fourgaps_config::daemon::{SandboxAnswer, quote};
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
        Done { facts: deciding.facts, answer }
    }

    /// When something happens by itself next, in ms; never, where nothing is due.
    pub fn next_due_ms(&self) -> Option<u64> {
        self.due().map(|(ms, _)| ms)
    }

    /// What happens next by itself, and when; of two that are due together, the unit comes first, then the order of starts.
    fn due(&self) -> Option<(u64, Due)> {
        let unit = match self.unit.state {
            UnitState::AutoRestart { due_ms, .. } => Some((due_ms, Due::Unit)),
            _ => None,
        };
        let toolkits =
            self.toolkits.iter().filter_map(|toolkit| Some((toolkit.due_ms()?, Due::Toolkit(toolkit.pid))));
        unit.into_iter().chain(toolkits).min_by_key(|(ms, _)| *ms)
    }
}

/// What falls due.
enum Due {
    Unit,
    Toolkit(u32),
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
            Op::Wait { ms } => self.wait(*ms),
        }
    }

    fn wait(&mut self, ms: u64) -> Answer {
        let until = self.node.now_ms.saturating_add(ms);
        while let Some((ms, due)) = self.node.due().filter(|(ms, _)| *ms <= until) {
            self.happens(Fact::Clock { ms });
            match due {
                Due::Unit => self.restart_by_itself(),
                Due::Toolkit(pid) => self.toolkit_is_due(pid),
            }
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

    fn id(&mut self) -> String {
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

    pub(crate) fn systemctl(&mut self, verb: Verb) -> Answer {
        if self.node.supervisor == Supervisor::None {
            return Answer::NoUnit;
        }
        let starts = matches!(verb, Verb::Start | Verb::Restart);
        if starts && self.node.unit.state != UnitState::Running && self.node.containerd.is_some() {
            return Answer::NotSimulated("a second containerd on one node".into());
        }
        match verb {
            Verb::Reload => Answer::NoReload,
            Verb::ResetFailed => {
                if matches!(self.node.unit.state, UnitState::Failed(_)) {
                    self.happens(Fact::UnitIs(UnitState::Dead));
                }
                self.happens(Fact::UnitCounts(0));
                Answer::Done
            }
            Verb::Start if self.node.unit.state == UnitState::Running => Answer::Done,
            Verb::Start => self.start_job(),
            Verb::Stop => {
                self.stop_job();
                Answer::Done
            }
            Verb::Restart => {
                self.stop_job();
                self.start_job()
            }
        }
    }

    fn stop_job(&mut self) {
        match self.node.unit.state {
            UnitState::Running => {
                self.logs(UnitEvent::Stopping);
                // k3s takes its child down without asking it.
                let is_k3s = self.node.supervisor == Supervisor::K3s;
                self.ends(if is_k3s { End::Killed(Signal::Kill) } else { End::Exited(0) });
                self.logs(UnitEvent::Deactivated);
                self.shims(UnitEvent::Remains);
                self.logs(UnitEvent::Stopped);
                self.happens(Fact::UnitIs(UnitState::Dead));
            }
            UnitState::AutoRestart { .. } => {
                self.logs(UnitEvent::Stopped);
                self.happens(Fact::UnitIs(UnitState::Dead));
            }
            UnitState::Dead | UnitState::Failed(_) => {}
        }
    }

    /// A start that somebody asked for.
    fn start_job(&mut self) -> Answer {
        self.happens(Fact::UnitCounts(0));
        self.start_unit().map_or(Answer::Done, Answer::JobFailed)
    }

    /// A start that systemd decided on.
    fn restart_by_itself(&mut self) {
        let n_restarts = self.node.unit.n_restarts + 1;
        self.happens(Fact::UnitCounts(n_restarts));
        self.logs(UnitEvent::RestartScheduled(n_restarts));
        self.logs(UnitEvent::Stopped);
        self.start_unit();
    }

    fn start_unit(&mut self) -> Option<JobEnd> {
        if self.node.unit.limit_is_hit(self.node.now_ms) {
            let result = JobEnd::StartLimitHit;
            self.logs(UnitEvent::TooQuick);
            self.logs(UnitEvent::Failed(result));
            self.logs(UnitEvent::StartFailed);
            self.happens(Fact::UnitIs(UnitState::Failed(result)));
            return Some(result);
        }
        self.shims(UnitEvent::LeftOver);
        self.logs(UnitEvent::Starting);
        match self.start(false) {
            None => {
                self.logs(UnitEvent::Started);
                self.happens(Fact::UnitIs(UnitState::Running));
                None
            }
            Some(end) => Some(self.after_end(end, true)),
        }
    }

    /// What systemd does when the main process is gone without its asking.
    fn after_end(&mut self, end: End, while_starting: bool) -> JobEnd {
        let mut end = end;
        if self.node.supervisor == Supervisor::K3s {
            self.happens(Fact::K3sLost(end));
            end = End::Exited(1);
        }
        let mut result = JobEnd::of(end);
        if while_starting && result == JobEnd::Success {
            result = JobEnd::ExitCode;
        }
        if result == JobEnd::Success {
            self.logs(UnitEvent::Deactivated);
        } else {
            self.logs(UnitEvent::MainExited(end));
            self.logs(UnitEvent::Failed(result));
        }
        self.shims(UnitEvent::Remains);
        if while_starting {
            self.logs(UnitEvent::StartFailed);
        }
        let again = match self.node.supervisor {
            Supervisor::Systemd(restart) => restart.after(result),
            Supervisor::K3s => true,
            Supervisor::None => false,
        };
        let state = match result {
            _ if again => UnitState::AutoRestart { due_ms: self.node.now_ms + RESTART_AFTER_MS, result },
            JobEnd::Success => UnitState::Dead,
            result => UnitState::Failed(result),
        };
        self.happens(Fact::UnitIs(state));
        result
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

    /// `KillMode=process`: shims live in the unit's control group and outlive its main process.
    fn shims(&mut self, event: fn(u32) -> UnitEvent) {
        let pids: Vec<u32> = self.node.sandboxes.iter().filter_map(|sandbox| sandbox.pid).collect();
        for pid in pids {
            self.logs(event(pid));
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
        let of_pid = self.node.sandboxes.iter().find(|sandbox| sandbox.pid == Some(pid));
        match of_pid.map(|sandbox| sandbox.id.clone()) {
            // The pause process ends on TERM and INT, and has no handler for most others.
            Some(id) => {
                self.happens(Fact::SandboxStopped { id });
                Answer::Done
            }
            None => Answer::NoProcess,
        }
    }

    fn run_sandbox(&mut self, spec: &SandboxSpec) -> Answer {
        if let Some(words) = self.node.no_answer() {
            return Answer::Refused(words);
        }
        let Some(process) = &self.node.containerd else { return Answer::NoProcess };
        let name = format!("{}_{}_{}_{}", spec.name, spec.namespace, spec.uid, spec.attempt);
        if let Some(other) = self.node.sandboxes.iter().find(|sandbox| sandbox.reserved_name() == name) {
            let (name, id) = (quote(&name), quote(&other.id));
            return Answer::Refused(format!(
                "run pod sandbox: rpc error: code = Unknown desc = failed to reserve sandbox name {name}: \
                 name {name} is reserved for {id}"
            ));
        }
        match process.run().sandbox(spec.handler.as_deref()) {
            SandboxAnswer::Refused(words) => {
                // A request that is refused has got an id all the same.
                let id = self.id();
                Answer::Refused(words.replace("<id>", &id))
            }
            SandboxAnswer::NotSimulated(why) => Answer::NotSimulated(why),
            SandboxAnswer::Created { handler } => {
                let (id, pid) = (self.id(), self.pid());
                self.happens(Fact::SandboxMade(Sandbox {
                    id: id.clone(),
                    name: spec.name.clone(),
                    namespace: spec.namespace.clone(),
                    uid: spec.uid.clone(),
                    attempt: spec.attempt,
                    asked: spec.handler.clone(),
                    handler,
                    created_ms: self.node.now_ms,
                    pid: Some(pid),
                }));
                Answer::Sandbox { id }
            }
        }
    }

    fn with_sandbox(&mut self, id: &str, fact: fn(String) -> Fact) -> Answer {
        match self.node.no_answer() {
            Some(words) => Answer::Refused(words),
            None if self.node.sandboxes.iter().any(|sandbox| sandbox.id == id) => {
                self.happens(fact(id.into()));
                Answer::Done
            }
            // Removing what is not there is no fault for the CRI.
            None => Answer::Done,
        }
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
