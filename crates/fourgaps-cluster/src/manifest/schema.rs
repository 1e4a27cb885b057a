//! Whether a manifest has the types of the API, and no field that it does not know.
//! Source of the words: Go's `encoding/json` and the strict decoding of `apimachinery`, as recorded.

use crate::object::Kind;
use crate::quantity::Quantity;
use serde_json::Value;

const TYPES: &str = include_str!("schema.txt");

/// What a field that should be a quantity is answered.
const NO_QUANTITY: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/// The fields of a type.
fn fields(name: &str) -> Option<impl Iterator<Item = (&'static str, &'static str)>> {
    let line = TYPES.lines().find(|line| line.split(' ').next() == Some(name))?;
    Some(line.split(' ').skip(1).filter_map(|field| field.split_once(':')))
}

/// The type of a field of a type, as `schema.txt` writes it.
pub fn field_type(of: &str, name: &str) -> Option<&'static str> {
    fields(of)?.find(|(field, _)| *field == name).map(|(_, ty)| ty)
}

/// Checks a manifest against the type of its kind. Kinds that are not described pass.
///
/// # Errors
/// What the decoder of the server says: the first wrong type, or else all unknown fields.
pub fn check(kind: Kind, value: &Value) -> Result<(), String> {
    let mut walk = Walk { unknown: Vec::new() };
    walk.object(&kind.name(), value, "", "")?;
    if walk.unknown.is_empty() {
        return Ok(());
    }
    let told: Vec<String> = walk.unknown.iter().map(|path| format!("unknown field \"{path}\"")).collect();
    Err(format!("strict decoding error: {}", told.join(", ")))
}

/// A value without the fields that its kind does not know, and where those stood.
pub fn known_part(kind: Kind, value: &Value) -> (Value, Vec<String>) {
    let mut unknown = Vec::new();
    (known_of(&kind.name(), value, "", &mut unknown), unknown)
}

fn known_of(of: &str, value: &Value, path: &str, unknown: &mut Vec<String>) -> Value {
    match value {
        Value::Array(items) => {
            let of = of.strip_prefix("[]").unwrap_or(of);
            let one = |(at, item)| known_of(of, item, &format!("{path}[{at}]"), unknown);
            items.iter().enumerate().map(one).collect()
        }
        Value::Object(entries) if fields(of).is_some() => {
            let mut known = serde_json::Map::new();
            for (name, value) in entries {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                match field_type(of, name) {
                    Some(of) => drop(known.insert(name.clone(), known_of(of, value, &path, unknown))),
                    None => unknown.push(path),
                }
            }
            Value::Object(known)
        }
        value => value.clone(),
    }
}

struct Walk {
    unknown: Vec<String>,
}

impl Walk {
    /// `path` counts the items of lists, `dotted` does not, as the two decoders name places.
    fn object(&mut self, ty: &str, value: &Value, path: &str, dotted: &str) -> Result<(), String> {
        let Some(entries) = value.as_object() else { return Ok(()) };
        for (name, value) in entries {
            let join = |to: &str| if to.is_empty() { name.clone() } else { format!("{to}.{name}") };
            let (path, dotted) = (join(path), join(dotted));
            let Some(known) = fields(ty) else { return Ok(()) };
            match known.into_iter().find(|(field, _)| field == name) {
                None => self.unknown.push(path),
                Some((_, of)) => self.value(of, value, &path, (ty, &dotted))?,
            }
        }
        Ok(())
    }

    fn value(&mut self, of: &str, value: &Value, path: &str, place: (&str, &str)) -> Result<(), String> {
        let wrong = |of: &str| Err(unmarshal(value, place, of));
        match (of, value) {
            ("any", _) | (_, Value::Null) => Ok(()),
            ("string", Value::String(_)) | ("bool", Value::Bool(_)) => Ok(()),
            ("int32" | "int64", Value::Number(number)) if number.is_i64() => Ok(()),
            ("intorstring", Value::Number(_) | Value::String(_)) => Ok(()),
            ("string" | "bool" | "int32" | "int64", _) => wrong(of),
            ("intorstring", _) => wrong("int32"),
            ("map", Value::Object(entries)) => {
                let texts = |value: &&Value| !value.is_string() && !value.is_null();
                entries.values().find(texts).map_or(Ok(()), |value| Err(unmarshal(value, place, "string")))
            }
            ("map", _) => wrong("map[string]string"),
            ("quantities", Value::Object(entries)) => {
                let is = |value: &Value| match value {
                    Value::String(text) => Quantity::read(text).is_some(),
                    value => value.is_number(),
                };
                if entries.values().all(is) { Ok(()) } else { Err(NO_QUANTITY.into()) }
            }
            ("quantities", _) => wrong("v1.ResourceList"),
            (list, Value::Array(items)) if list.starts_with("[]") => {
                for (at, item) in items.iter().enumerate() {
                    self.value(&list[2..], item, &format!("{path}[{at}]"), place)?;
                }
                Ok(())
            }
            (list, _) if list.starts_with("[]") => {
                wrong(&list.replace("[]", "[]v1.").replace("v1.string", "string"))
            }
            (ty, Value::Object(_)) => self.object(ty, value, path, place.1),
            (ty, _) => wrong(&format!("v1.{ty}")),
        }
    }
}

fn unmarshal(value: &Value, (ty, path): (&str, &str), of: &str) -> String {
    let what = match value {
        Value::Null => "null".into(),
        Value::Bool(_) => "bool".into(),
        // A number that is no whole one is told with its digits.
        Value::Number(number) if of.starts_with("int") => format!("number {number}"),
        Value::Number(_) => "number".into(),
        Value::String(_) => "string".into(),
        Value::Array(_) => "array".to_string(),
        Value::Object(_) => "object".into(),
    };
    format!("json: cannot unmarshal {what} into Go struct field {ty}.{path} of type {of}")
}
