//! What real containerd 2.0 to 2.3 said about each file of the public TOML tests and of the recorded nodes.

use fourgaps_base::{FileId, Pos};
use fourgaps_config::schema::{Schema, Type};
use fourgaps_config::toml::v2::{self, Decoded, Rules, Unknown};
use fourgaps_config::toml::{Kind, Node, Table, TomlError};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const VERSIONS: [(&str, Rules); 4] =
    [("2.0.5", Rules::V2_2_3), ("2.1.4", Rules::V2_2_4), ("2.2.5", Rules::V2_2_4), ("2.3.4", Rules::V2_3_0)];

/// Verdicts whose wording holds addresses in the memory of one run; the crash itself is checked.
const ADDRESSES: [&str; 3] = ["valid/key/escapes", "valid/key/quoted-unicode", "valid/key/space"];

/// What one version decodes into.
struct Setup {
    version: &'static str,
    rules: Rules,
    schema: Schema,
    root: Type,
    /// Plugin to its struct.
    plugins: BTreeMap<String, Type>,
}

impl Setup {
    fn all() -> Vec<Self> {
        VERSIONS.iter().map(|(version, rules)| Self::new(version, *rules)).collect()
    }

    fn new(version: &'static str, rules: Rules) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("versions").join(version);
        let file = read_toml(&folder.join("schema.toml"));
        let text = |value: &toml::Value| value.as_str().expect("a text").to_string();
        let lines = |lines: &toml::Value| lines.as_array().expect("lines").iter().map(text).collect();
        let types = file["types"].as_table().expect("types").iter();
        let types = types.map(|(name, fields)| (name.clone(), lines(fields))).collect();
        let plugins = file["plugins"].as_array().expect("plugins").iter();
        let plugins = plugins
            .filter_map(|plugin| Some((text(&plugin["uri"]), Type::Struct(text(plugin.get("type")?)))));
        Self {
            version,
            rules,
            schema: Schema::from_lines(&types).expect("the lines are right"),
            root: Type::Struct(text(&file["root"])),
            plugins: plugins.collect(),
        }
    }

    fn decode(&self, bytes: &[u8]) -> Result<Decoded, TomlError> {
        v2::decode(self.rules, &self.schema, &self.root, FileId(1), bytes, Table::default())
    }
}

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
    fs::read_to_string(path).expect("a recording is UTF-8").parse().expect("a recording is TOML")
}

/// An error in the words of containerd's process.
fn verdict(error: &TomlError) -> String {
    match error.reported {
        _ if v2::is_crash(error) => error.message.clone(),
        Some(pos) => format!(
            "containerd: failed to unmarshal TOML at row {} column {}: {}",
            pos.line, pos.column, error.message
        ),
        None => format!("containerd: failed to unmarshal TOML: {}", error.message),
    }
}

/// The first line of a text. The recorder cut lines where Python's `splitlines` does.
fn first_line(text: &str) -> &str {
    let ends = ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];
    text.split(ends).next().unwrap_or_default()
}

#[test]
fn public_tests_get_the_recorded_verdicts() {
    let Some(folder) = shared("toml-test") else { return };
    for setup in Setup::all() {
        let version = setup.version;
        let verdicts = read_toml(&folder.join(format!("verdicts-{version}.toml")));
        let (mut wrong, mut addresses) = (Vec::new(), 0);
        for (name, said) in &verdicts {
            let said = said.as_str().expect("a verdict is a text");
            let bytes = fs::read(folder.join(format!("{name}.toml"))).expect("each verdict has its file");
            let ours = setup.decode(&bytes).map_or_else(|error| verdict(&error), |_| String::new());
            let both_crash = said.starts_with("panic: ") && ours.starts_with("panic: ");
            if both_crash && ADDRESSES.contains(&name.as_str()) {
                addresses += 1;
            } else if first_line(&ours) != first_line(said) {
                wrong.push(format!("{name}\n  real {said:?}\n  ours {ours:?}"));
            }
        }
        let all = verdicts.len();
        println!(
            "{version}: {} of {all} equal, {addresses} crash in other words",
            all - addresses - wrong.len()
        );
        assert!(wrong.is_empty(), "{version}: {} of {all} differ\n{}", wrong.len(), wrong.join("\n"));
    }
}

/// The recorded nodes in name order.
fn cases() -> Vec<PathBuf> {
    let Some(folder) = shared("oracle/cases") else { return Vec::new() };
    let entries = fs::read_dir(folder).expect("the recordings can be listed");
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.expect("a case can be listed").path()).collect();
    cases.sort();
    cases
}

fn recorded(setup: &Setup, case: &Path) -> PathBuf {
    let name = case.file_name().expect("a case has a name");
    case.join("../../results").join(setup.version).join(name)
}

