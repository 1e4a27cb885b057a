//! What happens to the objects of the API: the only thing that changes a store.

use crate::daemonset::DaemonStatus;
use crate::event::Note;
use crate::meta::{Deleting, Key, Uid};
use crate::object::{Id, Object};
use crate::pod::PodStatus;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One change of one object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// An object is created or takes this form.
    Put(Object),
    /// An object is gone.
    Gone(Id),
    /// A pod is bound to a node.
    PodBound {
        /// The pod.
        uid: Uid,
        /// The node.
        node: Arc<str>,
    },
    /// A pod has this status.
    PodStatus {
        /// The pod.
        uid: Uid,
        /// The status.
        status: Arc<PodStatus>,
    },
    /// A pod is to go.
    PodDeleting {
        /// The pod.
        uid: Uid,
        /// Until when.
        deleting: Deleting,
    },
    /// A DaemonSet has these numbers.
    DaemonStatus {
        /// The DaemonSet.
        key: Key,
        /// The numbers.
        status: Box<DaemonStatus>,
    },
    /// Something was told.
    Told(Arc<Note>),
    /// Something was told again.
    ToldAgain {
        /// The number of the event, from 0 in the order of the first time.
        event: u32,
        /// Its message now, where that differs.
        message: Option<String>,
        /// How often it was told in between and only counted.
        #[serde(default, skip_serializing_if = "is_zero")]
        missed: u32,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference on")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A change and its moment: what a page folds into its copy of the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// When, in milliseconds.
    pub at_ms: u64,
    /// What.
    pub change: Change,
}
