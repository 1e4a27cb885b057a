//! The words that the lexer cuts a text into.

use super::super::go_text::quote;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Error,
    End,
    Key,
    String,
    Integer,
    True,
    False,
    Float,
    Inf,
    Nan,
    Equal,
    LeftBracket,
    RightBracket,
    LeftCurly,
    RightCurly,
    DoubleLeftBracket,
    DoubleRightBracket,
    LocalDate,
    LocalTime,
    TimeOffset,
    TableKey,
    TableArrayKey,
    Comma,
}

impl Kind {
    /// The name in messages. The two double brackets have each other's name, as in the library.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Error => "Error",
            Self::End => "EOF",
            Self::Key => "Key",
            Self::String => "String",
            Self::Integer => "Integer",
            Self::True => "True",
            Self::False => "False",
            Self::Float => "Float",
            Self::Inf => "Inf",
            Self::Nan => "NaN",
            Self::Equal => "=",
            Self::LeftBracket => "[",
            Self::RightBracket => "]",
            Self::LeftCurly => "{",
            Self::RightCurly => "}",
            Self::DoubleLeftBracket => "]]",
            Self::DoubleRightBracket => "[[",
            Self::LocalDate => "LocalDate",
            Self::LocalTime => "LocalTime",
            Self::TimeOffset => "TimeOffset",
            Self::TableKey => "KeyGroup",
            Self::TableArrayKey => "KeyGroupArray",
            Self::Comma => ",",
        }
    }
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// What it is.
    pub(super) kind: Kind,
    /// Its text; for an error the message.
    pub(super) text: String,
    /// Index of the character whose position the library gives to this token.
    pub(super) at: usize,
    /// Index of the character where it truly starts; for an error where the fault is.
    pub(super) true_at: usize,
    /// Pairs of an offset in `text` and the index in the source that it comes from, where the two part.
    pub(super) shifts: Vec<(usize, usize)>,
}

impl Token {
    /// The token as messages show it.
    pub(super) fn shown(&self) -> String {
        match self.kind {
            Kind::End => String::from("EOF"),
            Kind::Error => self.text.clone(),
            _ => quote(&self.text),
        }
    }

    /// Index in the source of the character with this offset in `text`.
    pub(super) fn source_at(&self, offset: usize) -> usize {
        let next = self.shifts.partition_point(|(from, _)| *from <= offset);
        match next.checked_sub(1).and_then(|last| self.shifts.get(last)) {
            Some((from, at)) => at + (offset - from),
            None => self.true_at + offset,
        }
    }
}
