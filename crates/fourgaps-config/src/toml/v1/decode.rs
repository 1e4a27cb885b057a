//! Decoding a tree onto a Go type as 1.6 and 1.7 do: lenient keys, strict values, unknown keys silent.
//! Source of the rules: the recordings `cri-wrong-type-*`, `top-case-keys`, `cri-unknown-table`, `plugins-float-int`.

use super::show;
use crate::duration;
use crate::schema::{Field, IntType, Schema, Type};
use crate::toml::{Kind, Node, Table, TomlError};
use fourgaps_base::{Place, map_of};
use std::collections::BTreeMap;

/// A value that does not fit its type.
struct Misfit {
    at: Option<(fourgaps_base::Pos, Place)>,
    message: String,
}

impl Misfit {
    fn new(message: String) -> Self {
        Self { at: None, message }
    }

    /// Adds the position of the key, unless an inner one is named already.
    fn below(mut self, node: &Node) -> Self {
        self.at.get_or_insert((reported_of(node), node.place));
        self
    }
}

/// The library names the last table of a list of tables.
fn reported_of(node: &Node) -> fourgaps_base::Pos {
    match &node.kind {
        Kind::Tables(list) => list.last().map_or_else(Default::default, |t| t.reported),
        _ => node.reported,
    }
}

/// Decodes a table onto a struct value; keys that the table does not name keep their value.
///
/// # Errors
/// The library's message, the position that it names, and the true place.
pub fn decode(schema: &Schema, ty: &str, table: &Table, onto: Table) -> Result<Table, (TomlError, Place)> {
    decode_struct(schema, ty, Some(table), onto).map_err(|misfit| {
        let (reported, place) = misfit.at.unzip();
        let place = place.unwrap_or_default();
        (TomlError { reported, at: place.pos, message: misfit.message }, place)
    })
}

fn decode_struct(schema: &Schema, ty: &str, table: Option<&Table>, mut onto: Table) -> Result<Table, Misfit> {
    for field in schema.fields(ty) {
        match table.and_then(|t| find(field, t)) {
            Some(node) => {
                let old = onto.entries.remove(&field.key);
                let new = decode_value(schema, &field.ty, node, old).map_err(|m| m.below(node))?;
                onto.entries.insert(field.key.clone(), new);
            }
            None => {
                // An embedded struct whose key is missing looks for its fields one level up.
                if let (Type::Struct(inner), true, Some(_)) = (&field.ty, field.embedded, table)
                    && let Some(Node { kind: Kind::Table(old), place, reported }) =
                        onto.entries.remove(&field.key)
                {
                    let kind = Kind::Table(decode_struct(schema, inner, table, old)?);
                    onto.entries.insert(field.key.clone(), Node { place, reported, kind });
                }
            }
        }
    }
    Ok(onto)
}

/// The entry for a field: its key as it is, in lower case, in capitals, or with a small first letter.
pub fn find<'t>(field: &Field, table: &'t Table) -> Option<&'t Node> {
    if let Some(node) = table.get(&field.key) {
        return Some(node);
    }
    // All forms differ in capitals only, and nearly always there is none.
    if !table.entries.keys().any(|key| key.eq_ignore_ascii_case(&field.key)) {
        return None;
    }
    key_forms(&field.key).into_iter().find_map(|key| table.get(&key))
}

/// True where a key is one of the forms of a field's key.
pub fn takes(field: &Field, key: &str) -> bool {
    field.key == key
        || (field.key.eq_ignore_ascii_case(key) && key_forms(&field.key).iter().any(|form| form == key))
}

/// The forms of a field's key, which is ASCII, that the library tries, in order.
fn key_forms(key: &str) -> [String; 4] {
    let mut small_first = key.to_string();
    if let Some(first) = small_first.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    [key.to_string(), key.to_ascii_lowercase(), key.to_ascii_uppercase(), small_first]
}

fn decode_value(schema: &Schema, ty: &Type, node: &Node, onto: Option<Node>) -> Result<Node, Misfit> {
    if let Type::Pointer(of) = ty {
        return decode_value(schema, of, node, onto);
    }
    let kind = match &node.kind {
        Kind::Table(table) => match ty {
            Type::Struct(name) => {
                let old = match onto {
                    Some(Node { kind: Kind::Table(old), .. }) => old,
                    _ => zero_struct(schema, name),
                };
                Kind::Table(decode_struct(schema, name, Some(table), old)?)
            }
            Type::Tree => Kind::Table(table.clone()),
            Type::Map(of) => Kind::Table(decode_map(schema, of, table)?),
            Type::Any => Kind::Table(decode_map(schema, &Type::Any, table)?),
            _ => return Err(cannot(node, "to a tree")),
        },
        Kind::Tables(list) => match ty {
            Type::Slice(of) if is_tree(of) => {
                let items = list.iter().map(|item| decode_value(schema, of, item, None));
                Kind::Tables(items.collect::<Result<_, _>>()?)
            }
            Type::Any => {
                let of = Type::Map(Box::new(Type::Any));
                let items = list.iter().map(|item| decode_value(schema, &of, item, None));
                Kind::Tables(items.collect::<Result<_, _>>()?)
            }
            _ => return Err(cannot(node, "to trees")),
        },
        Kind::Array(list) => match ty {
            Type::Slice(of) if !is_tree(of) => Kind::Array(
                list.iter().map(|item| decode_value(schema, of, item, None)).collect::<Result<_, _>>()?,
            ),
            Type::Any => {
                let items = list.iter().map(|item| decode_value(schema, &Type::Any, item, None));
                Kind::Array(items.collect::<Result<_, _>>()?)
            }
            _ => return Err(cannot(node, "to a slice")),
        },
        _ => decode_scalar(ty, node)?,
    };
    Ok(Node { place: node.place, reported: node.reported, kind })
}

