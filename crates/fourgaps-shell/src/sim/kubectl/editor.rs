//! `kubectl edit`: the editor of the environment on a file, and then what became of the object in it. Source:
//! `pkg/cmd/util/editor` of kubectl.
//!
//! The editor is run by the shell, so the program runs as a script: it writes the file, the editor changes it, and the program is
//! called again with what stood in it before. Where the result is not valid, the file is opened again with the reason on top.

use super::super::flags::{Flag, Takes};
use super::edit::only;
use super::resources::not_found;
use super::{NAMESPACE, Session, Stop};
use crate::world::World;
use fourgaps_base::FileEdit;
use fourgaps_cluster::CONTROL;
use fourgaps_cluster::manifest::{Problem, Way, as_written, documents};
use fourgaps_cluster::object::{Id, Kind, Object};
use fourgaps_view::kubectl::{manifest, yaml};
use serde_json::{Map, Value};

/// The last ones are how the script of an edit calls the program again.
pub(super) const FLAGS: [Flag; 5] = [
    NAMESPACE,
    Flag(&["--edited-file"], Takes::Value),
    Flag(&["--edited-before"], Takes::Value),
    Flag(&["--edited-again"], Takes::Value),
    Flag(&["--edited-status"], Takes::Value),
];

const HEADER: &str = "# Please edit the object below. Lines beginning with a '#' will be ignored,\n# and an empty file will abort the edit. If an error occurs while saving this file will be\n# reopened with the relevant failures.\n#\n";
/// The status by which the script is told to open the editor again.
const AGAIN: i32 = 213;
const NAMES: [&str; 2] = ["KUBE_EDITOR", "EDITOR"];

/// The script of an edit, where an editor is set.
pub(super) fn script(session: &mut Session<'_, '_>) -> Option<String> {
    let editor = NAMES.iter().find_map(|name| session.call.env(name));
    let editor = editor.filter(|editor| !editor.trim().is_empty())?;
    if session.args.value("--edited-file").is_some() {
        return None;
    }
    let words = session.words().to_vec();
    let (id, object) = only(session, &words).ok()?;
    let text = format!("{HEADER}{}", yaml(&manifest(&object?)));
    // The real one draws a number.
    let path = format!("/tmp/kubectl-edit-{}.yaml", 1_000_000_000 + session.now_ms);
    session.call.world.edit(CONTROL, FileEdit::write(&path, text)).ok()?;
    let namespace = if id.kind.is_namespaced() { id.key.namespace.as_ref() } else { "default" };
    let (kind, name) = (id.kind.told(), &id.key.name);
    Some(format!(
        "again=0\nwhile :; do\nbefore=$(cat {path})\n{editor} {path}\nstatus=$?\n\
         kubectl edit {kind}/{name} -n {namespace} --edited-file={path} --edited-before=\"$before\" \
         --edited-again=$again --edited-status=$status\nstatus=$?\n\
         [ $status = {AGAIN} ] || exit $status\nagain=1\ndone"
    ))
}

pub(super) fn edit(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let words = session.words().to_vec();
    let (id, object) = only(session, &words)?;
    let Some(object) = object else { return Stop::error(not_found(&id)) };
    match session.args.value("--edited-file").map(String::from) {
        Some(path) => edited(session, &id, &object, &path),
        None => into_file(session, &id, object),
    }
}

/// Where no editor is set, the file is written, and what applies it is said: the page's own editor opens it.
fn into_file(session: &mut Session<'_, '_>, id: &Id, object: Object) -> Result<(), Stop> {
    if matches!(object.kind(), Kind::Pod | Kind::Node | Kind::ControllerRevision | Kind::Event) {
        return Err(Stop::NotSimulated(format!("edit of a {}", object.kind().singular())));
    }
    let path = format!("/tmp/kubectl-edit-{}-{}.yaml", id.kind.singular(), id.key.name);
    let mut written = as_written(&session.store.get(id).unwrap_or(object));
    if let Some(entries) = written.as_object_mut() {
        entries.remove("status");
    }
    write(session, &path, yaml(&written))?;
    Err(Stop::NotSimulated(format!(
        "edit: {} is in {path}; change it there and run `kubectl replace -f {path}`. An editor in this terminal",
        id.key.name
    )))
}

fn write(session: &mut Session<'_, '_>, path: &str, text: String) -> Result<(), Stop> {
    let done = session.call.world.edit(CONTROL, FileEdit::write(path, text));
    done.map(drop).map_err(|_| Stop::NotSimulated(format!("edit without a place for {path}")))
}

