//! Scenarios and texts: a good one, and every fault of a bad one.

use super::*;
use crate::{Kind, Lang, Read, Scalar, Texts};

const GOOD: &str = r#"
format_version = 1
slug = "good-one"
containerd = "1.7.27"
count = "runtimes.nvidia"
files = ["/etc/containerd/config.toml", "/a.toml"]
[[goals]]
id = "g"
check = { all = [{ exit = 0 }, { not = { handlers_exclude = ["runc"] } }, { count = { text = "x", equals = 2 } }] }
[[goals]]
id = "v"
check = { any = [{ value = { key = "a.b", equals = true } }, { imports = { path = "/a.toml", loaded = false } }] }
[[hints]]
id = "h"
[[solution]]
rename = { from = "/a.toml", to = "/b.toml" }
[[solution]]
write = { path = "/c.toml", from = "c.toml" }
[[solution]]
import = { path = "/c.toml", on = true }
[[questions]]
id = "q"
kind = "one"
case = "gap1-both"
containerd = "2.0.5"
read = { exit = true }
options = ["yes", "no"]
option_values = { yes = "0", no = "1" }
after_goal = "g"
"#;

#[test]
fn a_good_scenario_is_read() {
    let scenario = Scenario::parse("s.toml", GOOD).unwrap();
    assert_eq!(scenario.config, "/etc/containerd/config.toml");
    let [goal, value] = &scenario.goals[..] else { panic!("{:?}", scenario.goals) };
    assert_eq!(
        goal.check,
        Predicate::All(vec![
            Predicate::Exit(0),
            Predicate::Not(Box::new(Predicate::HandlersExclude(vec!["runc".into()]))),
            Predicate::Count { text: "x".into(), at_least: 2, at_most: 2 },
        ])
    );
    let wanted = Predicate::Value { key: "a.b".into(), equals: Scalar::Flag(true) };
    assert!(matches!(&value.check, Predicate::Any(list) if list[0] == wanted));
    assert_eq!(scenario.solution.len(), 3);
    let question = scenario.question("q").unwrap();
    assert_eq!((question.kind, &question.read), (Kind::One, &Read::Exit));
    assert_eq!((question.containerd.as_str(), question.pos.line), ("2.0.5", 21));
}

#[track_caller]
fn check(change: &str, to: &str, expected: &[&str]) {
    assert!(GOOD.contains(change), "{change}");
    let faults = Scenario::parse("s.toml", &GOOD.replacen(change, to, 1)).err().unwrap_or_default();
    let shown: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(shown, expected);
}

#[test]
fn faults_have_places_and_say_what_was_meant() {
    check("[[hints]]", "[[hnits]]", &["s.toml:13:3: unknown key `hnits`; did you mean `hints`?"]);
    check(
        "slug = \"good-one\"",
        "slug = \"Good One\"\nslgu = 1",
        &[
            "s.toml:3:1: `Good One` has letters other than a-z, 0-9 and -",
            "s.toml:4:1: unknown key `slgu`; did you mean `slug`?",
        ],
    );
    check(
        "format_version = 1",
        "format_version = 2",
        &["s.toml:2:1: format_version 2 is not known; this program reads 1"],
    );
    check(
        "\"/a.toml\"]",
        "\"a.toml\", \"a.toml\"]",
        &["s.toml:6:1: `a.toml` is listed twice", "s.toml:6:1: `a.toml` is not an absolute path of a file"],
    );
    check(
        "\"/etc/containerd/config.toml\", ",
        "",
        &["s.toml:6:1: the main file /etc/containerd/config.toml is not in `files`"],
    );
    check(
        "{ exit = 0 }",
        "{ exit = 0, exti = 1 }",
        &["s.toml:9:30: unknown key `exti`; did you mean `exit`?"],
    );
    check(
        "{ exit = 0 }",
        "{ exit = 0, handlers_include = [] }",
        &["s.toml:9:18: a check says exactly one thing, but this says 2"],
    );
    check(
        "equals = 2",
        "at_most = 2",
        &[
            "s.toml:9:77: `count` wants either `at_least` or `equals`, a number from 0",
            "s.toml:9:99: unknown key `at_most`; did you mean `at_least`?",
        ],
    );
    check("id = \"v\"", "id = \"g\"", &["s.toml:10:3: two of the goals are called `g`"]);
    check(
        "rename = {",
        "remove = \"/x\"\nrename = {",
        &["s.toml:15:3: a step is exactly one of `write`, `remove`, `rename`, `import`, `run`"],
    );
}

