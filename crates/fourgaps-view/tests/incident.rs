//! The incident through every view: what loads, why, what leaving one out shows, what an upgrade would change.

use fourgaps_base::FileTree;
use fourgaps_config::daemon::start;
use fourgaps_config::{Request, Version, dump};
use fourgaps_view::{AblateView, Cause, ExplainView, LeaveOut, NextStartView, Plain, UpgradeView, What};

const MAIN: &str = "/etc/containerd/config.toml";
const NVIDIA: &str = "/etc/containerd/conf.d/99-nvidia.toml";
const REGISTRY: &str = "/etc/containerd/conf.d/zz-labhub-registry.toml";

/// The node of the recorded case `gap1-both`.
fn node() -> FileTree {
    let mut files = FileTree::new();
    files.write(MAIN, "version = 2\nimports = [\"/etc/containerd/conf.d/*.toml\"]\n");
    let handler = |name: &str| {
        format!(
            "[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.{name}]\n  runtime_type = \"io.containerd.runc.v2\"\n"
        )
    };
    files.write(NVIDIA, format!("version = 2\n{}{}", handler("runc"), handler("nvidia")));
    files.write(
        REGISTRY,
        "[plugins.\"io.containerd.grpc.v1.cri\".registry]\n  config_path = \"/etc/containerd/certs.d\"\n",
    );
    files
}

fn version(name: &str) -> &'static Version {
    Version::named(name).unwrap()
}

/// `explain` as the program prints it, daemon included.
fn explain(version_name: &str, files: &FileTree) -> ExplainView {
    let request = Request::new(version(version_name), files, MAIN);
    let run = dump(&request);
    let mut view = ExplainView::from_run(&request, &run);
    view.beside(&request, &run, &start(&request));
    view
}

#[track_caller]
fn surprises(version_name: &str, files: &FileTree, wanted: &[&str]) {
    let view = explain(version_name, files);
    let found: Vec<&str> = view.surprises.iter().map(|s| s.code.as_str()).collect();
    assert_eq!(found, wanted, "{:#?}", view.surprises);
}

#[test]
fn the_owner_and_the_losers_are_named() {
    let view = explain("1.7.27", &node());
    let loser = &view.files[1].plugins[0];
    assert_eq!(loser.replaced_by.as_deref(), Some(REGISTRY));
    let lost = &view.lost[0];
    assert_eq!((lost.source.file.as_str(), lost.source.line, lost.source.column), (NVIDIA, 5, 3));
    assert_eq!(lost.rule, "section replaced by zz-labhub-registry.toml, 1 of 2 files that name this plugin");
    let text = view.text(&Plain);
    assert!(text.contains("Handlers lost: nvidia."), "{text}");
    assert!(
        text.contains(&format!("config_path = \"/etc/containerd/certs.d\"  from {REGISTRY}:2:3")),
        "{text}"
    );
}

#[test]
fn every_kind_of_surprise_has_its_sentence() {
    surprises("1.7.27", &node(), &["section-replaced"]);
    surprises("2.1.4", &node(), &[]);
    surprises("2.0.5", &node(), &["dump-leaves-out"]);
    let main = |text: &str| {
        let mut files = node();
        files.write(MAIN, text);
        files
    };
    surprises(
        "1.7.27",
        &main("version = 2\nimports = ['/etc/containerd/config.d/*.toml']\n"),
        &["pattern-matches-nothing", "not-imported", "not-imported"],
    );
    let missing = main("version = 2\nimports = ['/etc/none.toml']\n");
    surprises("1.7.27", &missing, &["refused"]);
    surprises("2.1.4", &missing, &["daemon-refuses", "not-imported", "not-imported"]);
    surprises(
        "2.2.5",
        &main("version = 2\n"),
        &["printed-import-not-followed", "not-imported", "not-imported"],
    );
    let below = main("version = 2\n[plugins.'io.containerd.grpc.v1.cri']\nimports = ['conf.d/*.toml']\n");
    surprises("1.7.27", &below, &["imports-below-header", "not-imported", "not-imported"]);
    let mut no_runc = FileTree::new();
    no_runc.write(MAIN, "version = 2\n[plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes.nvidia]\nruntime_type = 'io.containerd.runc.v2'\n");
    surprises("1.7.27", &no_runc, &["cri-does-not-load"]);
    surprises("2.1.4", &no_runc, &[]);
    let mut zero = FileTree::new();
    zero.write(MAIN, "version = 2\nroot = ''\n");
    surprises("1.7.27", &zero, &["zero-does-not-override"]);
}

