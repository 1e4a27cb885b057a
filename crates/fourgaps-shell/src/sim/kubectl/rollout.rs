//! `kubectl rollout`.

use super::super::flags::{Flag, Takes};
use super::change::{Dry, several};
use super::resources::refused;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::Change;
use fourgaps_cluster::daemonset::{DaemonSet, DaemonStatus};
use fourgaps_cluster::meta::Key;
use fourgaps_cluster::object::{Id, Kind, Object};
use fourgaps_cluster::rollout::{Progress, progress, target, undo};
use fourgaps_view::kubectl::{rollout as words, template_text};
use serde_json::json;
use std::sync::Arc;

pub(super) const FLAGS: [Flag; 8] = [
    NAMESPACE,
    Flag(&["-f", "--filename"], Takes::Value),
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["--timeout"], Takes::Value),
    Flag(&["-w", "--watch"], Takes::Perhaps),
    Flag(&["--to-revision"], Takes::Value),
    Flag(&["--revision"], Takes::Value),
    Flag(&["--dry-run"], Takes::Perhaps),
];

/// How long `status` watches where it is given no time, in milliseconds; the real one watches for ever.
const LONGEST_MS: u64 = 3_600_000;
/// The annotation that a restart writes into the template.
pub(super) const RESTARTED: &str = "kubectl.kubernetes.io/restartedAt";

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let words = session.words().to_vec();
    let Some((verb, rest)) = words.split_first() else {
        return Err(Stop::NotSimulated("rollout without a verb".into()));
    };
    if !["history", "pause", "restart", "resume", "status", "undo"].contains(verb) {
        return Err(Stop::NotSimulated(format!("rollout {verb}")));
    }
    if rest.is_empty() && session.args.value("-f").is_none() {
        return Stop::error("error: required resource not specified");
    }
    if number(session, "--revision")?.is_none() {
        let text = session.args.value("--revision").unwrap_or_default();
        return Stop::error(format!("error: revision must be a positive integer: {text}"));
    }
    let (groups, mut errors) = session.groups(rest)?;
    let objects: Vec<Object> = groups.into_iter().flat_map(|group| group.objects).collect();
    if objects.is_empty() && errors.is_empty() && !["history", "undo"].contains(verb) {
        session.call.err(format!("No resources found in {} namespace.\n", session.namespace()));
    }
    for object in objects {
        match of_one(session, verb, &object) {
            // A verb that only looks stops at the first error.
            Err(Stop::Error(text)) if !["status", "history", "undo"].contains(verb) => errors.push(text),
            done => done?,
        }
    }
    several(errors)
}

fn of_one(session: &mut Session<'_, '_>, verb: &str, object: &Object) -> Result<(), Stop> {
    if let Object::Other(Kind::Deployment, plain) = object {
        return super::rollout_deployment::run(session, verb, plain);
    }
    let (kind, name) = (object.kind(), object.key().name);
    let resource = match kind.group() {
        "" => kind.plural().to_string(),
        group => format!("{}.{group}", kind.plural()),
    };
    let unable = |doing: &str| Stop::error(format!("error: {resource} \"{name}\" {doing} is not supported"));
    match (verb, object) {
        ("pause", _) => unable("pausing"),
        ("resume", _) => unable("resuming"),
        ("status", Object::DaemonSet(set)) => status(session, set.clone()),
        ("history", Object::DaemonSet(set)) => history(session, set),
        ("undo", Object::DaemonSet(set)) => back(session, set),
        ("restart", Object::DaemonSet(set)) => restart(session, set),
        ("restart", _) => unable("restarting"),
        ("status", _) => {
            Stop::error(format!("error: no status viewer has been implemented for {}", kind.name()))
        }
        ("history", _) => {
            Stop::error(format!("error: no history viewer has been implemented for \"{}\"", kind.name()))
        }
        _ => Stop::error(format!("error: no rollbacker has been implemented for \"{}\"", kind.name())),
    }
}

