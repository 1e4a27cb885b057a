//! The work queue of a controller, as client-go's `util/workqueue` keeps it: each key once, delays where the earliest
//! wins, and a longer wait after every failure. Left out is the bucket of ten a second, which one cluster of a lab
//! never empties.

use std::collections::{BTreeMap, VecDeque};

/// The wait after the first failure, in milliseconds.
const FIRST_DELAY_MS: u64 = 5;
/// The longest wait after a failure, in milliseconds.
const LONGEST_DELAY_MS: u64 = 1_000_000;

/// Keys that want to be looked at, now or later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue<K> {
    ready: VecDeque<K>,
    waiting: BTreeMap<K, u64>,
    failures: BTreeMap<K, u32>,
}

impl<K> Default for Queue<K> {
    fn default() -> Self {
        Self { ready: VecDeque::new(), waiting: BTreeMap::new(), failures: BTreeMap::new() }
    }
}

impl<K: Clone + Ord> Queue<K> {
    /// Wants a look as soon as possible.
    pub fn add(&mut self, key: &K) {
        if !self.ready.contains(key) {
            self.ready.push_back(key.clone());
        }
    }

    /// Wants a look at this moment; of two moments the earlier counts.
    pub fn add_at(&mut self, key: K, due_ms: u64) {
        let due = self.waiting.entry(key).or_insert(due_ms);
        *due = due_ms.min(*due);
    }

    /// Wants another look after a failure, later with every failure in a row.
    pub fn add_after_failure(&mut self, key: K, now_ms: u64) {
        let failures = self.failures.entry(key.clone()).or_default();
        let delay = FIRST_DELAY_MS.saturating_mul(1 << (*failures).min(40)).min(LONGEST_DELAY_MS);
        *failures += 1;
        self.add_at(key, now_ms + delay);
    }

    /// Forgets the failures of a key.
    pub fn forget(&mut self, key: &K) {
        self.failures.remove(key);
    }

    /// Makes those ready whose moment has come.
    pub fn wake(&mut self, now_ms: u64) {
        let due: Vec<K> =
            self.waiting.iter().filter(|(_, due)| **due <= now_ms).map(|(key, _)| key.clone()).collect();
        for key in due {
            self.waiting.remove(&key);
            self.add(&key);
        }
    }

    /// The next moment for which a key waits.
    pub fn next_due_ms(&self) -> Option<u64> {
        self.waiting.values().min().copied()
    }

    /// Takes the key that has waited longest.
    pub fn take(&mut self) -> Option<K> {
        self.ready.pop_front()
    }

    /// True where a key wants a look now.
    pub fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_there_once_and_the_earlier_moment_wins() {
        let mut queue = Queue::default();
        queue.add(&"a");
        queue.add(&"a");
        queue.add_at("b", 20);
        queue.add_at("b", 10);
        queue.add_at("b", 30);
        assert_eq!((queue.take(), queue.take(), queue.next_due_ms()), (Some("a"), None, Some(10)));
        queue.wake(9);
        assert!(!queue.is_ready());
        queue.wake(10);
        assert_eq!((queue.take(), queue.next_due_ms()), (Some("b"), None));
    }

    /// `5 ms x 2^n` up to 1000 s.
    #[test]
    fn failures_in_a_row_wait_longer() {
        let mut queue = Queue::default();
        let mut waits = Vec::new();
        for _ in 0..20 {
            queue.add_after_failure("a", 0);
            waits.extend(queue.next_due_ms());
            queue.wake(u64::MAX);
            queue.take();
        }
        assert_eq!(waits[..4], [5, 10, 20, 40]);
        assert_eq!(waits[19], 1_000_000);
        queue.forget(&"a");
        queue.add_after_failure("a", 100);
        assert_eq!(queue.next_due_ms(), Some(105));
    }
}
