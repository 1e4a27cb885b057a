//! What holds whatever is done to a node: ten thousand sequences of thirty wishes.
//! The numbers are those of the list at the end of `../shared/facts/nvidia-toolkit.md`.

use fourgaps_base::{FileEdit, FileTree, Files};
use fourgaps_config::daemon::start_on;
use fourgaps_config::{Request, Version, dump};
use fourgaps_node::{
    Answer, Astray, ContainerSpec, Fact, KubeletOp, MAIN, Node, Noticed, Op, Options, Phase, PodPhase,
    PodSpec, Program, Release, Restart, RestartPolicy, SandboxSpec, Signal, Supervisor, Verb,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use std::collections::BTreeMap;

const DROP_IN: &str = "/etc/containerd/conf.d/99-nvidia.toml";
const REGISTRY: &str = "/etc/containerd/conf.d/zz-registry.toml";
const TOOLKIT_READY: &str = "/run/nvidia/validations/toolkit-ready";
const IMPORT: &str = "/etc/containerd/conf.d/*.toml";

/// Main files that a node may have.
const MAINS: [&str; 5] = [
    "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc]\nruntime_type = \"io.containerd.runc.v2\"\n",
    "version = 2\nimports = [\"/etc/containerd/conf.d/*.toml\"]\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc]\nruntime_type = \"io.containerd.runc.v2\"\n",
    GOOD,
    "",
    "version = 2\nroot = \"/a\n",
];
/// One under which every pod can run.
const GOOD: &str = "version = 2\n\
    [plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc]\nruntime_type = \"io.containerd.runc.v2\"\n\
    [plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.nvidia]\nruntime_type = \"io.containerd.runc.v2\"\n";
const REGISTRY_TEXT: &str =
    "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".registry]\nconfig_path = \"/etc/certs.d\"\n";

/// A wish that does not know the node's numbers.
#[derive(Clone, Copy, Debug)]
enum Wish {
    Main(usize),
    Registry,
    Remove(usize),
    Unit(Verb),
    Containerd(Signal),
    Sandbox(bool),
    Toolkit { release: usize, flags: usize, astray: Option<Noticed> },
    SignalToolkit(Signal),
    Pod(bool),
    DeletePod(usize),
    Kubelet(bool),
    Wait(u64),
    Reboot,
}

const RELEASES: [Release; 5] =
    [Release(1, 14, 6), Release(1, 17, 8), Release(1, 18, 1), Release(1, 19, 1), Release(1, 20, 0)];
const FLAGS: [&str; 4] = ["", "--config-source=file", "--restart-mode=systemd", "--restart-mode=none"];

impl Wish {
    /// The wish of a number. Taking numbers apart is many times cheaper than a strategy of strategies.
    fn of(number: u32) -> Self {
        let mut rest = number;
        let mut one_of = |choices: u32| {
            let choice = rest % choices;
            rest /= choices;
            choice as usize
        };
        match one_of(28) {
            0..=2 => Self::Main(one_of(5)),
            3 => Self::Registry,
            4 => Self::Remove(one_of(2)),
            5..=6 => Self::Unit([Verb::Restart, Verb::Start, Verb::Stop, Verb::ResetFailed][one_of(4)]),
            7..=8 => Self::Containerd(SIGNALS[one_of(3)]),
            9..=11 => Self::Sandbox(one_of(2) == 1),
            12..=14 => {
                let (release, flags) = (one_of(5), one_of(4));
                let astray = match one_of(9) {
                    0 => Some(Noticed::AtOnce),
                    1 => Some(Noticed::AfterSuccess),
                    2 => Some(Noticed::Waiting),
                    _ => None,
                };
                Self::Toolkit { release, flags, astray }
            }
            15..=16 => Self::SignalToolkit(SIGNALS[one_of(3)]),
            17..=18 => Self::Pod(one_of(2) == 1),
            19 => Self::DeletePod(one_of(3)),
            20 => Self::Kubelet(one_of(2) == 1),
            21..=26 => Self::Wait([1, 5, 12, 60][one_of(4)]),
            _ => Self::Reboot,
        }
    }
}

const SIGNALS: [Signal; 3] = [Signal::Term, Signal::Hup, Signal::Kill];

/// A node under test, its copy that only folds, and what was seen of it.
#[derive(Clone)]
struct Lab {
    node: Node,
    copy: Node,
    /// Handlers of each process, by its number.
    loaded: BTreeMap<u32, Option<Vec<String>>>,
    n_pods: u32,
}

