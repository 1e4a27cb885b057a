//! Verbs that change a part of an object: `label`, `annotate`, `taint`, `cordon`, `uncordon`, `patch`, `set image`,
//! `scale`.

use super::super::flags::{Flag, Takes};
use super::resources::{Wanted, not_found, wanted};
use super::write::told;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::manifest::Problem;
use fourgaps_cluster::meta::Labels;
use fourgaps_cluster::object::{Id, Kind, Object};
use fourgaps_cluster::read::{items, part, text};
use fourgaps_cluster::taint::{Effect, Taint};
use serde_json::{Value, json};

pub(super) const FLAGS: [Flag; 6] = [
    NAMESPACE,
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["--all"], Takes::Nothing),
    Flag(&["--overwrite"], Takes::Nothing),
    Flag(&["-p", "--patch"], Takes::Value),
    Flag(&["--type"], Takes::Value),
];
pub(super) const SCALE_FLAGS: [Flag; 2] = [NAMESPACE, Flag(&["--replicas"], Takes::Value)];

/// `KIND NAME… CHANGE…`: words with `=`, or with `-` at their end, are changes.
fn split<'w>(words: &[&'w str], is_change: fn(&str) -> bool) -> (Vec<&'w str>, Vec<&'w str>) {
    let at = words.iter().skip(1).position(|word| is_change(word)).map_or(words.len(), |at| at + 1);
    (words[..at].to_vec(), words[at..].to_vec())
}

/// The objects that are meant; all of them must be there.
fn meant(session: &Session<'_, '_>, words: &[&str]) -> Result<Vec<Object>, Stop> {
    let mut found = Vec::new();
    for wanted in &wanted(words)? {
        if wanted.names.is_empty() && !session.args.has("--all") && session.args.value("-l").is_none() {
            return Stop::error("error: resource(s) were provided, but no name was specified");
        }
        let (objects, missing) = session.find(wanted)?;
        if let Some(first) = missing.first() {
            return Stop::error(first);
        }
        found.extend(objects);
    }
    Ok(found)
}

pub(super) fn label(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    keys(session, "labels", "label")
}

pub(super) fn annotate(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    keys(session, "annotations", "annotat")
}

