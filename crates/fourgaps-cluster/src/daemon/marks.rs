//! Which of many rows are marked.

/// A bit for each row: a mark is set and taken away at once, and thousands of rows are passed in a few steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks(Vec<u64>);

impl Marks {
    /// Marks a row, or takes its mark away.
    pub fn set(&mut self, at: usize, on: bool) {
        let (word, bit) = (at / 64, 1 << (at % 64));
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        if on {
            self.0[word] |= bit;
        } else {
            self.0[word] &= !bit;
        }
    }

    /// The marked rows in their order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(|(at, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_rows_are_told_in_order() {
        let mut marks = Marks::default();
        for at in [200, 0, 63, 64, 3] {
            marks.set(at, true);
        }
        marks.set(3, false);
        marks.set(999, false);
        assert_eq!(marks.iter().collect::<Vec<_>>(), [0, 63, 64, 200]);
    }
}
