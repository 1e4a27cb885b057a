//! How events become objects: client-go's `tools/record/events_cache.go`. Equal events are counted, many similar ones
//! are combined, and an object of which too much is told falls silent.

use crate::change::Change;
use crate::event::Note;
use crate::meta::{Uid, fingerprint};
use crate::object::Id;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// From so many different messages of one reason on, they are combined.
const MOST_SIMILAR: usize = 10;
/// Messages further apart than this are not similar, in milliseconds.
const SIMILAR_MS: u64 = 600_000;
/// So many events of one source about one object at once.
const BURST: u64 = 25;
/// Then one in this time, in milliseconds.
const REFILL_MS: u64 = 300_000;

/// What the recorder remembers of what was told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorder {
    /// By the object and its identity: one that was made anew under its name is another.
    of: BTreeMap<(Id, Option<Uid>), Vec<Source>>,
    told: u32,
}

/// What one source told about an object.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Source {
    name: Cow<'static, str>,
    tokens: u64,
    since_ms: u64,
    reasons: Vec<Reason>,
}

/// What it told for one reason: the different messages of late, and which event each message is. A message is remembered
/// by its fingerprint; the combined one has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reason {
    name: Cow<'static, str>,
    last_ms: u64,
    messages: Vec<u64>,
    known: Vec<(Option<u64>, u32)>,
}

impl Recorder {
    /// What becomes of something that is told now; nothing where the object's budget is used up. Who tells of versions of an
    /// object, as the scheduler does, tells something new of each (`tools/events`: the key has the resource's version).
    pub fn record(&mut self, mut note: Note, version: u64, now_ms: u64) -> Option<Change> {
        let sources = self.of.entry((note.about.clone(), note.uid)).or_default();
        let source = Source::find(sources, note.source.clone(), now_ms);
        let may_tell = source.may_tell(now_ms);
        let reason = Reason::find(&mut source.reasons, note.reason.clone());
        let print = fingerprint(&note.message) ^ version;
        let combined = reason.is_one_of_many(print, now_ms);
        if !may_tell {
            return None;
        }
        if combined {
            note.message = format!("(combined from similar events): {}", note.message);
        }
        let message = (!combined).then_some(print);
        if let Some((_, event)) = reason.known.iter().find(|(known, _)| *known == message) {
            return Some(Change::ToldAgain { event: *event, message: combined.then_some(note.message) });
        }
        reason.known.push((message, self.told));
        self.told += 1;
        Some(Change::Told(Box::new(note)))
    }

    /// Forgets an object that is gone.
    pub fn forget(&mut self, id: Id, uid: Uid) {
        self.of.remove(&(id.clone(), Some(uid)));
        self.of.remove(&(id, None));
    }
}

impl Source {
    fn find<'a>(sources: &'a mut Vec<Self>, name: Cow<'static, str>, now_ms: u64) -> &'a mut Self {
        let at = sources.iter().position(|source| source.name == name).unwrap_or_else(|| {
            sources.push(Self { name, tokens: BURST, since_ms: now_ms, reasons: Vec::new() });
            sources.len() - 1
        });
        &mut sources[at]
    }

    /// A bucket of tokens.
    fn may_tell(&mut self, now_ms: u64) -> bool {
        let refilled = (now_ms - self.since_ms) / REFILL_MS;
        self.tokens = (self.tokens + refilled).min(BURST);
        self.since_ms += refilled * REFILL_MS;
        let some = self.tokens > 0;
        self.tokens -= u64::from(some);
        some
    }
}

impl Reason {
    fn find<'a>(reasons: &'a mut Vec<Self>, name: Cow<'static, str>) -> &'a mut Self {
        let at = reasons.iter().position(|reason| reason.name == name).unwrap_or_else(|| {
            reasons.push(Self { name, ..Self::default() });
            reasons.len() - 1
        });
        &mut reasons[at]
    }

    fn is_one_of_many(&mut self, message: u64, now_ms: u64) -> bool {
        if now_ms.saturating_sub(self.last_ms) > SIMILAR_MS {
            self.messages.clear();
        }
        self.last_ms = now_ms;
        if !self.messages.contains(&message) {
            self.messages.push(message);
        }
        let many = self.messages.len() >= MOST_SIMILAR;
        if many {
            self.messages.remove(0);
        }
        many
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, Level};
    use crate::object::Kind;

    fn told(times: u32, apart_ms: u64, message: impl Fn(u32) -> String) -> Vec<Event> {
        let (mut recorder, mut events) = (Recorder::default(), Vec::<Event>::new());
        for n in 0..times {
            let note = Note {
                about: Id::new(Kind::DaemonSet, "gpu", "gpu-ds"),
                uid: None,
                level: Level::Warning,
                reason: "FailedCreate".into(),
                message: message(n),
                source: "daemonset-controller".into(),
            };
            let now_ms = u64::from(n) * apart_ms;
            match recorder.record(note, 0, now_ms) {
                Some(Change::Told(note)) => events.push(Event::new(*note, now_ms)),
                Some(Change::ToldAgain { event, message }) => {
                    events[event as usize].again(message.as_deref(), now_ms);
                }
                _ => {}
            }
        }
        events
    }

    #[test]
    fn equal_events_are_one() {
        let events = told(12, 1000, |_| "no class".into());
        assert_eq!(events.len(), 1);
        assert_eq!((events[0].count, events[0].last_ms), (12, 11_000));
    }

    /// As recorded for a quota, whose refusals name a new pod each time: nine events, then one for all others.
    #[test]
    fn similar_events_are_combined_from_the_tenth_on() {
        let events = told(14, 1000, |n| format!("pods \"gpu-ds-{n}\" is forbidden"));
        assert_eq!(events.len(), 10);
        assert_eq!(events[8].note.message, "pods \"gpu-ds-8\" is forbidden");
        assert_eq!(events[9].note.message, "(combined from similar events): pods \"gpu-ds-13\" is forbidden");
        assert_eq!(events[9].count, 5);
    }

    #[test]
    fn who_tells_too_much_falls_silent() {
        let events = told(40, 10, |_| "again".into());
        assert_eq!(events[0].count, 25);
        let events = told(40, 300_000, |_| "again".into());
        assert_eq!(events[0].count, 40);
    }
}
