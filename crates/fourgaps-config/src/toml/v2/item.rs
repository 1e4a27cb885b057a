//! A value made ready for writing: fields in order, zero values filled in, empty ones left out.

use super::places::Spot;
use super::types::embedded_struct;
use crate::schema::{Schema, Type};
use crate::toml::{Kind, Node};
use fourgaps_base::decimal;
use std::collections::BTreeMap;

/// A value to write and where it came from.
pub(super) struct Item {
    pub spot: Spot,
    pub shape: Shape,
}

/// What is written.
pub(super) enum Shape {
    /// A text as it is printed, quotes included.
    Leaf(String),
    List(Vec<Item>),
    /// Entries in the order in which they are written.
    Table(Vec<(String, Item)>),
}

impl Item {
    /// True for what gets a header of its own where one may stand.
    pub fn is_table(&self) -> bool {
        matches!(self.shape, Shape::Table(_))
    }

    /// True for what gets `[[headers]]` where they may stand.
    pub fn is_table_list(&self) -> bool {
        matches!(&self.shape, Shape::List(list) if !list.is_empty() && list.iter().all(Self::is_table))
    }
}

/// Turns typed values into items.
pub(super) struct Builder<'a> {
    pub schema: &'a Schema,
    /// Types of values that lie in an `interface {}`, by the keys down to them.
    pub inside: &'a BTreeMap<Vec<String>, Type>,
    path: Vec<String>,
}

impl<'a> Builder<'a> {
    pub fn new(schema: &'a Schema, inside: &'a BTreeMap<Vec<String>, Type>) -> Self {
        Self { schema, inside, path: Vec::new() }
    }

    /// The item of a value; `None` for a nil map, pointer or interface, which is not written.
    pub fn item(&mut self, ty: &Type, node: Option<&Node>) -> Option<Item> {
        let spot = node.map_or(Spot::default(), |n| Spot { place: n.place, reported: n.reported });
        let shape = match ty {
            Type::Pointer(of) => return self.item(of, Some(node?)),
            Type::Any | Type::Tree => {
                let node = node?;
                match self.inside.get(&self.path) {
                    Some(ty) => return self.item(ty, Some(node)),
                    None => return Some(self.untyped(node)),
                }
            }
            Type::Map(of) => match &node?.kind {
                Kind::Table(table) => {
                    let entries = table.entries.iter();
                    Shape::Table(entries.filter_map(|(key, node)| self.entry(key, of, Some(node))).collect())
                }
                _ => return Some(self.untyped(node?)),
            },
            Type::Struct(name) => match node.map(|n| &n.kind) {
                None | Some(Kind::Table(_)) => Shape::Table(self.fields(name, node)),
                Some(_) => return Some(self.untyped(node?)),
            },
            Type::Slice(of) => match node.map(|n| &n.kind) {
                None => Shape::List(Vec::new()),
                Some(Kind::Array(list) | Kind::Tables(list)) => {
                    Shape::List(list.iter().filter_map(|item| self.item(of, Some(item))).collect())
                }
                Some(_) => return Some(self.untyped(node?)),
            },
            _ => match node {
                Some(node) => return Some(self.untyped(node)),
                None => Shape::Leaf(zero_text(ty).into()),
            },
        };
        Some(Item { spot, shape })
    }

    fn entry(&mut self, key: &str, ty: &Type, node: Option<&Node>) -> Option<(String, Item)> {
        self.path.push(key.into());
        let item = self.item(ty, node);
        self.path.pop();
        Some((key.into(), item?))
    }

    fn fields(&mut self, name: &str, node: Option<&Node>) -> Vec<(String, Item)> {
        let schema = self.schema;
        let table = node.and_then(Node::table);
        let mut entries: Vec<(String, Item)> = Vec::new();
        for field in schema.fields(name) {
            if let Some(inner) = embedded_struct(field) {
                entries.extend(self.fields(inner, node));
                continue;
            }
            let value = table.and_then(|table| table.get(&field.key));
            if field.omit_empty && is_empty(schema, &field.ty, value) {
                continue;
            }
            entries.extend(self.entry(&field.key, &field.ty, value));
        }
        entries
    }

