//! What every API object has: a name, an owner, labels, and the moments of its life.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Labels, annotations and node selectors.
pub type Labels = BTreeMap<String, String>;

/// The identity of an object over its whole life; a second object of the same name has another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Uid(pub u64);

/// The text has the form of a UUID of version 4; its digits follow from the number.
impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (a, b) = (mixed(self.0), mixed(self.0 ^ 0x5bf0_3635_0f2a_9b1d));
        let (first, second, third) = (a >> 32, a >> 16 & 0xffff, a & 0xfff);
        let (fourth, fifth) = (b >> 48 & 0x3fff | 0x8000, b & 0xffff_ffff_ffff);
        write!(f, "{first:08x}-{second:04x}-4{third:03x}-{fourth:04x}-{fifth:012x}")
    }
}

/// SplitMix64 by Guy Steele and others: one number in, one number out that looks random.
pub(crate) fn mixed(n: u64) -> u64 {
    let mut z = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number that stands for a text, eight bytes at a time. Thousands of them are compared without reading a text.
pub(crate) fn fingerprint(text: &str) -> u64 {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let length = u64::try_from(text.len()).unwrap_or(0);
    let words = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    words.fold(length, |hash, word| mixed(hash ^ word))
}

/// The same for the name of a place, made so that names which follow each other have numbers near each other: who goes from
/// node to node then finds what he looks for close to what he has just seen. The end of the name is the number, and what stands
/// before it is mixed in.
pub(crate) fn place_print(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let (head, tail) = bytes.split_at(bytes.len().saturating_sub(8));
    let number = tail.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
    let length = u64::try_from(bytes.len()).unwrap_or(0);
    let head = head.iter().fold(length, |hash, byte| mixed(hash ^ u64::from(*byte)));
    number ^ mixed(head)
}

/// Which object controls another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// Its kind, such as `DaemonSet`.
    pub kind: String,
    /// Its name, in the same namespace.
    pub name: String,
    /// Its identity.
    pub uid: Uid,
}

/// An object that is to go, but is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deleting {
    /// When it will be gone if all goes well: the moment of the wish and the grace period, in milliseconds.
    pub at_ms: u64,
    /// How long its containers have to stop.
    pub grace_seconds: u32,
}

/// `metadata` of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// The name within kind and namespace.
    pub name: String,
    /// The namespace; empty for objects of the whole cluster.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// The identity; the store gives one to an object that has none.
    #[serde(default)]
    pub uid: Uid,
    /// `metadata.labels`.
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
    /// `metadata.annotations`.
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub annotations: Labels,
    /// When it was created, in milliseconds, cut to whole seconds as the API does.
    #[serde(default)]
    pub created_ms: u64,
    /// Set from the wish to delete it until it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleting: Option<Deleting>,
    /// Counts the changes of `spec`; 0 for kinds that do not count them.
    #[serde(default)]
    pub generation: u64,
    /// The owner that controls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
    /// What must be done before it may go.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub finalizers: Vec<String>,
}

impl Meta {
    /// The metadata of a new object.
    pub fn new(namespace: &str, name: &str) -> Self {
        Self { name: name.into(), namespace: namespace.into(), ..Self::default() }
    }

    /// The place of the object in the store.
    pub fn key(&self) -> Key {
        Key::new(&self.namespace, &self.name)
    }

    /// True where this object is controlled by that one.
    pub fn is_owned_by(&self, uid: Uid) -> bool {
        self.owner.as_ref().is_some_and(|owner| owner.uid == uid)
    }
}

/// Namespace and name; the order of `kubectl get`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// The namespace; empty for objects of the whole cluster.
    pub namespace: Arc<str>,
    /// The name.
    pub name: Arc<str>,
}

impl Key {
    /// A key of these two parts.
    pub fn new(namespace: &str, name: &str) -> Self {
        Self { namespace: namespace.into(), name: name.into() }
    }
}

/// Most keys of a cluster share one text for their namespace, which then need not be read.
impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        let same = Arc::ptr_eq(&self.namespace, &other.namespace);
        let namespaces = if same { Ordering::Equal } else { self.namespace.cmp(&other.namespace) };
        namespaces.then_with(|| self.name.cmp(&other.name))
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `namespace/name`, or the name alone.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.namespace.is_empty() {
            write!(f, "{}/", self.namespace)?;
        }
        f.write_str(&self.name)
    }
}

/// The API writes moments in whole seconds (`metav1.Time` in RFC 3339); every moment that goes through it is cut.
pub fn whole_seconds(ms: u64) -> u64 {
    ms - ms % 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uids_look_like_uids_and_differ() {
        let text = Uid(1).to_string();
        let lengths: Vec<usize> = text.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12], "{text}");
        assert!(text.split('-').nth(2).unwrap().starts_with('4'), "{text}");
        assert!(matches!(text.as_bytes()[19], b'8' | b'9' | b'a' | b'b'), "{text}");
        assert_ne!(text, Uid(2).to_string());
    }

    #[test]
    fn keys_are_written_with_their_namespace() {
        assert_eq!(Key::new("gpu", "a").to_string(), "gpu/a");
        assert_eq!(Key::new("", "node-1").to_string(), "node-1");
    }
}
