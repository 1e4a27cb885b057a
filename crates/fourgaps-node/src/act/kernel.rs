//! Kernel settings, and a restart of the whole node.

use super::Deciding;
use crate::fact::Fact;
use crate::kernel::{Line, files_of_settings};
use crate::op::{Answer, Sysctl, SysctlLine, Verb};
use crate::unit::Supervisor;

/// How long a node is away when it restarts: a choice.
const BOOT_MS: u64 = 30_000;

impl Deciding<'_> {
    /// `sysctl`, where it sets something.
    pub(crate) fn sysctl(&mut self, what: &Sysctl) -> Answer {
        let mut said = Vec::new();
        match what {
            Sysctl::Set { setting } => self.set_line(setting, &mut said),
            Sysctl::Load { path } => self.load_settings(path, &mut said),
            Sysctl::System => {
                for path in files_of_settings(self.node.files(), true) {
                    said.push(SysctlLine::Applying(path.clone()));
                    self.load_settings(&path, &mut said);
                }
            }
        }
        Answer::Sysctl(said)
    }

    fn load_settings(&mut self, path: &str, said: &mut Vec<SysctlLine>) {
        let Some(text) = self.node.files().text(path).map(|text| text.into_owned()) else {
            said.push(SysctlLine::NoFile(path.into()));
            return;
        };
        for line in text.lines() {
            self.set_line(line, said);
        }
    }

    fn set_line(&mut self, line: &str, said: &mut Vec<SysctlLine>) {
        match self.node.kernel.line(line) {
            None => {}
            Some(Line::Odd(key)) => said.push(SysctlLine::NotSimulated(key)),
            Some(Line::Set(key, value)) => {
                self.happens(Fact::Sysctl { key: key.clone(), value });
                said.push(SysctlLine::Set { key, value });
            }
        }
    }

    /// The node goes down: every process ends, and what lay in memory is gone.
    pub(crate) fn reboot(&mut self) -> Answer {
        let up_ms = self.node.now_ms + BOOT_MS;
        self.happens(Fact::WentDown { up_ms });
        Answer::Done
    }

    /// The node is back: settings are read from the disk, and what systemd looks after is started.
    pub(crate) fn boot(&mut self) {
        self.happens(Fact::CameUp);
        for path in files_of_settings(self.node.files(), false) {
            self.load_settings(&path, &mut Vec::new());
        }
        if self.node.supervisor != Supervisor::None {
            self.systemctl(Verb::Start);
        }
        if self.node.kubelet.was_enabled {
            self.start_kubelet();
        }
    }
}
