//! `kubectl apply`, `create` and `replace`.

use super::super::flags::{Flag, Takes};
use super::resources::refused;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::api::Refusal;
use fourgaps_cluster::manifest::{Applied, Problem, kind_of};
use fourgaps_cluster::object::{Id, Kind};
use fourgaps_cluster::read::{part, text};
use serde_json::{Value, json};

pub(super) const FLAGS: [Flag; 3] =
    [NAMESPACE, Flag(&["-f", "--filename"], Takes::Value), Flag(&["--dry-run"], Takes::Perhaps)];
pub(super) const CREATE_FLAGS: [Flag; 5] = [
    NAMESPACE,
    Flag(&["-f", "--filename"], Takes::Value),
    Flag(&["--dry-run"], Takes::Perhaps),
    Flag(&["--image"], Takes::Value),
    Flag(&["--replicas"], Takes::Value),
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

pub(super) fn create(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let manifest = match *session.words() {
        ["deployment" | "deploy", name] => deployment(session, name)?,
        ["namespace" | "ns", name] => {
            json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } })
        }
        _ => return each(session, How::Create),
    };
    let line = one(session, How::Create, "", manifest)?;
    session.call.out(line);
    Ok(())
}

/// `kubectl create deployment NAME --image=IMAGE`: the container is called as the image.
fn deployment(session: &Session<'_, '_>, name: &str) -> Result<Value, Stop> {
    let Some(image) = session.args.value("--image") else {
        return Stop::error("error: required flag(s) \"image\" not set");
    };
    let container = image.rsplit('/').next().unwrap_or(image);
    let container = container.split([':', '@']).next().unwrap_or(container);
    let replicas = session.args.value("--replicas").unwrap_or("1");
    let replicas: u32 = replicas.parse().map_err(|_| Stop::NotSimulated(format!("--replicas={replicas}")))?;
    let labels = json!({ "app": name });
    Ok(json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "labels": labels, "name": name },
        "spec": {
            "replicas": replicas,
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": { "containers": [{ "image": image, "name": container }] },
            },
        },
    }))
}

pub(super) fn replace(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    each(session, How::Replace)
}

fn each(session: &mut Session<'_, '_>, how: How) -> Result<(), Stop> {
    if !session.words().is_empty() {
        return Err(Stop::NotSimulated(format!("{} {}", session.args.rest[0], session.words().join(" "))));
    }
    let files = session.input()?;
    if files.iter().all(|file| file.manifests.is_empty()) {
        let verb = ["apply", "create", "replace"][how as usize];
        return Stop::error(format!("error: no objects passed to {verb}"));
    }
    let mut failed = Vec::new();
    for file in files {
        for manifest in file.manifests {
            match one(session, how, &file.name, manifest) {
                Ok(line) => session.call.out(line),
                Err(Stop::Error(text)) => failed.push(text),
                Err(other) => return Err(other),
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Stop::error(failed.join("\n")) }
}

fn one(session: &mut Session<'_, '_>, how: How, file: &str, mut manifest: Value) -> Result<String, Stop> {
    let name = text(part(&manifest, "metadata"), "name").unwrap_or_default().to_string();
    let given = text(part(&manifest, "metadata"), "namespace").unwrap_or_default().to_string();
    let Some(kind) = kind_of(&manifest) else { return Err(unknown_kind(&manifest, file, &name, &given)) };
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
    let dry = match session.args.value("--dry-run") {
        None | Some("none") => "",
        Some("server") => " (server dry run)",
        Some("client") => " (dry run)",
        Some(other) => return Err(Stop::NotSimulated(format!("--dry-run={other}"))),
    };
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
    // A dry run happens to a copy.
    let done = if dry.is_empty() { session.api(wish)? } else { wish(&mut session.copy()?) };
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
            Ok(format!("{}/{name} {word}{dry}\n", kind.told()))
        }
        // `create deployment` tells the server's sentence in its own.
        Err(Problem::Refused(refusal)) if file.is_empty() && kind == Kind::Deployment => {
            Stop::error(format!("error: failed to create deployment: {refusal}"))
        }
        Err(problem) if file.is_empty() => Err(told(problem, kind, &name, "")),
        Err(problem) => Err(told(problem, kind, &name, &format!("error when creating \"{file}\": "))),
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

fn unknown_kind(manifest: &Value, file: &str, name: &str, namespace: &str) -> Stop {
    let (Some(kind), Some(version)) = (text(manifest, "kind"), text(manifest, "apiVersion")) else {
        let missing = if text(manifest, "apiVersion").is_none() { "apiVersion" } else { "kind" };
        return Stop::NotSimulated(format!("a manifest without `{missing}`"));
    };
    Stop::Error(format!(
        "error: resource mapping not found for name: \"{name}\" namespace: \"{namespace}\" from \"{file}\": no matches for kind \"{kind}\" in version \"{version}\"\nensure CRDs are installed first"
    ))
}