fn keys(session: &mut Session<'_, '_>, field: &'static str, verb: &str) -> Result<(), Stop> {
    let is_change = |word: &str| word.contains('=') || word.ends_with('-');
    let (words, changes) = split(session.words(), is_change);
    if changes.is_empty() {
        return Err(Stop::NotSimulated(format!("{verb} without a change")));
    }
    let overwrite = session.args.has("--overwrite");
    for object in meant(session, &words)? {
        let (kind, key) = (object.kind(), object.key());
        let before = match field {
            "labels" => fourgaps_cluster::store::labels_of(&object).clone(),
            _ => annotations_of(&object).clone(),
        };
        let mut after = before.clone();
        let mut removed = false;
        for change in &changes {
            match change.split_once('=') {
                Some((name, value)) => {
                    if let Some(old) = before.get(name).filter(|old| *old != value && !overwrite) {
                        return Stop::error(format!(
                            "error: '{name}' already has a value ({old}), and --overwrite is false"
                        ));
                    }
                    after.insert(name.into(), value.into());
                }
                None => {
                    let name = change.trim_end_matches('-');
                    if after.remove(name).is_none() {
                        session.call.out(format!("{} \"{name}\" not found.\n", field.trim_end_matches('s')));
                    }
                    removed = true;
                }
            }
        }
        let same = after == before;
        if !same {
            session.change(
                &object,
                |written| written["metadata"][field] = json!(after),
                |labels, annotations| {
                    *if field == "labels" { labels } else { annotations } = after.clone();
                },
            )?;
        }
        let word = match (field, same, removed) {
            ("labels", true, _) => "not labeled",
            ("labels", _, true) => "unlabeled",
            ("labels", ..) => "labeled",
            _ => "annotated",
        };
        session.call.out(format!("{}/{} {word}\n", kind.told(), key.name));
    }
    Ok(())
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

pub(super) fn taint(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let (words, changes) =
        split(session.words(), |word| word.contains(':') || word.contains('=') || word.ends_with('-'));
    if changes.is_empty() {
        return Stop::error("error: at least one taint update is required");
    }
    let overwrite = session.args.has("--overwrite");
    for object in meant(session, &words)? {
        let Object::Node(node) = &object else {
            return Err(Stop::NotSimulated(format!("taint {}", object.kind().plural())));
        };
        let name = node.meta.name.to_string();
        let mut taints = node.taints.clone();
        let mut word = "tainted";
        for change in &changes {
            if let Some(gone) = change.strip_suffix('-') {
                let before = taints.len();
                let (key, effect) =
                    gone.split_once(':').map_or((gone, None), |(key, effect)| (key, Some(effect)));
                let key = key.split('=').next().unwrap_or_default();
                taints.retain(|taint| {
                    taint.key != key || effect.is_some_and(|effect| effect != taint.effect.name())
                });
                if taints.len() == before {
                    return Stop::error(format!("error: taint \"{gone}\" not found"));
                }
                word = "untainted";
                continue;
            }
            let Some(mut new) = Taint::read(change) else {
                return Err(Stop::NotSimulated(format!("the taint `{change}`")));
            };
            let old = taints.iter().find(|old| old.key == new.key && old.effect == new.effect);
            if old.is_some() && !overwrite {
                return Stop::error(format!(
                    "error: node {name} already has {} taint(s) with same effect(s) and --overwrite is false",
                    new.key
                ));
            }
            taints.retain(|old| old.key != new.key || old.effect != new.effect);
            new.added_ms = (new.effect == Effect::NoExecute).then_some(session.now_ms);
            // The newest stands first (`reorganizeTaints`).
            taints.insert(0, new);
        }
        session.api(|cluster| cluster.edit_node(&name, |node| node.taints.clone_from(&taints)))?.ok();
        session.call.out(format!("node/{name} {word}\n"));
    }
    Ok(())
}

pub(super) fn cordon(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let names: Vec<String> = session.words().iter().map(ToString::to_string).collect();
    set_unschedulable(session, names, true)
}

pub(super) fn uncordon(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let names: Vec<String> = session.words().iter().map(ToString::to_string).collect();
    set_unschedulable(session, names, false)
}

/// Marks nodes, and tells of each; all of them must be there.
pub(super) fn set_unschedulable(
    session: &mut Session<'_, '_>,
    names: Vec<String>,
    on: bool,
) -> Result<(), Stop> {
    let names: Vec<String> = names.iter().map(|name| name.trim_start_matches("node/").to_string()).collect();
    if names.is_empty() && session.args.value("-l").is_none() {
        return Err(Stop::NotSimulated("a mark on no node".into()));
    }
    let (nodes, missing) = session.find(&Wanted { kind: Kind::Node, names })?;
    if let Some(first) = missing.first() {
        return Stop::error(first);
    }
    let word = if on { "cordoned" } else { "uncordoned" };
    for object in nodes {
        let name = object.key().name.to_string();
        let is_so = matches!(&object, Object::Node(node) if node.unschedulable == on);
        if !is_so {
            session.api(|cluster| cluster.cordon(&name, on))?.ok();
        }
        session.call.out(format!("node/{name} {}{word}\n", if is_so { "already " } else { "" }));
    }
    Ok(())
}

pub(super) fn patch(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let Some(text) = session.args.value("-p").map(String::from) else {
        return Stop::error(
            "error: must specify --patch or --patch-file containing the contents of the patch",
        );
    };
    match session.args.value("--type") {
        None | Some("strategic" | "merge") => {}
        Some(other) => return Err(Stop::NotSimulated(format!("--type={other}"))),
    }
    let patch: Value = serde_norway::from_str(&text)
        .map_err(|_| Stop::NotSimulated("a patch that is neither JSON nor YAML".into()))?;
    for object in meant(session, session.words())? {
        let (kind, key) = (object.kind(), object.key());
        let changed = session.merge(&object, &patch)?;
        let word = if changed { "patched" } else { "patched (no change)" };
        session.call.out(format!("{}/{} {word}\n", kind.told(), key.name));
    }
    Ok(())
}

pub(super) fn set(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let ["image", rest @ ..] = session.words() else {
        return Err(Stop::NotSimulated(format!("set {}", session.words().join(" "))));
    };
    let rest = rest.to_vec();
    let (words, changes) = split(&rest, |word| word.contains('='));
    let changes: Vec<(String, String)> = changes
        .iter()
        .filter_map(|change| change.split_once('='))
        .map(|(name, image)| (name.to_string(), image.to_string()))
        .collect();
    for object in meant(session, &words)? {
        if !matches!(object.kind(), Kind::DaemonSet | Kind::Deployment | Kind::ReplicaSet) {
            return Err(Stop::NotSimulated(format!("set image of a {}", object.kind().singular())));
        }
        let written = fourgaps_cluster::manifest::as_written(&object);
        let template = part(part(part(&written, "spec"), "template"), "spec");
        let of = |container: &Value, field: &str| text(container, field).unwrap_or_default().to_string();
        let containers: Vec<(String, String)> =
            items(template, "containers").map(|one| (of(one, "name"), of(one, "image"))).collect();
        for (name, _) in changes.iter().filter(|(name, _)| name != "*") {
            if !containers.iter().any(|(known, _)| known == name) {
                return Stop::error(format!("error: unable to find container named \"{name}\""));
            }
        }
        let image_of =
            |name: &str| changes.iter().rev().find(|(of, _)| of == name || of == "*").map(|(_, image)| image);
        let patch: Vec<Value> = containers
            .iter()
            .filter_map(|(name, old)| {
                let image = image_of(name).filter(|image| *image != old)?;
                Some(json!({ "name": name, "image": image }))
            })
            .collect();
        if !patch.is_empty() {
            session
                .merge(&object, &json!({ "spec": { "template": { "spec": { "containers": patch } } } }))?;
            session.call.out(format!("{}/{} image updated\n", object.kind().told(), object.key().name));
        }
    }
    Ok(())
}

pub(super) fn scale(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let Some(text) = session.args.value("--replicas") else {
        return Stop::error("error: required flag(s) \"replicas\" not set");
    };
    let replicas: u32 = text.parse().map_err(|_| Stop::NotSimulated(format!("--replicas={text}")))?;
    for object in meant(session, session.words())? {
        match object.kind() {
            Kind::Deployment | Kind::ReplicaSet => {
                session.merge(&object, &json!({ "spec": { "replicas": replicas } }))?;
                session.call.out(format!("{}/{} scaled\n", object.kind().told(), object.key().name));
            }
            // There is no such part of it.
            Kind::DaemonSet | Kind::Pod | Kind::Node => {
                return Stop::error(
                    "Error from server (NotFound): the server could not find the requested resource",
                );
            }
            kind => return Err(Stop::NotSimulated(format!("scale {}", kind.plural()))),
        }
    }
    Ok(())
}

impl Session<'_, '_> {
    /// Changes the metadata of a live object.
    fn change(
        &mut self,
        object: &Object,
        write: impl FnOnce(&mut Value),
        meta: impl Fn(&mut Labels, &mut Labels),
    ) -> Result<(), Stop> {
        let key = object.key();
        let done = match object {
            Object::Node(_) => {
                let edit = |node: &mut fourgaps_cluster::node::Node| {
                    meta(&mut node.meta.labels, &mut node.meta.annotations);
                };
                self.api(|cluster| cluster.edit_node(&key.name, edit).map_err(Problem::Refused).map(drop))?
            }
            object => {
                let kind = object.kind();
                let mut written = fourgaps_cluster::manifest::as_written(object);
                write(&mut written);
                self.api(|cluster| cluster.replace(kind, object, &written).map(drop))?
            }
        };
        done.map_err(|problem| told(problem, object.kind(), &key.name, ""))
    }

    /// Merges a patch into a live object; false where nothing changed.
    pub fn merge(&mut self, object: &Object, patch: &Value) -> Result<bool, Stop> {
        let (kind, key) = (object.kind(), object.key());
        let done = self.api(|cluster| cluster.patch(kind, object, patch))?;
        done.map_err(|problem| match problem {
            Problem::Undecodable(_) => {
                let shown = super::output::as_go(patch);
                let why = "cannot convert int64 to string";
                // Recorded for a number where a text should be; others are told otherwise.
                Stop::Error(format!("The request is invalid: patch: Invalid value: \"{shown}\": {why}"))
            }
            Problem::Refused(fourgaps_cluster::api::Refusal::NotFound(id)) => Stop::Error(not_found(&id)),
            problem => told(problem, kind, &key.name, ""),
        })
    }
}

/// The object that a verb of one object means: `KIND NAME` or `KIND/NAME`.
pub(super) fn only(session: &Session<'_, '_>, words: &[&str]) -> Result<(Id, Option<Object>), Stop> {
    let wanted = wanted(words)?;
    let [Wanted { kind, names }] = wanted.as_slice() else {
        return Err(Stop::NotSimulated("several kinds at once".into()));
    };
    let [name] = names.as_slice() else {
        return match names.as_slice() {
            [] => Stop::error("error: required resource not specified"),
            _ => Err(Stop::NotSimulated("several objects at once".into())),
        };
    };
    let namespace = if kind.is_namespaced() { session.namespace() } else { String::new() };
    let id = Id::new(*kind, &namespace, name);
    let object = session.store.get(&id);
    Ok((id, object))
}