fn stderr(setup: &Setup, case: &Path) -> Vec<String> {
    let result = read_toml(&recorded(setup, case).join("result.toml"));
    let lines = result["stderr"].as_array().expect("stderr is a list");
    lines.iter().map(|line| line.as_str().expect("of lines").to_string()).collect()
}

/// Every file of a node below `/etc/containerd`, with its path on the node.
fn node_files(folder: &Path, path: &str, found: &mut Vec<(String, Vec<u8>)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = format!("{path}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            node_files(&entry.path(), &path, found);
        } else if let Ok(bytes) = fs::read(entry.path()) {
            found.push((path, bytes));
        }
    }
}

/// A log line's value of a field, without its quotes.
fn log_field<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let rest = &line[line.find(&format!(" {name}="))? + name.len() + 2..];
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split(' ').next(),
    }
}

/// A warning's key, row and column.
fn warning(unknown: &Unknown) -> (String, String, String) {
    let Pos { line, column } = unknown.reported;
    (unknown.path.join(" "), line.to_string(), column.to_string())
}

#[test]
fn files_of_recorded_nodes_get_the_recorded_errors_and_warnings() {
    for setup in Setup::all() {
        let (mut wrong, mut errors, mut warnings) = (Vec::new(), 0, 0);
        for case in cases() {
            let said = stderr(&setup, &case);
            let mut files = Vec::new();
            node_files(&case.join("rootfs/etc/containerd"), "/etc/containerd", &mut files);
            let mut refusals = Vec::new();
            for (path, bytes) in &files {
                let of_file = said.iter().filter(|l| log_field(l, "file") == Some(path));
                let of_file: Vec<&String> =
                    of_file.filter(|l| l.contains("msg=\"Ignoring unknown key in TOML\"")).collect();
                let real: Vec<_> = of_file
                    .iter()
                    .map(|l| ["key", "row", "column"].map(|f| log_field(l, f).unwrap_or("").to_string()))
                    .map(|[key, row, column]| (key, row, column))
                    .collect();
                let is_main = path == "/etc/containerd/config.toml";
                match setup.decode(bytes) {
                    Ok(decoded) => {
                        let ours: Vec<_> = decoded.unknown.iter().map(warning).collect();
                        // Only the main file is sure to be read.
                        if (is_main || !real.is_empty()) && ours != real {
                            wrong
                                .push(format!("{} {path}\n  real {real:?}\n  ours {ours:?}", case.display()));
                        }
                        warnings += real.len();
                    }
                    Err(error) if is_main || !real.is_empty() => {
                        refusals = vec![verdict(&error)];
                    }
                    Err(error) => refusals.push(verdict(&error)),
                }
            }
            let of_decoding = |l: &&String| {
                (l.starts_with("containerd: failed to unmarshal TOML") && !l.ends_with(": is a directory"))
                    || l.starts_with("panic: reflect")
            };
            let real = said.iter().find(of_decoding);
            errors += usize::from(real.is_some());
            let same = match real {
                Some(real) => refusals.iter().any(|ours| first_line(ours) == real),
                None => !refusals.iter().any(|_| files.len() == 1),
            };
            if !same {
                wrong.push(format!("{}\n  real {real:?}\n  ours {refusals:?}", case.display()));
            }
        }
        println!("{}: {errors} errors and {warnings} warnings are equal", setup.version);
        assert!(wrong.is_empty(), "{}:\n{}", setup.version, wrong.join("\n"));
    }
}

/// A dump is a complete configuration: read back, section by section, it prints the same text.
#[test]
fn recorded_dumps_print_as_they_were_read() {
    for setup in Setup::all() {
        let mut count = 0;
        for case in cases() {
            let text =
                fs::read_to_string(recorded(&setup, &case).join("dump.toml")).expect("each case has a dump");
            if text.is_empty() {
                continue;
            }
            let name = format!("{} {}", setup.version, case.display());
            let Decoded { mut table, unknown } = setup.decode(text.as_bytes()).expect("a dump is accepted");
            assert_eq!(unknown, [], "{name}");
            let mut inside = BTreeMap::new();
            if let Some(Kind::Table(plugins)) = table.entries.get_mut("plugins").map(|node| &mut node.kind) {
                for (uri, ty) in &setup.plugins {
                    let Some(node) = plugins.entries.get_mut(uri) else { continue };
                    let read = v2::decode_value(setup.rules, &setup.schema, ty, node, Table::default());
                    let read = read.expect("a section of a dump is accepted");
                    assert_eq!(read.unknown, [], "{name} {uri}");
                    node.kind = Kind::Table(read.table);
                    inside.insert(vec!["plugins".to_string(), uri.clone()], ty.clone());
                }
            }
            let lines = v2::print(&setup.schema, &setup.root, table.clone(), &inside);
            let printed: String = lines.iter().map(|line| format!("{}\n", line.text)).collect();
            let differing = printed.lines().zip(text.lines()).find(|(ours, real)| ours != real);
            assert_eq!(differing, None, "{name}");
            assert_eq!(printed.len(), text.len(), "{name}");
            let real_lines = text.lines().collect::<Vec<_>>();
            for (i, line) in lines.iter().enumerate().filter(|(_, line)| !line.text.is_empty()) {
                let Some(place) = line.place else { panic!("{name}: line {} has no place", i + 1) };
                let real = real_lines[(place.pos.line as usize).max(1) - 1];
                let same = real == line.text;
                assert!(place.is_default() || same, "{name}: line {} comes from {real}", i + 1);
            }
            count += 1;
        }
        println!("{}: {count} dumps are equal", setup.version);
    }
}

