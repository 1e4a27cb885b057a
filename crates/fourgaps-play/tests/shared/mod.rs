//! The shipped content, read from the folder of the workspace.

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

/// Every file of scenarios and recordings by its path below `static`.
pub fn content() -> BTreeMap<String, Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../static");
    let mut files = BTreeMap::new();
    for part in ["scenarios", "results"] {
        read_folder(&root, &root.join(part), &mut files);
    }
    files
}
