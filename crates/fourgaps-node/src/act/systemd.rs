//! What systemd does with the unit of containerd.
//! Source: systemd.service(5), and the unit that each version ships.

use super::Deciding;
use crate::fact::Fact;
use crate::journal::UnitEvent;
use crate::op::{Answer, Verb};
use crate::process::{End, Signal};
use crate::unit::{JobEnd, RESTART_AFTER_MS, Supervisor, UnitState};

impl Deciding<'_> {
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
    pub(super) fn restart_by_itself(&mut self) {
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
    pub(super) fn after_end(&mut self, end: End, while_starting: bool) -> JobEnd {
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

    /// `KillMode=process`: shims live in the unit's control group and outlive its main process.
    fn shims(&mut self, event: fn(u32) -> UnitEvent) {
        let pids: Vec<u32> = self.node.sandboxes.iter().filter_map(|sandbox| sandbox.pid).collect();
        for pid in pids {
            self.logs(event(pid));
        }
    }
}
