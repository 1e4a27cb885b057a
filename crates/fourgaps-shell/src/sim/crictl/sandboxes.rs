//! `crictl runp`, `inspectp`, `stopp`, `rmp`, `statsp`.

use super::super::Machines;
use super::super::asking::{asked, stamp};
use super::super::flags::{Flag, Style, Takes, Words};
use super::NAME;
use crate::command::Call;
use fourgaps_base::Files;
use fourgaps_node::{Answer, Node, Op, Process, Said, Sandbox, SandboxSpec};
use fourgaps_view::crictl::{self, Inspected};
use fourgaps_view::{Printed, Stamp};
use serde_json::Value;

/// A pod's file, as far as it counts here.
struct PodFile {
    spec: SandboxSpec,
    /// It says nothing of control groups, or names a parent of them: then no warning is given.
    cgroup_parent: bool,
}

/// `crictl runp`
pub(super) fn runp(call: &mut Call<'_, Machines>, rest: &[&str]) -> i32 {
    const FLAGS: [Flag; 2] =
        [Flag(&["--runtime", "-r"], Takes::Value), Flag(&["--cancel-timeout", "-T"], Takes::Value)];
    let stamp = stamp(call.world);
    let (handler, path) = match Words::read(rest, &FLAGS, Style::Go) {
        Ok(words) => match words.rest.as_slice() {
            [path] => (words.value("--runtime").map(String::from), (*path).to_string()),
            other => return call.not_simulated(NAME, &format!("runp {}", other.join(" "))),
        },
        Err(word) => return call.not_simulated(NAME, &format!("runp {word}")),
    };
    let Some(node) = call.node() else { return call.not_installed(NAME) };
    let asked = asked(node, stamp);
    if crictl::version(&asked).exit != 0 {
        let printed = crictl::version(&asked);
        return call.print(&printed);
    }
    let file = match read_pod(node, &call.path(&path), &path, handler.clone()) {
        Ok(file) => file,
        Err(Trouble::Says(why)) => {
            let printed = Printed::fatal(&stamp, &format!("load podSandboxConfig: {why}"));
            return call.print(&printed);
        }
        Err(Trouble::NotSimulated(what)) => return call.not_simulated(NAME, &format!("runp {what}")),
    };
    let (host, op) = (call.host, Op::RunSandbox(file.spec));
    let answer = call.world.act(host, &op);
    let printed = match &answer {
        Answer::Sandbox { id } => crictl::ran(&stamp, Ok(id), file.cgroup_parent),
        Answer::Refused(why) => crictl::ran(&stamp, Err(why), file.cgroup_parent),
        Answer::NotSimulated(why) => return call.not_simulated(NAME, why),
        _ => return call.not_simulated(NAME, "runp"),
    };
    call.print(&printed)
}

/// Why a pod's file is not taken.
enum Trouble {
    /// The words of `crictl`.
    Says(String),
    /// What the lab does not know.
    NotSimulated(String),
}

fn read_pod(node: &Node, path: &str, as_typed: &str, handler: Option<String>) -> Result<PodFile, Trouble> {
    let Ok(bytes) = node.files().read(path) else {
        return Err(match node.files().exists(path) {
            true => Trouble::NotSimulated(as_typed.into()),
            false => Trouble::Says(format!("config at {as_typed} not found")),
        });
    };
    let odd = |what: &str| Trouble::NotSimulated(format!("{as_typed}: {what}"));
    let all: Value = serde_json::from_slice(&bytes).map_err(|_| odd("a file that is no JSON"))?;
    let Some(metadata) = all.get("metadata").filter(|value| !value.is_null()) else {
        return Err(Trouble::Says("metadata is not set".into()));
    };
    let text = |key: &str| metadata.get(key).and_then(Value::as_str).unwrap_or_default().to_string();
    let (name, namespace, uid) = (text("name"), text("namespace"), text("uid"));
    if name.is_empty() || namespace.is_empty() {
        return Err(odd("metadata without name or namespace"));
    }
    // The real one draws a uid then.
    if uid.is_empty() {
        return Err(odd("metadata without uid"));
    }
    let attempt = match metadata.get("attempt") {
        None => 0,
        Some(value) => value.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or_else(|| odd("attempt"))?,
    };
    let parent =
        |linux: &Value| linux.get("cgroup_parent").and_then(Value::as_str).is_some_and(|p| !p.is_empty());
    let cgroup_parent = all.get("linux").filter(|value| !value.is_null()).is_none_or(parent);
    let log_directory = all.get("log_directory").and_then(Value::as_str).unwrap_or_default().to_string();
    let spec = SandboxSpec { name, namespace, uid, attempt, handler, log_directory };
    Ok(PodFile { spec, cgroup_parent })
}

/// A sandbox by its id or the beginning of it.
enum Found<'n> {
    One(&'n Sandbox),
    None,
    Many,
}

fn find<'n>(node: &'n Node, id: &str) -> Found<'n> {
    let mut fitting = node.sandboxes().iter().filter(|pod| !id.is_empty() && pod.id.starts_with(id));
    match (fitting.next(), fitting.next()) {
        (Some(pod), None) => Found::One(pod),
        (None, _) => Found::None,
        _ => Found::Many,
    }
}

/// `crictl inspectp`
pub(super) fn inspectp(call: &mut Call<'_, Machines>, rest: &[&str]) -> i32 {
    const FLAGS: [Flag; 1] = [Flag(&["--output", "-o"], Takes::Value)];
    let stamp = stamp(call.world);
    let words = Words::read(rest, &FLAGS, Style::Go);
    let id = match &words {
        Ok(words) if words.value("--output").is_none_or(|form| form == "json") => words.rest.as_slice(),
        _ => &[],
    };
    let Some(node) = call.node() else { return call.not_installed(NAME) };
    let printed = match id {
        [id] => inspected(node, stamp, id),
        _ => None,
    };
    match printed {
        Some(printed) => call.print(&printed),
        None => call.not_simulated(NAME, &format!("inspectp {}", rest.join(" "))),
    }
}

