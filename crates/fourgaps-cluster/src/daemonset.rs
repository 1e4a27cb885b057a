//! DaemonSets and the revisions of their templates.

use crate::meta::Meta;
use crate::selector::Selector;
use crate::spec::Template;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A count, or a part of the nodes that should run a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Share {
    /// So many.
    Count(u32),
    /// So many of a hundred, rounded up.
    Percent(u32),
}

impl Share {
    /// Reads `2` or `25%`.
    pub fn read(text: &str) -> Option<Self> {
        match text.strip_suffix('%') {
            Some(part) => part.parse().ok().map(Self::Percent),
            None => text.parse().ok().map(Self::Count),
        }
    }

    /// How many of so many.
    pub fn of(self, total: u32) -> u32 {
        match self {
            Self::Count(count) => count,
            Self::Percent(part) => {
                u32::try_from((u64::from(part) * u64::from(total)).div_ceil(100)).unwrap_or(u32::MAX)
            }
        }
    }
}

/// `2` or `25%`.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            Self::Percent(part) => write!(f, "{part}%"),
        }
    }
}

/// How old pods are replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Strategy {
    /// Only where somebody deletes them.
    OnDelete,
    /// One after the other, within a budget.
    RollingUpdate {
        /// How many nodes may be without an available pod.
        max_unavailable: Share,
        /// How many nodes may have a second pod.
        max_surge: Share,
    },
}

impl Default for Strategy {
    /// `pkg/apis/apps/v1/defaults.go` of Kubernetes.
    fn default() -> Self {
        Self::RollingUpdate { max_unavailable: Share::Count(1), max_surge: Share::Count(0) }
    }
}

impl Strategy {
    /// True where a node may have a second pod (`AllowsSurge`).
    pub fn surges(self) -> bool {
        matches!(self, Self::RollingUpdate { max_surge, .. } if max_surge.of(1) > 0)
    }
}

/// `status` of a DaemonSet: the columns of `kubectl get ds`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DaemonStatus {
    /// DESIRED: nodes that should run a pod.
    pub desired: u32,
    /// CURRENT: of those, nodes with at least one pod object.
    pub current: u32,
    /// READY: of those, nodes whose oldest pod is ready.
    pub ready: u32,
    /// UP-TO-DATE: of those, nodes whose oldest pod has the newest template.
    pub updated: u32,
    /// AVAILABLE: of those, nodes whose oldest pod has been ready for `minReadySeconds`.
    pub available: u32,
    /// DESIRED without AVAILABLE.
    pub unavailable: u32,
    /// Nodes that should not run a pod and have one.
    pub misscheduled: u32,
    /// The generation of the last full look.
    pub observed_generation: u64,
    /// How often two templates had the same name.
    #[serde(default)]
    pub collisions: u32,
}

/// A pod on every node that fits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DaemonSet {
    /// Its metadata.
    pub meta: Meta,
    /// Which pods are its own.
    pub selector: Selector,
    /// What they look like.
    pub template: Arc<Template>,
    /// How they are replaced.
    pub strategy: Strategy,
    /// How long a pod must be ready before it is available.
    pub min_ready_seconds: u32,
    /// How many old revisions are kept.
    pub revision_history_limit: u32,
    /// Counts the changes of the template.
    pub template_generation: u64,
    /// The numbers.
    pub status: DaemonStatus,
}

/// A template that a DaemonSet had or has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// Its metadata; the name is that of the owner and the hash.
    pub meta: Meta,
    /// Its number; the newest has the highest.
    pub number: u64,
    /// The template.
    pub template: Arc<Template>,
}

impl Revision {
    /// The hash: the label of its pods.
    pub fn hash(&self) -> &str {
        self.meta.labels.get(crate::pod::HASH_LABEL).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_rounded_up() {
        let cases = [("25%", 5, 2), ("50%", 3, 2), ("50%", 0, 0), ("100%", 4, 4), ("3", 2, 3), ("0", 9, 0)];
        for (text, total, wanted) in cases {
            let share = Share::read(text).unwrap();
            assert_eq!(share.of(total), wanted, "{text} of {total}");
            assert_eq!(share.to_string(), text);
        }
        assert_eq!(Share::read("-1"), None);
        assert_eq!(Share::read("x%"), None);
    }
}
