//! How Go's `%v` and `%T` show a value inside a message of 1.6 and 1.7.

use super::print;
use crate::toml::{Kind, Node, TimeKind};

/// The value as `%v` prints it: lists in brackets with blanks, tables as TOML text.
pub fn value(node: &Node) -> String {
    match &node.kind {
        Kind::Bool(value) => value.to_string(),
        Kind::Int(value) => value.to_string(),
        Kind::Uint(value) => value.to_string(),
        Kind::Float(value) => float(*value),
        Kind::String(text) | Kind::Time(_, text) => text.clone(),
        Kind::Array(list) | Kind::Tables(list) => {
            let items: Vec<String> = list.iter().map(value).collect();
            format!("[{}]", items.join(" "))
        }
        Kind::Table(table) => print::print(table).iter().map(|line| format!("{}\n", line.text)).collect(),
    }
}

/// The type as `%T` prints it.
pub fn type_name(node: &Node) -> &'static str {
    match &node.kind {
        Kind::Bool(_) => "bool",
        Kind::Int(_) => "int64",
        Kind::Uint(_) => "uint64",
        Kind::Float(_) => "float64",
        Kind::String(_) => "string",
        Kind::Time(TimeKind::Offset, _) => "time.Time",
        Kind::Time(TimeKind::LocalDateTime, _) => "toml.LocalDateTime",
        Kind::Time(TimeKind::LocalDate, _) => "toml.LocalDate",
        Kind::Time(TimeKind::LocalTime, _) => "toml.LocalTime",
        Kind::Array(_) => "[]interface {}",
        Kind::Table(_) => "*toml.Tree",
        Kind::Tables(_) => "[]*toml.Tree",
    }
}

/// A float as `%v` shows it: shortest digits, an exponent below 1e-4 and from 1e21 on.
pub fn float(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf".into() } else { "-Inf".into() };
    }
    if value == 0.0 {
        return if value.is_sign_negative() { "-0".into() } else { "0".into() };
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..21).contains(&exponent) {
        return format!("{value}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}
