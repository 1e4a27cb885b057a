//! Reads a document one line-level expression at a time: a header or a key with its value.
//! Knows the grammar and nothing of types; numbers and dates are only cut out here.

use super::fault::{DEEPEST, Fault, Res, unicode};
use super::rules::Rules;
use super::text::{any_string, comment_end, line_string};
use std::ops::Range;

/// An expression.
#[derive(Debug)]
pub(super) enum Expr {
    KeyValue(Vec<Part>, Value),
    Table(Vec<Part>),
    ArrayTable(Vec<Part>),
}

/// One part of a dotted key.
#[derive(Debug)]
pub(super) struct Part {
    pub text: String,
    /// Where it begins, quote included.
    pub start: usize,
    /// Where its text begins; `None` where it was written with an escape.
    pub data: Option<usize>,
}

/// A value, where it begins and where it has ended.
#[derive(Debug)]
pub(super) struct Value {
    pub start: usize,
    pub end: usize,
    pub kind: ValueKind,
}

/// What a value looks like; numbers and dates as their range in the document.
#[derive(Debug)]
pub(super) enum ValueKind {
    String(String),
    Bool(bool),
    Integer(Range<usize>),
    Float(Range<usize>),
    DateTime(Range<usize>),
    LocalDateTime(Range<usize>),
    LocalDate(Range<usize>),
    LocalTime(Range<usize>),
    Array(Vec<Value>),
    Inline(Vec<(Vec<Part>, Value)>),
}

/// The reader.
pub(super) struct Parser<'a> {
    doc: &'a [u8],
    rules: Rules,
    pos: usize,
    first: bool,
    /// How deep the last header went; everything below it counts from there.
    header_depth: usize,
}

impl<'a> Parser<'a> {
    pub fn new(doc: &'a [u8], rules: Rules) -> Self {
        Self { doc, rules, pos: 0, first: true, header_depth: 0 }
    }

