//! Verbs that change a part of an object: `patch`, `set image`, `scale`. Source: `pkg/cmd/{patch,set,scale}` of kubectl.

use super::super::flags::{Flag, Takes};
use super::change::{Dry, several};
use super::resources::{Wanted, object_of, wanted};
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::manifest::{Way, documents, known_part};
use fourgaps_cluster::object::{Id, Kind, Object};
use fourgaps_cluster::read::part;
use serde_json::{Value, json};

pub(super) const PATCH_FLAGS: [Flag; 7] = [
    NAMESPACE,
    Flag(&["-p", "--patch"], Takes::Value),
    Flag(&["-f", "--filename"], Takes::Value),
    Flag(&["-o", "--output"], Takes::Value),
    Flag(&["--dry-run"], Takes::Perhaps),
    Flag(&["--patch-file"], Takes::Value),
    Flag(&["--type"], Takes::Value),
];
pub(super) const SET_FLAGS: [Flag; 8] = [
    NAMESPACE,
    Flag(&["-c", "--containers"], Takes::Value),
    Flag(&["--list"], Takes::Nothing),
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["-f", "--filename"], Takes::Value),
    Flag(&["-o", "--output"], Takes::Value),
    Flag(&["--all"], Takes::Nothing),
    Flag(&["--dry-run"], Takes::Perhaps),
];
pub(super) const SCALE_FLAGS: [Flag; 8] = [
    NAMESPACE,
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["-f", "--filename"], Takes::Value),
    Flag(&["-o", "--output"], Takes::Value),
    Flag(&["--all"], Takes::Nothing),
    Flag(&["--current-replicas"], Takes::Value),
    Flag(&["--dry-run"], Takes::Perhaps),
    Flag(&["--replicas"], Takes::Value),
];

pub(super) fn patch(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let given = session.args.value("-p").filter(|text| !text.is_empty()).map(String::from);
    let text = match (given, session.args.value("--patch-file")) {
        (Some(_), Some(_)) => return Stop::error("error: cannot specify --patch and --patch-file together"),
        (Some(text), None) => text,
        (None, Some(path)) => session.text_of(path).ok_or_else(|| {
            Stop::Error(format!("error: unable to read patch file: open {path}: no such file or directory"))
        })?,
        (None, None) => {
            return Stop::error(
                "error: must specify --patch or --patch-file containing the contents of the patch",
            );
        }
    };
    let way = match session.args.value("--type").unwrap_or("strategic").to_ascii_lowercase().as_str() {
        "strategic" => Way::Strategic,
        "merge" => Way::Merge,
        "json" => Way::Json,
        other => {
            return Stop::error(format!(
                "error: --type must be one of [json merge strategic], not \"{other}\""
            ));
        }
    };
    let patch = documents(&text).ok().and_then(|mut all| (all.len() == 1).then(|| all.remove(0)));
    let patch = patch.ok_or_else(|| Stop::NotSimulated("a patch that is neither JSON nor YAML".into()))?;
    let words = session.words().to_vec();
    let (objects, mut errors) = session.meant(&words)?;
    for object in objects {
        match session.patched(&object, &patch, way) {
            Err(Stop::Error(text)) => errors.push(text),
            done => done?,
        }
    }
    several(errors)
}

impl Session<'_, '_> {
    /// Patches an object, and tells of it.
    fn patched(&mut self, object: &Object, patch: &Value, way: Way) -> Result<(), Stop> {
        let (kind, key) = (object.kind(), object.key());
        let mut unknown = Vec::new();
        let done = self.rewrite(object, |live| {
            let Some(after) = way.apply(live, patch) else {
                return Stop::error(
                    "The request is invalid: the server rejected our request due to an error in our request",
                );
            };
            let (known, fields) = known_part(kind, &after);
            unknown = fields;
            Ok(known)
        });
        for field in unknown {
            self.call.err(format!("Warning: unknown field \"{field}\"\n"));
        }
        let (changed, store) = done.map_err(|stop| match stop {
            Stop::Undecodable(why) => mismatched(patch, &why),
            stop => stop,
        })?;
        self.report(&store, &Id { kind, key }, if changed { "patched" } else { "patched (no change)" })
    }
}

/// A value of another type than that of its field, as the server tells it of a patch. Recorded for a number where a text should
/// be; the rule is `fromUnstructured` of apimachinery.
fn mismatched(patch: &Value, why: &str) -> Stop {
    let words: Vec<&str> =
        why.split_once("cannot unmarshal ").map_or("", |(_, words)| words).split(' ').collect();
    let of = words.last().copied().unwrap_or_default();
    let what = match words.as_slice() {
        ["number", "into", ..] => "int64",
        ["number", ..] => "float64",
        [scalar @ ("string" | "bool"), ..] => scalar,
        _ => "",
    };
    if what.is_empty() || !["string", "bool", "int32", "int64"].contains(&of) {
        return Stop::NotSimulated("what a server says of this patch".into());
    }
    let shown = super::output::as_go(patch);
    Stop::Error(format!(
        "The request is invalid: patch: Invalid value: \"{shown}\": cannot convert {what} to {of}"
    ))
}

