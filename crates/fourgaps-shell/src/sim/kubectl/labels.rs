//! `kubectl label` and `annotate`. Source: `pkg/cmd/label` and `pkg/cmd/annotate` of kubectl.

use super::super::flags::{Flag, Takes};
use super::change::several;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::meta::Labels;
use fourgaps_cluster::object::{Id, Object};
use fourgaps_cluster::store::labels_of;
use serde_json::json;

pub(super) const FLAGS: [Flag; 10] = [
    NAMESPACE,
    Flag(&["-A", "--all-namespaces"], Takes::Nothing),
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["-f", "--filename"], Takes::Value),
    Flag(&["-o", "--output"], Takes::Value),
    Flag(&["--all"], Takes::Nothing),
    Flag(&["--dry-run"], Takes::Perhaps),
    Flag(&["--field-selector"], Takes::Value),
    Flag(&["--list"], Takes::Nothing),
    Flag(&["--overwrite"], Takes::Nothing),
];

/// It may always be written over.
const CHANGE_CAUSE: &str = "kubernetes.io/change-cause";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

pub(super) fn label(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    keys(session, true)
}

pub(super) fn annotate(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    keys(session, false)
}

/// What is to be set, and what is to be removed.
struct Wish {
    set: Labels,
    remove: Vec<String>,
}

fn keys(session: &mut Session<'_, '_>, labels: bool) -> Result<(), Stop> {
    let (field, what) = if labels { ("labels", "label") } else { ("annotations", "annotation") };
    let (words, changes) = parted(session.words(), what)?;
    let wish = wish(&changes, labels)?;
    let lists = session.args.has("--list");
    if words.is_empty() && session.args.value("-f").is_none() {
        return Stop::error(
            "error: one or more resources must be specified as <resource> <name> or <resource>/<name>",
        );
    }
    if session.args.has("--all") && session.args.value("-l").is_some() {
        return Stop::error("error: cannot set --all and --selector at the same time");
    }
    if wish.set.is_empty() && wish.remove.is_empty() && !lists {
        return Stop::error(format!("error: at least one {what} update is required"));
    }
    let (objects, mut errors) = session.meant(&words)?;
    let single = objects.len() == 1;
    for object in objects {
        let before = if labels { labels_of(&object).clone() } else { annotations_of(&object).clone() };
        if lists {
            let indent = if single { "" } else { " " };
            if !single {
                let (kind, name) = (object.kind(), object.key().name);
                let head = format!("Listing {field} for {}.{}/{name}:\n", kind.name(), kind.group());
                session.call.out(head);
            }
            let lines: String =
                before.iter().map(|(key, value)| format!("{indent}{key}={value}\n")).collect();
            session.call.out(lines);
            continue;
        }
        match one(session, &object, labels, before, &wish) {
            Err(Stop::Error(text)) => errors.push(text),
            done => done?,
        }
    }
    several(errors)
}

fn one(
    session: &mut Session<'_, '_>,
    object: &Object,
    labels: bool,
    before: Labels,
    wish: &Wish,
) -> Result<(), Stop> {
    if labels && session.dry()? != super::change::Dry::Client {
        for name in wish.remove.iter().filter(|name| !before.contains_key(*name)) {
            session.call.out(format!("label \"{name}\" not found.\n"));
        }
    }
    let overwrite = session.args.has("--overwrite");
    let other = |(name, value): &(&String, &String)| {
        let free = overwrite || !labels && *name == CHANGE_CAUSE;
        before.get(*name).filter(|old| !free && old != value).map(|old| (name.to_string(), old.clone()))
    };
    let others: Vec<(String, String)> = wish.set.iter().filter_map(|entry| other(&entry)).collect();
    if !others.is_empty() {
        let said = others.iter().map(|(name, old)| format!("'{name}' already has a value ({old})"));
        return Stop::error(match labels {
            true => {
                let said: Vec<String> = said.map(|one| format!("{one}, and --overwrite is false")).collect();
                let head = if said.len() == 1 { "error: " } else { "" };
                format!("{head}{}", said.join("\n"))
            }
            false => format!(
                "error: --overwrite is false but found the following declared annotation(s): {}",
                said.collect::<Vec<_>>().join("; ")
            ),
        });
    }
    let mut after = before.clone();
    after.extend(wish.set.clone());
    after.retain(|name, _| !wish.remove.contains(name));
    let field = if labels { "labels" } else { "annotations" };
    let (_, store) = session.rewrite(object, |live| {
        let mut live = live.clone();
        if let Some(meta) = live["metadata"].as_object_mut() {
            match after.is_empty() {
                true => drop(meta.remove(field)),
                false => drop(meta.insert(field.into(), json!(after))),
            }
        }
        Ok(live)
    })?;
    let shorter = json!(after).to_string().len() < json!(before).to_string().len();
    let word = match labels {
        true if after == before => "not labeled",
        true if shorter && !overwrite => "unlabeled",
        true => "labeled",
        false => "annotated",
    };
    session.report(&store, &Id { kind: object.kind(), key: object.key() }, word)
}

fn annotations_of(object: &Object) -> &Labels {
    match object {
        Object::Node(node) => &node.meta.annotations,
        Object::Pod(pod) => &pod.shape.annotations,
        Object::DaemonSet(set) => &set.meta.annotations,
        Object::Revision(revision) => &revision.meta.annotations,
        Object::Other(_, plain) => &plain.meta.annotations,
    }
}

/// Words that name objects, and those that name changes (`GetResourcesAndPairs`).
fn parted<'w>(words: &[&'w str], what: &str) -> Result<(Vec<&'w str>, Vec<&'w str>), Stop> {
    let is_change =
        |word: &str| word.contains('=') && !word.starts_with('=') || word.len() > 1 && word.ends_with('-');
    let at = words.iter().position(|word| is_change(word)).unwrap_or(words.len());
    if let Some(word) = words[at..].iter().find(|word| !is_change(word)) {
        return Stop::error(format!("error: all resources must be specified before {what} changes: {word}"));
    }
    Ok((words[..at].to_vec(), words[at..].to_vec()))
}

fn wish(changes: &[&str], labels: bool) -> Result<Wish, Stop> {
    let mut wish = Wish { set: Labels::new(), remove: Vec::new() };
    for change in changes {
        match change.split_once('=') {
            Some((_, value)) if labels && value.contains('=') => {
                return Stop::error(format!("error: invalid label spec: {change}"));
            }
            Some((_, value)) if labels && !is_label_value(value) => {
                return Stop::error(format!("error: invalid label value: \"{change}\": {LABEL_VALUE}"));
            }
            Some((name, value)) => drop(wish.set.insert(name.into(), value.into())),
            None => wish.remove.push(change.strip_suffix('-').unwrap_or(change).into()),
        }
    }
    let both: Vec<&str> =
        wish.remove.iter().filter(|name| wish.set.contains_key(*name)).map(String::as_str).collect();
    match both.as_slice() {
        [] => Ok(wish),
        _ if labels => Stop::error("error: can not both modify and remove a label in the same command"),
        both => Stop::error(format!(
            "error: can not both modify and remove the following annotation(s) in the same command: {}",
            both.join(", ")
        )),
    }
}

fn is_label_value(text: &str) -> bool {
    let edge = |c: Option<char>| c.is_none_or(|c| c.is_ascii_alphanumeric());
    text.len() <= 63
        && edge(text.chars().next())
        && edge(text.chars().last())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}
