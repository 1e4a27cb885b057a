//! Extended resources: what a device plugin registered, and what is left of it when the plugin is gone.
//! Source: `pkg/kubelet/cm/devicemanager/manager.go` of Kubernetes, `../shared/facts/kubernetes.md` A5.

use super::{KubeletFact, PodPhase, PodSpec};
use crate::act::Deciding;

/// How long the kubelet remembers the devices of a plugin that is gone.
const FORGET_MS: u64 = 300_000;

/// What there is of an extended resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Devices, healthy or not.
    pub capacity: u32,
    /// Healthy devices.
    pub allocatable: u32,
    /// When a plugin that is gone is forgotten, in ms.
    pub forget_ms: Option<u64>,
}

impl Deciding<'_> {
    /// A plugin registers its devices.
    pub(super) fn register(&mut self, name: &str, count: u32) {
        let resource = Resource { capacity: count, allocatable: count, forget_ms: None };
        self.kubelet(KubeletFact::Resource { name: name.into(), resource });
    }

    /// A plugin is gone: its devices count as unhealthy.
    pub(super) fn unregister(&mut self, name: &str) {
        let Some(old) = self.node.kubelet.resources.get(name) else { return };
        let forget_ms = Some(self.node.now_ms + FORGET_MS);
        let resource = Resource { allocatable: 0, forget_ms, ..old.clone() };
        self.kubelet(KubeletFact::Resource { name: name.into(), resource });
    }

    /// Plugins that were gone for too long are forgotten.
    pub(super) fn forget(&mut self) {
        let now = self.node.now_ms;
        let due = self.node.kubelet.resources.iter();
        let due = due.filter(|(_, resource)| resource.forget_ms.is_some_and(|at| at <= now));
        for name in due.map(|(name, _)| name.clone()).collect::<Vec<_>>() {
            let resource = Resource { capacity: 0, allocatable: 0, forget_ms: None };
            self.kubelet(KubeletFact::Resource { name, resource });
        }
    }

    /// Why a pod gets no devices, where it gets none.
    pub(super) fn no_devices(&self, spec: &PodSpec) -> Option<String> {
        spec.devices.iter().find_map(|(name, wanted)| {
            let there = self.node.kubelet.resources.get(name)?.allocatable;
            let others = self.node.kubelet.pods.iter().filter(|pod| {
                pod.spec.uid != spec.uid && matches!(pod.status.phase, PodPhase::Pending | PodPhase::Running)
            });
            let taken: u32 = others.filter_map(|pod| pod.spec.devices.get(name)).sum();
            let left = there.saturating_sub(taken);
            (*wanted > left).then(|| {
                format!(
                    "Pod was rejected: Allocate failed due to requested number of devices unavailable for {name}. \
                     Requested: {wanted}, Available: {left}, which is unexpected"
                )
            })
        })
    }
}
