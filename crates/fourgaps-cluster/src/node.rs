//! A node as the API server knows it.

use crate::meta::Meta;
use crate::spec::Amounts;
use crate::taint::Taint;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// The status of a condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not.
    #[default]
    False,
    /// Nobody says.
    Unknown,
}

impl Truth {
    /// The word of the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
        }
    }
}

/// Why something is so, in one word and in one sentence. Most of what is as it should be says neither, and then takes no room.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why(Option<Box<(Cow<'static, str>, String)>>);

impl Why {
    /// This word and this sentence; either may be empty.
    pub fn new(reason: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        let (reason, message) = (reason.into(), message.into());
        Self((!reason.is_empty() || !message.is_empty()).then(|| Box::new((reason, message))))
    }

    /// The word.
    pub fn reason(&self) -> &str {
        self.0.as_ref().map_or("", |both| &both.0)
    }

    /// The sentence.
    pub fn message(&self) -> &str {
        self.0.as_ref().map_or("", |both| &both.1)
    }

    /// True where nothing is said.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

/// One line of `status.conditions`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// Such as `Ready`.
    pub kind: Cow<'static, str>,
    /// Whether it holds.
    pub status: Truth,
    /// `reason` and `message`.
    #[serde(default, skip_serializing_if = "Why::is_empty")]
    pub why: Why,
    /// Since when the status is so, in milliseconds, whole seconds.
    #[serde(default)]
    pub since_ms: u64,
    /// When somebody last spoke of it, in milliseconds.
    #[serde(default)]
    pub heard_ms: u64,
}

/// A machine of the cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Its metadata; the name is the name of the machine.
    pub meta: Meta,
    /// `spec.taints`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taints: Vec<Taint>,
    /// `spec.unschedulable`: cordoned.
    #[serde(default)]
    pub unschedulable: bool,
    /// What the machine has.
    pub capacity: Amounts,
    /// What pods may use of it.
    pub allocatable: Amounts,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
    /// `status.nodeInfo` and what else is only shown.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub info: Value,
}

impl Node {
    /// A healthy node that nothing was said about but its name.
    pub fn new(name: &str) -> Self {
        let ready = Condition { kind: "Ready".into(), status: Truth::True, ..Condition::default() };
        Self { meta: Meta::new("", name), conditions: vec![ready], ..Self::default() }
    }

    /// A condition by its kind.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.kind == kind)
    }

    /// The status of `Ready`.
    pub fn ready(&self) -> Truth {
        self.condition("Ready").map_or(Truth::Unknown, |condition| condition.status)
    }

    /// Sets a condition; the moment stays where the status does not change.
    pub fn set_condition(&mut self, new: Condition) {
        match self.conditions.iter_mut().find(|old| old.kind == new.kind) {
            Some(old) => {
                let since_ms = if old.status == new.status { old.since_ms } else { new.since_ms };
                *old = Condition { since_ms, ..new };
            }
            None => self.conditions.push(new),
        }
    }

    /// Adds a taint, or replaces the one of the same key and effect.
    pub fn add_taint(&mut self, taint: Taint) {
        let same = |old: &&mut Taint| old.key == taint.key && old.effect == taint.effect;
        match self.taints.iter_mut().find(same) {
            Some(old) => *old = taint,
            None => self.taints.push(taint),
        }
    }
}
