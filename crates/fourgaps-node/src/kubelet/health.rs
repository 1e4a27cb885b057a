//! What the kubelet knows of the runtime, and what it says of the node.
//! Source: `pkg/kubelet/runtime.go` and `kubelet.go` of Kubernetes: a check every 5 s, an error after 30 s without a good
//! one, the node's status every 10 s.

use super::KubeletFact;
use crate::act::Deciding;
use crate::fact::Fact;

const CHECK_MS: u64 = 5_000;
const STATUS_MS: u64 = 10_000;
const TOO_LONG_MS: u64 = 30_000;

/// The message of a node whose runtime has not answered for too long.
pub const RUNTIME_DOWN: &str = "container runtime is down";

/// What the kubelet knows of the runtime.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// True while the runtime answers.
    pub answers: bool,
    /// The last check that it answered before it fell silent, in ms.
    pub(crate) last_good_ms: u64,
    /// The first check that it answers or answered again, in ms.
    pub(crate) back_ms: u64,
    /// Whether the condition `Ready` holds. Where not, its message is [`RUNTIME_DOWN`].
    pub ready: bool,
    /// Since when, in ms.
    pub ready_since_ms: u64,
}

impl Health {
    /// True where pods are looked after: without a good check for too long the kubelet leaves them alone.
    pub(crate) fn lets_sync(&self, now_ms: u64) -> bool {
        (self.answers && now_ms >= self.back_ms) || now_ms < self.last_good_ms + TOO_LONG_MS
    }

    /// When the condition `Ready` changes, in ms.
    pub(crate) fn due_ms(&self) -> Option<u64> {
        let back_ms = self.back_ms.next_multiple_of(STATUS_MS);
        if !self.ready {
            return self.answers.then_some(back_ms);
        }
        let silent_ms = (self.last_good_ms + TOO_LONG_MS).next_multiple_of(STATUS_MS);
        let unseen = self.ready_since_ms < silent_ms;
        (!self.answers || (silent_ms < self.back_ms && unseen)).then_some(silent_ms)
    }
}

impl Deciding<'_> {
    pub(super) fn kubelet(&mut self, fact: KubeletFact) {
        self.happens(Fact::Kubelet(fact));
    }

    /// Looks whether the runtime answers; what it makes of that, it does at its next check.
    pub(crate) fn look_at_runtime(&mut self) {
        let kubelet = &self.node.kubelet;
        let answers = kubelet.runs && self.node.no_answer().is_none();
        let (now, old) = (self.node.now_ms, &kubelet.health);
        if !kubelet.runs || answers == old.answers {
            return;
        }
        let mut health = Health { answers, ..old.clone() };
        if answers {
            health.back_ms = now.next_multiple_of(CHECK_MS);
        } else if now >= old.back_ms {
            health.last_good_ms = now - now % CHECK_MS;
        }
        let back_ms = health.back_ms;
        self.kubelet(KubeletFact::Health(health));
        if answers {
            self.wake_pods(back_ms);
        }
    }

    /// The condition `Ready` changes, where it is time.
    pub(super) fn post_status(&mut self) {
        let (now, health) = (self.node.now_ms, &self.node.kubelet.health);
        if health.due_ms().is_none_or(|due| due > now) {
            return;
        }
        let ready = !health.ready;
        let health = Health { ready, ready_since_ms: now, ..health.clone() };
        self.kubelet(KubeletFact::Health(health));
        let reason = if ready { "NodeReady" } else { "NodeNotReady" };
        let message = format!("Node {} status is now: {reason}", self.node.name());
        self.kubelet(KubeletFact::Event { uid: None, warning: false, reason: reason.into(), message });
    }

    /// `systemctl start kubelet`: it knows nothing of the runtime yet, and takes the node for what it was.
    pub(crate) fn start_kubelet(&mut self) {
        if self.node.kubelet.runs {
            return;
        }
        let now = self.node.now_ms;
        self.kubelet(KubeletFact::Runs(true));
        let old = &self.node.kubelet.health;
        let health = Health { answers: false, last_good_ms: now, back_ms: now, ..old.clone() };
        self.kubelet(KubeletFact::Health(health));
        self.look_at_runtime();
        self.wake_pods(now);
    }

    pub(crate) fn stop_kubelet(&mut self) {
        if self.node.kubelet.runs {
            self.kubelet(KubeletFact::Runs(false));
        }
    }
}