#[test]
fn questions_must_make_sense() {
    check(
        "kind = \"one\"",
        "kind = \"onr\"",
        &["s.toml:23:1: unknown kind `onr`; known: one, several, number, text, order, predict"],
    );
    check(
        "kind = \"one\"",
        "kind = \"order\"",
        &["s.toml:21:3: question `q`: this kind cannot be answered by what `read` reads"],
    );
    check(
        "kind = \"one\"",
        "kind = \"number\"",
        &["s.toml:21:3: question `q` is filled in and takes no options"],
    );
    check(
        "read = { exit = true }",
        "read = { exit = true, stderr = true }",
        &["s.toml:26:1: `read` wants exactly one thing to read"],
    );
    let exit = "read = { exit = true }";
    check(
        exit,
        "read = { live = 'uptime' }",
        &[
            "s.toml:26:1: `read` wants exactly one thing to read",
            "s.toml:26:10: nothing called `uptime` is read from the daemon; known: booted, complaints, cri, \
             default_runtime_name, handlers, sandbox",
        ],
    );
    check(
        exit,
        "read = { live = 'sandbox' }",
        &["s.toml:26:10: a sandbox wants a `handler`; `(none)` asks for no handler"],
    );
    check(
        exit,
        "read = { live = 'booted', handler = 'runc' }",
        &["s.toml:26:27: `handler` belongs to `live = \"sandbox\"`"],
    );
    check(
        "no = \"1\" }",
        "on = \"1\" }",
        &[
            "s.toml:27:1: option `no` has no claim in `option_values`",
            "s.toml:28:30: `on` is not one of the options",
        ],
    );
    check(
        "after_goal = \"g\"",
        "after_goal = \"x\"",
        &["s.toml:21:3: question `q` comes after the goal `x`, which is not there"],
    );
}

#[test]
fn texts_are_as_strict() {
    let text = "format_version = 1\ntitle = ' '\nsummary = 's'\nstory = ['a', '']\n[aside]\ntitle = 't'\n\
                [goals.g]\ntext = 'x'\nmet = 'y'\nnotmet = 'z'\n[questions.q.options.a]\ntext = 'a'\nwrnog = 'b'\n";
    let faults = Texts::parse(&format!("{}.toml", Lang::Ko.code()), text).unwrap_err();
    let shown: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "ko.toml:2:1: `title` is empty",
            "ko.toml:4:15: `story` is empty",
            "ko.toml:5:2: `text` is missing",
            "ko.toml:7:8: `not_met` is missing",
            "ko.toml:10:1: unknown key `notmet`; did you mean `not_met`?",
            "ko.toml:11:12: `right` is missing",
            "ko.toml:11:12: `text` is missing",
            "ko.toml:13:1: unknown key `wrnog`; did you mean `wrong`?",
        ]
    );
}

