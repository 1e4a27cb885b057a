//! Cuts a text into tokens, one at a time.
//!
//! The lexer does not know the grammar. It only remembers whether it stands where a key or where a value may start,
//! and which brackets are open. Much of what the library accepts or refuses by surprise comes from that.

use super::source::Source;
use super::token::{Kind, Token};
use std::collections::VecDeque;

/// What to read next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// A place where a key or a header may start.
    Void,
    /// A place where a value may start.
    Value,
    /// Behind `[` at the start of a header.
    TableKey,
    /// Behind `[[` at the start of a header.
    TableArrayKey,
    /// Behind date and time: an offset may follow.
    TimeOffset,
    /// Nothing more to read.
    Done,
}

/// Why lexing stops, and the index of the character that is to blame.
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) at: usize,
}

/// The next state, or the end of lexing.
pub(super) type Step = Result<State, Fault>;

/// The reader of a text.
pub(super) struct Lexer {
    pub(super) source: Source,
    /// Index of the next character.
    pub(super) index: usize,
    /// Where the current token starts; messages and tokens carry this position.
    pub(super) start: usize,
    /// The open brackets: `[` or `{`.
    brackets: Vec<char>,
    state: State,
    ready: VecDeque<Token>,
}

impl Lexer {
    pub(super) fn new(source: Source) -> Self {
        let ready = VecDeque::new();
        Self { source, index: 0, start: 0, brackets: Vec::new(), state: State::Void, ready }
    }

    /// The next token. After an error or the end it is the end for ever.
    pub(super) fn next_token(&mut self) -> Token {
        loop {
            if let Some(token) = self.ready.pop_front() {
                return token;
            }
            let step = match self.state {
                State::Void => self.lex_void(),
                State::Value => self.lex_value(),
                State::TableKey => self.lex_table_key(),
                State::TableArrayKey => self.lex_table_array_key(),
                State::TimeOffset => self.lex_time_offset(),
                State::Done => Ok(self.end()),
            };
            self.state = step.unwrap_or_else(|fault| {
                self.push(Kind::Error, fault.message, fault.at);
                State::Done
            });
        }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.source.get(self.index)
    }

    pub(super) fn follows(&self, text: &str) -> bool {
        self.source.has(self.index, text)
    }

    /// Takes a character; `None` at the end.
    pub(super) fn take(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.index += 1;
        Some(char)
    }

    /// Takes characters and leaves them out of every token.
    pub(super) fn skip(&mut self, count: usize) {
        self.index += count;
        self.start = self.index;
    }

    /// Takes the characters of one kind.
    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> usize {
        let from = self.index;
        while self.peek().is_some_and(&wanted) {
            self.index += 1;
        }
        self.index - from
    }

    /// A fault at the next character.
    pub(super) fn fault<T>(&self, message: impl Into<String>) -> Result<T, Fault> {
        self.fault_at(self.index, message)
    }

    /// A fault at some character.
    pub(super) fn fault_at<T>(&self, at: usize, message: impl Into<String>) -> Result<T, Fault> {
        Err(Fault { message: message.into(), at })
    }

    fn push(&mut self, kind: Kind, text: String, true_at: usize) {
        self.ready.push_back(Token { kind, text, at: self.start, true_at, shifts: Vec::new() });
        self.start = self.index;
    }

    /// Gives out what was read since the last token.
    pub(super) fn emit(&mut self, kind: Kind) {
        let text = self.source.slice(self.start, self.index);
        self.push(kind, text, self.start);
    }

    fn end(&mut self) -> State {
        self.emit(Kind::End);
        State::Done
    }

    fn lex_void(&mut self) -> Step {
        loop {
            match self.peek() {
                None => return Ok(self.end()),
                Some('}') => return self.lex_right_curly(),
                Some('[') => return Ok(self.lex_header()),
                Some('#') => self.skip_comment(),
                Some('=') => return Ok(self.lex_mark(Kind::Equal)),
                Some('\r' | '\n' | ' ' | '\t') => self.skip(1),
                Some(_) => return self.lex_key(),
            }
        }
    }

