//! Builds the tree from the tokens: headers, assignments, values.

use super::keys::parse_key;
use super::lexer::Lexer;
use super::source::Source;
use super::token::{Kind as Word, Token};
use super::tree::{self, Part, Target, joined, place};
use crate::toml::{Kind, Node, Table, TomlError};
use fourgaps_base::{FileId, Pos};
use std::collections::BTreeSet;

/// How deep tables and lists may lie in each other.
///
/// The library has no bound; it has a stack of a gigabyte. This one keeps every later walk through a tree within the
/// smallest stack it may run on.
pub const MAX_DEPTH: usize = 256;

/// Reads a text into a tree.
pub(super) fn parse(file: FileId, source: Source) -> Result<Table, TomlError> {
    let mut parser = Parser {
        lexer: Lexer::new(source),
        peeked: None,
        file,
        root: Table::default(),
        current: Vec::new(),
        seen: BTreeSet::new(),
        too_deep: None,
    };
    while parser.statement()? {}
    if parser.too_deep.is_some() { Err(parser.too_deep()) } else { Ok(parser.root) }
}

pub(super) struct Parser {
    lexer: Lexer,
    peeked: Option<Token>,
    pub(super) file: FileId,
    root: Table,
    /// The path of the last header.
    current: Vec<Part>,
    /// The raw texts of all headers, with their white space and quotes: `[a]` and `[ a ]` are not the same here.
    seen: BTreeSet<String>,
    /// The first place that lies too deep. Such values are read on, for what else may be wrong, and not kept.
    too_deep: Option<Pos>,
}

impl Parser {
    pub(super) fn peek(&mut self) -> &Token {
        let lexer = &mut self.lexer;
        self.peeked.get_or_insert_with(|| lexer.next_token())
    }

    pub(super) fn take(&mut self) -> Token {
        self.peeked.take().unwrap_or_else(|| self.lexer.next_token())
    }

    pub(super) fn pos(&self, at: usize) -> Pos {
        self.lexer.source.pos(at)
    }

    pub(super) fn refuse<T>(&self, token: &Token, message: impl Into<String>) -> Result<T, TomlError> {
        let reported = Some(self.pos(token.at));
        Err(TomlError { reported, at: self.pos(token.true_at), message: message.into() })
    }

    pub(super) fn refuse_bare<T>(&self, token: &Token, message: impl Into<String>) -> Result<T, TomlError> {
        Err(TomlError { reported: None, at: self.pos(token.true_at), message: message.into() })
    }

    pub(super) fn expect(&mut self, wanted: Word) -> Result<(), TomlError> {
        let token = self.take();
        if token.kind == wanted {
            return Ok(());
        }
        let message = format!("was expecting token {}, but got {} instead", wanted.name(), token.shown());
        self.refuse(&token, message)
    }

    /// Splits a key and finds where each of its parts stands.
    pub(super) fn parts(&self, key: &Token, refusal: &str) -> Result<Vec<Part>, TomlError> {
        match parse_key(&key.text) {
            Ok(parts) => Ok(parts
                .into_iter()
                .map(|(name, offset)| Part { name, place: place(self.file, self.pos(key.source_at(offset))) })
                .collect()),
            Err(fault) => self.refuse(key, format!("{refusal}: {fault}")),
        }
    }

    /// True where a path or a value of this depth may be kept.
    pub(super) fn fits(&mut self, depth: usize, token: &Token) -> bool {
        if depth > MAX_DEPTH {
            let at = self.pos(token.at);
            self.too_deep.get_or_insert(at);
        }
        depth <= MAX_DEPTH
    }

    /// The refusal of this crate, not of the library.
    pub(super) fn too_deep(&self) -> TomlError {
        let message = format!("fourgaps reads tables and lists only up to {MAX_DEPTH} levels deep");
        TomlError { reported: self.too_deep, at: self.too_deep.unwrap_or_default(), message }
    }

    /// Reads one header or assignment; false at the end.
    fn statement(&mut self) -> Result<bool, TomlError> {
        let token = self.take();
        match token.kind {
            Word::DoubleLeftBracket => self.table_array(&token)?,
            Word::LeftBracket => self.table(&token)?,
            Word::Key => self.assignment(&token)?,
            Word::End => return Ok(false),
            Word::Error => return self.refuse(&token, format!("parsing error: {}", token.text)),
            other => return self.refuse(&token, format!("unexpected token {}", other.name())),
        }
        Ok(true)
    }