#[test]
fn the_past_happens_before_the_learner_comes() {
    let past = r#"
[[past]]
on = "omen"
sandbox = { name = "web" }
[[past]]
wait_s = 86400
[[past]]
on = "omen"
toolkit = { flags = ["--host-root=/", "--restart-mode=none"] }
[[past]]
wait_s = 10
[[past]]
on = "omen"
write = { path = "/srv/new/deep/b", from = "past/b" }
[[past]]
on = "omen"
remove = "/a.toml"
"#;
    let read =
        |source: &str| Some(if source == "past/b" { b"late".to_vec() } else { b"version = 2\n".to_vec() });
    let scenario = Scenario::parse("s.toml", &format!("{GOOD}{past}")).unwrap();
    assert!(scenario.sources().contains(&"past/b".to_string()));
    let world = scenario.world(read);
    assert_eq!(world.now_ms(), 86_410_000);
    let node = &world.nodes()[0];
    assert_eq!(node.files().text("/srv/new/deep/b").as_deref(), Some("late"));
    assert!(node.files().text("/a.toml").is_none());
    assert!(node.sandboxes()[0].is_ready());
    // The toolkit has written, and nothing was started since.
    assert_eq!(node.toolkits()[0].phase, fourgaps_node::Phase::Waiting);
    assert!(node.next_start().handlers.iter().any(|handler| handler.name == "nvidia"));
    assert_eq!(node.containerd().map(|process| process.started_ms), Some(0));
    // After a restart of the node nothing of it is left in memory.
    let more = "[[past]]\non = 'omen'\nreboot = true\n[[past]]\nwait_s = 60\n";
    let world = Scenario::parse("s.toml", &format!("{GOOD}{past}{more}")).unwrap().world(read);
    assert!(world.nodes()[0].sandboxes().iter().all(|sandbox| !sandbox.is_ready()));
    assert!(world.nodes()[0].containerd().is_some_and(|process| process.started_ms > 86_410_000));
}