    fn lex_value(&mut self) -> Step {
        loop {
            let Some(char) = self.peek() else { return Ok(self.end()) };
            match char {
                '.' => return self.fault("cannot start float with a dot"),
                '=' => return Ok(self.lex_mark(Kind::Equal)),
                '[' => {
                    self.brackets.push('[');
                    return Ok(self.lex_mark(Kind::LeftBracket));
                }
                ']' => return self.lex_right_bracket(),
                '{' => {
                    self.brackets.push('{');
                    self.lex_mark(Kind::LeftCurly);
                    return Ok(State::Void);
                }
                '}' => return self.lex_right_curly(),
                '#' => self.skip_comment(),
                '"' => return self.lex_string(),
                '\'' => return self.lex_literal_string(),
                ',' => {
                    self.lex_mark(Kind::Comma);
                    return Ok(if self.inside('{') { State::Void } else { State::Value });
                }
                '\r' | '\n' => {
                    self.skip(1);
                    if !self.inside('[') {
                        return Ok(State::Void);
                    }
                }
                ' ' | '\t' => self.skip(1),
                '+' | '-' => return self.lex_number(),
                '0'..='9' => return self.lex_date_or_number(),
                _ => match WORDS.iter().find(|(word, _)| self.follows(word)) {
                    Some((word, kind)) => return Ok(self.lex_word(word, *kind)),
                    None => return self.fault(format!("no value can start with {char}")),
                },
            }
        }
    }

    fn inside(&self, bracket: char) -> bool {
        self.brackets.last() == Some(&bracket)
    }

    fn lex_mark(&mut self, kind: Kind) -> State {
        self.index += 1;
        self.emit(kind);
        State::Value
    }

    pub(super) fn lex_word(&mut self, word: &str, kind: Kind) -> State {
        self.index += word.len();
        self.emit(kind);
        State::Value
    }

    fn lex_right_bracket(&mut self) -> Step {
        self.lex_mark(Kind::RightBracket);
        if !self.inside('[') {
            return self.fault_at(self.index - 1, "cannot have ']' here");
        }
        self.brackets.pop();
        Ok(State::Value)
    }

    fn lex_right_curly(&mut self) -> Step {
        self.lex_mark(Kind::RightCurly);
        if !self.inside('{') {
            return self.fault_at(self.index - 1, "cannot have '}' here");
        }
        self.brackets.pop();
        Ok(State::Value)
    }

    /// A lone carriage return does not end a comment.
    fn skip_comment(&mut self) {
        while self.peek().is_some_and(|char| char != '\n') && !self.follows("\r\n") {
            self.index += 1;
        }
        self.start = self.index;
    }

    fn lex_header(&mut self) -> State {
        self.index += 1;
        if self.peek() == Some('[') {
            self.index += 1;
            self.emit(Kind::DoubleLeftBracket);
            return State::TableArrayKey;
        }
        self.emit(Kind::LeftBracket);
        State::TableKey
    }

    /// The header's text runs up to the first `]`, even one within quotes or on a later line.
    fn lex_table_key(&mut self) -> Step {
        let opened = self.start;
        loop {
            match self.peek() {
                None => return self.fault_at(opened.saturating_sub(1), "unclosed table key"),
                Some('[') => return self.fault("table key cannot contain ']'"),
                Some(']') => {
                    if self.index > self.start {
                        self.emit(Kind::TableKey);
                    }
                    self.lex_mark(Kind::RightBracket);
                    return Ok(State::Void);
                }
                Some(_) => self.index += 1,
            }
        }
    }

    /// After a lone `]` the text goes on, and a second key with that bracket in it is given out.
    fn lex_table_array_key(&mut self) -> Step {
        let opened = self.start;
        loop {
            match self.peek() {
                None => return self.fault_at(opened.saturating_sub(2), "unclosed table array key"),
                Some('[') => return self.fault("table array key cannot contain ']'"),
                Some(']') => {
                    if self.index > self.start {
                        self.emit(Kind::TableArrayKey);
                    }
                    self.index += 1;
                    if self.peek() == Some(']') {
                        self.lex_mark(Kind::DoubleRightBracket);
                        return Ok(State::Void);
                    }
                }
                Some(_) => self.index += 1,
            }
        }
    }

    /// Gives out a key with a text of its own.
    pub(super) fn emit_key(&mut self, text: String, shifts: Vec<(usize, usize)>) {
        self.push(Kind::Key, text, self.start);
        if let Some(key) = self.ready.back_mut() {
            key.shifts = shifts;
        }
    }

    /// Gives out a string, which the library places behind its opening quote.
    pub(super) fn emit_string(&mut self, text: String, true_at: usize, quotes: usize) {
        self.push(Kind::String, text, true_at);
        self.skip(quotes);
    }
}

const WORDS: [(&str, Kind); 4] =
    [("true", Kind::True), ("false", Kind::False), ("inf", Kind::Inf), ("nan", Kind::Nan)];

/// A character in a message; the end of the text shows as U+FFFD.
pub(super) fn shown(char: Option<char>) -> char {
    char.unwrap_or(char::REPLACEMENT_CHARACTER)
}
