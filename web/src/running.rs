//! The fourth layer: the pods of a node by handler, and what they hide. A handler is only asked for when a sandbox is made, and
//! the toolkit takes its lines along when it ends; both show late.

use crate::daemon::Daemon;
use crate::gap::StripRow;
use fourgaps_base::set_of;
use fourgaps_node::{End, Node, Phase, Sandbox};
use fourgaps_view::NextStartView;
use std::collections::BTreeMap;

/// The pods whose sandboxes were made with one handler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pods {
    /// Those whose sandbox is alive.
    pub alive: Vec<String>,
    /// Those whose sandbox has ended, and that have no other one.
    pub ended: Vec<String>,
}

/// Pods by the handler of their sandboxes.
pub type Running = BTreeMap<String, Pods>;

/// The pods of a node.
pub fn running(node: &Node) -> Running {
    let mut found = Running::new();
    let pod = |sandbox: &Sandbox| (sandbox.namespace.clone(), sandbox.name.clone());
    let mut seen = Vec::new();
    let (alive, ended): (Vec<_>, Vec<_>) = node.sandboxes().iter().partition(|sandbox| sandbox.is_ready());
    for sandbox in alive.into_iter().chain(ended) {
        if seen.contains(&pod(sandbox)) {
            continue;
        }
        seen.push(pod(sandbox));
        let pods = found.entry(sandbox.handler.clone()).or_default();
        let list = if sandbox.is_ready() { &mut pods.alive } else { &mut pods.ended };
        list.push(sandbox.name.clone());
    }
    found
}

/// What shows late: each is one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Late {
    /// The toolkit has ended, and no file writes these handlers any more: the third gap.
    TakenBack(Vec<String>),
    /// These pods run on with handlers that are not loaded: the fourth gap.
    RunsOn(Vec<String>, Vec<String>),
    /// These pods have ended, and the handlers that they need are not loaded.
    Stays(Vec<String>, Vec<String>),
    /// The file with these handlers goes when the toolkit that waits ends.
    Lent(String, Vec<String>),
}

impl Late {
    /// Its name in texts.
    pub fn key(&self) -> &'static str {
        match self {
            Self::TakenBack(_) => "taken_back",
            Self::RunsOn(..) => "runs_on",
            Self::Stays(..) => "stays",
            Self::Lent(..) => "lent",
        }
    }

    /// The handlers that it is about.
    pub fn handlers(&self) -> &[String] {
        match self {
            Self::TakenBack(handlers)
            | Self::RunsOn(_, handlers)
            | Self::Stays(_, handlers)
            | Self::Lent(_, handlers) => handlers,
        }
    }

    /// The pods that it is about.
    pub fn pods(&self) -> &[String] {
        match self {
            Self::RunsOn(pods, _) | Self::Stays(pods, _) => pods,
            _ => &[],
        }
    }
}

/// What shows late on a node, the third gap first.
pub fn late(node: &Node, main: &str, daemon: &Daemon, rows: &[StripRow]) -> Vec<Late> {
    let mut found: Vec<Late> = taken_back(node, daemon, rows).map(Late::TakenBack).into_iter().collect();
    let missed = |list: fn(&Pods) -> &Vec<String>| {
        let lost = |name: &str, pods: &Pods| daemon.handler(name).is_none() && !list(pods).is_empty();
        let lost = daemon.pods.iter().filter(|(name, pods)| lost(name, pods));
        let (handlers, pods): (Vec<String>, Vec<Vec<String>>) =
            lost.map(|(name, pods)| (name.clone(), list(pods).clone())).unzip();
        (!handlers.is_empty()).then(|| (pods.concat(), handlers))
    };
    found.extend(missed(|pods| &pods.alive).map(|(pods, handlers)| Late::RunsOn(pods, handlers)));
    found.extend(missed(|pods| &pods.ended).map(|(pods, handlers)| Late::Stays(pods, handlers)));
    found.extend(lent(node, main, rows));
    found
}

/// True where a file writes the handler.
fn is_written(rows: &[StripRow], name: &str) -> bool {
    rows.iter().any(|row| row.name == name && !row.written.is_empty())
}

/// Handlers that the toolkit has no lines for any more, after it ended by itself.
fn taken_back(node: &Node, daemon: &Daemon, rows: &[StripRow]) -> Option<Vec<String>> {
    let ended = |phase| matches!(phase, Phase::Ended { end: End::Exited(0), .. });
    let last = node.toolkits().last().filter(|_| node.toolkits().iter().all(|t| ended(t.phase)))?;
    let loaded = daemon.handlers().iter().map(|handler| &handler.name);
    let run = daemon.pods.iter().filter(|(_, pods)| !pods.alive.is_empty()).map(|(name, _)| name);
    let names = loaded.chain(run).chain([&last.options.runtime_name]).cloned();
    let names = set_of(names.filter(|name| !is_written(rows, name) && !daemon.would_have(name)));
    (!names.is_empty()).then(|| names.into_iter().collect())
}