/// The lines of a text that are no comments.
fn bare(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

/// What becomes of an object when its editor has ended.
fn edited(session: &mut Session<'_, '_>, id: &Id, object: &Object, path: &str) -> Result<(), Stop> {
    let value = |flag: &str| session.args.value(flag).unwrap_or_default().to_string();
    let (before, again) = (value("--edited-before"), value("--edited-again") == "1");
    let editor = NAMES.iter().find_map(|name| session.call.env(name)).unwrap_or_default();
    match value("--edited-status").as_str() {
        "0" => {}
        "127" => return Stop::error(format!("error: unable to launch the editor \"{editor} {path}\"")),
        _ => return Stop::error(format!("error: there was a problem with the editor \"{editor} {path}\"")),
    }
    let text = session.text_of(path).unwrap_or_default();
    let same = match (documents(&before), documents(&text)) {
        (Ok(before), Ok(after)) => before == after,
        _ => bare(&before).trim_end() == bare(&text).trim_end(),
    };
    let kept = format!("A copy of your changes has been stored to \"{path}\"\n");
    if again && same {
        session.call.err(kept);
        return Stop::error("error: Edit cancelled, no valid changes were saved.");
    }
    let end = |session: &mut Session<'_, '_>, said: &str| {
        // A file that is gone already is not missed.
        let _ = session.call.world.edit(CONTROL, FileEdit::Remove(path.into()));
        session.call.err(said);
        Ok(())
    };
    if same {
        return end(session, "Edit cancelled, no changes made.\n");
    }
    if bare(&text).trim().is_empty() {
        return end(session, "Edit cancelled, saved file was empty.\n");
    }
    let new = match documents(&text) {
        Ok(mut all) if all.len() == 1 => all.remove(0),
        Ok(_) => return Err(Stop::NotSimulated("an edit that makes several objects of one".into())),
        Err(why) => {
            let (line, words) = (why.line, why.words);
            let why = format!(
                "# The edited file had a syntax error: error parsing edited-file: error converting YAML to JSON: yaml: line {line}: {words}\n#\n"
            );
            write(session, path, format!("{HEADER}{why}{}", bare(&text)))?;
            return Err(Stop::Status(AGAIN));
        }
    };
    let old = manifest(object);
    let names = ["/apiVersion", "/kind", "/metadata/name", "/metadata/namespace"];
    if names.iter().any(|place| old.pointer(place) != new.pointer(place)) {
        session.call.err(kept);
        return Stop::error("error: At least one of apiVersion, kind and name was changed");
    }
    let Some(live) = session.store.get(id) else { return Stop::error(not_found(id)) };
    let written = as_written(&live);
    let patch = difference(&settable(old), &settable(new));
    let after = Way::Merge.apply(&written, &patch).unwrap_or_else(|| written.clone());
    let done = match after == written {
        true => Ok(Vec::new()),
        false => session.api(|cluster| cluster.replace(id.kind, &live, &after))?,
    };
    let resource = match id.kind.group() {
        "" => id.kind.plural().to_string(),
        group => format!("{}.{group}", id.kind.plural()),
    };
    let named = format!("{resource} \"{}\"", id.key.name);
    let why = match done {
        Ok(warnings) => {
            for warning in warnings {
                session.call.err(format!("Warning: {warning}\n"));
            }
            session.call.out(format!("{}/{} edited\n", id.kind.told(), id.key.name));
            return end(session, "");
        }
        Err(Problem::Invalid(faults)) => {
            session.call.err(format!("error: {named} is invalid\n"));
            let faults: String = faults.iter().map(|fault| format!("# * {fault}\n")).collect();
            let why = format!("# {named} was not valid:\n{faults}#\n");
            write(session, path, format!("{HEADER}{why}{}", bare(&text)))?;
            return Err(Stop::Status(AGAIN));
        }
        Err(Problem::NotSimulated(what)) => return Err(Stop::NotSimulated(what)),
        Err(Problem::Undecodable(why)) => why,
        Err(Problem::Refused(refusal)) => refusal.to_string(),
    };
    session.call.err(format!("error: {named} could not be patched: {why}\n"));
    session.call.err(format!("You can run `kubectl replace -f {path}` to try this update again.\n"));
    Err(Stop::Status(1))
}

/// An object without what a server keeps to itself.
fn settable(mut whole: Value) -> Value {
    const KEPT: [&str; 8] = [
        "creationTimestamp",
        "deletionGracePeriodSeconds",
        "deletionTimestamp",
        "generation",
        "ownerReferences",
        "resourceVersion",
        "selfLink",
        "uid",
    ];
    if let Some(entries) = whole.as_object_mut() {
        entries.remove("status");
    }
    if let Some(meta) = whole["metadata"].as_object_mut() {
        meta.retain(|name, _| !KEPT.contains(&name.as_str()));
    }
    whole
}

/// The merge patch from one value to another.
fn difference(old: &Value, new: &Value) -> Value {
    let (Value::Object(old), Value::Object(new)) = (old, new) else { return new.clone() };
    let mut patch = Map::new();
    for name in old.keys().filter(|name| !new.contains_key(*name)) {
        patch.insert(name.clone(), Value::Null);
    }
    for (name, value) in new {
        match old.get(name) {
            Some(before) if before == value => {}
            Some(before) => drop(patch.insert(name.clone(), difference(before, value))),
            None => drop(patch.insert(name.clone(), value.clone())),
        }
    }
    Value::Object(patch)
}
