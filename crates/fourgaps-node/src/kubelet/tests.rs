//! Pods through restarts, losses and returns of the runtime and its handlers.

use super::{
    ContainerSpec, ContainerState, KubeletFact, KubeletOp, Pod, PodPhase, PodSpec, Program, Pull,
    RestartPolicy,
};
use crate::{Astray, Fact, MAIN, Node, Op, Options, Release, Restart, Signal, Supervisor, Verb};
use fourgaps_base::{FileEdit, FileTree, Files};
use fourgaps_config::Version;
use std::collections::BTreeMap;

const RUNC: &str = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc]\n  \
                    runtime_type = \"io.containerd.runc.v2\"\n";
const NVIDIA: &str = "[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.nvidia]\n  \
                      runtime_type = \"io.containerd.runc.v2\"\n";
const NO_NVIDIA: &str = "no runtime for \"nvidia\" is configured";

/// A node and the events that it told.
struct Lab {
    node: Node,
    events: Vec<(bool, String, String)>,
}

impl Lab {
    fn new(version: &str, main: &str) -> Self {
        let mut files = FileTree::new();
        files.write(MAIN, main);
        let version = Version::named(version).unwrap();
        let node = Node::new("omen", version, Supervisor::Systemd(Restart::Always), files, 5);
        let mut lab = Self { node, events: Vec::new() };
        lab.act(Op::Systemctl(Verb::Start));
        lab.act(Op::Kubelet(KubeletOp::Start));
        lab.wait(10);
        lab
    }

    #[track_caller]
    fn act(&mut self, op: Op) {
        let mut copy = self.node.clone();
        let done = self.node.act(&op);
        for fact in &done.facts {
            copy.apply(fact);
            if let Fact::Kubelet(KubeletFact::Event { warning, reason, message, .. }) = fact {
                self.events.push((*warning, reason.clone(), message.clone()));
            }
        }
        assert_eq!(copy, self.node, "folding gives the same");
    }

    #[track_caller]
    fn wait(&mut self, seconds: u64) {
        self.act(Op::Wait { ms: seconds * 1_000 });
    }

    #[track_caller]
    fn write_main(&mut self, text: &str) {
        self.act(Op::Edit(FileEdit::write(MAIN, text)));
    }

    #[track_caller]
    fn add(&mut self, name: &str, handler: Option<&str>, program: Program) {
        let containers = vec![ContainerSpec::new("main", "img:1", program)];
        self.add_with(name, handler, containers);
    }

    #[track_caller]
    fn add_with(&mut self, name: &str, handler: Option<&str>, containers: Vec<ContainerSpec>) {
        self.act(Op::Kubelet(KubeletOp::Add(Box::new(pod(name, handler, containers)))));
        self.wait(0);
    }

    fn pod(&self, name: &str) -> &Pod {
        self.node.kubelet().pod(name).unwrap()
    }

    /// What a container of a pod does, in one word and one sentence.
    fn state(&self, name: &str) -> (String, String) {
        match &self.pod(name).status.containers[0].state {
            ContainerState::Waiting { reason, message } => (reason.clone(), message.clone()),
            ContainerState::Running(_) => ("Running".into(), String::new()),
            ContainerState::Terminated(ended) => (ended.reason.clone(), ended.status.to_string()),
        }
    }

    fn said(&self, words: &str) -> usize {
        self.events.iter().filter(|(_, _, message)| message.contains(words)).count()
    }

    fn kill_containerd(&mut self) {
        let pid = self.node.containerd().unwrap().pid;
        self.act(Op::Signal { pid, signal: Signal::Kill });
    }
}

fn pod(name: &str, handler: Option<&str>, containers: Vec<ContainerSpec>) -> PodSpec {
    PodSpec {
        uid: name.into(),
        namespace: "gpu-operator".into(),
        name: name.into(),
        handler: handler.map(String::from),
        init: Vec::new(),
        containers,
        restart: RestartPolicy::Always,
        grace_ms: 30_000,
        devices: BTreeMap::new(),
    }
}

fn stays() -> Program {
    Program::Stays { ends_after_ms: 0 }
}

#[test]
fn a_pod_that_needs_a_handler_waits_for_it_and_heals_by_itself() {
    for version in ["1.7.27", "2.2.5"] {
        let mut lab = Lab::new(version, RUNC);
        lab.add("gpu", Some("nvidia"), stays());
        lab.wait(95);
        assert_eq!(lab.state("gpu").0, "ContainerCreating");
        assert_eq!(lab.said(NO_NVIDIA), 10, "every ten seconds");
        let (warning, reason, message) = lab.events.last().unwrap();
        assert!(*warning && reason == "FailedCreatePodSandBox");
        let words = "Failed to create pod sandbox: rpc error: code = Unknown desc = ";
        assert!(message.starts_with(words), "{message}");
        lab.write_main(&format!("{RUNC}{NVIDIA}"));
        lab.wait(20);
        assert_eq!(lab.pod("gpu").status.phase, PodPhase::Pending, "written is not loaded");
        lab.act(Op::Systemctl(Verb::Restart));
        lab.wait(20);
        assert_eq!(lab.pod("gpu").status.phase, PodPhase::Running);
        assert!(lab.pod("gpu").status.is_ready());
    }
}

