//! The rules of the second generation, one example each.

use super::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const FILE: FileId = FileId(1);

fn schema() -> Schema {
    let structs = [
        (
            "config.Config",
            "Version version int|Root root string|Debug debug config.Debug|Ratio ratio float64",
        ),
        (
            "config.Debug",
            "UID uid int|Level level string|On on *bool|Small small uint8|Wait wait text-duration",
        ),
        (
            "a.Section",
            "Names names []string|Options options map[string]any|Runtimes runtimes map[string]a.Runtime",
        ),
        ("a.Runtime", "Type runtime_type string|Options options map[string]any|Debug debug *config.Debug"),
    ];
    let more = ["Plugins plugins map[string]any", "Imports imports []string", "Section section a.Section"];
    let mut lines: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, fields) in structs {
        lines.insert(name.into(), fields.split('|').map(String::from).collect());
    }
    lines.entry("config.Config".into()).or_default().extend(more.map(String::from));
    lines.entry("a.Section".into()).or_default().push("List list []a.Runtime".into());
    Schema::from_lines(&lines).unwrap()
}

fn config() -> Type {
    Type::Struct("config.Config".into())
}

fn run(rules: Rules, text: &str, onto: Table) -> Result<Decoded, TomlError> {
    decode(rules, &schema(), &config(), FILE, text.as_bytes(), onto)
}

/// What a file says, as a flat list: `path = value @line:column`, then the keys that no field takes.
fn shown(decoded: &Decoded) -> String {
    let mut out = String::new();
    let root = Node::default_of(Kind::Table(decoded.table.clone()));
    show(&mut out, "", &root);
    for unknown in &decoded.unknown {
        let (path, pos) = (unknown.path.join(" "), unknown.place.pos);
        let _ = writeln!(out, "unknown {path} @{pos}, said to be at {}", unknown.reported);
    }
    out
}

fn show(out: &mut String, path: &str, node: &Node) {
    let pos = node.place.pos;
    match &node.kind {
        Kind::Table(table) if !table.entries.is_empty() => {
            for (key, node) in &table.entries {
                show(out, &format!("{path}.{key}"), node);
            }
        }
        Kind::Array(list) | Kind::Tables(list) if !list.is_empty() => {
            for (i, node) in list.iter().enumerate() {
                show(out, &format!("{path}[{i}]"), node);
            }
        }
        Kind::Table(_) if path.is_empty() => {}
        kind => {
            let value = match kind {
                Kind::Table(_) => "{}".into(),
                Kind::Array(_) | Kind::Tables(_) => "[]".into(),
                Kind::Bool(value) => value.to_string(),
                Kind::Int(value) => value.to_string(),
                Kind::Uint(value) => value.to_string(),
                Kind::Float(value) => format!("{value:?}"),
                Kind::String(text) => format!("{text:?}"),
                Kind::Time(_, text) => text.clone(),
            };
            let place = if node.place.is_default() { "default".into() } else { pos.to_string() };
            let _ = writeln!(out, "{} = {value} @{place}", path.trim_start_matches('.'));
        }
    }
}

