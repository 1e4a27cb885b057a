//! A whole document without types, by the rules of the newest release: our own files, and edits of a learner's.

use super::decode::Decoder;
use super::fault::Fault;
use super::parse::{Expr, Parser, Part, Value, ValueKind};
use super::places::Places;
use super::rules::Rules;
use crate::schema::{Schema, Type};
use crate::toml::{Kind, Node, Table, TomlError};
use fourgaps_base::{FileId, Pos};
use std::ops::Range;

const RULES: Rules = Rules::V2_3_0;

/// The tree of a text: its top table with the places of all keys.
///
/// # Errors
/// The first thing that is wrong.
pub fn tree(text: &str) -> Result<Node, TomlError> {
    let bytes = text.as_bytes();
    let schema = Schema::default();
    let decoder = Decoder::new(RULES, &schema, bytes, Places::file(FileId::DEFAULT, bytes), false);
    let decoded = decoder.run(&Type::Tree, Table::default()).map_err(|(mut error, _)| {
        if let Some(bare) = error.message.strip_prefix("toml: ") {
            error.message = bare.into();
        }
        error
    })?;
    let mut top = Node::default_of(Kind::Table(decoded.table));
    top.place.pos = Pos::new(1, 1);
    Ok(top)
}

/// Everything in a text that breaks the grammar: after each fault, reading goes on with the next line. Where nothing does,
/// the first thing that is wrong all the same, such as a key that is there twice.
pub fn faults(text: &str) -> Vec<TomlError> {
    let mut parser = Parser::new(text.as_bytes(), RULES);
    let mut faults = Vec::new();
    loop {
        match parser.next() {
            Ok(Some(_)) => {}
            Ok(None) if faults.is_empty() => return tree(text).err().into_iter().collect(),
            Ok(None) => return faults,
            Err(Fault { offset, message, .. }) => {
                faults.push(TomlError { reported: None, at: Pos::of_byte(text, offset), message });
                parser.skip_line();
            }
        }
    }
}

/// A value as it is written: which bytes of the text, and what they say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// From its first byte to behind its last.
    pub span: Range<usize>,
    /// What it says.
    pub says: Says,
}

/// What a written value says, as far as edits ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Says {
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Written>),
    /// Anything else.
    Other,
}

/// The value of a key at the top of a document; nothing where the key is not there.
///
/// # Errors
/// The text is no TOML.
pub fn top_value(text: &str, key: &str) -> Result<Option<Written>, TomlError> {
    tree(text)?;
    let mut parser = Parser::new(text.as_bytes(), RULES);
    let named = |parts: &[Part]| parts.first().is_some_and(|part| part.text == key);
    let mut top = true;
    while let Ok(Some(expr)) = parser.next() {
        match expr {
            Expr::KeyValue(parts, value) if top && named(&parts) => {
                let whole = written(value);
                let inside = Written { says: Says::Other, ..whole.clone() };
                return Ok(Some(if parts.len() == 1 { whole } else { inside }));
            }
            Expr::KeyValue(..) => {}
            Expr::Table(parts) | Expr::ArrayTable(parts) => {
                top = false;
                if named(&parts) {
                    return Ok(Some(Written { span: 0..0, says: Says::Other }));
                }
            }
        }
    }
    Ok(None)
}

fn written(value: Value) -> Written {
    let says = match value.kind {
        ValueKind::String(text) => Says::Text(text),
        ValueKind::Array(items) => Says::List(items.into_iter().map(written).collect()),
        _ => Says::Other,
    };
    Written { span: value.start..value.end, says }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_all_tables_and_the_places_of_their_keys() {
        let top = tree("a.b = 1\n[empty]\n[[list]]\nx = 'ä'\n[list.in]\n[[list]]\nn = {y = [1]}\n").unwrap();
        let entries = &top.table().unwrap().entries;
        assert_eq!(entries.keys().collect::<Vec<_>>(), ["a", "empty", "list"]);
        let list = entries["list"].list().unwrap();
        assert_eq!(list[0].table().unwrap().get("x").unwrap().place.pos, Pos::new(4, 1));
        assert_eq!(list[0].table().unwrap().entries.len(), 2);
        assert_eq!(list[1].place.pos, Pos::new(6, 3));
        assert_eq!(tree("a = 1\na = 2\n").unwrap_err().at, Pos::new(2, 1));
    }

    #[test]
    fn every_line_that_breaks_the_grammar_is_told() {
        let places = |text: &str| faults(text).iter().map(|fault| fault.at.to_string()).collect::<Vec<_>>();
        assert_eq!(places("a = 1\nb = = 2\n[c]\nd = 'x\ne = 1 2\nf = 1\n"), ["2:5", "4:7", "5:7"]);
        assert_eq!(places("a = 1\na = 2\n"), ["2:1"]);
        assert_eq!(places("a = ["), ["1:6"]);
        assert!(places("a = 1\n").is_empty());
    }

    #[test]
    fn a_top_value_is_found_with_its_bytes() {
        let text = "v = 2 # x\nimports = [ '/a', \"b\" ]\n[t]\nw = 1\n";
        let at = |key: &str| top_value(text, key).unwrap().map(|value| &text[value.span]);
        assert_eq!((at("v"), at("imports"), at("w")), (Some("2"), Some("[ '/a', \"b\" ]"), None));
        let says = |text: &str| top_value(text, "k").unwrap().map(|value| value.says);
        assert_eq!(says("k.a = 'x'\n"), Some(Says::Other));
        assert_eq!(says("[k]\na = 'x'\n"), Some(Says::Other));
        assert_eq!(says("k = 'x'\n"), Some(Says::Text("x".into())));
        assert!(top_value("k = = 1\n", "k").is_err());
    }
}