    fn untyped(&mut self, node: &Node) -> Item {
        let shape = match &node.kind {
            Kind::Bool(value) => Shape::Leaf(value.to_string()),
            Kind::Int(value) => Shape::Leaf(value.to_string()),
            Kind::Uint(value) => Shape::Leaf(value.to_string()),
            Kind::Float(value) => Shape::Leaf(float(*value)),
            Kind::String(text) => Shape::Leaf(string(text)),
            Kind::Time(_, text) => Shape::Leaf(text.clone()),
            Kind::Array(list) | Kind::Tables(list) => {
                Shape::List(list.iter().map(|item| self.untyped(item)).collect())
            }
            Kind::Table(table) => {
                let entries = table.entries.iter();
                Shape::Table(
                    entries.filter_map(|(key, node)| self.entry(key, &Type::Any, Some(node))).collect(),
                )
            }
        };
        Item { spot: Spot { place: node.place, reported: node.reported }, shape }
    }
}

/// Go's rule for `omitempty`: a struct is empty where all its fields are.
fn is_empty(schema: &Schema, ty: &Type, node: Option<&Node>) -> bool {
    let Some(node) = node else { return true };
    match (ty, &node.kind) {
        (Type::Pointer(_) | Type::Any | Type::Tree, _) => false,
        (Type::Struct(name), Kind::Table(table)) => schema.fields(name).iter().all(|field| {
            let value = if embedded_struct(field).is_some() { Some(node) } else { table.get(&field.key) };
            is_empty(schema, &field.ty, value)
        }),
        (Type::TextDuration, Kind::String(text)) => text == "0s",
        (_, Kind::Bool(value)) => !value,
        (_, Kind::Int(value)) => *value == 0,
        (_, Kind::Uint(value)) => *value == 0,
        (_, Kind::Float(value)) => *value == 0.0,
        (_, Kind::String(text)) => text.is_empty(),
        (_, Kind::Array(list) | Kind::Tables(list)) => list.is_empty(),
        (_, Kind::Table(table)) => table.entries.is_empty(),
        (_, Kind::Time(..)) => false,
    }
}

fn zero_text(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "false",
        Type::Float64 => "0.0",
        Type::String => "''",
        Type::TextDuration => "'0s'",
        _ => "0",
    }
}

/// Never with an exponent, and always with a point.
fn float(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    match value {
        value if value.is_nan() => "nan".into(),
        value if value.is_infinite() => format!("{sign}inf"),
        value if value.trunc() == value => format!("{sign}{}.0", decimal::whole(value)),
        value => decimal::show(value),
    }
}

/// True for texts that cannot stand between single quotes.
pub(super) fn needs_escapes(text: &str) -> bool {
    text.bytes().any(|b| matches!(b, b'\'' | b'\r' | b'\n') || super::text::is_control(b))
}

/// A text in single quotes, or in double quotes with escapes where it must be.
pub(super) fn string(text: &str) -> String {
    if needs_escapes(text) { escaped(text) } else { format!("'{text}'") }
}

/// A text in double quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '\\' | '"' => out.extend(['\\', c]),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' | '\u{7f}' => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_take_escapes_only_where_they_must() {
        for (given, written) in [
            ("", "''"),
            ("a \"b\" \\ \t ä", "'a \"b\" \\ \t ä'"),
            ("it's", "\"it's\""),
            ("a\nb\u{1}\u{7f}\t\\", "\"a\\nb\\u0001\\u007F\\t\\\\\""),
        ] {
            assert_eq!(string(given), written);
        }
    }

    #[test]
    fn floats_have_a_point_and_no_exponent() {
        for (given, written) in [
            (0.02, "0.02"),
            (1.0, "1.0"),
            (1e21, "1000000000000000000000.0"),
            (-0.0, "-0.0"),
            (1e-7, "0.0000001"),
        ] {
            assert_eq!(float(given), written);
        }
        assert_eq!(float(f64::NAN), "nan");
        assert_eq!(float(f64::NEG_INFINITY), "-inf");
    }
}
