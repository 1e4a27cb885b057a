//! Lexing of numbers, dates and times.

use super::lexer::{Fault, Lexer, State, Step, shown};
use super::token::Kind;

impl Lexer {
    /// `dd:` starts a time, `dddd-` a date; all else is a number.
    pub(super) fn lex_date_or_number(&mut self) -> Step {
        let digits = (0..5).take_while(|offset| self.source.get(self.index + offset).is_some_and(is_digit));
        let digits = digits.count();
        match (digits, self.source.get(self.index + digits)) {
            (2, Some(':')) => {
                self.index += 3;
                self.lex_minute_and_second()?;
                Ok(State::Value)
            }
            (4, Some('-')) => {
                self.index += 5;
                self.lex_date_and_time()
            }
            _ => self.lex_number(),
        }
    }

    /// Reads a date behind its year, and the time if one follows.
    ///
    /// Behind a date only a space, a `T` or the end of the file may stand: not even a newline.
    fn lex_date_and_time(&mut self) -> Step {
        self.take_digits("invalid month digit in date: ")?;
        self.take_char('-', "expected - to separate month of a date, not ")?;
        self.take_digits("invalid day digit in date: ")?;
        self.emit(Kind::LocalDate);
        match self.peek() {
            None => return Ok(State::Value),
            Some('T') => {}
            Some(' ') => {
                let digit = |offset| self.source.get(self.index + offset).is_some_and(is_digit);
                if !(digit(1) && digit(2)) {
                    return Ok(State::Value);
                }
            }
            Some(char) => {
                return self.fault(format!("incorrect date/time separation character: {char}"));
            }
        }
        self.skip(1);
        self.take_digits("invalid hour digit in time: ")?;
        self.take_char(':', "time hour/minute separator should be :, not ")?;
        self.lex_minute_and_second()?;
        Ok(State::TimeOffset)
    }

    fn lex_minute_and_second(&mut self) -> Result<(), Fault> {
        self.take_digits("invalid minute digit in time: ")?;
        self.take_char(':', "time minute/second separator should be :, not ")?;
        self.take_digits("invalid second digit in time: ")?;
        if self.peek() == Some('.') {
            self.index += 1;
            if self.take_while(is_digit) == 0 {
                let found = shown(self.peek());
                return self.fault(format!("expected at least one digit in time's fraction, not {found}"));
            }
        }
        self.emit(Kind::LocalTime);
        Ok(())
    }

    pub(super) fn lex_time_offset(&mut self) -> Step {
        match self.peek() {
            Some('Z') => {
                self.index += 1;
                self.emit(Kind::TimeOffset);
            }
            Some('+' | '-') => {
                self.index += 1;
                self.take_digits("invalid hour digit in time offset: ")?;
                self.take_char(':', "time offset hour/minute separator should be :, not ")?;
                self.take_digits("invalid minute digit in time offset: ")?;
                self.emit(Kind::TimeOffset);
            }
            _ => {}
        }
        Ok(State::Value)
    }

    /// Takes two digits.
    fn take_digits(&mut self, refusal: &str) -> Result<(), Fault> {
        for _ in 0..2 {
            match self.peek() {
                Some('0'..='9') => self.index += 1,
                other => return self.fault(format!("{refusal}{}", shown(other))),
            }
        }
        Ok(())
    }

    fn take_char(&mut self, wanted: char, refusal: &str) -> Result<(), Fault> {
        if self.peek() != Some(wanted) {
            return self.fault(format!("{refusal}{}", shown(self.peek())));
        }
        self.index += 1;
        Ok(())
    }

    pub(super) fn lex_number(&mut self) -> Step {
        match self.peek() {
            Some('0') => match self.source.get(self.index + 1) {
                Some('x') => return self.lex_digits_of_base(|char| char.is_ascii_hexdigit()),
                Some('o') => return self.lex_digits_of_base(|char| matches!(char, '0'..='7')),
                Some('b') => return self.lex_digits_of_base(|char| matches!(char, '0' | '1')),
                Some(char) if char.is_ascii_alphabetic() => {
                    return self.fault_at(
                        self.index + 1,
                        format!(
                            "unknown number base: {char}. possible options are x (hex) o (octal) b (binary)"
                        ),
                    );
                }
                _ => {}
            },
            Some('+' | '-') => {
                self.index += 1;
                if self.follows("inf") {
                    return Ok(self.lex_word("inf", Kind::Inf));
                }
                if self.follows("nan") {
                    return Ok(self.lex_word("nan", Kind::Nan));
                }
            }
            _ => {}
        }
        self.lex_decimal()
    }

    /// The digits after `0x`, `0o` or `0b`; an underscore counts as a digit here.
    fn lex_digits_of_base(&mut self, digit: impl Fn(char) -> bool) -> Step {
        self.index += 2;
        if self.take_while(|char| char == '_' || digit(char)) == 0 {
            return self.fault("number needs at least one digit");
        }
        self.emit(Kind::Integer);
        Ok(State::Value)
    }

    /// Takes whatever may stand in a decimal number; whether it is one is found out when it is read.
    fn lex_decimal(&mut self) -> Step {
        let (mut point, mut exponent, mut digit) = (false, false, false);
        loop {
            match self.peek() {
                Some('.') if point => return self.fault("cannot have two dots in one float"),
                Some('.') => {
                    self.index += 1;
                    if !self.peek().is_some_and(is_digit) {
                        return self.fault("float cannot end with a dot");
                    }
                    point = true;
                }
                Some('e' | 'E') => {
                    exponent = true;
                    self.index += 1;
                    if matches!(self.peek(), Some('+' | '-')) {
                        self.index += 1;
                    }
                }
                Some('0'..='9') => {
                    digit = true;
                    self.index += 1;
                }
                Some('_') => self.index += 1,
                _ => break,
            }
            if point && !digit {
                return self.fault("cannot start float with a dot");
            }
        }
        if !digit {
            return self.fault("no digit in that number");
        }
        self.emit(if point || exponent { Kind::Float } else { Kind::Integer });
        Ok(State::Value)
    }
}

fn is_digit(char: char) -> bool {
    char.is_ascii_digit()
}