#[test]
fn running_pods_hide_the_loss_until_the_node_restarts() {
    let mut lab = Lab::new("1.7.27", &format!("{RUNC}{NVIDIA}"));
    lab.add("old", Some("nvidia"), stays());
    let before = lab.pod("old").clone();
    lab.write_main(RUNC);
    lab.act(Op::Systemctl(Verb::Restart));
    lab.wait(6 * 86_400);
    assert_eq!(lab.pod("old"), &before, "six quiet days");
    lab.act(Op::Reboot);
    lab.wait(120);
    assert_eq!(lab.state("old").0, "Unknown");
    assert!(lab.said(NO_NVIDIA) > 1);
    assert_eq!(lab.said("Pod sandbox changed, it will be killed and re-created."), 1);
    lab.write_main(&format!("{RUNC}{NVIDIA}"));
    lab.act(Op::Systemctl(Verb::Restart));
    lab.wait(20);
    assert_eq!(lab.state("old").0, "Running");
    let container = &lab.pod("old").status.containers[0];
    assert_eq!((container.restarts, container.last.as_ref().unwrap().status), (1, 255));
}

#[test]
fn a_container_that_restarts_under_a_lost_handler_cannot_be_created() {
    let mut lab = Lab::new("2.2.5", &format!("{RUNC}{NVIDIA}"));
    lab.add("job", Some("nvidia"), Program::Ends { after_ms: 60_000, status: 1 });
    lab.write_main(RUNC);
    lab.act(Op::Systemctl(Verb::Restart));
    lab.wait(65);
    assert_eq!(
        lab.state("job"),
        ("CreateContainerError".into(), format!("failed to get sandbox runtime: {NO_NVIDIA}"))
    );
    assert!(lab.said("Error: failed to get sandbox runtime") >= 1);
    assert!(lab.node.sandboxes()[0].is_ready(), "the sandbox itself lives on");
}

#[test]
fn a_node_is_not_ready_when_its_runtime_is_away_for_too_long() {
    let mut lab = Lab::new("1.7.27", RUNC);
    lab.add("web", None, stays());
    assert!(lab.node.kubelet().health().ready);
    lab.kill_containerd();
    lab.wait(20);
    assert!(lab.node.kubelet().health().ready, "five seconds are no matter");

    lab.act(Op::Systemctl(Verb::Stop));
    lab.wait(29);
    assert!(lab.node.kubelet().health().ready);
    lab.add("late", None, stays());
    assert!(lab.said("connect: no such file or directory") == 1);
    lab.wait(600);
    assert!(!lab.node.kubelet().health().ready);
    assert_eq!(lab.said("status is now: NodeNotReady"), 1);
    assert!(lab.pod("web").status.is_ready(), "a pod's own state is not touched");
    assert_eq!(lab.said("connect: no such file or directory"), 1, "the kubelet leaves pods alone");
    lab.act(Op::Systemctl(Verb::Start));
    lab.wait(15);
    assert!(lab.node.kubelet().health().ready);
    assert!(lab.pod("late").status.is_ready());
    lab.wait(3_600);
    assert_eq!(lab.said("status is now: NodeReady"), 2);
}

#[test]
fn a_container_that_keeps_ending_is_held_back_longer_and_longer() {
    let mut lab = Lab::new("1.7.27", RUNC);
    lab.add("bad", None, Program::Ends { after_ms: 1_000, status: 3 });
    lab.wait(200);
    let container = &lab.pod("bad").status.containers[0];
    assert_eq!(container.restarts, 5, "at once, then after 10, 20, 40 and 80 seconds");
    assert_eq!(container.last.as_ref().unwrap().status, 3);
    let message = "back-off 2m40s restarting failed container=main pod=bad_gpu-operator(bad)";
    assert_eq!(lab.state("bad"), ("CrashLoopBackOff".into(), message.into()));
    assert_eq!(lab.pod("bad").status.phase, PodPhase::Running);
}

#[test]
fn a_deleted_pod_ends_in_order_or_is_killed() {
    for (program, seconds) in [(stays(), 1), (Program::Stays { ends_after_ms: 120_000 }, 30)] {
        let mut lab = Lab::new("1.7.27", RUNC);
        lab.add("web", None, program);
        lab.act(Op::Kubelet(KubeletOp::Delete { uid: "web".into(), grace_ms: None }));
        lab.wait(seconds - 1);
        assert_eq!(lab.node.kubelet().pods().is_empty(), seconds == 1);
        lab.wait(2);
        assert!(lab.node.kubelet().pods().is_empty() && lab.node.sandboxes().is_empty());
        assert_eq!(lab.said("Stopping container main"), 1);
    }
}

