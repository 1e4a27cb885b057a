//! A fault in our own files: where it stands and what to do about it.

use fourgaps_base::Pos;
use std::fmt;

/// Something wrong in a file of the course.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The file, as the caller named it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong, in one sentence.
    pub message: String,
}

impl Fault {
    /// A fault at a place; a place of `0:0` counts as the start of the file.
    pub fn at(file: &str, pos: Pos, message: impl Into<String>) -> Self {
        Self { file: file.into(), line: pos.line.max(1), column: pos.column.max(1), message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = "a\néb\n";
        for (byte, wanted) in [(0, "1:1"), (2, "2:1"), (3, "2:1"), (4, "2:2"), (6, "3:1"), (99, "3:1")] {
            assert_eq!(Pos::of_byte(text, byte).to_string(), wanted, "{byte}");
        }
    }

    #[test]
    fn a_fault_reads_like_a_compiler() {
        let fault = Fault::at("a.toml", Pos::default(), "empty");
        assert_eq!(fault.to_string(), "a.toml:1:1: empty");
    }
}
