//! JSON as Go's `encoding/json` prints a map: keys in byte order, two blanks per depth.

use std::collections::BTreeMap;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// A number, as it is printed.
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// The text, indented.
    pub fn pretty(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, Some(0));
        out
    }

    /// The text on one line.
    pub fn flat(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, None);
        out
    }

    fn write(&self, out: &mut String, depth: Option<usize>) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(text) => out.push_str(text),
            Self::Text(text) => quote(out, text),
            Self::List(items) => {
                let item = |out: &mut String, item: &Self, depth| item.write(out, depth);
                block(out, ['[', ']'], items.iter(), depth, item);
            }
            Self::Object(entries) => {
                let entry = |out: &mut String, (key, value): (&String, &Self), depth: Option<usize>| {
                    quote(out, key);
                    out.push_str(if depth.is_some() { ": " } else { ":" });
                    value.write(out, depth);
                };
                block(out, ['{', '}'], entries.iter(), depth, entry);
            }
        }
    }
}

fn block<T>(
    out: &mut String,
    [open, close]: [char; 2],
    items: impl ExactSizeIterator<Item = T>,
    depth: Option<usize>,
    write: impl Fn(&mut String, T, Option<usize>),
) {
    let empty = items.len() == 0;
    let line = |out: &mut String, depth: Option<usize>| {
        if let Some(depth) = depth {
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
        }
    };
    let below = depth.map(|depth| depth + 1);
    out.push(open);
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push(',');
        }
        line(out, below);
        write(out, item, below);
    }
    if !empty {
        line(out, depth);
    }
    out.push(close);
}

/// Go's marks: besides what JSON wants, `<`, `>` and `&` are escaped, as they would mean something in HTML.
pub(crate) fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\u{0}'..='\u{1f}' => {
                out.push_str(&format!("\\u{:04x}", c as u32));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// An object of named values.
pub(crate) fn object<const N: usize>(entries: [(&str, Json); N]) -> Json {
    Json::Object(fourgaps_base::map_of(entries.into_iter().map(|(key, value)| (key.to_string(), value))))
}

/// A text.
pub(crate) fn text(text: impl Into<String>) -> Json {
    Json::Text(text.into())
}

/// A list of texts.
pub(crate) fn texts(list: &[&str]) -> Json {
    Json::List(list.iter().map(|item| text(*item)).collect())
}

/// A whole number.
pub(crate) fn number(number: i64) -> Json {
    Json::Number(number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_look_as_in_go() {
        let value = object([
            ("b", Json::List(vec![number(1), Json::Null])),
            ("a", text("<\"\n")),
            ("c", object([])),
            ("d", texts(&[])),
        ]);
        assert_eq!(value.flat(), r#"{"a":"\u003c\"\n","b":[1,null],"c":{},"d":[]}"#);
        let pretty = "{\n  \"a\": \"\\u003c\\\"\\n\",\n  \"b\": [\n    1,\n    null\n  ],\n  \"c\": {},\n  \"d\": []\n}";
        assert_eq!(value.pretty(), pretty);
    }
}
