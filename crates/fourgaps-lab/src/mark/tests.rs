//! Marking: every kind of question, right and wrong.

use super::*;
use crate::{Scenario, Told};
use fourgaps_view::{DumpLine, NextStartView};

const DUMP: &str = r#"imports = ["/b.toml", "/etc/containerd/config.toml", "/a.toml"]
[plugins]
  [plugins."io.containerd.grpc.v1.cri"]
    enable_cdi = false
    empty = ""
    sandbox_image = "pause:3.8"
    stats_collect_period = 10
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes]
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia]
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
"#;

const LIVE: &str = r#"booted = true
handlers = ["kata", "runc"]
default_runtime_name = "runc"
complaints = ["first", "second"]
[cri_plugins]
"io.containerd.cri.v1 runtime" = "error"
"io.containerd.grpc.v1 cri" = "ok"
[sandboxes]
"(none)" = "(not judged: the recording machine runs no systemd)"
"runc" = "created"
"nvidia" = "no runtime"
"#;

const TEXTS: &str = r#"
format_version = 1
title = "t"
summary = "s"
story = ["s"]
[questions.q]
text = "?"
right = "R"
otherwise = "O"
options.a = { text = "a", wrong = "A" }
options.b = { text = "b", wrong = "B" }
options.c = { text = "c", wrong = "C" }
wrong = [{ answer = "7", text = "seven" }, { answer = "runc kata", text = "two" }, { answer = "b a m", text = "bam" }]
"#;

fn question(lines: &str) -> Question {
    let text = format!(
        "format_version = 1\nslug = 's'\ncontainerd = '1.7.27'\ncount = 'x'\n\
         files = ['/etc/containerd/config.toml']\n[[questions]]\nid = 'q'\ncase = 'c'\n{lines}"
    );
    let scenario = Scenario::parse("scenario.toml", &text).unwrap_or_else(|faults| panic!("{faults:?}"));
    scenario.questions[0].clone()
}

fn recording() -> Recording {
    let dumped = Recording::parse(DUMP, "exit = 0\nstderr = [\n  \"one\", \"two\",\n]\n").unwrap();
    dumped.with_live(LIVE).unwrap()
}

/// What a simulator says that prints the same, but for one word.
fn simulated() -> NextStartView {
    let line = |text: &str| DumpLine {
        text: text.replace("3.8", "3.9"),
        key: String::new(),
        source: None,
        default: true,
        hides: Vec::new(),
    };
    NextStartView {
        containerd: "1.7.27".into(),
        config: "/etc/containerd/config.toml".into(),
        exit: 0,
        stderr: vec!["one".into(), "two".into()],
        handlers: Vec::new(),
        dump: DUMP.lines().map(line).collect(),
        fault: None,
    }
}

fn choice(names: &str) -> Answer {
    Answer::Choice(names.split_whitespace().map(String::from).collect())
}

#[track_caller]
fn check(lines: &str, given: Answer, expected: &str) {
    let texts = Texts::parse("en.toml", TEXTS).unwrap_or_else(|faults| panic!("{faults:?}"));
    let question = question(lines);
    assert!(question.accepts(&given), "{given:?}");
    let m = mark(&question, &texts, &given, Some(&Recording::of(&simulated())), &recording()).unwrap();
    let simulator =
        m.simulator.as_deref().map(|said| if said == NOT_SIMULATED { "?" } else { said }).unwrap();
    let shown = format!("{} | {} | {simulator} | {} | {}", m.right, m.given, m.recorded, m.explanation);
    assert_eq!(shown, expected);
}

#[test]
fn a_number_is_counted() {
    let lines = "kind = 'number'\nread = { count = 'runtimes.' }";
    check(lines, Answer::Number(2), "true | 2 | 2 | 2 | R");
    check(lines, Answer::Number(7), "false | 7 | 2 | 2 | seven");
    check(lines, Answer::Number(8), "false | 8 | 2 | 2 | O");
    check("kind = 'number'\nread = { exit = true }", Answer::Number(0), "true | 0 | 0 | 0 | R");
    check("kind = 'number'\nread = { line_number = 'cdi' }", Answer::Number(4), "true | 4 | 4 | 4 | R");
}

