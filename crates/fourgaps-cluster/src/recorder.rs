//! How events become objects: client-go's `tools/record/events_cache.go`. Equal events are counted, many similar ones
//! are combined, and an object of which too much is told falls silent.

use crate::change::Change;
use crate::event::Note;
use crate::object::Id;
use std::collections::{BTreeMap, BTreeSet};

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
    similar: BTreeMap<(Id, String, String), (u64, BTreeSet<String>)>,
    known: BTreeMap<(Id, String, String, Option<String>), u32>,
    budgets: BTreeMap<(Id, String), (u64, u64)>,
    told: u32,
}

impl Recorder {
    /// A recorder that goes on counting what was told already.
    pub fn after(events: &[crate::event::Event]) -> Self {
        let mut recorder = Self::default();
        for event in events {
            let note = &event.note;
            let names = (note.about.clone(), note.source.clone(), note.reason.clone());
            recorder.known.insert((names.0, names.1, names.2, Some(note.message.clone())), recorder.told);
            recorder.told += 1;
        }
        recorder
    }

    /// What becomes of something that is told now; nothing where the object's budget is used up.
    pub fn record(&mut self, mut note: Note, now_ms: u64) -> Option<Change> {
        let of_reason = (note.about.clone(), note.source.clone(), note.reason.clone());
        let (last_ms, messages) = self.similar.entry(of_reason.clone()).or_default();
        if now_ms.saturating_sub(*last_ms) > SIMILAR_MS {
            messages.clear();
        }
        *last_ms = now_ms;
        messages.insert(note.message.clone());
        let combined = messages.len() >= MOST_SIMILAR;
        if combined {
            messages.pop_first();
            note.message = format!("(combined from similar events): {}", note.message);
        }
        if !self.may_tell(&note, now_ms) {
            return None;
        }
        let (about, source, reason) = of_reason;
        let message = (!combined).then(|| note.message.clone());
        let known = (about, source, reason, message);
        if let Some(event) = self.known.get(&known) {
            return Some(Change::ToldAgain { event: *event, message: combined.then_some(note.message) });
        }
        self.known.insert(known, self.told);
        self.told += 1;
        Some(Change::Told(note))
    }

    /// A bucket of tokens for each source and object.
    fn may_tell(&mut self, note: &Note, now_ms: u64) -> bool {
        let budget = self.budgets.entry((note.about.clone(), note.source.clone()));
        let (tokens, since_ms) = budget.or_insert((BURST, now_ms));
        let refilled = (now_ms - *since_ms) / REFILL_MS;
        *tokens = (*tokens + refilled).min(BURST);
        *since_ms += refilled * REFILL_MS;
        let some = *tokens > 0;
        *tokens -= u64::from(some);
        some
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
            match recorder.record(note, now_ms) {
                Some(Change::Told(note)) => events.push(Event::new(note, now_ms)),
                Some(Change::ToldAgain { event, message }) => {
                    events[event as usize].again(message.as_deref(), now_ms)
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
