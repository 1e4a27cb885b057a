//! Merging one file into what is there, and a list of what was lost by it.
//! Source of the rules: the recordings `gap1-*`, `merge-*`, and the public source of the versions.

use crate::rules::Merge;
use crate::run::{Hidden, LoadedFile, Rule};
use crate::schema::Type;
use crate::toml::v1::print::value_text;
use crate::toml::{Kind, Node, Table, v2};
use crate::version::Version;
use fourgaps_base::Place;
use fourgaps_base::in_order;
use std::collections::BTreeMap;

/// Merges files, and remembers what was hidden.
#[derive(Default)]
pub(crate) struct Merger {
    pub hidden: Vec<Hidden>,
    second: bool,
}

impl Merger {
    /// Merges a decoded file into the configuration so far.
    pub fn merge(&mut self, version: &Version, to: &mut Table, from: Table) {
        self.second = version.rules.merge == Merge::Deep;
        self.merge_struct(version, &version.root, to, from, &mut Vec::new());
    }

    fn merge_struct(
        &mut self,
        version: &Version,
        ty: &str,
        to: &mut Table,
        from: Table,
        path: &mut Vec<String>,
    ) {
        let mut from = from;
        for field in version.schema.fields(ty) {
            let Some(new) = from.entries.remove(&field.key) else { continue };
            path.push(field.key.clone());
            match (&field.ty, to.entries.get_mut(&field.key)) {
                (Type::Slice(_), None) => {
                    let mut old = Node::default_of(Kind::Array(Vec::new()));
                    join_lists(&mut old, new, version.rules.nil_lists.contains(&field.key));
                    to.entries.insert(field.key.clone(), old);
                }
                (_, None) => {
                    to.entries.insert(field.key.clone(), new);
                }
                (Type::Struct(inner), Some(old)) => {
                    if !new.place.is_default() {
                        old.place = new.place;
                    }
                    if let (Kind::Table(old), Kind::Table(new)) = (&mut old.kind, new.kind) {
                        self.merge_struct(version, inner, old, new, path);
                    }
                }
                (Type::Map(_), Some(old)) => {
                    if !new.place.is_default() {
                        old.place = new.place;
                    }
                    if let (Kind::Table(old), Kind::Table(new)) = (&mut old.kind, new.kind) {
                        match version.rules.merge {
                            Merge::Deep if is_plugins(path) => self.merge_deep(old, new, path),
                            Merge::Deep | Merge::ReplaceSections => self.replace_entries(old, new, path),
                        }
                    }
                }
                (Type::Slice(_), Some(old)) => {
                    let repeats = match version.rules.merge {
                        Merge::ReplaceSections => true,
                        Merge::Deep => is_zero(&old.kind) && version.rules.nil_lists.contains(&field.key),
                    };
                    join_lists(old, new, repeats);
                }
                (_, Some(old)) => self.later_wins(old, new, path),
            }
            path.pop();
        }
    }

    /// A scalar: one that is not zero wins, a zero never does.
    fn later_wins(&mut self, old: &mut Node, new: Node, path: &[String]) {
        if new.place.is_default() {
            return;
        }
        if is_zero(&new.kind) {
            if !is_zero(&old.kind) {
                self.hide(path, &new, old.place, Rule::ZeroDoesNotOverride);
            } else if old.place.is_default() {
                *old = new;
            }
            return;
        }
        if !old.place.is_default() && old.kind != new.kind {
            self.hide(path, old, new.place, Rule::LaterFile);
        }
        *old = new;
    }

    /// A map whose entries are replaced whole.
    fn replace_entries(&mut self, old: &mut Table, new: Table, path: &mut Vec<String>) {
        let plugins = is_plugins(path);
        for (key, node) in new.entries {
            if let Some(before) = old.entries.get(&key) {
                let rule = if plugins {
                    Rule::SectionReplaced { plugin: key.clone(), named_in: 0 }
                } else {
                    Rule::EntryReplaced
                };
                path.push(key.clone());
                self.hide_all(path, before, &node, &rule);
                path.pop();
            }
            old.entries.insert(key, node);
        }
    }

