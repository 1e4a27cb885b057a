//! The words of a program. Source: POSIX awk, "Lexical Conventions"; what a string or a number may hold is mawk 1.3.4's.

use super::code::Func;
use super::ere::escape;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Text(Vec<u8>),
    Name(String),
    /// A name right before a parenthesis.
    Call(String),
    Func(Func),
    /// A word of the language or a sign.
    Sign(&'static str),
    Newline,
    End,
}

/// Words of the language, `length` apart: it may stand alone.
const WORDS: [&str; 19] = [
    "BEGIN", "END", "break", "continue", "delete", "do", "else", "exit", "for", "function", "getline", "if",
    "in", "next", "nextfile", "print", "printf", "return", "while",
];

const FUNCS: [(&str, Func); 25] = [
    ("atan2", Func::Atan2),
    ("close", Func::Close),
    ("cos", Func::Cos),
    ("exp", Func::Exp),
    ("fflush", Func::Fflush),
    ("gsub", Func::Gsub),
    ("index", Func::Index),
    ("int", Func::Int),
    ("length", Func::Length),
    ("log", Func::Log),
    ("match", Func::Match),
    ("mktime", Func::Mktime),
    ("rand", Func::Rand),
    ("sin", Func::Sin),
    ("split", Func::Split),
    ("sprintf", Func::Sprintf),
    ("sqrt", Func::Sqrt),
    ("srand", Func::Srand),
    ("strftime", Func::Strftime),
    ("sub", Func::Sub),
    ("substr", Func::Substr),
    ("system", Func::System),
    ("systime", Func::Systime),
    ("tolower", Func::Tolower),
    ("toupper", Func::Toupper),
];

/// The longest first.
const SIGNS: [&str; 39] = [
    "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "==", "!=", "<=", ">=", ">>", "!~", "{", "}",
    "(", ")", "[", "]", ";", ",", "+", "-", "*", "/", "%", "^", "!", "<", ">", "|", "?", ":", "~", "$", "=",
];

/// The name of a function.
pub(super) fn name_of(func: Func) -> &'static str {
    FUNCS.iter().find(|(_, known)| *known == func).map_or("", |(name, _)| name)
}

