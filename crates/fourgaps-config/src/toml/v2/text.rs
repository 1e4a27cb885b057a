//! Characters, strings and comments of a document: where they end and what they mean.

use super::fault::{Fault, Res, unicode};

/// A string as it was read: its meaning, and where its bytes stand if they stand in the document as they are.
pub(super) struct Text {
    pub text: String,
    /// The offset of the first byte behind the quotes; `None` where an escape made other bytes of it.
    pub data: Option<usize>,
    /// The offset behind the closing quotes.
    pub end: usize,
}

/// True for control characters that may stand nowhere.
pub(super) fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0b | 0x0c | 0x0e..=0x1f | 0x7f)
}

/// The length of the character at the start of the bytes; 0 for a broken or forbidden one.
fn char_len(bytes: &[u8]) -> usize {
    let tail = |n: usize, low: u8, high: u8| {
        let second = bytes.get(1).is_some_and(|b| (low..=high).contains(b));
        let rest = (2..n).all(|i| bytes.get(i).is_some_and(|b| (0x80..=0xbf).contains(b)));
        if second && rest { n } else { 0 }
    };
    match bytes[0] {
        b if b < 0x80 => usize::from(!is_control(b)),
        0xc2..=0xdf => tail(2, 0x80, 0xbf),
        0xe0 => tail(3, 0xa0, 0xbf),
        0xed => tail(3, 0x80, 0x9f),
        0xe1..=0xef => tail(3, 0x80, 0xbf),
        0xf0 => tail(4, 0x90, 0xbf),
        0xf1..=0xf3 => tail(4, 0x80, 0xbf),
        0xf4 => tail(4, 0x80, 0x8f),
        _ => 0,
    }
}

fn own(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Where a comment ends: before its line feed, at `\r\n` behind the `\r`.
pub(super) fn comment_end(doc: &[u8], start: usize) -> Res<usize> {
    let mut i = start + 1;
    while i < doc.len() {
        match doc[i] {
            b'\n' => return Ok(i),
            b'\r' if doc.get(i + 1) == Some(&b'\n') => return Ok(i + 1),
            b'\r' => return Err(Fault::at(i, "invalid character in comment")),
            _ => match char_len(&doc[i..]) {
                0 => return Err(Fault::at(i, "invalid character in comment")),
                n => i += n,
            },
        }
    }
    Ok(i)
}

/// A string in any of the four kinds of quotes; the byte at `start` is a quote.
pub(super) fn any_string(doc: &[u8], start: usize) -> Res<Text> {
    if doc[start..].starts_with(b"\"\"\"") {
        multiline_basic(doc, start)
    } else if doc[start..].starts_with(b"'''") {
        multiline_literal(doc, start)
    } else {
        line_string(doc, start)
    }
}

/// A string that ends on its line, as keys must.
pub(super) fn line_string(doc: &[u8], start: usize) -> Res<Text> {
    if doc[start] == b'"' { basic(doc, start) } else { literal(doc, start) }
}

fn literal(doc: &[u8], start: usize) -> Res<Text> {
    let mut i = start + 1;
    while i < doc.len() {
        match doc[i] {
            b'\'' => {
                return Ok(Text { text: own(&doc[start + 1..i]), data: Some(start + 1), end: i + 1 });
            }
            b'\n' | b'\r' => return Err(Fault::at(i, "literal strings cannot have new lines")),
            _ => match char_len(&doc[i..]) {
                0 => return Err(Fault::at(i, "invalid character")),
                n => i += n,
            },
        }
    }
    Err(Fault::over(i, i, "unterminated literal string"))
}

/// The offset behind three quotes at `i` and up to two more that still belong to the string.
fn triple_end(doc: &[u8], i: usize, quote: u8, what: &str) -> Res<usize> {
    let end = (i + 3..i + 5).find(|e| doc.get(*e) != Some(&quote)).unwrap_or(i + 5);
    if end == i + 5 && doc.get(end) == Some(&quote) {
        let three = char::from(quote).to_string().repeat(3);
        return Err(Fault::at(end - 3, format!("{three} not allowed in multiline {what} string")));
    }
    Ok(end)
}

/// Checks that a `\r` is followed by `\n`.
fn windows_line_end(doc: &[u8], i: usize) -> Res<()> {
    match doc.get(i + 1) {
        None => Err(Fault::over(doc.len(), doc.len(), "need a \\n after \\r")),
        Some(b'\n') => Ok(()),
        Some(_) => Err(Fault::at(i, "need a \\n after \\r")),
    }
}

/// Where the text of a multiline string begins: its first line end does not count.
fn behind_first_line_end(doc: &[u8], start: usize) -> usize {
    match &doc[start + 3..] {
        [b'\n', ..] => start + 4,
        [b'\r', b'\n', ..] => start + 5,
        _ => start + 3,
    }
}

fn multiline_literal(doc: &[u8], start: usize) -> Res<Text> {
    let mut i = start + 3;
    while i < doc.len() {
        match doc[i] {
            b'\'' if doc[i..].starts_with(b"'''") => {
                let end = triple_end(doc, i, b'\'', "literal")?;
                let from = behind_first_line_end(doc, start);
                return Ok(Text { text: own(&doc[from..end - 3]), data: Some(from), end });
            }
            b'\r' => {
                windows_line_end(doc, i)?;
                i += 2;
            }
            _ => match char_len(&doc[i..]) {
                0 => return Err(Fault::at(i, "invalid character")),
                n => i += n,
            },
        }
    }
    Err(Fault::over(i, i, "multiline literal string not terminated by '''"))
}

fn basic(doc: &[u8], start: usize) -> Res<Text> {
    let mut escaped = false;
    let mut i = start + 1;
    while i < doc.len() {
        match doc[i] {
            b'"' => {
                let body = Body { doc, from: start + 1, to: i, multiline: false };
                return body.read(escaped, i + 1);
            }
            b'\n' | b'\r' => return Err(Fault::at(i, "basic strings cannot have new lines")),
            b'\\' => {
                if i + 1 >= doc.len() {
                    return Err(Fault::at(i, "need a character after \\"));
                }
                escaped = true;
                i += 1;
            }
            _ => {}
        }
        i += 1;
    }
    Err(Fault::over(doc.len(), doc.len(), "basic string not terminated by \""))
}

fn multiline_basic(doc: &[u8], start: usize) -> Res<Text> {
    let mut escaped = false;
    let mut i = start + 3;
    while i < doc.len() {
        match doc[i] {
            b'"' if doc[i..].starts_with(b"\"\"\"") => {
                let end = triple_end(doc, i, b'"', "basic")?;
                let from = behind_first_line_end(doc, start);
                return Body { doc, from, to: end - 3, multiline: true }.read(escaped, end);
            }
            b'\\' => {
                if i + 1 >= doc.len() {
                    return Err(Fault::over(doc.len(), doc.len(), "need a character after \\"));
                }
                escaped = true;
                i += 1;
            }
            b'\r' => {
                windows_line_end(doc, i)?;
                i += 1;
            }
            _ => {}
        }
        i += 1;
    }
    Err(Fault::over(doc.len(), doc.len(), "multiline basic string not terminated by \"\"\""))
}

/// The inside of a basic string, between its quotes.
struct Body<'a> {
    doc: &'a [u8],
    from: usize,
    to: usize,
    multiline: bool,
}

