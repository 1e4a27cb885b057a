//! The recorded kubectl texts, typed as their command lines.
//!
//! A recording names its command and its output, not what was done before; what is known of that stands in `setups.txt`:
//! lines of a terminal, by the name of the recording. Ages depend on the recorder's clock, names and hashes on chance.

use crate::bench::Bench;
use crate::term::Answer;
use fourgaps_base::FileTree;
use fourgaps_cluster::api::NewPod;
use fourgaps_cluster::daemon::Watch;
use fourgaps_cluster::kubelet::Behaviour;
use fourgaps_cluster::lifecycle::Health;
use fourgaps_cluster::manifest::as_written;
use fourgaps_cluster::meta::{Key, Labels, Meta, Owner, Uid};
use fourgaps_cluster::node::{Condition, Node, Truth, Why};
use fourgaps_cluster::object::{Id, Kind, Plain};
use fourgaps_cluster::pod::{Phase, Pod, Shape};
use fourgaps_cluster::quantity::Quantity;
use fourgaps_cluster::spec::PodSpec;
use fourgaps_cluster::{Cluster, Image, World, rollout};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const SETUPS: &str = include_str!("setups.txt");

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/k8s/kubectl")
}

/// Where the texts lie that the labs carry.
fn carried() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../static/results/kubernetes/kubectl")
}

/// The nodes of the recorder.
fn node(nth: u8) -> Node {
    let name = format!("node-{nth}");
    let mut labels = Labels::new();
    for (key, value) in [
        ("beta.kubernetes.io/arch", "amd64"),
        ("beta.kubernetes.io/os", "linux"),
        ("kubernetes.io/arch", "amd64"),
        ("kubernetes.io/hostname", name.as_str()),
        ("kubernetes.io/os", "linux"),
        ("nvidia.com/gpu.present", "true"),
    ] {
        labels.insert(key.into(), value.into());
    }
    let sizes = [
        ("cpu", "8"),
        ("ephemeral-storage", "200Gi"),
        ("memory", "64Gi"),
        ("nvidia.com/gpu", "2"),
        ("pods", "110"),
    ];
    let amounts = sizes.map(|(name, size)| (name.to_string(), Quantity::read(size).unwrap()));
    let condition = |kind: &'static str, status, reason: &'static str, message: &str| Condition {
        kind: kind.into(),
        status,
        why: Why::new(reason, message),
        ..Condition::default()
    };
    Node {
        meta: Meta { labels, ..Meta::new("", &name) },
        capacity: amounts.clone().into(),
        allocatable: amounts.into(),
        conditions: vec![
            condition(
                "MemoryPressure",
                Truth::False,
                "KubeletHasSufficientMemory",
                "kubelet has sufficient memory available",
            ),
            condition(
                "DiskPressure",
                Truth::False,
                "KubeletHasNoDiskPressure",
                "kubelet has no disk pressure",
            ),
            condition(
                "PIDPressure",
                Truth::False,
                "KubeletHasSufficientPID",
                "kubelet has sufficient PID available",
            ),
            condition("Ready", Truth::True, "KubeletReady", "kubelet is posting ready status"),
        ],
        info: json!({
            "addresses": [
                { "address": format!("10.0.0.1{nth}"), "type": "InternalIP" },
                { "address": name, "type": "Hostname" },
            ],
            "nodeInfo": {
                "architecture": "amd64",
                "bootID": "0",
                "containerRuntimeVersion": "containerd://2.1.4",
                "kernelVersion": "6.8.0-79-generic",
                "kubeProxyVersion": "",
                "kubeletVersion": "v1.34.9",
                "machineID": "0",
                "operatingSystem": "linux",
                "osImage": "Ubuntu 24.04.3 LTS",
                "systemUUID": "0",
            },
        }),
        ..Node::default()
    }
}

/// What the recorder's kubelet said of two of its images.
const REFUSED: &str = "Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0, which is unexpected";
const NO_RUNTIME: &str =
    "rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for \"nvidia\" is configured";

