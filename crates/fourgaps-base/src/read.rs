//! Reading our own TOML (versions, machines, recordings) into plain types, strictly: an unknown key is a fault.
//!
//! `serde` would do the same; for these types its derives cost the page 150 kB of code, this costs a tenth.

use crate::Pos;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// A fault in a text of ours: what, and which bytes.
#[derive(Debug)]
pub struct Misread {
    message: String,
    span: Option<Range<usize>>,
}

impl Misread {
    /// A fault whose place the reader of the value around it adds.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), span: None }
    }
}

/// A type that can be read from a value.
pub trait Read: Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// Says what was expected.
    fn read(value: &DeValue<'_>) -> Result<Self, Misread>;

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
    let shown = |span: Option<Range<usize>>, message: &str| match span {
        Some(span) => format!("{}: {message}", Pos::of_byte(text, span.start)),
        None => message.into(),
    };
    let table = DeTable::parse(text).map_err(|e| shown(e.span(), e.message()))?;
    T::read(&DeValue::Table(table.into_inner())).map_err(|fault| shown(fault.span, &fault.message))
}

/// The fields of a table that is being read.
pub struct Fields<'t> {
    table: &'t DeTable<'t>,
    known: Vec<&'static str>,
}

impl<'t> Fields<'t> {
    /// The fields of a value that must be a table.
    ///
    /// # Errors
    /// It is none.
    pub fn of(value: &'t DeValue<'t>) -> Result<Self, Misread> {
        match value {
            DeValue::Table(table) => Ok(Self { table, known: Vec::new() }),
            other => Err(expected("a table", other)),
        }
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
            Some(value) => in_place(value, T::read(value.get_ref())),
            None => T::absent().ok_or_else(|| Misread::new(format!("`{name}` is missing"))),
        }
    }

    fn take(&mut self, name: &'static str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.known.push(name);
        self.table.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value)
    }

    /// Refuses every key that nobody asked for.
    ///
    /// # Errors
    /// Names the first such key.
    pub fn close(self) -> Result<(), Misread> {
        match self.table.keys().find(|key| !self.known.iter().any(|name| key.get_ref() == name)) {
            None => Ok(()),
            Some(key) => {
                let known = self.known.join(", ");
                let message = format!("unknown key `{}`; known here: {known}", key.get_ref());
                Err(Misread { message, span: Some(key.span()) })
            }
        }
    }
}

/// Adds the place of a value to a fault that has none.
fn in_place<T>(value: &Spanned<DeValue<'_>>, result: Result<T, Misread>) -> Result<T, Misread> {
    result.map_err(|mut fault| {
        fault.span.get_or_insert(value.span());
        fault
    })
}

fn expected(what: &str, found: &DeValue<'_>) -> Misread {
    Misread::new(format!("{what} is expected, and this is {}", kind_of(found)))
}

/// What a value is, in words for an author.
pub fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a broken number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

impl Read for String {
    fn read(value: &DeValue<'_>) -> Result<Self, Misread> {
        match value {
            DeValue::String(text) => Ok(text.to_string()),
            other => Err(expected("a text", other)),
        }
    }
}

impl Read for bool {
    fn read(value: &DeValue<'_>) -> Result<Self, Misread> {
        match value {
            DeValue::Boolean(flag) => Ok(*flag),
            other => Err(expected("true or false", other)),
        }
    }

    fn absent() -> Option<Self> {
        Some(false)
    }
}

impl Read for i64 {
    fn read(value: &DeValue<'_>) -> Result<Self, Misread> {
        match value {
            DeValue::Integer(number) => Self::from_str_radix(number.as_str(), number.radix())
                .map_err(|why| Misread::new(why.to_string())),
            other => Err(expected("a whole number", other)),
        }
    }
}

impl Read for i32 {
    fn read(value: &DeValue<'_>) -> Result<Self, Misread> {
        Self::try_from(i64::read(value)?).map_err(|why| Misread::new(why.to_string()))
    }
}

impl Read for u8 {
    fn read(value: &DeValue<'_>) -> Result<Self, Misread> {
        Self::try_from(i64::read(value)?).map_err(|why| Misread::new(why.to_string()))
    }
}