#[track_caller]
fn check_onto(onto: &str, text: &str, expected: &str) {
    let onto = if onto.is_empty() {
        Table::default()
    } else {
        run(Rules::V2_3_0, onto, Table::default()).unwrap().table
    };
    for rules in [Rules::V2_2_4, Rules::V2_3_0] {
        let decoded = run(rules, text, onto.clone()).unwrap_or_else(|error| panic!("{error:?}"));
        let wanted: String = expected.lines().map(|line| format!("{}\n", line.trim())).collect();
        assert_eq!(shown(&decoded), wanted);
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    check_onto("", text, expected);
}

fn message(rules: Rules, text: &str) -> String {
    match run(rules, text, Table::default()) {
        Ok(decoded) => shown(&decoded),
        Err(TomlError { reported: Some(pos), message, .. }) => format!("{pos} {message}"),
        Err(TomlError { message, .. }) => message,
    }
}

/// Checks the error of the older releases and of the newest.
#[track_caller]
fn check_errors(text: &str, old: &str, new: &str) {
    assert_eq!(message(Rules::V2_2_4, text), old, "older");
    assert_eq!(message(Rules::V2_3_0, text), new, "newest");
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    check_errors(text, expected, expected);
}

#[test]
fn keys_find_fields_in_any_case_and_keep_the_name_of_the_field() {
    check("VERSION = 3\n[Debug]\nUID = 5", "debug.uid = 5 @3:1\nversion = 3 @1:1");
}

#[test]
fn places_count_characters() {
    check(
        "plugins.'ä'.x = 1\nplugins.'ä'.\"y\" = [2, 'öl', 3]",
        "plugins.ä.x = 1 @1:13
        plugins.ä.y[0] = 2 @2:20
        plugins.ä.y[1] = \"öl\" @2:23
        plugins.ä.y[2] = 3 @2:29",
    );
}

#[test]
fn unknown_keys_are_skipped_unread_and_listed() {
    // Neither the bad numbers nor the repeated key below an unknown header are looked at.
    check(
        "nope = 0x\n[debug]\nuid = 1\nno.pe = 1__0\n[debug.inner]\na = 1\na = 1\n",
        "debug.uid = 1 @3:1
        unknown nope @1:1, said to be at 1:1
        unknown debug no pe @4:1, said to be at 4:1
        unknown debug inner @5:8, said to be at 5:2",
    );
}

#[test]
fn the_older_releases_point_behind_the_quote_of_an_unknown_key() {
    check_errors(
        "ä = 1",
        "1:1 toml: invalid character at start of key: Ã",
        "1:1 toml: invalid character at start of key: Ã",
    );
    check_errors(" 'ä' = 1", "unknown ä @1:2, said to be at 1:3\n", "unknown ä @1:2, said to be at 1:2\n");
}

#[test]
fn the_older_releases_crash_over_an_unknown_key_with_an_escape() {
    check_errors(
        "\"\\u0061\" = 1",
        "panic: subslice address (…) is before data address (…)",
        "unknown a @1:1, said to be at 1:1\n",
    );
    check_errors(
        "[debug.\"\\u0061\"]",
        "panic: range length is larger than capacity",
        "unknown debug a @1:8, said to be at 1:2\n",
    );
    // Only an unknown key is located, and only if nothing else is wrong.
    check_error(
        "\"r\\u006fot\" = 1",
        "1:15 toml: cannot decode TOML integer into struct field config.Config.Root of type string",
    );
    check_error("\"\\u0061\" = 1\nroot = 'a\n", "2:10 toml: literal strings cannot have new lines");
}

#[test]
fn fields_that_a_file_does_not_name_keep_their_value() {
    check_onto(
        "root = '/a'\n[debug]\nuid = 1\nlevel = 'info'\n[section.options]\na = 1\nb = 2",
        "[debug]\nlevel = 'warn'\n[section.options]\nb.c = true",
        "debug.level = \"warn\" @2:1
         debug.uid = 1 @3:1
         root = \"/a\" @1:1
         section.options.a = 1 @6:1
         section.options.b.c = true @4:3",
    );
}

#[test]
fn lists_are_replaced_and_maps_are_filled() {
    check_onto(
        "imports = ['a', 'b']\n[section.runtimes.runc]\nruntime_type = 'old'\n[[section.list]]\n[[section.list]]",
        "imports = ['c']\n[section.runtimes.nvidia]\nruntime_type = 'new'\n[[section.list]]\nruntime_type = 'x'",
        "imports[0] = \"c\" @1:12
         section.list[0].runtime_type = \"x\" @5:1
         section.runtimes.nvidia.runtime_type = \"new\" @3:1
         section.runtimes.runc.runtime_type = \"old\" @3:1",
    );
}

#[test]
fn an_inline_table_fills_a_struct_and_replaces_an_entry_of_a_map() {
    check_onto(
        "[debug]\nuid = 1\n[section.runtimes.runc]\nruntime_type = 'old'",
        "debug = { level = 'a' }\n[section.runtimes]\nrunc = { options = {} }",
        "debug.level = \"a\" @1:11
         debug.uid = 1 @2:1
         section.runtimes.runc.options = {} @3:10",
    );
}

#[test]
fn a_header_for_a_plain_field_is_accepted_until_a_key_follows() {
    check("root = 'a'", "root = \"a\" @1:1");
    check("[root]", "");
    check_error("[root]\na = 1", "unhandled kv part: string");
    check_error("root.a = 1", "unhandled kv part: string");
    check_error("[root.a]", "panic: unhandled part: string");
    check_error("[imports]\na = 1", "1:2 toml: cannot store a table in a slice");
    check_error("[debug.on]", "debug.on = false @1:8\n");
}

#[test]
fn lists_of_tables_meet_their_types() {
    check("[[imports]]\n[[imports]]", "imports[0] = \"\" @1:3\nimports[1] = \"\" @2:3");
    check(
        "[[plugins.a]]\nx = 1\n[[plugins.a]]\n[plugins.a.b]\ny = 2",
        "plugins.a[0].x = 1 @2:1\nplugins.a[1].b.y = 2 @5:1",
    );
    check_error("[[imports]]\na = 1", "unhandled kv part: string");
    check_error(
        "[[debug]]",
        "toml: cannot decode TOML array table into struct field config.Config.Debug of type config.Debug",
    );
    check_errors(
        "[[section.list.x]]",
        "panic: reflect: slice index out of range",
        "section = {} @1:3\nunknown section list x @1:16, said to be at 1:3\n",
    );
}

#[test]
fn wrong_types_name_the_field_stepped_into_last() {
    check_error(
        "version = '3'",
        "1:11 toml: cannot decode TOML string into struct field config.Config.Version of type int",
    );
    check_error("version = 3.0", "1:11 toml: float cannot be assigned to int");
    check_error("version = true", "1:11 toml: cannot assign boolean to a true");
    check_error(
        "version = [1]",
        "toml: cannot decode TOML array into struct field config.Config.Version of type int",
    );
    check_error("version = {}", "1:11 toml: cannot store inline table in Go type int");
    check_error(
        "debug.on = 1",
        "1:12 toml: cannot decode TOML integer into struct field config.Debug.On of type *bool",
    );
    check_error("debug.small = 256", "toml: negative number 256 does not fit in an uint8");
    check_error(
        "ratio = 0x10",
        "1:9 toml: unable to parse float: strconv.ParseFloat: parsing \"0x10\": invalid syntax",
    );
    check_error("imports = [{}]", "1:12 toml: cannot store inline table in Go type string");
    // The list itself is remembered, but what was stepped into inside of its items is forgotten.
    check_error(
        "section.list = [{ runtime_type = 'a' }, 1]",
        "1:41 toml: cannot decode TOML integer into a Go value of type a.Runtime",
    );
}

#[test]
fn a_date_in_a_field_crashes_the_older_releases() {
    check(
        "plugins.a = 2024-01-01\nplugins.b = 07:32:00.50",
        "plugins.a = 2024-01-01 @1:9\nplugins.b = 07:32:00.50 @2:9",
    );
    check_errors(
        "\nroot = 2024-01-01",
        "panic: reflect.Set: value of type toml.LocalDate is not assignable to type string",
        "1:1 toml: cannot decode TOML local date into struct field config.Config.Root of type string",
    );
    check_error("root = 2024-13-01", "1:8 toml: impossible date");
}

#[test]
fn durations_are_texts() {
    check("[debug]\nwait = '90s'", "debug.wait = \"1m30s\" @2:1");
    check_error("[debug]\nwait = 5", "2:8 toml: time: missing unit in duration \"5\"");
    check_error("[debug]\nwait = true", "1:1 toml: time: invalid duration \"true\"");
    check_errors(
        "[debug]\nwait = []",
        "1:1 toml: time: invalid duration \"\"",
        "toml: cannot decode TOML array into struct field config.Debug.Wait of type tomlext.Duration",
    );
}

#[test]
fn an_early_end_is_reported_at_the_end_or_at_the_start() {
    check_errors(
        "\nroot",
        "2:5 toml: expected = after a key, but the document ends there",
        "2:1 toml: expected = after a key, but the document ends there",
    );
    check_errors("\nroot =", "2:7 toml: expected value, not eof", "1:1 toml: expected value, not eof");
    check_errors(
        "\nroot = 'a",
        "2:10 toml: unterminated literal string",
        "1:1 toml: unterminated literal string",
    );
}

#[test]
fn repeated_tables_and_keys_have_no_place_in_the_message_but_one_in_the_file() {
    check_error("[a]\n[a]", "toml: table a already exists");
    check_error("root = ''\nroot = ''", "toml: key root is already defined");
    check_error("debug.uid = 1\n[debug]", "toml: table debug already exists");
    let error = run(Rules::V2_2_4, "\n[debug]\n[ debug]", Table::default()).unwrap_err();
    assert_eq!((error.reported, error.at), (None, Pos::new(3, 3)));
}

/// A plugin's section as containerd hands it on: first a part of the main file, then a text, then a struct.
fn section(rules: Rules, text: &str, onto: &str) -> Result<Decoded, ValueError> {
    let onto = run(rules, onto, Table::default()).unwrap().table;
    let onto = onto.get("section").and_then(Node::table).cloned().unwrap_or_default();
    let main = run(rules, text, Table::default()).unwrap().table;
    let node = main.get("plugins").and_then(Node::table).and_then(|plugins| plugins.get("x"));
    decode_value(rules, &schema(), &Type::Struct("a.Section".into()), node.unwrap(), onto)
}

#[track_caller]
fn check_section(text: &str, onto: &str, expected: &str) {
    for rules in [Rules::V2_2_4, Rules::V2_3_0] {
        let wanted: String = expected.lines().map(|line| format!("{}\n", line.trim())).collect();
        // What the library would report is a position in a text that nobody sees.
        let places = |line: &str| line.split(", said").next().map(|line| format!("{line}\n"));
        let read =
            section(rules, text, onto).map(|decoded| shown(&decoded).lines().filter_map(places).collect());
        assert_eq!(read.unwrap_or_else(|refusal| format!("{}\n", refusal.error.message)), wanted);
    }
}

#[test]
fn a_section_keeps_the_places_of_the_file() {
    check_section(
        "[plugins.x]\nnames = [\n 'a',\n 'b']\n[plugins.x.runtimes.nvidia]\nruntime_type = 'n'\noptions.a = 1\n",
        "[section.runtimes.runc]\nruntime_type = 'r'",
        "names[0] = \"a\" @3:2
         names[1] = \"b\" @4:2
         runtimes.nvidia.options.a = 1 @7:9
         runtimes.nvidia.runtime_type = \"n\" @6:1
         runtimes.runc.runtime_type = \"r\" @2:1",
    );
}

#[test]
fn unknown_keys_of_a_section_come_in_the_order_of_its_text() {
    // On lines of their own first, then the tables, both in byte order; every table between is named too.
    check_section(
        "[plugins.x.z.y]\na = 1\n[plugins.x]\nb = 1\nNames = []\n",
        "",
        "names = [] @5:1
         unknown b @4:1
         unknown z @1:12
         unknown z y @1:12",
    );
}

#[test]
fn a_section_that_is_no_table_is_read_as_whatever_its_text_says() {
    let no_value = "toml: expected = after a key, but the document ends there";
    check_section("plugins.x = 'on'", "", no_value);
    check_section("plugins.x = 5", "", no_value);
    check_section("plugins.x = 1.5", "", no_value);
    check_section("plugins.x = 2024-01-01", "", no_value);
    check_section("plugins.x = 10:00:00", "", "toml: expected character =");
    check_section("plugins.x = []", "", "toml: invalid character at start of key: ]");
    check_section("plugins.x = [{a = 1}]", "", "toml: invalid character at start of key: ]");
    check_section("plugins.x = [1, 2]", "", "toml: expected character ]");
    check_section("plugins.x = ['a']", "", "unknown a @1:14");
    check_section("plugins.x = [['names']]", "", "names[0] = \"\" @1:15");
    check_section("plugins.x = {}", "", "");
}

#[test]
fn a_default_of_another_type_stands_in_the_way_of_a_table() {
    check_section("[plugins.x.options.a]\nb = 1", "[section.options]\na = true", "unhandled kv part: bool");
    check_section("[plugins.x.options.a]", "[section.options]\na = true", "options.a = true @2:1");
    check_section("[plugins.x.options.a.b]", "[section.options]\na = 1", "panic: unhandled part: int64");
}

#[test]
fn a_section_with_an_unknown_key_is_decoded_twice() {
    // The second time over what the first gave: a list of tables in a map of anything cannot be emptied.
    let text = "[[plugins.x.options.list]]\na = 1\n";
    check_section(text, "", "options.list[0].a = 1 @2:1");
    check_section(
        &format!("{text}[plugins.x]\nnope = 1"),
        "",
        "panic: reflect: reflect.Value.SetLen using unaddressable value",
    );
}

#[test]
fn a_section_that_fails_the_second_time_has_its_unknown_keys_reported() {
    let text = "[plugins.x]\nnope = 1\n[[plugins.x.options.list]]";
    let refusal = section(Rules::V2_2_4, text, "").unwrap_err();
    assert!(is_crash(&refusal.error));
    assert_eq!(refusal.unknown.len(), 1);
}

#[test]
fn values_stand_alone_as_they_do_behind_an_equals_sign() {
    let table =
        run(Rules::V2_3_0, "plugins.a = [1.5, {b = 'c', 'd e' = []}]", Table::default()).unwrap().table;
    let plugins = table.get("plugins").and_then(Node::table).unwrap();
    assert_eq!(value_text(plugins.get("a").unwrap()), "[1.5, {b = 'c', 'd e' = []}]");
}

#[test]
fn a_fault_in_a_section_has_its_place_in_the_file() {
    let refusal = section(Rules::V2_2_4, "root = ''\n[plugins.x]\nnames = 'ä'", "").unwrap_err();
    assert_eq!(
        refusal.error.message,
        "toml: cannot decode TOML string into struct field a.Section.Names of type []string"
    );
    assert_eq!(refusal.place, Place { file: FILE, pos: Pos::new(3, 1) });
}

#[track_caller]
fn check_print(text: &str, inside: &[(&str, &str)], expected: &str) {
    let table = run(Rules::V2_3_0, text, Table::default()).unwrap().table;
    let inside = inside
        .iter()
        .map(|(path, ty)| (path.split('.').map(String::from).collect(), Type::parse(ty).unwrap()));
    let lines = print(
        &schema(),
        &Type::Struct("a.Section".into()),
        table.get("section").and_then(Node::table).unwrap().clone(),
        &inside.collect(),
    );
    let shown: Vec<String> = lines
        .iter()
        .map(|line| match line.place {
            None => line.text.clone(),
            Some(place) if place.is_default() => format!("{}  # {}: default", line.text, line.path.join(" ")),
            Some(place) => format!("{}  # {}: {}", line.text, line.path.join(" "), place.pos),
        })
        .collect();
    assert_eq!(shown.join("\n"), expected);
}

#[test]
fn printing_knows_the_key_and_the_place_of_each_line() {
    check_print(
        "[section]\nnames = ['a', 'b']\n",
        &[],
        "names = ['a', 'b']  # names: 2:1\nlist = []  # list: default",
    );
    check_print(
        "[section.runtimes.'a.b'.options]\nf = 1e3\nt = 1979-05-27 07:32:00Z\n[[section.list]]\n[section.list.options]\na = ''\n",
        &[],
        "names = []  # names: default

[runtimes]  # runtimes: 1:10
  [runtimes.'a.b']  # runtimes a.b: 1:19
    runtime_type = ''  # runtimes a.b runtime_type: default

    [runtimes.'a.b'.options]  # runtimes a.b options: 1:25
      f = 1000.0  # runtimes a.b options f: 2:1
      t = 1979-05-27T07:32:00Z  # runtimes a.b options t: 3:1

[[list]]  # list 0: 4:11
  runtime_type = ''  # list 0 runtime_type: default

  [list.options]  # list 0 options: 5:15
    a = ''  # list 0 options a: 6:1",
    );
}

#[test]
fn printing_takes_known_types_inside_of_anything() {
    check_print(
        "[section.options.x]\nlevel = 'a'\nb = [{c = 1}, [{d = 2}], 3]\n[section.options.y]\n",
        &[("options.x", "config.Debug")],
        "names = []  # names: default
list = []  # list: default

[options]  # options: 1:10
  [options.x]  # options x: 1:18
    uid = 0  # options x uid: default
    level = 'a'  # options x level: 2:1
    small = 0  # options x small: default
    wait = '0s'  # options x wait: default

  [options.y]  # options y: 4:18",
    );
}

#[test]
fn tables_in_mixed_lists_are_indented_inside_of_their_braces() {
    check_print(
        "[section.options]\nb = [{c = 1, d = {}}, 3]",
        &[],
        "names = []  # names: default
list = []  # list: default

[options]  # options: 1:10
  b = [{  c = 1,   d = {}}, 3]  # options b: 2:1",
    );
}

#[test]
fn a_repeated_header_closes_what_a_dotted_key_opened() {
    check_error("[plugins.a]\nb.c = 1\n[plugins.a.b]", "toml: table b already exists");
}
