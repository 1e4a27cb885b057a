//! Columns as kubectl lays them out: Go's `text/tabwriter` with spaces.

/// A table with a header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column names and no rows yet.
    pub fn new(columns: &[&str]) -> Self {
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

/// Lines of cells under each other. The last cell of a line is not padded.
pub fn columns(rows: &[Vec<String>], gap: usize, least: usize) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        for (at, cell) in row.iter().enumerate() {
            let width = (cell.chars().count() + gap).max(least);
            match widths.get_mut(at) {
                Some(widest) => *widest = width.max(*widest),
                None => widths.push(width),
            }
        }
    }
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

/// Text with tabs, laid out as Go's `text/tabwriter` does for `kubectl describe`: two spaces between cells. A column
/// reaches over the lines that follow each other and have a tab there.
pub fn tabbed(text: &str) -> String {
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let mut out = String::new();
    block(&lines, &mut Vec::new(), &mut out);
    out
}

fn block(lines: &[Vec<&str>], widths: &mut Vec<usize>, out: &mut String) {
    let column = widths.len();
    let has_cell = |line: &Vec<&str>| column + 1 < line.len();
    let mut rest = lines;
    while let Some(start) = rest.iter().position(has_cell) {
        write_lines(&rest[..start], widths, out);
        rest = &rest[start..];
        let end = rest.iter().position(|line| !has_cell(line)).unwrap_or(rest.len());
        let width = rest[..end].iter().map(|line| line[column].chars().count() + 2).max().unwrap_or(0);
        widths.push(width);
        block(&rest[..end], widths, out);
        widths.pop();
        rest = &rest[end..];
    }
    write_lines(rest, widths, out);
}

fn write_lines(lines: &[Vec<&str>], widths: &[usize], out: &mut String) {
    for line in lines {
        for (at, cell) in line.iter().enumerate() {
            out.push_str(cell);
            if let Some(width) = widths.get(at).filter(|_| at + 1 < line.len()) {
                out.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.chars().count())));
            }
        }
        out.push('\n');
    }
}
