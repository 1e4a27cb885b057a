//! What real containerd 1.6 and 1.7 said about each file of the public TOML tests and of the recorded nodes.

use fourgaps_base::FileId;
use fourgaps_config::toml::v1;
use std::fs;
use std::path::{Path, PathBuf};

const VERSIONS: [&str; 2] = ["1.6.36", "1.7.27"];

/// The folder with the recordings; they lie beside the workspace and are not part of it.
fn shared(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("NOTICE: nothing was compared, the folder {} does not exist", folder.display());
    None
}

fn read_toml(path: &Path) -> toml::Table {
    let text = fs::read_to_string(path).expect("a recording is UTF-8");
    text.parse().expect("a recording is TOML")
}

/// What the parser says about a file, in the words of containerd's process; empty where it accepts the file.
fn verdict(path: &Path, bytes: &[u8]) -> String {
    let Err(error) = v1::parse(FileId(1), bytes) else { return String::new() };
    let position = error.reported.map_or(String::new(), |pos| format!("({}, {}): ", pos.line, pos.column));
    format!("containerd: failed to load TOML: {}: {position}{}", path.display(), error.message)
}

/// The first line of a text. The recorder cut lines where Python's `splitlines` does.
fn first_line(text: &str) -> &str {
    let ends = ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];
    text.split(ends).next().unwrap_or_default()
}

/// True for a refusal that names the file: one of the parser, if the file could be read.
fn is_of_parser(message: &str, path: &Path) -> bool {
    let Some(rest) = message.strip_prefix(&format!("containerd: failed to load TOML: {}: ", path.display()))
    else {
        return false;
    };
    !rest.starts_with("open /") && !rest.starts_with("read /")
}

#[test]
fn public_tests_get_the_recorded_verdicts() {
    let Some(folder) = shared("toml-test") else { return };
    let config = Path::new("/etc/containerd/config.toml");
    for version in VERSIONS {
        let verdicts = read_toml(&folder.join(format!("verdicts-{version}.toml")));
        let mut wrong = Vec::new();
        for (name, said) in &verdicts {
            let said = said.as_str().expect("a verdict is a text");
            let said = if is_of_parser(said, config) { said } else { "" };
            let bytes = fs::read(folder.join(format!("{name}.toml"))).expect("each verdict has its file");
            let ours = verdict(config, &bytes);
            if first_line(&ours) != first_line(said) {
                wrong.push(format!("{name}\n  real {said:?}\n  ours {ours:?}"));
            }
        }
        let (wrong_count, all) = (wrong.len(), verdicts.len());
        println!("{version}: {} of {all} verdicts are equal", all - wrong_count);
        assert!(wrong.is_empty(), "{version}: {wrong_count} of {all} differ\n{}", wrong.join("\n"));
    }
}

/// A dump that ends well has read the main file; one that ends badly names the file that it could not read.
#[test]
fn recorded_nodes_get_the_recorded_verdicts() {
    let Some(folder) = shared("oracle") else { return };
    let mut cases: Vec<PathBuf> = fs::read_dir(folder.join("cases"))
        .expect("the recordings have a folder of cases")
        .map(|entry| entry.expect("a case can be listed").path())
        .collect();
    cases.sort();
    for version in VERSIONS {
        let (mut wrong, mut refused, mut accepted) = (Vec::new(), 0, 0);
        for case in &cases {
            let name = case.file_name().expect("a case has a name");
            let result = folder.join("results").join(version).join(name).join("result.toml");
            if !result.is_file() {
                continue;
            }
            let result = read_toml(&result);
            let lines: Vec<&str> = result["stderr"]
                .as_array()
                .expect("standard error is a list")
                .iter()
                .filter_map(toml::Value::as_str)
                .collect();
            for path in config_files(&case.join("rootfs")) {
                let bytes = fs::read(case.join("rootfs").join(&path)).expect("a listed file can be read");
                let path = Path::new("/").join(path);
                let ours = verdict(&path, &bytes);
                let said = lines.iter().find(|line| is_of_parser(line, &path));
                let fits = match said {
                    Some(said) => {
                        refused += 1;
                        first_line(&ours) == first_line(said)
                    }
                    None if path == Path::new("/etc/containerd/config.toml")
                        && !lines.iter().any(|line| {
                            line.contains("failed to load TOML: /etc/containerd/config.toml")
                        }) =>
                    {
                        accepted += 1;
                        ours.is_empty()
                    }
                    None => true,
                };
                if !fits {
                    wrong.push(format!(
                        "{}: {}\n  real {said:?}\n  ours {ours:?}",
                        name.display(),
                        path.display()
                    ));
                }
            }
        }
        println!("{version}: {refused} refused and {accepted} accepted files compared");
        assert!(wrong.is_empty(), "{version}: {} differ\n{}", wrong.len(), wrong.join("\n"));
    }
}

/// The TOML files below a folder, relative to it.
fn config_files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.expect("a file can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                found.push(path.strip_prefix(root).expect("the file lies below the root").to_path_buf());
            }
        }
    }
    found.sort();
    found
}
