//! Reading our own TOML (versions, machines, recordings) into plain types, strictly: an unknown key is a fault.
//!
//! `serde` would do the same; for these types its derives cost the page 150 kB of code, this costs a tenth.

use crate::toml::v2::document;
use crate::toml::{Kind, Node, Table};
use fourgaps_base::{Pos, set_of};
use std::collections::{BTreeMap, BTreeSet};

/// A fault in a text of ours: what, and at which key or item.
#[derive(Debug)]
pub struct Misread {
    message: String,
    pos: Option<Pos>,
}

impl Misread {
    /// A fault whose place the reader of the value around it adds.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), pos: None }
    }
}

/// A type that can be read from a value.
pub trait Read: Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// Says what was expected.
    fn read(value: &Node) -> Result<Self, Misread>;

    /// What stands for a key that is not written; nothing where the key is needed.
    fn absent() -> Option<Self> {
        None
    }
}

/// Reads a text into a type.
///
/// # Errors
/// What is wrong, with line and column.
pub fn read_toml<T: Read>(text: &str) -> Result<T, String> {
    let shown = |pos: Option<Pos>, message: &str| match pos {
        Some(pos) => format!("{pos}: {message}"),
        None => message.into(),
    };
    let tree = document::tree(text).map_err(|fault| shown(Some(fault.at), &fault.message))?;
    T::read(&tree).map_err(|fault| shown(fault.pos, &fault.message))
}

/// The fields of a table that is being read.
pub struct Fields<'t> {
    table: &'t Table,
    known: Vec<&'static str>,
}

impl<'t> Fields<'t> {
    /// The fields of a value that must be a table.
    ///
    /// # Errors
    /// It is none.
    pub fn of(value: &'t Node) -> Result<Self, Misread> {
        Ok(Self { table: table_of(value)?, known: Vec::new() })
    }

    /// One field. Words that Rust keeps for itself have other names: the field `ty` is written `type`, `what` is `do`.
    ///
    /// # Errors
    /// It is missing and needed, or is no such value.
    pub fn get<T: Read>(&mut self, name: &'static str) -> Result<T, Misread> {
        let name = match name {
            "ty" => "type",
            "what" => "do",
            name => name,
        };
        match self.take(name) {
            Some(value) => in_place(value, T::read(value)),
            None => T::absent().ok_or_else(|| Misread::new(format!("`{name}` is missing"))),
        }
    }

    fn take(&mut self, name: &'static str) -> Option<&'t Node> {
        self.known.push(name);
        self.table.get(name)
    }

    /// Refuses every key that nobody asked for.
    ///
    /// # Errors
    /// Names the first such key.
    pub fn close(self) -> Result<(), Misread> {
        match self.table.entries.iter().find(|(key, _)| !self.known.contains(&key.as_str())) {
            None => Ok(()),
            Some((key, value)) => {
                let known = self.known.join(", ");
                let message = format!("unknown key `{key}`; known here: {known}");
                Err(Misread { message, pos: Some(value.place.pos) })
            }
        }
    }
}

/// Adds the place of a value to a fault that has none.
fn in_place<T>(value: &Node, result: Result<T, Misread>) -> Result<T, Misread> {
    result.map_err(|mut fault| {
        fault.pos.get_or_insert(value.place.pos);
        fault
    })
}

fn expected(what: &str, found: &Node) -> Misread {
    Misread::new(format!("{what} is expected, and this is {}", kind_of(found)))
}

fn table_of(value: &Node) -> Result<&Table, Misread> {
    value.table().ok_or_else(|| expected("a table", value))
}

/// What a value is, in words for an author.
pub fn kind_of(value: &Node) -> &'static str {
    match value.kind {
        Kind::String(_) => "a text",
        Kind::Int(_) | Kind::Uint(_) => "a whole number",
        Kind::Float(_) => "a broken number",
        Kind::Bool(_) => "true or false",
        Kind::Time(..) => "a date",
        Kind::Array(_) | Kind::Tables(_) => "a list",
        Kind::Table(_) => "a table",
    }
}

impl Read for String {
    fn read(value: &Node) -> Result<Self, Misread> {
        match &value.kind {
            Kind::String(text) => Ok(text.clone()),
            _ => Err(expected("a text", value)),
        }
    }
}

impl Read for bool {
    fn read(value: &Node) -> Result<Self, Misread> {
        match value.kind {
            Kind::Bool(flag) => Ok(flag),
            _ => Err(expected("true or false", value)),
        }
    }

    fn absent() -> Option<Self> {
        Some(false)
    }
}

impl Read for i64 {
    fn read(value: &Node) -> Result<Self, Misread> {
        match value.kind {
            Kind::Int(number) => Ok(number),
            _ => Err(expected("a whole number", value)),
        }
    }
}

impl Read for i32 {
    fn read(value: &Node) -> Result<Self, Misread> {
        Self::try_from(i64::read(value)?).map_err(|why| Misread::new(why.to_string()))
    }
}

impl Read for u8 {
    fn read(value: &Node) -> Result<Self, Misread> {
        Self::try_from(i64::read(value)?).map_err(|why| Misread::new(why.to_string()))
    }
}

