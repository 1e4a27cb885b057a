//! Reads values: single ones, lists and inline tables.

use super::numbers::{self, Refusal};
use super::parser::{MAX_DEPTH, Parser};
use super::times;
use super::token::{Kind as Word, Token};
use super::tree::{self, Part, place};
use crate::toml::{Kind, Node, Table, TomlError};
use fourgaps_base::{Place, Pos};

/// How many open brackets are too many to read on for what else may be wrong: memory has an end, too.
const MOST_OPEN: usize = 100_000;

/// A value and the place where it starts.
struct Item {
    kind: Kind,
    place: Place,
}

/// A list or an inline table that is not closed yet.
struct Container {
    place: Place,
    /// How many keys and lists lie above it.
    depth: usize,
    body: Body,
}

enum Body {
    List { items: Vec<Node>, tables_only: bool },
    Inline { table: Table, key: Vec<Part>, previous: Option<Token> },
}

/// What a token starts.
enum Start {
    Whole(Kind),
    Open(Body),
}

impl Parser {
    /// Reads a value. Keeps its own stack of open brackets, so that no input can exhaust that of the process.
    pub(super) fn value(&mut self, depth: usize) -> Result<Kind, TomlError> {
        let mut open: Vec<Container> = Vec::new();
        loop {
            let token = self.take();
            let depth = open.last().map_or(depth, Container::depth_inside);
            let place = place(self.file, self.pos(token.true_at));
            let mut item = match self.start(&token)? {
                Start::Whole(kind) => Item { kind, place },
                Start::Open(body) => {
                    if !self.fits(depth, &token) && open.len() > MOST_OPEN {
                        return Err(self.too_deep());
                    }
                    let mut container = Container { place, depth, body };
                    if self.wants_item(&mut container)? {
                        open.push(container);
                        continue;
                    }
                    container.close()
                }
            };
            loop {
                let Some(mut container) = open.pop() else { return Ok(item.kind) };
                self.add(&mut container, item)?;
                if self.wants_item(&mut container)? {
                    open.push(container);
                    break;
                }
                item = container.close();
            }
        }
    }

    /// Reads a single value, or says which bracket opens.
    fn start(&mut self, token: &Token) -> Result<Start, TomlError> {
        let kind = match token.kind {
            Word::String => Kind::String(token.text.clone()),
            Word::True => Kind::Bool(true),
            Word::False => Kind::Bool(false),
            Word::Inf if token.text.starts_with('-') => Kind::Float(f64::NEG_INFINITY),
            Word::Inf => Kind::Float(f64::INFINITY),
            Word::Nan => Kind::Float(f64::NAN),
            Word::Integer => self.checked(token, numbers::integer(&token.text))?,
            Word::Float => self.checked(token, numbers::float(&token.text))?,
            Word::LocalTime => self.checked(token, times::local_time(&token.text))?,
            Word::LocalDate => {
                let moment = self.moment(&token.text);
                self.checked(token, moment)?
            }
            Word::LeftBracket => return Ok(Start::Open(Body::List { items: Vec::new(), tables_only: true })),
            Word::LeftCurly => {
                return Ok(Start::Open(Body::Inline {
                    table: Table::default(),
                    key: Vec::new(),
                    previous: None,
                }));
            }
            Word::End => return self.refuse(token, "expecting a value"),
            Word::Equal => return self.refuse(token, "cannot have multiple equals for the same key"),
            Word::Error => return self.refuse(token, token.text.clone()),
            _ => return self.refuse_bare(token, format!("unhandled token: {}", token.shown())),
        };
        Ok(Start::Whole(kind))
    }

    fn checked<E: Into<Refusal>>(&self, token: &Token, read: Result<Kind, E>) -> Result<Kind, TomlError> {
        read.or_else(|refusal| match refusal.into() {
            Refusal::Placed(message) => self.refuse(token, message),
            Refusal::Bare(message) => self.refuse_bare(token, message),
        })
    }

