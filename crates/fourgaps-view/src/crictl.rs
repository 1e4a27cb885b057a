//! What the program `crictl` prints.
//! Source: the recordings (`texts`), and the public source of cri-tools 1.34 and of each version's CRI plugin.

mod info;
mod inspect;
mod sandbox;
mod tables;

use crate::{Asked, Printed};
use fourgaps_config::daemon::DaemonRun;

pub use info::info;
pub use inspect::{Inspected, inspectp};
pub use sandbox::{ran, rmp, rmp_running, rmp_unknown, runp, statsp, stopp};
pub use tables::{ContainerRow, ImageRow, PodRow, images, pods, ps};

impl<'a> Asked<'a> {
    /// The process whose CRI service answers, or what `crictl` says instead.
    pub(crate) fn cri(&self) -> Result<&'a DaemonRun, Printed> {
        let why = match self.daemon {
            Some(run) => match &run.no_answer {
                None => return Ok(run),
                Some(why) => why.clone(),
            },
            None => self.version.no_socket().replace(Self::NO_SOCKET, self.dial),
        };
        Err(Printed::fatal(&self.stamp, &why))
    }
}

/// `crictl version`
pub fn version(asked: &Asked<'_>) -> Printed {
    match asked.cri() {
        Err(silent) => silent,
        Ok(_) => Printed::ok(format!(
            "Version:  0.1.0\nRuntimeName:  containerd\nRuntimeVersion:  v{}\nRuntimeApiVersion:  v1\n",
            asked.version.name()
        )),
    }
}