impl Body<'_> {
    /// Two ways with two messages: bytes taken as they are, and bytes put together around escapes.
    fn read(&self, escaped: bool, end: usize) -> Res<Text> {
        if escaped {
            return Ok(Text { text: self.unescape()?, data: None, end });
        }
        let bytes = &self.doc[self.from..self.to];
        let mut i = 0;
        while i < bytes.len() {
            match char_len(&bytes[i..]) {
                0 => return Err(Fault::at(self.from + i, "invalid UTF-8")),
                n => i += n,
            }
        }
        Ok(Text { text: own(bytes), data: Some(self.from), end })
    }

    fn unescape(&self) -> Res<String> {
        let mut out = Vec::with_capacity(self.to - self.from);
        let mut i = self.from;
        while i < self.to {
            if self.doc[i] != b'\\' {
                // The closing quote lies behind, so a cut-off character ends there and is found broken.
                let n = char_len(&self.doc[i..=self.to]);
                if n == 0 {
                    return Err(Fault::at(i, format!("invalid character {}", unicode(self.doc[i]))));
                }
                out.extend_from_slice(&self.doc[i..i + n]);
                i += n;
            } else if let Some(next) = self.behind_line_escape(i) {
                i = next;
            } else {
                i = self.escape(i + 1, &mut out)?;
            }
        }
        Ok(own(&out))
    }

    /// `\` as the last thing on a line swallows all blanks and line ends up to the next character.
    fn behind_line_escape(&self, backslash: usize) -> Option<usize> {
        if !self.multiline {
            return None;
        }
        let mut i = backslash + 1;
        while i < self.to {
            match self.doc[i] {
                b' ' | b'\t' => {}
                b'\r' if self.doc[i + 1] == b'\n' => {}
                b'\n' => {
                    let blank = |b: &u8| matches!(b, b'\n' | b'\r' | b' ' | b'\t');
                    return Some(i + self.doc[i..self.to].iter().take_while(|b| blank(b)).count());
                }
                _ => return None,
            }
            i += 1;
        }
        None
    }

    /// One escape; `i` is behind its backslash. Gives the offset behind it.
    fn escape(&self, i: usize, out: &mut Vec<u8>) -> Res<usize> {
        let plain = match self.doc[i] {
            c @ (b'"' | b'\\') => c,
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'e' => 0x1b,
            b'u' => return self.code_point(i + 1, 4, out),
            b'U' => return self.code_point(i + 1, 8, out),
            c => return Err(Fault::at(i, format!("invalid escaped character {}", unicode(c)))),
        };
        out.push(plain);
        Ok(i + 1)
    }

    fn code_point(&self, from: usize, length: usize, out: &mut Vec<u8>) -> Res<usize> {
        // In a multiline string the library looks on into the closing quotes.
        let to = if self.multiline { (self.to + 3).min(from + length) } else { self.to };
        if to - from < length {
            let message = format!("unicode point needs {length} character, not {}", to - from);
            return Err(Fault::over(from, to, message));
        }
        let mut code = 0;
        for i in from..from + length {
            let digit = char::from(self.doc[i]).to_digit(16);
            code = code * 16 + digit.ok_or_else(|| Fault::at(i, "non-hex character"))?;
        }
        let c = char::from_u32(code)
            .ok_or_else(|| Fault::at(from, "escape sequence is invalid Unicode code point"))?;
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(from + length)
    }
}