/// One line for the state now, and one for every change that the watch brings.
fn status(session: &mut Session<'_, '_>, mut set: Arc<DaemonSet>) -> Result<(), Stop> {
    let key = set.meta.key();
    if tell(session, &set)? {
        return Ok(());
    }
    follow(session, |session, change| {
        match changed(change, &key) {
            Some(Seen::Status(status)) => Arc::make_mut(&mut set).status = status,
            Some(Seen::Whole(new)) => set = new,
            Some(Seen::Gone) => return Stop::error("error: object has been deleted"),
            None => return Ok(false),
        }
        tell(session, &set)
    })
}

/// Hands on every change until somebody says that nothing more is to come, or the time is up; at once where nobody watches.
pub(super) fn follow<'c>(
    session: &mut Session<'_, 'c>,
    mut look: impl FnMut(&mut Session<'_, 'c>, Change) -> Result<bool, Stop>,
) -> Result<(), Stop> {
    let timeout = session.args.value("--timeout").map(span).transpose()?.filter(|ms| *ms > 0);
    if matches!(session.args.value("--watch").or(session.args.value("-w")), Some("false")) {
        return Ok(());
    }
    let until_ms = session.now_ms + timeout.unwrap_or(LONGEST_MS);
    loop {
        let now_ms = session.call.world.world.now_ms();
        if now_ms >= until_ms {
            return match timeout {
                Some(_) => Stop::error("error: timed out waiting for the condition"),
                None => Err(Stop::Interrupted(
                    "nothing has changed for long; stopped after an hour, as by Ctrl+C".into(),
                )),
            };
        }
        for fact in session.call.world.step(until_ms) {
            if look(session, fact.change)? {
                return Ok(());
            }
        }
    }
}

/// Prints the line; true where nothing more is to come.
fn tell(session: &mut Session<'_, '_>, set: &DaemonSet) -> Result<bool, Stop> {
    let progress = progress(set);
    let line = words::status_line(&set.meta.name, progress);
    if progress == Progress::OnDelete {
        return Stop::error(line);
    }
    session.call.out(format!("{line}\n"));
    Ok(progress == Progress::Done)
}

enum Seen {
    Status(DaemonStatus),
    Whole(Arc<DaemonSet>),
    Gone,
}

/// What a change says of the DaemonSet that is watched.
fn changed(change: Change, watched: &Key) -> Option<Seen> {
    match change {
        Change::DaemonStatus { key, status } if key == *watched => Some(Seen::Status(*status)),
        Change::Put(Object::DaemonSet(set)) if set.meta.key() == *watched => Some(Seen::Whole(set)),
        Change::Gone(Id { kind: Kind::DaemonSet, key }) if key == *watched => Some(Seen::Gone),
        _ => None,
    }
}

/// A span as Go writes it: `90s`, `1m30s`, `2h`; a bare number is seconds.
pub(super) fn span(text: &str) -> Result<u64, Stop> {
    let wrong = || {
        Stop::Error(format!(
            "error: invalid argument \"{text}\" for \"--timeout\" flag: time: invalid duration \"{text}\""
        ))
    };
    if let Ok(seconds) = text.parse::<u64>() {
        return Ok(seconds * 1000);
    }
    let (mut ms, mut rest) = (0_u64, text);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let number: u64 = rest[..end].parse().map_err(|_| wrong())?;
        let unit_end = rest[end..].find(|c: char| c.is_ascii_digit()).map_or(rest.len(), |at| end + at);
        ms += number
            * match &rest[end..unit_end] {
                "ms" => 1,
                "s" => 1000,
                "m" => 60_000,
                "h" => 3_600_000,
                _ => return Err(wrong()),
            };
        rest = &rest[unit_end..];
    }
    Ok(ms)
}

