//! Lists that stand in their owner as long as they are short: a pod has two conditions and one container as a rule, and a new
//! status with every step.

use serde::{Deserialize, Serialize};
use std::ops::{Deref, DerefMut};

/// A list that needs no memory of its own up to two items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<T>", into = "Vec<T>", bound(serialize = "T: Clone + Serialize"))]
pub struct Short<T>(Items<T>);

/// Each length has one form.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Items<T> {
    None,
    One([T; 1]),
    Two([T; 2]),
    More(Vec<T>),
}

impl<T> Short<T> {
    /// Adds an item at the end.
    pub fn push(&mut self, item: T) {
        self.0 = match std::mem::replace(&mut self.0, Items::None) {
            Items::None => Items::One([item]),
            Items::One([first]) => Items::Two([first, item]),
            Items::Two([first, second]) => Items::More(vec![first, second, item]),
            Items::More(mut items) => {
                items.push(item);
                Items::More(items)
            }
        };
    }
}

impl<T> Default for Short<T> {
    fn default() -> Self {
        Self(Items::None)
    }
}

impl<T> Deref for Short<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Items::None => &[],
            Items::One(items) => items,
            Items::Two(items) => items,
            Items::More(items) => items,
        }
    }
}

impl<T> DerefMut for Short<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Items::None => &mut [],
            Items::One(items) => items,
            Items::Two(items) => items,
            Items::More(items) => items,
        }
    }
}

impl<T> FromIterator<T> for Short<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut list = Self::default();
        items.into_iter().for_each(|item| list.push(item));
        list
    }
}

impl<T> From<Vec<T>> for Short<T> {
    fn from(items: Vec<T>) -> Self {
        items.into_iter().collect()
    }
}

impl<T: Clone> From<Short<T>> for Vec<T> {
    fn from(list: Short<T>) -> Self {
        list.to_vec()
    }
}

impl<'a, T> IntoIterator for &'a Short<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Short<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_any_length_hold_what_was_put_in() {
        for length in 0..6 {
            let items: Vec<u8> = (0..length).collect();
            let mut list: Short<u8> = items.clone().into();
            assert_eq!(*list, *items);
            assert_eq!(serde_json::to_string(&list).unwrap(), serde_json::to_string(&items).unwrap());
            assert_eq!(
                serde_json::from_str::<Short<u8>>(&serde_json::to_string(&items).unwrap()).unwrap(),
                list
            );
            (&mut list).into_iter().for_each(|item| *item += 1);
            assert_eq!(Vec::from(list), (1..=length).collect::<Vec<u8>>());
        }
    }
}
