//! A file with a container specification, as the CRI plugin reads it at start: is it there, and is it JSON.
//! Source of the words: the recording `report-79`, and the public source of Go's `encoding/json`.

use crate::load::open_error;
use crate::toml::go_text::quote;
use fourgaps_base::{FileError, Files};

/// Why a file is no container specification; fields of a wrong type are not looked for.
pub(crate) fn fault(files: &dyn Files, path: &str) -> Option<String> {
    match files.read(path) {
        Ok(bytes) => json_fault(&bytes).map(|why| format!("failed to parse base OCI spec file: {why}")),
        Err(error @ FileError::IsDirectory) => {
            Some(format!("failed to parse base OCI spec file: {}", open_error(path, &error)))
        }
        Err(error) => Some(format!("failed to open base OCI spec: {path}: {}", open_error(path, &error))),
    }
}

/// What Go says of the first value in a text that is no JSON object.
fn json_fault(bytes: &[u8]) -> Option<String> {
    let mut reader = Reader { bytes, at: 0 };
    reader.blanks();
    let kind = match reader.peek() {
        None => return Some("EOF".into()),
        Some(b'{' | b'n') => None,
        Some(b'[') => Some("array"),
        Some(b'"') => Some("string"),
        Some(b't' | b'f') => Some("bool"),
        Some(_) => Some("number"),
    };
    match reader.value(0) {
        Err(why) => Some(why),
        Ok(()) => kind.map(|kind| format!("json: cannot unmarshal {kind} into Go value of type specs.Spec")),
    }
}

/// How deep values may lie in each other.
const DEEPEST: usize = 10_000;

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// Takes the next byte if it is this one; what is wrong with it otherwise.
    fn take(&mut self, wanted: impl Fn(u8) -> bool, context: &str) -> Result<u8, String> {
        match self.peek() {
            None => Err("unexpected EOF".into()),
            Some(byte) if wanted(byte) => {
                self.at += 1;
                Ok(byte)
            }
            Some(byte) => Err(format!("invalid character {} {context}", quoted(byte))),
        }
    }

    fn value(&mut self, depth: usize) -> Result<(), String> {
        if depth > DEEPEST {
            return Err("exceeded max depth".into());
        }
        self.blanks();
        let start = |b: u8| matches!(b, b'{' | b'[' | b'"' | b't' | b'f' | b'n' | b'-' | b'0'..=b'9');
        match self.take(start, "looking for beginning of value")? {
            b'{' => self.entries(depth, b'}'),
            b'[' => self.entries(depth, b']'),
            b'"' => self.string(),
            b't' => self.literal("true"),
            b'f' => self.literal("false"),
            b'n' => self.literal("null"),
            first => self.number(first),
        }
    }

    fn entries(&mut self, depth: usize, end: u8) -> Result<(), String> {
        self.blanks();
        if self.peek() == Some(end) {
            self.at += 1;
            return Ok(());
        }
        let object = end == b'}';
        loop {
            if object {
                self.blanks();
                self.take(|b| b == b'"', "looking for beginning of object key string")?;
                self.string()?;
                self.blanks();
                self.take(|b| b == b':', "after object key")?;
            }
            self.value(depth + 1)?;
            self.blanks();
            let after = if object { "after object key:value pair" } else { "after array element" };
            if self.take(|b| b == b',' || b == end, after)? == end {
                return Ok(());
            }
        }
    }

    fn string(&mut self) -> Result<(), String> {
        loop {
            match self.take(|b| b >= 0x20, "in string literal")? {
                b'"' => return Ok(()),
                b'\\' => {
                    let known = |b: u8| b"\"\\/bfnrtu".contains(&b);
                    if self.take(known, "in string escape code")? == b'u' {
                        for _ in 0..4 {
                            self.take(|b| b.is_ascii_hexdigit(), "in \\u hexadecimal character escape")?;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn literal(&mut self, word: &str) -> Result<(), String> {
        for wanted in word.bytes().skip(1) {
            let context = format!("in literal {word} (expecting {})", quoted(wanted));
            self.take(|b| b == wanted, &context)?;
        }
        Ok(())
    }

    fn number(&mut self, first: u8) -> Result<(), String> {
        let mut digit = first;
        if first == b'-' {
            digit = self.take(|b| b.is_ascii_digit(), "in numeric literal")?;
        }
        if digit != b'0' {
            self.digits();
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.take(|b| b.is_ascii_digit(), "after decimal point in numeric literal")?;
            self.digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.take(|b| b.is_ascii_digit(), "in exponent of numeric literal")?;
            self.digits();
        }
        Ok(())
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
    }
}

/// A byte as Go shows it in these messages.
fn quoted(byte: u8) -> String {
    match byte {
        b'\'' => r"'\''".into(),
        b'"' => "'\"'".into(),
        _ => {
            let text = quote(&char::from(byte).to_string());
            format!("'{}'", &text[1..text.len() - 1])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourgaps_base::FileTree;

    #[track_caller]
    fn check(text: &str, wanted: Option<&str>) {
        let mut files = FileTree::new();
        files.write("/etc/spec.json", text);
        let wanted = wanted.map(|why| format!("failed to parse base OCI spec file: {why}"));
        assert_eq!(fault(&files, "/etc/spec.json"), wanted, "{text}");
    }

    #[test]
    fn go_reads_json() {
        check("{\"ociVersion\": \"1.0.2\", \"a\": [1, -2.5e3, true, null, {}]} tail", None);
        check("null", None);
        check("", Some("EOF"));
        check(" \n", Some("EOF"));
        check("{", Some("unexpected EOF"));
        check("{\"a\" 1}", Some("invalid character '1' after object key"));
        check("{\"a\": 1 2}", Some("invalid character '2' after object key:value pair"));
        check("{a: 1}", Some("invalid character 'a' looking for beginning of object key string"));
        check("{\"a\": [1,]}", Some("invalid character ']' looking for beginning of value"));
        check("{\"a\": tru}", Some("invalid character '}' in literal true (expecting 'e')"));
        check("version = 2", Some("invalid character 'v' looking for beginning of value"));
        check("[]", Some("json: cannot unmarshal array into Go value of type specs.Spec"));
    }

    #[test]
    fn a_missing_file_is_named() {
        let why = "failed to open base OCI spec: /x.json: open /x.json: no such file or directory";
        assert_eq!(fault(&FileTree::new(), "/x.json").as_deref(), Some(why));
    }
}