/// The number of a flag, 0 where it is not given; nothing where it is below that.
pub(super) fn number(session: &Session<'_, '_>, flag: &str) -> Result<Option<u64>, Stop> {
    let Some(text) = session.args.value(flag) else { return Ok(Some(0)) };
    let verb = session.words().first().copied().unwrap_or_default();
    let number: i64 = text.parse().map_err(|_| {
        Stop::Error(format!(
            "error: invalid argument \"{text}\" for \"{flag}\" flag: strconv.ParseInt: parsing \"{text}\": invalid syntax\nSee 'kubectl rollout {verb} --help' for usage."
        ))
    })?;
    Ok(u64::try_from(number).ok())
}

fn history(session: &mut Session<'_, '_>, set: &DaemonSet) -> Result<(), Stop> {
    let wanted = number(session, "--revision")?.unwrap_or(0);
    let revisions = session.store.revisions_of(set.meta.uid);
    let name = &set.meta.name;
    let text = match wanted {
        0 => words::history(name, &revisions),
        wanted => {
            let Some(revision) = revisions.iter().find(|revision| revision.number == wanted) else {
                return Stop::error("error: unable to find the specified revision");
            };
            format!("daemonset.apps/{name} with revision #{wanted}\n{}\n", template_text(&revision.template))
        }
    };
    session.call.out(text);
    Ok(())
}

fn back(session: &mut Session<'_, '_>, set: &DaemonSet) -> Result<(), Stop> {
    let Some(revision) = number(session, "--to-revision")? else {
        let text = session.args.value("--to-revision").unwrap_or_default();
        return Stop::error(format!("error: unable to find specified revision {text} in history"));
    };
    let key = set.meta.key();
    if session.dry()? != Dry::No {
        let copy = session.copy()?;
        return match target(&copy, set, revision) {
            Ok(target) if session.dry()? == Dry::Client => {
                let text = template_text(&target.template);
                session.call.out(format!("daemonset.apps/{} will roll back to {text} (dry run)\n", key.name));
                Ok(())
            }
            Ok(_) => {
                let (done, _) = session.try_api(|cluster| undo(cluster, &key, revision))?;
                let text = done.map(|end| words::undone(&key.name, &end).0);
                let text = text.unwrap_or_else(|refusal| refused(&refusal, ""));
                session.call.out(format!("{text} (server dry run)\n"));
                Ok(())
            }
            Err(end) => Stop::error(words::undone(&key.name, &end).0),
        };
    }
    let done = session.api(|cluster| undo(cluster, &key, revision))?;
    let (text, is_error) = match done {
        Ok(end) => words::undone(&key.name, &end),
        Err(refusal) => (refused(&refusal, ""), true),
    };
    if is_error {
        return Stop::error(text);
    }
    session.call.out(format!("{text}\n"));
    Ok(())
}

fn restart(session: &mut Session<'_, '_>, set: &Arc<DaemonSet>) -> Result<(), Stop> {
    let at = fourgaps_view::kubectl::moment_text(session.now_ms);
    let patch = json!({ "spec": { "template": { "metadata": { "annotations": { RESTARTED: at } } } } });
    if !session.merge(&Object::DaemonSet(set.clone()), &patch)?.0 {
        return Stop::error(restarted_already(&set.meta.name));
    }
    session.call.out(format!("daemonset.apps/{} restarted\n", set.meta.name));
    Ok(())
}

/// Two restarts within a second would be one.
pub(super) fn restarted_already(name: &str) -> String {
    format!(
        "error: failed to create patch for {name}: if restart has already been triggered within the past second, please wait before attempting to trigger another"
    )
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn spans_are_read_as_go_writes_them() {
        for (text, ms) in
            [("90s", 90_000), ("1m30s", 90_000), ("2h", 7_200_000), ("5", 5_000), ("500ms", 500)]
        {
            assert_eq!(span(text).ok(), Some(ms), "{text}");
        }
        assert!(span("x").is_err() && span("5d").is_err());
    }
}
