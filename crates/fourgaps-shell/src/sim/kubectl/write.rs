//! `kubectl apply`, `create` and `replace`.

use super::super::flags::{Flag, Takes};
use super::change::{Dry, several};
use super::output::Format;
use super::resources::{object_of, refused};
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::Store;
use fourgaps_cluster::api::Refusal;
use fourgaps_cluster::manifest::{Applied, LAST_APPLIED, Problem, as_written, kind_of};
use fourgaps_cluster::object::{Id, Kind, Object};
use fourgaps_cluster::read::{labels, part, text};
use fourgaps_view::kubectl::manifest;
use serde_json::Value;

pub(super) const FLAGS: [Flag; 7] = [
    NAMESPACE,
    Flag(&["-f", "--filename"], Takes::Value),
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["-o", "--output"], Takes::Value),
    Flag(&["--dry-run"], Takes::Perhaps),
    Flag(&["--force"], Takes::Nothing),
    Flag(&["--validate"], Takes::Perhaps),
];

#[derive(Clone, Copy, PartialEq)]
enum How {
    Apply,
    Create,
    Replace,
}

pub(super) fn apply(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    each(session, How::Apply)
}

pub(super) fn create_files(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    each(session, How::Create)
}

pub(super) fn replace(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    each(session, How::Replace)
}

fn each(session: &mut Session<'_, '_>, how: How) -> Result<(), Stop> {
    if !session.words().is_empty() {
        let verb = session.args.rest[0];
        return Stop::error(format!(
            "error: Unexpected args: [{}]\nSee 'kubectl {verb} -h' for help and examples",
            session.words().join(" ")
        ));
    }
    if session.args.has("--force") {
        return Err(Stop::NotSimulated("--force here".into()));
    }
    let validate = session.args.value("--validate").unwrap_or("strict");
    if !["", "true", "strict"].contains(&validate) {
        return Err(Stop::NotSimulated(format!("--validate={validate}")));
    }
    let files = session.input()?;
    let selector = session.selector()?;
    let mut manifests: Vec<(String, Value)> = Vec::new();
    for file in files {
        manifests.extend(file.manifests.into_iter().map(|manifest| (file.name.clone(), manifest)));
    }
    manifests.retain(|(_, manifest)| {
        let labels = labels(part(manifest, "metadata"), "labels");
        selector.iter().all(|wanted| wanted.matches(labels.get(&wanted.key)))
    });
    if manifests.is_empty() {
        let verb = ["apply", "create", "replace"][how as usize];
        return Stop::error(format!("error: no objects passed to {verb}"));
    }
    let single = manifests.len() == 1;
    let form = Format::read(session, false)?;
    let (mut failed, mut done) = (Vec::new(), Vec::new());
    for (file, manifest) in manifests {
        match one(session, how, &file, manifest) {
            Ok((id, _, store)) if !matches!(form, Format::Table { .. }) => done.push((id, store)),
            Ok((id, word, store)) => session.report(&store, &id, word)?,
            Err(Stop::Error(text)) => failed.push(text),
            Err(other) => return Err(other),
        }
    }
    // Several objects are one list.
    let objects: Vec<Object> = done.iter().filter_map(|(id, store)| object_of(store, id)).collect();
    match form {
        Format::Table { .. } => {}
        Format::Name => {
            let names: String =
                done.iter().map(|(id, _)| format!("{}/{}\n", id.kind.told(), id.key.name)).collect();
            session.call.out(names);
        }
        _ if session.dry()? == Dry::Client => {
            return Err(Stop::NotSimulated("what a dry run of the client prints with -o".into()));
        }
        form if !objects.is_empty() => {
            session.call.out(form.text(objects.iter().map(manifest).collect(), single, true));
        }
        _ => {}
    }
    several(failed)
}

