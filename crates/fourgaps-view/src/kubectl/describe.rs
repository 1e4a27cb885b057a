//! `kubectl describe`: what all kinds have in common.

use super::age;
use crate::moment;
use fourgaps_base::sort_by_key;
use fourgaps_cluster::EPOCH_MS;
use fourgaps_cluster::Store;
use fourgaps_cluster::event::Event;
use fourgaps_cluster::manifest::LAST_APPLIED;
use fourgaps_cluster::meta::{Labels, Uid};
use fourgaps_cluster::object::Id;
use fourgaps_cluster::spec::Amounts;

/// A moment as describe writes it (RFC 1123 with the zone as a number).
pub(crate) fn long_moment(ms: u64) -> String {
    moment::rfc1123(EPOCH_MS + ms)
}

/// `Title:\tkey=value` and the further ones under it.
pub(crate) fn labels(title: &str, labels: &Labels) -> String {
    let sign = if title == "Annotations" { ": " } else { "=" };
    let mut out = String::new();
    // What apply keeps for itself is never shown.
    for (at, (key, value)) in labels.iter().filter(|(key, _)| *key != LAST_APPLIED).enumerate() {
        let head = if at == 0 { format!("{title}:") } else { String::new() };
        out += &format!("{head}\t{key}{sign}{value}\n");
    }
    if out.is_empty() { format!("{title}:\t<none>\n") } else { out }
}

/// Amounts under a title, if there are any.
pub(crate) fn amounts(title: &str, indent: &str, amounts: &Amounts) -> String {
    let mut out = String::new();
    if !amounts.is_empty() {
        out += &format!("{title}\n");
    }
    for (name, amount) in amounts {
        out += &format!("{indent}{name}:\t{amount}\n");
    }
    out
}

/// The events of an object, oldest first, as describe finds them: by its uid, where it has one.
pub(crate) fn events(store: &Store, about: &Id, uid: Option<Uid>, now_ms: u64) -> String {
    let of = |event: &&Event| event.note.about == *about && (uid.is_none() || event.note.uid == uid);
    let mut found: Vec<&Event> = store.events().iter().filter(of).collect();
    if found.is_empty() {
        return "Events:\t<none>\n".into();
    }
    sort_by_key(&mut found, |event| event.last_ms);
    let mut out =
        "Events:\n  Type\tReason\tAge\tFrom\tMessage\n  ----\t------\t----\t----\t-------\n".to_string();
    for event in found {
        let last = age(now_ms.saturating_sub(event.last_ms));
        let when = match event.count {
            0 | 1 => age(now_ms.saturating_sub(event.first_ms)),
            count => format!("{last} (x{count} over {})", age(now_ms.saturating_sub(event.first_ms))),
        };
        let note = &event.note;
        out += &format!(
            "  {}\t{}\t{when}\t{}\t{}\n",
            note.level.name(),
            note.reason,
            note.source,
            note.message.trim()
        );
    }
    out
}
