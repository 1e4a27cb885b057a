//! Work: undo, redo, saves and links, for short lists and for random ones.

use super::*;
use crate::Answer;
use fourgaps_base::FileTree;
use fourgaps_cluster::Fact;

const SCENARIO: &str = r#"
format_version = 1
slug = "small"
containerd = "1.7.27"
count = "nvidia"
files = ["/etc/containerd/config.toml"]
hints = [{ id = "one" }, { id = "two" }]
[[questions]]
id = "how-many"
kind = "number"
case = "c"
read = { count = "x" }
"#;

fn scenario() -> Scenario {
    Scenario::parse("scenario.toml", SCENARIO).expect("the scenario is good")
}

fn start() -> Machines {
    let mut files = FileTree::new();
    files.write("/etc/containerd/config.toml", "version = 2\n");
    scenario().machines_with(&files)
}

fn work() -> Work {
    Work::new(&scenario(), &start())
}

fn write(path: &str, text: &str, part: bool) -> Action {
    Action::Write { path: path.into(), text: text.into(), part, node: None }
}

#[track_caller]
fn check_text(work: &Work, wanted: Option<&str>) {
    assert_eq!(work.state().files().text("/a").as_deref(), wanted);
}

#[test]
fn typing_is_one_step() {
    let mut work = work();
    for (text, part) in [("a", false), ("ab", true), ("abc", true)] {
        work.act(write("/a", text, part)).unwrap();
    }
    assert_eq!(work.actions().len(), 1);
    work.act(write("/a", "abc d", false)).unwrap();
    work.act(write("/b", "x", true)).unwrap();
    assert_eq!(work.actions().len(), 3);
    work.undo();
    work.undo();
    check_text(&work, Some("abc"));
    // After an undo, typing starts a new step.
    work.act(write("/a", "abcd", true)).unwrap();
    work.undo();
    check_text(&work, Some("abc"));
    work.undo();
    check_text(&work, None);
    assert!(!work.undo());
}

#[test]
fn a_new_action_cuts_what_was_undone() {
    let mut work = work();
    work.act(write("/a", "1", false)).unwrap();
    work.act(write("/a", "2", false)).unwrap();
    work.undo();
    assert!(work.can_redo());
    work.act(write("/a", "3", false)).unwrap();
    assert!(!work.can_redo() && !work.redo());
    check_text(&work, Some("3"));
}

#[test]
fn a_reset_can_be_undone() {
    let mut work = work();
    work.act(write("/a", "1", false)).unwrap();
    work.act(Action::Hint).unwrap();
    let before = work.state().clone();
    work.reset();
    check_text(&work, None);
    assert_eq!(work.state().hints_shown, 0);
    // A second reset changes nothing and leaves no trace.
    work.reset();
    work.undo();
    assert_eq!(*work.state(), before);
}

#[test]
fn what_is_not_possible_is_refused_and_changes_nothing() {
    let answer = |question: &str, answer| Action::Answer { question: question.into(), answer };
    let rename = |from: &str, to: &str| Action::Rename { from: from.into(), to: to.into(), node: None };
    for (action, code) in [
        (write("a", "", false), "bad-path"),
        (write("/a/../b", "", false), "bad-path"),
        (write("/etc", "", false), "is-folder"),
        (write("/etc/containerd/config.toml/x", "", false), "below-file"),
        (write("/a", &"x".repeat(300_000), false), "too-long"),
        (Action::Remove { path: "/none".into(), node: None }, "no-such-file"),
        (rename("/none", "/a"), "no-such-file"),
        (rename("/etc/containerd/config.toml", "/etc"), "name-taken"),
        (answer("how-much", Answer::Number(1)), "no-such-question"),
        (answer("how-many", Answer::Text("1".into())), "wrong-kind"),
    ] {
        let mut work = work();
        let refusal = work.act(action.clone()).unwrap_err();
        assert_eq!(refusal.code, code, "{action:?}");
        assert!(!refusal.text.contains('{'), "{refusal}");
        assert_eq!(work, self::work());
    }
    let mut work = work();
    work.act(Action::Hint).unwrap();
    work.act(Action::Hint).unwrap();
    assert_eq!(work.act(Action::Hint).unwrap_err().code, "no-more-hints");
}

#[track_caller]
fn check_refused(saved: &str, code: &str) {
    let error = Work::restore(&scenario(), &start(), saved).unwrap_err();
    assert_eq!(error.code(), code, "{error}");
}