/// Which object it was, what became of it, and the objects then.
type Done = (Id, &'static str, Store);

fn one(session: &mut Session<'_, '_>, how: How, file: &str, mut manifest: Value) -> Result<Done, Stop> {
    let name = text(part(&manifest, "metadata"), "name").unwrap_or_default().to_string();
    let given = text(part(&manifest, "metadata"), "namespace").unwrap_or_default().to_string();
    let Some(kind) = kind_of(&manifest) else { return Err(unknown_kind(&manifest, file)) };
    let namespace = match (kind.is_namespaced(), session.args.value("-n"), given.as_str()) {
        (false, ..) => String::new(),
        (true, Some(asked), given) if !given.is_empty() && asked != given => {
            return Stop::error(format!(
                "error: the namespace from the provided object \"{given}\" does not match the namespace \"{asked}\". You must pass '--namespace={given}' to perform this operation."
            ));
        }
        (true, _, "") => session.namespace(),
        (true, _, given) => given.into(),
    };
    if name.is_empty() {
        let plural = kind.plural();
        let version = kind.api_version();
        return Stop::error(format!(
            "error: error when retrieving current configuration of:\nResource: \"{version}, Resource={plural}\", GroupVersionKind: \"{version}, Kind={}\"\nName: \"\", Namespace: \"{namespace}\"\nfrom server for: \"{file}\": resource name may not be empty",
            kind.name()
        ));
    }
    if !namespace.is_empty() {
        manifest["metadata"]["namespace"] = namespace.clone().into();
    }
    let id = Id::new(kind, &namespace, &name);
    let wish = |cluster: &mut fourgaps_cluster::Cluster| match how {
        How::Apply => cluster.apply(&manifest),
        How::Create => cluster.create(&manifest).map(|warnings| (Applied::Created, warnings)),
        How::Replace => match cluster.store().get(&id) {
            None => Err(Problem::Refused(Refusal::NotFound(id.clone()))),
            Some(old) => {
                cluster.replace(kind, &old, &manifest).map(|warnings| (Applied::Configured, warnings))
            }
        },
    };
    // `apply` of what somebody made without it keeps what is applied from now on, and says so.
    let live = session.store.get(&id);
    if let Some(live) = live.as_ref().filter(|_| how == How::Apply) {
        let written = as_written(live);
        let annotations = part(part(&written, "metadata"), "annotations");
        if annotations.get(LAST_APPLIED).is_none() {
            session.call.err(format!(
                "Warning: resource {}/{name} is missing the {LAST_APPLIED} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.\n",
                kind.plural()
            ));
        }
    }
    let (done, store) = session.try_api(wish)?;
    let word = match (how, &done) {
        (How::Replace, _) => "replaced",
        (_, Ok((Applied::Created, _))) => "created",
        (_, Ok((Applied::Configured, _))) => "configured",
        _ => "unchanged",
    };
    match done {
        Ok((_, warnings)) => {
            for warning in warnings {
                session.call.err(format!("Warning: {warning}\n"));
            }
            Ok((id, word, store))
        }
        Err(problem) => Err(told(
            problem,
            kind,
            &name,
            &format!(
                "error when {} \"{file}\": ",
                match how {
                    How::Replace => "replacing",
                    _ => "creating",
                }
            ),
        )),
    }
}

/// What kubectl tells of a problem. `doing` says what failed, where kubectl says so.
pub(super) fn told(problem: Problem, kind: Kind, name: &str, doing: &str) -> Stop {
    Stop::Error(match problem {
        Problem::NotSimulated(what) => return Stop::NotSimulated(what),
        Problem::Undecodable(why) => format!("Error from server (BadRequest): {doing}{why}"),
        Problem::Refused(refusal) => refused(&refusal, doing),
        Problem::Invalid(faults) => {
            let list = match faults.as_slice() {
                [one] => one.clone(),
                faults => faults.iter().map(|fault| format!("\n* {fault}")).collect(),
            };
            format!("The {} \"{name}\" is invalid: {list}", kind.name())
        }
    })
}

/// What is said of a manifest whose kind the server does not have.
pub(super) fn unknown_kind(manifest: &Value, file: &str) -> Stop {
    let meta = |field: &str| text(part(manifest, "metadata"), field).unwrap_or_default();
    let (name, namespace) = (meta("name"), meta("namespace"));
    let (Some(kind), Some(version)) = (text(manifest, "kind"), text(manifest, "apiVersion")) else {
        let missing = if text(manifest, "apiVersion").is_none() { "apiVersion" } else { "kind" };
        return Stop::NotSimulated(format!("a manifest without `{missing}`"));
    };
    Stop::Error(format!(
        "error: resource mapping not found for name: \"{name}\" namespace: \"{namespace}\" from \"{file}\": no matches for kind \"{kind}\" in version \"{version}\"\nensure CRDs are installed first"
    ))
}
