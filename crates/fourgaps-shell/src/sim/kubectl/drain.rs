//! `kubectl drain`: cordons nodes and evicts their pods, again and again while a budget forbids it.
//! Source: `pkg/drain` of kubectl, `drain-*.txt`. A choice: pods go in the order of their names.

use super::super::flags::{Flag, Takes};
use super::change::Dry;
use super::resources::{refused, selector};
use super::rollout::span;
use super::taint::set_unschedulable;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::api::Refusal;
use fourgaps_cluster::meta::{Key, Uid};
use fourgaps_cluster::object::{Id, Kind};
use fourgaps_cluster::pod::Pod;
use fourgaps_cluster::read::{items, part};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) const FLAGS: [Flag; 12] = [
    NAMESPACE,
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["--chunk-size"], Takes::Value),
    Flag(&["--delete-emptydir-data"], Takes::Nothing),
    Flag(&["--disable-eviction"], Takes::Nothing),
    Flag(&["--dry-run"], Takes::Perhaps),
    Flag(&["--force"], Takes::Nothing),
    Flag(&["--grace-period"], Takes::Value),
    Flag(&["--ignore-daemonsets"], Takes::Nothing),
    Flag(&["--pod-selector"], Takes::Value),
    Flag(&["--skip-wait-for-delete-timeout"], Takes::Value),
    Flag(&["--timeout"], Takes::Value),
];

/// How long it waits after a budget forbade it, and how often it looks whether a pod is gone, in milliseconds.
const AGAIN_MS: u64 = 5_000;
const LOOK_MS: u64 = 1_000;
/// How long it goes on where it is given no time; the real one goes on for ever.
const LONGEST_MS: u64 = 3_600_000;

/// How pods are to go.
struct Way {
    /// They are deleted, and no budget is asked.
    deletes: bool,
    grace_seconds: Option<u32>,
    /// Pods that are on their way out for longer are not waited for, in seconds.
    skip_seconds: u64,
    timeout_ms: Option<u64>,
    dry: Dry,
}

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let names = session.nodes_of("drain")?;
    let seconds = |flag: &str| match session.args.value(flag) {
        None => Ok(-1_i64),
        Some(text) => text.parse().map_err(|_| Stop::NotSimulated(format!("{flag}={text}"))),
    };
    let way = Way {
        deletes: session.args.has("--disable-eviction"),
        grace_seconds: u32::try_from(seconds("--grace-period")?).ok(),
        skip_seconds: u64::try_from(seconds("--skip-wait-for-delete-timeout")?).unwrap_or(0),
        timeout_ms: session.args.value("--timeout").map(span).transpose()?.filter(|ms| *ms > 0),
        dry: session.dry()?,
    };
    set_unschedulable(session, &names, true)?;
    let mut failed = Vec::new();
    for name in &names {
        let faults = node(session, name, &way)?;
        if faults.is_empty() {
            session.call.out(format!("node/{name} drained{}\n", way.dry.words()));
            continue;
        }
        let list = several(&faults);
        session.call.err(format!(
            "error: unable to drain node \"{name}\" due to error: {list}, continuing command...\n"
        ));
        failed.push((name.clone(), faults));
    }
    if failed.is_empty() {
        return Ok(());
    }
    let mut text = "There are pending nodes to be drained:".to_string();
    failed.iter().for_each(|(name, _)| text += &format!("\n {name}"));
    failed.iter().flat_map(|(_, faults)| faults).for_each(|fault| text += &format!("\n{fault}"));
    Stop::error(text)
}

/// Several errors as one text.
fn several(faults: &[String]) -> String {
    if let [one] = faults { one.clone() } else { format!("[{}]", faults.join(", ")) }
}

/// What is to be done with the pods of a node (`GetPodsForDeletion`).
#[derive(Default)]
struct List {
    pods: Vec<Arc<Pod>>,
    faults: Vec<String>,
    warnings: Vec<String>,
}

fn to_go(session: &Session<'_, '_>, name: &str, way: &Way) -> Result<List, Stop> {
    const OF_DAEMONSET: &str = "DaemonSet-managed Pods (use --ignore-daemonsets to ignore)";
    const HAS_DATA: &str = "Pods with local storage (use --delete-emptydir-data to override)";
    const UNMANAGED: &str = "Pods that declare no controller (use --force to override)";
    let chosen = session.args.value("--pod-selector").map(selector).transpose()?.unwrap_or_default();
    let force = session.args.has("--force");
    let (mut faults, mut warnings) =
        (BTreeMap::<String, Vec<String>>::new(), BTreeMap::<&str, Vec<String>>::new());
    let mut pods = Vec::new();
    let there: Vec<&Arc<Pod>> = session.store.pods_on(name).collect();
    let there = fourgaps_base::in_order(there, |a, b| a.key.cmp(&b.key));
    for pod in there {
        let is_over = pod.status.phase.is_terminal();
        let labels = &pod.shape.labels;
        let skipped = pod.deleting.is_some_and(|deleting| {
            way.skip_seconds > 0 && session.now_ms > deleting.at_ms + (way.skip_seconds + 1) * 1000
        });
        if skipped || !chosen.iter().all(|wanted| wanted.matches(labels.get(&wanted.key))) {
            continue;
        }
        let told = || pod.key.to_string();
        let set = pod.shape.owner.as_ref().filter(|owner| owner.kind == "DaemonSet" && !is_over);
        let has_data =
            items(&pod.shape.spec.given, "volumes").any(|volume| !part(volume, "emptyDir").is_null());
        if let Some(owner) = set {
            let id = Id::new(Kind::DaemonSet, &pod.key.namespace, &owner.name);
            if session.store.get(&id).is_none() {
                if !force {
                    faults.entry(Refusal::NotFound(id).to_string()).or_default().push(told());
                    continue;
                }
            } else if session.args.has("--ignore-daemonsets") {
                warnings.entry("ignoring DaemonSet-managed Pods").or_default().push(told());
                continue;
            } else {
                faults.entry(OF_DAEMONSET.into()).or_default().push(told());
                continue;
            }
        }
        if has_data && !is_over && !session.args.has("--delete-emptydir-data") {
            faults.entry(HAS_DATA.into()).or_default().push(told());
            continue;
        }
        if pod.shape.owner.is_none() && !is_over {
            if !force {
                faults.entry(UNMANAGED.into()).or_default().push(told());
                continue;
            }
            warnings.entry("deleting Pods that declare no controller").or_default().push(told());
        }
        pods.push(pod.clone());
    }
    Ok(List {
        pods,
        faults: faults
            .into_iter()
            .map(|(fault, pods)| format!("cannot delete {fault}: {}", pods.join(", ")))
            .collect(),
        warnings: warnings.into_iter().map(|(what, pods)| format!("{what}: {}", pods.join(", "))).collect(),
    })
}

