//! Snippets played in the real bash of this machine and in ours: what is printed and the status must be equal.
//!
//! A snippet under the line `#! refused` must be refused instead, with the words "not simulated". One under
//! `#! differs: WHY` is a known fault: it must differ, so that nobody forgets to take the mark away.

use crate::term::Answer;
use crate::toy::Term;
use fourgaps_base::FileTree;
use std::fs;
use std::path::Path;
use std::process::Command;

const BASH: &str = "/bin/bash";
const LISTS: [(&str, &str); 4] = [
    ("awk", include_str!("../snippets/awk.txt")),
    ("syntax", include_str!("../snippets/syntax.txt")),
    ("programs", include_str!("../snippets/programs.txt")),
    ("options", include_str!("../snippets/options.txt")),
];

/// Copies the files that every snippet starts with into a folder on the disk and into a tree.
fn lay_out(from: &Path, to: &Path, tree: &mut FileTree) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (from, to) = {
            let entry = entry.unwrap();
            (entry.path(), to.join(entry.file_name()))
        };
        if from.is_dir() {
            lay_out(&from, &to, tree);
        } else {
            let bytes = fs::read(&from).unwrap();
            tree.write(to.to_str().unwrap(), bytes.clone());
            fs::write(&to, bytes).unwrap();
        }
    }
}

fn play_real(folder: &Path, snippet: &str) -> (String, i32) {
    let mut bash = Command::new(BASH);
    bash.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", "/root").env("LANG", "C.UTF-8");
    let done =
        bash.env("TZ", "UTC").current_dir(folder).args(["-c", snippet]).stdin(std::process::Stdio::null());
    let done = done.output().unwrap();
    (String::from_utf8_lossy(&done.stdout).into_owned(), done.status.code().unwrap_or(-1))
}

fn play_ours(term: &mut Term, tree: &FileTree, folder: &Path, snippet: &str) -> Answer {
    term.world.lock().unwrap().disks.insert("control".into(), tree.clone());
    assert!(term.shell.open("tab", "control"));
    assert_eq!(term.run(&format!("cd {}", folder.display())).status, 0);
    term.run(snippet)
}

#[test]
fn snippets_give_what_the_real_bash_gives() {
    if !Path::new(BASH).exists() {
        eprintln!("SKIPPED: there is no {BASH} to compare with");
        return;
    }
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snippets/files");
    let folder = std::env::temp_dir().join(format!("fourgaps-snippets-{}", std::process::id()));
    let only = std::env::var("SNIPPET").ok();
    let mut term = Term::new();
    let (mut played, mut findings) = (0, Vec::new());
    for (list, text) in LISTS {
        for (at, snippet) in text.split("\n%%\n").enumerate() {
            let (mark, snippet) = match snippet.strip_prefix("#! ").and_then(|rest| rest.split_once('\n')) {
                Some((mark, rest)) => (mark, rest),
                None => ("", snippet),
            };
            if only.as_ref().is_some_and(|only| !snippet.contains(only.as_str())) {
                continue;
            }
            let _ = fs::remove_dir_all(&folder);
            let mut tree = FileTree::new();
            for path in ["/root", "/tmp"] {
                tree.make_folder(path);
            }
            lay_out(&files, &folder, &mut tree);
            let ours = play_ours(&mut term, &tree, &folder, snippet);
            played += 1;
            let shown = format!(
                "{list} {}:\n{snippet}\n--- ours [{}]:\n{}{}",
                at + 1,
                ours.status,
                ours.out,
                ours.err
            );
            if mark == "refused" {
                if !ours.err.contains("not simulated in this lab") {
                    findings.push(format!("{shown}--- wanted: a refusal"));
                }
                continue;
            }
            let (out, status) = play_real(&folder, snippet);
            let differs = (&ours.out, ours.status) != (&out, status);
            if differs != mark.starts_with("differs: ") {
                let mark = if differs { "" } else { "--- no longer differs\n" };
                findings.push(format!("{shown}--- real [{status}]:\n{out}{mark}"));
            }
        }
    }
    let _ = fs::remove_dir_all(&folder);
    assert!(played > 0);
    assert!(findings.is_empty(), "{} of {played} differ\n\n{}", findings.len(), findings.join("\n=====\n"));
}
