//! JSON as saves and links have it: texts, whole numbers, lists and tables. `serde_json` reads it too; this is a tenth of its
//! size on the page, which has nothing else to read.

use std::fmt::Write as _;

/// How deep lists and tables may lie in each other, so that a made-up link cannot exhaust the stack.
const DEEPEST: usize = 128;

/// A JSON value; numbers are whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number from 0 up.
    Number(u64),
    /// A number below 0.
    Below(i64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// Keys with their values, in the order in which they are written.
    Table(Vec<(String, Self)>),
}

impl Json {
    /// Reads a text that is one value.
    ///
    /// # Errors
    /// What is wrong, and at which character.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0).and_then(|value| match reader.peek() {
            None => Ok(value),
            Some(_) => Err("nothing more is expected"),
        });
        value.map_err(|why| format!("{why} at character {}", text[..reader.at].chars().count() + 1))
    }

    /// The value under a key; nothing where this is no table, or has no such key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Table(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Writes the value without blanks.
    pub fn write(&self) -> String {
        let mut out = String::new();
        self.write_to(&mut out);
        out
    }

    /// Adds it to a text.
    pub fn write_to(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(true) => out.push_str("true"),
            Self::Bool(false) => out.push_str("false"),
            Self::Number(number) => out.push_str(&number.to_string()),
            Self::Below(number) => out.push_str(&number.to_string()),
            Self::Text(text) => write_text(text, out),
            Self::List(items) => {
                let mut before = '[';
                for item in items {
                    out.push(before);
                    item.write_to(out);
                    before = ',';
                }
                out.push_str(if items.is_empty() { "[]" } else { "]" });
            }
            Self::Table(entries) => {
                let mut before = '{';
                for (key, value) in entries {
                    out.push(before);
                    write_text(key, out);
                    out.push(':');
                    value.write_to(out);
                    before = ',';
                }
                out.push_str(if entries.is_empty() { "{}" } else { "}" });
            }
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..' ' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

type Res<T> = Result<T, &'static str>;

struct Reader<'t> {
    text: &'t str,
    /// The next byte; always the first of a character.
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The next byte that is no blank.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t']).len();
        self.rest().bytes().next()
    }

    fn skip(&mut self, word: &str) -> bool {
        let there = self.rest().starts_with(word);
        if there {
            self.at += word.len();
        }
        there
    }

    fn value(&mut self, depth: usize) -> Res<Json> {
        match self.peek() {
            Some(b'"') => self.text().map(Json::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'[' | b'{') if depth == DEEPEST => Err("lists and tables are too deep"),
            Some(b'[') => {
                let mut items = Vec::new();
                self.entries(b']', |reader| {
                    items.push(reader.value(depth + 1)?);
                    Ok(())
                })?;
                Ok(Json::List(items))
            }
            Some(b'{') => {
                let mut entries = Vec::new();
                self.entries(b'}', |reader| {
                    let Some(b'"') = reader.peek() else { return Err("a key in quotes is expected") };
                    let key = reader.text()?;
                    let Some(b':') = reader.peek() else { return Err("`:` is expected") };
                    reader.at += 1;
                    entries.push((key, reader.value(depth + 1)?));
                    Ok(())
                })?;
                Ok(Json::Table(entries))
            }
            Some(b'n') if self.skip("null") => Ok(Json::Null),
            Some(b't') if self.skip("true") => Ok(Json::Bool(true)),
            Some(b'f') if self.skip("false") => Ok(Json::Bool(false)),
            _ => Err("a value is expected"),
        }
    }

    /// What stands between two brackets, with commas between.
    fn entries(&mut self, close: u8, mut entry: impl FnMut(&mut Self) -> Res<()>) -> Res<()> {
        self.at += 1;
        if self.peek() == Some(close) {
            self.at += 1;
            return Ok(());
        }
        loop {
            entry(self)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == close => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err("a comma or the end of the list is expected"),
            }
        }
    }

    fn number(&mut self) -> Res<Json> {
        let below = self.skip("-");
        let rest = self.rest();
        let digits = &rest[..rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len()];
        let follows = rest[digits.len()..].starts_with(['.', 'e', 'E']);
        if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') || follows {
            return Err("a whole number is expected");
        }
        let size = digits.parse::<u64>().map_err(|_| "the number is too large")?;
        self.at += digits.len();
        match below {
            false => Ok(Json::Number(size)),
            true => 0i64.checked_sub_unsigned(size).map(Json::Below).ok_or("the number is too small"),
        }
    }

    /// A text; the next byte is its first quote.
    fn text(&mut self) -> Res<String> {
        let mut out = String::new();
        self.at += 1;
        loop {
            let plain = self.rest().find(|c| matches!(c, '"' | '\\' | '\0'..' '));
            let plain = plain.ok_or("the text has no end")?;
            out.push_str(&self.rest()[..plain]);
            self.at += plain;
            if self.skip("\"") {
                return Ok(out);
            }
            if !self.skip("\\") {
                return Err("a control character in a text");
            }
            let escaped = self.rest().chars().next().ok_or("the text has no end")?;
            self.at += escaped.len_utf8();
            out.push(match escaped {
                '"' | '\\' | '/' => escaped,
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'u' => self.character()?,
                _ => return Err("no such escape"),
            });
        }
    }

    /// The character of `\uXXXX`, or of two of them where one is not enough.
    fn character(&mut self) -> Res<char> {
        let mut code = self.unit()?;
        if (0xd800..0xdc00).contains(&code) && self.skip("\\u") {
            let low = self.unit()?;
            if !(0xdc00..0xe000).contains(&low) {
                return Err("half a character");
            }
            code = 0x1_0000 + (code - 0xd800) * 0x400 + (low - 0xdc00);
        }
        char::from_u32(code).ok_or("half a character")
    }

    fn unit(&mut self) -> Res<u32> {
        let digits = self.rest().get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at += digits.map_or(0, str::len);
        code.ok_or("four hexadecimal digits are expected")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_written_as_it_was_read() {
        for text in [
            r#"{"a":[1,-2,{"b":null}],"c":"x\n\"\\\u0001ä","d":[true,false],"e":{},"f":[]}"#,
            "18446744073709551615",
            "-9223372036854775808",
            r#""""#,
        ] {
            assert_eq!(Json::read(text).unwrap().write(), text);
        }
        let read = Json::read(" { \"a\" : [ 1 , 2 ] ,\n\"b\\u00e4\\ud83d\\ude00\\/\" : 0 } ").unwrap();
        assert_eq!(read.write(), "{\"a\":[1,2],\"bä😀/\":0}");
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_place() {
        for (text, wanted) in [
            ("", "a value is expected at character 1"),
            ("ä", "a value is expected at character 1"),
            ("[1 2]", "a comma or the end of the list is expected at character 4"),
            ("[1,]", "a value is expected at character 4"),
            ("{a:1}", "a key in quotes is expected at character 2"),
            ("{\"ä\" 1}", "`:` is expected at character 6"),
            ("1.5", "a whole number is expected at character 1"),
            ("01", "a whole number is expected at character 1"),
            ("-", "a whole number is expected at character 2"),
            ("18446744073709551616", "the number is too large at character 1"),
            ("-9223372036854775809", "the number is too small at character 21"),
            ("\"a", "the text has no end at character 2"),
            ("\"\\ud800\"", "half a character at character 8"),
            ("\"\\u12\"", "four hexadecimal digits are expected at character 4"),
            ("\"a\nb\"", "a control character in a text at character 3"),
            ("1 x", "nothing more is expected at character 3"),
            ("nul", "a value is expected at character 1"),
        ] {
            assert_eq!(Json::read(text).unwrap_err(), wanted, "{text:?}");
        }
        let deep = "[".repeat(200_000);
        assert!(Json::read(&deep).unwrap_err().starts_with("lists and tables are too deep"));
    }
}