fn decode_map(schema: &Schema, of: &Type, table: &Table) -> Result<Table, Misfit> {
    let mut entries = BTreeMap::new();
    for (key, node) in &table.entries {
        let value = decode_value(schema, of, node, None).map_err(|m| m.below(node))?;
        entries.insert(key.clone(), value);
    }
    Ok(Table { entries, inline: false })
}

fn is_tree(ty: &Type) -> bool {
    match ty {
        Type::Pointer(of) => is_tree(of),
        Type::Map(_) | Type::Struct(_) | Type::Tree => true,
        _ => false,
    }
}

fn cannot(node: &Node, to: &str) -> Misfit {
    Misfit::new(format!("Can't convert {}({}) {to}", show::value(node), show::type_name(node)))
}

fn decode_scalar(ty: &Type, node: &Node) -> Result<Kind, Misfit> {
    let misfit = || cannot(node, &format!("to {}", ty.go_name()));
    Ok(match (ty, &node.kind) {
        (Type::Any, kind) => kind.clone(),
        (Type::TextDuration, kind) => {
            let text = match kind {
                Kind::String(text) => text.clone(),
                _ => show::value(node),
            };
            let nanos =
                duration::parse(&text).map_err(|why| Misfit::new(format!("unmarshal text: {why}")))?;
            Kind::String(duration::show(nanos))
        }
        (Type::Duration, Kind::String(text)) => {
            let nanos = duration::parse(text).map_err(|why| {
                Misfit::new(format!("Can't convert {text}(string) to {}. {why}", ty.go_name()))
            })?;
            Kind::String(duration::show(nanos))
        }
        (Type::Duration, Kind::Int(nanos)) => Kind::String(duration::show(*nanos)),
        (Type::Bool, Kind::Bool(value)) => Kind::Bool(*value),
        (Type::String, Kind::String(text)) => Kind::String(text.clone()),
        // Go turns an unsigned number into the character of that code, and none is that large.
        (Type::String, Kind::Uint(_)) => Kind::String('\u{fffd}'.into()),
        (Type::Float64, Kind::Float(value)) => Kind::Float(*value),
        (Type::Float64, Kind::Uint(value)) => Kind::Float(*value as f64),
        (Type::Int(int), Kind::Int(value)) => decode_int(*int, *value, ty, node)?,
        (Type::Int(int), Kind::Uint(value)) if int.signed => decode_int(*int, *value as i64, ty, node)?,
        (Type::Int(_), Kind::Uint(value)) => Kind::Uint(*value),
        (Type::Slice(_), _) => return Err(cannot(node, &format!("to {}(slice)", ty.go_name()))),
        (Type::Map(_), _) => return Err(cannot(node, &format!("to {}(map)", ty.go_name()))),
        _ => return Err(misfit()),
    })
}

fn decode_int(int: IntType, value: i64, ty: &Type, node: &Node) -> Result<Kind, Misfit> {
    let name = show::type_name(node);
    if !int.signed {
        let Ok(unsigned) = u64::try_from(value) else {
            return Err(Misfit::new(format!(
                "{value}({name}) is negative so does not fit in {}",
                ty.go_name()
            )));
        };
        if int.bits < 64 && unsigned >> int.bits != 0 {
            return Err(Misfit::new(format!("{value}({name}) would overflow {}", ty.go_name())));
        }
        return Ok(Kind::Int(value));
    }
    let spare = 64 - u32::from(int.bits);
    if value << spare >> spare != value {
        return Err(Misfit::new(format!("{value}({name}) would overflow {}", ty.go_name())));
    }
    Ok(Kind::Int(value))
}

/// A struct of which nothing is set. Pointers and `any` are absent.
pub fn zero_struct(schema: &Schema, name: &str) -> Table {
    let fields = schema.fields(name).iter();
    let entries =
        map_of(fields.filter_map(|f| Some((f.key.clone(), Node::default_of(zero(schema, &f.ty)?)))));
    Table { entries, inline: false }
}

/// The zero value of a type; `None` where Go has `nil` and prints nothing.
pub fn zero(schema: &Schema, ty: &Type) -> Option<Kind> {
    Some(match ty {
        Type::Bool => Kind::Bool(false),
        Type::Int(_) => Kind::Int(0),
        Type::Float64 => Kind::Float(0.0),
        Type::String => Kind::String(String::new()),
        Type::Duration | Type::TextDuration => Kind::String("0s".into()),
        Type::Slice(of) if is_tree(of) => Kind::Tables(Vec::new()),
        Type::Slice(_) => Kind::Array(Vec::new()),
        Type::Map(_) | Type::Tree => Kind::Table(Table::default()),
        Type::Struct(name) => Kind::Table(zero_struct(schema, name)),
        Type::Any | Type::Pointer(_) => return None,
    })
}
