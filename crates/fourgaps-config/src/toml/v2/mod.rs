//! The second generation, as 2.0 to 2.3 read and write it.
//!
//! Decoding is led by the types of the struct that is filled, as in the library: what no field takes is skipped
//! unread, and an error names the first thing that did not fit. A value that is not in a table has Go's zero value.
//! A message that begins with `panic: ` stands for a crash: the process ends with status 2.

mod decode;
pub mod document;
mod fault;
mod item;
mod number;
mod parse;
mod places;
mod rules;
mod seen;
mod tables;
mod text;
mod times;
mod types;
mod values;
mod write;

pub use rules::Rules;

use super::{Kind, Line, Node, Table, TomlError};
use crate::schema::{Schema, Type};
use decode::Decoder;
use fourgaps_base::{FileId, Place, Pos};
use item::Builder;
use places::{Places, Spot};
use std::collections::BTreeMap;

/// A struct filled from a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decoded {
    /// The struct with the keys of its fields; what is not there has Go's zero value.
    pub table: Table,
    /// The keys that no field takes, in the order in which the library reports them.
    pub unknown: Vec<Unknown>,
}

/// A key that no field takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The keys down to it, from its header on.
    pub path: Vec<String>,
    /// Where the part stands that no field takes.
    pub place: Place,
    /// The row and column that the library reports for it.
    pub reported: Pos,
}

/// Why a value of a tree cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    /// The library's message, and its position in a text that nobody sees.
    pub error: TomlError,
    /// The place of the value at fault.
    pub place: Place,
    /// The unknown keys that were reported before it failed.
    pub unknown: Vec<Unknown>,
}

/// Decodes a file into the struct `ty`, over the values that `onto` already has.
///
/// # Errors
/// The first thing in the file that the library refuses, or a crash.
pub fn decode(
    rules: Rules,
    schema: &Schema,
    ty: &Type,
    file: FileId,
    bytes: &[u8],
    onto: Table,
) -> Result<Decoded, TomlError> {
    let decoder = Decoder::new(rules, schema, bytes, Places::file(file, bytes), true);
    decoder.run(ty, onto).map_err(|(error, _)| error)
}

/// Decodes a value of a tree into the struct `ty`, by way of a text, as containerd hands a plugin its section.
///
/// The text leaves traces: a section that is no table is read as a key without a value or as a header. Where a key
/// is unknown, containerd decodes a second time over what the first time gave.
///
/// # Errors
/// What the library refuses in the text.
pub fn decode_value(
    rules: Rules,
    schema: &Schema,
    ty: &Type,
    node: &Node,
    onto: Table,
) -> Result<Decoded, ValueError> {
    let none = BTreeMap::new();
    let Some(item) = Builder::new(schema, &none).item(&Type::Any, Some(node)) else {
        return Ok(Decoded { table: onto, unknown: Vec::new() });
    };
    let written = write::write(&item, false);
    let bytes = written.text.as_bytes();
    let run = |onto: Table, strict: bool| {
        let places = Places::written(bytes, written.spots.clone());
        Decoder::new(rules, schema, bytes, places, strict).run(ty, onto)
    };
    let refuse = |(error, spot): (TomlError, Spot), unknown| ValueError { error, place: spot.place, unknown };
    let Decoded { table, unknown } = run(onto, true).map_err(|refused| refuse(refused, Vec::new()))?;
    if unknown.is_empty() {
        return Ok(Decoded { table, unknown });
    }
    match run(table, false) {
        Ok(again) => Ok(Decoded { table: again.table, unknown }),
        Err(refused) => Err(refuse(refused, unknown)),
    }
}

/// Writes a struct as `containerd config dump` does.
///
/// `inside` gives the types of values that lie in an `interface {}`, by the keys down to them: the sections that
/// plugins decoded into structs of their own.
pub fn print(schema: &Schema, ty: &Type, table: Table, inside: &BTreeMap<Vec<String>, Type>) -> Vec<Line> {
    let root = Node::default_of(Kind::Table(table));
    let Some(item) = Builder::new(schema, inside).item(ty, Some(&root)) else { return Vec::new() };
    let written = write::write(&item, true);
    let mut shown = written.lines.into_iter().peekable();
    let mut offset = 0;
    let mut lines = Vec::new();
    for text in written.text.lines() {
        let known = shown.next_if(|(at, _, _)| *at == offset);
        let (path, place) = known.map_or((Vec::new(), None), |(_, path, spot)| (path, Some(spot.place)));
        lines.push(Line { text: text.into(), path, place });
        offset += text.len() + 1;
    }
    lines
}

/// A value as it stands behind a `=` in a dump.
pub fn value_text(node: &Node) -> String {
    let (schema, none) = (Schema::default(), BTreeMap::new());
    let item = Builder::new(&schema, &none).item(&Type::Any, Some(node));
    item.map_or(String::new(), |item| write::write_value(&item))
}

/// True for an error that stands for a crash of the process.
pub fn is_crash(error: &TomlError) -> bool {
    error.message.starts_with("panic: ")
}

#[cfg(test)]
mod tests;