fn bench() -> Bench {
    let mut cluster = Cluster::new(3, Watch::AtOnce);
    for namespace in ["default", "gpu", "lab", "shop"] {
        cluster.put_plain(Kind::Namespace, Plain { meta: Meta::new("", namespace), ..Plain::default() });
    }
    for nth in 1..=3 {
        cluster.register_node(node(nth));
    }
    let mut control = FileTree::new();
    control.make_folder("/root");
    let config =
        "current-context: lab\ncontexts:\n- name: lab\n  context:\n    cluster: lab\n    namespace: gpu\n";
    control.write(&fourgaps_base::join("/root", ".kube/config"), config);
    for entry in fs::read_dir(folder().join("manifests")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        control.write(&format!("/root/{name}"), fs::read(&path).unwrap());
    }
    let image =
        |tag: &str, behaviour| Image { name: format!("registry.local/gpu-app:{tag}"), node: None, behaviour };
    let images = vec![
        image("1.2-typo", Behaviour { missing: true, ..Behaviour::default() }),
        image("1.7-reject", Behaviour { refused: Some(REFUSED.into()), ..Behaviour::default() }),
        image("1.8-sandbox", Behaviour { no_sandbox: Some(NO_RUNTIME.into()), ..Behaviour::default() }),
        image("1.4-unready", Behaviour { ready_ms: None, ..Behaviour::default() }),
        image("1.5-crash", Behaviour { ends: Some((500, 1)), ready_ms: None, ..Behaviour::default() }),
    ];
    Bench::new(World::of_objects(cluster, control, &images))
}

/// Lines to type before, by recording. A line `= NAME…` begins the set-up of these, `@ NAME` in it stands for another's.
fn setups() -> BTreeMap<String, Vec<String>> {
    let mut setups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut names: Vec<String> = Vec::new();
    for line in SETUPS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(list) = line.strip_prefix("= ") {
            names = list.split(' ').map(String::from).collect();
            continue;
        }
        let lines = match line.strip_prefix("@ ") {
            Some(other) => setups.get(other).unwrap_or_else(|| panic!("no set-up {other}")).clone(),
            None => vec![line.to_string()],
        };
        for name in &names {
            setups.entry(name.clone()).or_default().extend(lines.clone());
        }
    }
    setups
}

/// Words that follow from the recorder's clock or from chance, told alike.
fn alike(word: &str) -> String {
    let bare = word.trim_matches(|c: char| "(),\"".contains(c));
    let is_age = !bare.is_empty()
        && bare.ends_with(['s', 'm', 'h', 'd'])
        && bare.starts_with(|c: char| c.is_ascii_digit())
        && bare.chars().all(|c| c.is_ascii_digit() || "smhd".contains(c));
    if is_age || bare == "<invalid>" {
        return word.replace(bare, "AGE");
    }
    let mut word = word.to_string();
    for (head, tail) in [("gpu-ds-", 5), ("agent-", 5)] {
        if let Some(at) = word.find(head) {
            let name: String = word[at + head.len()..]
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '-')
                .collect();
            if name.len() >= tail {
                word = word.replace(&format!("{head}{name}"), &format!("{head}NAME"));
            }
        }
    }
    if let Some((key, _)) = word.split_once("controller-revision-hash=") {
        word = format!("{key}controller-revision-hash=HASH");
    }
    if word.starts_with("10.244.") || word.starts_with("registry.k8s") {
        word = "ADDRESS".into();
    }
    word
}

/// A line without what follows from clock and chance: its words, where any of them does, else the line itself.
fn shape(line: &str) -> String {
    let line = times(line);
    let words: Vec<&str> = line.split_whitespace().collect();
    let told: Vec<String> = words.iter().map(|word| alike(word)).collect();
    let drawn = ["<time>", "<uid>", "<rv>", "----"].iter().any(|mark| line.contains(mark));
    let heads = words.contains(&"AGE") || words.contains(&"Age");
    if told.iter().zip(&words).all(|(told, word)| told == word) && !drawn && !heads {
        return line;
    }
    told.join(" ")
}

