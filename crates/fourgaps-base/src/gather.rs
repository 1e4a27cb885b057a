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

/// Sorts by one piece of code for all types: the standard `sort` brings four kilobytes of it for every one. Equal items stay as
/// they came. For lists of any length that are not sorted ten thousand times.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = positions(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    for at in 0..items.len() {
        // What stood there may have been moved on already.
        let mut from = order[at] as usize;
        while from < at {
            from = order[from] as usize;
        }
        items.swap(at, from);
    }
}

/// The same, by what a key says of each item.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// The same, by the order of the items themselves.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Which item comes at each place.
fn positions(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by(|a, b| compare(*a as usize, *b as usize));
    order
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
    fn lists_are_sorted_as_by_the_standard_sort() {
        // A small generator; every length, with equal items in it.
        let mut seed = 7u32;
        for length in 0..200 {
            let mut items: Vec<(u32, u32)> = Vec::new();
            for nth in 0..length {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                items.push(((seed >> 16) % (length / 2 + 1), nth));
            }
            let mut wanted = items.clone();
            wanted.sort_by_key(|item| item.0);
            sort_by_key(&mut items, |item| item.0);
            assert_eq!(items, wanted);
            wanted.sort_by_key(|item| std::cmp::Reverse(item.1));
            sort_by(&mut items, |a, b| b.1.cmp(&a.1));
            assert_eq!(items, wanted);
            sort(&mut items);
            assert!(items.is_sorted());
        }
    }

    #[test]
    fn the_last_of_equal_keys_counts() {
        assert_eq!(map_of([("a", 1), ("b", 2), ("a", 3)]), BTreeMap::from([("a", 3), ("b", 2)]));
        assert_eq!(set_of(["b", "a", "b"]), BTreeSet::from(["a", "b"]));
    }
}
