//! Where something stands: a file, a line, a column.

use serde::Serialize;
use std::fmt;

/// A line and a column, both counted from 1; column in characters. `0:0` means "no place".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Pos {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Pos {
    /// Makes a place from a line and a column.
    pub const fn new(line: u32, column: u32) -> Self {
        Self { line, column }
    }

    /// Line and column of a byte in a text. A byte inside a character counts as that character.
    pub fn of_byte(text: &str, byte: usize) -> Self {
        let mut pos = Self::new(1, 1);
        for (at, letter) in text.char_indices() {
            if at + letter.len_utf8() > byte {
                break;
            }
            if letter == '\n' {
                pos = Self::new(pos.line + 1, 1);
            } else {
                pos.column += 1;
            }
        }
        pos
    }
}

/// The number of a file within one load: 0 is no file (a built-in default), 1 the main file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct FileId(pub u32);

impl FileId {
    /// No file: the value is a default of the version.
    pub const DEFAULT: Self = Self(0);
}

/// Where a value was written: file and position of its key. The default place is *no file*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// Position of the key in that file.
    pub pos: Pos,
}

impl Place {
    /// True where nobody wrote the value: it is a default of the version.
    pub const fn is_default(self) -> bool {
        self.file.0 == 0
    }
}

impl fmt::Display for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
