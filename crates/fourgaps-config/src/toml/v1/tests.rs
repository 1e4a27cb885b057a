//! One line of TOML, and what becomes of it.

use super::parse;
use crate::toml::{Kind, Node, Table};
use fourgaps_base::FileId;
use std::fmt::Write as _;

/// The refusal of a text as the library words it.
#[track_caller]
fn refused(text: &str, wanted: &str) {
    refused_bytes(text.as_bytes(), wanted);
}

#[track_caller]
fn refused_bytes(bytes: &[u8], wanted: &str) {
    let error = parse(FileId(1), bytes).expect_err("the text is refused");
    let position = error.reported.map_or(String::new(), |pos| format!("({}, {}): ", pos.line, pos.column));
    assert_eq!(format!("{position}{}", error.message), wanted);
}

/// The true place of a refusal.
#[track_caller]
fn refused_at(text: &str, wanted: &str) {
    let error = parse(FileId(1), text.as_bytes()).expect_err("the text is refused");
    assert_eq!(error.at.to_string(), wanted);
}

/// The values of a text, without their places.
#[track_caller]
fn read(text: &str, wanted: &str) {
    assert_eq!(shown(text, &|_| String::new()), wanted);
}

/// The values of a text, each with the position that the library reports for it.
#[track_caller]
fn reported(text: &str, wanted: &str) {
    assert_eq!(shown(text, &|node| format!("@{}", node.reported)), wanted);
}

/// The values of a text, each with its true place.
#[track_caller]
fn placed(text: &str, wanted: &str) {
    assert_eq!(shown(text, &|node| format!("@{}", node.place.pos)), wanted);
}

#[track_caller]
fn shown(text: &str, mark: &dyn Fn(&Node) -> String) -> String {
    let table =
        parse(FileId(1), text.as_bytes()).unwrap_or_else(|error| panic!("{text:?} is refused: {error:?}"));
    let mut out = String::new();
    show_table(&table, mark, &mut out);
    out
}

/// `{…}` is a table, `{=…}` one with the inline flag, `[[…]]` a list of tables.
fn show_table(table: &Table, mark: &dyn Fn(&Node) -> String, out: &mut String) {
    out.push_str(if table.inline { "{=" } else { "{" });
    for (at, (key, node)) in table.entries.iter().enumerate() {
        let comma = if at > 0 { ", " } else { "" };
        let _ = write!(out, "{comma}{key}{}: ", mark(node));
        show(node, mark, out);
    }
    out.push('}');
}

fn show(node: &Node, mark: &dyn Fn(&Node) -> String, out: &mut String) {
    let items = |items: &[Node], ends: [&str; 2], out: &mut String| {
        out.push_str(ends[0]);
        for (at, item) in items.iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            out.push_str(&mark(item));
            show(item, mark, out);
        }
        out.push_str(ends[1]);
    };
    let _ = match &node.kind {
        Kind::Bool(value) => write!(out, "{value}"),
        Kind::Int(value) => write!(out, "{value}"),
        Kind::Uint(value) => write!(out, "{value}u"),
        Kind::Float(value) => write!(out, "{value:?}"),
        Kind::String(value) => write!(out, "{value:?}"),
        Kind::Time(kind, text) => write!(out, "{kind:?} {text}"),
        Kind::Table(table) => return show_table(table, mark, out),
        Kind::Array(list) => return items(list, ["[", "]"], out),
        Kind::Tables(list) => return items(list, ["[[", "]]"], out),
    };
}

#[test]
fn a_file_may_start_with_a_byte_order_mark() {
    for mark in [&b"\xef\xbb\xbf"[..], b"\xfe\xff", b"\xff\xfe", b"\0\0\xfe\xff", b"\xff\xfe\0\0"] {
        let bytes = [mark, b"a = 1"].concat();
        assert!(parse(FileId(1), &bytes).is_ok(), "{mark:?}");
    }
    // Only one is dropped, and UTF-16 is not decoded.
    refused("\u{feff}\u{feff}a = 1", "(1, 1): parsing error: keys cannot contain \u{feff} character");
    refused_bytes(b"\xff\xfea\0", "(1, 1): parsing error: keys cannot contain \0 character");
}