#[test]
fn deleting_the_toolkit_takes_its_handler_back() {
    let mut lab = Lab::new("1.7.27", RUNC);
    for folder in ["/run", "/run/nvidia", "/run/nvidia/validations"] {
        lab.act(Op::Edit(FileEdit::MakeFolder(folder.into())));
    }
    lab.act(Op::Edit(FileEdit::write("/run/nvidia/validations/driver-ready", "")));
    let options = Box::new(Options::new(Release(1, 17, 8)));
    lab.add("toolkit", None, Program::Toolkit { options, astray: Astray::default(), entrypoint: true });
    lab.add("gpu", Some("nvidia"), stays());
    lab.wait(40);
    assert!(lab.pod("gpu").status.is_ready());
    lab.act(Op::Kubelet(KubeletOp::Delete { uid: "toolkit".into(), grace_ms: None }));
    lab.wait(3);
    assert!(lab.node.kubelet().pod("toolkit").is_some(), "it is gone only once the runtime says so");
    lab.wait(20);
    assert!(lab.node.kubelet().pod("toolkit").is_none());
    assert!(lab.pod("gpu").status.is_ready());
    lab.add("new", Some("nvidia"), stays());
    lab.wait(60);
    assert_eq!(lab.pod("new").status.phase, PodPhase::Pending);
    assert!(lab.node.files().exists("/usr/local/nvidia/toolkit/nvidia-container-runtime"));
}

#[test]
fn init_containers_go_first_and_wait_for_files() {
    let mut lab = Lab::new("1.7.27", RUNC);
    let ready = "/run/nvidia/validations/toolkit-ready";
    let container = |name: &str, program| ContainerSpec::new(name, "img:1", program);
    let mut spec = pod("operand", None, vec![container("main", stays())]);
    spec.init = vec![container("wait", Program::WaitsFor { path: ready.into() })];
    lab.act(Op::Kubelet(KubeletOp::Add(Box::new(spec))));
    lab.wait(30);
    assert_eq!(lab.state("operand").0, "PodInitializing");
    lab.add("validator", None, Program::Writes { path: ready.into(), text: String::new() });
    lab.wait(10);
    assert!(lab.pod("operand").status.is_ready());
}

#[test]
fn devices_come_and_go_with_their_plugin() {
    let mut lab = Lab::new("1.7.27", RUNC);
    let name = "nvidia.com/gpu";
    lab.add("plugin", None, Program::DevicePlugin { resource: name.into(), count: 1 });
    lab.wait(2);
    let there =
        |lab: &Lab| lab.node.kubelet().resources().get(name).map(|there| (there.capacity, there.allocatable));
    assert_eq!(there(&lab), Some((1, 1)));
    let taker = |uid: &str| {
        let mut spec = pod(uid, None, vec![ContainerSpec::new("main", "i", stays())]);
        spec.devices.insert(name.into(), 1);
        Op::Kubelet(KubeletOp::Add(Box::new(spec)))
    };
    lab.act(taker("first"));
    lab.act(taker("second"));
    lab.wait(1);
    assert!(lab.pod("first").status.is_ready());
    assert_eq!(lab.pod("second").status.reason, "UnexpectedAdmissionError");
    lab.act(Op::Kubelet(KubeletOp::Delete { uid: "plugin".into(), grace_ms: None }));
    lab.wait(2);
    assert_eq!(there(&lab), Some((1, 0)));
    assert!(lab.pod("first").status.is_ready());
    lab.wait(300);
    assert_eq!(there(&lab), Some((0, 0)));
}

#[test]
fn an_image_is_pulled_once_and_a_missing_one_again_and_again() {
    let mut lab = Lab::new("1.7.27", RUNC);
    let pulls = |name: &str, missing| ContainerSpec {
        pull: Some(Pull { ms: 4_000, missing }),
        ready_ms: Some(3_000),
        ..ContainerSpec::new("main", name, stays())
    };
    lab.add_with("first", None, vec![pulls("img:2", false)]);
    lab.wait(3);
    assert_eq!(lab.state("first").0, "ContainerCreating");
    lab.wait(2);
    assert_eq!((lab.state("first").0.as_str(), lab.pod("first").status.is_ready()), ("Running", false));
    lab.wait(3);
    assert!(lab.pod("first").status.is_ready());
    lab.add_with("second", None, vec![pulls("img:2", false)]);
    assert_eq!((lab.state("second").0.as_str(), lab.said("Pulling image \"img:2\"")), ("Running", 1));

    lab.add_with("third", None, vec![pulls("img:3", true)]);
    lab.wait(4);
    assert_eq!(lab.state("third").0, "ErrImagePull");
    lab.wait(2);
    assert_eq!(lab.state("third").0, "ImagePullBackOff");
    assert!(lab.state("third").1.ends_with("img:3: not found"));
    assert_eq!(lab.said("Failed to pull image"), 1);
    lab.wait(60);
    assert_eq!(lab.said("Failed to pull image"), 3);
    assert_eq!(lab.pod("third").status.phase, PodPhase::Pending);
}
