//! Where the keys and values of a document stand: in a file, or in the tree that the document was written from.

use fourgaps_base::{FileId, Place, Pos};

/// The true place of a key and the position that the library would name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spot {
    pub place: Place,
    pub reported: Pos,
}

/// Answers where an offset of the document is.
pub(super) struct Places<'a> {
    map: FileMap<'a>,
    /// For a text that was written from a tree: offsets in rising order, with the spots of what was written there.
    written: Option<Vec<(usize, Spot)>>,
}

impl<'a> Places<'a> {
    /// The places of a file.
    pub fn file(file: FileId, doc: &'a [u8]) -> Self {
        Self { map: FileMap::new(file, doc), written: None }
    }

    /// The places of a text that was written from a tree.
    pub fn written(doc: &'a [u8], spots: Vec<(usize, Spot)>) -> Self {
        Self { map: FileMap::new(FileId::DEFAULT, doc), written: Some(spots) }
    }

    /// The spot of what stands at an offset; the library points at `reported`.
    pub fn spot(&mut self, offset: usize, reported: usize) -> Spot {
        match &self.written {
            None => {
                let pos = self.map.characters(offset);
                Spot { place: Place { file: self.map.file, pos }, reported: self.map.bytes(reported) }
            }
            Some(spots) => {
                let behind = spots.partition_point(|(at, _)| *at <= offset);
                behind.checked_sub(1).map_or(Spot::default(), |i| spots[i].1)
            }
        }
    }

    /// The position as the library counts it in this document.
    pub fn reported(&self, offset: usize) -> Pos {
        self.map.bytes(offset)
    }
}

/// Lines and columns of a file.
pub(super) struct FileMap<'a> {
    file: FileId,
    doc: &'a [u8],
    line_starts: Vec<usize>,
    /// The last offset asked for and its column: the next one is counted from there, since a line may be long.
    last: (usize, usize),
}

impl<'a> FileMap<'a> {
    pub fn new(file: FileId, doc: &'a [u8]) -> Self {
        let ends = doc.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i + 1);
        Self { file, doc, line_starts: std::iter::once(0).chain(ends).collect(), last: (0, 1) }
    }

    /// The line from 1, and the offset of its start.
    fn line(&self, offset: usize) -> (usize, usize) {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        (line, self.line_starts[line - 1])
    }

    /// The column in bytes.
    fn bytes(&self, offset: usize) -> Pos {
        let (line, start) = self.line(offset);
        pos(line, offset - start + 1)
    }

    /// The column in characters.
    fn characters(&mut self, offset: usize) -> Pos {
        let (line, start) = self.line(offset);
        let count = |from: usize, to: usize| self.doc[from..to].iter().filter(|b| **b & 0xc0 != 0x80).count();
        let (known, column) = self.last;
        let column = if known < start || known > offset && known - offset > offset - start {
            1 + count(start, offset)
        } else if known <= offset {
            column + count(known, offset)
        } else if self.line(known).0 == line {
            column - count(offset, known)
        } else {
            1 + count(start, offset)
        };
        self.last = (offset, column);
        pos(line, column)
    }
}

fn pos(line: usize, column: usize) -> Pos {
    let short = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Pos::new(short(line), short(column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_for_people_and_bytes_for_the_library() {
        let doc = "a\nä = 'öü' # x\n";
        let mut map = FileMap::new(FileId(1), doc.as_bytes());
        let hash = doc.find('#').unwrap();
        assert_eq!(map.characters(hash), Pos::new(2, 10));
        assert_eq!(map.characters(2), Pos::new(2, 1), "back on the same line");
        assert_eq!(map.characters(hash), Pos::new(2, 10), "and forth");
        assert_eq!(map.characters(0), Pos::new(1, 1), "back to another line");
        assert_eq!(map.bytes(hash), Pos::new(2, 13));
    }
}
