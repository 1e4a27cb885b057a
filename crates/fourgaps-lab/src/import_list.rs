//! The `imports` list of a main file as text: where its entries stand, and edits that touch only them.

use fourgaps_config::toml::v2::document::{Says, top_value};
use std::ops::Range;

/// The list, if the file has one.
#[derive(Debug, Default)]
pub(crate) struct ImportList {
    /// From `[` to `]`; `None` where the file has no `imports` at its top level.
    span: Option<Range<usize>>,
    /// Where a new `imports` line goes.
    new_line: usize,
    /// The entries in order.
    pub entries: Vec<Entry>,
}

/// One entry.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The text that it means.
    pub text: String,
    span: Range<usize>,
}

impl ImportList {
    /// Finds the list in a text. `None` where the text is no TOML, or its `imports` is no list of texts.
    pub fn find(text: &str) -> Option<Self> {
        let Some(list) = top_value(text, "imports").ok()? else {
            // After the line of `version`, else at the very top: both stand before the first table.
            let version = top_value(text, "version").ok()?;
            let after = version.map_or(0, |value| line_end(text, value.span.end));
            return Some(Self { span: None, new_line: after, entries: Vec::new() });
        };
        let Says::List(items) = list.says else { return None };
        let mut entries = Vec::new();
        for item in items {
            let Says::Text(text) = item.says else { return None };
            entries.push(Entry { text, span: item.span });
        }
        Some(Self { span: Some(list.span), new_line: 0, entries })
    }

    /// The text with one entry replaced by others, or removed where there are none.
    pub fn replace(&self, text: &str, nth: usize, by: &[String]) -> String {
        let span = self.entries[nth].span.clone();
        if by.is_empty() {
            return self.remove(text, nth);
        }
        let between = match own_line(text, span.start) {
            Some(indent) => format!(",\n{indent}"),
            None => ", ".into(),
        };
        let texts: Vec<String> = by.iter().map(|path| quoted(path)).collect();
        edited(text, span, &texts.join(&between))
    }

    /// The text with all entries replaced by one; `None` where a comment stands among them.
    pub fn replace_all(&self, text: &str, by: &str) -> Option<String> {
        let (Some(first), Some(last)) = (self.entries.first(), self.entries.last()) else {
            return Some(self.insert(text, 0, by));
        };
        let pairs = self.entries.iter().zip(self.entries.iter().skip(1));
        let commented = pairs.into_iter().any(|(a, b)| text[a.span.end..b.span.start].contains('#'));
        (!commented).then(|| edited(text, first.span.start..last.span.end, &quoted(by)))
    }

    /// The text with a new entry at a place of the list.
    pub fn insert(&self, text: &str, nth: usize, path: &str) -> String {
        let new = quoted(path);
        let Some(span) = &self.span else {
            let line = format!("imports = [{new}]\n");
            let break_first = !text[..self.new_line].is_empty() && !text[..self.new_line].ends_with('\n');
            let line = if break_first { format!("\n{line}") } else { line };
            return edited(text, self.new_line..self.new_line, &line);
        };
        if let Some(next) = self.entries.get(nth) {
            let after = own_line(text, next.span.start).map_or(" ".into(), |indent| format!("\n{indent}"));
            return edited(text, next.span.start..next.span.start, &format!("{new},{after}"));
        }
        let Some(last) = self.entries.last() else {
            return edited(text, span.start + 1..span.start + 1, &new);
        };
        let Some(indent) = own_line(text, last.span.start) else {
            return edited(text, last.span.end..last.span.end, &format!(", {new}"));
        };
        // One entry a line: the new line comes after a comment that belongs to the last entry.
        let comma = comma_after(text, last.span.end, span.end);
        let end = line_end(text, comma.map_or(last.span.end, |at| at + 1)).min(span.end - 1);
        let (tail, comma_needed) = if comma.is_some() { (",", false) } else { ("", true) };
        let mut line = format!("{indent}{new}{tail}\n");
        if !text[..end].ends_with('\n') {
            line = format!("\n{indent}{new}{tail}");
        }
        let text = edited(text, end..end, &line);
        if comma_needed { edited(&text, last.span.end..last.span.end, ",") } else { text }
    }

    fn remove(&self, text: &str, nth: usize) -> String {
        let entry = self.entries[nth].span.clone();
        let next = self.entries.get(nth + 1).map(|entry| entry.span.start);
        let close = self.span.as_ref().map_or(entry.end, |span| span.end - 1);
        let mut cuts = Vec::new();
        match comma_after(text, entry.end, next.unwrap_or(close)) {
            // Its own comma goes with it, and the line where it stood alone.
            Some(at) if text[entry.end..at].trim().is_empty() => {
                cuts.push(with_line(text, entry.start..at + 1))
            }
            Some(at) => cuts.extend([at..at + 1, entry]),
            // The last entry takes the comma before it along.
            None => {
                let before = nth.checked_sub(1).map(|nth| self.entries[nth].span.end);
                let comma = before.and_then(|end| comma_after(text, end, entry.start));
                match comma {
                    Some(at) if text[at + 1..entry.start].chars().all(is_blank) => cuts.push(at..entry.end),
                    _ => cuts.push(with_line(text, entry)),
                }
                if let Some(at) = comma.filter(|at| *at < cuts[0].start) {
                    cuts.push(at..at + 1);
                }
            }
        }
        // From the last to the first, so that the places of the others stay true.
        cuts.into_iter().fold(text.to_string(), |text, cut| edited(&text, cut, ""))
    }
}

