//! The scripted scheduler and kubelet of the stories: what a word does to a pod.

use super::words::PodDeed;
use fourgaps_cluster::Cluster;
use fourgaps_cluster::change::Change;
use fourgaps_cluster::kubelet::stopped;
use fourgaps_cluster::meta::Uid;
use fourgaps_cluster::node::{Truth, Why};
use fourgaps_cluster::pod::{ContainerState, ContainerStatus, Ended, Phase, Pod, PodStatus};
use fourgaps_cluster::short::Short;
use std::sync::Arc;

/// Lets something happen to a pod of a node.
///
/// # Errors
/// Says that there is no pod to which it can happen.
pub fn happen(cluster: &mut Cluster, node: &str, deed: &PodDeed) -> Result<(), String> {
    let pod = chosen(cluster, node, deed).ok_or_else(|| format!("{node} has no pod for {deed:?}"))?;
    let (key, now_ms) = (pod.key.clone(), cluster.now_ms());
    let mut status = (*pod.status).clone();
    match deed {
        PodDeed::Bind => {
            cluster.commit(Change::PodBound { uid: pod.uid, node: node.into() });
            status.containers = vec![ContainerStatus::waiting("ContainerCreating"); containers(&pod)].into();
            status.set_condition("PodScheduled", Truth::True, now_ms);
            status.set_condition("Ready", Truth::False, now_ms);
            status.start_ms = Some(now_ms);
        }
        PodDeed::DoesNotFit => status.set_condition("PodScheduled", Truth::False, now_ms),
        PodDeed::Delete { force, .. } => {
            let grace = force.then_some(0);
            return cluster.delete_pod(&key, grace).map_err(|refusal| refusal.to_string());
        }
        PodDeed::Removed | PodDeed::Collected => {
            cluster.remove_pod(&key);
            return Ok(());
        }
        _ => kubelet(&pod, &mut status, deed, now_ms),
    }
    cluster.commit(Change::PodStatus { uid: pod.uid, status: Arc::new(status) });
    Ok(())
}

fn containers(pod: &Pod) -> usize {
    pod.shape.spec.containers.len()
}

/// What the kubelet reports.
fn kubelet(pod: &Pod, status: &mut PodStatus, deed: &PodDeed, now_ms: u64) {
    match deed {
        PodDeed::Waits(reason) => {
            for container in &mut status.containers {
                if let ContainerState::Ended(ended) = &container.state {
                    container.last = Some(ended.clone());
                }
                container.state = ContainerState::Waiting { reason: (*reason).into(), message: "".into() };
                container.ready = false;
            }
            status.set_condition("Ready", Truth::False, now_ms);
        }
        PodDeed::Runs => runs(pod, status, false, now_ms),
        PodDeed::Ready => runs(pod, status, true, now_ms),
        PodDeed::Unready => {
            status.containers.iter_mut().for_each(|container| container.ready = false);
            status.set_condition("Ready", Truth::False, now_ms);
        }
        PodDeed::MarkedNotReady => status.set_condition("Ready", Truth::False, now_ms),
        PodDeed::Exits(code) => {
            let reason = if *code == 0 { "Completed" } else { "Error" };
            end(status, *code, reason, now_ms);
        }
        PodDeed::Rejected(reason) => {
            status.phase = Phase::Failed;
            status.why = Why::new(reason.clone(), "");
            status.containers = Short::default();
            status.set_condition("Ready", Truth::False, now_ms);
        }
        PodDeed::Completes => {
            end(status, 0, "Completed", now_ms);
            status.phase = Phase::Succeeded;
        }
        PodDeed::Stopped => stopped(status, now_ms),
        PodDeed::Bind
        | PodDeed::DoesNotFit
        | PodDeed::Delete { .. }
        | PodDeed::Removed
        | PodDeed::Collected => {}
    }
}

/// The containers run. One that was held back after a crash counts as started again.
fn runs(pod: &Pod, status: &mut PodStatus, ready: bool, now_ms: u64) {
    status.phase = Phase::Running;
    while status.containers.len() < containers(pod) {
        status.containers.push(ContainerStatus::waiting(""));
    }
    for container in &mut status.containers {
        let crashed = matches!(&container.state, ContainerState::Waiting { reason, .. } if reason == "CrashLoopBackOff");
        container.restarts += u32::from(crashed);
        if !matches!(container.state, ContainerState::Running { .. }) {
            container.state = ContainerState::Running { since_ms: now_ms };
        }
        container.ready = ready;
    }
    status.set_condition("Ready", if ready { Truth::True } else { Truth::False }, now_ms);
}

fn end(status: &mut PodStatus, code: i32, reason: &'static str, now_ms: u64) {
    for container in &mut status.containers {
        let ended = Ended { code, reason: reason.into(), started_ms: now_ms, ended_ms: Some(now_ms) };
        container.state = ContainerState::Ended(Box::new(ended));
        container.ready = false;
    }
    status.set_condition("Ready", Truth::False, now_ms);
}

/// The pod that is meant: of those to which it can happen the youngest, or where the pod is on its way out the oldest.
fn chosen(cluster: &Cluster, node: &str, deed: &PodDeed) -> Option<Arc<Pod>> {
    let pods = cluster.store().pods().filter(|pod| pod.place() == Some(node));
    let going = |pod: &Pod| pod.deleting.is_some();
    let rank = |pod: &Pod| -> (u8, Uid) {
        let preferred = match deed {
            PodDeed::Stopped => going(pod) && !pod.status.phase.is_terminal(),
            PodDeed::Removed | PodDeed::Delete { deleting: true, .. } => going(pod),
            PodDeed::Bind | PodDeed::DoesNotFit => !going(pod) && pod.node.is_none(),
            PodDeed::Ready => !going(pod) && pod.node.is_some() && !pod.is_ready(),
            PodDeed::Unready | PodDeed::MarkedNotReady => !going(pod) && pod.node.is_some() && pod.is_ready(),
            _ => !going(pod) && pod.node.is_some(),
        };
        let possible = u8::from(!going(pod));
        (if preferred { 2 } else { possible }, pod.uid)
    };
    let must_go =
        matches!(deed, PodDeed::Stopped | PodDeed::Removed | PodDeed::Delete { deleting: true, .. });
    let unbound = matches!(deed, PodDeed::Bind | PodDeed::DoesNotFit);
    let fits = |pod: &&Arc<Pod>| (!must_go || going(pod)) && (!unbound || pod.node.is_none());
    let oldest_first = must_go;
    let fitting = pods.filter(fits);
    let found = if oldest_first {
        fitting.max_by_key(|pod| (rank(pod).0, std::cmp::Reverse(pod.uid)))
    } else {
        fitting.max_by_key(|pod| rank(pod))
    };
    found.cloned()
}