/// Moments as the recordings write them.
fn times(line: &str) -> String {
    let mut out = line.to_string();
    while let Some(at) = out.find(" +0000") {
        let from = at.saturating_sub(25);
        out.replace_range(from..at + 6, "<time>");
    }
    if out.trim_start().starts_with("creationTimestamp:") {
        out = "  creationTimestamp: \"<time>\"".into();
    }
    for (title, value) in
        [("uid: ", "<uid>"), ("UID:", "<uid>"), ("resourceVersion: ", "<rv>"), ("Resource Version:", "<rv>")]
    {
        if let Some(at) = out.find(title) {
            out.replace_range(at.., &format!("{title} {value}"));
        }
    }
    if out.trim_start().starts_with("Creation Timestamp:") {
        out = "Creation Timestamp: <time>".into();
    }
    out
}

fn shapes(text: &str) -> Vec<String> {
    text.lines().map(shape).collect()
}

struct Recording {
    name: String,
    command: String,
    stdout: String,
    stderr: String,
    exit: Option<i32>,
}

fn recording(path: &Path) -> Option<Recording> {
    let text = fs::read_to_string(path).ok()?;
    let (first, rest) = text.split_once('\n')?;
    let command = first.strip_prefix("$ ")?;
    let mut lines: Vec<&str> = rest.lines().collect();
    let exit = lines.pop()?.strip_prefix("# exit ")?.parse().ok();
    let errors: Vec<usize> = match lines.last().and_then(|line| line.strip_prefix("# stderr lines: ")) {
        Some(list) => {
            lines.pop();
            list.split(' ').filter_map(|nth| nth.parse().ok()).collect()
        }
        None => Vec::new(),
    };
    let (mut stdout, mut stderr) = (String::new(), String::new());
    for (at, line) in lines.iter().enumerate() {
        let into = if errors.contains(&(at + 2)) { &mut stderr } else { &mut stdout };
        into.push_str(line);
        into.push('\n');
    }
    let name = path.file_stem()?.to_str()?.to_string();
    Some(Recording { name, command: command.into(), stdout, stderr, exit })
}

/// A line of a set-up that is no command: `! WHAT …`, at once, or `! later SECONDS WHAT …` while the recorded command runs.
fn happens(bench: &Bench, line: &str) {
    let words: Vec<String> = line.split(' ').map(String::from).collect();
    let mut machines = bench.machines.lock().unwrap();
    match words.as_slice() {
        [later, seconds, what @ ..] if later == "later" => {
            let (ms, what) = (seconds.parse::<u64>().unwrap() * 1000, what.to_vec());
            machines.do_elsewhere(ms, move |machines| {
                machines.api(|cluster| change(cluster, &what));
            });
        }
        what => {
            machines.api(|cluster| change(cluster, what));
        }
    }
}

/// What a set-up says that happens, or that somebody asks for at another terminal.
fn change(cluster: &mut Cluster, what: &[String]) {
    let words: Vec<&str> = what.iter().map(String::as_str).collect();
    let set = Key::new("gpu", "gpu-ds");
    match *words.as_slice() {
        ["new", "node-4"] => {
            let mut node = node(4);
            node.meta.labels.insert("pool".into(), "shop".into());
            cluster.register_node(node);
        }
        ["web"] => {
            for name in ["web-0", "web-1"] {
                let spec = json!({ "nodeName": "node-4", "containers": [{ "name": "web", "image": "registry.local/web:1.0" }] });
                let owner = Owner { kind: "StatefulSet".into(), name: "web".into(), uid: Uid(9_999) };
                let labels = [("app".to_string(), "web".to_string())].into();
                let shape =
                    Shape { labels, owner: Some(owner), spec: PodSpec::of(&spec), ..Shape::default() };
                let (namespace, name) = ("shop".into(), name.into());
                cluster.create_pod(NewPod { namespace, name, shape: Arc::new(shape), target: None }).unwrap();
            }
        }
        ["pod", name, node] => {
            let containers = json!([{ "name": "main", "image": "registry.local/web:1.0" }]);
            let spec =
                json!({ "nodeSelector": { "kubernetes.io/hostname": node }, "containers": containers });
            let shape = Arc::new(Shape { spec: PodSpec::of(&spec), ..Shape::default() });
            let (namespace, name) = ("gpu".into(), name.into());
            cluster.create_pod(NewPod { namespace, name, shape, target: None }).unwrap();
        }
        ["silent", node] => cluster.set_health(node, Health::KubeletSilent),
        ["runtime-down", node] => cluster.set_health(node, Health::RuntimeDown),
        ["well", node] => cluster.set_health(node, Health::Well),
        ["gpus", node, count] => {
            cluster
                .edit_node(node, |node| {
                    let amount = Quantity::read(count);
                    match amount {
                        Some(amount) => drop(node.allocatable.insert("nvidia.com/gpu".into(), amount)),
                        None => drop(node.allocatable.remove("nvidia.com/gpu")),
                    }
                })
                .unwrap();
        }
        ["image", tag] => {
            let id = Id { kind: Kind::DaemonSet, key: set };
            let live = cluster.store().get(&id).unwrap();
            let mut wanted = as_written(&live);
            wanted["spec"]["template"]["spec"]["containers"][0]["image"] =
                json!(format!("registry.local/gpu-app:{tag}"));
            cluster.replace(Kind::DaemonSet, &live, &wanted).unwrap();
        }
        ["undo"] => drop(rollout::undo(cluster, &set, 0).unwrap()),
        ["delete-ds"] => cluster.delete_daemonset(&set, false).unwrap(),
        ["delete-node", node] => cluster.remove(Id { kind: Kind::Node, key: Key::new("", node) }),
        _ => panic!("unknown line of a set-up: {what:?}"),
    }
}