impl Lab {
    fn new(version: &'static Version, restart: Restart) -> Self {
        let mut files = FileTree::new();
        files.write(MAIN, MAINS[1]);
        files.make_folder("/etc/containerd/conf.d");
        let node = Node::new("omen", version, Supervisor::Systemd(restart), files, 11);
        let mut lab = Self { copy: node.clone(), node, loaded: BTreeMap::new(), n_pods: 0 };
        for op in [Op::Systemctl(Verb::Start), Op::Kubelet(KubeletOp::Start), Op::Wait { ms: 10_000 }] {
            lab.act(&op);
        }
        lab
    }

    /// One for each version and each of the supervisors that take a daemon up again or leave it down.
    fn all() -> Vec<Self> {
        let of = |version| [Restart::Always, Restart::OnFailure].map(|restart| Self::new(version, restart));
        Version::all().into_iter().flat_map(of).collect()
    }

    fn act(&mut self, op: &Op) -> (Vec<Fact>, Answer) {
        let done = self.node.act(op);
        done.facts.iter().for_each(|fact| self.copy.apply(fact));
        (done.facts, done.answer)
    }

    /// Makes a wish, and checks what must hold of this step.
    fn wish(&mut self, wish: Wish) {
        let before = self.node.clone();
        let op = self.op(wish);
        let (facts, _) = self.act(&op);
        let now = &self.node;
        assert_eq!(
            now.now_ms() - before.now_ms(),
            if let Wish::Wait(seconds) = wish { seconds * 1_000 } else { 0 }
        );
        let mut clock = facts.iter().filter_map(|fact| match fact {
            Fact::Clock { ms } => Some(*ms),
            _ => None,
        });
        assert!(
            clock.try_fold(before.now_ms(), |old, new| (old <= new).then_some(new)).is_some(),
            "no way back"
        );
        let was_ready = before.files().exists(TOOLKIT_READY);
        assert_eq!(now.files().exists(TOOLKIT_READY), was_ready && op != Op::Reboot, "9: it lives by itself");

        // 1, 2: what a process has loaded never changes.
        if let Some(process) = now.containerd() {
            let handlers = process.run().handlers.as_ref();
            let handlers = handlers.map(|list| list.iter().map(|handler| handler.name.clone()).collect());
            let first = self.loaded.entry(process.pid).or_insert_with(|| handlers.clone());
            assert_eq!(*first, handlers, "1: loaded at the start");
        }
        let started = facts.iter().filter(|fact| matches!(fact, Fact::Started { .. })).count();
        let (old, new) = (before.containerd().map(|p| p.pid), now.containerd().map(|p| p.pid));
        assert!(started > 0 || new.is_none() || new == old, "1: only a start makes a process");

        // 3: sandboxes are not touched by what happens to the daemon.
        let of_daemon = matches!(op, Op::Systemctl(_) | Op::Edit(_))
            || matches!(wish, Wish::Containerd(_) | Wish::SignalToolkit(_) | Wish::Toolkit { .. });
        if of_daemon {
            assert_eq!(now.sandboxes(), before.sandboxes(), "3: sandboxes live on");
        }

        for toolkit in now.toolkits() {
            let says = |words: &str| toolkit.log.iter().filter(|(_, line)| line.msg.contains(words)).count();
            let steps = says("Starting 'setup'") + says("Starting 'cleanup'");
            let tries = says("Sending SIGHUP") + says("Restarting containerd") + says("Skipping restart");
            assert!(tries <= steps, "6: one attempt for each step");
            let was = before.toolkit_of(toolkit.pid).map(|old| old.phase);
            // One that had to try again may find its files changed by others; so may one of two releases with two locks.
            let set_up_now =
                matches!(was, None | Some(Phase::Installing { .. })) && now.toolkits().len() == 1;
            if toolkit.phase == Phase::Waiting && set_up_now {
                self.after_setup(toolkit, tries);
            }
        }
        if let Wish::SignalToolkit(Signal::Term) = wish {
            self.after_cleanup(&before);
        }
    }

