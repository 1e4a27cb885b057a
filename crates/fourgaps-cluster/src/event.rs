//! Events: what a part of the cluster told about an object.

use crate::meta::Uid;
use crate::object::Id;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// How much an event asks for attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// All is well.
    Normal,
    /// Something is wrong.
    Warning,
}

impl Level {
    /// The word in the column TYPE.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "Normal",
            Self::Warning => "Warning",
        }
    }
}

/// One thing that was told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// About which object.
    pub about: Id,
    /// Its identity; `None` for the events that `kubectl describe` therefore does not find.
    pub uid: Option<Uid>,
    /// Normal or warning.
    pub level: Level,
    /// One word.
    pub reason: Cow<'static, str>,
    /// One sentence.
    pub message: String,
    /// Who told it, such as `daemonset-controller`.
    pub source: Cow<'static, str>,
}

/// Equal things that were told, as one object of the API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// What was told.
    pub note: Arc<Note>,
    /// How often.
    pub count: u32,
    /// The first time, in milliseconds.
    pub first_ms: u64,
    /// The last time, in milliseconds.
    pub last_ms: u64,
}

impl Event {
    /// Something told for the first time.
    pub fn new(note: Arc<Note>, at_ms: u64) -> Self {
        Self { note, count: 1, first_ms: at_ms, last_ms: at_ms }
    }

    /// The same told again, and so often in between that it was not written.
    pub fn again(&mut self, message: Option<&str>, missed: u32, at_ms: u64) {
        (self.count, self.last_ms) = (self.count + 1 + missed, at_ms);
        if let Some(message) = message {
            Arc::make_mut(&mut self.note).message = message.into();
        }
    }
}