    fn table(&mut self, start: &Token) -> Result<(), TomlError> {
        let key = self.take();
        if key.kind != Word::TableKey {
            let message = format!("unexpected token {}, was expecting a table key", key.shown());
            return self.refuse(&key, message);
        }
        if !self.seen.insert(key.text.clone()) {
            return self.refuse(&key, "duplicated tables");
        }
        let parts = self.parts(&key, "invalid table array key")?;
        if self.fits(parts.len(), &key) {
            let path: Vec<&Part> = parts.iter().collect();
            let reported = self.pos(start.at);
            if let Err(fault) = tree::make_tables(&mut self.root, &path, reported) {
                return self.refuse(&key, fault);
            }
            let inline = tree::node_at(&mut self.root, &path)
                .is_some_and(|node| matches!(&node.kind, Kind::Table(table) if table.inline));
            if inline {
                return self.refuse(
                    &key,
                    format!("could not re-define exist inline table or its sub-table : {}", joined(&path)),
                );
            }
        }
        self.expect(Word::RightBracket)?;
        self.current = parts;
        Ok(())
    }

    fn table_array(&mut self, start: &Token) -> Result<(), TomlError> {
        let key = self.take();
        if key.kind != Word::TableArrayKey {
            let message = format!("unexpected token {}, was expecting a table array key", key.shown());
            return self.refuse(&key, message);
        }
        let parts = self.parts(&key, "invalid table array key")?;
        if self.fits(parts.len(), &key) {
            self.add_table(start, &key, &parts)?;
        }
        self.current = parts;
        self.forget_headers_below(&key.text);
        self.seen.insert(key.text);
        self.expect(Word::DoubleRightBracket)
    }

    /// Adds a table to the list of tables at a path.
    fn add_table(&mut self, start: &Token, key: &Token, parts: &[Part]) -> Result<(), TomlError> {
        let path: Vec<&Part> = parts.iter().collect();
        let Some((last, parents)) = path.split_last() else { return Ok(()) };
        let reported = self.pos(start.at);
        // The library forgets to look whether this went well, and then sets the list somewhere else.
        let _ = tree::make_tables(&mut self.root, parents, reported);
        let item = Node { place: last.place, reported, kind: Kind::Table(Table::default()) };
        match tree::node_at(&mut self.root, &path) {
            None => tree::set(&mut self.root, Pos::new(1, 1), parts, Kind::Tables(vec![item])),
            Some(Node { reported: of_list, kind: Kind::Tables(items), .. }) => {
                *of_list = reported;
                items.push(item);
            }
            Some(_) => {
                let message = format!("key {} is already assigned and not of type table array", key.shown());
                return self.refuse(key, message);
            }
        }
        Ok(())
    }

    /// A new table in a list may have the same headers below it as the one before.
    fn forget_headers_below(&mut self, header: &str) {
        let prefix = format!("{header}.");
        let from_prefix = self.seen.range(prefix.clone()..);
        let below: Vec<String> =
            from_prefix.take_while(|other| other.starts_with(&prefix)).cloned().collect();
        for other in below {
            self.seen.remove(&other);
        }
    }

    fn assignment(&mut self, key: &Token) -> Result<(), TomlError> {
        self.expect(Word::Equal)?;
        let parts = self.parts(key, "invalid key")?;
        let depth = self.current.len() + parts.len();
        let fits = self.fits(depth, key);
        let value = self.value(depth)?;
        let Some((last, parents)) = parts.split_last().filter(|_| fits) else { return Ok(()) };
        let path: Vec<&Part> = self.current.iter().chain(parents).collect();
        let reported = self.lexer.source.pos(key.at);
        if matches!(tree::target(&mut self.root, &path), Target::Nothing)
            && let Err(fault) = tree::make_tables(&mut self.root, &path, reported)
        {
            return self.refuse(key, format!("could not create intermediate group: {fault}"));
        }
        let Target::Table(table) = tree::target(&mut self.root, &path) else {
            return self.refuse(key, format!("Unknown table type for path: {}", joined(&path)));
        };
        if table.inline {
            return self.refuse(
                key,
                format!(
                    "could not add key or sub-table to exist inline table or its sub-table : {}",
                    joined(&path)
                ),
            );
        }
        if table.entries.contains_key(&last.name) {
            let path: Vec<&Part> = path.into_iter().chain([last]).collect();
            let message = format!("The following key was defined twice: {}", joined(&path));
            return self.refuse(key, message);
        }
        let reported = tree::own_position(&value).unwrap_or(reported);
        let node = Node { place: last.place, reported, kind: value };
        table.entries.insert(last.name.clone(), node);
        Ok(())
    }
}
