//! The house rules that a compiler does not know: which room may use which, and what may stand where.

use fourgaps_tests::house;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The rooms from the ground up. A room may use those before it; the last two do not use each other.
const ROOMS: [&str; 10] = [
    "fourgaps-base",
    "fourgaps-config",
    "fourgaps-node",
    "fourgaps-cluster",
    "fourgaps-view",
    "fourgaps-shell",
    "fourgaps-lab",
    "fourgaps-play",
    "fourgaps-cli",
    "web",
];
/// The rooms that know neither a browser nor a disk.
const PURE: usize = 7;

/// The names that may stand at the top, besides those that begin with a dot.
const TOP: [&str; 15] = [
    "ARCHITECTURE.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "Trunk.toml",
    "clippy.toml",
    "crates",
    "index.html",
    "package-lock.json",
    "package.json",
    "rustfmt.toml",
    "static",
    "tests",
    "web",
];

/// Crates that only make sense in a browser; every `gloo` crate counts too.
const OF_THE_WEB: [&str; 7] = [
    "js-sys",
    "wasm-bindgen",
    "wasm-bindgen-futures",
    "web-sys",
    "yew",
    "serde-wasm-bindgen",
    "console_error_panic_hook",
];

/// Lines of Rust that a file may have.
const MOST_LINES: usize = 600;

/// Fails with every finding, not only the first.
#[track_caller]
fn none(findings: &[String]) {
    assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
}

fn read(file: &str) -> String {
    String::from_utf8_lossy(&fs::read(house::root().join(file)).unwrap()).into_owned()
}

fn manifest(folder: &str) -> toml::Table {
    read(&format!("{folder}/Cargo.toml")).parse().unwrap()
}

/// The folder of a room, where this checkout has it.
fn folder(room: &str) -> Option<String> {
    let folder = if room == "web" { room.to_string() } else { format!("crates/{room}") };
    house::root().join(&folder).is_dir().then_some(folder)
}

/// The crates in `dependencies`, and in those of a target.
fn dependencies(manifest: &toml::Table) -> BTreeSet<String> {
    let of = |table: &toml::Table| -> Vec<String> {
        let found = table.get("dependencies").and_then(toml::Value::as_table);
        found.into_iter().flat_map(|table| table.keys().cloned()).collect()
    };
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let targets = targets.into_iter().flat_map(toml::Table::values).filter_map(toml::Value::as_table);
    targets.flat_map(of).chain(of(manifest)).collect()
}

/// Rust files below a folder, with their text.
fn rust_below(folder: &str) -> Vec<(String, String)> {
    let head = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let files = house::files().into_iter().filter(|file| file.starts_with(&head) && file.ends_with(".rs"));
    files.map(|file| (file.clone(), read(&file))).collect()
}

/// The lines of a file that are not comments, with their numbers; without the tests at its end.
fn code(text: &str) -> Vec<(usize, &str)> {
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut all = text.lines().enumerate().peekable();
    while let Some((at, line)) = all.next() {
        let tests =
            line.trim() == "#[cfg(test)]" && all.peek().is_some_and(|(_, l)| l.starts_with("mod tests {"));
        if tests {
            break;
        }
        if !line.trim_start().starts_with("//") {
            lines.push((at + 1, line));
        }
    }
    lines
}

fn is_test_file(file: &str) -> bool {
    file.ends_with("/tests.rs")
        || file.contains("/tests/")
        || file.contains("/benches/")
        || file.ends_with("/build.rs")
}

#[test]
fn arrows_point_down() {
    let mut findings = Vec::new();
    for (at, room) in ROOMS.iter().enumerate() {
        let Some(folder) = folder(room) else { continue };
        let manifest = manifest(&folder);
        let below = if *room == "web" { &ROOMS[..PURE] } else { &ROOMS[..at] };
        for used in dependencies(&manifest) {
            if ROOMS.contains(&used.as_str()) && !below.contains(&used.as_str()) || used.starts_with("xtask")
            {
                findings.push(format!("{folder}/Cargo.toml: {room} must not use {used}"));
            }
        }
    }
    let xtask = dependencies(&manifest("crates/xtask"));
    findings
        .extend(xtask.iter().map(|used| format!("crates/xtask/Cargo.toml: it uses no crate, but {used}")));
    none(&findings);
}

#[test]
fn every_crate_is_a_room_with_the_name_of_its_folder() {
    let mut findings = Vec::new();
    for file in house::files() {
        let Some(folder) = file.strip_suffix("/Cargo.toml") else { continue };
        let manifest = manifest(folder);
        let name = manifest["package"]["name"].as_str().unwrap_or_default();
        let wanted = if folder == "tests" {
            "fourgaps-tests"
        } else {
            Path::new(folder).file_name().unwrap().to_str().unwrap()
        };
        if name != wanted {
            findings.push(format!("{file}: the crate is called {name}, its folder {wanted}"));
        }
        if !ROOMS.contains(&name) && !["fourgaps-tests", "xtask"].contains(&name) {
            findings.push(format!("{file}: {name} has no place among the rooms; see the list in this test"));
        }
        let lints = manifest.get("lints").and_then(|lints| lints.get("workspace")?.as_bool());
        if lints != Some(true) {
            findings.push(format!("{file}: [lints] workspace = true is missing"));
        }
    }
    none(&findings);
}

