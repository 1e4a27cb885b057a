//! Which keys were already there, and as what: refuses repeated tables and keys.

use super::fault::{Fault, Res};
use super::parse::{Expr, Part, Value, ValueKind};
use std::collections::BTreeMap;

/// All keys of a document so far, as a tree.
pub(super) struct Seen {
    entries: Vec<Entry>,
    /// The table that the last header opened.
    current: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Value,
    Table,
    ArrayTable,
}

struct Entry {
    children: BTreeMap<String, usize>,
    kind: Kind,
    /// Named by a header, or closed for good.
    explicit: bool,
    /// Made by a dotted key.
    dotted: bool,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Table => "table",
            Self::ArrayTable => "array table",
        }
    }
}

impl Seen {
    pub fn new() -> Self {
        let root = Entry { children: BTreeMap::new(), kind: Kind::Table, explicit: false, dotted: false };
        Self { entries: vec![root], current: 0 }
    }

    /// Notes an expression; true where an array of tables appears for the first time.
    pub fn check(&mut self, expr: &Expr) -> Res<bool> {
        match expr {
            Expr::KeyValue(key, value) => self.key_value(key, value).map(|()| false),
            Expr::Table(key) => self.table(key).map(|()| false),
            Expr::ArrayTable(key) => self.array_table(key),
        }
    }

    fn find(&self, parent: usize, key: &str) -> Option<usize> {
        self.entries[parent].children.get(key).copied()
    }

    fn create(&mut self, parent: usize, key: &str, kind: Kind, explicit: bool, dotted: bool) -> usize {
        let id = self.entries.len();
        self.entries.push(Entry { children: BTreeMap::new(), kind, explicit, dotted });
        self.entries[parent].children.insert(key.into(), id);
        id
    }

    /// A new header closes the tables that dotted keys made in the table before it.
    fn close_current(&mut self) {
        let mut open: Vec<usize> = self.entries[self.current].children.values().copied().collect();
        while let Some(id) = open.pop() {
            let entry = &mut self.entries[id];
            if entry.dotted {
                entry.explicit = true;
                entry.dotted = false;
            }
            open.extend(entry.children.values());
        }
    }

    /// Walks to the table around a header's last part.
    fn walk(&mut self, key: &[Part]) -> Res<usize> {
        let mut parent = 0;
        for part in key {
            parent = match self.find(parent, &part.text) {
                None => self.create(parent, &part.text, Kind::Table, false, false),
                Some(id) if self.entries[id].kind == Kind::Value => {
                    return Err(not_a_table(part, Kind::Value));
                }
                Some(id) => id,
            };
        }
        Ok(parent)
    }

    fn table(&mut self, key: &[Part]) -> Res<()> {
        self.close_current();
        let Some((last, above)) = key.split_last() else { return Ok(()) };
        let parent = self.walk(above)?;
        self.current = match self.find(parent, &last.text) {
            None => self.create(parent, &last.text, Kind::Table, true, false),
            Some(id) => {
                let entry = &mut self.entries[id];
                if entry.kind != Kind::Table {
                    let found = entry.kind.name();
                    return refuse(last, format!("key {} should be a table, not a {found}", last.text));
                }
                if entry.explicit {
                    return refuse(last, format!("table {} already exists", last.text));
                }
                entry.explicit = true;
                id
            }
        };
        Ok(())
    }

    fn array_table(&mut self, key: &[Part]) -> Res<bool> {
        self.close_current();
        let Some((last, above)) = key.split_last() else { return Ok(false) };
        let parent = self.walk(above)?;
        let known = self.find(parent, &last.text);
        self.current = match known {
            None => self.create(parent, &last.text, Kind::ArrayTable, true, false),
            Some(id) => {
                let kind = self.entries[id].kind;
                if kind != Kind::ArrayTable {
                    // The library mixes up the two words.
                    let (kind, key) = (kind.name(), &last.text);
                    let message =
                        format!("key {kind} already exists as a {key},  but should be an array table");
                    return refuse(last, message);
                }
                self.entries[id].children.clear();
                id
            }
        };
        Ok(known.is_none())
    }

    fn key_value(&mut self, key: &[Part], value: &Value) -> Res<()> {
        let mut parent = self.current;
        for (i, part) in key.iter().enumerate() {
            let Some(id) = self.find(parent, &part.text) else {
                parent = self.create(parent, &part.text, Kind::Table, false, true);
                continue;
            };
            let entry = &self.entries[id];
            if i + 1 == key.len() {
                return refuse(part, format!("key {} is already defined", part.text));
            }
            if entry.kind != Kind::Table {
                return Err(not_a_table(part, entry.kind));
            }
            if entry.explicit {
                let name = &part.text;
                let message =
                    format!("cannot redefine table {name} that has already been explicitly defined");
                return refuse(part, message);
            }
            parent = id;
        }
        self.entries[parent].kind = Kind::Value;
        check_value(value)
    }
}

/// Looks for repeated keys inside of a value; an inline table keeps its own account.
fn check_value(value: &Value) -> Res<()> {
    match &value.kind {
        ValueKind::Array(items) => items.iter().try_for_each(check_value),
        ValueKind::Inline(entries) => {
            let mut inside = Seen::new();
            entries.iter().try_for_each(|(key, value)| inside.key_value(key, value))
        }
        _ => Ok(()),
    }
}

fn not_a_table(part: &Part, kind: Kind) -> Fault {
    let message = format!("expected {} to be a table, not a {}", part.text, kind.name());
    Fault::plain(part.start, message)
}

fn refuse<T>(part: &Part, message: String) -> Res<T> {
    Err(Fault::plain(part.start, message))
}
