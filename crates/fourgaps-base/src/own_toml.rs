//! Reading our own TOML (versions, recordings, machines) into derived types.
//!
//! The `toml` crate parses; what takes the parsed tree apart is ours, since its own costs the page 200 kB of code for
//! the same types. Texts, numbers, flags, lists and tables: what our files use.

use crate::Pos;
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};
use std::fmt;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads a text into a type.
///
/// # Errors
/// What is wrong, with line and column.
pub fn read_toml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let table = DeTable::parse(text).map_err(|e| shown(text, e.span(), e.message()))?;
    T::deserialize(Table(table.get_ref())).map_err(|fault| shown(text, fault.span, &fault.message))
}

fn shown(text: &str, span: Option<Range<usize>>, message: &str) -> String {
    match span {
        Some(span) => format!("{}: {message}", Pos::of_byte(text, span.start)),
        None => message.into(),
    }
}

#[derive(Debug)]
struct Fault {
    message: String,
    span: Option<Range<usize>>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), span: None }
    }
}

/// A value that is being read.
#[derive(Clone, Copy)]
struct Value<'t>(&'t Spanned<DeValue<'t>>);

/// A table that is being read.
#[derive(Clone, Copy)]
struct Table<'t>(&'t DeTable<'t>);

impl<'t> Value<'t> {
    /// Adds the place of this value to a fault that has none.
    fn at<T>(self, result: Result<T, Fault>) -> Result<T, Fault> {
        result.map_err(|mut fault| {
            fault.span.get_or_insert(self.0.span());
            fault
        })
    }
}

impl<'de, 't: 'de> Deserializer<'de> for Value<'t> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.at(match self.0.get_ref() {
            DeValue::String(text) => visitor.visit_str(text),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => visitor.visit_i64(number),
                Err(why) => Err(de::Error::custom(why)),
            },
            DeValue::Float(number) => match number.as_str().parse() {
                Ok(number) => visitor.visit_f64(number),
                Err(why) => Err(de::Error::custom(why)),
            },
            DeValue::Boolean(flag) => visitor.visit_bool(*flag),
            DeValue::Array(items) => visitor.visit_seq(Items(items.iter())),
            DeValue::Table(table) => visitor.visit_map(Entries::of(table)),
            DeValue::Datetime(_) => Err(de::Error::custom("a date is not expected here")),
        })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.at(match self.0.get_ref() {
            DeValue::String(text) => {
                let text: StrDeserializer<'_, Fault> = text.as_ref().into_deserializer();
                text.deserialize_enum(name, variants, visitor)
            }
            DeValue::Table(table) => visitor.visit_enum(MapAccessDeserializer::new(Entries::of(table))),
            _ => Err(de::Error::custom(format!("expected one of {}", variants.join(", ")))),
        })
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

impl<'de, 't: 'de> Deserializer<'de> for Table<'t> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_map(Entries::of(self.0))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any option newtype_struct enum
    }
}

struct Items<'t>(std::slice::Iter<'t, Spanned<DeValue<'t>>>);

impl<'de, 't: 'de> de::SeqAccess<'de> for Items<'t> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        self.0.next().map(|item| seed.deserialize(Value(item))).transpose()
    }
}

/// The entries of a table, key by key.
struct Entries<'t> {
    left: <&'t DeTable<'t> as IntoIterator>::IntoIter,
    value: Option<&'t Spanned<DeValue<'t>>>,
}

impl<'t> Entries<'t> {
    fn of(table: &'t DeTable<'t>) -> Self {
        Self { left: table.into_iter(), value: None }
    }
}

impl<'de, 't: 'de> de::MapAccess<'de> for Entries<'t> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some((key, value)) = self.left.next() else { return Ok(None) };
        self.value = Some(value);
        let text: StrDeserializer<'_, Fault> = key.get_ref().as_ref().into_deserializer();
        seed.deserialize(text).map(Some).map_err(|fault| Fault { span: Some(key.span()), ..fault })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        match self.value.take() {
            Some(value) => seed.deserialize(Value(value)),
            None => Err(de::Error::custom("a value was asked for before its key")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields, rename_all = "kebab-case")]
    struct Sample {
        name: String,
        number: Option<i64>,
        #[serde(default)]
        flag: bool,
        #[serde(default)]
        list: Vec<(String, Kind)>,
        #[serde(default)]
        table: BTreeMap<String, f64>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "kebab-case")]
    enum Kind {
        Plain,
        Of(String),
    }

    #[test]
    fn what_our_files_use_is_read() {
        let text = "name = 'x'\nnumber = 0x10\nflag = true\nlist = [['a', 'plain'], ['b', { of = 'c' }]]\ntable.t = 0.5\n";
        let sample: Sample = read_toml(text).unwrap();
        assert_eq!(sample.number, Some(16));
        assert_eq!(sample.list, [("a".into(), Kind::Plain), ("b".into(), Kind::Of("c".into()))]);
        assert_eq!(sample.table["t"], 0.5);
    }

    #[test]
    fn a_fault_has_its_place() {
        for (text, wanted) in [
            ("name = 'x'\nnumber = 'y'\n", "2:10: invalid type: string \"y\", expected i64"),
            (
                "nmae = 'x'\n",
                "1:1: unknown field `nmae`, expected one of `name`, `number`, `flag`, `list`, `table`",
            ),
            ("flag = true\n", "missing field `name`"),
        ] {
            assert_eq!(read_toml::<Sample>(text).unwrap_err(), wanted, "{text}");
        }
        assert!(read_toml::<Sample>("a = = 1\n").unwrap_err().starts_with("1:5: "));
    }
}
