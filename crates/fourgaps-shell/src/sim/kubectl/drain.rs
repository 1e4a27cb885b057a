//! `kubectl drain`: cordons nodes and evicts their pods, again and again while a budget forbids it.
//! Source: `pkg/drain` of kubectl, `drain-*.txt`. A choice: pods go in the order of their names.

use super::super::flags::{Flag, Takes};
use super::edit::set_unschedulable;
use super::resources::refused;
use super::rollout::span;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::api::Refusal;
use fourgaps_cluster::meta::{Key, Uid};
use fourgaps_cluster::pod::Pod;
use fourgaps_cluster::read::{items, part};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) const FLAGS: [Flag; 8] = [
    NAMESPACE,
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["--ignore-daemonsets"], Takes::Nothing),
    Flag(&["--delete-emptydir-data"], Takes::Nothing),
    Flag(&["--force"], Takes::Nothing),
    Flag(&["--timeout"], Takes::Value),
    Flag(&["--grace-period"], Takes::Value),
    Flag(&["--pod-selector"], Takes::Value),
];

/// How long it waits after a budget forbade it, and how often it looks whether a pod is gone, in milliseconds.
const AGAIN_MS: u64 = 5_000;
const LOOK_MS: u64 = 1_000;
/// How long it goes on where it is given no time; the real one goes on for ever.
const LONGEST_MS: u64 = 3_600_000;

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    for flag in ["-l", "--grace-period", "--pod-selector"] {
        if session.args.value(flag).is_some() {
            return Err(Stop::NotSimulated(format!("drain {flag}")));
        }
    }
    let names: Vec<String> =
        session.words().iter().map(|name| name.trim_start_matches("node/").into()).collect();
    let given = session.args.value("--timeout").map(String::from);
    let timeout = given.as_deref().map(span).transpose()?.filter(|ms| *ms > 0);
    set_unschedulable(session, names.clone(), true)?;
    let mut failed = Vec::new();
    for name in &names {
        match node(session, name, timeout) {
            Ok(faults) if faults.is_empty() => session.call.out(format!("node/{name} drained\n")),
            Ok(faults) => {
                let list = several(&faults);
                session.call.err(format!(
                    "error: unable to drain node \"{name}\" due to error: {list}, continuing command...\n"
                ));
                failed.push((name.clone(), faults));
            }
            Err(stop) => return Err(stop),
        }
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

/// The pods that are to go, or why they may not; and what is left alone.
fn to_go(session: &Session<'_, '_>, name: &str) -> (Vec<Arc<Pod>>, Vec<String>, Vec<String>) {
    let mut faults: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let (mut pods, mut left) = (Vec::new(), Vec::new());
    let mut there: Vec<&Arc<Pod>> = session.store.pods_on(name).collect();
    there.sort_by(|a, b| a.key.cmp(&b.key));
    for pod in there {
        let is_over = pod.status.phase.is_terminal();
        let of_daemonset = pod.shape.owner.as_ref().is_some_and(|owner| owner.kind == "DaemonSet");
        let has_data =
            items(&pod.shape.spec.given, "volumes").any(|volume| !part(volume, "emptyDir").is_null());
        let fault = if of_daemonset && !is_over {
            if session.args.has("--ignore-daemonsets") {
                left.push(pod.key.to_string());
                continue;
            }
            Some("cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)")
        } else if has_data && !is_over && !session.args.has("--delete-emptydir-data") {
            Some("cannot delete Pods with local storage (use --delete-emptydir-data to override)")
        } else if pod.shape.owner.is_none() && !is_over && !session.args.has("--force") {
            Some("cannot delete Pods that declare no controller (use --force to override)")
        } else {
            None
        };
        match fault {
            Some(fault) => faults.entry(fault).or_default().push(pod.key.to_string()),
            None => pods.push(pod.clone()),
        }
    }
    let faults = faults.into_iter().map(|(fault, pods)| format!("{fault}: {}", pods.join(", "))).collect();
    (pods, faults, left)
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
fn node(session: &mut Session<'_, '_>, name: &str, timeout: Option<u64>) -> Result<Vec<String>, Stop> {
    let (pods, faults, left) = to_go(session, name);
    if !faults.is_empty() {
        return Ok(faults);
    }
    if !left.is_empty() {
        session.call.err(format!("Warning: ignoring DaemonSet-managed Pods: {}\n", left.join(", ")));
    }
    let begun_ms = session.now_ms;
    let until_ms = begun_ms + timeout.unwrap_or(LONGEST_MS);
    let told = session.args.value("--timeout").unwrap_or_default().to_string();
    let going =
        |pod: &Arc<Pod>| Going { key: pod.key.clone(), uid: pod.uid, try_ms: Some(begun_ms), fault: None };
    let mut going: Vec<Going> = pods.iter().map(going).collect();
    loop {
        let mut open = false;
        for one in &mut going {
            step(session, one, until_ms, &told)?;
            let there = session.store.pod(&one.key).is_some_and(|pod| pod.uid == one.uid);
            open |= there && one.fault.is_none();
        }
        going.retain(|one| {
            let there = session.store.pod(&one.key).is_some_and(|pod| pod.uid == one.uid);
            if !there {
                session.call.out(format!("pod/{} evicted\n", one.key.name));
            }
            there
        });
        if !open {
            break;
        }
        if timeout.is_none() && session.now_ms >= until_ms {
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

fn step(session: &mut Session<'_, '_>, one: &mut Going, until_ms: u64, told: &str) -> Result<(), Stop> {
    let (now_ms, key) = (session.now_ms, &one.key);
    if one.fault.is_some() {
        return Ok(());
    }
    let late = now_ms >= until_ms && !told.is_empty();
    let doing = format!("error when evicting pods/\"{}\" -n \"{}\"", key.name, key.namespace);
    match one.try_ms {
        Some(try_ms) if try_ms <= now_ms => {
            session.call.out(format!("evicting pod {key}\n"));
            if late {
                one.fault = Some(format!("{doing}: global timeout reached: {told}"));
                return Ok(());
            }
            match session.api(|cluster| cluster.evict(key))? {
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
            one.fault = Some(format!(
                "error when waiting for pod \"{}\" in namespace \"{}\" to terminate: global timeout reached: {told}",
                key.name, key.namespace
            ));
        }
        _ => {}
    }
    Ok(())
}
