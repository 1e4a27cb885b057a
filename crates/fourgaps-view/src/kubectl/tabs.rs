//! Texts with tabs set in columns: Go's `text/tabwriter` as `kubectl describe` uses it.

/// Blanks after the widest cell of a column.
const PADDING: usize = 2;

/// Sets a text whose cells end in tabs. A column is as long as lines with that cell follow each other; the last cell of a
/// line is in none.
pub fn tabbed(text: &str) -> String {
    let lines: Vec<Vec<&str>> = text.split('\n').map(|line| line.split('\t').collect()).collect();
    let mut out = String::with_capacity(text.len() * 2);
    set(&lines, &mut Vec::new(), &mut out);
    // What stands after the last line end is no line.
    out.pop();
    out
}

fn set(lines: &[Vec<&str>], widths: &mut Vec<usize>, out: &mut String) {
    let column = widths.len();
    let mut at = 0;
    while at < lines.len() {
        if lines[at].len() <= column + 1 {
            write(&lines[at], widths, out);
            at += 1;
            continue;
        }
        let end =
            lines[at..].iter().position(|line| line.len() <= column + 1).map_or(lines.len(), |n| at + n);
        let widest = lines[at..end].iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        widths.push(widest + PADDING);
        set(&lines[at..end], widths, out);
        widths.pop();
        at = end;
    }
}

fn write(line: &[&str], widths: &[usize], out: &mut String) {
    for (at, cell) in line.iter().enumerate() {
        out.push_str(cell);
        if let Some(width) = widths.get(at) {
            out.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.chars().count())));
        }
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::tabbed;

    #[test]
    fn a_column_ends_where_a_line_has_no_such_cell() {
        let text = "Name:\tx\nA longer one:\ty\nList:\n  a\tb\tc\n  long\tb\tc\nEnd:\t\n";
        let wanted = "Name:          x\nA longer one:  y\nList:\n  a     b  c\n  long  b  c\nEnd:    \n";
        assert_eq!(tabbed(text), wanted);
    }
}