    /// Reads a date with the time and the offset that may follow.
    fn moment(&mut self, date: &str) -> Result<Kind, String> {
        if self.peek().kind != Word::LocalTime {
            return times::local_date(date);
        }
        let time = self.take().text;
        if self.peek().kind != Word::TimeOffset {
            return times::local_date_time(date, &time);
        }
        let offset = self.take().text;
        times::offset_date_time(date, &time, &offset)
    }

    /// True where another item follows; false where the container was closed.
    fn wants_item(&mut self, container: &mut Container) -> Result<bool, TomlError> {
        let depth = container.depth;
        match &mut container.body {
            Body::List { .. } => match self.peek().kind {
                Word::End => self.refuse_next("unterminated array"),
                Word::RightBracket => {
                    self.take();
                    Ok(false)
                }
                _ => Ok(true),
            },
            Body::Inline { key, previous, .. } => {
                let Some(parts) = self.key_of_inline(previous)? else { return Ok(false) };
                if let Some(token) = previous.as_ref() {
                    self.fits(depth + parts.len(), token);
                }
                *key = parts;
                Ok(true)
            }
        }
    }

    /// Reads `key =` within an inline table, with the comma before it; nothing where the table ends.
    fn key_of_inline(&mut self, previous: &mut Option<Token>) -> Result<Option<Vec<Part>>, TomlError> {
        loop {
            let comma = previous.as_ref().filter(|token| token.kind == Word::Comma);
            match self.peek().kind {
                Word::End => return self.refuse_next("unterminated inline table"),
                Word::RightCurly => {
                    if let Some(comma) = comma {
                        return self.refuse(comma, "trailing comma at the end of inline table");
                    }
                    self.take();
                    return Ok(None);
                }
                Word::Key | Word::Integer | Word::String => {
                    if previous.is_some() && comma.is_none() {
                        return self.refuse_next("comma expected between fields in inline table");
                    }
                    let key = self.take();
                    self.expect(Word::Equal)?;
                    let parts = self.parts(&key, "invalid key")?;
                    *previous = Some(key);
                    return Ok(Some(parts));
                }
                Word::Comma => {
                    if comma.is_some() {
                        return self.refuse_next("need field between two commas in inline table");
                    }
                    *previous = Some(self.take());
                }
                _ => {
                    let message = format!("unexpected token type in inline table: {}", self.peek().shown());
                    return self.refuse_next(message);
                }
            }
        }
    }

    /// Puts an item into its container, and takes the comma behind it in a list.
    fn add(&mut self, container: &mut Container, item: Item) -> Result<(), TomlError> {
        let depth = container.depth_inside();
        match &mut container.body {
            Body::List { items, tables_only } => {
                *tables_only &= matches!(item.kind, Kind::Table(_));
                items.push(Node { place: item.place, reported: Pos::default(), kind: item.kind });
                match self.peek().kind {
                    Word::End => self.refuse_next("unterminated array"),
                    Word::RightBracket => Ok(()),
                    Word::Comma => {
                        self.take();
                        Ok(())
                    }
                    _ => self.refuse_next("missing comma"),
                }
            }
            Body::Inline { table, key, .. } => {
                if depth <= MAX_DEPTH {
                    tree::set(table, Pos::default(), key, item.kind);
                }
                Ok(())
            }
        }
    }

    fn refuse_next<T>(&mut self, message: impl Into<String>) -> Result<T, TomlError> {
        let token = self.take();
        self.refuse(&token, message)
    }
}

impl Container {
    fn depth_inside(&self) -> usize {
        match &self.body {
            Body::List { .. } => self.depth + 1,
            Body::Inline { key, .. } => self.depth + key.len(),
        }
    }

    /// The finished value. A list of nothing but inline tables is the same as `[[tables]]`.
    fn close(self) -> Item {
        let kind = match self.body {
            // What lies too deep is not kept: the tree must stay within reach of a small stack.
            _ if self.depth > MAX_DEPTH => Kind::Array(Vec::new()),
            Body::List { items, tables_only: true } if !items.is_empty() => Kind::Tables(items),
            Body::List { items, .. } => Kind::Array(items),
            Body::Inline { table, .. } => Kind::Table(Table { inline: true, ..table }),
        };
        Item { kind, place: self.place }
    }
}