    pub fn doc(&self) -> &'a [u8] {
        self.doc
    }

    /// The next expression, or `None` at the end.
    pub fn next(&mut self) -> Res<Option<Expr>> {
        while self.pos < self.doc.len() {
            if !self.first {
                self.newline()?;
            }
            if self.pos >= self.doc.len() {
                break;
            }
            let expr = self.expression()?;
            self.first = false;
            if expr.is_some() {
                return Ok(expr);
            }
        }
        Ok(None)
    }

    /// Goes to the end of the line where it stands, to read on after a fault.
    pub fn skip_line(&mut self) {
        self.pos += self.rest().iter().take_while(|b| **b != b'\n').count();
    }

    fn peek(&self) -> Option<u8> {
        self.doc.get(self.pos).copied()
    }

    fn rest(&self) -> &'a [u8] {
        &self.doc[self.pos..]
    }

    /// A fault at the current byte, or at the end of the document.
    fn fault_here<T>(&self, message: impl Into<String>) -> Res<T> {
        let end = self.doc.len().min(self.pos + 1);
        Err(Fault::over(self.pos, end, message))
    }

    fn blanks(&mut self) {
        self.pos += self.rest().iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    }

    fn newline(&mut self) -> Res<()> {
        match self.rest() {
            [b'\n', ..] => self.pos += 1,
            [b'\r', b'\n', ..] => self.pos += 2,
            [b'\r'] => return self.fault_here("windows new line expected"),
            [b'\r', ..] => return self.fault_here("windows new line should be \\r\\n"),
            [byte, ..] => return self.fault_here(format!("expected newline but got {}", unicode(*byte))),
            [] => {}
        }
        Ok(())
    }

    fn expect(&mut self, wanted: u8) -> Res<()> {
        let shown = char::from(wanted);
        match self.peek() {
            Some(byte) if byte == wanted => {
                self.pos += 1;
                Ok(())
            }
            Some(_) => self.fault_here(format!("expected character {shown}")),
            None => self.fault_here(format!("expected character {shown} but the document ended here")),
        }
    }

    fn comment(&mut self) -> Res<()> {
        self.pos = comment_end(self.doc, self.pos)?;
        Ok(())
    }

    fn expression(&mut self) -> Res<Option<Expr>> {
        self.blanks();
        let expr = match self.rest() {
            [] | [b'\n' | b'\r', ..] => return Ok(None),
            [b'#', ..] => {
                self.comment()?;
                return Ok(None);
            }
            [b'[', b'[', ..] => self.header(2).map(Expr::ArrayTable)?,
            [b'[', ..] => self.header(1).map(Expr::Table)?,
            _ => {
                let (key, value) = self.key_value(self.header_depth)?;
                Expr::KeyValue(key, value)
            }
        };
        self.blanks();
        if self.peek() == Some(b'#') {
            self.comment()?;
        }
        Ok(Some(expr))
    }

    fn header(&mut self, brackets: usize) -> Res<Vec<Part>> {
        self.pos += brackets;
        self.blanks();
        let key = self.key(0)?;
        self.header_depth = key.len();
        self.blanks();
        for _ in 0..brackets {
            self.expect(b']')?;
        }
        Ok(key)
    }

    fn key_value(&mut self, depth: usize) -> Res<(Vec<Part>, Value)> {
        let start = self.pos;
        let key = self.key(depth)?;
        self.blanks();
        if self.pos >= self.doc.len() {
            let message = "expected = after a key, but the document ends there";
            let from = if self.rules.missing_equals_at_key { start } else { self.pos };
            return Err(Fault::over(from, self.pos, message));
        }
        self.expect(b'=')?;
        self.blanks();
        let value = self.value(depth + key.len())?;
        Ok((key, value))
    }

    /// A dotted key below `depth` levels.
    fn key(&mut self, depth: usize) -> Res<Vec<Part>> {
        let mut parts = vec![self.part()?];
        loop {
            self.blanks();
            if self.peek() != Some(b'.') {
                return Ok(parts);
            }
            self.pos += 1;
            self.blanks();
            if depth + parts.len() >= DEEPEST {
                return Err(Fault::too_deep(self.pos));
            }
            parts.push(self.part()?);
        }
    }

    fn part(&mut self) -> Res<Part> {
        let start = self.pos;
        let bare = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        match self.peek() {
            None => self.fault_here("expected key but found none"),
            Some(b'"' | b'\'') => {
                let read = line_string(self.doc, start)?;
                self.pos = read.end;
                Ok(Part { text: read.text, start, data: read.data })
            }
            Some(byte) if bare(&byte) => {
                self.pos += self.rest().iter().take_while(|b| bare(b)).count();
                let text = String::from_utf8_lossy(&self.doc[start..self.pos]).into_owned();
                Ok(Part { text, start, data: Some(start) })
            }
            Some(byte) => self.fault_here(format!("invalid character at start of key: {}", char::from(byte))),
        }
    }

    fn value(&mut self, depth: usize) -> Res<Value> {
        let start = self.pos;
        let kind = match self.peek() {
            None => return self.fault_here("expected value, not eof"),
            Some(b'"' | b'\'') => {
                let read = any_string(self.doc, start)?;
                self.pos = read.end;
                ValueKind::String(read.text)
            }
            Some(b't') => {
                self.word("true")?;
                ValueKind::Bool(true)
            }
            Some(b'f') => {
                self.word("false")?;
                ValueKind::Bool(false)
            }
            Some(b'[' | b'{') if depth >= DEEPEST => return Err(Fault::too_deep(start)),
            Some(b'[') => ValueKind::Array(self.array(depth + 1)?),
            Some(b'{') => ValueKind::Inline(self.inline_table(depth + 1)?),
            Some(b'i') => {
                self.word("inf")?;
                ValueKind::Float(start..self.pos)
            }
            Some(b'n') => {
                self.word("nan")?;
                ValueKind::Float(start..self.pos)
            }
            Some(b'+' | b'-') => self.number()?,
            Some(_) => match self.rest() {
                // Two digits and a colon, or four digits and a dash.
                [b'0'..=b'9', b'0'..=b'9', b':', ..] => self.date(),
                [b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', b'-', ..] => self.date(),
                _ => self.number()?,
            },
        };
        Ok(Value { start, end: self.pos, kind })
    }

    fn word(&mut self, word: &str) -> Res<()> {
        if !self.rest().starts_with(word.as_bytes()) {
            return self.fault_here(format!("expected '{word}'"));
        }
        self.pos += word.len();
        Ok(())
    }

    fn inline_table(&mut self, depth: usize) -> Res<Vec<(Vec<Part>, Value)>> {
        let mut entries = Vec::new();
        self.pos += 1;
        while self.pos < self.doc.len() {
            let before = self.pos;
            self.blanks();
            match self.peek() {
                None => return Err(Fault::at(before, "inline table is incomplete")),
                Some(b'}') => break,
                Some(_) => {}
            }
            if !entries.is_empty() {
                self.expect(b',')?;
                self.blanks();
            }
            entries.push(self.key_value(depth)?);
        }
        self.expect(b'}')?;
        Ok(entries)
    }

    fn array(&mut self, depth: usize) -> Res<Vec<Value>> {
        let start = self.pos;
        let mut items = Vec::new();
        self.pos += 1;
        while self.pos < self.doc.len() {
            self.blanks_comments_newlines()?;
            match self.peek() {
                None => return Err(Fault::at(start, "array is incomplete")),
                Some(b']') => break,
                Some(b',') if items.is_empty() => {
                    return self.fault_here("array cannot start with comma");
                }
                Some(b',') => {
                    self.pos += 1;
                    self.blanks_comments_newlines()?;
                }
                Some(_) if !items.is_empty() => {
                    return self.fault_here("array elements must be separated by commas");
                }
                Some(_) => {}
            }
            if self.peek() == Some(b']') {
                break;
            }
            items.push(self.value(depth)?);
            self.blanks_comments_newlines()?;
        }
        self.expect(b']')?;
        Ok(items)
    }

    fn blanks_comments_newlines(&mut self) -> Res<()> {
        loop {
            self.blanks();
            if self.peek() == Some(b'#') {
                self.comment()?;
            }
            if !matches!(self.peek(), Some(b'\n' | b'\r')) {
                return Ok(());
            }
            self.newline()?;
        }
    }

    /// Cuts out a date or time: its characters in any order, and one blank before a digit.
    fn date(&mut self) -> ValueKind {
        let start = self.pos;
        let (mut date, mut time, mut zone, mut blank) = (false, false, false, false);
        while let Some(byte) = self.peek() {
            match byte {
                b'0'..=b'9' => {}
                b'-' => {
                    date = true;
                    zone |= self.pos - start >= 8;
                }
                b'T' | b't' | b':' | b'.' => time = true,
                b'+' | b'Z' | b'z' => zone = true,
                b' ' if !blank && self.doc.get(self.pos + 1).is_some_and(u8::is_ascii_digit) => {
                    // The library steps over the digit and over what follows it, whatever it is.
                    self.pos = (self.pos + 2).min(self.doc.len() - 1);
                    blank = true;
                    time = true;
                }
                _ => break,
            }
            self.pos += 1;
        }
        let range = start..self.pos;
        match (date, time, zone) {
            (true, true, true) => ValueKind::DateTime(range),
            (true, true, false) => ValueKind::LocalDateTime(range),
            (false, true, _) => ValueKind::LocalTime(range),
            (_, false, _) => ValueKind::LocalDate(range),
        }
    }

    /// Cuts out a number; whether it is one shows when it is decoded.
    fn number(&mut self) -> Res<ValueKind> {
        let start = self.pos;
        if let [b'0', second, _, ..] = self.rest()
            && !matches!(second, b'.' | b'e' | b'E')
        {
            let of_base: Option<fn(&u8) -> bool> = match second {
                b'x' => Some(|b| b.is_ascii_hexdigit() || *b == b'_'),
                b'o' => Some(|b| matches!(b, b'0'..=b'7' | b'_')),
                b'b' => Some(|b| matches!(b, b'0' | b'1' | b'_')),
                _ => None,
            };
            self.pos += match of_base {
                Some(digit) => 2 + self.rest()[2..].iter().take_while(|b| digit(b)).count(),
                None => 1,
            };
            return Ok(ValueKind::Integer(start..self.pos));
        }
        let mut float = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'0'..=b'9' | b'+' | b'-' | b'_' => {}
                b'.' | b'e' | b'E' => float = true,
                b'i' | b'n' => {
                    let word: &[u8] = if byte == b'i' { b"inf" } else { b"nan" };
                    if !self.rest().starts_with(word) {
                        let byte = char::from(byte);
                        let message = format!("unexpected character '{byte}' while scanning for a number");
                        return self.fault_here(message);
                    }
                    self.pos += 3;
                    return Ok(ValueKind::Float(start..self.pos));
                }
                _ => break,
            }
            self.pos += 1;
        }
        if self.pos == start {
            return self.fault_here("incomplete number");
        }
        let range = start..self.pos;
        Ok(if float { ValueKind::Float(range) } else { ValueKind::Integer(range) })
    }
}