#[test]
fn the_recording_decides_and_the_simulator_stands_beside_it() {
    let lines = "kind = 'text'\nread = { value = 'plugins.\"io.containerd.grpc.v1.cri\".sandbox_image' }";
    let text = |text: &str| Answer::Text(text.into());
    check(lines, text("pause:3.8"), "true | pause:3.8 | pause:3.9 | pause:3.8 | R");
    check(lines, text(" \"pause:3.8\" "), "true |  \"pause:3.8\"  | pause:3.9 | pause:3.8 | R");
    check(lines, text("pause:3.9"), "false | pause:3.9 | pause:3.9 | pause:3.8 | O");
    check("kind = 'text'\nread = { stderr = true }", text("two"), "true | two | two | two | R");
    let line = "kind = 'text'\nread = { line = 'enable_cdi' }";
    let cdi = "enable_cdi = false";
    check(line, text(cdi), &format!("true | {cdi} | {cdi} | {cdi} | R"));
}

#[test]
fn one_option_claims_what_was_read() {
    let lines = "kind = 'one'\nread = { handlers = true }\noptions = ['a', 'b', 'c']\n\
                 option_values = { a = '', b = 'runc', c = 'runc, nvidia' }";
    check(lines, choice("c"), "true | runc, nvidia | nvidia, runc | nvidia, runc | R");
    check(lines, choice("a"), "false | [] | nvidia, runc | nvidia, runc | A");
    let empty = "kind = 'one'\nread = { value = 'plugins.\"io.containerd.grpc.v1.cri\".empty' }\n\
                 options = ['a', 'b']\noption_values = { a = '', b = 'x' }";
    check(empty, choice("a"), "true | \"\" | \"\" | \"\" | R");
}

#[test]
fn several_options_are_right_or_left_out() {
    let lines = "kind = 'several'\nread = { handlers = true }\noptions = ['a', 'b', 'c']\n\
                 option_values = { a = 'kata', b = 'runc', c = 'nvidia' }";
    check(lines, choice("c b"), "true | nvidia, runc | runc, nvidia | runc, nvidia | R");
    check(lines, choice("b"), "false | runc | runc, nvidia | runc, nvidia | C");
    check(lines, choice("a b"), "false | kata, runc | runc, nvidia | runc, nvidia | A\nC");
    check(lines, choice(""), "false | [] | runc, nvidia | runc, nvidia | B\nC");
}

#[test]
fn an_order_starts_at_the_main_file() {
    let lines = "kind = 'order'\nread = { load_order = true }\noptions = ['b', 'm', 'a']\n\
                 option_values = { a = '/a.toml', b = '/b.toml', m = '/etc/containerd/config.toml' }";
    let files = "/etc/containerd/config.toml, /a.toml, /b.toml";
    check(lines, choice("m a b"), &format!("true | {files} | {files} | {files} | R"));
    let given = "/b.toml, /a.toml, /etc/containerd/config.toml";
    check(lines, choice("b a m"), &format!("false | {given} | {files} | {files} | bam"));
}

#[test]
fn a_prediction_is_typed_as_it_comes() {
    let lines = "kind = 'predict'\nread = { handlers = true }";
    let text = |text: &str| Answer::Text(text.into());
    check(lines, text("runc,nvidia"), "true | runc,nvidia | nvidia, runc | nvidia, runc | R");
    check(lines, text("kata, runc"), "false | kata, runc | nvidia, runc | nvidia, runc | two");
    check("kind = 'predict'\nread = { exit = true }", Answer::Number(1), "false | 1 | 0 | 0 | O");
}

#[test]
fn the_daemon_is_read_beside_the_dump_and_may_not_be_simulated() {
    let text = |text: &str| Answer::Text(text.into());
    let lines = |live: &str| format!("kind = 'text'\nread = {{ live = {live} }}");
    check(&lines("'default_runtime_name'"), text("runc"), "true | runc | ? | runc | R");
    check(&lines("'booted'"), text("true"), "true | true | ? | true | R");
    check(&lines("'cri'"), text("error"), "false | error | ? | ok | O");
    check(&lines("'complaints'"), text("second"), "true | second | ? | second | R");
    check(&lines("'sandbox', handler = 'nvidia'"), text("created"), "false | created | ? | no runtime | O");
    let handlers = "kind = 'predict'\nread = { live = 'handlers' }";
    check(handlers, text("runc kata"), "true | runc kata | ? | kata, runc | R");
    check(handlers, text("kata runc nvidia"), "false | kata runc nvidia | ? | kata, runc | O");
    let several = "kind = 'several'\nread = { live = 'handlers' }\noptions = ['a', 'b']\n\
                   option_values = { a = 'kata', b = 'nvidia' }";
    check(several, choice("a"), "true | kata | ? | kata | R");
}

