//! What happened on machines. What always comes along with something else is not told by itself: the socket with the process,
//! systemd's lines with the state of the unit.

use super::{Boot, Boots, Memory, Told};
use fourgaps_base::FileEdit;
use fourgaps_cluster::{CONTROL, Fact};
use fourgaps_node::{End, Fact as OnNode, KubeletFact, Level, Phase, ToolkitFact, UnitState};

pub(super) fn told(fact: &Fact, boots: &Boots, memory: &mut Memory) -> Option<Told> {
    match fact {
        // Whether goals hold is for the page to say.
        Fact::Clock(_) | Fact::Held(_) => None,
        Fact::Control(edit) => Some(edited(CONTROL, edit)),
        Fact::Node(node, fact) => on_node(node, fact, boots, memory),
        Fact::Graded(verdicts) => {
            let right = verdicts.iter().filter(|verdict| verdict.right).count();
            Some(Told::new(CONTROL, "did.graded", &[&right.to_string(), &verdicts.len().to_string()]))
        }
    }
}

fn on_node(node: &str, fact: &OnNode, boots: &Boots, memory: &mut Memory) -> Option<Told> {
    let tell = |kind, args: &[&str]| Some(Told::new(node, kind, args));
    match fact {
        OnNode::Edited(edit) => Some(edited(node, edit)),
        OnNode::Started { pid, .. } => {
            memory.pids.insert(node.into(), *pid);
            let text = pid.to_string();
            match boots.get(&(node.to_string(), *pid)) {
                Some(Boot::Loaded(handlers)) => tell("process.loaded", &[&text, handlers]),
                Some(Boot::NoCri) => tell("process.no_cri", &[&text]),
                Some(Boot::Refused) => tell("process.refused", &[&text]),
                None => tell("process.started", &[&text]),
            }
        }
        OnNode::Ended { end } => {
            let pid = memory.pids.remove(node).map(|pid| pid.to_string()).unwrap_or_default();
            let (exited, killed) = ("process.exited", "process.killed");
            let (kind, how) = ended(*end, exited, killed);
            tell(kind, &[&pid, &how])
        }
        OnNode::K3sLost(_) => tell("process.k3s", &[]),
        OnNode::UnitIs(state) => match state {
            UnitState::Dead => tell("unit.dead", &[]),
            UnitState::Running => tell("unit.running", &[]),
            UnitState::AutoRestart { .. } => tell("unit.restarts", &[]),
            UnitState::Failed(result) => tell("unit.failed", &[result.word()]),
        },
        OnNode::SandboxMade(made) => {
            memory.sandboxes.insert(made.id.clone(), made.name.clone());
            tell("sandbox.made", &[&made.name, &made.handler])
        }
        OnNode::SandboxStopped { id } => tell("sandbox.stopped", &[memory.sandboxes.get(id).unwrap_or(id)]),
        OnNode::SandboxRemoved { id } => {
            let name = memory.sandboxes.remove(id);
            tell("sandbox.removed", &[name.as_ref().unwrap_or(id)])
        }
        OnNode::Toolkit(pid, fact) => toolkit(node, *pid, fact),
        OnNode::Kubelet(fact) => kubelet(node, fact, memory),
        OnNode::Sysctl { key, value } => tell("node.sysctl", &[key, &value.to_string()]),
        OnNode::WentDown { .. } => {
            memory.pids.remove(node);
            tell("node.down", &[])
        }
        OnNode::CameUp => tell("node.up", &[]),
        OnNode::Clock { .. }
        | OnNode::Unit(_)
        | OnNode::UnitCounts(_)
        | OnNode::Socket(_)
        | OnNode::Drawn { .. } => None,
    }
}

fn ended(end: End, exited: &'static str, killed: &'static str) -> (&'static str, String) {
    match end {
        End::Exited(status) => (exited, status.to_string()),
        End::Killed(signal) => (killed, format!("SIG{}", signal.name())),
    }
}

fn edited(host: &str, edit: &FileEdit) -> Told {
    match edit {
        FileEdit::Write(path, _) => Told::new(host, "file.wrote", &[path]),
        FileEdit::Append(path, _) => Told::new(host, "file.grew", &[path]),
        FileEdit::Remove(path) => Told::new(host, "file.removed", &[path]),
        FileEdit::MakeFolder(path) => Told::new(host, "file.folder", &[path]),
        FileEdit::Rename(from, to) => Told::new(host, "file.moved", &[from, to]),
        FileEdit::Chmod(path, mode) => Told::new(host, "file.mode", &[path, &format!("{mode:o}")]),
        FileEdit::Link(path, to) => Told::new(host, "file.link", &[path, to]),
        FileEdit::Touch(path, _) => Told::new(host, "file.touched", &[path]),
    }
}

fn toolkit(node: &str, pid: u32, fact: &ToolkitFact) -> Option<Told> {
    let pid = pid.to_string();
    let tell = |kind, args: &[&str]| Some(Told::new(node, kind, args));
    match fact {
        ToolkitFact::Started { .. } => tell("toolkit.started", &[&pid]),
        // Of its log, what went wrong, and its signals.
        ToolkitFact::Said(line) => {
            let counts = !matches!(line.level, Level::Info | Level::Plain) || line.msg.contains("signal");
            counts.then(|| Told::new(node, "toolkit.said", &[&pid, &line.msg]))
        }
        ToolkitFact::Is(phase) => match phase {
            Phase::WaitingForDriver { .. } => tell("toolkit.driver", &[&pid]),
            Phase::Settling { .. } => None,
            Phase::Installing { .. } => tell("toolkit.installs", &[&pid]),
            Phase::Signalling { tries, .. } => tell("toolkit.signals", &[&pid, &tries.to_string()]),
            Phase::Waiting => tell("toolkit.waits", &[&pid]),
            Phase::Ended { end, .. } => {
                let (kind, how) = ended(*end, "toolkit.exited", "toolkit.killed");
                tell(kind, &[&pid, &how])
            }
        },
    }
}

fn kubelet(node: &str, fact: &KubeletFact, memory: &mut Memory) -> Option<Told> {
    let tell = |kind, args: &[&str]| Some(Told::new(node, kind, args));
    match fact {
        KubeletFact::Runs(true) => tell("node.kubelet", &[]),
        KubeletFact::Runs(false) => tell("node.no_kubelet", &[]),
        KubeletFact::Health(health) => {
            let was = memory.ready.contains(node);
            match health.ready {
                true => memory.ready.insert(node.into()),
                false => memory.ready.remove(node),
            };
            match (was, health.ready) {
                (false, true) => tell("node.ready", &[]),
                (true, false) => tell("node.not_ready", &[]),
                _ => None,
            }
        }
        KubeletFact::Event { uid: Some(_), warning, reason, message } => {
            let kind = if *warning { "pod.warning" } else { "pod.event" };
            Some(Told { repeats: true, ..Told::new(node, kind, &[reason, message]) })
        }
        _ => None,
    }
}
