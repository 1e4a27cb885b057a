//! `kubectl delete`.

use super::super::flags::{Flag, Takes};
use super::resources::{Wanted, refused, wanted};
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::Cluster;
use fourgaps_cluster::api::Refusal;
use fourgaps_cluster::object::{Id, Kind, Object};

pub(super) const FLAGS: [Flag; 8] = [
    NAMESPACE,
    Flag(&["-f", "--filename"], Takes::Value),
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["--all"], Takes::Nothing),
    Flag(&["--force"], Takes::Nothing),
    Flag(&["--grace-period"], Takes::Value),
    Flag(&["--wait"], Takes::Perhaps),
    Flag(&["--now"], Takes::Nothing),
];

/// The longest that it waits for an object to be gone, in milliseconds; the real one waits for ever.
const LONGEST_MS: u64 = 3_600_000;
const LOOK_MS: u64 = 1_000;

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let (force, now) = (session.args.has("--force"), session.args.has("--now"));
    let grace = match session.args.value("--grace-period") {
        None | Some("-1") if now => Some(1),
        None | Some("-1") if force => Some(0),
        None | Some("-1") => None,
        Some(text) => Some(text.parse().map_err(|_| Stop::NotSimulated(format!("--grace-period={text}")))?),
    };
    if force {
        session.call.err("Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n");
    }
    let (objects, mut missing) = meant(session)?;
    let mut gone = Vec::new();
    for object in &objects {
        let id = Id { kind: object.kind(), key: object.key() };
        match session.api(|cluster| delete(cluster, &id, grace))? {
            Ok(()) => {
                let how = if force { "force deleted" } else { "deleted" };
                let from = match id.key.namespace.as_ref() {
                    "" => String::new(),
                    namespace => format!(" from {namespace} namespace"),
                };
                session.call.out(format!("{} \"{}\" {how}{from}\n", id.kind.told(), id.key.name));
                gone.push((id, uid_of(object)));
            }
            Err(refusal) => missing.push(refused(&refusal, "")),
        }
    }
    if !force && session.args.value("--wait") != Some("false") {
        for (id, uid) in gone {
            let until_ms = session.call.world.world.now_ms() + LONGEST_MS;
            while session.look()?.get(&id).is_some_and(|object| uid_of(&object) == uid) {
                if session.call.world.world.now_ms() >= until_ms {
                    let what = format!("waiting longer than an hour until {} is gone", id.key.name);
                    return Err(Stop::NotSimulated(what));
                }
                session.call.world.pass(LOOK_MS);
            }
        }
    }
    if missing.is_empty() { Ok(()) } else { Stop::error(missing.join("\n")) }
}

fn uid_of(object: &Object) -> u64 {
    match object {
        Object::Node(node) => node.meta.uid.0,
        Object::Pod(pod) => pod.uid.0,
        Object::DaemonSet(set) => set.meta.uid.0,
        Object::Revision(revision) => revision.meta.uid.0,
        Object::Other(_, plain) => plain.meta.uid.0,
    }
}

/// The objects that are meant, and what is said of those that are not there.
fn meant(session: &mut Session<'_, '_>) -> Result<(Vec<Object>, Vec<String>), Stop> {
    if session.args.value("-f").is_some() {
        let mut wanted: Vec<(Wanted, Option<String>)> = Vec::new();
        for file in session.input()? {
            for manifest in file.manifests {
                let kind = fourgaps_cluster::manifest::kind_of(&manifest);
                let kind = kind.ok_or_else(|| Stop::NotSimulated("this kind of object".into()))?;
                let text = |field: &str| manifest["metadata"][field].as_str().map(String::from);
                let names = text("name").into_iter().collect();
                wanted.push((Wanted { kind, names }, text("namespace")));
            }
        }
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for (wanted, namespace) in wanted {
            let (objects, gone) = session.find_in(&wanted, namespace)?;
            found.extend(objects);
            missing.extend(gone);
        }
        return Ok((found, missing));
    }
    let wanted = wanted(session.words())?;
    let all = session.args.has("--all") || session.args.value("-l").is_some();
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for wanted in &wanted {
        if wanted.names.is_empty() && !all {
            return Stop::error("error: resource(s) were provided, but no name was specified");
        }
        let (objects, gone) = session.find(wanted)?;
        found.extend(objects);
        missing.extend(gone);
    }
    if found.is_empty() && missing.is_empty() {
        session.call.out("No resources found\n");
    }
    Ok((found, missing))
}

fn delete(cluster: &mut Cluster, id: &Id, grace: Option<u32>) -> Result<(), Refusal> {
    match id.kind {
        Kind::Pod => cluster.delete_pod(&id.key, grace),
        Kind::DaemonSet => cluster.delete_daemonset(&id.key, false),
        _ if cluster.store().get(id).is_none() => Err(Refusal::NotFound(id.clone())),
        _ => {
            cluster.remove(id.clone());
            Ok(())
        }
    }
}
