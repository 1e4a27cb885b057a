//! The content that is shipped passes the gate.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn read_folder(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    let entries = std::fs::read_dir(folder).expect("the folder can be listed");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read_folder(root, &path, files);
        } else {
            let name = path.strip_prefix(root).expect("the path lies in the root").to_string_lossy();
            files.insert(name.replace('\\', "/"), std::fs::read(&path).expect("the file can be read"));
        }
    }
}

fn content() -> BTreeMap<String, Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../static");
    let mut files = BTreeMap::new();
    for part in ["scenarios", "results"] {
        read_folder(&root, &root.join(part), &mut files);
    }
    files
}

#[test]
fn the_content_passes_the_gate() {
    let report = fourgaps_lab::check(&content());
    let faults: Vec<String> = report.faults.iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert!(!report.scenarios.is_empty());
    for scenario in &report.scenarios {
        println!("{scenario:?}");
    }
}

#[test]
fn two_checks_say_the_same() {
    let files = content();
    assert_eq!(fourgaps_lab::check(&files), fourgaps_lab::check(&files));
}
