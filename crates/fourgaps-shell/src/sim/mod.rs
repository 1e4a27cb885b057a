//! The programs that only the simulated machines have: one file each, which names everything that it accepts.

mod asking;
mod containerd;
mod crictl;
mod ctk_installer;
mod ctr;
mod flags;
mod journalctl;
mod kill;
mod kubectl;
mod machines;
mod next_event;
mod nvidia_ctk;
mod pgrep;
mod pidof;
mod processes;
mod ps;
mod reboot;
mod sysctl;
mod systemctl;
mod when;

pub use machines::{Machines, kept};

use crate::command::Command;

/// Every simulated program.
pub fn commands() -> Vec<Box<dyn Command<Machines>>> {
    vec![
        Box::new(containerd::Containerd),
        Box::new(crictl::Crictl),
        Box::new(ctr::Ctr),
        Box::new(journalctl::Journalctl),
        Box::new(kubectl::Kubectl),
        Box::new(next_event::NextEvent),
        Box::new(nvidia_ctk::NvidiaCtk),
        Box::new(ctk_installer::CtkInstaller),
        Box::new(kill::Kill),
        Box::new(pgrep::Pgrep { kills: false }),
        Box::new(pgrep::Pgrep { kills: true }),
        Box::new(pidof::Pidof),
        Box::new(ps::Ps),
        Box::new(reboot::Reboot),
        Box::new(sysctl::Sysctl),
        Box::new(systemctl::Systemctl),
    ]
}