/// A text as a TOML string.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            control if control.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

fn edited(text: &str, span: Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..span.start], &text[span.end..])
}

fn is_blank(letter: char) -> bool {
    letter == ' ' || letter == '\t'
}

/// A stretch with the blanks behind it; the whole line, where nothing else stands on it.
fn with_line(text: &str, span: Range<usize>) -> Range<usize> {
    let rest = &text[span.end..];
    let end = span.end + rest.len() - rest.trim_start_matches(is_blank).len();
    match own_line(text, span.start) {
        Some(indent) if text[end..].starts_with('\n') => span.start - indent.len()..end + 1,
        _ => span.start..end,
    }
}

/// The spaces before a place that begins its line; `None` where something else stands before it.
fn own_line(text: &str, at: usize) -> Option<&str> {
    let start = text[..at].rfind('\n')? + 1;
    let before = &text[start..at];
    before.trim().is_empty().then_some(before)
}

/// The place behind the line break that ends a line.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |found| at + found + 1)
}

/// The first comma of a stretch that is not in a comment.
fn comma_after(text: &str, from: usize, to: usize) -> Option<usize> {
    let mut comment = false;
    for (at, letter) in text[from..to].char_indices() {
        match letter {
            '#' => comment = true,
            '\n' => comment = false,
            ',' if !comment => return Some(from + at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, edit: impl Fn(&ImportList, &str) -> String, after: &str) {
        let list = ImportList::find(before).expect("the text is good");
        let text = edit(&list, before);
        assert_eq!(text, after);
        assert!(ImportList::find(&text).is_some(), "{text}");
    }

    fn replace(nth: usize, by: &'static [&'static str]) -> impl Fn(&ImportList, &str) -> String {
        move |list, text| list.replace(text, nth, &by.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    fn insert(nth: usize) -> impl Fn(&ImportList, &str) -> String {
        move |list, text| list.insert(text, nth, "/n")
    }

    #[test]
    fn an_entry_is_replaced_in_place() {
        check("imports = ['/d/*.toml'] # x\n", replace(0, &["/a", "/b"]), "imports = [\"/a\", \"/b\"] # x\n");
        check(
            "imports = [\n  '/a',\n]\n",
            replace(0, &["/c", "/b"]),
            "imports = [\n  \"/c\",\n  \"/b\",\n]\n",
        );
    }

    #[test]
    fn an_entry_is_removed_with_its_comma() {
        check("imports = ['/a']\n", replace(0, &[]), "imports = []\n");
        check("imports = ['/a', '/b']\n", replace(0, &[]), "imports = ['/b']\n");
        check("imports = ['/a', '/b']\n", replace(1, &[]), "imports = ['/a']\n");
        check("imports = ['/a', '/b', ]\n", replace(1, &[]), "imports = ['/a', ]\n");
        check("imports = [\n  '/a', # one\n  '/b',\n]\n", replace(1, &[]), "imports = [\n  '/a', # one\n]\n");
        check("imports = [\n  '/a', # one\n  '/b'\n]\n", replace(1, &[]), "imports = [\n  '/a' # one\n]\n");
        check(
            "imports = [\n  '/a', # one\n  '/b'\n]\n",
            replace(0, &[]),
            "imports = [\n  # one\n  '/b'\n]\n",
        );
        check("imports = [\n  '/a'\n  , '/b'\n]\n", replace(1, &[]), "imports = [\n  '/a'\n  \n]\n");
    }

    #[test]
    fn an_entry_is_put_in() {
        check("imports = []\n", insert(0), "imports = [\"/n\"]\n");
        check("imports = ['/a']\n", insert(0), "imports = [\"/n\", '/a']\n");
        check("imports = ['/a']\n", insert(1), "imports = ['/a', \"/n\"]\n");
        check("imports = [\n  '/a',\n]\n", insert(0), "imports = [\n  \"/n\",\n  '/a',\n]\n");
        check("imports = [\n  '/a', # one\n]\n", insert(1), "imports = [\n  '/a', # one\n  \"/n\",\n]\n");
        check("imports = [\n  '/a' # one\n]\n", insert(1), "imports = [\n  '/a', # one\n  \"/n\"\n]\n");
        check("imports = [\n  '/a']\n", insert(1), "imports = [\n  '/a',\n  \"/n\"]\n");
    }

    #[test]
    fn a_file_without_imports_gets_a_line() {
        check("version = 2\n\n[debug]\n", insert(0), "version = 2\nimports = [\"/n\"]\n\n[debug]\n");
        check("version = 2", insert(0), "version = 2\nimports = [\"/n\"]\n");
        check("# mine\n[debug]\n", insert(0), "imports = [\"/n\"]\n# mine\n[debug]\n");
        check("", insert(0), "imports = [\"/n\"]\n");
    }

    #[test]
    fn what_is_no_list_is_not_touched() {
        for text in ["imports = '/a'\n", "imports = [1]\n", "imports = [\n", "a = = 1\n"] {
            assert!(ImportList::find(text).is_none(), "{text}");
        }
    }

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quoted("/a \"b\" \\ \t日"), "\"/a \\\"b\\\" \\\\ \\u0009日\"");
    }
}