pub(super) fn set(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let words = session.words().to_vec();
    match words.as_slice() {
        ["image", rest @ ..] => set_image(session, rest),
        ["env", rest @ ..] => set_env(session, rest),
        _ => Err(Stop::NotSimulated(format!("set {}", words.join(" ")))),
    }
}

/// The containers of an object's template that are meant.
fn each_container(live: &mut Value, mut edit: impl FnMut(&mut Value)) {
    for list in ["initContainers", "containers"] {
        let all = live.pointer_mut(&format!("/spec/template/spec/{list}"));
        all.and_then(Value::as_array_mut).into_iter().flatten().for_each(&mut edit);
    }
}

fn has_template(kind: Kind, what: &str) -> Result<(), Stop> {
    match kind {
        Kind::DaemonSet | Kind::Deployment | Kind::ReplicaSet => Ok(()),
        kind => Err(Stop::NotSimulated(format!("set {what} of a {}", kind.singular()))),
    }
}

/// `set env KIND/NAME KEY=VALUE… KEY-… [-c CONTAINER] [--list]`.
fn set_env(session: &mut Session<'_, '_>, rest: &[&str]) -> Result<(), Stop> {
    let is_pair =
        |word: &str| word.split_once('=').is_some_and(|(key, _)| !key.is_empty()) || word.ends_with('-');
    let at = rest.iter().position(|word| is_pair(word)).unwrap_or(rest.len());
    let (words, pairs) = rest.split_at(at);
    let lists = session.args.has("--list");
    if let Some(word) = pairs.iter().find(|word| !is_pair(word)) {
        return Stop::error(format!(
            "error: all resources must be specified before environment changes: {word}"
        ));
    }
    if words.is_empty() && session.args.value("-f").is_none() {
        return Stop::error(
            "error: one or more resources must be specified as <resource> <name> or <resource>/<name>",
        );
    }
    if lists && !pairs.is_empty() {
        return Err(Stop::NotSimulated("set env --list with changes".into()));
    }
    if pairs.is_empty() && !lists {
        return Stop::error("error: at least one environment variable must be provided");
    }
    let chosen = session.args.value("-c").unwrap_or("*").to_string();
    let (objects, missing) = session.meant(words)?;
    several(missing)?;
    for object in objects {
        let (kind, key) = (object.kind(), object.key());
        has_template(kind, "env")?;
        let (mut found, mut told) = (false, String::new());
        let (changed, store) = session.rewrite(&object, |live| {
            let mut live = live.clone();
            each_container(&mut live, |container| {
                if chosen != "*" && container["name"] != chosen.as_str() {
                    return;
                }
                found = true;
                let mut env = container["env"].as_array().cloned().unwrap_or_default();
                for pair in pairs {
                    let Some((name, value)) = pair.split_once('=') else {
                        let name = pair.strip_suffix('-').unwrap_or(pair);
                        env.retain(|one| one["name"] != name);
                        continue;
                    };
                    let new = json!({ "name": name, "value": value });
                    match env.iter_mut().find(|one| one["name"] == name) {
                        Some(old) => *old = new,
                        None => env.push(new),
                    }
                }
                let name = container["name"].as_str().unwrap_or_default();
                told += &format!("# {} {}, container {name}\n", kind.name(), key.name);
                for one in &env {
                    let text = |field: &str| one[field].as_str().unwrap_or_default();
                    told += &match one["valueFrom"].is_null() {
                        true => format!("{}={}\n", text("name"), text("value")),
                        false => format!("# {} from elsewhere\n", text("name")),
                    };
                }
                if let Some(entries) = container.as_object_mut() {
                    match env.is_empty() {
                        true => drop(entries.remove("env")),
                        false => drop(entries.insert("env".into(), env.into())),
                    }
                }
            });
            Ok(live)
        })?;
        if told.contains(" from elsewhere\n") && lists {
            return Err(Stop::NotSimulated("a list of variables that come from elsewhere".into()));
        }
        if !found {
            session.call.err(format!(
                "Warning: {}/{} does not have any containers matching \"{chosen}\"\n",
                kind.name(),
                key.name
            ));
        }
        if lists {
            session.call.out(told);
        } else if changed {
            session.report(&store, &Id { kind, key }, "env updated")?;
        }
    }
    Ok(())
}

