//! `kubectl wait`: until a condition holds, an object is there or gone, in virtual time. Source: `pkg/cmd/wait` of kubectl 1.34.

use super::super::flags::{Flag, Takes};
use super::change::several;
use super::delete::uid_of;
use super::resources::object_of;
use super::rollout::span;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::object::{Id, Object};
use fourgaps_view::kubectl::{completed, jsonpath, manifest};
use serde_json::Value;

pub(super) const FLAGS: [Flag; 9] = [
    NAMESPACE,
    Flag(&["-A", "--all-namespaces"], Takes::Nothing),
    Flag(&["-f", "--filename"], Takes::Value),
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["-o", "--output"], Takes::Value),
    Flag(&["--all"], Takes::Nothing),
    Flag(&["--field-selector"], Takes::Value),
    Flag(&["--for"], Takes::Value),
    Flag(&["--timeout"], Takes::Value),
];

const USUAL_MS: u64 = 30_000;
/// A week, which a negative time stands for.
const WEEK_MS: u64 = 7 * 86_400_000;

/// What is waited for.
enum Goal {
    Create,
    Delete,
    /// A condition, and the status that it must have; both in any case of letters.
    Condition(String, String),
    /// A path, and the value that must be there, if not any.
    Path(jsonpath::Template, Option<String>),
}

impl Goal {
    fn read(text: &str) -> Result<Self, Stop> {
        let lower = text.to_lowercase();
        match lower.as_str() {
            "create" => return Ok(Self::Create),
            "delete" => return Ok(Self::Delete),
            _ => {}
        }
        if lower.starts_with("condition=") {
            let words = &text["condition=".len()..];
            let (name, status) = words.split_once('=').unwrap_or((words, "true"));
            return Ok(Self::Condition(name.into(), status.into()));
        }
        let Some(rest) = text.strip_prefix("jsonpath=") else {
            return Stop::error(format!("error: unrecognized condition: \"{text}\""));
        };
        let wrong = "error: jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'";
        let end = rest.rfind('}').map(|at| at + 1).ok_or(Stop::Error(wrong.into()))?;
        let (path, value) = rest.split_at(end);
        let value = match value.strip_prefix('=') {
            Some("") => return Stop::error("error: jsonpath wait value cannot be empty"),
            Some(value) => Some(value.trim_matches(['\'', '"']).to_string()),
            None if value.is_empty() => None,
            None => return Stop::error(wrong),
        };
        let template = jsonpath::Template::parse(path).map_err(|why| Stop::Error(format!("error: {why}")))?;
        Ok(Self::Path(template, value))
    }

    /// True where an object, or none, is what is waited for.
    fn is_met(&self, object: Option<&Object>) -> bool {
        match (self, object) {
            (Self::Delete, object) => object.is_none(),
            (Self::Create, object) => object.is_some(),
            (_, None) => false,
            (Self::Condition(name, status), Some(object)) => {
                let whole = manifest(object);
                let conditions = whole["status"]["conditions"].as_array();
                let named = conditions.into_iter().flatten().find(|one| has(one, "type", name));
                // What was said of an older generation does not count.
                let seen = whole["status"]["observedGeneration"].as_u64();
                let is_new = seen.is_none_or(|seen| whole["metadata"]["generation"].as_u64() <= Some(seen));
                is_new && named.is_some_and(|one| has(one, "status", status))
            }
            (Self::Path(path, value), Some(object)) => {
                let found = path.fill(&manifest(object));
                value.as_ref().map_or(!found.is_empty(), |value| found == *value)
            }
        }
    }
}

fn has(condition: &Value, field: &str, wanted: &str) -> bool {
    condition[field].as_str().is_some_and(|text| text.eq_ignore_ascii_case(wanted))
}

pub(super) fn wait(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    if session.args.value("-o").is_some_and(|form| form != "name") {
        return Err(Stop::NotSimulated("wait -o in another form than name".into()));
    }
    let goal = Goal::read(session.args.value("--for").unwrap_or_default())?;
    let timeout_ms = match session.args.value("--timeout") {
        None => USUAL_MS,
        Some(text) if text.starts_with('-') && span(&text[1..]).is_ok_and(|ms| ms > 0) => WEEK_MS,
        Some(text) => span(text)?,
    };
    let words = session.words().to_vec();
    let (ids, mut missing) = asked(session, &words, &goal)?;
    let count = ids.len() + missing.len();
    if matches!(goal, Goal::Delete) {
        missing.clear();
    } else if count == 0 {
        return Stop::error("error: no matching resources found");
    }
    for id in ids {
        let until_ms = session.call.world.world.now_ms() + timeout_ms;
        let met = until(session, &goal, &id, until_ms)?;
        let (kind, name) = (id.kind, &id.key.name);
        match (met, session.args.value("-o")) {
            (false, _) => missing
                .push(format!("error: timed out waiting for the condition on {}/{name}", kind.plural())),
            (true, None) => session.call.out(format!("{}/{name} condition met\n", kind.told())),
            (true, Some(_)) => session.call.out(format!("{}/{name}\n", kind.told())),
        }
    }
    several(missing)
}

/// The objects that are waited for, one after the other, and what is said of those that are not there. What is to come need
/// not be there.
fn asked(session: &Session<'_, '_>, words: &[&str], goal: &Goal) -> Result<(Vec<Id>, Vec<String>), Stop> {
    let all = session.args.has("--all")
        || ["-l", "--field-selector"].iter().any(|flag| session.args.value(flag).is_some());
    let (mut ids, mut missing) = (Vec::new(), Vec::new());
    for wanted in session.wanted(words)? {
        if wanted.names.is_empty() && !all {
            return Stop::error("error: resource(s) were provided, but no name was specified");
        }
        let (objects, gone) = session.find(&wanted)?;
        if matches!(goal, Goal::Create) && !wanted.names.is_empty() {
            let namespace = session.namespace_of(&wanted);
            ids.extend(wanted.names.iter().map(|name| Id::new(wanted.kind, &namespace, name)));
            continue;
        }
        missing.extend(gone);
        ids.extend(objects.iter().map(|object| Id { kind: object.kind(), key: object.key() }));
    }
    Ok((ids, missing))
}

/// Lets time pass until an object is as it is wished; false where the time is up before.
fn until(session: &mut Session<'_, '_>, goal: &Goal, id: &Id, until_ms: u64) -> Result<bool, Stop> {
    // One that is made again under the same name is another one.
    let first = object_of(&session.store, id).as_ref().map(uid_of);
    loop {
        let object = object_of(&session.store, id).map(|object| completed(&session.store, object));
        let gone = matches!(goal, Goal::Delete) && first.is_some() && object.as_ref().map(uid_of) != first;
        if gone || goal.is_met(object.as_ref()) {
            return Ok(true);
        }
        if session.call.world.world.now_ms() >= until_ms {
            return Ok(false);
        }
        session.call.world.step(until_ms);
        session.look()?;
    }
}
