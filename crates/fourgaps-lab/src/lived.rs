//! Which actions of a list count at its end, where some of them go back.

use crate::Action;

/// Positions in the list of the actions that lead to its end, in order. Going back is none of them: it only says behind which
/// action the next one follows.
pub(crate) fn lived(actions: &[Action]) -> Vec<usize> {
    // Behind which action each one follows, and the last one that counts after so many of the list.
    let mut before: Vec<Option<usize>> = Vec::with_capacity(actions.len());
    let mut last: Vec<Option<usize>> = Vec::with_capacity(actions.len() + 1);
    last.push(None);
    for (at, action) in actions.iter().enumerate() {
        before.push(last[at]);
        last.push(match action {
            Action::Back { to } => last[(*to as usize).min(at)],
            _ => Some(at),
        });
    }
    let mut found: Vec<usize> = std::iter::successors(last[actions.len()], |at| before[*at]).collect();
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_back_leaves_aside_what_came_later() {
        let back = |to| Action::Back { to };
        let hint = || Action::Hint;
        assert_eq!(lived(&[]), [0; 0]);
        assert_eq!(lived(&[hint(), hint(), hint(), back(1)]), [0]);
        assert_eq!(lived(&[hint(), hint(), back(1), hint()]), [0, 3]);
        // Back to where somebody had gone back already, and to before that.
        assert_eq!(lived(&[hint(), hint(), back(1), hint(), back(4)]), [0, 3]);
        assert_eq!(lived(&[hint(), hint(), back(1), hint(), back(2), hint()]), [0, 1, 5]);
        assert_eq!(lived(&[hint(), back(0), hint(), back(1), back(3)]), [2]);
        // One that goes on cannot be.
        assert_eq!(lived(&[hint(), back(9), hint()]), [0, 2]);
    }
}
