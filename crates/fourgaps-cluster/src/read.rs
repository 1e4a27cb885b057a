//! Reading the fields of JSON objects that are known to be objects of the API.
//! Lenient: what has another type than the API says is treated as absent; saying so is the work of validation.

use crate::meta::Labels;
use serde_json::Value;

/// The text in a field.
pub fn text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field)?.as_str()
}

/// The whole number in a field.
pub fn number(value: &Value, field: &str) -> Option<i64> {
    value.get(field)?.as_i64()
}

/// True where the field holds `true`.
pub fn flag(value: &Value, field: &str) -> bool {
    value.get(field).and_then(Value::as_bool).unwrap_or(false)
}

/// The field, or `null`.
pub fn part<'a>(value: &'a Value, field: &str) -> &'a Value {
    value.get(field).unwrap_or(&Value::Null)
}

/// The items of the list in a field.
pub fn items<'a>(value: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    value.get(field).and_then(Value::as_array).into_iter().flatten()
}

/// The entries of the map in a field.
pub fn entries<'a>(value: &'a Value, field: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    value.get(field).and_then(Value::as_object).into_iter().flatten()
}

/// The texts of the list in a field.
pub fn texts(value: &Value, field: &str) -> Vec<String> {
    items(value, field).filter_map(|item| Some(item.as_str()?.to_string())).collect()
}

/// The map of texts in a field.
pub fn labels(value: &Value, field: &str) -> Labels {
    entries(value, field)
        .filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_string())))
        .collect()
}
