//! Any object of the API. What controllers read all the time is typed; the rest is kept as it was given and read where
//! it is needed.

use crate::daemonset::{DaemonSet, Revision};
use crate::meta::{Key, Meta};
use crate::node::Node;
use crate::pod::Pod;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// The kinds of the API that a lab has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Kind {
    ConfigMap,
    ControllerRevision,
    DaemonSet,
    Deployment,
    Endpoints,
    Event,
    Lease,
    Namespace,
    Node,
    Pod,
    PodDisruptionBudget,
    ReplicaSet,
    ResourceQuota,
    RuntimeClass,
    Service,
}

/// What the API says of a kind: kind, group and version, plural, short names, and whether it lives in a namespace.
type Facts = (Kind, &'static str, &'static str, &'static [&'static str], bool);

const KINDS: [Facts; 15] = [
    (Kind::ConfigMap, "v1", "configmaps", &["cm"], true),
    (Kind::ControllerRevision, "apps/v1", "controllerrevisions", &[], true),
    (Kind::DaemonSet, "apps/v1", "daemonsets", &["ds"], true),
    (Kind::Deployment, "apps/v1", "deployments", &["deploy"], true),
    (Kind::Endpoints, "v1", "endpoints", &["ep"], true),
    (Kind::Event, "v1", "events", &["ev"], true),
    (Kind::Lease, "coordination.k8s.io/v1", "leases", &[], true),
    (Kind::Namespace, "v1", "namespaces", &["ns"], false),
    (Kind::Node, "v1", "nodes", &["no"], false),
    (Kind::Pod, "v1", "pods", &["po"], true),
    (Kind::PodDisruptionBudget, "policy/v1", "poddisruptionbudgets", &["pdb"], true),
    (Kind::ReplicaSet, "apps/v1", "replicasets", &["rs"], true),
    (Kind::ResourceQuota, "v1", "resourcequotas", &["quota"], true),
    (Kind::RuntimeClass, "node.k8s.io/v1", "runtimeclasses", &[], false),
    (Kind::Service, "v1", "services", &["svc"], true),
];

impl Kind {
    fn facts(self) -> &'static Facts {
        let found = KINDS.iter().find(|facts| facts.0 == self);
        found.expect("the table has a line for every kind, as a test says")
    }

    /// Every kind.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().map(|facts| facts.0)
    }

    /// The word after `kind:`.
    pub fn name(self) -> String {
        format!("{self:?}")
    }

    /// The word after `apiVersion:`.
    pub fn api_version(self) -> &'static str {
        self.facts().1
    }

    /// The API group; empty for the core.
    pub fn group(self) -> &'static str {
        self.api_version().split_once('/').map_or("", |(group, _)| group)
    }

    /// The plural, such as `daemonsets`.
    pub fn plural(self) -> &'static str {
        self.facts().2
    }

    /// The singular, such as `daemonset`.
    pub fn singular(self) -> String {
        self.name().to_ascii_lowercase()
    }

    /// True where it lives in a namespace.
    pub fn is_namespaced(self) -> bool {
        self.facts().4
    }

    /// The kind that somebody means by a word on the command line: singular, plural or short, with or without group.
    pub fn meant(word: &str) -> Option<Self> {
        let (name, group) = word.split_once('.').map_or((word, None), |(name, group)| (name, Some(group)));
        let name = name.to_ascii_lowercase();
        let found = KINDS
            .iter()
            .find(|facts| facts.2 == name || facts.0.singular() == name || facts.3.contains(&name.as_str()));
        found.map(|facts| facts.0).filter(|kind| group.is_none_or(|group| kind.names_group(group)))
    }

    fn names_group(self, group: &str) -> bool {
        let (group_name, version) = self.api_version().split_once('/').unwrap_or(("", "v1"));
        group == group_name
            || group.strip_prefix(version).is_some_and(|rest| rest.trim_start_matches('.') == group_name)
    }

    /// The name by which kubectl tells of it: `daemonset.apps`, `pod`.
    pub fn told(self) -> String {
        match self.group() {
            "" => self.singular(),
            group => format!("{}.{group}", self.singular()),
        }
    }
}

/// An object whose fields nobody needs typed all the time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plain {
    /// Its metadata.
    pub meta: Meta,
    /// Everything but `apiVersion`, `kind` and `metadata`, as it was given.
    pub body: Value,
}

/// Any object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Object {
    Node(Arc<Node>),
    Pod(Arc<Pod>),
    DaemonSet(Arc<DaemonSet>),
    Revision(Arc<Revision>),
    Other(Kind, Arc<Plain>),
}

impl Object {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Node(_) => Kind::Node,
            Self::Pod(_) => Kind::Pod,
            Self::DaemonSet(_) => Kind::DaemonSet,
            Self::Revision(_) => Kind::ControllerRevision,
            Self::Other(kind, _) => *kind,
        }
    }

    /// Its namespace and name.
    pub fn key(&self) -> Key {
        match self {
            Self::Node(node) => node.meta.key(),
            Self::Pod(pod) => pod.key.clone(),
            Self::DaemonSet(set) => set.meta.key(),
            Self::Revision(revision) => revision.meta.key(),
            Self::Other(_, plain) => plain.meta.key(),
        }
    }
}

/// Which object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Id {
    /// Its kind.
    pub kind: Kind,
    /// Its namespace and name.
    pub key: Key,
}

impl Id {
    /// An identity of these parts.
    pub fn new(kind: Kind, namespace: &str, name: &str) -> Self {
        Self { kind, key: Key::new(namespace, name) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_known_by_all_their_names() {
        for kind in Kind::all() {
            for word in [kind.plural().to_string(), kind.singular(), kind.name(), kind.told()] {
                assert_eq!(Kind::meant(&word), Some(kind), "{word}");
            }
            assert_eq!(kind.facts().0, kind);
        }
        assert_eq!(Kind::meant("ds"), Some(Kind::DaemonSet));
        assert_eq!(Kind::meant("daemonsets.v1.apps"), Some(Kind::DaemonSet));
        assert_eq!(Kind::meant("ds.batch"), None);
        assert_eq!(Kind::meant("cronjobs"), None);
    }
}
