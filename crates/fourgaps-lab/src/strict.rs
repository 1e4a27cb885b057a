//! Reading our own TOML strictly: every unknown key, missing key and wrong type is a fault with its place,
//! and reading goes on after each, so that an author sees all of them at once.

use crate::fault::Fault;
use crate::nearest::nearest;
use fourgaps_base::{Pos, in_order};
use fourgaps_config::kind_of;
use fourgaps_config::toml::v2::document;
use fourgaps_config::toml::{Kind, Node};
use std::collections::BTreeMap;

/// A file that is being read, and what was wrong in it so far.
pub(crate) struct Sheet<'a> {
    label: &'a str,
    faults: Vec<Fault>,
}

/// A table of a file. Every key that is asked for counts as known; [`Table::close`] complains about the rest.
pub(crate) struct Table<'t> {
    entries: &'t BTreeMap<String, Node>,
    known: Vec<&'static str>,
    at: Pos,
}

/// A value that knows where its key stands.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'t>(&'t Node);

/// Reads a file through a function that takes its top table apart.
pub(crate) fn read<T>(
    label: &str,
    text: &str,
    take: impl FnOnce(&mut Sheet<'_>, &mut Table<'_>) -> T,
) -> Result<T, Vec<Fault>> {
    let mut sheet = Sheet { label, faults: Vec::new() };
    let document = document::tree(text);
    let Some(mut top) = document.as_ref().ok().and_then(Table::of) else {
        for fault in document::faults(text) {
            sheet.fault(fault.at, fault.message);
        }
        return Err(sheet.faults);
    };
    let value = take(&mut sheet, &mut top);
    top.close(&mut sheet);
    sheet.faults = in_order(sheet.faults, Ord::cmp);
    sheet.faults.dedup();
    if sheet.faults.is_empty() { Ok(value) } else { Err(sheet.faults) }
}

impl Sheet<'_> {
    /// Notes a fault at a place of the file.
    pub fn fault(&mut self, at: Pos, message: impl Into<String>) {
        self.faults.push(Fault::at(self.label, at, message));
    }
}

impl<'t> Table<'t> {
    fn of(node: &'t Node) -> Option<Self> {
        Some(Self { entries: &node.table()?.entries, known: Vec::new(), at: node.place.pos })
    }

    /// Where the table starts.
    pub fn at(&self) -> Pos {
        self.at
    }

    /// Where a key stands, or the table where the key is absent.
    pub fn at_key(&self, key: &str) -> Pos {
        self.entries.get(key).map_or(self.at, |node| node.place.pos)
    }

    /// True where the key is written.
    pub fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Every key in byte order with its entry, for tables whose keys are the author's own names.
    pub fn into_entries(self) -> Vec<(&'t str, Entry<'t>)> {
        self.entries.iter().map(|(key, node)| (key.as_str(), Entry(node))).collect()
    }

    /// An entry that may be absent.
    pub fn optional(&mut self, key: &'static str) -> Option<Entry<'t>> {
        self.known.push(key);
        self.entries.get(key).map(Entry)
    }

    /// An entry that must be there.
    pub fn required(&mut self, sheet: &mut Sheet<'_>, key: &'static str) -> Option<Entry<'t>> {
        let entry = self.optional(key);
        if entry.is_none() {
            sheet.fault(self.at, format!("`{key}` is missing"));
        }
        entry
    }

    /// A text that must be there and say something.
    pub fn text(&mut self, sheet: &mut Sheet<'_>, key: &'static str) -> String {
        self.required(sheet, key).map(|entry| entry.text(sheet, key)).unwrap_or_default()
    }

    /// A text that may be absent, but may not be empty.
    pub fn optional_text(&mut self, sheet: &mut Sheet<'_>, key: &'static str) -> Option<String> {
        self.optional(key).map(|entry| entry.text(sheet, key))
    }

    /// A list of texts; an absent list is empty.
    pub fn texts(&mut self, sheet: &mut Sheet<'_>, key: &'static str) -> Vec<String> {
        self.optional(key).map(|entry| entry.texts(sheet, key)).unwrap_or_default()
    }

    /// A whole number.
    pub fn number(&mut self, sheet: &mut Sheet<'_>, key: &'static str) -> Option<i64> {
        self.optional(key).and_then(|entry| entry.number(sheet, key))
    }