fn inspected(node: &Node, stamp: Stamp, id: &str) -> Option<Printed> {
    let asked = asked(node, stamp);
    if crictl::version(&asked).exit != 0 {
        return Some(crictl::version(&asked));
    }
    let Found::One(pod) = find(node, id) else { return None };
    let maker = maker(node, pod)?;
    let run = maker.run();
    let handler = ["containerd", "runtimes", pod.handler.as_str()];
    let section = run.cri_section.as_ref();
    let section = section.and_then(|all| handler.iter().try_fold(all, |node, key| node.table()?.get(key)));
    crictl::inspectp(
        &asked,
        &Inspected {
            id: &pod.id,
            name: &pod.name,
            namespace: &pod.namespace,
            uid: &pod.uid,
            attempt: pod.attempt,
            created_unix_ms: stamp.unix_ms - (node.now_ms() - pod.created_ms),
            pid: pod.pid,
            handler: pod.asked.as_deref().unwrap_or_default(),
            handler_section: section,
            image: &run.image,
            image_name: &run.image,
            snapshotter: "overlayfs",
            log_directory: &pod.log_directory,
            root: &run.root,
            state: &run.state,
        },
    )
}

/// The process that made a sandbox: numbers grow, so it is the last one that was started before.
fn maker<'n>(node: &'n Node, pod: &Sandbox) -> Option<&'n Process> {
    let pid = pod.pid?;
    node.journal().iter().rev().find_map(|entry| match &entry.said {
        Said::Boot(process) if process.pid < pid => Some(&**process),
        _ => None,
    })
}

/// `crictl stopp`
pub(super) fn stopp(call: &mut Call<'_, Machines>, ids: &[&str]) -> i32 {
    if ids.is_empty() || ids.iter().any(|id| id.starts_with('-')) {
        return call.not_simulated(NAME, &format!("stopp {}", ids.join(" ")));
    }
    let stamp = stamp(call.world);
    for id in ids {
        let Some(node) = call.node() else { return call.not_installed(NAME) };
        let (printed, whole) = (crictl::stopp(&asked(node, stamp), id), find(node, id));
        let whole = match whole {
            Found::One(pod) => Some(pod.id.clone()),
            Found::None => None,
            Found::Many => {
                return call.not_simulated(NAME, &format!("stopp {id}, which several sandboxes begin with"));
            }
        };
        if printed.exit == 0 {
            act(call, whole.map(|id| Op::StopSandbox { id }));
        }
        if call.print(&printed) != 0 {
            return printed.exit;
        }
    }
    0
}

fn act(call: &mut Call<'_, Machines>, op: Option<Op>) {
    let host = call.host;
    if let Some(op) = op {
        call.world.act(host, &op);
    }
}

/// `crictl rmp`
pub(super) fn rmp(call: &mut Call<'_, Machines>, rest: &[&str]) -> i32 {
    const FLAGS: [Flag; 2] =
        [Flag(&["--force", "-f"], Takes::Nothing), Flag(&["--all", "-a"], Takes::Nothing)];
    let stamp = stamp(call.world);
    let words = match Words::read(rest, &FLAGS, Style::Go) {
        Ok(words) if words.has("--all") || !words.rest.is_empty() => words,
        _ => return call.not_simulated(NAME, &format!("rmp {}", rest.join(" "))),
    };
    let Some(node) = call.node() else { return call.not_installed(NAME) };
    if let silent @ Printed { exit: 1.., .. } = crictl::version(&asked(node, stamp)) {
        return call.print(&silent);
    }
    let ids: Vec<String> = match words.has("--all") {
        true => node.sandboxes().iter().rev().map(|pod| pod.id.clone()).collect(),
        false => words.rest.iter().map(|id| (*id).to_string()).collect(),
    };
    let mut status = 0;
    for id in ids {
        let Some(node) = call.node() else { return call.not_installed(NAME) };
        let asked = asked(node, stamp);
        let pod = match find(node, &id) {
            Found::One(pod) => Some((pod.id.clone(), pod.is_ready())),
            Found::None => None,
            Found::Many => {
                return call.not_simulated(NAME, &format!("rmp {id}, which several sandboxes begin with"));
            }
        };
        let (printed, whole) = match pod {
            None => (crictl::rmp_unknown(&asked, &id), None),
            Some((_, true)) if !words.has("--force") => (crictl::rmp_running(&asked, &id), None),
            Some((whole, ready)) => {
                let mut printed = crictl::rmp(&asked, &id);
                if ready {
                    printed.stdout.insert_str(0, &crictl::stopp(&asked, &id).stdout);
                }
                (printed, Some(whole))
            }
        };
        let stop = whole.clone().map(|id| Op::StopSandbox { id });
        act(call, stop);
        act(call, whole.map(|id| Op::RemoveSandbox { id }));
        status = status.max(call.print(&printed));
    }
    status
}

/// `crictl statsp`
pub(super) fn statsp(call: &mut Call<'_, Machines>) -> i32 {
    let stamp = stamp(call.world);
    let Some(node) = call.node() else { return call.not_installed(NAME) };
    let ids: Vec<&str> =
        node.sandboxes().iter().filter(|pod| pod.is_ready()).map(|pod| pod.id.as_str()).collect();
    match crictl::statsp(&asked(node, stamp), &ids) {
        Some(printed) => call.print(&printed),
        None => call.not_simulated(NAME, "statsp without a sandbox"),
    }
}
