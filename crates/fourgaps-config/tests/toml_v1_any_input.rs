//! Whatever the input: no panic, no exhausted stack, the same answer twice, and time that grows with the length only.

use fourgaps_base::{FileId, Pos};
use fourgaps_config::toml::v1::{self, MAX_DEPTH};
use fourgaps_config::toml::{Kind, Node, Table, TomlError};
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn parse(text: &str) -> Result<Table, TomlError> {
    v1::parse(FileId(1), text.as_bytes())
}

/// Runs on a stack as small as the smallest one that the parser must do with.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(test).expect("a thread can start");
    thread.join().expect("the test on the thread passes");
}

/// All the walks that a tree may see: printed, copied, compared, dropped.
fn walk(table: &Table) -> usize {
    let copy = table.clone();
    assert!(copy == *table);
    format!("{copy:?}").len()
}

/// Texts of so many levels, in every way to nest.
fn nested(levels: usize) -> [String; 6] {
    let dots = |count: usize| vec!["a"; count].join(".");
    [
        format!("a = {}{}", "[".repeat(levels), "]".repeat(levels)),
        format!("{}a = 0{}", "a = {".repeat(levels - 1), "}".repeat(levels - 1)),
        format!("{} = 1", dots(levels)),
        format!("[{}]", dots(levels)),
        format!("[[{}]]", dots(levels)),
        format!("a = {{ {} = 1 }}", dots(levels - 1)),
    ]
}

#[test]
fn deep_trees_are_read_up_to_a_bound() {
    on_a_small_stack(|| {
        for text in nested(MAX_DEPTH) {
            let table = parse(&text).unwrap_or_else(|error| panic!("{text:.20}…: {error:?}"));
            assert!(walk(&table) > MAX_DEPTH);
        }
        for text in nested(MAX_DEPTH + 1).iter().chain(&nested(10_000)) {
            let Err(error) = parse(text) else { panic!("{text:.20}… is accepted") };
            assert_eq!(error.message, "fourgaps reads tables and lists only up to 256 levels deep");
        }
    });
}

#[test]
fn the_deepest_tree_has_lists_of_tables_all_the_way_down() {
    let headers = (1..=MAX_DEPTH).map(|depth| format!("[[{}]]\n", vec!["a"; depth].join(".")));
    let text: String = headers.collect();
    on_a_small_stack(move || {
        let table = parse(&text).expect("the text is just deep enough");
        assert!(walk(&table) > MAX_DEPTH);
    });
}

/// What the library would refuse is refused in its own words, however deep it lies.
#[test]
fn a_fault_within_a_deep_tree_is_found() {
    for (text, wanted) in [
        ("[".repeat(10_000), "unterminated array"),
        (format!("{}x", "[".repeat(10_000)), "no value can start with x"),
        ("{a = ".repeat(10_000), "expecting a value"),
        (format!("{}{}", "[".repeat(10_000), "}".repeat(10_000)), "unhandled token: \"}\""),
    ] {
        let error = parse(&format!("a = {text}")).expect_err("the text is refused");
        assert_eq!(error.message, wanted);
    }
}

/// Each text has about a megabyte. A way of reading that looks back over what it has read would take hours.
#[test]
fn long_texts_are_read_in_one_pass() {
    let list = "1234567, ".repeat(100_000);
    let numbered = |line: &dyn Fn(usize) -> String| (0..30_000).map(line).collect::<String>();
    let texts = [
        format!("a = [{list}]"),
        format!("a = [{}]", list.replace(' ', "\n")),
        format!("a = '{list}'"),
        format!("a = \"{}\"", "\\u00e9".repeat(200_000)),
        format!("# {list}"),
        format!("'{list}' = 1"),
        format!("{} = 1", "a.".repeat(200_000) + "a"),
        format!("[{}]", "a.".repeat(200_000) + "a"),
        "[".repeat(2_000_000),
        format!("a = {}", "[".repeat(2_000_000)),
        format!("a = {}", "{a=".repeat(500_000)),
        format!("a = {{{}}}", numbered(&|at| format!("b{at} = 1, ")).trim_end_matches(", ")),
        numbered(&|at| format!("[a.b{at}]\nc = 1\n")),
        numbered(&|at| format!("[[a]]\nb.c{at} = 1\n[a.d]\n[a.e{at}]\n")),
        numbered(&|at| format!("a{at}.b = {{c = [{at}]}}\n")),
        format!("a = 0.{}", "1".repeat(1_000_000)),
        format!("a = {}", "1".repeat(1_000_000)),
        format!("a = {}", "1_".repeat(1_000_000)),
        format!("a = 00:00:00.{}", "1".repeat(1_000_000)),
    ];
    for text in &texts {
        let start = Instant::now();
        let _ = parse(text);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(10), "{text:.20}… took {took:?}");
    }
}

