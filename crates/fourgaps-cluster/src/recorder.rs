//! How events become objects: client-go's `tools/record/events_cache.go`. Equal events are counted, many similar ones
//! are combined, and an object of which too much is told falls silent.

use crate::change::Change;
use crate::event::{Level, Note};
use crate::meta::{Uid, fingerprint};
use crate::object::Id;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

/// From so many different messages of one reason on, they are combined.
const MOST_SIMILAR: usize = 10;
/// Messages further apart than this are not similar, in milliseconds.
const SIMILAR_MS: u64 = 600_000;
/// So many events of one type from one source about one object at once (`getSpamKey` of 1.34).
const BURST: u64 = 25;
/// Then one in this time, in milliseconds.
const REFILL_MS: u64 = 300_000;

/// What the recorder remembers of what was told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorder {
    /// By identity: an object that was made anew under its name is another.
    of: BTreeMap<Uid, Box<Subject>>,
    /// Where no identity is told.
    of_nobody: BTreeMap<Id, Box<Subject>>,
    told: u32,
}

/// What was told of an object. Every pod has one, so it is small: sources, reasons and messages are known by their prints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Subject {
    sources: Vec<Source>,
    reasons: Vec<Reason>,
    told: Vec<Told>,
    /// Events that were counted and not written: how often, by their numbers.
    missed: Vec<(Number, u32)>,
}

/// Who told of the object, in good words or in bad.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Source {
    print: u64,
    tokens: u64,
    since_ms: u64,
}

/// For which reason one told.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reason {
    /// Of the source and the reason.
    print: u64,
    last_ms: u64,
    /// The event into which many are combined.
    combined: Option<Number>,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    /// Of the source and the reason.
    reason: u64,
    print: u64,
    /// Which event it is, where it became one of its own.
    event: Option<Number>,
    /// True while it counts among those of late.
    late: bool,
}

/// The number of an event, one more than its place in the order of the first time.
type Number = NonZeroU32;

/// So many reasons a pod hears of that is placed and started, and nothing more.
const FEW: usize = 6;

/// Most lists here stay as short as they begin.
fn push<T>(list: &mut Vec<T>, item: T, few: usize) {
    if list.is_empty() {
        list.reserve_exact(few);
    }
    list.push(item);
}

impl Recorder {
    /// What becomes of something that is told now; nothing where the object's budget is used up. Who tells of versions of an
    /// object, as the scheduler does, tells something new of each (`tools/events`: the key has the resource's version).
    pub fn record(&mut self, mut note: Note, version: u64, now_ms: u64) -> Option<Change> {
        let subject = match note.uid {
            Some(uid) => self.of.entry(uid).or_default(),
            None => self.of_nobody.entry(note.about.clone()).or_default(),
        };
        let source = fingerprint(&note.source);
        let reason = source.rotate_left(1) ^ fingerprint(&note.reason);
        let of_type = source ^ u64::from(note.level == Level::Warning);
        let may_tell = Source::find(&mut subject.sources, of_type, now_ms).may_tell(now_ms);
        let print = fingerprint(&note.message) ^ version;
        let (combined, at) = subject.is_one_of_many(reason, print, now_ms);
        let event = if combined { &mut subject.reason(reason).combined } else { &mut subject.told[at].event };
        if !may_tell {
            // It is counted all the same, and the count is written with the next one (`eventObserve`).
            let event = (*event)?;
            match subject.missed.iter_mut().find(|(of, _)| *of == event) {
                Some((_, times)) => *times += 1,
                None => subject.missed.push((event, 1)),
            }
            return None;
        }
        if combined {
            note.message = format!("(combined from similar events): {}", note.message);
        }
        if let Some(event) = *event {
            let message = combined.then_some(note.message);
            let at = subject.missed.iter().position(|(of, _)| *of == event);
            let missed = at.map_or(0, |at| subject.missed.swap_remove(at).1);
            return Some(Change::ToldAgain { event: event.get() - 1, message, missed });
        }
        self.told += 1;
        *event = Number::new(self.told);
        Some(Change::Told(Arc::new(note)))
    }

