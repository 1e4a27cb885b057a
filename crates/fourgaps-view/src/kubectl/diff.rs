//! What `kubectl diff` prints: `diff -u -N` of an object as it is and as it would be.

use crate::difference::{changed, numbers};
use crate::moment;
use fourgaps_cluster::EPOCH_MS;

/// Lines shown around a change.
const AROUND: usize = 3;

/// A line of both texts, of the first, or of the second.
#[derive(Clone, Copy)]
enum Line<'t> {
    Both(&'t str),
    Old(&'t str),
    New(&'t str),
}

impl Line<'_> {
    fn changes(self) -> bool {
        !matches!(self, Self::Both(_))
    }
}

/// The text of one object, of which the files on both sides have these names.
pub fn diff([live, merged]: [&str; 2], old: &str, new: &str, now_ms: u64) -> String {
    let at = moment::nanos(EPOCH_MS + now_ms).replace('T', " ").replace('Z', " +0000");
    format!("diff -u -N {live} {merged}\n--- {live}\t{at}\n+++ {merged}\t{at}\n{}", unified(old, new))
}

/// Everything from the first `@@` on; empty where the texts are equal.
fn unified(old: &str, new: &str) -> String {
    let lines = merged(&old.lines().collect::<Vec<_>>(), &new.lines().collect::<Vec<_>>());
    let changed: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].changes()).collect();
    let mut out = String::new();
    let mut next = 0;
    while let Some(first) = changed.get(next) {
        // Changes whose surroundings touch stand in one hunk.
        let mut last = *first;
        while let Some(more) = changed.get(next).filter(|more| **more <= last + 2 * AROUND + 1) {
            last = *more;
            next += 1;
        }
        let (from, to) = (first.saturating_sub(AROUND), (last + AROUND + 1).min(lines.len()));
        let count = |part: &[Line<'_>], old: bool| {
            let of = |line: &&Line<'_>| match line {
                Line::Both(_) => true,
                Line::Old(_) => old,
                Line::New(_) => !old,
            };
            part.iter().filter(of).count()
        };
        let place = |old: bool| {
            let (before, here) = (count(&lines[..from], old), count(&lines[from..to], old));
            // An empty part is named by the line before it.
            let begin = if here == 0 { before } else { before + 1 };
            if here == 1 { begin.to_string() } else { format!("{begin},{here}") }
        };
        out += &format!("@@ -{} +{} @@\n", place(true), place(false));
        for line in &lines[from..to] {
            let (sign, text) = match line {
                Line::Both(text) => (' ', text),
                Line::Old(text) => ('-', text),
                Line::New(text) => ('+', text),
            };
            out += &format!("{sign}{text}\n");
        }
    }
    out
}

/// Both texts in one list; what goes stands before what comes.
fn merged<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let [old_lines, new_lines] = numbers([old, new]);
    let [goes, comes] = changed(&old_lines, &new_lines, AROUND);
    let (mut at, mut to, mut lines) = (0, 0, Vec::new());
    while at < old.len() || to < new.len() {
        if goes.get(at) == Some(&true) {
            lines.push(Line::Old(old[at]));
            at += 1;
        } else if comes.get(to) == Some(&true) {
            lines.push(Line::New(new[to]));
            to += 1;
        } else {
            lines.push(Line::Both(old[at]));
            (at, to) = (at + 1, to + 1);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn equal_texts_differ_in_nothing() {
        assert_eq!(unified("a\nb\n", "a\nb\n"), "");
    }

    /// As GNU diff 3.8 prints them.
    #[test]
    fn changes_stand_in_hunks_with_their_surroundings() {
        assert_eq!(unified("", "a\nb\n"), "@@ -0,0 +1,2 @@\n+a\n+b\n");
        assert_eq!(unified("a\nb\nc\n", "a\nx\nc\n"), "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
        let old: String = (1..=20).map(|n| format!("{n}\n")).collect();
        let new = old.replace("2\n3\n", "2\n3a\n").replace("19\n", "");
        assert_eq!(
            unified(&old, &new),
            "@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+3a\n 4\n 5\n 6\n@@ -16,5 +16,4 @@\n 16\n 17\n 18\n-19\n 20\n"
        );
    }
}
