//! Where things lie in the checkout, and which files belong to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders that no version control keeps, for a checkout without git.
const BUILT: [&str; 5] = ["target", "dist", "node_modules", ".tools", ".git"];

/// The top folder of the checkout.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// A folder of recordings beside the checkout, where it is there.
pub fn shared(name: &str) -> Option<PathBuf> {
    Some(root().join("../shared").join(name)).filter(|folder| folder.is_dir())
}

/// Every file of the checkout, as a path from its top: the tracked ones and the new ones, without what is ignored.
pub fn files() -> Vec<String> {
    let words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let listed = Command::new("git").args(words).current_dir(root()).output();
    let mut files: Vec<String> = match listed {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => {
            String::from_utf8_lossy(&output.stdout).split_terminator('\0').map(String::from).collect()
        }
        _ => {
            let mut files = Vec::new();
            walk(&root(), "", &mut files);
            files
        }
    };
    files.retain(|file| root().join(file).is_file());
    files.sort_unstable();
    files.dedup();
    files
}

fn walk(folder: &Path, path: &str, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_empty() && BUILT.contains(&name.as_str()) {
            continue;
        }
        let below = format!("{path}{name}");
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{below}/"), files);
        } else {
            files.push(below);
        }
    }
}