/// A pod on its way.
struct Going {
    key: Key,
    uid: Uid,
    /// When it is tried next; nothing once it was accepted.
    try_ms: Option<u64>,
    fault: Option<String>,
}

/// Empties a node; gives what went wrong.
fn node(session: &mut Session<'_, '_>, name: &str, way: &Way) -> Result<Vec<String>, Stop> {
    let List { pods, faults, warnings } = to_go(session, name, way)?;
    if !faults.is_empty() {
        return Ok(faults);
    }
    if !warnings.is_empty() {
        session.call.err(format!("Warning: {}\n", warnings.join("; ")));
    }
    if way.dry != Dry::No {
        for pod in &pods {
            session.call.out(format!("evicting pod {}{}\n", pod.key, way.dry.words()));
        }
        return Ok(Vec::new());
    }
    let begun_ms = session.now_ms;
    let until_ms = begun_ms + way.timeout_ms.unwrap_or(LONGEST_MS);
    let told = session.args.value("--timeout").unwrap_or_default().to_string();
    let going =
        |pod: &Arc<Pod>| Going { key: pod.key.clone(), uid: pod.uid, try_ms: Some(begun_ms), fault: None };
    let mut going: Vec<Going> = pods.iter().map(going).collect();
    loop {
        let mut open = false;
        for one in &mut going {
            step(session, one, until_ms, &told, way)?;
            let there = session.store.pod(&one.key).is_some_and(|pod| pod.uid == one.uid);
            open |= there && one.fault.is_none();
        }
        let word = if way.deletes { "deleted" } else { "evicted" };
        going.retain(|one| {
            let there = session.store.pod(&one.key).is_some_and(|pod| pod.uid == one.uid);
            if !there {
                session.call.out(format!("pod/{} {word}\n", one.key.name));
            }
            there
        });
        if !open {
            break;
        }
        if way.timeout_ms.is_none() && session.now_ms >= until_ms {
            return Err(Stop::Interrupted(
                "nothing has changed for long; stopped after an hour, as by Ctrl+C".into(),
            ));
        }
        session.call.world.pass(LOOK_MS);
        session.look()?;
    }
    let faults: Vec<String> = going.iter().filter_map(|one| one.fault.clone()).collect();
    if !faults.is_empty() {
        let mut text = format!(
            "There are pending pods in node \"{name}\" when an error occurred: {}\n",
            several(&faults)
        );
        going.iter().for_each(|one| text += &format!("pod/{}\n", one.key.name));
        session.call.err(text);
    }
    Ok(faults)
}

fn step(
    session: &mut Session<'_, '_>,
    one: &mut Going,
    until_ms: u64,
    told: &str,
    way: &Way,
) -> Result<(), Stop> {
    let (now_ms, key) = (session.now_ms, &one.key);
    if one.fault.is_some() {
        return Ok(());
    }
    let late = now_ms >= until_ms && !told.is_empty();
    let doing = format!("error when evicting pods/\"{}\" -n \"{}\"", key.name, key.namespace);
    match one.try_ms {
        Some(try_ms) if try_ms <= now_ms && way.deletes => {
            // What is gone already is not missed.
            let _ = session.api(|cluster| cluster.delete_pod(key, way.grace_seconds))?;
            one.try_ms = None;
        }
        Some(try_ms) if try_ms <= now_ms => {
            session.call.out(format!("evicting pod {key}\n"));
            if late {
                one.fault = Some(format!("{doing}: global timeout reached: {told}"));
                return Ok(());
            }
            match session.api(|cluster| cluster.evict(key, way.grace_seconds))? {
                Ok(()) => one.try_ms = None,
                Err(Refusal::TooManyRequests(why)) => {
                    session.call.err(format!("{doing} (will retry after 5s): {why}\n"));
                    one.try_ms = Some(now_ms + AGAIN_MS);
                }
                Err(refusal) => {
                    one.fault = Some(format!("{doing}: {}", refused(&refusal, "")));
                }
            }
        }
        None if late && session.store.pod(key).is_some_and(|pod| pod.uid == one.uid) => {
            one.fault = Some(match way.deletes {
                true => "context deadline exceeded".into(),
                false => format!(
                    "error when waiting for pod \"{}\" in namespace \"{}\" to terminate: global timeout reached: {told}",
                    key.name, key.namespace
                ),
            });
        }
        _ => {}
    }
    Ok(())
}