fn set_image(session: &mut Session<'_, '_>, rest: &[&str]) -> Result<(), Stop> {
    let at = rest.iter().position(|word| word.contains('=')).unwrap_or(rest.len());
    let (words, pairs) = rest.split_at(at);
    let changes: Vec<(&str, &str)> = pairs.iter().filter_map(|change| change.split_once('=')).collect();
    if let Some(word) = pairs.iter().find(|word| !word.contains('=')) {
        return Stop::error(format!("error: all resources must be specified before image changes: {word}"));
    }
    let mut errors: Vec<String> = Vec::new();
    if words.is_empty() && session.args.value("-f").is_none() {
        errors.push(
            "error: one or more resources must be specified as <resource> <name> or <resource>/<name>".into(),
        );
    }
    if changes.is_empty() {
        errors.push("error: at least one image update is required".into());
    } else if changes.len() > 1 && changes.iter().any(|(name, _)| *name == "*") {
        errors.push("error: all containers are already specified by *, but saw more than one container_name=container_image pairs".into());
    }
    several(errors)?;
    let (objects, missing) = session.meant(words)?;
    several(missing)?;
    let mut errors = Vec::new();
    for object in objects {
        let (kind, key) = (object.kind(), object.key());
        has_template(kind, "image")?;
        let mut found = vec![false; changes.len()];
        let done = session.rewrite(&object, |live| {
            let mut live = live.clone();
            each_container(&mut live, |container| {
                for (at, (name, image)) in changes.iter().enumerate() {
                    if *name == "*" || container["name"] == *name {
                        found[at] = true;
                        container["image"] = json!(image);
                    }
                }
            });
            Ok(live)
        });
        let not_found = changes.iter().zip(&found).filter(|(_, found)| !**found);
        errors.extend(
            not_found.map(|((name, _), _)| format!("error: unable to find container named \"{name}\"")),
        );
        match done {
            Ok((true, store)) => session.report(&store, &Id { kind, key }, "image updated")?,
            Ok((false, _)) => {}
            Err(Stop::Error(text)) => errors.push(text),
            Err(stop) => return Err(stop),
        }
    }
    several(errors)
}

pub(super) fn scale(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let number = |flag: &str, text: &str| {
        text.parse::<i64>().map_err(|_| {
            Stop::Error(format!(
                "error: invalid argument \"{text}\" for \"{flag}\" flag: strconv.ParseInt: parsing \"{text}\": invalid syntax\nSee 'kubectl scale --help' for usage."
            ))
        })
    };
    let Some(text) = session.args.value("--replicas") else {
        return Stop::error("error: required flag(s) \"replicas\" not set");
    };
    let replicas = number("--replicas", text)?;
    if replicas < 0 {
        return Stop::error(
            "error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0",
        );
    }
    let current = session.args.value("--current-replicas").map(|text| number("--current-replicas", text));
    let current = current.transpose()?.filter(|current| *current != -1);
    let words = session.words().to_vec();
    let (objects, missing) = session.meant(&words)?;
    if objects.is_empty() {
        let why: Vec<&str> =
            missing.iter().map(|text| text.trim_start_matches("Error from server (NotFound): ")).collect();
        return Stop::error(format!("error: no objects passed to scale {}", why.join(", ")).trim_end());
    }
    for object in objects {
        let (kind, key) = (object.kind(), object.key());
        // Others have no such part.
        if !matches!(kind, Kind::Deployment | Kind::ReplicaSet) && session.dry()? != Dry::Client {
            return Stop::error(
                "Error from server (NotFound): the server could not find the requested resource",
            );
        }
        let now = session.store.get(&Id { kind, key: key.clone() });
        if let (Some(current), Some(Object::Other(_, plain))) = (current, &now) {
            let has = part(part(&plain.body, "spec"), "replicas").as_i64().unwrap_or(1);
            if has != current {
                return Stop::error(format!("error: Expected replicas to be {current}, was {has}"));
            }
        }
        let (_, store) = session.merge(&object, &json!({ "spec": { "replicas": replicas } }))?;
        session.report(&store, &Id { kind, key }, "scaled")?;
    }
    several(missing)
}

/// The object that a verb of one object means: `KIND NAME` or `KIND/NAME`.
pub(super) fn only(session: &Session<'_, '_>, words: &[&str]) -> Result<(Id, Option<Object>), Stop> {
    let wanted = wanted(words)?;
    let [Wanted { kind, names, .. }] = wanted.as_slice() else {
        return Err(Stop::NotSimulated("several kinds at once".into()));
    };
    let [name] = names.as_slice() else {
        return match names.as_slice() {
            [] => Stop::error("error: resource(s) were provided, but no name was specified"),
            _ => Err(Stop::NotSimulated("several objects at once".into())),
        };
    };
    let namespace = if kind.is_namespaced() { session.namespace() } else { String::new() };
    let id = Id::new(*kind, &namespace, name);
    let object = object_of(&session.store, &id);
    Ok((id, object))
}
