//! The text of a file as the library sees it: characters by number, and where each stands.

use fourgaps_base::Pos;

/// The characters of a file.
pub(super) struct Source {
    chars: Vec<char>,
    /// Index of the first character of each line.
    lines: Vec<usize>,
}

impl Source {
    /// Decodes a file: byte order marks are dropped, and every byte that is not UTF-8 becomes U+FFFD.
    pub(super) fn new(bytes: &[u8]) -> Self {
        let bytes = without_mark(bytes);
        let mut chars = Vec::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            chars.extend(chunk.valid().chars());
            // Go replaces byte by byte, not once per broken sequence.
            chars.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
        }
        let after_newline = chars.iter().enumerate().filter(|(_, char)| **char == '\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(after_newline).collect();
        Self { chars, lines }
    }

    /// The character at an index; `None` at the end.
    pub(super) fn get(&self, at: usize) -> Option<char> {
        self.chars.get(at).copied()
    }

    /// True where this text stands at an index.
    pub(super) fn has(&self, at: usize, text: &str) -> bool {
        text.chars().enumerate().all(|(offset, char)| self.get(at + offset) == Some(char))
    }

    /// The text between two indexes.
    pub(super) fn slice(&self, from: usize, to: usize) -> String {
        self.chars.get(from..to).unwrap_or_default().iter().collect()
    }

    /// Line and column of an index.
    pub(super) fn pos(&self, at: usize) -> Pos {
        let line = self.lines.partition_point(|start| *start <= at);
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Pos::new(small(line), small(at - start + 1))
    }
}

/// Drops a byte order mark. Marks of UTF-16 and UTF-32 are dropped too, though the rest is then read as UTF-8.
fn without_mark(bytes: &[u8]) -> &[u8] {
    const MARKS: [&[u8]; 5] =
        [&[0, 0, 0xfe, 0xff], &[0xff, 0xfe, 0, 0], &[0xef, 0xbb, 0xbf], &[0xfe, 0xff], &[0xff, 0xfe]];
    MARKS.iter().find_map(|mark| bytes.strip_prefix(*mark)).unwrap_or(bytes)
}