    fn after_setup(&self, toolkit: &fourgaps_node::Toolkit, tries: usize) {
        assert_eq!(tries, 1, "6: one attempt");
        let (files, options) = (self.node.files(), &toolkit.options);
        let target = if options.release >= Release(1, 18, 0) { DROP_IN } else { MAIN };
        let written = files.text(target).unwrap_or_default().into_owned();
        assert!(written.contains("runtimes.nvidia]"), "the handler is written");
        let mut logged =
            toolkit.log.iter().filter_map(|(_, line)| line.msg.strip_prefix("Using config version "));
        if let Some(version) = logged.next_back() {
            assert!(written.lines().any(|line| line == format!("version = {version}")), "7: {written}");
        }
    }

    fn after_cleanup(&self, before: &Node) {
        // The last one is signalled; one before it can still wait only if the last found its lock taken.
        if let Some(old) = before.toolkits().last().filter(|toolkit| toolkit.phase == Phase::Waiting) {
            let files = self.node.files();
            let new = self.node.toolkit_of(old.pid).map(|toolkit| toolkit.phase);
            let failed =
                |line: &str| line.contains("unable to load config") || line.contains("unable to flush");
            let log = self.node.toolkit_of(old.pid).map(|toolkit| toolkit.log.clone()).unwrap_or_default();
            if new.is_none() || log.iter().any(|(_, line)| failed(&line.msg)) {
                return;
            }
            let target = if old.options.release >= Release(1, 18, 0) { DROP_IN } else { MAIN };
            let left = files.text(target).unwrap_or_default().into_owned();
            assert!(!left.contains("runtimes.nvidia]") && !left.contains("\"nvidia\""), "5: {left}");
            let by_dump = old.options.sources[0] == "command" && target == DROP_IN;
            // A dump that fails hands over to the file, and one of version 1 has no drop-in.
            let version =
                log.iter().rev().find_map(|(_, line)| line.msg.strip_prefix("Using config version "));
            if by_dump && before.next_start().exit == 0 && version != Some("1") {
                let main = files.text(MAIN).unwrap_or_default();
                assert!(files.text(DROP_IN).is_none() && main.contains(IMPORT), "4: the import stays");
            }
        }
    }

    fn op(&mut self, wish: Wish) -> Op {
        let pid = |pid: Option<u32>| pid.unwrap_or(u32::MAX);
        match wish {
            Wish::Main(n) => Op::Edit(FileEdit::write(MAIN, MAINS[n])),
            Wish::Registry => Op::Edit(FileEdit::write(REGISTRY, REGISTRY_TEXT)),
            Wish::Remove(n) => Op::Edit(FileEdit::Remove([REGISTRY, DROP_IN][n].into())),
            Wish::Unit(verb) => Op::Systemctl(verb),
            Wish::Containerd(signal) => {
                Op::Signal { pid: pid(self.node.containerd().map(|process| process.pid)), signal }
            }
            Wish::Sandbox(gpu) => Op::RunSandbox(SandboxSpec {
                name: format!("by-hand-{}", self.node.now_ms()),
                namespace: "default".into(),
                uid: "hand".into(),
                attempt: 0,
                handler: gpu.then(|| "nvidia".into()),
                log_directory: String::new(),
            }),
            Wish::Toolkit { release, flags, astray } => {
                let options = Options::new(RELEASES[release]).with_flags(FLAGS[flags].split_whitespace());
                let astray = Astray { setup: astray, cleanup: astray.is_some() };
                Op::Toolkit { options: Box::new(options.unwrap()), astray, in_pod: false }
            }
            Wish::SignalToolkit(signal) => {
                let last = self.node.toolkits().last().map(|toolkit| toolkit.pid);
                Op::Signal { pid: pid(last), signal }
            }
            Wish::Pod(gpu) => {
                self.n_pods += 1;
                Op::Kubelet(KubeletOp::Add(Box::new(pod(self.n_pods, gpu))))
            }
            Wish::DeletePod(n) => {
                let uid = self.node.kubelet().pods().get(n).map(|pod| pod.spec.uid.clone());
                Op::Kubelet(KubeletOp::Delete { uid: uid.unwrap_or_default(), grace_ms: None })
            }
            Wish::Kubelet(true) => Op::Kubelet(KubeletOp::Start),
            Wish::Kubelet(false) => Op::Kubelet(KubeletOp::Stop),
            Wish::Wait(seconds) => Op::Wait { ms: seconds * 1_000 },
            Wish::Reboot => Op::Reboot,
        }
    }