    /// Forgets an object that is gone.
    pub fn forget(&mut self, id: &Id, uid: Uid) {
        self.of.remove(&uid);
        self.of_nobody.remove(id);
    }
}

impl Source {
    fn find(sources: &mut Vec<Self>, print: u64, now_ms: u64) -> &mut Self {
        let at = sources.iter().position(|source| source.print == print).unwrap_or_else(|| {
            push(sources, Self { print, tokens: BURST, since_ms: now_ms }, 2);
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

impl Subject {
    fn reason(&mut self, print: u64) -> &mut Reason {
        let at = self.reasons.iter().position(|reason| reason.print == print).unwrap_or_else(|| {
            push(&mut self.reasons, Reason { print, last_ms: 0, combined: None }, FEW);
            self.reasons.len() - 1
        });
        &mut self.reasons[at]
    }

    /// Whether a message is one of many of late for its reason, and where it is kept.
    fn is_one_of_many(&mut self, of: u64, print: u64, now_ms: u64) -> (bool, usize) {
        let last_ms = std::mem::replace(&mut self.reason(of).last_ms, now_ms);
        if now_ms.saturating_sub(last_ms) > SIMILAR_MS {
            self.told.retain(|told| told.reason != of || told.event.is_some());
            self.told.iter_mut().filter(|told| told.reason == of).for_each(|told| told.late = false);
        }
        let mut at = self.told.iter().position(|told| told.reason == of && told.print == print);
        // What is of late again is the youngest.
        if let Some(old) = at.filter(|at| !self.told[*at].late) {
            let told = self.told.remove(old);
            self.told.push(Told { late: true, ..told });
            at = Some(self.told.len() - 1);
        }
        let mut at = at.unwrap_or_else(|| {
            push(&mut self.told, Told { reason: of, print, event: None, late: true }, FEW);
            self.told.len() - 1
        });
        let is_late = |told: &&Told| told.reason == of && told.late;
        let many = self.told.iter().filter(is_late).count() >= MOST_SIMILAR;
        if many && let Some(oldest) = self.told.iter().position(|told| is_late(&told)) {
            self.told[oldest].late = false;
            // What never became an event is forgotten.
            if self.told[oldest].event.is_none() && oldest < at {
                self.told.remove(oldest);
                at -= 1;
            }
        }
        (many, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
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
                Some(Change::Told(note)) => events.push(Event::new(note, now_ms)),
                Some(Change::ToldAgain { event, message, missed }) => {
                    events[event as usize].again(message.as_deref(), missed, now_ms);
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

    /// What was not written is counted in the next one that is: `x93 over 24m`.
    #[test]
    fn what_is_not_written_is_counted() {
        let events = told(93, 15_652, |_| "no sandbox".into());
        assert!(events.len() == 1 && events[0].count > 25 + 1440 / 300, "{events:?}");
    }

    /// As recorded: 23 refusals leave room for as many good words (`describe-ds-rejected`).
    #[test]
    fn good_words_and_bad_ones_have_budgets_of_their_own() {
        let mut recorder = Recorder::default();
        let mut tell = |level, n: u32| {
            let note = Note {
                about: Id::new(Kind::DaemonSet, "gpu", "gpu-ds"),
                uid: None,
                level,
                reason: "x".into(),
                message: format!("{level:?} {}", n % 3),
                source: "daemonset-controller".into(),
            };
            recorder.record(note, 0, 0).is_some()
        };
        let count = |told: Vec<bool>| told.into_iter().filter(|told| *told).count();
        assert_eq!(count((0..40).map(|n| tell(Level::Warning, n)).collect()), 25);
        assert_eq!(count((0..40).map(|n| tell(Level::Normal, n)).collect()), 25);
    }
}
