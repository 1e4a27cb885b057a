//! The one tree that parsing, merging, decoding and printing hand on: every value knows its place.

use fourgaps_base::{Place, Pos};
use std::collections::BTreeMap;

/// A value, where it was written, and where the Go library believes that it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where the key really stands; the default place for a built-in default.
    pub place: Place,
    /// The position that the Go library names in its messages; not always the true one.
    pub reported: Pos,
    /// The value itself.
    pub kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An integer above the signed range.
    Uint(u64),
    /// A floating point number.
    Float(f64),
    /// A text.
    String(String),
    /// A date or time, as the text that Go prints for it.
    Time(TimeKind, String),
    /// A list of values.
    Array(Vec<Node>),
    /// A table.
    Table(Table),
    /// A list of tables: `[[header]]`, or on 1.x a list whose every item is an inline table.
    Tables(Vec<Node>),
}

/// The four kinds of date and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeKind {
    /// A date and time with an offset.
    Offset,
    /// A date and time without an offset.
    LocalDateTime,
    /// A date alone.
    LocalDate,
    /// A time alone.
    LocalTime,
}

/// A table: keys in byte order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The entries by key.
    pub entries: BTreeMap<String, Node>,
    /// True for `{ … }`.
    pub inline: bool,
}

/// Why a text is refused: the library's message without its position, and the position that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TomlError {
    /// The position in the message; `None` where the library names none.
    pub reported: Option<Pos>,
    /// The true place of the fault, for marking it in an editor.
    pub at: Pos,
    /// The message, word for word.
    pub message: String,
}

impl Node {
    /// A value that nobody wrote: a default.
    pub fn default_of(kind: Kind) -> Self {
        Self { place: Place::default(), reported: Pos::default(), kind }
    }

    /// The table in this value, if it is one.
    pub fn table(&self) -> Option<&Table> {
        match &self.kind {
            Kind::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The items in this value, if it is a list.
    pub fn list(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::Array(items) | Kind::Tables(items) => Some(items),
            _ => None,
        }
    }

    /// The text in this value, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }
}

impl Table {
    /// The value under a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.get(key)
    }
}