    /// 10: once every handler is there again, pods come up without being made anew.
    fn heals(&mut self) {
        self.act(&Op::Wait { ms: 60_000 });
        let waiting: Vec<u32> = self.node.toolkits().iter().map(|toolkit| toolkit.pid).collect();
        for pid in waiting {
            self.act(&Op::Signal { pid, signal: Signal::Kill });
        }
        for gone in [REGISTRY, DROP_IN] {
            self.act(&Op::Edit(FileEdit::Remove(gone.into())));
        }
        self.act(&Op::Edit(FileEdit::write(MAIN, GOOD)));
        self.act(&Op::Systemctl(Verb::Restart));
        self.act(&Op::Kubelet(KubeletOp::Start));
        self.act(&Op::Wait { ms: 60_000 });
        for pod in self.node.kubelet().pods() {
            assert_eq!(pod.status.phase, PodPhase::Running, "10: {pod:?}");
        }
        assert!(self.node.kubelet().health().ready);
        assert_eq!(self.node, self.copy, "folding gives the same node");
    }
}

fn pod(number: u32, gpu: bool) -> PodSpec {
    let program = Program::Stays { ends_after_ms: 2_000 };
    PodSpec {
        uid: format!("pod-{number}"),
        namespace: "default".into(),
        name: format!("pod-{number}"),
        handler: gpu.then(|| "nvidia".into()),
        init: Vec::new(),
        containers: vec![ContainerSpec::new("main", "img:1", program)],
        restart: RestartPolicy::Always,
        grace_ms: 30_000,
        devices: BTreeMap::new(),
    }
}

/// One of ten thousand sequences is played by each core in turn.
#[test]
fn ten_thousand_sequences_of_thirty_wishes() {
    // Clones of a node remember together what was worked out before.
    let labs = Lab::all();
    let all: u32 = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let cores = u32::try_from(std::thread::available_parallelism().map_or(1, usize::from)).unwrap_or(1);
    std::thread::scope(|scope| {
        for core in 0..cores {
            let labs = &labs;
            scope.spawn(move || play(labs, all.div_ceil(cores), core));
        }
    });
}

fn play(labs: &[Lab], cases: u32, seed: u32) {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7 + seed as u8; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let sequences = (0..labs.len(), prop::collection::vec(any::<u32>(), 30));
    let result = runner.run(&sequences, |(lab, sequence)| {
        let mut lab = labs[lab].clone();
        for number in sequence {
            lab.wish(Wish::of(number));
        }
        lab.heals();
        Ok(())
    });
    match result {
        Err(TestError::Fail(why, (lab, sequence))) => {
            let wishes: Vec<Wish> = sequence.into_iter().map(Wish::of).collect();
            panic!("{why}\n{}: {wishes:?}", labs[lab].node.version().name());
        }
        result => result.unwrap(),
    }
}

/// `crictl info` shows what the process read at its start, and a dump what the disk holds now, whatever is remembered.
#[test]
fn what_is_remembered_is_what_would_be_worked_out() {
    let labs = Lab::all();
    let config = Config { cases: 40, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[3; 32]));
    let sequences = (0..labs.len(), prop::collection::vec(any::<u32>(), 30));
    let result = runner.run(&sequences, |(lab, sequence)| {
        let mut lab = labs[lab].clone();
        for number in sequence {
            lab.wish(Wish::of(number));
            let (node, version) = (&lab.node, lab.node.version());
            prop_assert_eq!(&*node.next_start(), &dump(&Request::new(version, node.files(), node.main())));
            if let Some(process) = node.containerd() {
                let request = Request::new(version, &*process.files, process.main);
                prop_assert_eq!(process.run(), &start_on(&request, &process.machine));
            }
        }
        Ok(())
    });
    result.unwrap();
}

#[test]
fn a_later_import_erases_handlers_before_2_0_only() {
    for version in Version::all() {
        let mut lab = Lab::new(version, Restart::Always);
        lab.wish(Wish::Toolkit { release: 2, flags: 1, astray: None });
        lab.wish(Wish::Wait(12));
        let had = lab.node.next_start().handlers.iter().any(|handler| handler.name == "nvidia");
        lab.wish(Wish::Registry);
        let has = lab.node.next_start().handlers.iter().any(|handler| handler.name == "nvidia");
        // A dump of 2.0.5 does not show what its daemon loads from a version 2 file.
        assert_eq!((had, has), (version.name() != "2.0.5", !version.name().starts_with("1.") && had), "8");
    }
}