#[test]
fn a_save_that_is_not_ours_is_refused() {
    let mut work = work();
    work.act(write("/a", "1", false)).unwrap();
    let saved = work.save();
    assert!(saved.starts_with(r#"{"format":1,"engine":""#), "{saved}");
    check_refused(&saved.replace(r#""format":1"#, r#""format":7,"later":true"#), "newer");
    check_refused(&saved.replace(r#""format":1"#, r#""format":0"#), "broken");
    check_refused(&saved.replace(r#""done":1"#, r#""done":2"#), "broken");
    check_refused(&saved.replace(r#""done":1"#, r#""done":1,"mark":9"#), "broken");
    check_refused(&saved.replace("small", "other"), "other-scenario");
    check_refused(&saved.replace(r#""path":"/a""#, r#""path":"a""#), "does-not-replay");
    check_refused(&saved[..saved.len() / 2], "broken");
    check_refused("", "broken");
    let mut changed = FileTree::new();
    changed.write("/etc/containerd/config.toml", "version = 3\n");
    let error = Work::restore(&scenario(), &scenario().machines_with(&changed), &saved).unwrap_err();
    assert_eq!(error.code(), "scenario-changed");
}

#[test]
fn another_version_is_a_step_like_any_other() {
    let other = |name: &str| Action::Version { containerd: name.into() };
    let mut work = work();
    work.act(other("2.1.4")).unwrap();
    work.act(other("2.1.4")).unwrap();
    assert_eq!((work.done(), work.state().version.as_str()), (1, "2.1.4"));
    assert_eq!(work.act(other("9.9.9")).unwrap_err().code, "no-such-version");
    // An older program must not take this for a broken save.
    assert!(work.save().starts_with(r#"{"format":2,"#), "{}", work.save());
    assert!(work.save().contains(r#"{"do":"version","containerd":"2.1.4"}"#), "{}", work.save());
    let linked = Work::from_link(&scenario(), &start(), &work.to_link()).unwrap();
    assert_eq!(linked.state().version, "2.1.4");
    // Back to that of each node, which is not the same as the scenario's.
    work.act(other("")).unwrap();
    assert_eq!(work.state().version, "");
    assert!(work.save().starts_with(r#"{"format":5,"#), "{}", work.save());
    assert!(work.undo() && work.undo());
    assert_eq!(work.state().version, "");
    assert!(work.redo());
    work.reset();
    assert_eq!(work.state().version, "");
}

/// A file of the control host is none of a node, and older pages do not take it for one.
#[test]
fn a_file_of_the_control_host_is_written_there() {
    let on_control = |path: &str, text: &str| Action::Write {
        path: path.into(),
        text: text.into(),
        part: false,
        node: Some("control".into()),
    };
    let text = |work: &Work, path: &str| {
        let files = work.state().world.files("control").unwrap();
        files.text(path).map(|text| text.into_owned())
    };
    let mut work = work();
    work.act(on_control("/root/new/check.sh", "exit 0\n")).unwrap();
    assert_eq!(text(&work, "/root/new/check.sh").as_deref(), Some("exit 0\n"));
    assert!(work.state().files().text("/root/new/check.sh").is_none());
    assert_eq!(work.act(on_control("/root/new", "")).unwrap_err().code, "is-folder");
    assert!(work.save().starts_with(r#"{"format":6,"#), "{}", work.save());
    let linked = Work::from_link(&scenario(), &start(), &work.to_link()).unwrap();
    assert_eq!(text(&linked, "/root/new/check.sh").as_deref(), Some("exit 0\n"));
    let control = || Some("control".to_string());
    let (from, to) = ("/root/new/check.sh".to_string(), "/root/check.sh".to_string());
    work.act(Action::Rename { from, to: to.clone(), node: control() }).unwrap();
    work.act(Action::Remove { path: to, node: control() }).unwrap();
    assert_eq!(text(&work, "/root/check.sh"), None);
    assert!(work.undo() && work.undo() && work.undo());
    assert_eq!(text(&work, "/root/new/check.sh"), None);
}

/// A small generator with a seed, so that a failing list comes back on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn action(&mut self) -> Action {
        let path =
            |n: u64| format!("/etc/containerd/{}", ["config.toml", "a.toml", "日.toml", "x/y"][n as usize]);
        match self.roll(9) {
            0..=3 => Action::Write {
                path: path(self.roll(4)),
                text: format!("a = {} # \"é\"\n", self.roll(4)),
                part: self.roll(2) == 0,
                node: None,
            },
            4 => Action::Remove { path: path(self.roll(4)), node: None },
            5 => Action::Rename { from: path(self.roll(4)), to: path(self.roll(4)), node: None },
            6 => Action::Hint,
            7 => Action::Version { containerd: ["1.7.27", "2.1.4", "0.1"][self.roll(3) as usize].into() },
            _ => match self.roll(4) {
                0 => Action::Reset,
                n => Action::Answer { question: "how-many".into(), answer: Answer::Number(n as i64) },
            },
        }
    }
}

#[test]
fn random_work_survives_undo_save_and_link() {
    for seed in 0..200 {
        let mut dice = Dice(seed);
        let mut work = work();
        let mut states = vec![work.state().clone()];
        for _ in 0..30 {
            let before = work.state().clone();
            let refused = work.act(dice.action()).is_err();
            if *work.state() != before {
                assert!(!refused, "seed {seed}");
                states.truncate(work.done());
                states.push(work.state().clone());
            }
            if dice.roll(6) == 0 {
                work.undo();
            }
            assert_eq!(*work.state(), states[work.done()], "seed {seed}");
        }
        let back = (dice.roll(4) as usize).min(work.done());
        for _ in 0..back {
            work.undo();
        }
        check_round_trips(seed, &mut work, &states);
    }
}

fn check_round_trips(seed: u64, work: &mut Work, states: &[State]) {
    let restored = Work::restore(&scenario(), &start(), &work.save()).unwrap();
    let linked = Work::from_link(&scenario(), &start(), &work.to_link()).unwrap();
    for other in [&restored, &linked] {
        assert_eq!((other.actions(), other.done()), (work.actions(), work.done()), "seed {seed}");
        assert_eq!(other.state(), work.state(), "seed {seed}");
        assert_eq!(other.save(), work.save(), "seed {seed}");
    }
    while work.redo() {}
    for done in (0..work.done()).rev() {
        assert!(work.undo());
        assert_eq!(*work.state(), states[done], "seed {seed}, {done} done");
    }
    for wanted in &states[1..] {
        assert!(work.redo());
        assert_eq!(work.state(), wanted, "seed {seed}");
    }
}

#[test]
fn a_line_of_the_terminal_is_a_step_and_carries_what_it_did() {
    let ran = |line: &str, did: Vec<Fact>| Action::Ran { tab: "omen".into(), line: line.into(), did };
    let written =
        Fact::Node("omen".into(), fourgaps_node::Fact::Edited(fourgaps_base::FileEdit::write("/a", "é\n")));
    let mut work = work();
    work.act(ran("echo é > /a", vec![written])).unwrap();
    work.act(ran("cd /etc", Vec::new())).unwrap();
    assert_eq!(work.done(), 2);
    check_text(&work, Some("é\n"));
    assert!(work.save().starts_with(r#"{"format":3,"#));
    assert_eq!(Work::from_link(&scenario(), &start(), &work.to_link()).unwrap(), work);
    work.undo();
    work.undo();
    check_text(&work, None);
}

#[track_caller]
fn check_restores(work: &Work) {
    let restored = Work::restore(&scenario(), &start(), &work.save()).unwrap();
    assert_eq!((restored.actions(), restored.done()), (work.actions(), work.done()));
    assert!(restored.state() == work.state());
}

#[test]
fn going_on_from_an_earlier_moment_loses_nothing() {
    let mut work = work();
    for text in ["1", "2", "3"] {
        work.act(write("/a", text, false)).unwrap();
    }
    work.go_on_from(1, Some(write("/b", "x", false))).unwrap();
    check_text(&work, Some("1"));
    assert_eq!(work.lived(), [0, 4]);
    // An older program must not take this for something else.
    assert!(work.save().starts_with(r#"{"format":4,"#), "{}", work.save());
    check_restores(&work);
    // One step takes the new action back, the next one the going back itself.
    work.undo();
    check_text(&work, Some("1"));
    assert_eq!(work.state().files().text("/b"), None);
    work.undo();
    check_text(&work, Some("3"));
    work.redo();
    work.redo();
    assert_eq!(work.state().files().text("/b").as_deref(), Some("x"));
    // From the start, and from where the work stands: the last leaves nothing aside.
    work.go_on_from(0, None).unwrap();
    check_text(&work, None);
    let steps = work.actions().len();
    work.go_on_from(0, Some(write("/c", "y", false))).unwrap();
    assert_eq!(work.actions().len(), steps + 1);
    // What is not possible at that moment leaves the work as it was.
    let before = work.clone();
    work.go_on_from(0, Some(Action::Remove { path: "/c".into(), node: None })).unwrap_err();
    assert!(work == before);
    check_refused(&work.save().replace(r#""do":"back","to":1"#, r#""do":"back","to":9"#), "does-not-replay");
}

#[test]
fn random_branches_survive_undo_and_save() {
    for seed in 0..100 {
        let mut dice = Dice(seed);
        let mut work = work();
        let mut states = vec![work.state().clone()];
        for _ in 0..25 {
            let lived = work.lived().len() as u64;
            let _ = match dice.roll(3) {
                0 => work.go_on_from(dice.roll(lived + 1) as u32, Some(dice.action())),
                _ => work.act(dice.action()),
            };
            states.resize(work.done() + 1, work.state().clone());
            states[work.done()] = work.state().clone();
        }
        check_restores(&work);
        while work.undo() {
            let known = &states[work.done()];
            // The moment between going back and the action after it was never seen by itself.
            let between = matches!(work.actions()[..work.done()].last(), Some(Action::Back { .. }));
            assert!(between || work.state() == known, "seed {seed}");
        }
    }
}