#[test]
fn each_byte_that_is_not_utf_8_is_one_character() {
    refused_bytes(b"a = '\xe2\x82' 5", "(1, 10): unexpected token Integer");
    refused_bytes(b"\xe2\x82 = 1", "(1, 1): parsing error: keys cannot contain \u{fffd} character");
}

#[test]
fn the_end_of_the_file_is_a_position_too() {
    refused("a =", "(1, 4): expecting a value");
    refused("a =\n", "(2, 1): expecting a value");
    refused("a", "(1, 2): was expecting token =, but got EOF instead");
    refused("a = [1,\n", "(2, 1): unterminated array");
    refused("a = {b = 1", "(1, 11): unterminated inline table");
    refused("a = 1979-05-", "(1, 5): invalid day digit in date: \u{fffd}");
    refused(r#"a = "\"#, "(1, 6): invalid escape sequence: \\\u{fffd}");
}

#[test]
fn a_value_is_one_word_and_the_next_word_is_refused() {
    refused("a = 1 2", "(1, 7): unexpected token Integer");
    refused("a = 1 = 2", "(1, 7): unexpected token =");
    refused("a = = 1", "(1, 5): cannot have multiple equals for the same key");
    refused("a = True", "(1, 5): no value can start with T");
    refused("a = trueish", "(1, 9): parsing error: no value can start with i");
    refused("a = }", "unhandled token: \"}\"");
    refused("a = ]", "unhandled token: \"]\"");
    // On its own line, the next word is a key to the lexer.
    refused("a =\nb = 1", "unhandled token: \"b\"");
    refused("a = 1, b = 2", "(1, 6): unexpected token ,");
}

#[test]
fn a_carriage_return_alone_ends_a_line_but_not_a_comment() {
    read("a = 1\rb = 2", "{a: 1, b: 2}");
    read("a = 1 # one\rb = 2", "{a: 1}");
    refused("a\r = 1", "(1, 1): parsing error: keys cannot contain \r character");
}

#[test]
fn keys_may_be_quoted_and_dotted() {
    read(r#"a . "b c".'d' = 1"#, "{a: {b c: {d: 1}}}");
    read(".a = 1", "{a: 1}");
    read(r#""a""b" = 1"#, "{a: {b: 1}}");
    read("\"\" = 1", "{: 1}");
    refused("= 1", "(1, 1): unexpected token =");
    refused("a..b = 1", "(1, 1): invalid key: expecting key part after dot");
    refused("a.= 1", "(1, 1): invalid key: unexpected end of key");
    refused("a. = 1", "(1, 1): invalid key: unexpected end of key");
    // In a header, a space after the last dot passes for the start of a part.
    read("[a. ]", "{a: {}}");
    refused("a b = 1", "(1, 3): was expecting token =, but got \"b\" instead");
    refused("a\n= 1", "(1, 1): parsing error: keys cannot contain new lines");
    refused("ä = 1", "(1, 1): parsing error: keys cannot contain ä character");
    refused("\"a", "(1, 1): parsing error: unclosed string");
    // Escapes are resolved before the key is split, so that a quote within a key ends it.
    refused(r#""a\"b" = 1"#, "(1, 1): invalid key: invalid bare key character: \"");
    read(r#""a\".\"b" = 1"#, "{a: {b: 1}}");
}

#[test]
fn a_key_is_defined_once() {
    refused("a = 1\na = 2", "(2, 1): The following key was defined twice: a");
    refused("[t]\na.b = 1\na.b = 2", "(3, 1): The following key was defined twice: t.a.b");
    refused("a = 1\na.b = 2", "(2, 1): Unknown table type for path: a");
    refused("a = 1\n[b]\n[a]", TABLE_OVER_VALUE);
    refused("a = {}\na.b = 1", &format!("(2, 1): {CANNOT_ADD} a"));
    refused("a = []\na.b = 1", "(2, 1): Unknown table type for path: a");
}

const CANNOT_ADD: &str = "could not add key or sub-table to exist inline table or its sub-table :";
const TABLE_OVER_VALUE: &str = "(3, 2): unknown type for path a (a): *toml.tomlValue (&toml.tomlValue{value:1, \
     comment:\"\", commented:false, multiline:false, literal:false, position:toml.Position{Line:1, Col:1}})";

#[test]
fn a_header_is_known_by_its_raw_text() {
    refused("[a]\n[a]", "(2, 2): duplicated tables");
    read("[a]\nb = 1\n[ a ]\nc = 2\n[\"a\"]\nd = 3", "{a: {b: 1, c: 2, d: 3}}");
    refused("[[a]]\n[a]", "(2, 2): duplicated tables");
    read("[[a]]\n[ a ]\nb = 1", "{a: [[{b: 1}]]}");
    refused("[a]\n[[a]]", "(2, 3): key \"a\" is already assigned and not of type table array");
    // A new table in a list may have the same headers below it.
    read("[[a]]\n[a.b]\n[[a]]\n[a.b]", "{a: [[{b: {}}, {b: {}}]]}");
    refused("[[a]]\n[a.b]\n[a.b]", "(3, 2): duplicated tables");
    read("[a.b]\n[a]\nc = 1", "{a: {b: {}, c: 1}}");
}

#[test]
fn a_header_ends_at_the_first_bracket() {
    refused("[]", "(1, 2): unexpected token \"]\", was expecting a table key");
    refused("[a", "(1, 2): unexpected token unclosed table key, was expecting a table key");
    refused("[a[b]", "(1, 2): unexpected token table key cannot contain ']', was expecting a table key");
    refused("['a]b']", "(1, 2): invalid table array key: unclosed single-quoted key");
    refused("[a\nb]", "(1, 2): invalid table array key: invalid bare key character: \n");
    read("[a] b = 1", "{a: {b: 1}}");
    refused("[[]]", "(1, 3): unexpected token \"]]\", was expecting a table array key");
    refused("[[a]", "(1, 4): was expecting token [[, but got unclosed table array key instead");
    refused("[[a]b]]", "(1, 4): was expecting token [[, but got \"]b\" instead");
    refused("[ä]", "(1, 2): invalid table array key: invalid key character: ä");
    refused("[a b]", "(1, 2): invalid table array key: invalid key character after whitespace: b");
    refused("[ ]", "(1, 2): invalid table array key: empty key");
}

#[test]
fn a_list_of_tables_below_a_value_lands_beside_it() {
    read("a = 1\n[[a.b]]", "{a: 1, b: [[{}]]}");
    reported("a = 1\n[[a.b.c]]", "{a@1:1: 1, b@2:1: {c@2:1: [[@2:1{}]]}}");
    read("a = 1\nb = 2\n[[a.b]]", "{a: 1, b: [[{}]]}");
    // A key below it looks for its table where the header said, and finds the value.
    refused(
        "a = 1\n[[a.b]]\nc = 2",
        "(3, 1): could not create intermediate group: unknown type for path a.b (a): *toml.tomlValue \
         (&toml.tomlValue{value:1, comment:\"\", commented:false, multiline:false, literal:false, \
         position:toml.Position{Line:1, Col:1}})",
    );
}

#[test]
fn inline_tables_take_the_last_of_equal_keys() {
    read("a = {b = 1, b = 2}", "{a: {=b: 2}}");
    read("a = {b = 1, b.c = 2}", "{a: {=b: 1, c: 2}}");
    read("a = {\n b = 1\n}", "{a: {=b: 1}}");
    refused("a = {b = 1,}", "(1, 11): trailing comma at the end of inline table");
    refused(
        "a = {b = 1,, c = 2}",
        "(1, 12): unexpected token type in inline table: keys cannot contain , character",
    );
    refused("a = {b = 1 c = 2}", "(1, 12): unexpected token type in inline table: no value can start with c");
    refused("a = {b = 1 'c' = 2}", "(1, 13): comma expected between fields in inline table");
    refused("a = {b = 1\nc = 2}", "(2, 1): comma expected between fields in inline table");
    refused("a = {b}", "(1, 6): unexpected token type in inline table: keys cannot contain } character");
    refused("a = {,}", "(1, 6): unexpected token type in inline table: keys cannot contain , character");
    refused("a = {[b]}", "(1, 6): unexpected token type in inline table: \"[\"");
}

#[test]
fn only_the_braces_themselves_make_a_table_inline() {
    read("a = {b.c = 1}", "{a: {=b: {c: 1}}}");
    read("a = {b.c = 1}\n[a.b]\nd = 2", "{a: {=b: {c: 1, d: 2}}}");
    refused("a = {b = {}}\n[a.b]", "(2, 2): could not re-define exist inline table or its sub-table : a.b");
    // But a list of tables may be added to an inline table.
    read("a = {}\n[[a.b]]", "{a: {=b: [[{}]]}}");
    // A new table inherits the flag from the table around it.
    refused("a = {}\n[a.b]", "(2, 2): could not re-define exist inline table or its sub-table : a.b");
}

#[test]
fn lists_may_be_mixed_and_end_with_a_comma() {
    read("a = [1, 'b', [2.5], {}, ]", "{a: [1, \"b\", [2.5], {=}]}");
    read("a = []", "{a: []}");
    read("a = [{b = 1}, {}]", "{a: [[{=b: 1}, {=}]]}");
    read("a = [[{}]]", "{a: [[[{=}]]]}");
    read("a = [\n1, # one\n2\n]", "{a: [1, 2]}");
    refused("a = [1 2]", "(1, 8): missing comma");
    refused("a = [1,,2]", "unhandled token: \",\"");
    refused("a = [,]", "unhandled token: \",\"");
    refused("a = [b]", "(1, 6): no value can start with b");
    read("a = [{b = 1}]\n[[a]]\nc = 2", "{a: [[{=b: 1}, {c: 2}]]}");
}

#[test]
fn strings() {
    read(r#"a = "\b\t\n\f\r\"\/\\\u00e9\U0001F600""#, "{a: \"\\u{8}\\t\\n\\u{c}\\r\\\"/\\\\é😀\"}");
    read("a = '\n'", "{a: \"\\n\"}");
    read("a = \"\"\"\n b\\\n  c\"\"\"", "{a: \" bc\"}");
    read("a = '''\r\nb'''", "{a: \"b\"}");
    // Numbers that are no character.
    read(r#"a = "\uD800\UFFFFFFFF""#, "{a: \"\u{fffd}\u{fffd}\"}");
    refused("a = 'b", "(1, 6): unclosed string");
    refused("a = \"b\nc\"", "(1, 6): unescaped control character U+000A");
    refused("a = \"\"\"\n\u{1}\"\"\"", "(2, 1): unescaped control character U+0001");
    refused(r#"a = "\x41""#, "(1, 6): invalid escape sequence: \\x");
    refused(r#"a = "\%""#, "(1, 6): invalid escape sequence: \\%!(NOVERB)");
    refused(r#"a = "\u12""#, "(1, 6): unfinished unicode escape");
    // Between single quotes nothing is refused.
    read("a = 'x\u{1}\u{7f}'", "{a: \"x\\u{1}\\u{7f}\"}");
}

#[test]
fn integers() {
    read("a = [0, -0, +1_000, 0xDead_beef, 0o17, 0b11, 00]", "{a: [0, 0, 1000, 3735928559, 15, 3, 0]}");
    read("a = 9223372036854775807", "{a: 9223372036854775807}");
    read("a = 9223372036854775808", "{a: 9223372036854775808u}");
    read("a = 0xFFFFFFFFFFFFFFFF", "{a: 18446744073709551615u}");
    let strconv =
        |text: &str, message: &str| refused(&format!("a = {text}"), &format!("(1, 5): strconv.{message}"));
    strconv("18446744073709551616", r#"ParseUint: parsing "18446744073709551616": value out of range"#);
    strconv("0x10000000000000000", r#"ParseUint: parsing "10000000000000000": value out of range"#);
    strconv("+9223372036854775808", r#"ParseUint: parsing "+9223372036854775808": invalid syntax"#);
    strconv("-9223372036854775809", r#"ParseInt: parsing "-9223372036854775809": value out of range"#);
    refused("a = 012", "invalid base");
    refused("a = 0_1_2", "invalid base");
    read("a = -012", "{a: -12}");
    refused("a = 1__0", "(1, 5): invalid use of _ in number");
    refused("a = 1_", "(1, 5): invalid use of _ in number");
    refused("a = 0x_1", "(1, 5): invalid use of _ in hex number");
    refused("a = 0x_", "(1, 5): invalid use of _ in number");
    refused("a = 0x", "(1, 5): number needs at least one digit");
    refused("a = 0o8", "(1, 5): number needs at least one digit");
    refused("a = 0X1", "(1, 5): unknown number base: X. possible options are x (hex) o (octal) b (binary)");
    refused("a = +0x1", "(1, 7): parsing error: no value can start with x");
    refused("a = +_", "(1, 5): no digit in that number");
}

#[test]
fn floats() {
    read("a = [1.5, -0.0, 1e3, 1E-2, 6_0.2_5, 1_.5]", "{a: [1.5, -0.0, 1000.0, 0.01, 60.25, 1.5]}");
    read("a = [inf, -inf, +nan]", "{a: [inf, -inf, NaN]}");
    read("a = 1e-999", "{a: 0.0}");
    refused("a = 1e999", r#"(1, 5): strconv.ParseFloat: parsing "1e999": value out of range"#);
    refused("a = 1e5e5", r#"(1, 5): strconv.ParseFloat: parsing "1e5e5": invalid syntax"#);
    refused("a = 1.2e+", r#"(1, 5): strconv.ParseFloat: parsing "1.2e+": invalid syntax"#);
    refused("a = 1e_5", "(1, 5): invalid use of _ in number");
    refused("a = 1.", "(1, 5): float cannot end with a dot");
    refused("a = .5", "(1, 5): cannot start float with a dot");
    refused("a = -.5", "(1, 5): cannot start float with a dot");
    refused("a = 1.2.3", "(1, 5): cannot have two dots in one float");
    refused("a = 0e1", "(1, 5): unknown number base: e. possible options are x (hex) o (octal) b (binary)");
}

#[test]
fn dates_and_times_are_kept_as_go_prints_them() {
    read("a = 1979-05-27", "{a: LocalDate 1979-05-27}");
    read("a = 07:32:00.5", "{a: LocalTime 07:32:00.500000000}");
    read("a = 07:32:00.12345678999", "{a: LocalTime 07:32:00.123456789}");
    read("a = 1979-05-27 07:32:00", "{a: LocalDateTime 1979-05-27T07:32:00}");
    read("a = 1979-05-27T07:32:00Z", "{a: Offset 1979-05-27 07:32:00 +0000 UTC}");
    read("a = 1979-05-27T07:32:00-00:00", "{a: Offset 1979-05-27 07:32:00 +0000 UTC}");
    read("a = 1979-05-27T07:32:00.500-07:30", "{a: Offset 1979-05-27 07:32:00.5 -0730 -0730}");
    read("a = 1979-05-27T07:32:00+24:60", "{a: Offset 1979-05-27 07:32:00 +2500 +2500}");
    read("a = 0000-02-29T00:00:00Z", "{a: Offset 0000-02-29 00:00:00 +0000 UTC}");
    // A space may end the line, a newline right behind the date may not.
    read("a = 1979-05-27 \nb = 1", "{a: LocalDate 1979-05-27, b: 1}");
    refused("a = 1979-05-27\nb = 1", "(1, 15): parsing error: incorrect date/time separation character: \n");
    refused("a = [1979-05-27]", "(1, 16): missing comma");
}

#[test]
fn dates_and_times_out_of_range() {
    let parsing = |text: &str, message: &str| {
        refused(&format!("a = {text}"), &format!("(1, 5): parsing time \"{text}\"{message}"));
    };
    parsing("1979-13-01", ": month out of range");
    parsing("1979-02-29", ": day out of range");
    parsing("24:00:00", ": hour out of range");
    parsing("00:00:60", ": second out of range");
    parsing("1979-13-01T25:00:00", ": month out of range");
    // The second attempt, with a small t, hides why the first one failed.
    parsing(
        "1979-02-30T00:00:00.5",
        " as \"2006-01-02t15:04:05.999999999\": cannot parse \"T00:00:00.5\" as \"t\"",
    );
    parsing("1979-02-30T00:60:00Z", ": minute out of range");
    parsing("1979-02-30T00:00:00+25:00", ": time zone offset hour out of range");
    parsing("1979-02-30T00:00:00+25:61", ": time zone offset minute out of range");
    parsing("1979-02-30T00:00:00+24:60", ": day out of range");
}

/// The literal of a value, taken from the message that shows one.
#[track_caller]
fn literal(value: &str, wanted: &str) {
    let text = format!("a = {value} \n[a]");
    let error = parse(FileId(1), text.as_bytes()).expect_err("a value is no table");
    let shown = error.message.split_once("{value:").and_then(|(_, rest)| rest.rsplit_once(", comment:"));
    assert_eq!(shown.map(|(literal, _)| literal), Some(wanted));
}

#[test]
fn a_table_over_a_value_shows_the_value_as_a_go_literal() {
    literal("true", "true");
    literal("-5", "-5");
    literal("0xFFFFFFFFFFFFFFFF", "0xffffffffffffffff");
    literal("1e6", "1e+06");
    literal("inf", "+Inf");
    literal(r#""a\"\u200b""#, r#""a\"\u200b""#);
    literal("[]", "[]interface {}(nil)");
    literal("[1, 'b', [2.5]]", r#"[]interface {}{1, "b", []interface {}{2.5}}"#);
    literal("1979-05-27", "toml.LocalDate{Year:1979, Month:5, Day:27}");
    literal("07:32:00.5", "toml.LocalTime{Hour:7, Minute:32, Second:0, Nanosecond:500000000}");
    literal(
        "1979-05-27T07:32:00",
        "toml.LocalDateTime{Date:toml.LocalDate{Year:1979, Month:5, Day:27}, \
         Time:toml.LocalTime{Hour:7, Minute:32, Second:0, Nanosecond:0}}",
    );
    literal("0001-01-01T00:00:01.000000017Z", "time.Time{wall:0x11, ext:1, loc:(*time.Location)(nil)}");
    literal("0000-01-01T00:00:00Z", "time.Time{wall:0x0, ext:-31622400, loc:(*time.Location)(nil)}");
    literal(
        "1970-01-01T01:00:00+01:00",
        "time.Time{wall:0x0, ext:62135596800, loc:(*time.Location)(0xc000000000)}",
    );
    // Where a table lies in memory differs from run to run.
    literal("[1, {b = 2}]", "[]interface {}{1, (*toml.Tree)(0xc000000000)}");
}

#[test]
fn a_value_is_reported_at_its_key_and_a_table_at_its_bracket() {
    reported("a.b = 1", "{a@1:1: {b@1:1: 1}}");
    reported("\n [a.b]\n  c = 1", "{a@2:2: {b@2:2: {c@3:3: 1}}}");
    reported("[[a]]\n[[a]]\n[a.b]", "{a@2:1: [[@1:1{}, @2:1{b@3:1: {}}]]}");
    reported("a = [1, [2]]", "{a@1:1: [@0:01, @0:0[@0:02]]}");
}

#[test]
fn keys_of_inline_tables_are_reported_where_a_writer_would_put_them() {
    reported("\n\na = {b = 1, c = 2}", "{a@0:0: {=b@1:0: 1, c@2:0: 2}}");
    reported("a = {b.c.d = 1, b.e = 2}", "{a@0:0: {=b@0:0: {c@1:0: {d@2:0: 1}, e@2:0: 2}}}");
    reported("a = [{b = 1}]", "{a@0:0: [[@0:0{=b@1:0: 1}]]}");
    reported("a = {b = {c = 1}, d = [{}]}", "{a@0:0: {=b@0:0: {=c@1:0: 1}, d@0:0: [[@0:0{=}]]}}");
}

#[test]
fn every_node_knows_where_its_key_really_stands() {
    placed("a . 'b'.c = 1", "{a@1:1: {b@1:5: {c@1:9: 1}}}");
    placed(
        "\n[ a.\"b\" ]\nc = [1, 'x', [2]]",
        "{a@2:3: {b@2:5: {c@3:1: [@3:61, @3:9\"x\", @3:14[@3:152]]}}}",
    );
    placed("a = {b = 1, c.d = {}}", "{a@1:1: {=b@1:6: 1, c@1:13: {d@1:15: {=}}}}");
    placed("[[a]]\n[[ a ]]", "{a@1:3: [[@1:3{}, @2:4{}]]}");
    placed("[a.b]\n[a]\nc = 1", "{a@1:2: {b@1:4: {}, c@3:1: 1}}");
    // Escapes make a key's text shorter than its source.
    placed(r#""\u0061".b = 1"#, "{a@1:1: {b@1:10: 1}}");
    placed("'ä' = 1", "{ä@1:1: 1}");
}

#[test]
fn a_refusal_knows_the_character_that_is_to_blame() {
    refused_at("a b! = 1", "1:4");
    refused_at("ab! = 1", "1:3");
    refused_at(r#"a = "xy\z""#, "1:9");
    refused_at("a = '''b", "1:5");
    refused_at("x = 1\n[a", "2:1");
    refused_at("a = 1979-05-27\n", "1:15");
    refused_at("a = [1,,2]", "1:8");
    refused_at("a = 012", "1:5");
}
