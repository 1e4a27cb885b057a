//! The gate on a small made-up folder: it passes, and every way to spoil it is found.

use super::*;
use fourgaps_base::FileTree;
use fourgaps_config::Version;
use fourgaps_view::NextStartView;

const CONFIG: &str = "version = 2\n[debug]\n  level = \"info\"\n";

const SCENARIO: &str = r#"format_version = 1
slug = "small"
containerd = "1.7.27"
count = "level"
files = ["/etc/containerd/config.toml"]
hints = [{ id = "one" }, { id = "two" }, { id = "three" }]
[[goals]]
id = "loud"
check = { value = { key = "debug.level", equals = "debug" } }
[[solution]]
write = { path = "/etc/containerd/config.toml", from = "loud.toml" }
[[questions]]
id = "level"
kind = "one"
case = "quiet"
read = { value = "debug.level" }
options = ["info", "debug"]
option_values = { info = "info", debug = "debug" }
[[questions]]
id = "exit"
kind = "predict"
case = "quiet"
read = { exit = true }
"#;

const TEXTS: &str = r#"format_version = 1
title = "T"
summary = "S"
story = ["P"]
goals.loud = { text = "g", met = "m", not_met = "n" }
hints.one = { text = "Look at `debug`." }
hints.two = { text = "Ask yourself what is written." }
hints.three = { text = "Say what you want in the main file." }
[questions.level]
text = "?"
right = "r"
options.info = { text = "i" }
options.debug = { text = "d", wrong = "w" }
[questions.exit]
text = "?"
right = "r"
otherwise = "o"
wrong = [{ answer = "1", text = "w" }]
"#;

/// The dump of the small case, from the simulator: here the gate is tested, not the engine.
fn dump() -> String {
    let mut files = FileTree::new();
    files.write("/etc/containerd/config.toml", CONFIG);
    let version = Version::named("1.7.27").expect("the version is built in");
    NextStartView::of(version, &files, "/etc/containerd/config.toml").text()
}

fn content() -> BTreeMap<String, Vec<u8>> {
    let index = "format_version = 1\nversions = ['1.7.27']\n[[cases]]\nname = 'quiet'\n\
                 files = ['/etc/containerd/config.toml']\n";
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (path, text) in [
        ("scenarios/index.toml", "format_version = 1\nscenarios = ['small']\n"),
        ("scenarios/small/scenario.toml", SCENARIO),
        ("scenarios/small/rootfs/etc/containerd/config.toml", CONFIG),
        ("scenarios/small/loud.toml", "version = 2\ndebug.level = \"debug\"\n"),
        ("scenarios/small/ja.toml", TEXTS),
        ("scenarios/small/ko.toml", TEXTS),
        ("scenarios/small/en.toml", TEXTS),
        ("results/index.toml", index),
        ("results/cases/quiet/case.toml", "title = 'quiet'\n"),
        ("results/cases/quiet/rootfs/etc/containerd/config.toml", CONFIG),
        ("results/1.7.27/quiet/dump.toml", &dump()),
        ("results/1.7.27/quiet/result.toml", "exit = 0\nstderr = [\n]\n"),
    ] {
        files.insert(path.into(), text.into());
    }
    files
}

/// Replaces a text in a file, or takes the file away where there is nothing to replace, and lists the faults.
#[track_caller]
fn check(path: &str, from: &str, to: &str, expected: &[&str]) {
    let mut files = content();
    if from.is_empty() && to.is_empty() {
        files.remove(path);
    } else {
        let text = files.remove(path).map(|bytes| String::from_utf8(bytes).expect("the content is text"));
        let text = text.unwrap_or_default();
        assert!(text.contains(from), "{from}");
        files.insert(path.into(), text.replacen(from, to, 1).into_bytes());
    }
    let shown: Vec<String> = super::check(&files).faults.iter().map(ToString::to_string).collect();
    assert_eq!(shown, expected);
}

const HOME: &str = "scenarios/small/scenario.toml";
const EN: &str = "scenarios/small/en.toml";

#[test]
fn good_content_passes() {
    let report = super::check(&content());
    assert_eq!(report.faults, []);
    let wanted = ScenarioSummary { slug: "small".into(), goals: 1, hints: 3, questions: 2, cases: 1 };
    assert_eq!(report.scenarios, [wanted]);
}