#[derive(Clone)]
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    pub line: u32,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, line: 1 }
    }

    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// What stands there, for a message.
    pub(super) fn token_text(&self, from: usize) -> String {
        let text = String::from_utf8_lossy(self.text.get(from..self.at).unwrap_or_default());
        text.trim_matches('"').into()
    }

    /// Passes over blanks and comments and gives where the next word begins.
    pub(super) fn skip(&mut self) -> usize {
        loop {
            match self.rest() {
                [b' ' | b'\t' | b'\r' | 0x0b | 0x0c, ..] => self.at += 1,
                [b'\\', b'\n', ..] => (self.at, self.line) = (self.at + 2, self.line + 1),
                [b'\\', b'\r', b'\n', ..] => (self.at, self.line) = (self.at + 3, self.line + 1),
                [b'#', ..] => self.at += self.rest().iter().take_while(|byte| **byte != b'\n').count(),
                _ => return self.at,
            }
        }
    }

    /// # Errors
    /// Gives what mawk says of it.
    pub(super) fn next(&mut self) -> Result<Token, String> {
        self.skip();
        let rest = self.rest();
        let Some(&first) = rest.first() else { return Ok(Token::End) };
        match first {
            b'\n' => {
                (self.at, self.line) = (self.at + 1, self.line + 1);
                Ok(Token::Newline)
            }
            b'"' => self.string(),
            b'0'..=b'9' => Ok(self.number()),
            b'.' if rest.get(1).is_some_and(u8::is_ascii_digit) => Ok(self.number()),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                let length =
                    rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                let word = self.rest().get(..length).unwrap_or_default();
                self.at += length;
                let word = String::from_utf8_lossy(word);
                if let Some(known) = WORDS.iter().find(|known| **known == word) {
                    return Ok(Token::Sign(known));
                }
                if let Some((_, func)) = FUNCS.iter().find(|(known, _)| *known == word) {
                    return Ok(Token::Func(*func));
                }
                let word = word.into_owned();
                Ok(if self.rest().first() == Some(&b'(') { Token::Call(word) } else { Token::Name(word) })
            }
            _ => match SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes())) {
                Some(sign) => {
                    self.at += sign.len();
                    Ok(Token::Sign(sign))
                }
                None => {
                    self.at += 1;
                    let shown = if first.is_ascii_graphic() {
                        format!("'{}'", first as char)
                    } else {
                        format!("0x{first:02x}")
                    };
                    Err(format!("unexpected character {shown}"))
                }
            },
        }
    }

    fn number(&mut self) -> Token {
        // In a program there are no hexadecimal ones.
        let rest = self.rest();
        let rest = if matches!(rest, [b'0', b'x' | b'X', ..]) { &rest[..1] } else { rest };
        let (number, length) = super::value::number_at(rest);
        self.at += length.max(1);
        Token::Number(number)
    }

    fn string(&mut self) -> Result<Token, String> {
        let start = self.at;
        self.at += 1;
        let mut text = Vec::new();
        loop {
            match self.rest() {
                [] | [b'\n', ..] => {
                    let shown = self.text.get(start..self.at.min(start + 11)).unwrap_or_default();
                    return Err(format!("runaway string constant {} ...", String::from_utf8_lossy(shown)));
                }
                [b'"', ..] => {
                    self.at += 1;
                    return Ok(Token::Text(text));
                }
                [b'\\', b'\n', ..] => (self.at, self.line) = (self.at + 2, self.line + 1),
                // The backslash stays before what it means nothing to.
                [b'\\', more @ ..] => match escape(self.text, self.at + 1) {
                    Some((byte, end)) => {
                        text.push(byte);
                        self.at = end;
                    }
                    None => {
                        text.push(b'\\');
                        let plain = more.first().filter(|byte| !b"\n\"\\".contains(byte));
                        text.extend(plain);
                        self.at += 1 + usize::from(plain.is_some());
                    }
                },
                [byte, ..] => {
                    text.push(*byte);
                    self.at += 1;
                }
            }
        }
    }

    /// The regular expression that begins with the slash at a place.
    pub(super) fn regex(&mut self, slash: usize) -> Result<Vec<u8>, String> {
        self.at = slash + 1;
        let mut pattern = Vec::new();
        let mut class: Option<usize> = None;
        loop {
            match self.rest() {
                [] | [b'\n', ..] => {
                    let shown = self.text.get(slash..self.at.min(slash + 11)).unwrap_or_default();
                    return Err(format!("runaway regular expression {} ...", String::from_utf8_lossy(shown)));
                }
                [b'/', ..] if class.is_none() => {
                    self.at += 1;
                    return Ok(pattern);
                }
                [b'\\', b'/', ..] => {
                    pattern.push(b'/');
                    self.at += 2;
                }
                [b'\\', byte, ..] if *byte != b'\n' => {
                    pattern.extend([b'\\', *byte]);
                    self.at += 2;
                }
                [byte, ..] => {
                    match (byte, class) {
                        (b'[', None) => {
                            let negated = usize::from(self.rest().get(1) == Some(&b'^'));
                            class = Some(pattern.len() + 1 + negated);
                        }
                        (b'[', Some(_)) if self.rest().get(1) == Some(&b':') => {
                            // The bracket that ends a named class ends no other.
                            let name = self.rest().get(2..).unwrap_or_default();
                            let length = name.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
                            if name.get(length..length + 2) == Some(b":]") {
                                pattern.extend_from_slice(self.rest().get(..length + 4).unwrap_or_default());
                                self.at += length + 4;
                                continue;
                            }
                        }
                        (b']', Some(first)) if pattern.len() > first => class = None,
                        _ => {}
                    }
                    pattern.push(*byte);
                    self.at += 1;
                }
            }
        }
    }
}

/// A text with the escapes of a string: the value of an assignment among the words, or of `-v` and `-F`.
pub(super) fn unescaped(text: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(&byte) = text.get(at) {
        at += 1;
        match escape(text, at).filter(|_| byte == b'\\') {
            Some((byte, end)) => {
                out.push(byte);
                at = end;
            }
            None => out.push(byte),
        }
    }
    out
}
