//! Printing a tree as 1.6 and 1.7 do: keys sorted, plain values before tables, two blanks per depth.
//! Source of the rules: every recorded dump of 1.6.36 and 1.7.27.

use crate::toml::{Kind, Line, Node, Table, TimeKind};
use fourgaps_base::Place;
use fourgaps_base::decimal::{self, Decimal};

/// The lines of a table, as the library's encoder writes them.
pub fn print(table: &Table) -> Vec<Line> {
    let mut printer = Printer { lines: Vec::new(), path: Vec::new() };
    printer.table(table, 0, "");
    printer.lines
}

struct Printer {
    lines: Vec<Line>,
    path: Vec<String>,
}

impl Printer {
    fn push(&mut self, text: String, place: Option<Place>) {
        self.lines.push(Line { text, path: self.path.clone(), place });
    }

    fn table(&mut self, table: &Table, depth: usize, keyspace: &str) {
        let indent = "  ".repeat(depth);
        let (tables, plain): (Vec<_>, Vec<_>) =
            table.entries.iter().partition(|(_, node)| matches!(node.kind, Kind::Table(_) | Kind::Tables(_)));
        for (key, node) in plain {
            self.path.push(key.clone());
            self.push(format!("{indent}{} = {}", key_text(key), value_text(node)), Some(node.place));
            self.path.pop();
        }
        for (key, node) in tables {
            let full =
                if keyspace.is_empty() { key_text(key) } else { format!("{keyspace}.{}", key_text(key)) };
            self.path.push(key.clone());
            match &node.kind {
                Kind::Table(inner) => self.headed(&indent, &format!("[{full}]"), node, inner, depth, &full),
                Kind::Tables(list) => {
                    for (n, item) in list.iter().enumerate() {
                        if let Kind::Table(inner) = &item.kind {
                            self.path.push(n.to_string());
                            self.headed(&indent, &format!("[[{full}]]"), item, inner, depth, &full);
                            self.path.pop();
                        }
                    }
                }
                _ => {}
            }
            self.path.pop();
        }
    }

    fn headed(&mut self, indent: &str, header: &str, node: &Node, inner: &Table, depth: usize, full: &str) {
        self.lines.push(Line { text: String::new(), path: Vec::new(), place: None });
        self.push(format!("{indent}{header}"), Some(node.place));
        self.table(inner, depth + 1, full);
    }
}

/// A key: bare where every character allows it, quoted otherwise. A key that carries quotes is left alone.
pub fn key_text(key: &str) -> String {
    let carries_quotes = key.len() >= 2 && key.starts_with('"') && key.ends_with('"');
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if carries_quotes || key.chars().all(bare) { key.to_string() } else { format!("\"{}\"", escaped(key)) }
}

/// A value on one line.
pub fn value_text(node: &Node) -> String {
    match &node.kind {
        Kind::Bool(value) => value.to_string(),
        Kind::Int(value) => value.to_string(),
        Kind::Uint(value) => value.to_string(),
        Kind::Float(value) => float(*value),
        Kind::String(text) => format!("\"{}\"", escaped(text)),
        Kind::Time(TimeKind::Offset, text) => rfc3339(text),
        Kind::Time(_, text) => text.clone(),
        Kind::Array(list) | Kind::Tables(list) => {
            let items: Vec<String> = list.iter().map(value_text).collect();
            format!("[{}]", items.join(", "))
        }
        Kind::Table(table) => {
            let (tables, plain): (Vec<_>, Vec<_>) = table
                .entries
                .iter()
                .partition(|(_, node)| matches!(node.kind, Kind::Table(_) | Kind::Tables(_)));
            let items = plain.into_iter().chain(tables);
            let items: Vec<String> =
                items.map(|(k, v)| format!("{} = {}", key_text(k), value_text(v))).collect();
            format!("{{ {} }}", items.join(", "))
        }
    }
}

/// `1979-05-27 00:32:00.5 -0700 -0700` as a dump writes it: `1979-05-27T00:32:00-07:00`, without a fraction.
fn rfc3339(text: &str) -> String {
    let mut words = text.split(' ');
    let (Some(date), Some(time), Some(offset)) = (words.next(), words.next(), words.next()) else {
        return text.to_string();
    };
    let seconds = time.split('.').next().unwrap_or(time);
    match offset {
        "+0000" => format!("{date}T{seconds}Z"),
        _ => {
            let (hours, minutes) = offset.split_at_checked(3).unwrap_or((offset, "00"));
            format!("{date}T{seconds}{hours}:{minutes}")
        }
    }
}

fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+inf".into() } else { "-inf".into() };
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.trunc() == value {
        return format!("{sign}{}.0", decimal::whole(value));
    }
    // Where 32 bits hold the value exactly, the library prints the shortest text that 32 bits need.
    let short = value as f32;
    if f64::from(short) == value {
        return format!("{sign}{}", Decimal::of_short(short).plain());
    }
    decimal::show(value)
}

/// Escapes as the library does; it looks at the low sixteen bits of a character only.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if (c as u32 as u16) < 0x1f => out.push_str(&format!("\\u{:04X}", c as u32 as u16)),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_lose_their_fraction() {
        for (given, wanted) in [
            ("1979-05-27 00:32:00.5 -0700 -0700", "1979-05-27T00:32:00-07:00"),
            ("1979-05-27 07:32:00 +0000 UTC", "1979-05-27T07:32:00Z"),
        ] {
            assert_eq!(rfc3339(given), wanted);
        }
    }

    #[test]
    fn floats_print_as_short_as_32_bits_allow() {
        for (given, wanted) in [(0.02, "0.02"), (1.0, "1.0"), (f64::from(0.1f32), "0.1"), (-0.0, "-0.0")] {
            assert_eq!(float(given), wanted);
        }
    }
}
