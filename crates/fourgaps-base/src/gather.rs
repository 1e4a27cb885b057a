//! Maps, sets and order by insertion. The standard `collect` and `sort` are quicker on long lists, and cost the page
//! five kilobytes of code for every type; ours are short.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// A map of pairs; of equal keys the last counts.
pub fn map_of<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    for (key, value) in pairs {
        map.insert(key, value);
    }
    map
}

/// A set of items.
pub fn set_of<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    for item in items {
        set.insert(item);
    }
    set
}

/// The items in order; equal ones stay as they came. Nearly sorted lists take one comparison an item.
pub fn in_order<T>(items: Vec<T>, mut compare: impl FnMut(&T, &T) -> Ordering) -> Vec<T> {
    let mut sorted: Vec<T> = Vec::with_capacity(items.len());
    for item in items {
        let at = match sorted.last() {
            Some(last) if compare(last, &item) == Ordering::Greater => {
                sorted.partition_point(|there| compare(there, &item) != Ordering::Greater)
            }
            _ => sorted.len(),
        };
        sorted.insert(at, item);
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_items_stay_as_they_came() {
        let items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd'), (0, 'e')];
        let sorted = in_order(items, |a, b| a.0.cmp(&b.0));
        assert_eq!(sorted, [(0, 'e'), (1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
    }

    #[test]
    fn the_last_of_equal_keys_counts() {
        assert_eq!(map_of([("a", 1), ("b", 2), ("a", 3)]), BTreeMap::from([("a", 3), ("b", 2)]));
        assert_eq!(set_of(["b", "a", "b"]), BTreeSet::from(["a", "b"]));
    }
}