impl<T: Read> Read for Option<T> {
    fn read(value: &Node) -> Result<Self, Misread> {
        T::read(value).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Read> Read for Box<T> {
    fn read(value: &Node) -> Result<Self, Misread> {
        T::read(value).map(Self::new)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(value: &Node) -> Result<Self, Misread> {
        let items = value.list().ok_or_else(|| expected("a list", value))?;
        items.iter().map(|item| in_place(item, T::read(item))).collect()
    }

    fn absent() -> Option<Self> {
        Some(Self::new())
    }
}

impl<T: Read + Ord> Read for BTreeSet<T> {
    fn read(value: &Node) -> Result<Self, Misread> {
        Ok(set_of(Vec::read(value)?))
    }
}

impl<T: Read> Read for BTreeMap<String, T> {
    fn read(value: &Node) -> Result<Self, Misread> {
        let mut map = Self::new();
        for (key, value) in &table_of(value)?.entries {
            map.insert(key.clone(), in_place(value, T::read(value))?);
        }
        Ok(map)
    }

    fn absent() -> Option<Self> {
        Some(Self::new())
    }
}

/// A list of two or three texts.
fn texts<const N: usize>(value: &Node) -> Result<[String; N], Misread> {
    let texts = Vec::<String>::read(value)?;
    texts.try_into().map_err(|_| Misread::new(format!("a list of {N} texts is expected")))
}

impl Read for (String, String) {
    fn read(value: &Node) -> Result<Self, Misread> {
        texts(value).map(|[a, b]| (a, b))
    }
}

impl Read for (String, String, String) {
    fn read(value: &Node) -> Result<Self, Misread> {
        texts(value).map(|[a, b, c]| (a, b, c))
    }
}

impl Read for Node {
    fn read(value: &Node) -> Result<Self, Misread> {
        Ok(value.clone())
    }
}

impl Read for Table {
    fn read(value: &Node) -> Result<Self, Misread> {
        table_of(value).cloned()
    }
}

/// Makes structs readable: every field by its name, and nothing else. Texts and numbers are needed; lists, tables,
/// flags and options may be absent.
#[macro_export]
macro_rules! readable {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::Read for $name {
            fn read(value: &$crate::toml::Node) -> Result<Self, $crate::Misread> {
                let mut fields = $crate::Fields::of(value)?;
                let read = Self { $($field: fields.get(stringify!($field))?),* };
                fields.close()?;
                Ok(read)
            }
        }
    };
}

/// Makes an enum of bare words readable.
#[macro_export]
macro_rules! readable_word {
    ($name:ident { $($word:literal => $variant:ident),* $(,)? }) => {
        impl $crate::Read for $name {
            fn read(value: &$crate::toml::Node) -> Result<Self, $crate::Misread> {
                match <String as $crate::Read>::read(value)?.as_str() {
                    $($word => Ok(Self::$variant),)*
                    other => {
                        let known = [$($word),*].join(", ");
                        Err($crate::Misread::new(format!("no `{other}` here; one of {known}")))
                    }
                }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Sample {
        name: String,
        number: Option<i64>,
        flag: bool,
        list: Vec<(String, String)>,
        table: BTreeMap<String, Finish>,
    }
    readable!(Sample { name, number, flag, list, table });

    #[derive(Debug, PartialEq)]
    enum Finish {
        Plain,
        Fancy,
    }
    readable_word!(Finish { "plain" => Plain, "very-fancy" => Fancy });

    #[test]
    fn what_our_files_use_is_read() {
        let text =
            "name = 'x'\nnumber = 0x10\nlist = [['a', 'b']]\ntable = { p = 'plain', q = 'very-fancy' }\n";
        let sample: Sample = read_toml(text).unwrap();
        assert_eq!((sample.number, sample.flag), (Some(16), false));
        assert_eq!(sample.list, [("a".into(), "b".into())]);
        assert_eq!(sample.table["q"], Finish::Fancy);
        let table: Table = read_toml("a = 1.5\nb = [{ c = true }]\n").unwrap();
        assert_eq!(table.get("a").unwrap().kind, Kind::Float(1.5));
        let inner = table.get("b").unwrap().list().unwrap()[0].table().unwrap();
        assert_eq!(inner.get("c").unwrap().kind, Kind::Bool(true));
    }

    #[test]
    fn a_fault_has_its_place() {
        for (text, wanted) in [
            ("name = 'x'\nnumber = 'y'\n", "2:1: a whole number is expected, and this is a text"),
            (
                "name = ''\nnmae = 'x'\n",
                "2:1: unknown key `nmae`; known here: name, number, flag, list, table",
            ),
            ("flag = true\n", "`name` is missing"),
            ("name = ''\ntable.x = 'red'\n", "2:7: no `red` here; one of plain, very-fancy"),
        ] {
            assert_eq!(read_toml::<Sample>(text).unwrap_err(), wanted, "{text}");
        }
        assert!(read_toml::<Sample>("a = = 1\n").unwrap_err().starts_with("1:5: "));
    }
}