#[test]
fn the_lists_are_complete() {
    check(
        "scenarios/index.toml",
        "'small'",
        "",
        &["scenarios/index.toml:1:1: the scenario `small` is not listed"],
    );
    check(
        "scenarios/index.toml",
        "'small'",
        "'small', 'small', 'big'",
        &[
            "scenarios/index.toml:1:1: `small` is listed twice",
            "scenarios/index.toml:1:1: there is no folder for the scenario `big`",
        ],
    );
    check("scenarios/index.toml", "", "", &["scenarios/index.toml:1:1: the list of scenarios is missing"]);
    check("results/index.toml", "", "", &["results/index.toml:1:1: the list of recordings is missing"]);
    check(
        "results/cases/quiet/case.toml",
        "",
        "",
        &["results/index.toml:1:1: the case `quiet` has no file results/cases/quiet/case.toml"],
    );
    check(
        "results/cases/quiet/rootfs/x",
        "",
        "x",
        &["results/index.toml:1:1: results/cases/quiet/rootfs/x is not listed"],
    );
    check(
        HOME,
        "\"small\"",
        "\"large\"",
        &["scenarios/small/scenario.toml:2:1: the slug `large` is not the name of the folder, `small`"],
    );
    check(
        "scenarios/small/notes.txt",
        "",
        "x",
        &["scenarios/small/notes.txt:1:1: nothing uses this file; list it or take it away"],
    );
}

#[test]
fn every_language_says_everything() {
    check("scenarios/small/ko.toml", "", "", &["scenarios/small/ko.toml:1:1: this language is missing"]);
    check(
        EN,
        "hints.two",
        "hints.tow",
        &[
            "scenarios/small/en.toml:1:1: the hint `two` has no text",
            "scenarios/small/en.toml:7:7: there is a text for the hint `tow`, but no such hint",
        ],
    );
    check(EN, "\"Look at `debug`.\"", "\" \"", &["scenarios/small/en.toml:6:15: `text` is empty"]);
    check(
        EN,
        "options.info = { text = \"i\" }\n",
        "",
        &["scenarios/small/en.toml:1:1: the option of `level` `info` has no text"],
    );
    check(
        EN,
        "answer = \"1\"",
        "answer = \"2\"",
        &["scenarios/small/en.toml:14:12: `exit` foresees other wrong answers in en than in ja"],
    );
    check(
        EN,
        "text = \"w\" }]",
        "text = \"o\" }]",
        &["scenarios/small/en.toml:14:12: two wrong answers have the same explanation"],
    );
    check(
        EN,
        "otherwise = \"o\"\n",
        "",
        &[
            "scenarios/small/en.toml:14:12: `exit` needs `otherwise`, for wrong answers that were not foreseen",
        ],
    );
    check(
        EN,
        "goals.loud",
        "aside = { title = 'a', text = ['b'] }\ngoals.loud",
        &["scenarios/small/en.toml:1:1: only one of en and ja has an aside"],
    );
}

#[test]
fn goals_wait_for_the_solution() {
    check(
        HOME,
        "equals = \"debug\"",
        "equals = \"info\"",
        &[
            "scenarios/small/scenario.toml:7:3: every goal is met on arrival",
            "scenarios/small/scenario.toml:7:3: the solution does not meet the goal `loud`",
        ],
    );
    check(
        "scenarios/small/loud.toml",
        "level",
        "levle",
        &["scenarios/small/scenario.toml:7:3: the solution does not meet the goal `loud`"],
    );
    check(
        HOME,
        "write = { path = \"/etc/containerd/config.toml\", from = \"loud.toml\" }",
        "remove = '/none'",
        &[
            "scenarios/small/loud.toml:1:1: nothing uses this file; list it or take it away",
            "scenarios/small/scenario.toml:10:3: this step of the solution cannot be done: there is no file /none",
        ],
    );
    check(
        "scenarios/small/loud.toml",
        "",
        "",
        &[
            "scenarios/small/scenario.toml:7:3: the solution does not meet the goal `loud`",
            "scenarios/small/scenario.toml:10:3: the file loud.toml is not in the scenario's folder",
        ],
    );
}

