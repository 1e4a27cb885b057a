//! The images of a node: which are there, how long a pull takes, and how often one that fails is tried again.
//! Source: `pkg/kubelet/images/image_manager.go` of Kubernetes, `../shared/facts/kubernetes.md` A3.5.

use super::sync::RETRY_MS;
use super::{ContainerSpec, ContainerState, ContainerStatus, KubeletFact, PodSpec};
use crate::act::Deciding;
use fourgaps_config::daemon::quote;

/// From a failed pull to the next, in ms: one rendering of the kubelet's back-off, without its jitter.
pub const PULL_WAITS_MS: [u64; 6] = [13_000, 25_000, 47_000, 85_000, 160_000, 300_000];
/// From `ErrImagePull` to `ImagePullBackOff`.
pub const BACK_OFF_SHOWN_MS: u64 = 1_000;

/// How an image is pulled that is not on the node yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pull {
    /// How long it takes, in ms.
    pub ms: u64,
    /// There is no such image.
    pub missing: bool,
}

/// How far a container's image is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pulling {
    /// When the pull that runs ends, in ms.
    pub until_ms: Option<u64>,
    /// How many pulls failed.
    pub failed: u32,
    /// When the next one begins, in ms.
    pub again_ms: u64,
}

/// How long it is from the nth failed pull (from 1) to the next, in ms.
pub fn pull_wait_ms(nth: u32) -> u64 {
    let at = usize::try_from(nth.saturating_sub(1)).unwrap_or(0).min(PULL_WAITS_MS.len() - 1);
    PULL_WAITS_MS[at]
}

/// What containerd says of an image that a registry does not have.
pub fn not_found(image: &str) -> String {
    format!(
        "rpc error: code = NotFound desc = failed to pull and unpack image \"{image}\": failed to resolve reference \
         \"{image}\": {image}: not found"
    )
}

impl Deciding<'_> {
    /// Sees to it that a container's image is there.
    ///
    /// # Errors
    /// When to look again; `container` says what it waits for.
    pub(super) fn has_image(
        &mut self,
        pod: &PodSpec,
        spec: &ContainerSpec,
        container: &mut ContainerStatus,
    ) -> Result<(), u64> {
        let (now, image) = (self.node.now_ms, quote(&spec.image));
        let there = self.node.kubelet.images.contains(&spec.image);
        let Some(pull) = spec.pull.as_ref().filter(|_| !there) else {
            let words = format!("Container image {image} already present on machine");
            self.event(&pod.uid, false, "Pulled", &words);
            return Ok(());
        };
        if self.node.no_answer().is_some() {
            return Err(now + RETRY_MS);
        }
        let pulling = &mut container.pulling;
        match pulling.until_ms {
            None if pulling.again_ms <= now => {
                self.event(&pod.uid, false, "Pulling", &format!("Pulling image {image}"));
                pulling.until_ms = Some(now + pull.ms);
                if pull.ms > 0 { Err(now + pull.ms) } else { self.has_image(pod, spec, container) }
            }
            None => {
                let error = not_found(&spec.image);
                self.event(&pod.uid, false, "BackOff", &format!("Back-off pulling image {image}"));
                self.event(&pod.uid, true, "Failed", "Error: ImagePullBackOff");
                let again_ms = pulling.again_ms;
                let message = format!("Back-off pulling image {image}: ErrImagePull: {error}");
                container.state = ContainerState::Waiting { reason: "ImagePullBackOff".into(), message };
                Err(again_ms)
            }
            Some(until_ms) if until_ms > now => Err(until_ms),
            Some(_) if pull.missing => {
                let error = not_found(&spec.image);
                let failed = pulling.failed + 1;
                let again_ms = now + pull_wait_ms(failed);
                *pulling = Pulling { until_ms: None, failed, again_ms };
                self.event(&pod.uid, true, "Failed", &format!("Failed to pull image {image}: {error}"));
                self.event(&pod.uid, true, "Failed", "Error: ErrImagePull");
                container.state = ContainerState::Waiting { reason: "ErrImagePull".into(), message: error };
                Err(now + BACK_OFF_SHOWN_MS)
            }
            // How large it is is not known, so the event that tells it is left out.
            Some(_) => {
                *pulling = Pulling::default();
                self.kubelet(KubeletFact::Pulled(spec.image.clone()));
                Ok(())
            }
        }
    }
}
