//! Goals against made-up views: every predicate, met and not met.

use super::*;
use fourgaps_base::FileTree;
use fourgaps_view::{DumpLine, FileRow, HandlerRow};

const HEAD: &str = "format_version = 1\nslug = 's'\ncontainerd = '1.7.27'\ncount = 'x'\n\
                    files = ['/etc/containerd/config.toml']\n";
const DUMP: &str = "root = \"/var\"\n[debug]\n  gid = 0\n  on = false\n  list = [\"a\"]\n  ratio = 0.02\n";

fn scenario(check: &str) -> Scenario {
    let text = format!("{HEAD}[[goals]]\nid = 'g'\ncheck = {{ {check} }}\n");
    Scenario::parse("s.toml", &text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn next_start() -> NextStartView {
    let keys = ["root", "debug", "debug.gid", "debug.on", "debug.list", "debug.ratio"];
    let line = |(text, key): (&str, &str)| DumpLine {
        text: text.into(),
        key: key.into(),
        source: None,
        default: true,
        hides: Vec::new(),
    };
    let handler = |name: &str| HandlerRow {
        name: name.into(),
        runtime_type: "io.containerd.runc.v2".into(),
        binary_name: String::new(),
        source: None,
        is_default: name == "runc",
    };
    NextStartView {
        containerd: "1.7.27".into(),
        config: "/etc/containerd/config.toml".into(),
        exit: 0,
        stderr: Vec::new(),
        handlers: ["nvidia", "runc"].map(handler).into(),
        dump: DUMP.lines().zip(keys).map(line).collect(),
        fault: None,
    }
}

fn explain() -> ExplainView {
    let file = |path: &str| FileRow {
        path: path.into(),
        imported_by: None,
        pattern: None,
        version: None,
        plugins: Vec::new(),
    };
    ExplainView {
        format: 1,
        containerd: "1.7.27".into(),
        config: "/etc/containerd/config.toml".into(),
        exit: 0,
        stderr: Vec::new(),
        files: vec![file("/etc/containerd/config.toml")],
        handlers: Vec::new(),
        values: Vec::new(),
        lost: Vec::new(),
        started: None,
        surprises: Vec::new(),
    }
}

#[track_caller]
fn check(predicate: &str, met: bool) {
    let scenario = scenario(predicate);
    let mut files = FileTree::new();
    files.write("/etc/containerd/config.toml", "root = \"/var\"\n");
    files.write("/etc/sysctl.d/a.conf", "fs.inotify.max_user_instances = 500\n");
    files.write("/etc/good", "# whose is what\n\nconfig.toml the image\n");
    files.write("/etc/short", "config.toml\n");
    let text = "format_version = 1\ntitle = 't'\nsummary = 's'\nstory = ['p']\n\
                goals.g = { text = 'want', met = 'yes', not_met = 'no' }\n";
    let texts = Texts::parse("en.toml", text).unwrap();
    let state = State::start(&scenario, &scenario.machines_with(&files));
    let views = goals(&scenario, &texts, &state, &next_start(), &explain());
    let message = if met { "yes" } else { "no" };
    assert_eq!(views, [GoalView { id: "g".into(), met, text: "want".into(), message: message.into() }]);
}

#[test]
fn every_predicate_can_hold_and_fail() {
    for (predicate, met) in [
        ("handlers_include = ['runc', 'nvidia']", true),
        ("handlers_include = ['runc', 'kata']", false),
        ("handlers_include = []", true),
        ("handlers_exclude = ['kata']", true),
        ("handlers_exclude = ['kata', 'runc']", false),
        ("exit = 0", true),
        ("exit = 1", false),
        ("count = { text = 'root', at_least = 1 }", true),
        ("count = { text = 'root', equals = 2 }", false),
        ("count = { text = 'none', equals = 0 }", true),
        ("file_contains = { path = '/etc/containerd/config.toml', text = 'root' }", true),
        ("file_contains = { path = '/etc/none', text = 'root' }", false),
        ("imports = { path = '/etc/containerd/config.toml', loaded = true }", true),
        ("imports = { path = '/etc/none', loaded = true }", false),
        ("imports = { path = '/etc/none', loaded = false }", true),
        ("file_absent = '/etc/none'", true),
        ("file_absent = '/etc/containerd/config.toml'", false),
        ("unit = 'active'", true),
        ("unit = 'failed'", false),
        ("toolkit = true", false),
        ("toolkit = false", true),
        ("sandbox = { name = 'web' }", false),
        ("sysctl = { key = 'fs.inotify.max_user_instances', at_least = 128 }", true),
        ("sysctl = { key = 'fs.inotify.max_user_instances', at_least = 129 }", false),
        ("sysctl = { key = 'fs.inotify.max_user_instances', at_least = 500, at_boot = true }", true),
        ("sysctl = { key = 'fs.inotify.max_user_instances', at_least = 501, at_boot = true }", false),
        ("sysctl = { key = 'vm.none', at_least = 0 }", false),
        ("listed = { list = '/etc/good', folder = '/etc/containerd' }", true),
        ("listed = { list = '/etc/short', folder = '/etc/containerd' }", false),
        ("listed = { list = '/etc/good', folder = '/etc/sysctl.d' }", false),
        ("listed = { list = '/etc/none', folder = '/etc/containerd' }", false),
        ("not = { exit = 1 }", true),
        ("any = [{ exit = 1 }, { exit = 0 }]", true),
        ("any = []", false),
        ("all = [{ exit = 1 }, { exit = 0 }]", false),
    ] {
        check(predicate, met);
    }
}

#[test]
fn a_value_has_its_kind() {
    for (key, equals, met) in [
        ("root", "'/var'", true),
        ("root", "'\"/var\"'", false),
        ("debug.gid", "0", true),
        ("debug.gid", "'0'", false),
        ("debug . \"gid\"", "0", true),
        ("debug.on", "false", true),
        ("debug.ratio", "'0.02'", true),
        ("debug.list", "'a'", false),
        ("debug", "'a'", false),
        ("gid", "0", false),
    ] {
        check(&format!("value = {{ key = '{key}', equals = {equals} }}"), met);
    }
}

#[test]
fn a_unit_is_never_in_a_state_that_systemd_does_not_have() {
    let text = format!("{HEAD}[[goals]]\nid = 'g'\ncheck = {{ unit = 'ready' }}\n");
    let faults = Scenario::parse("s.toml", &text).unwrap_err();
    let wanted = "s.toml:8:11: a unit is never `ready`; it is one of active, inactive, failed, activating";
    assert_eq!(faults[0].to_string(), wanted);
}

#[test]
fn a_key_that_is_none_is_a_fault() {
    let text = format!("{HEAD}[[goals]]\nid = 'g'\ncheck = {{ value = {{ key = 'a b', equals = 1 }} }}\n");
    let faults = Scenario::parse("s.toml", &text).unwrap_err();
    assert_eq!(faults[0].to_string(), "s.toml:8:21: `a b` is no key as TOML writes it");
}

#[test]
fn a_line_holds_where_it_was_found_to_end_well() {
    let scenario = scenario(
        "any = [{ run = { on = 'control', line = 'true' } }, { not = { run = { on = 'control', line = 'false' } } }]",
    );
    assert_eq!(scenario.lines().len(), 2);
    let mut state = State::start(&scenario, &scenario.machines(|_| None));
    let met = |state: &State| {
        goals(&scenario, &no_words(), state, &next_start(), &explain()).iter().all(|goal| goal.met)
    };
    // Nobody has asked yet, and so nothing is known to end well.
    assert!(met(&state));
    state.world.apply(&fourgaps_cluster::Fact::Held(vec![false, true]));
    assert!(!met(&state));
    state.world.apply(&fourgaps_cluster::Fact::Held(vec![true, true]));
    assert!(met(&state));
}

#[test]
fn the_control_host_has_files_and_no_process() {
    let on = |check: &str| scenario(&format!("on = {{ node = 'control', check = {{ {check} }} }}"));
    let met = |scenario: &Scenario| {
        let mut state = State::start(scenario, &scenario.machines(|_| None));
        let edit = fourgaps_base::FileEdit::write("/root/a.txt", "word");
        state.world.apply(&fourgaps_cluster::Fact::Control(edit));
        goals(scenario, &no_words(), &state, &next_start(), &explain())[0].met
    };
    assert!(met(&on("file_contains = { path = '/root/a.txt', text = 'word' }")));
    assert!(!met(&on("unit = 'active'")));
}

fn no_words() -> Texts {
    Texts::parse("en.toml", "format_version = 1\ntitle = 't'\nsummary = 's'\nstory = ['s']\n").unwrap()
}