#[test]
fn pure_rooms_know_no_browser() {
    let mut findings = Vec::new();
    for room in &ROOMS[..PURE] {
        let Some(folder) = folder(room) else { continue };
        for used in dependencies(&manifest(&folder)) {
            if OF_THE_WEB.contains(&used.as_str()) || used.starts_with("gloo") {
                findings.push(format!("{folder}/Cargo.toml: {used} belongs to web"));
            }
        }
    }
    none(&findings);
}

#[test]
fn pure_rooms_know_no_disk_clock_network_process_or_terminal() {
    let mut findings = Vec::new();
    for room in &ROOMS[..PURE] {
        let Some(folder) = folder(room) else { continue };
        for (file, text) in rust_below(&folder) {
            if is_test_file(&file) {
                continue;
            }
            for (at, line) in code(&text) {
                if let Some(word) = impure(line) {
                    findings.push(format!("{file}:{at}: {word}"));
                }
            }
        }
    }
    none(&findings);
}

/// What a line of code asks of the world outside, if anything.
fn impure(line: &str) -> Option<&'static str> {
    let modules = ["fs", "time", "net", "process", "env", "thread"];
    let module = modules.into_iter().find(|module| {
        let after = |head: &str| line.split(head).skip(1).any(|rest| starts_with_word(rest, module));
        let listed = line.trim_start().starts_with("use std::{")
            && line.split(['{', ',', ' ', ':']).any(|word| word.trim_end_matches(['}', ';']) == *module);
        after("std::") || listed
    });
    let prints = ["println!", "eprintln!", "print!", "eprint!"].into_iter().find(|word| line.contains(word));
    module.or(prints)
}

fn starts_with_word(text: &str, word: &str) -> bool {
    let rest = text.strip_prefix(word);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

#[test]
fn impure_lines_are_seen() {
    assert_eq!(impure("use std::fs;"), Some("fs"));
    assert_eq!(impure("    let now = std::time::Instant::now();"), Some("time"));
    assert_eq!(impure("use std::{collections::BTreeMap, net};"), Some("net"));
    assert_eq!(impure("use std::{fmt, str};"), None);
    assert_eq!(impure("use std::fstab;"), None);
    assert_eq!(impure("    println!(\"x\");"), Some("println!"));
}

#[test]
fn the_page_never_unwraps() {
    let mut findings = Vec::new();
    for (file, text) in rust_below("web/src") {
        for (at, line) in code(&text) {
            if line.contains(".unwrap()") {
                findings.push(format!("{file}:{at}: name the reason with expect, or handle it"));
            }
        }
    }
    none(&findings);
}

#[test]
fn no_test_is_left_out_and_none_waits() {
    // Written in two parts, so that this file does not find itself.
    let ignored = concat!("#[", "ignore");
    let sleeps = concat!("thread::", "sleep");
    let waits = ["waitForTimeout", "setTimeout"];
    let mut findings = Vec::new();
    for (file, text) in rust_below("") {
        for (at, line) in text.lines().enumerate() {
            if line.contains(ignored) || line.contains(sleeps) {
                findings.push(format!("{file}:{}: {}", at + 1, line.trim()));
            }
        }
    }
    for file in house::files().into_iter().filter(|file| file.starts_with("tests/e2e/")) {
        for (at, line) in read(&file).lines().enumerate() {
            if waits.iter().any(|word| line.contains(word)) {
                findings.push(format!("{file}:{}: wait for what the page shows", at + 1));
            }
        }
    }
    none(&findings);
}

#[test]
fn no_file_is_too_long_to_read() {
    let mut findings = Vec::new();
    for (file, text) in rust_below("") {
        let lines = text.lines().count();
        if lines > MOST_LINES {
            findings.push(format!("{file}: {lines} lines, more than {MOST_LINES}; split it by what it owns"));
        }
    }
    none(&findings);
}

#[test]
fn the_top_is_tidy() {
    let tops: BTreeSet<String> =
        house::files().iter().map(|file| file.split('/').next().unwrap_or_default().to_string()).collect();
    let odd = tops.into_iter().filter(|top| !top.starts_with('.') && !TOP.contains(&top.as_str()));
    none(&odd.map(|top| format!("{top}: not among the names at the top")).collect::<Vec<_>>());
}

#[test]
fn no_file_knows_a_machine() {
    // Written in two parts, so that this file does not find itself.
    let words = [
        concat!("/wo", "rk/"),
        concat!("/fa", "rm/"),
        concat!("/root", "/."),
        concat!("registry.npm", "js"),
        concat!("crates", ".io/"),
        concat!("py", "pi.org"),
        concat!("deb.", "debian"),
    ];
    let mut findings = Vec::new();
    for file in house::files() {
        // The lock file of cargo names its registry, and a recording is kept byte for byte.
        if file == "Cargo.lock" || file.starts_with("static/results/") {
            continue;
        }
        for (at, line) in read(&file).lines().enumerate() {
            // A simulated machine has its own home, where kubectl keeps a file.
            let line = line.replace(concat!("/root", "/.kube/"), "");
            for word in words.iter().filter(|word| stands_alone(&line, word)) {
                findings.push(format!("{file}:{}: {word}", at + 1));
            }
        }
    }
    none(&findings);
}

/// True where a line has this word and no name goes on before it: `/home/…` is a path, `a/home/…` is not.
fn stands_alone(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !word.starts_with('/') || !before.is_some_and(|c| c.is_alphanumeric() || c == '.')
    })
}
