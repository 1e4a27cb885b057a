//! Columns as kubectl lays them out: Go's `text/tabwriter` with spaces.

/// A table with a header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column names and no rows yet.
    pub fn new<S: ToString>(columns: &[S]) -> Self {
        Self { rows: vec![columns.iter().map(ToString::to_string).collect()] }
    }

    /// Adds a row.
    pub fn push(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// True where no row was added.
    pub fn is_empty(&self) -> bool {
        self.rows.len() <= 1
    }

    /// The text of `kubectl get`: three spaces between columns, each at least six wide with them
    /// (`cli-runtime/pkg/printers/tabwriter.go`). Without the header for `--no-headers`.
    pub fn text(&self, headers: bool) -> String {
        columns(&self.rows[usize::from(!headers)..], 3, 6)
    }
}

/// Lines that come one after the other, as a watch prints them: a column is as wide as its widest cell so far.
#[derive(Clone, Debug, Default)]
pub struct Widths(Vec<usize>);

impl Widths {
    /// The text of further lines.
    pub fn lines(&mut self, rows: &[Vec<String>]) -> String {
        widen(&mut self.0, rows, 3, 6);
        set(&self.0, rows)
    }
}

/// Lines of cells under each other. The last cell of a line is not padded.
pub fn columns(rows: &[Vec<String>], gap: usize, least: usize) -> String {
    let mut widths: Vec<usize> = Vec::new();
    widen(&mut widths, rows, gap, least);
    set(&widths, rows)
}

fn widen(widths: &mut Vec<usize>, rows: &[Vec<String>], gap: usize, least: usize) {
    for row in rows {
        for (at, cell) in row.iter().enumerate() {
            let width = (cell.chars().count() + gap).max(least);
            match widths.get_mut(at) {
                Some(widest) => *widest = width.max(*widest),
                None => widths.push(width),
            }
        }
    }
}

fn set(widths: &[usize], rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for row in rows {
        for (at, cell) in row.iter().enumerate() {
            text.push_str(cell);
            if at + 1 < row.len() {
                text.extend(std::iter::repeat_n(' ', widths[at] - cell.chars().count()));
            }
        }
        text.push('\n');
    }
    text
}
