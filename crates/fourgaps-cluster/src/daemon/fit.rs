//! Whether a node should run a pod of a DaemonSet: `NodeShouldRunDaemonPod`.

use crate::daemonset::DaemonSet;
use crate::node::Node;
use crate::taint::{Effect, Toleration, untolerated};

/// What a node means to a DaemonSet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// It should have a pod.
    pub run: bool,
    /// A pod that is there may stay.
    pub keep: bool,
}

impl Fit {
    /// No pod may be there.
    pub const NEVER: Self = Self { run: false, keep: false };
}

/// The tolerations that every pod of a DaemonSet gets (`AddOrUpdateDaemonPodTolerations`). The one against
/// `network-unavailable` is for pods in the network of the host.
pub fn automatic_tolerations(host_network: bool) -> Vec<Toleration> {
    let list = [
        ("not-ready", Effect::NoExecute),
        ("unreachable", Effect::NoExecute),
        ("disk-pressure", Effect::NoSchedule),
        ("memory-pressure", Effect::NoSchedule),
        ("pid-pressure", Effect::NoSchedule),
        ("unschedulable", Effect::NoSchedule),
        ("network-unavailable", Effect::NoSchedule),
    ];
    let count = if host_network { 7 } else { 6 };
    let one = |(name, effect): &(&str, Effect)| {
        Toleration::exists(&format!("node.kubernetes.io/{name}"), Some(*effect))
    };
    list[..count].iter().map(one).collect()
}

/// The tolerations of the pods of a DaemonSet: those of its template, then the automatic ones.
pub fn tolerations(set: &DaemonSet) -> Vec<Toleration> {
    let spec = &set.template.spec;
    spec.tolerations.iter().cloned().chain(automatic_tolerations(spec.host_network)).collect()
}

/// What a node means to a DaemonSet. Not asked: resources, ports, `Ready`, and `unschedulable` itself.
pub fn fit(set: &DaemonSet, node: &Node) -> Fit {
    fit_with(set, &tolerations(set), node)
}

/// [`fit`] with the tolerations at hand.
pub(super) fn fit_with(set: &DaemonSet, tolerations: &[Toleration], node: &Node) -> Fit {
    let spec = &set.template.spec;
    let elsewhere = spec.node_name.as_ref().is_some_and(|name| *name != node.meta.name);
    if elsewhere || !spec.selects_node(&node.meta.name, &node.meta.labels) {
        return Fit::NEVER;
    }
    let hard = [Effect::NoSchedule, Effect::NoExecute];
    let run = untolerated(&node.taints, tolerations, &hard).is_none();
    Fit { run, keep: untolerated(&node.taints, tolerations, &[Effect::NoExecute]).is_none() }
}