/// Pieces of TOML, right and wrong, that make something interesting when they meet.
const PIECES: &[&str] = &[
    "a",
    "b",
    "a.b",
    ".",
    "..",
    "\"a\"",
    "'b'",
    "\"a\\\"b\"",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "=",
    " = ",
    ",",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "[a]\n",
    "[a.b]\n",
    "[[a]]\n",
    "[[a.b]]\n",
    "[ a ]\n",
    "#",
    "# c\n",
    "a = 1\n",
    "a.b = 2\n",
    "a = {b = 1}\n",
    "a = {b.c = 1, b = 2}\n",
    "a = [{}]\n",
    "a = []\n",
    "true",
    "false",
    "inf",
    "-nan",
    "0",
    "1",
    "012",
    "0x",
    "0xf_f",
    "_",
    "+",
    "-",
    "1e5",
    "1.5",
    "9223372036854775808",
    "1979-05-27",
    "T",
    "07:32:00",
    ".5",
    "Z",
    "+24:60",
    "-07:",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "\\",
    "\\u00e9",
    "\\UFFFFFFFF",
    "\\%",
    "é",
    "\u{feff}",
    "\0",
    "\u{1}",
    "\u{2028}",
];

/// Bytes of any kind, alone or in the middle of pieces.
fn any_input() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        20 => prop::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop_oneof![
        4 => prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat()),
        1 => prop::collection::vec(any::<u8>(), 0..64),
    ]
}

/// A good file of the kind that nodes have.
const FILE: &str = r#"version = 2
imports = ["/etc/containerd/conf.d/*.toml"]
[plugins."io.containerd.grpc.v1.cri".containerd]
  default_runtime_name = 'nvidia' # set by the toolkit
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia]
    runtime_type = "io.containerd.runc.v2"
    options = { BinaryName = "/usr/bin/nvidia-container-runtime", SystemdCgroup = true }
[[stream.list]]
at = 1979-05-27T07:32:00.5-07:00
since = [07:32:00, 1.5e3, 0xff, -inf]
"#;

/// The good file with a stretch of it replaced.
fn damaged_file() -> impl Strategy<Value = Vec<u8>> {
    (0..FILE.len(), 0..16_usize, any_input()).prop_map(|(at, length, other)| {
        let end = (at + length).min(FILE.len());
        [&FILE.as_bytes()[..at], &other, &FILE.as_bytes()[end..]].concat()
    })
}

fn check(bytes: &[u8]) {
    let first = v1::parse(FileId(1), bytes);
    let second = v1::parse(FileId(1), bytes);
    // As text, because NaN differs from itself.
    assert_eq!(format!("{first:?}"), format!("{second:?}"));
    let lines = bytes.split(|byte| *byte == b'\n').count();
    let within = |pos: Pos| {
        let length = bytes.len() + 1;
        (1..=lines).contains(&(pos.line as usize)) && (1..=length).contains(&(pos.column as usize))
    };
    match first {
        Ok(table) => check_places(&table, &within),
        Err(error) => {
            assert!(within(error.at), "{error:?}");
            assert!(error.reported.is_none_or(within), "{error:?}");
            assert!(!error.message.is_empty());
        }
    }
}

fn check_places(table: &Table, within: &dyn Fn(Pos) -> bool) {
    for node in table.entries.values() {
        check_place(node, within);
    }
}

fn check_place(node: &Node, within: &dyn Fn(Pos) -> bool) {
    assert!(node.place.file == FileId(1) && within(node.place.pos), "{node:?}");
    match &node.kind {
        Kind::Table(table) => check_places(table, within),
        Kind::Array(items) => items.iter().for_each(|item| check_place(item, within)),
        Kind::Tables(items) => {
            assert_eq!(items.last().map(|item| item.reported), Some(node.reported), "{node:?}");
            assert!(items.iter().all(|item| item.table().is_some()), "{node:?}");
            items.iter().for_each(|item| check_place(item, within));
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_input_gets_an_answer(bytes in any_input()) {
        check(&bytes);
    }

    #[test]
    fn a_damaged_file_gets_an_answer(bytes in damaged_file()) {
        check(&bytes);
    }
}

#[test]
fn the_good_file_is_good() {
    let table = parse(FILE).expect("the file is good");
    assert_eq!(table.entries.keys().collect::<Vec<_>>(), ["imports", "plugins", "stream", "version"]);
}
