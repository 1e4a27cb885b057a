//! Reading a goal's predicate from a scenario.

use super::{Predicate, Scalar};
use crate::key_path::key_path;
use crate::strict::{Sheet, Table};
use fourgaps_config::toml::Kind;

/// What a unit can be, in the words of `systemctl is-active`.
const UNIT_WORDS: [&str; 4] = ["active", "inactive", "failed", "activating"];

impl Predicate {
    /// Reads a predicate: a table with exactly one of the known keys.
    pub(crate) fn take(sheet: &mut Sheet<'_>, mut table: Table<'_>) -> Option<Self> {
        let at = table.at();
        let mut found = Vec::new();
        if table.has("handlers_include") {
            found.push(Self::HandlersInclude(table.texts(sheet, "handlers_include")));
        }
        if table.has("handlers_exclude") {
            found.push(Self::HandlersExclude(table.texts(sheet, "handlers_exclude")));
        }
        found.extend(table.number(sheet, "exit").and_then(|n| i32::try_from(n).ok()).map(Self::Exit));
        found.extend(table.table(sheet, "value").and_then(|inner| take_value(sheet, inner)));
        found.extend(table.table(sheet, "count").map(|inner| take_count(sheet, inner)));
        found.extend(table.table(sheet, "file_contains").map(|mut inner| {
            let made =
                Self::FileContains { path: inner.text(sheet, "path"), text: inner.text(sheet, "text") };
            inner.close(sheet);
            made
        }));
        found.extend(table.table(sheet, "imports").map(|mut inner| {
            let path = inner.text(sheet, "path");
            let loaded = inner.required(sheet, "loaded").is_none_or(|entry| entry.flag(sheet, "loaded"));
            inner.close(sheet);
            Self::Imports { path, loaded }
        }));
        for (key, make) in [("all", Self::All as fn(Vec<Self>) -> Self), ("any", Self::Any)] {
            let list = table.tables(sheet, key);
            if table.has(key) {
                found.push(make(list.into_iter().filter_map(|inner| Self::take(sheet, inner)).collect()));
            }
        }
        if table.has("loaded_include") {
            found.push(Self::LoadedInclude(table.texts(sheet, "loaded_include")));
        }
        found.extend(table.table(sheet, "sandbox").map(|mut inner| {
            let made = Self::Sandbox {
                name: inner.text(sheet, "name"),
                handler: inner.optional_text(sheet, "handler"),
            };
            inner.close(sheet);
            made
        }));
        found.extend(table.table(sheet, "sysctl").map(|mut inner| {
            let key = inner.text(sheet, "key");
            let at_least = inner.required(sheet, "at_least").and_then(|n| n.number(sheet, "at_least"));
            let at_boot = inner.optional("at_boot").is_some_and(|entry| entry.flag(sheet, "at_boot"));
            inner.close(sheet);
            Self::Sysctl { key, at_least: at_least.unwrap_or_default(), at_boot }
        }));
        found.extend(table.table(sheet, "listed").map(|mut inner| {
            let made = Self::Listed { list: inner.text(sheet, "list"), folder: inner.text(sheet, "folder") };
            inner.close(sheet);
            made
        }));
        let at_unit = table.at_key("unit");
        if let Some(word) = table.optional_text(sheet, "unit") {
            if !UNIT_WORDS.contains(&word.as_str()) {
                sheet.fault(
                    at_unit,
                    format!("a unit is never `{word}`; it is one of {}", UNIT_WORDS.join(", ")),
                );
            }
            found.push(Self::Unit(word));
        }
        found.extend(table.optional_text(sheet, "file_absent").map(Self::FileAbsent));
        if let Some(entry) = table.optional("toolkit") {
            found.push(Self::Toolkit(entry.flag(sheet, "toolkit")));
        }
        if let Some(entry) = table.optional("graded") {
            found.push(Self::Graded(entry.flag(sheet, "graded")));
        }
        found.extend(table.table(sheet, "run").map(|mut inner| {
            let made = Self::Run { host: inner.text(sheet, "on"), line: inner.text(sheet, "line") };
            inner.close(sheet);
            made
        }));
        if let Some(mut inner) = table.table(sheet, "on") {
            let (at, node) = (inner.at(), inner.text(sheet, "node"));
            let check = inner.table(sheet, "check").and_then(|check| Self::take(sheet, check));
            inner.close(sheet);
            match check {
                Some(check) => found.push(Self::On { node, check: Box::new(check) }),
                None => sheet.fault(at, "`on` wants `node` and `check`"),
            }
        }
        if let Some(inner) = table.table(sheet, "not") {
            found.extend(Self::take(sheet, inner).map(|p| Self::Not(Box::new(p))));
        }
        for key in ["handlers_include", "handlers_exclude", "loaded_include"] {
            table.optional(key);
        }
        table.close(sheet);
        if found.len() != 1 {
            sheet.fault(at, format!("a check says exactly one thing, but this says {}", found.len()));
        }
        found.pop()
    }
}

fn take_value(sheet: &mut Sheet<'_>, mut table: Table<'_>) -> Option<Predicate> {
    let key = take_key(sheet, &mut table, "key");
    let equals = table.required(sheet, "equals");
    table.close(sheet);
    let entry = equals?;
    let equals = match &entry.value().kind {
        Kind::String(text) => Scalar::Text(text.clone()),
        Kind::Bool(flag) => Scalar::Flag(*flag),
        _ => Scalar::Number(entry.number(sheet, "equals")?),
    };
    Some(Predicate::Value { key, equals })
}

/// A text that must be a key as TOML writes it.
pub(crate) fn take_key(sheet: &mut Sheet<'_>, table: &mut Table<'_>, name: &'static str) -> String {
    let at = table.at_key(name);
    let key = table.text(sheet, name);
    if !key.trim().is_empty() && key_path(&key).is_none() {
        sheet.fault(at, format!("`{key}` is no key as TOML writes it"));
    }
    key
}

fn take_count(sheet: &mut Sheet<'_>, mut table: Table<'_>) -> Predicate {
    let at = table.at();
    let text = table.text(sheet, "text");
    let at_least = table.number(sheet, "at_least").and_then(|n| usize::try_from(n).ok());
    let equals = table.number(sheet, "equals").and_then(|n| usize::try_from(n).ok());
    if at_least.is_some() == equals.is_some() {
        sheet.fault(at, "`count` wants either `at_least` or `equals`, a number from 0");
    }
    table.close(sheet);
    let (at_least, at_most) = match equals {
        Some(number) => (number, number),
        None => (at_least.unwrap_or_default(), usize::MAX),
    };
    Predicate::Count { text, at_least, at_most }
}