#[test]
fn a_key_can_be_asked_for_alone() {
    let files = node();
    let request = Request::new(version("1.7.27"), &files, MAIN);
    let run = dump(&request);
    let mut view = ExplainView::from_run(&request, &run);
    view.narrow(&run, "plugins.\"io.containerd.grpc.v1.cri\".registry");
    assert_eq!(view.values[0].value, "\"/etc/containerd/certs.d\"");
    assert!(view.values.iter().all(|row| row.key.contains(".registry")));
    assert!(view.lost.is_empty(), "the handlers lie elsewhere");
}

#[test]
fn leaving_one_out_finds_the_file() {
    let view = AblateView::of(version("1.7.27"), &node(), MAIN, "runtimes.nvidia");
    let counts: Vec<(LeaveOut, usize)> =
        view.rows.iter().map(|row| (row.leave_out.clone(), row.count)).collect();
    assert_eq!(
        counts,
        [
            (LeaveOut::Nothing, 0),
            (LeaveOut::Without(NVIDIA.into()), 0),
            (LeaveOut::Without(REGISTRY.into()), 2),
            (LeaveOut::Alone(NVIDIA.into()), 2),
            (LeaveOut::Alone(REGISTRY.into()), 0),
        ]
    );
    assert_eq!(view.rows[2].handlers, ["nvidia", "runc"]);
}

#[test]
fn the_dump_counts_like_grep() {
    let view = NextStartView::of(version("1.7.27"), &node(), MAIN);
    let text = view.text();
    assert_eq!(view.count("runtimes"), text.lines().filter(|line| line.contains("runtimes")).count());
    let line = view
        .dump
        .iter()
        .find(|line| line.text.contains("config_path = \"/etc/containerd/certs.d\""))
        .unwrap();
    assert_eq!(line.source.as_ref().unwrap().to_string(), format!("{REGISTRY}:2:3"));
}

#[test]
fn an_upgrade_is_told_cause_by_cause() {
    let files = node();
    let better = UpgradeView::of(version("1.7.27"), version("2.1.4"), &files, MAIN);
    assert!(!better.harmful);
    assert_eq!(better.handlers[0].what, What::Gained);
    let causes: Vec<Cause> = better.changes.iter().map(|c| c.cause).collect();
    assert_eq!(causes, [Cause::MergeRule, Cause::MergeRule, Cause::RenamedPlugin]);
    let worse = UpgradeView::of(version("2.1.4"), version("1.7.27"), &files, MAIN);
    assert!(worse.harmful, "the old merge rule takes nvidia away");
    assert_eq!((worse.handlers[0].name.as_str(), worse.handlers[0].what), ("nvidia", What::Lost));
    let same = UpgradeView::of(version("2.1.4"), version("2.1.4"), &files, MAIN);
    assert!(same.changes.is_empty() && !same.harmful && same.unchanged > 0);
}

#[test]
fn an_upgrade_that_does_not_start_says_so() {
    let mut files = node();
    files.write(NVIDIA, "version = 3\n");
    let view = UpgradeView::of(version("2.1.4"), version("2.3.4"), &files, MAIN);
    assert!(view.harmful);
    assert!(
        view.refused
            .as_ref()
            .unwrap()
            .ends_with("drop-in config version 3 higher than root config version 2")
    );
    assert!(view.text(&Plain).contains("It would not serve pods: "));
}