/// True where plugins read the sections as they stand in the only file: no import, no version to migrate from.
fn is_read_as_written(setup: &Setup, table: &Table, files: usize) -> bool {
    let Some(Kind::Int(version)) = table.get("version").map(|node| &node.kind) else { return false };
    let current = match setup.version {
        // A dump of 2.0.5 does not migrate.
        "2.0.5" => 2..=3,
        "2.3.4" => 4..=4,
        _ => 3..=3,
    };
    files == 1 && table.get("imports").is_none() && current.contains(version)
}

#[test]
fn sections_of_recorded_nodes_get_the_recorded_errors_and_warnings() {
    for setup in Setup::all() {
        let (mut nodes, mut warnings, mut errors) = (0, 0, 0);
        for case in cases() {
            let mut files = Vec::new();
            node_files(&case.join("rootfs/etc/containerd"), "/etc/containerd", &mut files);
            let Some(Ok(Decoded { table, .. })) = files.first().map(|(_, bytes)| setup.decode(bytes)) else {
                continue;
            };
            if !is_read_as_written(&setup, &table, files.len()) {
                continue;
            }
            nodes += 1;
            let name = format!("{} {}", setup.version, case.display());
            let said = stderr(&setup, &case);
            let refused = said.iter().find_map(|line| line.strip_prefix("containerd: toml: "));
            let (mut ours, mut refusals) = (Vec::new(), Vec::new());
            let plugins = table.get("plugins").and_then(Node::table).cloned().unwrap_or_default();
            for (uri, node) in &plugins.entries {
                let Some(ty) = setup.plugins.get(uri) else { continue };
                match v2::decode_value(setup.rules, &setup.schema, ty, node, Table::default()) {
                    Ok(read) => ours.extend(read.unknown.iter().map(|u| (uri.clone(), u.path.join(" ")))),
                    Err(refusal) => refusals.push(refusal.error.message),
                }
            }
            let of_plugins = said.iter().filter(|line| line.contains("in TOML for plugin"));
            let mut real: Vec<(String, String)> = of_plugins
                .map(|line| ["plugin", "key"].map(|field| log_field(line, field).unwrap_or("").to_string()))
                .map(|[plugin, key]| (plugin, key))
                .collect();
            match refused {
                Some(message) => {
                    errors += 1;
                    assert_eq!(refusals, [format!("toml: {message}")], "{name}");
                }
                None => {
                    assert!(refusals.is_empty(), "{name}: {refusals:?}");
                    warnings += real.len();
                    // Plugins come in an order of their own, the keys of one plugin do not.
                    real.sort_by(|(a, _), (b, _)| a.cmp(b));
                    assert_eq!(ours, real, "{name}");
                }
            }
        }
        println!("{}: {nodes} nodes with {warnings} warnings and {errors} errors are equal", setup.version);
    }
}

/// Deep and long documents that the library takes in its stride.
fn large_documents() -> Vec<(&'static str, String)> {
    let deep = 10_000;
    let many = 20_000;
    let keys = |many: usize| (0..many).map(|i| format!(", k{i} = 1")).collect::<String>();
    vec![
        ("lists in lists", format!("plugins.a = {}{}", "[".repeat(deep), "]".repeat(deep))),
        ("open lists", format!("plugins.a = {}", "[".repeat(deep))),
        ("tables in tables", format!("plugins.a = {}1{}", "{a=".repeat(deep), "}".repeat(deep))),
        ("a long dotted key", format!("plugins{} = 1", ".a".repeat(deep))),
        ("a long header", format!("[plugins{}]", ".a".repeat(deep))),
        ("a long unknown header", format!("[[nope{}]]", ".a".repeat(deep))),
        ("as deep as it may be", format!("[plugins{}]\na = 1", ".a".repeat(126))),
        (
            "lists of tables as deep as they may be",
            (1..126).map(|n| format!("[[plugins{}]]\n", ".a".repeat(n))).collect(),
        ),
        ("lists as deep as they may be", format!("plugins.a = {}{}", "[".repeat(126), "]".repeat(126))),
        ("a long string", format!("root = '{}'", "ä".repeat(5_000_000))),
        ("a long number", format!("version = {}", "1".repeat(10_000_000))),
        ("a long list", format!("imports = [{}]", "'a', ".repeat(many))),
        ("a long inline table", format!("plugins.a = {{ x = 1{} }}", keys(many))),
        ("many unknown keys on a line", format!("debug = {{ uid = 1{} }}", keys(many))),
        ("many headers", (0..many).map(|i| format!("[plugins.k{i}]\na=1\n")).collect()),
        ("many tables in a list", "[[plugins.a]]\n[plugins.a.b]\nc=1\n".repeat(many)),
        ("many bare line ends", format!("root = {}", "\r".repeat(10_000_000))),
    ]
}