/// Handlers that the next start has for the file of a toolkit that waits, and for nothing else.
fn lent(node: &Node, main: &str, rows: &[StripRow]) -> Option<Late> {
    let waits = node.toolkits().iter().find(|toolkit| toolkit.phase == Phase::Waiting)?;
    let file = &waits.options.written_file();
    let alone = |row: &&StripRow| !row.written.is_empty() && row.written.iter().all(|at| at.file == *file);
    let mut handlers: Vec<String> = rows.iter().filter(alone).map(|row| row.name.clone()).collect();
    if !handlers.is_empty() {
        let mut left = node.files().clone();
        left.remove(file);
        let next = NextStartView::of(node.version(), &left, main);
        handlers.retain(|name| !next.handlers.iter().any(|handler| handler.name == *name));
    }
    (!handlers.is_empty()).then(|| Late::Lent(file.clone(), handlers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Views;
    use fourgaps_base::{FileEdit, FileTree};
    use fourgaps_config::Version;
    use fourgaps_node::{Astray, MAIN, Op, Options, Restart, SandboxSpec, Signal, Supervisor, Verb};

    const GPU: &str = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.gpu]\n  \
                       runtime_type = \"io.containerd.runc.v2\"\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc]\n  \
                       runtime_type = \"io.containerd.runc.v2\"\n";

    /// A node with the handlers `gpu` and `runc`, of which containerd was started.
    fn node() -> Node {
        let mut files = FileTree::new();
        files.write(MAIN, GPU);
        let version = Version::named("1.7.27").unwrap();
        let mut node = Node::new("omen", version, Supervisor::Systemd(Restart::Always), files, 1);
        node.start_containerd();
        node
    }

    fn run(node: &mut Node, name: &str, handler: Option<&str>) {
        let spec = SandboxSpec {
            name: name.into(),
            namespace: "default".into(),
            uid: format!("uid-{name}"),
            attempt: 0,
            handler: handler.map(String::from),
            log_directory: String::new(),
        };
        node.act(&Op::RunSandbox(spec));
    }

    fn look(node: &Node) -> Daemon {
        Daemon::of(node.version(), MAIN, node, &Views::of(node.version(), MAIN, node.files()))
    }

    fn names(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_string()).collect()
    }

    #[test]
    fn pods_stand_with_their_handler_and_an_old_try_does_not_count() {
        let mut node = node();
        run(&mut node, "web", None);
        run(&mut node, "gputest", Some("gpu"));
        let id = node.sandboxes()[0].id.clone();
        node.act(&Op::StopSandbox { id });
        let gpu = Pods { alive: names(&["gputest"]), ended: Vec::new() };
        let runc = Pods { alive: Vec::new(), ended: names(&["web"]) };
        assert_eq!(look(&node).pods, Running::from([("gpu".into(), gpu), ("runc".into(), runc)]));
        let again = SandboxSpec { attempt: 1, ..spec_of(&node) };
        node.act(&Op::RunSandbox(again));
        assert_eq!(look(&node).pods["runc"], Pods { alive: names(&["web"]), ended: Vec::new() });
        assert_eq!(look(&node).late, []);
    }

    fn spec_of(node: &Node) -> SandboxSpec {
        let old = &node.sandboxes()[0];
        SandboxSpec {
            name: old.name.clone(),
            namespace: old.namespace.clone(),
            uid: old.uid.clone(),
            attempt: old.attempt,
            handler: None,
            log_directory: String::new(),
        }
    }

    #[test]
    fn a_pod_runs_on_without_its_handler_until_the_node_restarts() {
        let mut node = node();
        run(&mut node, "gputest", Some("gpu"));
        node.act(&Op::Edit(FileEdit::write(MAIN, "version = 2\n")));
        assert_eq!(look(&node).late, [], "the process still has it");
        node.act(&Op::Systemctl(Verb::Restart));
        let (pods, handlers) = (names(&["gputest"]), names(&["gpu"]));
        assert_eq!(look(&node).late, [Late::RunsOn(pods.clone(), handlers.clone())]);
        node.act(&Op::Reboot);
        node.act(&Op::Wait { ms: 60_000 });
        assert_eq!(look(&node).late, [Late::Stays(pods, handlers)]);
    }

    #[test]
    fn what_the_toolkit_wrote_is_lent_and_then_taken_back() {
        let mut node = node();
        node.act(&Op::Edit(FileEdit::write(MAIN, "version = 2\n")));
        let flags = ["--runtime=containerd", "--host-root=/", "--restart-mode=none"];
        let options = Box::new(Options::default().with_flags(flags).unwrap());
        let file = options.drop_in.clone();
        node.act(&Op::Toolkit { options, astray: Astray::default(), in_pod: false });
        node.act(&Op::Wait { ms: 10_000 });
        let handlers = names(&["nvidia", "nvidia-cdi", "nvidia-legacy"]);
        assert_eq!(look(&node).late, [Late::Lent(file, handlers.clone())]);
        node.act(&Op::Systemctl(Verb::Restart));
        let pid = node.toolkits()[0].pid;
        node.act(&Op::Signal { pid, signal: Signal::Term });
        node.act(&Op::Wait { ms: 10_000 });
        let seen = look(&node);
        assert_eq!(seen.late, [Late::TakenBack(handlers)]);
        assert_eq!(seen.behind(), crate::daemon::Behind::No, "one loss is told once");
    }
}
