//! The GPU operator's DaemonSets on machines: the toolkit is a pod, and what it does to a node follows from the pod.

use fourgaps_base::{FileTree, Files};
use fourgaps_cluster::kubelet::Behaviour;
use fourgaps_cluster::meta::Key;
use fourgaps_cluster::object::{Kind, Object};
use fourgaps_cluster::pod::{ContainerState, Pod};
use fourgaps_cluster::{CONTROL, Content, Image, NodeSpec, RuntimeClass, World};
use fourgaps_node::{MAIN, Node, Op, Restart, Supervisor};
use serde_json::{Value, json};
use std::sync::Arc;

const RUNC: &str = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc]\n  \
                    runtime_type = \"io.containerd.runc.v2\"\n";
const TOOLKIT: &str = "nvcr.io/nvidia/k8s/container-toolkit:v1.17.8-ubuntu20.04";
const NEW: &str = "nvcr.io/nvidia/k8s/container-toolkit:v1.18.1";

/// As the operator writes it, without what nothing here depends on.
fn toolkit() -> Value {
    let mount = |name: &str, path: &str| json!({ "name": name, "mountPath": path });
    let volume = |name: &str, path: &str| json!({ "name": name, "hostPath": { "path": path } });
    let env = |name: &str, value: &str| json!({ "name": name, "value": value });
    let labels = json!({ "app": "toolkit" });
    json!({
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": { "name": "toolkit", "namespace": "gpu-operator", "labels": labels },
        "spec": {
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": {
                    "nodeSelector": { "nvidia.com/gpu.present": "true" },
                    "initContainers": [{
                        "name": "driver-validation",
                        "image": "nvcr.io/nvidia/cloud-native/gpu-operator-validator:v25.3.4",
                        "command": ["sh", "-c"],
                        "args": ["nvidia-validator"],
                        "env": [env("WITH_WAIT", "true"), env("COMPONENT", "driver")],
                    }],
                    "containers": [{
                        "name": "nvidia-container-toolkit-ctr",
                        "image": TOOLKIT,
                        "command": ["/bin/bash", "-c"],
                        "args": ["/bin/entrypoint.sh"],
                        "env": [
                            env("ROOT", "/usr/local/nvidia"),
                            env("RUNTIME", "containerd"),
                            env("RUNTIME_CONFIG", "/runtime/config-dir/config.toml"),
                            env("RUNTIME_SOCKET", "/runtime/sock-dir/containerd.sock"),
                        ],
                        "volumeMounts": [
                            mount("config", "/runtime/config-dir/"),
                            mount("drop-ins", "/runtime/config-dir.d/"),
                            mount("socket", "/runtime/sock-dir/"),
                            mount("root", "/host"),
                        ],
                    }],
                    "volumes": [
                        volume("config", "/etc/containerd"),
                        volume("drop-ins", "/etc/containerd/conf.d"),
                        volume("socket", "/run/containerd"),
                        volume("root", "/"),
                    ],
                },
            },
        },
    })
}

fn world(images: Vec<Image>) -> World {
    let node = |name: &str| {
        let mut files = FileTree::new();
        files.write(MAIN, RUNC);
        let spec = NodeSpec {
            name: name.into(),
            containerd: "1.7.27".into(),
            supervisor: Supervisor::Systemd(Restart::Always),
            gpus: vec!["NVIDIA L4".into()],
            inotify_used: 0,
        };
        (spec, files)
    };
    let classes = vec![RuntimeClass { name: "nvidia".into(), handler: "nvidia".into() }];
    let content = Content { classes, images, objects: vec![toolkit()], ..Content::default() };
    World::begin(vec![node("omen"), node("omen2")], FileTree::new(), content)
}

fn wait(world: &mut World, seconds: u64) {
    world.act(CONTROL, &Op::Wait { ms: seconds * 1_000 }, &mut Vec::new());
}

fn pod(world: &World, node: &str) -> Arc<Pod> {
    let mut pods = world.store().unwrap().pods_on(node);
    pods.find(|pod| pod.shape.labels.get("app").is_some_and(|app| app == "toolkit")).unwrap().clone()
}

fn has_nvidia(world: &World, node: &str) -> bool {
    let process = world.node(node).and_then(Node::containerd).unwrap();
    process.run().handlers.iter().flatten().any(|handler| handler.name == "nvidia")
}

fn set_image(world: &mut World, image: &str) {
    let edit = |cluster: &mut fourgaps_cluster::Cluster| {
        let set = cluster.store().daemonset(&Key::new("gpu-operator", "toolkit")).unwrap().clone();
        let patch = json!({ "spec": { "template": { "spec": { "containers": [
            { "name": "nvidia-container-toolkit-ctr", "image": image },
        ] } } } });
        cluster.patch(Kind::DaemonSet, &Object::DaemonSet(set), &patch).unwrap();
    };
    world.api(&mut Vec::new(), edit).unwrap();
}

#[test]
fn a_pod_of_the_toolkit_adds_the_handlers_and_takes_them_along() {
    let mut world = world(Vec::new());
    assert!(pod(&world, "omen").is_ready() && has_nvidia(&world, "omen") && has_nvidia(&world, "omen2"));
    let files = world.node("omen").unwrap().files();
    assert!(files.exists("/run/nvidia/validations/driver-ready"));
    assert_eq!(world.node("omen").unwrap().toolkits().len(), 1);

    let key = pod(&world, "omen").key.clone();
    world.api(&mut Vec::new(), |cluster| cluster.delete_pod(&key, None).unwrap()).unwrap();
    // containerd is ended by the signal of the clean-up, and systemd starts it again.
    wait(&mut world, 6);
    assert!(!has_nvidia(&world, "omen") && has_nvidia(&world, "omen2"));
    wait(&mut world, 30);
    assert!(has_nvidia(&world, "omen"), "the next pod of the set adds them again");
    assert_ne!(pod(&world, "omen").key, key);
}

#[test]
fn an_image_that_one_node_cannot_pull_leaves_it_without_handlers() {
    let missing = Behaviour { missing: true, pull_ms: 2_000, ..Behaviour::default() };
    let mut world = world(vec![Image { name: NEW.into(), node: Some("omen".into()), behaviour: missing }]);
    set_image(&mut world, NEW);
    wait(&mut world, 300);
    let waiting = |world: &World, node: &str| match &pod(world, node).status.containers[0].state {
        ContainerState::Waiting { reason, .. } => reason.to_string(),
        _ => String::new(),
    };
    assert_eq!(waiting(&world, "omen"), "ImagePullBackOff");
    assert!(!has_nvidia(&world, "omen") && has_nvidia(&world, "omen2"), "the other node was not touched");
    assert_eq!(pod(&world, "omen2").shape.spec.containers[0].image, TOOLKIT);
    set_image(&mut world, TOOLKIT);
    wait(&mut world, 60);
    assert!(has_nvidia(&world, "omen") && pod(&world, "omen").is_ready());
}

#[test]
fn an_option_that_is_not_simulated_is_said_of_the_pod() {
    let mut world = world(Vec::new());
    set_image(&mut world, "nvcr.io/nvidia/k8s/container-toolkit:v9.9.9");
    wait(&mut world, 60);
    let refused = ["omen", "omen2"].map(|node| pod(&world, node).status.why.reason().to_string());
    assert!(refused.contains(&"NotSimulated".to_string()), "{refused:?}");
}