/// The recordings call pods by their nodes, or by what is the matter with them; here they have the names that were drawn.
fn with_names(bench: &Bench, command: &str) -> String {
    let machines = bench.machines.lock().unwrap();
    let store = machines.world.store().unwrap();
    let mut pods: Vec<_> = store.pods().filter(|pod| pod.shape.owner.is_some()).collect();
    pods.sort_by_key(|pod| (pod.created_ms, pod.uid));
    let with = |wanted: &dyn Fn(&Pod) -> bool| {
        pods.iter().rev().find(|pod| wanted(pod)).map(|pod| pod.key.name.to_string())
    };
    let crashes = |pod: &Pod| pod.status.containers.iter().any(|container| container.restarts > 0);
    let mut command = command.to_string();
    for (words, name) in [
        ("<new pod>", with(&|_| true)),
        ("<pending pod>", with(&|pod| pod.node.is_none())),
        ("<failed pod>", with(&|pod| pod.status.phase == Phase::Failed)),
        ("<crashing pod>", with(&crashes)),
    ] {
        command = command.replace(words, name.as_deref().unwrap_or("none"));
    }
    for nth in 1..=4 {
        let name = with(&|pod| pod.place() == Some(format!("node-{nth}").as_str()));
        command = command.replace(&format!("<pod on node-{nth}>"), name.as_deref().unwrap_or("none"));
        command = command.replace(&format!("gpu-ds-node{nth}"), name.as_deref().unwrap_or("none"));
    }
    command
}

/// The rows of a watched DaemonSet without those that say for a moment that a pod which was created is not there: whether the
/// controller sees it within the sync is a race (10 of 36 times on a live cluster).
fn without_dips(rows: Vec<String>) -> Vec<String> {
    let numbers = |row: &String| -> Option<(u32, u32)> {
        let mut words = row.split(' ').skip(1).map(|word| word.parse().ok());
        Some((words.next()??, words.next()??))
    };
    let is_dip = |at: usize, row: &String| match (numbers(row), rows.get(at + 1).and_then(numbers)) {
        (Some((desired, current)), Some(next)) => current < desired && next == (desired, current + 1),
        _ => false,
    };
    let mut kept: Vec<String> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let after_dip = at > 0 && is_dip(at - 1, &rows[at - 1]);
        if !(is_dip(at, row) || after_dip && kept.last() == Some(row)) {
            kept.push(row.clone());
        }
    }
    kept
}

/// Pods of a drain go all at once there: which of two is the first is by chance.
fn swapped(text: &str) -> String {
    text.replace("web-0", "web-x").replace("web-1", "web-0").replace("web-x", "web-1")
}

/// Other names for the three nodes.
fn renamings() -> impl Iterator<Item = [char; 3]> {
    ["132", "213", "231", "312", "321"].into_iter().map(|digits| {
        let mut digits = digits.chars();
        [(); 3].map(|()| digits.next().unwrap())
    })
}