/// A megabyte of stack is what a browser gives.
#[test]
fn deep_and_long_documents_need_little_stack_and_time() {
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let run = small.spawn(|| {
        for setup in Setup::all().into_iter().skip(3) {
            for (name, text) in large_documents() {
                let start = std::time::Instant::now();
                let read = setup.decode(text.as_bytes());
                if let Ok(read) = &read {
                    let lines = v2::print(&setup.schema, &setup.root, read.table.clone(), &BTreeMap::new());
                    assert!(!lines.is_empty());
                    let node = Node::default_of(Kind::Table(read.table.clone()));
                    let none = Table::default();
                    let again = v2::decode_value(setup.rules, &setup.schema, &setup.root, &node, none);
                    assert!(again.is_ok(), "{name}: {again:?}");
                }
                let took = start.elapsed();
                assert!(took.as_secs() < 60, "{name} took {took:?}");
                let outcome =
                    read.map_or_else(|error| first_line(&error.message).to_string(), |_| "accepted".into());
                println!("{} {took:?} {name}: {outcome:.60}", setup.version);
            }
        }
    });
    run.expect("a thread starts").join().expect("the stack is enough");
}

fn printed(setup: &Setup, table: &Table) -> String {
    let lines = v2::print(&setup.schema, &setup.root, table.clone(), &BTreeMap::new());
    lines.iter().map(|line| format!("{}\n", line.text)).collect()
}

/// Whatever the bytes, the answer is a value or an error, and what was accepted can be printed and read again.
fn survives(setup: &Setup, bytes: &[u8]) {
    let Ok(read) = setup.decode(bytes) else { return };
    let text = printed(setup, &read.table);
    match setup.decode(text.as_bytes()) {
        Ok(again) => assert_eq!(printed(setup, &again.table), text),
        Err(error) => panic!("{error:?} in {text}"),
    }
    if let Some(Kind::Table(plugins)) = read.table.get("plugins").map(|node| &node.kind) {
        let ty = Type::Struct("config.RuntimeConfig".into());
        for node in plugins.entries.values() {
            let _ = v2::decode_value(setup.rules, &setup.schema, &ty, node, Table::default());
        }
    }
}

/// Pieces that make a document more often than random bytes do.
const PIECES: &str = "[ ] [[ ]] { } = . , # ' \" ''' \"\"\" \\ \\u00e9 a b plugins debug uid root imports timeouts \
    proxy_plugins exports 1 0x1f 1.5 -inf true 1979-05-27 07:32:00 T07:32:00Z ä _ + \n \r\n";

#[test]
fn no_document_makes_decoding_panic() {
    use proptest::prelude::*;
    let setups = Setup::all();
    let mut corpus = Vec::new();
    if let Some(folder) = shared("toml-test") {
        node_files(&folder, "", &mut corpus);
    }
    let own = "version = 2\n[plugins.a]\nb = [1, {c = 'd'}]\n[debug]\nuid = 0\n";
    corpus.push(("own".into(), own.into()));
    let pieces: Vec<&str> = PIECES.split(' ').chain(["\n", " "]).collect();
    let piece = prop_oneof![
        3 => prop::sample::select(pieces).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    let document = prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat());
    let index = any::<prop::sample::Index>;
    let change = (index(), index(), document.clone());
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 10_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let strategy = (0..setups.len(), document, change, index());
    runner
        .run(&strategy, |(setup, document, (from, length, put), file)| {
            let setup = &setups[setup];
            survives(setup, &document);
            let mut mutated = file.get(&corpus).1.clone();
            if !mutated.is_empty() && mutated.len() < 10_000 {
                let from = from.index(mutated.len());
                let to = (from + length.index(6)).min(mutated.len());
                mutated.splice(from..to, put);
                survives(setup, &mutated);
            }
            Ok(())
        })
        .expect("no document makes decoding panic");
}
