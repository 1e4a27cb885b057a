//! Columns as Go's `text/tabwriter` sets them.

/// How cells are set.
#[derive(Clone, Copy)]
pub(crate) struct Columns {
    /// The least width of a cell, blanks and all.
    pub least: usize,
    /// Blanks after the widest cell of a column.
    pub padding: usize,
    /// True where the last cell of a line is ended like the others, so that blanks follow it.
    pub last_too: bool,
}

impl Columns {
    /// Sets rows of cells; all rows have the same number of them.
    pub fn set(self, rows: &[Vec<String>]) -> String {
        let count = rows.first().map_or(0, Vec::len);
        let width_of = |column: usize| {
            let widest = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
            (widest.unwrap_or(0) + self.padding).max(self.least)
        };
        let widths: Vec<usize> = (0..count).map(width_of).collect();
        let mut out = String::new();
        for row in rows {
            for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
                if at + 1 < count || self.last_too {
                    out.push_str(&format!("{cell:width$}"));
                } else {
                    out.push_str(cell);
                }
            }
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_as_wide_as_its_widest_cell_and_no_narrower_than_the_least() {
        let rows = [vec!["A".to_string(), "B".into()], vec!["abcd".into(), "b".into()]];
        let columns = Columns { least: 4, padding: 2, last_too: false };
        assert_eq!(columns.set(&rows), "A     B\nabcd  b\n");
        assert_eq!(Columns { last_too: true, ..columns }.set(&rows), "A     B   \nabcd  b   \n");
    }
}
