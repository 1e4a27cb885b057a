//! The known word that a misspelt one was meant to be.

/// The nearest of some words, if one is near enough to be meant.
///
/// Distance counts inserted, lost, replaced and swapped neighbouring letters; a third of the word may be wrong.
pub(crate) fn nearest<'w>(given: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let far = given.chars().count().div_ceil(3);
    known
        .into_iter()
        .map(|word| (distance(given, word), word))
        .filter(|(steps, _)| *steps <= far)
        .min_by_key(|(steps, _)| *steps)
        .map(|(_, word)| word)
}

fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let mut steps = (last[j] + usize::from(a[i] != b[j])).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                steps = steps.min(before[j - 1] + 1);
            }
            row.push(steps);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant() {
        let known = ["hints", "goals", "questions", "count"];
        for (given, wanted) in [
            ("hnits", Some("hints")),
            ("goal", Some("goals")),
            ("qestions", Some("questions")),
            ("cuont", Some("count")),
            ("slug", None),
            ("", None),
        ] {
            assert_eq!(nearest(given, known), wanted, "{given:?}");
        }
    }
}
