//! Objects by the print of a name: thousands of names are told apart without reading one of them. Two names of one print stand
//! together, so who finds an object looks at its name too.

use crate::meta::Uid;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The identities of objects, by a print.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prints(BTreeMap<u64, Few>);

/// Identities in the order in which they were given out. Most stand alone, and then need no memory of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Few {
    first: Uid,
    more: Vec<Uid>,
}

impl Prints {
    /// The identities of a print, oldest first.
    pub fn get(&self, print: u64) -> impl Iterator<Item = Uid> {
        let found = self.0.get(&print).into_iter();
        found.flat_map(|few| std::iter::once(few.first).chain(few.more.iter().copied()))
    }

    /// Adds an identity.
    pub fn insert(&mut self, print: u64, uid: Uid) {
        match self.0.entry(print) {
            Entry::Vacant(entry) => drop(entry.insert(Few { first: uid, more: Vec::new() })),
            Entry::Occupied(mut entry) => {
                let few = entry.get_mut();
                let (older, younger) = if uid < few.first { (uid, few.first) } else { (few.first, uid) };
                few.first = older;
                few.more.insert(few.more.partition_point(|of| *of < younger), younger);
            }
        }
    }

    /// Takes an identity out.
    pub fn remove(&mut self, print: u64, uid: Uid) {
        let Entry::Occupied(mut entry) = self.0.entry(print) else { return };
        let few = entry.get_mut();
        few.more.retain(|of| *of != uid);
        if few.first == uid {
            if few.more.is_empty() {
                entry.remove();
            } else {
                few.first = few.more.remove(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_of_one_print_are_told_oldest_first() {
        let mut prints = Prints::default();
        for uid in [5, 2, 9, 7] {
            prints.insert(1, Uid(uid));
        }
        prints.insert(3, Uid(4));
        let of = |prints: &Prints, print| prints.get(print).map(|uid| uid.0).collect::<Vec<_>>();
        assert_eq!((of(&prints, 1), of(&prints, 2), of(&prints, 3)), (vec![2, 5, 7, 9], vec![], vec![4]));
        for (uid, left) in [(2, vec![5, 7, 9]), (7, vec![5, 9]), (3, vec![5, 9]), (9, vec![5]), (5, vec![])] {
            prints.remove(1, Uid(uid));
            assert_eq!(of(&prints, 1), left, "without {uid}");
        }
        prints.remove(3, Uid(4));
        assert_eq!(prints, Prints::default());
    }
}
