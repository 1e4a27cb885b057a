//! Lexing of keys and strings.

use super::keys::is_bare;
use super::lexer::{Fault, Lexer, State, Step, shown};

impl Lexer {
    /// Reads a key up to `=`, or up to white space without a dot behind it.
    ///
    /// Quoted parts keep their quotes, but their escapes are resolved: `"a\"b"` becomes `"a"b"`.
    pub(super) fn lex_key(&mut self) -> Step {
        let mut key = String::new();
        let mut length = 0;
        let mut shifts = vec![(0, self.index)];
        while let Some(char) = self.peek() {
            match char {
                '=' => break,
                '"' | '\'' => {
                    self.index += 1;
                    let part = if char == '"' {
                        self.basic_string("\"", false, true, self.index - 1)?
                    } else {
                        self.literal_string("'", false, self.index - 1)?
                    };
                    self.index += 1;
                    key.push(char);
                    key.push_str(&part);
                    key.push(char);
                    length += part.chars().count() + 2;
                    shifts.push((length, self.index));
                }
                '\n' => return self.fault("keys cannot contain new lines"),
                ' ' | '\t' => {
                    let from = self.index;
                    self.take_while(is_space);
                    if self.peek() != Some('.') {
                        break;
                    }
                    self.index += 1;
                    self.take_while(is_space);
                    // The first space, be it a tab, is kept as a plain one.
                    key.push(' ');
                    key.push_str(&self.source.slice(from + 1, self.index));
                    length += self.index - from;
                }
                char if char == '.' || is_bare(char) => {
                    self.index += 1;
                    key.push(char);
                    length += 1;
                }
                char => return self.fault(format!("keys cannot contain {char} character")),
            }
        }
        self.emit_key(key, shifts);
        Ok(State::Void)
    }

    pub(super) fn lex_literal_string(&mut self) -> Step {
        let opened = self.index;
        self.skip(1);
        let multi_line = self.follows("''");
        if multi_line {
            self.skip(2);
        }
        let quotes = if multi_line { "'''" } else { "'" };
        let text = self.literal_string(quotes, multi_line, opened)?;
        self.emit_string(text, opened, quotes.len());
        Ok(State::Value)
    }

    pub(super) fn lex_string(&mut self) -> Step {
        let opened = self.index;
        self.skip(1);
        let multi_line = self.follows("\"\"");
        if multi_line {
            self.skip(2);
        }
        let quotes = if multi_line { "\"\"\"" } else { "\"" };
        let text = self.basic_string(quotes, multi_line, multi_line, opened)?;
        self.emit_string(text, opened, quotes.len());
        Ok(State::Value)
    }

    /// Leaves a newline right behind the opening quotes out of the token.
    fn skip_first_newline(&mut self) {
        if self.follows("\r\n") {
            self.skip(2);
        } else if self.peek() == Some('\n') {
            self.skip(1);
        }
    }

    /// Any character may stand in a literal string, even a newline between single quotes.
    fn literal_string(&mut self, quotes: &str, multi_line: bool, opened: usize) -> Result<String, Fault> {
        if multi_line {
            self.skip_first_newline();
        }
        let from = self.index;
        while !self.follows(quotes) {
            if self.take().is_none() {
                return self.fault_at(opened, "unclosed string");
            }
        }
        Ok(self.source.slice(from, self.index))
    }

    fn basic_string(
        &mut self,
        quotes: &str,
        drop_newline: bool,
        newlines: bool,
        opened: usize,
    ) -> Result<String, Fault> {
        if drop_newline {
            self.skip_first_newline();
        }
        let mut text = String::new();
        while !self.follows(quotes) {
            match self.peek() {
                None => return self.fault_at(opened, "unclosed string"),
                Some('\\') => {
                    self.index += 1;
                    self.escape(&mut text)?;
                }
                Some('\n' | '\r') if newlines => text.extend(self.take()),
                Some(char) if char < ' ' && char != '\t' => {
                    return self.fault(format!("unescaped control character U+{:04X}", u32::from(char)));
                }
                Some(char) => {
                    self.index += 1;
                    text.push(char);
                }
            }
        }
        Ok(text)
    }

    /// Reads what follows a backslash.
    fn escape(&mut self, text: &mut String) -> Result<(), Fault> {
        let char = match self.peek() {
            Some('\r' | '\n' | '\t' | ' ') => {
                self.take_while(|char| matches!(char, '\r' | '\n' | '\t' | ' '));
                return Ok(());
            }
            Some('u') => return self.unicode_escape(text, 4),
            Some('U') => return self.unicode_escape(text, 8),
            Some(char @ ('"' | '/' | '\\')) => char,
            Some('n') => '\n',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('t') => '\t',
            Some('r') => '\r',
            // The library takes its own message for a format, and a lone percent sign is none.
            Some('%') => return self.fault("invalid escape sequence: \\%!(NOVERB)"),
            other => return self.fault(format!("invalid escape sequence: \\{}", shown(other))),
        };
        self.index += 1;
        text.push(char);
        Ok(())
    }

    /// Numbers that are no character become U+FFFD.
    fn unicode_escape(&mut self, text: &mut String, digits: usize) -> Result<(), Fault> {
        self.index += 1;
        let mut code: u32 = 0;
        for _ in 0..digits {
            let Some(digit) = self.peek().and_then(|char| char.to_digit(16)) else {
                return self.fault("unfinished unicode escape");
            };
            self.index += 1;
            code = code << 4 | digit;
        }
        text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        Ok(())
    }
}

pub(super) fn is_space(char: char) -> bool {
    char == ' ' || char == '\t'
}