#[test]
fn hints_lead_and_do_not_tell() {
    check(
        HOME,
        ", { id = \"three\" }",
        "",
        &[
            "scenarios/small/en.toml:8:7: there is a text for the hint `three`, but no such hint",
            "scenarios/small/ja.toml:8:7: there is a text for the hint `three`, but no such hint",
            "scenarios/small/ko.toml:8:7: there is a text for the hint `three`, but no such hint",
            "scenarios/small/scenario.toml:6:1: a ladder has 3 to 4 hints, but this has 2",
        ],
    );
    check(
        EN,
        "\"Look at `debug`.\"",
        "'Write `debug.level = \"debug\"`.'",
        &["scenarios/small/en.toml:6:7: the hint `one` gives the solution away: `debug.level = \"debug\"`"],
    );
    check(
        EN,
        "`debug`",
        "`systemctl restart containerd`",
        &[
            "scenarios/small/en.toml:6:7: the hint `one` holds a command to paste: `systemctl restart containerd`",
        ],
    );
}

#[test]
fn answers_follow_from_the_recording() {
    check(
        HOME,
        "info = \"info\"",
        "info = \"warn\"",
        &["scenarios/small/scenario.toml:12:3: question `level`: no option claims `info`"],
    );
    check(
        HOME,
        "debug = \"debug\" }",
        "debug = \"info\" }",
        &["scenarios/small/scenario.toml:12:3: question `level`: 2 options are right: info, debug"],
    );
    check(
        HOME,
        "case = \"quiet\"",
        "case = \"loud\"",
        &["scenarios/small/scenario.toml:12:3: question `level`: there is no recorded case `loud`"],
    );
    check(
        EN,
        ", wrong = \"w\" }\n",
        " }\n",
        &["scenarios/small/en.toml:13:9: option `debug` has no `wrong`"],
    );
    check(
        EN,
        "{ text = \"i\" }",
        "{ text = \"i\", wrong = \"x\" }",
        &["scenarios/small/en.toml:12:9: option `info` is right; its `wrong` is never shown"],
    );
    check(
        "results/1.7.27/quiet/result.toml",
        "exit = 0",
        "exit = 1",
        &[
            "scenarios/small/en.toml:18:10: `1` is right, or is there twice",
            "scenarios/small/ja.toml:18:10: `1` is right, or is there twice",
            "scenarios/small/ko.toml:18:10: `1` is right, or is there twice",
            "scenarios/small/scenario.toml:12:3: question `level`: the simulator ends with 0, the recording with 1",
            "scenarios/small/scenario.toml:19:3: question `exit`: the simulator ends with 0, the recording with 1",
        ],
    );
    check(
        "results/1.7.27/quiet/dump.toml",
        "oom_score = 0",
        "oom_score = 1",
        &[
            "scenarios/small/scenario.toml:12:3: question `level`: line 3: the simulator has `oom_score = 0`, the recording `oom_score = 1`",
            "scenarios/small/scenario.toml:19:3: question `exit`: line 3: the simulator has `oom_score = 0`, the recording `oom_score = 1`",
        ],
    );
}

#[test]
fn a_question_about_the_daemon_wants_its_recording() {
    let (exit, booted) = ("read = { exit = true }", "read = { live = 'booted' }");
    check(
        HOME,
        exit,
        booted,
        &["scenarios/small/scenario.toml:19:3: question `exit`: nothing is recorded of the daemon here"],
    );
    let index = "results/index.toml";
    let mut files = content();
    let listed = String::from_utf8(files[index].clone()).expect("the list is text") + "live = true\n";
    files.insert(index.into(), listed.clone().into_bytes());
    files.insert(HOME.into(), SCENARIO.replace(exit, booted).into_bytes());
    let live = "results/1.7.27/quiet/live.toml";
    files.insert(live.into(), b"booted = true\ncomplaints = []\n".to_vec());
    assert_eq!(super::check(&files).faults, []);
    files.remove(live);
    let faults: Vec<String> = super::check(&files).faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults[0], format!("results/index.toml:1:1: the case `quiet` has no file {live}"));
    // Further versions of one case are wanted like those of every case.
    files.insert(index.into(), (listed + "also = ['2.1.4']\n").into_bytes());
    let faults: Vec<String> = super::check(&files).faults.iter().map(ToString::to_string).collect();
    assert!(faults.contains(
        &"results/index.toml:1:1: the case `quiet` has no file results/2.1.4/quiet/dump.toml".into()
    ));
}

#[test]
fn a_folder_of_nonsense_is_no_panic() {
    for bytes in [&b"\xff\xfe"[..], b"", b"= = =", b"[[a]\n"] {
        let mut files = content();
        for path in files.keys().cloned().collect::<Vec<_>>() {
            let before = files.insert(path.clone(), bytes.to_vec());
            super::check(&files);
            files.insert(path, before.expect("the file was there"));
        }
    }
    assert_eq!(super::check(&BTreeMap::new()).faults.len(), 2);
}
