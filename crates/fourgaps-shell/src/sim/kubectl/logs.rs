//! `kubectl logs`.

use super::super::flags::{Flag, Takes};
use super::inside::container_of;
use super::resources::wanted;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::meta::Key;
use fourgaps_cluster::object::Kind;
use fourgaps_cluster::pod::{ContainerState, ContainerStatus, Pod};
use std::cmp::Reverse;
use std::sync::Arc;

pub(super) const FLAGS: [Flag; 5] = [
    NAMESPACE,
    Flag(&["-c", "--container"], Takes::Value),
    Flag(&["-p", "--previous"], Takes::Nothing),
    Flag(&["--tail"], Takes::Value),
    Flag(&["-f", "--follow"], Takes::Nothing),
];

/// How long `-f` waits while nothing is said, in milliseconds; the real one waits until Ctrl+C.
const QUIET_MS: u64 = 300_000;

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let (word, named) = match *session.words() {
        [word] => (word, session.args.value("-c")),
        [word, container] => (word, Some(container)),
        _ => return Err(Stop::NotSimulated("logs of anything but one pod".into())),
    };
    let pod = pod_of(session, word)?;
    let inside = container_of(session, &pod, named)?;
    let name = inside.container["name"].as_str().unwrap_or_default().to_string();
    if let Some(why) = waits(&pod, &name) {
        return Stop::error(format!(
            "Error from server (BadRequest): container \"{name}\" in pod \"{}\" is waiting to start: {}",
            pod.key.name, why?
        ));
    }
    let previous = session.args.has("-p");
    let text = inside.log(session, previous)?;
    let tail = match session.args.value("--tail") {
        None | Some("-1") => usize::MAX,
        Some(text) => text.parse().map_err(|_| Stop::NotSimulated(format!("--tail={text}")))?,
    };
    let skipped = text.lines().count().saturating_sub(tail);
    let shown: String = text.split_inclusive('\n').skip(skipped).collect();
    session.call.out(shown);
    if !session.args.has("-f") || previous {
        return Ok(());
    }
    let (mut told, mut quiet_since_ms) = (text.len(), session.now_ms);
    while session.now_ms < quiet_since_ms + QUIET_MS {
        let goes_on = session.store.pod(&pod.key).is_some_and(|pod| runs(pod, &name));
        if !goes_on {
            return Ok(());
        }
        session.call.world.step(quiet_since_ms + QUIET_MS);
        session.look()?;
        let text = inside.log(session, false)?;
        if let Some(new) = text.get(told..).filter(|new| !new.is_empty()) {
            session.call.out(new);
            (told, quiet_since_ms) = (text.len(), session.now_ms);
        }
    }
    Err(Stop::Interrupted("nothing is said for five minutes; stopped as by Ctrl+C".into()))
}

/// The pod that a word means: by its name, or one of a workload's, as kubectl picks it.
fn pod_of(session: &mut Session<'_, '_>, word: &str) -> Result<Arc<Pod>, Stop> {
    let (kind, name) = match word.split_once('/') {
        None => (Kind::Pod, word.to_string()),
        Some(_) => {
            let wanted = wanted(&[word])?;
            (wanted[0].kind, wanted[0].names[0].clone())
        }
    };
    let key = Key::new(&session.namespace(), &name);
    if kind == Kind::Pod {
        return session.store.pod(&key).cloned().ok_or_else(|| {
            // `Add namespace to NotFound error for kubectl logs command`, kubernetes/kubernetes#120111.
            let why = format!("pods \"{name}\" not found in namespace \"{}\"", key.namespace);
            Stop::Error(format!("error: error from server (NotFound): {why}"))
        });
    }
    let (id, object) = super::edit::only(session, &[word])?;
    let Some(object) = object else {
        let why = super::resources::not_found(&id);
        let why = why.trim_start_matches("Error from server (NotFound): ");
        let namespace = &key.namespace;
        return Stop::error(format!(
            "error: error from server (NotFound): {why} in namespace \"{namespace}\""
        ));
    };
    let mut pods = super::resources::pods_behind(&session.store, &object);
    // `ByLogging`: what has run the longest comes first.
    pods.sort_by_key(|pod| {
        let ready = pod.ready_since_ms();
        let runs = pod.status.phase == fourgaps_cluster::pod::Phase::Running;
        (pod.node.is_none(), !runs, ready.is_none(), ready, Reverse(pod.created_ms), pod.key.clone())
    });
    let Some(first) = pods.first().cloned() else {
        return Err(Stop::NotSimulated("logs of a workload without pods".into()));
    };
    if pods.len() > 1 {
        session.call.err(format!("Found {} pods, using pod/{}\n", pods.len(), first.key.name));
    }
    Ok(first)
}

fn status_of<'p>(pod: &'p Pod, name: &str) -> Option<&'p ContainerStatus> {
    let spec = &pod.shape.spec;
    let init = spec.init_containers.iter().zip(&pod.status.init);
    let mut all = spec.containers.iter().zip(&pod.status.containers).chain(init);
    all.find(|(container, _)| container.name == name).map(|(_, status)| status)
}

fn runs(pod: &Pod, name: &str) -> bool {
    status_of(pod, name).is_some_and(|status| matches!(status.state, ContainerState::Running { .. }))
}

/// Why a container that never ran has no log.
fn waits(pod: &Pod, name: &str) -> Option<Result<&'static str, Stop>> {
    let status = status_of(pod, name)?;
    let ContainerState::Waiting { reason, .. } = &status.state else { return None };
    if status.last.is_some() {
        return None;
    }
    Some(Ok(match &**reason {
        "ContainerCreating" => "ContainerCreating",
        "PodInitializing" => "PodInitializing",
        "ErrImagePull" | "ImagePullBackOff" => "trying and failing to pull image",
        other => {
            return Some(Err(Stop::NotSimulated(format!("the log of a container that waits for {other}"))));
        }
    }))
}