#[test]
fn a_past_that_cannot_be_is_refused() {
    let fault = |past: &str| {
        let faults =
            Scenario::parse("s.toml", &format!("{GOOD}[[past]]\n{past}\n")).err().unwrap_or_default();
        faults.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let steps = "`write`, `remove`, `restart`, `reboot`, `sandbox`, `toolkit`, `apply`, `kubelet`, `wait_s`";
    assert_eq!(fault("on = 'omen'"), [format!("s.toml:30:3: a step of the past is exactly one of {steps}")]);
    assert_eq!(fault("on = 'nobody'\nreboot = true"), ["s.toml:30:3: there is no machine `nobody`"]);
    let strange = format!("{GOOD}[[past]]\non = 'omen'\ntoolkit = {{ flags = ['--runtime=docker'] }}\n");
    let strange = Scenario::parse("s.toml", &strange).unwrap().cannot_be(|_| None);
    assert_eq!(strange[0].1, "the toolkit's `runtime docker` is not simulated");
    assert_eq!(
        fault("on = 'omen'\ntoolkit = { flags = [], signal_astray = 'late' }"),
        [
            "s.toml:32:25: `signal_astray` says when the toolkit notices: `at-once`, `after-success`, `waiting`"
        ]
    );
}

#[test]
fn a_page_that_folds_the_past_stands_where_it_led() {
    let past = "[[past]]\non = 'omen'\nsandbox = { name = 'web' }\n[[past]]\non = 'omen'\nrestart = true\n\
                [[past]]\non = 'omen'\ntoolkit = { flags = ['--host-root=/'] }\n[[past]]\nwait_s = 90\n\
                [[past]]\non = 'control'\nwrite = { path = '/root/a', from = 'past/a' }\n";
    let cluster = "[[runtime_classes]]\nname = 'nvidia'\nhandler = 'nvidia'\n\
                   [[nodes]]\nname = 'omen'\ngpus = ['a GPU']\nsignal_astray = 'waiting'\n";
    for text in [format!("{GOOD}{past}"), format!("{GOOD}{cluster}{past}")] {
        let scenario = Scenario::parse("s.toml", &text).unwrap();
        let read = |_: &str| Some(b"version = 2\n".to_vec());
        let told = scenario.past_facts(read);
        let page = scenario.machines(|source| match source {
            PAST_FACTS => Some(told.clone().into_bytes()),
            source => read(source),
        });
        assert!(page.now_ms() >= 90_000);
        // Everything that a page and its goals ask for; what the machines' own programs remember is not told.
        let world = scenario.world(read);
        assert_eq!((page.control(), page.now_ms()), (world.control(), world.now_ms()));
        for (page, node) in page.nodes().iter().zip(world.nodes()) {
            let phases = |node: &fourgaps_node::Node| {
                node.toolkits().iter().map(|run| (run.pid, run.phase)).collect::<Vec<_>>()
            };
            assert_eq!((page.files(), page.containerd()), (node.files(), node.containerd()));
            assert_eq!((page.sandboxes(), page.unit()), (node.sandboxes(), node.unit()));
            assert_eq!((page.journal().len(), phases(page)), (node.journal().len(), phases(node)));
        }
    }
}

const CLUSTER: &str = r#"
format_version = 1
slug = "cluster"
containerd = "1.7.27"
[[light_nodes]]
name = "gpu-1"
labels = { zone = "a" }
taints = ["dedicated=gpu:NoSchedule"]
allocatable = { "nvidia.com/gpu" = "2" }
[[light_nodes]]
name = "gpu-2"
[[images]]
name = "agent:2"
node = "gpu-2"
missing = true
ends = { after_s = 3, status = 1 }
[[past]]
apply = "objects.yaml"
[[past]]
wait_s = 60
[[past]]
on = "gpu-2"
kubelet = "silent"
[[past]]
wait_s = 120
"#;

const OBJECTS: &[u8] = b"apiVersion: v1\nkind: Namespace\nmetadata:\n  name: gpu\n---\napiVersion: v1\nkind: Pod\n\
metadata:\n  name: agent\n  namespace: gpu\nspec:\n  nodeName: gpu-1\n  containers:\n  - name: agent\n    image: agent:1\n";

#[test]
fn a_cluster_needs_no_machines() {
    let scenario = Scenario::parse("s.toml", CLUSTER).unwrap_or_else(|faults| panic!("{faults:?}"));
    let read = |source: &str| (source == "objects.yaml").then(|| OBJECTS.to_vec());
    assert!(scenario.nodes.is_empty() && scenario.sources().contains(&"objects.yaml".to_string()));
    assert_eq!(scenario.cannot_be(read), []);
    let world = scenario.world(read);
    let store = world.store().unwrap();
    let [first, second] = ["gpu-1", "gpu-2"].map(|name| store.node(name).unwrap());
    assert_eq!((first.meta.labels["zone"].as_str(), first.taints.len()), ("a", 1));
    assert_eq!(first.allocatable["nvidia.com/gpu"].units(), 2);
    assert!(first.ready() == fourgaps_cluster::node::Truth::True && second.ready() != first.ready());
    assert!(store.pods_on("gpu-1").all(|pod| pod.is_ready()));
    // A page folds the time and looks at an empty node.
    let told = scenario.past_facts(read).into_bytes();
    let page = scenario.machines(|source| if source == PAST_FACTS { Some(told.clone()) } else { None });
    assert_eq!((page.now_ms(), page.nodes().len()), (world.now_ms(), 0));
    assert!(crate::State::start(&scenario, &page).files().iter().next().is_none());
}

#[test]
fn a_cluster_that_cannot_be_is_refused() {
    let check = |change: &str, to: &str, expected: &[&str]| {
        assert!(CLUSTER.contains(change), "{change}");
        let shown: Vec<String> = match Scenario::parse("s.toml", &CLUSTER.replacen(change, to, 1)) {
            Err(faults) => faults.iter().map(ToString::to_string).collect(),
            Ok(scenario) => {
                scenario.cannot_be(|_| Some(OBJECTS.to_vec())).into_iter().map(|(_, why)| why).collect()
            }
        };
        assert_eq!(shown, expected);
    };
    check(
        "name = \"gpu-2\"",
        "name = \"gpu-1\"",
        &[
            "s.toml:10:3: two machines are called `gpu-1`",
            "s.toml:14:1: there is no node `gpu-2`",
            "s.toml:21:3: there is no machine `gpu-2`",
        ],
    );
    check("kubelet = \"silent\"", "kubelet = \"dead\"", &["s.toml:23:1: a kubelet is `silent` or `well`"]);
    check("dedicated=gpu:NoSchedule", "dedicated", &["`dedicated` is no taint and no amount"]);
    check("apply = \"objects.yaml\"", "apply = \"objects.yaml\"\n[[past]]\nwait_s = 1", &[]);
    let broken = Scenario::parse("s.toml", CLUSTER).unwrap().cannot_be(|_| Some(b"a: [".to_vec()));
    assert!(broken[0].1.starts_with("objects.yaml is refused: line "), "{broken:?}");
}
