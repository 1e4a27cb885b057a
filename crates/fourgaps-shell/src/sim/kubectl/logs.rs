//! `kubectl logs`.

use super::super::flags::{Flag, Takes};
use super::inside::container_of;
use super::resources::wanted;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::meta::Key;
use fourgaps_cluster::object::{Kind, Object};
use fourgaps_cluster::pod::{ContainerState, ContainerStatus, Pod};
use std::cmp::Reverse;
use std::sync::Arc;

pub(super) const FLAGS: [Flag; 8] = [
    NAMESPACE,
    Flag(&["-c", "--container"], Takes::Value),
    Flag(&["-f", "--follow"], Takes::Nothing),
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["-p", "--previous"], Takes::Nothing),
    Flag(&["--all-containers"], Takes::Nothing),
    Flag(&["--prefix"], Takes::Nothing),
    Flag(&["--tail"], Takes::Value),
];

/// How long `-f` waits while nothing is said, in milliseconds; the real one waits until Ctrl+C.
const QUIET_MS: u64 = 300_000;
/// How many lines are shown of each pod that a selector finds, unless it is said.
const TAIL_OF_SEVERAL: i64 = 10;

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let usage = |why: &str| Stop::error(format!("error: {why}\nSee 'kubectl logs -h' for help and examples"));
    let selects = session.args.value("-l").is_some();
    let words = session.words().to_vec();
    let (word, named) = match *words.as_slice() {
        [] if selects => (None, session.args.value("-c")),
        [_, ..] if selects => return usage("only a selector (-l) or a POD name is allowed"),
        [word] => (Some(word), session.args.value("-c")),
        [_, _] if session.args.value("-c").is_some() => {
            return usage("only one of -c or an inline [CONTAINER] arg is allowed");
        }
        [word, container] => (Some(word), Some(container)),
        _ => {
            return usage(
                "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command",
            );
        }
    };
    let every = session.args.has("--all-containers");
    if every && named.is_some() {
        return Stop::error("error: --all-containers=true should not be specified with container name");
    }
    let tail = match session.args.value("--tail") {
        None if selects => TAIL_OF_SEVERAL,
        None => -1,
        Some(text) => text.parse().map_err(|_| {
            Stop::Error(format!(
                "error: invalid argument \"{text}\" for \"--tail\" flag: strconv.ParseInt: parsing \"{text}\": invalid syntax\nSee 'kubectl logs --help' for usage."
            ))
        })?,
    };
    if tail < -1 {
        return Stop::error("error: --tail must be greater than or equal to -1");
    }
    let pods = match word {
        Some(word) => vec![pod_of(session, word)?],
        None => {
            let selector = session.selector()?;
            let namespace = session.namespace();
            let fits = |pod: &&Arc<Pod>| {
                *pod.key.namespace == *namespace
                    && selector.iter().all(|wanted| wanted.matches(pod.shape.labels.get(&wanted.key)))
            };
            let pods: Vec<Arc<Pod>> = session.store.pods().filter(fits).cloned().collect();
            if pods.is_empty() {
                session.call.err(format!("No resources found in {namespace} namespace.\n"));
                return Ok(());
            }
            pods
        }
    };
    let mut sources: Vec<(Arc<Pod>, Option<String>)> = Vec::new();
    for pod in pods {
        let spec = &pod.shape.spec;
        match every {
            true => {
                let all = spec.init_containers.iter().chain(&spec.containers);
                sources.extend(all.map(|container| (pod.clone(), Some(container.name.clone()))));
            }
            false => sources.push((pod, named.map(String::from))),
        }
    }
    if session.args.has("-f") && sources.len() > 1 {
        return Err(Stop::NotSimulated("logs -f of several containers at once".into()));
    }
    for (pod, named) in sources {
        one(session, &pod, named.as_deref(), tail)?;
    }
    Ok(())
}

/// The log of one container.
fn one(session: &mut Session<'_, '_>, pod: &Arc<Pod>, named: Option<&str>, tail: i64) -> Result<(), Stop> {
    let inside = container_of(session, pod, named)?;
    let name = inside.container["name"].as_str().unwrap_or_default().to_string();
    if let Some(why) = waits(pod, &name) {
        return Stop::error(format!(
            "Error from server (BadRequest): container \"{name}\" in pod \"{}\" is waiting to start: {}",
            pod.key.name, why?
        ));
    }
    let head = match session.args.has("--prefix") {
        true => format!("[pod/{}/{name}] ", pod.key.name),
        false => String::new(),
    };
    let previous = session.args.has("-p");
    let text = inside.log(session, previous)?;
    let skipped = usize::try_from(tail).map_or(0, |tail| text.lines().count().saturating_sub(tail));
    let shown: String = text.split_inclusive('\n').skip(skipped).map(|line| head.clone() + line).collect();
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
            let new: String = new.split_inclusive('\n').map(|line| head.clone() + line).collect();
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
    let pods = best_first(session, &object);
    let Some(first) = pods.first().cloned() else {
        // `GetFirstPod` looks for one for so long.
        return Stop::error("error: timed out waiting for the condition");
    };
    if pods.len() > 1 {
        session.call.err(format!("Found {} pods, using pod/{}\n", pods.len(), first.key.name));
    }
    Ok(first)
}

/// The pods of a workload, that first which has run the longest (`ByLogging`, `ActivePods`).
pub(super) fn best_first(session: &Session<'_, '_>, object: &Object) -> Vec<Arc<Pod>> {
    let mut pods = super::resources::pods_behind(&session.store, object);
    pods.sort_by_key(|pod| {
        let ready = pod.ready_since_ms();
        let runs = pod.status.phase == fourgaps_cluster::pod::Phase::Running;
        (pod.node.is_none(), !runs, ready.is_none(), ready, Reverse(pod.created_ms), pod.key.clone())
    });
    pods
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
