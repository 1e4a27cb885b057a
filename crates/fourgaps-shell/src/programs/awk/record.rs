//! The record and its fields, which are split when somebody asks. Source: POSIX awk, "Fields" and FS; mawk 1.3.4 as recorded
//! in the snippets.

use super::ere::Ere;
use super::value::{Str, Value, is_blank};
use std::sync::Arc;

/// Fields that a record may have here.
pub(super) const MOST_FIELDS: usize = 1_000_000;

/// What fields, or the pieces of `split`, are parted by.
pub(super) enum Separator {
    Blanks,
    /// Every byte is a piece.
    None,
    Byte(u8),
    Ere(Box<Ere>),
}

impl Separator {
    /// What a text means as FS; a single byte means itself.
    ///
    /// # Errors
    /// Gives what is wrong with a regular expression.
    pub(super) fn new(text: &[u8]) -> Result<Self, String> {
        Ok(match text {
            b" " => Self::Blanks,
            [] => Self::None,
            [byte] => Self::Byte(*byte),
            pattern => Self::Ere(Box::new(Ere::new(pattern)?)),
        })
    }

    /// Where the pieces of a text are.
    pub(super) fn parts(&mut self, text: &[u8]) -> Vec<(u32, u32)> {
        let mut parts = Vec::new();
        match self {
            Self::Blanks => {
                let mut at = 0;
                loop {
                    at += text.iter().skip(at).take_while(|byte| is_blank(**byte)).count();
                    let length = text.iter().skip(at).take_while(|byte| !is_blank(**byte)).count();
                    if length == 0 {
                        return parts;
                    }
                    parts.push((at as u32, (at + length) as u32));
                    at += length;
                }
            }
            Self::None => parts.extend((0..text.len() as u32).map(|at| (at, at + 1))),
            _ if text.is_empty() => {}
            Self::Byte(byte) => {
                let mut start = 0;
                for (at, _) in text.iter().enumerate().filter(|(_, found)| *found == byte) {
                    parts.push((start, at as u32));
                    start = at as u32 + 1;
                }
                parts.push((start, text.len() as u32));
            }
            Self::Ere(ere) => parted(ere, text, &mut parts),
        }
        parts
    }
}

/// Parts a text by a regular expression; a match of nothing parts nothing.
pub(super) fn parted(ere: &mut Ere, text: &[u8], parts: &mut Vec<(u32, u32)>) {
    let (mut start, mut from) = (0, 0);
    if text.is_empty() {
        return;
    }
    while let Some((begin, end)) = ere.find(text, from) {
        if end > begin {
            parts.push((start, begin as u32));
            start = end as u32;
        }
        from = end.max(begin + 1);
        if from > text.len() {
            break;
        }
    }
    parts.push((start, text.len() as u32));
}

enum Field {
    /// A part of the record that nobody has asked for.
    Part(u32, u32),
    Value(Value),
}

/// `$0` and the others.
pub(super) struct Record {
    whole: Value,
    text: Str,
    fields: Vec<Field>,
    is_split: bool,
    /// A field was changed since `$0` was made of them.
    is_stale: bool,
    pub by: Separator,
}

impl Default for Record {
    fn default() -> Self {
        let text: Str = Arc::from(&[][..]);
        let whole = Value::Maybe(text.clone());
        Self { whole, text, fields: Vec::new(), is_split: true, is_stale: false, by: Separator::Blanks }
    }
}

impl Record {
    pub(super) fn set(&mut self, whole: Value, ofmt: &[u8]) {
        self.text = whole.text(ofmt);
        self.whole = whole;
        self.is_split = false;
        self.is_stale = false;
    }

    /// Splits the record where that was not done.
    pub(super) fn split(&mut self) {
        if self.is_split {
            return;
        }
        self.is_split = true;
        self.fields.clear();
        self.fields.extend(self.by.parts(&self.text).into_iter().map(|(from, to)| Field::Part(from, to)));
    }

    pub(super) fn count(&mut self) -> usize {
        self.split();
        self.fields.len()
    }

    /// `$0`, made of the fields where one was changed.
    pub(super) fn whole(&mut self, ofs: &[u8], ofmt: &[u8]) -> Value {
        if self.is_stale {
            self.is_stale = false;
            let mut text = Vec::with_capacity(self.text.len());
            for (at, field) in self.fields.iter().enumerate() {
                if at > 0 {
                    text.extend_from_slice(ofs);
                }
                match field {
                    Field::Part(from, to) => {
                        text.extend_from_slice(
                            self.text.get(*from as usize..*to as usize).unwrap_or_default(),
                        );
                    }
                    Field::Value(value) => value.push_to(&mut text, ofmt),
                }
            }
            // The parts are parts of the text before.
            for at in 1..=self.fields.len() {
                self.field(at);
            }
            self.text = text.into();
            // One field alone is the record as it is.
            self.whole = if self.fields.len() == 1 { self.field(1) } else { Value::Str(self.text.clone()) };
        }
        self.whole.clone()
    }

    /// A field from 1 on.
    pub(super) fn field(&mut self, at: usize) -> Value {
        self.split();
        let Some(field) = at.checked_sub(1).and_then(|at| self.fields.get_mut(at)) else {
            return Value::Maybe(Arc::from(&[][..]));
        };
        match field {
            Field::Value(value) => value.clone(),
            Field::Part(from, to) => {
                let value = Value::maybe(self.text.get(*from as usize..*to as usize).unwrap_or_default());
                *field = Field::Value(value.clone());
                value
            }
        }
    }

    /// Sets a field from 1 on; the ones that are missing before it are empty.
    pub(super) fn set_field(&mut self, at: usize, value: Value) {
        self.split();
        if at > self.fields.len() {
            self.resize(at);
        }
        if let Some(field) = at.checked_sub(1).and_then(|at| self.fields.get_mut(at)) {
            *field = Field::Value(value);
        }
        self.is_stale = true;
    }

    /// Sets NF.
    pub(super) fn resize(&mut self, count: usize) {
        self.split();
        self.fields.resize_with(count.min(MOST_FIELDS), || Field::Part(0, 0));
        self.is_stale = true;
    }
}