impl<T: Read> Read for Option<T> {
    fn read(value: &DeValue<'_>) -> Result<Self, Misread> {
        T::read(value).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Read> Read for Box<T> {
    fn read(value: &DeValue<'_>) -> Result<Self, Misread> {
        T::read(value).map(Self::new)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(value: &DeValue<'_>) -> Result<Self, Misread> {
        let DeValue::Array(items) = value else { return Err(expected("a list", value)) };
        items.iter().map(|item| in_place(item, T::read(item.get_ref()))).collect()
    }

    fn absent() -> Option<Self> {
        Some(Self::new())
    }
}

impl<T: Read + Ord> Read for BTreeSet<T> {
    fn read(value: &DeValue<'_>) -> Result<Self, Misread> {
        Ok(crate::set_of(Vec::read(value)?))
    }
}

impl<T: Read> Read for BTreeMap<String, T> {
    fn read(value: &DeValue<'_>) -> Result<Self, Misread> {
        let DeValue::Table(table) = value else { return Err(expected("a table", value)) };
        let mut map = Self::new();
        for (key, value) in table {
            map.insert(key.get_ref().to_string(), in_place(value, T::read(value.get_ref()))?);
        }
        Ok(map)
    }

    fn absent() -> Option<Self> {
        Some(Self::new())
    }
}

/// A list of two or three texts.
fn texts<const N: usize>(value: &DeValue<'_>) -> Result<[String; N], Misread> {
    let texts = Vec::<String>::read(value)?;
    texts.try_into().map_err(|_| Misread::new(format!("a list of {N} texts is expected")))
}

impl Read for (String, String) {
    fn read(value: &DeValue<'_>) -> Result<Self, Misread> {
        texts(value).map(|[a, b]| (a, b))
    }
}

impl Read for (String, String, String) {
    fn read(value: &DeValue<'_>) -> Result<Self, Misread> {
        texts(value).map(|[a, b, c]| (a, b, c))
    }
}

impl Read for Value {
    fn read(value: &DeValue<'_>) -> Result<Self, Misread> {
        Ok(match value {
            DeValue::String(text) => Self::String(text.to_string()),
            DeValue::Integer(_) => Self::Integer(i64::read(value)?),
            DeValue::Float(number) => {
                let number = number.as_str().parse::<f64>();
                Self::Float(number.map_err(|why| Misread::new(why.to_string()))?)
            }
            DeValue::Boolean(flag) => Self::Boolean(*flag),
            DeValue::Datetime(time) => Self::Datetime(*time),
            DeValue::Array(_) => Self::Array(Vec::read(value)?),
            DeValue::Table(_) => Self::Table(Table::read(value)?),
        })
    }
}

impl Read for Table {
    fn read(value: &DeValue<'_>) -> Result<Self, Misread> {
        let DeValue::Table(table) = value else { return Err(expected("a table", value)) };
        let mut out = Self::new();
        for (key, value) in table {
            out.insert(key.get_ref().to_string(), in_place(value, Value::read(value.get_ref()))?);
        }
        Ok(out)
    }
}

/// Makes structs readable: every field by its name, and nothing else. Texts and numbers are needed; lists, tables,
/// flags and options may be absent.
#[macro_export]
macro_rules! readable {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::Read for $name {
            fn read(value: &toml::de::DeValue<'_>) -> Result<Self, $crate::Misread> {
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
            fn read(value: &toml::de::DeValue<'_>) -> Result<Self, $crate::Misread> {
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
        table: BTreeMap<String, Kind>,
    }
    readable!(Sample { name, number, flag, list, table });

    #[derive(Debug, PartialEq)]
    enum Kind {
        Plain,
        Fancy,
    }
    readable_word!(Kind { "plain" => Plain, "very-fancy" => Fancy });

    #[test]
    fn what_our_files_use_is_read() {
        let text =
            "name = 'x'\nnumber = 0x10\nlist = [['a', 'b']]\ntable = { p = 'plain', q = 'very-fancy' }\n";
        let sample: Sample = read_toml(text).unwrap();
        assert_eq!((sample.number, sample.flag), (Some(16), false));
        assert_eq!(sample.list, [("a".into(), "b".into())]);
        assert_eq!(sample.table["q"], Kind::Fancy);
        let table: Table = read_toml("a = 1.5\nb = [{ c = true }]\n").unwrap();
        assert_eq!(table["b"][0]["c"].as_bool(), Some(true));
    }

    #[test]
    fn a_fault_has_its_place() {
        for (text, wanted) in [
            ("name = 'x'\nnumber = 'y'\n", "2:10: a whole number is expected, and this is a text"),
            (
                "name = ''\nnmae = 'x'\n",
                "2:1: unknown key `nmae`; known here: name, number, flag, list, table",
            ),
            ("flag = true\n", "`name` is missing"),
            ("name = ''\ntable.x = 'red'\n", "2:11: no `red` here; one of plain, very-fancy"),
        ] {
            assert_eq!(read_toml::<Sample>(text).unwrap_err(), wanted, "{text}");
        }
        assert!(read_toml::<Sample>("a = = 1\n").unwrap_err().starts_with("1:5: "));
    }
}
