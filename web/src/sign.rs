//! Which nodes have a gap: one word on each node's button, so that nobody has to look at them one by one.

use crate::daemon::{Behind, Daemon};
use crate::running::Late;
use crate::state::Views;
use fourgaps_lab::State;
use fourgaps_node::Node;

/// The first gap of a node, by the name of its word; nothing where its layers agree.
pub type Sign = Option<&'static str>;

/// The signs of all nodes in their order, each judged at the node's own version. A node that is as it was keeps its sign.
pub fn signs(state: &State, main: &str, old: Option<(&State, &[Sign])>) -> Vec<Sign> {
    let nodes = state.world.nodes();
    if nodes.len() < 2 {
        return Vec::new();
    }
    let known = |at: usize, node: &Node| {
        let (before, signs) = old?;
        let was = before.world.nodes().get(at).filter(|was| same_layers(was, node))?;
        (was.name() == node.name()).then(|| signs.get(at).copied()).flatten()
    };
    let sign = |(at, node)| known(at, node).unwrap_or_else(|| sign(node, main));
    nodes.iter().enumerate().map(sign).collect()
}

/// True where nothing that a gap could lie between is otherwise.
fn same_layers(a: &Node, b: &Node) -> bool {
    a.files() == b.files()
        && a.containerd() == b.containerd()
        && a.last_boot() == b.last_boot()
        && a.sandboxes() == b.sandboxes()
        && a.toolkits() == b.toolkits()
}

fn sign(node: &Node, main: &str) -> Sign {
    let views = Views::of(node.version(), main, node.files());
    let daemon = Daemon::of(node.version(), main, node, &views);
    let late = |third: bool| {
        let is_third = |late: &Late| matches!(late, Late::TakenBack(_));
        daemon.late.iter().any(|late| !matches!(late, Late::Lent(..)) && is_third(late) == third)
    };
    let found = [
        ("strip.gap1", !daemon.gaps_left(&views.gaps).is_empty()),
        ("strip.gap2", daemon.behind() != Behind::No),
        ("strip.gap3", late(true)),
        ("strip.gap4", late(false)),
    ];
    found.into_iter().find_map(|(word, is_there)| is_there.then_some(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourgaps_base::{FileEdit, FileTree};
    use fourgaps_config::Version;
    use fourgaps_node::{MAIN, Op, Options, Restart, Signal, Supervisor, Verb};

    #[test]
    fn a_node_shows_its_first_gap() {
        let mut files = FileTree::new();
        files.write(MAIN, "version = 2\n");
        files.make_folder("/etc/containerd/conf.d");
        let version = Version::named("1.7.27").unwrap();
        let mut node = Node::new("n", version, Supervisor::Systemd(Restart::Always), files, 1);
        node.start_containerd();
        assert_eq!(sign(&node, MAIN), None);
        let lost = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.gpu]\n";
        node.act(&Op::Edit(FileEdit::write("/etc/containerd/conf.d/gpu.toml", lost)));
        assert_eq!(sign(&node, MAIN), Some("strip.gap1"), "nothing imports it");
        node.act(&Op::Edit(FileEdit::Remove("/etc/containerd/conf.d/gpu.toml".into())));
        let flags = ["--runtime=containerd", "--host-root=/", "--restart-mode=none"];
        let options = Box::new(Options::default().with_flags(flags).unwrap());
        node.act(&Op::Toolkit { options, astray: node.astray(), in_pod: false });
        node.act(&Op::Wait { ms: 10_000 });
        assert_eq!(sign(&node, MAIN), Some("strip.gap2"), "the process is older than the file");
        node.act(&Op::Systemctl(Verb::Restart));
        assert_eq!(sign(&node, MAIN), None);
        let pid = node.toolkits()[0].pid;
        node.act(&Op::Signal { pid, signal: Signal::Term });
        node.act(&Op::Wait { ms: 10_000 });
        assert_eq!(sign(&node, MAIN), Some("strip.gap3"));
    }
}
