//! A pod sandbox: made with a handler, and never asked for it again.

use fourgaps_base::kept;

/// A sandbox as the CRI service keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    /// 64 hexadecimal digits.
    pub id: String,
    /// The pod's name.
    pub name: String,
    /// The pod's namespace.
    pub namespace: String,
    /// The pod's uid.
    pub uid: String,
    /// Which try this is.
    pub attempt: u32,
    /// The handler that was asked for; none where the pod has no RuntimeClass.
    pub asked: Option<String>,
    /// The handler that it was made with.
    pub handler: String,
    /// The folder for the pod's logs; may be empty.
    pub log_directory: String,
    /// When, in ms of virtual time.
    pub created_ms: u64,
    /// Its pause process; none once it was stopped or has ended.
    pub pid: Option<u32>,
}
kept!(Sandbox { id, name, namespace, uid, attempt, asked, handler, log_directory, created_ms, pid });

impl Sandbox {
    /// True where it counts as ready: its process is alive.
    pub fn is_ready(&self) -> bool {
        self.pid.is_some()
    }

    /// The name that it keeps from others: `NAME_NAMESPACE_UID_ATTEMPT`.
    pub(crate) fn reserved_name(&self) -> String {
        format!("{}_{}_{}_{}", self.name, self.namespace, self.uid, self.attempt)
    }
}
