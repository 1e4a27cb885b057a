//! The library's ways through a tree, with their quirks: reading a path, making tables, setting a value.

use super::literal::go_literal;
use crate::toml::{Kind, Node, Table};
use fourgaps_base::{FileId, Place, Pos};

/// One part of a key, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) place: Place,
}

/// What a path leads to.
pub(super) enum Target<'t> {
    /// Nothing.
    Nothing,
    /// A value that is no table.
    Value,
    /// A table; of a list of tables the last one.
    Table(&'t mut Table),
}

/// Makes a place.
pub(super) fn place(file: FileId, pos: Pos) -> Place {
    Place { file, pos }
}

/// The parts of a path as one text, for messages.
pub(super) fn joined(path: &[&Part]) -> String {
    path.iter().map(|part| part.name.as_str()).collect::<Vec<_>>().join(".")
}

/// The node at a path; lists of tables are entered at their last table.
pub(super) fn node_at<'t>(root: &'t mut Table, path: &[&Part]) -> Option<&'t mut Node> {
    let (last, parents) = path.split_last()?;
    let mut table = root;
    for part in parents {
        table = table_of(table.entries.get_mut(&part.name)?)?;
    }
    table.entries.get_mut(&last.name)
}

/// The table at a path, or why there is none.
pub(super) fn target<'t>(root: &'t mut Table, path: &[&Part]) -> Target<'t> {
    let mut table = root;
    for (at, part) in path.iter().enumerate() {
        let Some(node) = table.entries.get_mut(&part.name) else { return Target::Nothing };
        table = match table_of(node) {
            Some(next) => next,
            // The library cannot look into a value, and says the same as for a missing key.
            None if at + 1 < path.len() => return Target::Nothing,
            None => return Target::Value,
        };
    }
    Target::Table(table)
}

/// Makes every table of a path that is missing. New tables are inline where the table around them is.
pub(super) fn make_tables(root: &mut Table, path: &[&Part], reported: Pos) -> Result<(), String> {
    let mut table = root;
    for part in path {
        if !table.entries.contains_key(&part.name) {
            let kind = Kind::Table(Table { inline: table.inline, ..Table::default() });
            table.entries.insert(part.name.clone(), Node { place: part.place, reported, kind });
        }
        let Some(node) = table.entries.get_mut(&part.name) else { return Ok(()) };
        let at = node.reported;
        table = match &mut node.kind {
            Kind::Table(next) => next,
            Kind::Tables(items) => match last_table(items) {
                Some(next) => next,
                None => return Ok(()),
            },
            value => {
                return Err(format!(
                    "unknown type for path {} ({}): *toml.tomlValue (&toml.tomlValue{{value:{}, comment:\"\", \
                     commented:false, multiline:false, literal:false, position:toml.Position{{Line:{}, Col:{}}}}})",
                    joined(path),
                    part.name,
                    go_literal(value),
                    at.line,
                    at.column,
                ));
            }
        };
    }
    Ok(())
}

/// Sets a value under a path, in place of what was there.
///
/// A value in the middle of the path is passed over, as if the path did not name it. Positions are made up from the
/// position of the table that this starts in, and from how many entries a table has.
pub(super) fn set(start: &mut Table, start_reported: Pos, path: &[Part], kind: Kind) {
    let Some((last, parents)) = path.split_last() else { return };
    let mut table = start;
    let mut reported = start_reported;
    for (depth, part) in (0_u32..).zip(parents) {
        if !table.entries.contains_key(&part.name) {
            let reported = Pos::new(start_reported.line + depth, start_reported.column);
            let kind = Kind::Table(Table::default());
            table.entries.insert(part.name.clone(), Node { place: part.place, reported, kind });
        }
        if table.entries.get(&part.name).is_none_or(|node| !node.kind.is_tables()) {
            continue;
        }
        let Some(node) = table.entries.get_mut(&part.name) else { return };
        reported = node.reported;
        let Some(next) = table_of(node) else { return };
        table = next;
    }
    let entries = u32::try_from(table.entries.len()).unwrap_or(u32::MAX - 1);
    let made_up = Pos::new(reported.line.saturating_add(entries + 1), reported.column);
    let reported = own_position(&kind).unwrap_or(made_up);
    table.entries.insert(last.name.clone(), Node { place: last.place, reported, kind });
}

/// The position that a value brings along: a table has its own, a list of tables that of its last.
pub(super) fn own_position(kind: &Kind) -> Option<Pos> {
    match kind {
        Kind::Table(_) => Some(Pos::default()),
        Kind::Tables(items) => Some(items.last().map_or_else(Pos::default, |item| item.reported)),
        _ => None,
    }
}

/// The table in a node; of a list of tables the last one.
fn table_of(node: &mut Node) -> Option<&mut Table> {
    match &mut node.kind {
        Kind::Table(table) => Some(table),
        Kind::Tables(items) => last_table(items),
        _ => None,
    }
}

fn last_table(items: &mut [Node]) -> Option<&mut Table> {
    match &mut items.last_mut()?.kind {
        Kind::Table(table) => Some(table),
        _ => None,
    }
}

impl Kind {
    fn is_tables(&self) -> bool {
        matches!(self, Self::Table(_) | Self::Tables(_))
    }
}