/// A text in which the nodes have changed their names.
fn renamed(text: &str, names: [char; 3]) -> String {
    let mut out = String::new();
    for c in text.chars() {
        let of_node = out.ends_with("node-") || out.ends_with("10.0.0.1");
        let at = c.to_digit(10).filter(|nth| of_node && (1..=3).contains(nth));
        out.push(at.map_or(c, |nth| names[nth as usize - 1]));
    }
    out
}

/// The shell needs quotes where the recorder needed none.
fn typed(command: &str) -> String {
    let quoted = |word: &str| match word.contains(['\\', '{', '*', '[', '(']) && !word.contains(['\'', '"']) {
        true => format!("'{word}'"),
        false => word.to_string(),
    };
    command.split(' ').map(quoted).collect::<Vec<_>>().join(" ")
}

#[test]
fn recorded_texts_come_out() {
    if !folder().exists() {
        println!("skipped: {} is not there", folder().display());
        return;
    }
    let setups = setups();
    let only = std::env::var("ONLY").ok();
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let (mut equal, mut refused, mut differ, mut all) = (0, Vec::new(), Vec::new(), 0);
    for path in paths {
        let Some(recording) =
            recording(&path).filter(|one| only.as_ref().is_none_or(|only| one.name.contains(only)))
        else {
            continue;
        };
        all += 1;
        let mut bench = bench();
        for line in setups.get(&recording.name).into_iter().flatten() {
            match line.strip_prefix("! ") {
                Some(what) => happens(&bench, what),
                None => drop(bench.run(line)),
            }
        }
        let command = with_names(&bench, &recording.command);
        let Answer { out, err, status, .. } = bench.run(&typed(&command));
        // A watch ends by the recorder's hand there, and for want of anything to tell here.
        let err = if recording.exit.is_none() { String::new() } else { err };
        if err.contains("not simulated in this lab") {
            refused.push(recording.name);
            continue;
        }
        // Lists are in the order of names that were drawn; how often a line of a watch is repeated is a race.
        let drawn =
            ["get pods", "get controllerrevisions", "get events", "describe ds", "describe pod", "drain"];
        let in_any_order = drawn.iter().any(|words| recording.command.contains(words));
        let shapes = |text: &str| {
            let mut shapes = shapes(text);
            // The recorder's kubelet was a script: its events are no evidence.
            shapes.retain(|line| {
                !line.split(' ').any(|word| word == "kubelet" && recording.command.contains("describe "))
            });
            if in_any_order {
                shapes.sort();
                // Whether the scheduler hears of the old pod's end while it looks at the new one, and looks again, is a race.
                shapes.dedup_by(|one, other| one == other && one.contains("FailedScheduling"));
            } else if recording.command.contains("get ds") {
                shapes = without_dips(shapes);
            } else if recording.command.contains("rollout status") {
                shapes.dedup();
            }
            shapes
        };
        // Which node a controller takes first is by chance there.
        let told = shapes(&recording.stdout);
        let drains = recording.command.contains(" drain ");
        let (out, err) = match drains && shapes(&out) != told {
            true => (swapped(&out), swapped(&err)),
            false => (out, err),
        };
        let same = shapes(&out) == told
            || in_any_order && renamings().any(|names| shapes(&renamed(&out, names)) == told);
        let same = same
            && shapes(&err) == shapes(&recording.stderr)
            && recording.exit.is_none_or(|exit| exit == status);
        if same {
            equal += 1;
        } else {
            if only.is_some() {
                println!(
                    "--- {}\n{}\n=== ours [{status}]\n{out}{err}=== recorded\n{}{}",
                    recording.name, recording.command, recording.stdout, recording.stderr
                );
            }
            differ.push(recording.name);
        }
    }
    println!(
        "kubectl: {equal} of {all} texts equal, {} differ, {} not simulated",
        differ.len(),
        refused.len()
    );
    println!("differ: {}\nnot simulated: {}", differ.join(" "), refused.join(" "));
    // What the questions of the labs are read from is a copy.
    for path in fs::read_dir(carried()).unwrap().map(|entry| entry.unwrap().path()) {
        let original = folder().join(path.file_name().unwrap());
        assert!(fs::read(&path).unwrap() == fs::read(original).unwrap(), "{} is no copy", path.display());
    }
    assert!(all > 0 && equal == all, "only {equal} of {all} texts are equal");
}