#[test]
fn a_simulated_daemon_stands_beside_the_recorded_one() {
    let texts = Texts::parse("en.toml", TEXTS).unwrap_or_else(|faults| panic!("{faults:?}"));
    let question = question("kind = 'predict'\nread = { live = 'handlers' }");
    let mut files = fourgaps_base::FileTree::new();
    files.write("/etc/containerd/config.toml", "version = 2\n");
    let version = fourgaps_config::Version::named("1.7.27").unwrap();
    let machine = fourgaps_config::daemon::Machine::recorded();
    let loaded = fourgaps_view::LoadedView::of(version, &files, "/etc/containerd/config.toml", &machine);
    let simulated = Recording::of(&simulated()).with_loaded(&loaded);
    let given = Answer::Text("runc".into());
    let m = mark(&question, &texts, &given, Some(&simulated), &recording()).unwrap();
    assert_eq!((m.simulator.as_deref(), m.recorded.as_str()), (Some("runc"), "kata, runc"));
}

#[test]
fn a_silent_daemon_has_an_empty_complaint_and_a_dead_one_has_no_handlers() {
    let silent = recording().with_live("booted = false\nexit = 1\ncomplaints = []\n").unwrap();
    let answer = |lines: &str| right_answer(&question(lines), &silent);
    let said = "kind = 'one'\nread = { live = 'complaints' }\noptions = ['a', 'b']\n\
                option_values = { a = '', b = 'x' }";
    assert_eq!(answer(said).unwrap(), choice("a"));
    let why = |read: &str| answer(&format!("kind = 'predict'\nread = {{ live = {read} }}")).unwrap_err();
    assert_eq!(why("'handlers'"), "the CRI service of the daemon did not answer");
    assert_eq!(why("'cri'"), "the daemon did not start");
    let unasked = why("'sandbox', handler = 'runc'");
    assert_eq!(unasked, "no answer to a sandbox with `runc` can be judged");
    assert!(recording().with_live("booted = true\ncomplaints = []\nuptime = 3\n").is_err());
}

#[test]
fn what_the_recording_does_not_have_is_said() {
    let why = |lines: &str| right_answer(&question(lines), &recording()).unwrap_err();
    let nothing = "options = ['a', 'b']\noption_values = { a = '8', b = '9' }";
    assert_eq!(why("kind = 'text'\nread = { line = 'none' }"), "no line of the dump contains `none`");
    assert_eq!(why("kind = 'text'\nread = { value = 'a.b' }"), "the dump has no value `a.b`");
    assert_eq!(why(&format!("kind = 'one'\nread = {{ exit = true }}\n{nothing}")), "no option claims `0`");
    let machine = "kind = 'text'\nread = { live = 'sandbox', handler = '(none)' }";
    assert_eq!(why(machine), "no answer to a sandbox with `(none)` can be judged");
    let never_started = Recording { live: None, ..recording() };
    let booted = question("kind = 'text'\nread = { live = 'booted' }");
    let why = right_answer(&booted, &never_started).unwrap_err();
    assert_eq!(why, "nothing is recorded of the daemon here");
}

#[test]
fn an_answer_of_another_kind_is_not_taken() {
    let one = question(
        "kind = 'one'\nread = { exit = true }\noptions = ['a', 'b']\noption_values = { a = '0', b = '1' }",
    );
    for (answer, wanted) in [
        (choice("a"), true),
        (choice("a b"), false),
        (choice("z"), false),
        (choice(""), false),
        (Answer::Number(0), false),
    ] {
        assert_eq!(one.accepts(&answer), wanted, "{answer:?}");
    }
}

#[test]
fn a_recorded_cluster_is_asked_by_row_and_column() {
    let told = Told::Text
        .read("$ kubectl get ds\nNAME   READY   STATUS\nnode   2       Pending\n# exit 0\n")
        .unwrap();
    let texts = Texts::parse("en.toml", TEXTS).unwrap();
    let mut question = question("kind = 'number'\nread = { exit = true }");
    question.told = Told::of("kubectl/get-ds");
    question.read = Read::Cell { row: "node".into(), column: "READY".into(), is_number: true };
    let m = mark(&question, &texts, &Answer::Number(2), None, &told).unwrap();
    assert_eq!((m.right, m.simulator, m.recorded.as_str()), (true, None, "2"));
    assert_eq!(m.version, "Kubernetes 1.34.9");
    question.read = Read::Cell { row: "node".into(), column: "STATUS".into(), is_number: true };
    assert_eq!(right_answer(&question, &told).unwrap_err(), "`Pending` is no number");
    question.read = Read::Cell { row: "omen".into(), column: "STATUS".into(), is_number: false };
    assert!(right_answer(&question, &told).unwrap_err().contains("no row `omen`"));
}