    /// The tables of `[[key]]`; an absent list is empty.
    pub fn tables(&mut self, sheet: &mut Sheet<'_>, key: &'static str) -> Vec<Table<'t>> {
        self.optional(key).map(|entry| entry.tables(sheet, key)).unwrap_or_default()
    }

    /// A table; an absent one is empty.
    pub fn table(&mut self, sheet: &mut Sheet<'_>, key: &'static str) -> Option<Table<'t>> {
        self.optional(key).and_then(|entry| entry.table(sheet, key))
    }

    /// Refuses any format but the one that this program reads.
    pub fn format_version(&mut self, sheet: &mut Sheet<'_>) {
        let at = self.at_key("format_version");
        match self.number(sheet, "format_version") {
            Some(1) => {}
            Some(other) => {
                sheet.fault(at, format!("format_version {other} is not known; this program reads 1"))
            }
            None if self.has("format_version") => {}
            None => sheet.fault(at, "`format_version` is missing; write `format_version = 1`"),
        }
    }

    /// Complains about every key that nobody asked for.
    pub fn close(self, sheet: &mut Sheet<'_>) {
        for (key, node) in self.entries {
            if self.known.contains(&key.as_str()) {
                continue;
            }
            let hint = match nearest(key, self.known.iter().copied()) {
                Some(word) => format!("; did you mean `{word}`?"),
                None => format!("; known here: {}", self.known.join(", ")),
            };
            sheet.fault(node.place.pos, format!("unknown key `{key}`{hint}"));
        }
    }
}

impl<'t> Entry<'t> {
    /// Where the key stands.
    pub fn at(&self) -> Pos {
        self.0.place.pos
    }

    fn wrong(&self, sheet: &mut Sheet<'_>, key: &str, wanted: &str) {
        sheet.fault(self.at(), format!("`{key}` must be {wanted}, but is {}", kind_of(self.0)));
    }

    /// A text that says something.
    pub fn text(&self, sheet: &mut Sheet<'_>, key: &str) -> String {
        match self.0.text() {
            Some(text) => {
                if text.trim().is_empty() {
                    sheet.fault(self.at(), format!("`{key}` is empty"));
                }
                text.into()
            }
            None => {
                self.wrong(sheet, key, "a text");
                String::new()
            }
        }
    }

    /// A list of texts.
    pub fn texts(&self, sheet: &mut Sheet<'_>, key: &str) -> Vec<String> {
        let Some(items) = self.0.list() else {
            self.wrong(sheet, key, "a list of texts");
            return Vec::new();
        };
        items.iter().map(|item| Entry(item).text(sheet, key)).collect()
    }

    /// A whole number.
    pub fn number(&self, sheet: &mut Sheet<'_>, key: &str) -> Option<i64> {
        if let Kind::Int(number) = self.0.kind {
            return Some(number);
        }
        self.wrong(sheet, key, "a whole number");
        None
    }

    /// `true` or `false`.
    pub fn flag(&self, sheet: &mut Sheet<'_>, key: &str) -> bool {
        if let Kind::Bool(flag) = self.0.kind {
            return flag;
        }
        self.wrong(sheet, key, "true or false");
        false
    }

    /// A list of tables.
    pub fn tables(&self, sheet: &mut Sheet<'_>, key: &str) -> Vec<Table<'t>> {
        let Some(items) = self.0.list() else {
            self.wrong(sheet, key, &format!("a list of tables, as in `[[{key}]]`"));
            return Vec::new();
        };
        items.iter().filter_map(|item| Entry(item).table(sheet, key)).collect()
    }

    /// A table.
    pub fn table(&self, sheet: &mut Sheet<'_>, key: &str) -> Option<Table<'t>> {
        let table = Table::of(self.0);
        if table.is_none() {
            self.wrong(sheet, key, "a table");
        }
        table
    }

    /// The value itself, for the few places that take more than one kind.
    pub fn value(&self) -> &'t Node {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let faults = read("f.toml", text, |sheet, top| {
            top.text(sheet, "title");
            top.texts(sheet, "names");
            for mut item in top.tables(sheet, "items") {
                item.number(sheet, "size");
                item.close(sheet);
            }
        })
        .err()
        .unwrap_or_default();
        let shown: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn all_faults_come_at_once() {
        check(
            "titel = 'x'\nnames = ['a', 2, '']\n[[items]]\nsize = 'big'\nsiez = 1\nzzzzzzzz = 1\n",
            &[
                "f.toml:1:1: `title` is missing",
                "f.toml:1:1: unknown key `titel`; did you mean `title`?",
                "f.toml:2:15: `names` must be a text, but is a whole number",
                "f.toml:2:18: `names` is empty",
                "f.toml:4:1: `size` must be a whole number, but is a text",
                "f.toml:5:1: unknown key `siez`; did you mean `size`?",
                "f.toml:6:1: unknown key `zzzzzzzz`; known here: size",
            ],
        );
    }

    #[test]
    fn a_good_file_has_none() {
        check("title = 'x'\n[[items]]\nsize = 0x10\n", &[]);
    }

    #[test]
    fn broken_toml_has_a_place() {
        let faults = read("f.toml", "a = 1\nb = = 2\nc = 'x\n", |_, _| ()).unwrap_err();
        assert!(faults.len() >= 2, "{faults:?}");
        assert_eq!(faults[0].line, 2);
    }
}
