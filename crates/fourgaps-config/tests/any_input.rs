//! Whatever lies on the disk: a real message or one clear line, never a panic and never a hang.

use fourgaps_base::FileTree;
use fourgaps_config::daemon::start;
use fourgaps_config::{DumpRun, Request, Version, dump};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

const MAIN: &str = "/etc/containerd/config.toml";

fn run(version: &str, files: &FileTree) -> DumpRun {
    dump(&Request::new(Version::named(version).unwrap(), files, MAIN))
}

/// Every answer is whole: a dump and status 0, or last words and another status.
fn check(files: &FileTree) {
    for version in Version::all() {
        let request = Request::new(version, files, MAIN);
        let run = dump(&request);
        assert_eq!(run.exit == 0, !run.lines.is_empty(), "{}: {:?}", version.name(), run.stderr);
        assert_eq!(run.exit != 0, run.fault.is_some(), "{}: {:?}", version.name(), run.stderr);
        assert_eq!(run, dump(&request), "{}: twice the same", version.name());
        let daemon = start(&request);
        assert_eq!(daemon.booted(), daemon.fault.is_none(), "{}: {:?}", version.name(), daemon.complaints);
        assert!(daemon.booted() || !daemon.complaints.is_empty(), "{}: last words", version.name());
        assert_eq!(daemon, start(&request), "{}: the same process twice", version.name());
    }
}

fn tree(main: impl Into<Vec<u8>>, drop_in: impl Into<Vec<u8>>) -> FileTree {
    let mut files = FileTree::new();
    files.write(MAIN, main);
    files.write("/etc/containerd/conf.d/50-x.toml", drop_in);
    files
}

/// The texts of all recorded nodes, as a source of plausible input.
fn corpus() -> Vec<String> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../static/results/cases");
    let mut texts = BTreeSet::new();
    let mut folders = vec![home];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().contains("rootfs") {
                texts.extend(std::fs::read_to_string(&path));
            }
        }
    }
    assert!(texts.len() > 30, "the copied recordings are missing");
    texts.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(main in prop::collection::vec(any::<u8>(), 0..400), drop_in in prop::collection::vec(any::<u8>(), 0..400)) {
        check(&tree(main, drop_in));
    }

    #[test]
    fn mutated_recordings(
        pick in any::<prop::sample::Index>(), other in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(),
        put in "[\\[\\]{}\"'=.,#\n 0-9a-z]{0,6}",
    ) {
        let texts = corpus();
        let (text, drop_in) = (pick.get(&texts), other.get(&texts));
        let mut chars: Vec<char> = text.chars().collect();
        if !chars.is_empty() {
            chars.remove(cut.index(chars.len()));
            let at = at.index(chars.len() + 1);
            chars.splice(at..at, put.chars());
        }
        let main: String = chars.into_iter().collect();
        check(&tree(main.clone(), drop_in.as_str()));
        check(&tree("version = 2\nimports = [\"conf.d/*.toml\"]\n", main));
    }
}

#[test]
fn a_file_that_is_no_text() {
    check(&tree(b"version = 2\nroot = \"\xff\xfe\"\n".to_vec(), ""));
}

#[test]
fn ten_megabytes_on_one_line() {
    let line = format!("version = 2\nroot = \"{}\"\n", "x".repeat(10_000_000));
    let mut files = FileTree::new();
    files.write(MAIN, line);
    for version in ["1.7.27", "2.1.4"] {
        assert_eq!(run(version, &files).exit, 0, "{version}");
    }
    files.write(MAIN, "x".repeat(10_000_000));
    for version in ["1.7.27", "2.1.4"] {
        assert_eq!(run(version, &files).exit, 1, "{version}");
    }
}

#[test]
fn ten_thousand_nested_tables() {
    let header = format!("version = 2\n[{}a]\n", "a.".repeat(10_000));
    let lists = format!("version = 2\na = {}1{}\n", "[".repeat(10_000), "]".repeat(10_000));
    let inline = format!("version = 2\na = {}1{}\n", "{a=".repeat(10_000), "}".repeat(10_000));
    for text in [header, lists, inline] {
        check(&tree(text, ""));
    }
}

#[test]
fn a_folder_for_a_file() {
    let mut files = FileTree::new();
    files.make_folder(MAIN);
    check(&files);
    let mut files = tree("version = 2\nimports = [\"conf.d/*.toml\"]\n", "");
    files.make_folder("/etc/containerd/conf.d/folder.toml");
    check(&files);
}

#[test]
fn two_thousand_drop_ins() {
    let mut files = FileTree::new();
    files.write(MAIN, "version = 2\nimports = [\"/etc/containerd/conf.d/*.toml\"]\n");
    for n in 0..2_000 {
        let text = format!(
            "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.h{n}]\n  runtime_type = \"r{n}\"\n"
        );
        files.write(&format!("/etc/containerd/conf.d/{n:04}.toml"), text);
    }
    let old = run("1.7.27", &files);
    assert_eq!(old.handlers.len(), 1, "the last file owns the section");
    assert_eq!(old.hidden.len(), 1_999);
    assert_eq!(run("2.1.4", &files).handlers.len(), 2_001, "deep merge keeps them all, and runc");
}