    /// Sections key by key: tables are merged, everything else is replaced, by zero values and lists too.
    /// Source: the recordings `merge-plugin-zero-values-v3` and `merge-plugin-list-values`.
    fn merge_deep(&mut self, old: &mut Table, new: Table, path: &mut Vec<String>) {
        for (key, node) in new.entries {
            path.push(key.clone());
            match (old.entries.get_mut(&key), node) {
                (
                    Some(Node { kind: Kind::Table(before), place, .. }),
                    Node { kind: Kind::Table(table), place: later, .. },
                ) => {
                    if before.entries.is_empty() {
                        *place = later;
                    }
                    self.merge_deep(before, table, path);
                }
                (before, node) => {
                    if let Some(before) = before
                        && before.kind != node.kind
                    {
                        self.hide_all(path, before, &node, &Rule::LaterFile);
                    }
                    old.entries.insert(key, node);
                }
            }
            path.pop();
        }
    }

    /// Everything that somebody wrote below a value is lost to another value.
    fn hide_all(&mut self, path: &mut Vec<String>, lost: &Node, winner: &Node, rule: &Rule) {
        match &lost.kind {
            Kind::Table(table) => {
                for (key, node) in &table.entries {
                    let same = winner.table().and_then(|t| t.get(key)).unwrap_or(winner);
                    path.push(key.clone());
                    self.hide_all(path, node, same, rule);
                    path.pop();
                }
            }
            _ if lost.place.is_default() => {}
            _ => self.hide(path, lost, winner.place, rule.clone()),
        }
    }

    fn hide(&mut self, path: &[String], lost: &Node, by: Place, rule: Rule) {
        let value = if self.second { v2::value_text(lost) } else { value_text(lost) };
        self.hidden.push(Hidden { path: path.to_vec(), value, place: lost.place, by, rule });
    }

    /// Once all files are merged: who owns each plugin, and how many files name it.
    pub fn finish(&mut self, version: &Version, files: &mut [LoadedFile]) {
        let sections_replaced = version.rules.merge == Merge::ReplaceSections;
        let mut named: BTreeMap<String, Vec<fourgaps_base::FileId>> = BTreeMap::new();
        for file in files.iter() {
            for plugin in &file.plugins {
                named.entry(plugin.plugin.clone()).or_default().push(file.id);
            }
        }
        for file in files {
            for plugin in &mut file.plugins {
                let owner = named.get(&plugin.plugin).and_then(|ids| ids.last()).copied();
                plugin.replaced_by = owner.filter(|id| *id != file.id && sections_replaced);
            }
        }
        for hidden in &mut self.hidden {
            if let Rule::SectionReplaced { plugin, named_in } = &mut hidden.rule {
                let count = named.get(plugin).map_or(0, Vec::len);
                *named_in = u32::try_from(count).unwrap_or(u32::MAX);
            }
        }
        let hidden = std::mem::take(&mut self.hidden);
        self.hidden = in_order(hidden, |a, b| (&a.path, a.place).cmp(&(&b.path, b.place)));
    }
}

fn is_plugins(path: &[String]) -> bool {
    matches!(path, [key] if key == "plugins")
}

/// A later list follows an earlier one.
fn join_lists(old: &mut Node, new: Node, repeats: bool) {
    if let (Kind::Array(list), Kind::Array(more)) = (&mut old.kind, new.kind)
        && !more.is_empty()
    {
        for item in more {
            if repeats || !list.iter().any(|there| there.kind == item.kind) {
                list.push(item);
            }
        }
        old.place = new.place;
    }
}

/// Go's zero value: what never overrides.
pub(crate) fn is_zero(kind: &Kind) -> bool {
    match kind {
        Kind::Bool(value) => !value,
        Kind::Int(value) => *value == 0,
        Kind::Uint(value) => *value == 0,
        Kind::Float(value) => *value == 0.0,
        Kind::String(text) => text.is_empty(),
        Kind::Time(..) => false,
        Kind::Array(list) | Kind::Tables(list) => list.is_empty(),
        Kind::Table(table) => table.entries.is_empty(),
    }
}
