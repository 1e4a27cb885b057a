//! `kubectl delete`.

use super::super::flags::{Flag, Takes};
use super::change::{Dry, several};
use super::resources::refused;
use super::rollout::span;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::Cluster;
use fourgaps_cluster::api::Refusal;
use fourgaps_cluster::meta::Uid;
use fourgaps_cluster::object::{Id, Kind, Object};

pub(super) const FLAGS: [Flag; 15] = [
    NAMESPACE,
    Flag(&["-A", "--all-namespaces"], Takes::Nothing),
    Flag(&["-f", "--filename"], Takes::Value),
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["-o", "--output"], Takes::Value),
    Flag(&["--all"], Takes::Nothing),
    Flag(&["--cascade"], Takes::Perhaps),
    Flag(&["--dry-run"], Takes::Perhaps),
    Flag(&["--field-selector"], Takes::Value),
    Flag(&["--force"], Takes::Nothing),
    Flag(&["--grace-period"], Takes::Value),
    Flag(&["--ignore-not-found"], Takes::Nothing),
    Flag(&["--now"], Takes::Nothing),
    Flag(&["--timeout"], Takes::Value),
    Flag(&["--wait"], Takes::Perhaps),
];

/// The longest that it waits for an object to be gone, in milliseconds; the real one waits for a week.
const LONGEST_MS: u64 = 3_600_000;
const LOOK_MS: u64 = 1_000;

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let (force, now, all) =
        (session.args.has("--force"), session.args.has("--now"), session.args.has("--all"));
    let given = session.args.value("--grace-period").unwrap_or("-1");
    let grace: i64 = given.parse().map_err(|_| {
        Stop::Error(format!(
            "error: invalid argument \"{given}\" for \"--grace-period\" flag: strconv.ParseInt: parsing \"{given}\": invalid syntax\nSee 'kubectl delete --help' for usage."
        ))
    })?;
    if now && grace != -1 {
        return Stop::error("error: --now and --grace-period cannot be specified together");
    }
    // Only by force a pod goes without a second's grace.
    let grace = match grace {
        _ if now => Some(1),
        0 if !force => Some(1),
        grace if grace < 0 => force.then_some(0),
        grace => Some(u32::try_from(grace).unwrap_or(u32::MAX)),
    };
    if let Some(output) = session.args.value("-o").filter(|output| *output != "name") {
        return Stop::error(format!("error: unexpected -o output mode: {output}. We only support '-o name'"));
    }
    for flag in ["--selector", "--field-selector"] {
        let short = if flag == "--selector" { "-l" } else { flag };
        if all && session.args.value(short).is_some() {
            return Stop::error(format!("error: cannot set --all and {flag} at the same time"));
        }
    }
    let cascade = session.args.value("--cascade").map(String::from);
    if let Some(old @ ("true" | "false")) = cascade.as_deref() {
        let new = if old == "true" { "background" } else { "orphan" };
        session.call.err(format!("warning: --cascade={old} is deprecated (boolean value) and can be replaced with --cascade={new}.\n"));
    }
    let cascade = match cascade.as_deref() {
        None | Some("" | "background" | "true") => Cascade::Background,
        Some("foreground") => Cascade::Foreground,
        Some("orphan" | "false") => Cascade::Orphan,
        Some(other) => {
            return Stop::error(format!(
                "error: invalid cascade value ({other}). Must be \"background\", \"foreground\", or \"orphan\""
            ));
        }
    };
    match grace {
        Some(0) if force => session.call.err("Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n"),
        Some(1..) if force => {
            return Stop::error(
                "error: --force and --grace-period greater than 0 cannot be specified together",
            );
        }
        _ => {}
    }
    let words = session.words().to_vec();
    let (objects, mut missing) = session.meant(&words)?;
    if session.args.has("--ignore-not-found") {
        missing.clear();
    }
    if objects.is_empty() && missing.is_empty() {
        session.call.out("No resources found\n");
    }
    let mut scoped = session.args.value("-n").is_some() && !session.args.has("-A");
    let dry = session.dry()?;
    let mut gone = Vec::new();
    for object in &objects {
        let id = Id { kind: object.kind(), key: object.key() };
        if scoped && !id.kind.is_namespaced() {
            session
                .call
                .err("Warning: deleting cluster-scoped resources, not scoped to the provided namespace\n");
            scoped = false;
        }
        if id.kind == Kind::Event {
            return Err(Stop::NotSimulated("delete of an event".into()));
        }
        if id.kind == Kind::Namespace {
            return Err(Stop::NotSimulated("delete of a namespace and of all that is in it".into()));
        }
        let done = match dry {
            Dry::Client => Ok(()),
            _ => {
                let try_it = |cluster: &mut Cluster| {
                    if cascade == Cascade::Orphan {
                        cluster.orphan(Uid(uid_of(object)));
                    }
                    delete(cluster, &id, grace, cascade)
                };
                session.try_api(try_it)?.0
            }
        };
        if let Err(refusal) = done {
            missing.push(refused(&refusal, ""));
            continue;
        }
        session.call.out(match session.args.value("-o") {
            Some(_) => format!("{}/{}\n", id.kind.told(), id.key.name),
            None => {
                let how = if grace == Some(0) { "force deleted" } else { "deleted" };
                let from = match id.key.namespace.as_ref() {
                    "" => String::new(),
                    namespace => format!(" from {namespace} namespace"),
                };
                format!("{} \"{}\" {how}{from}{}\n", id.kind.told(), id.key.name, dry.words())
            }
        });
        gone.push((id, uid_of(object)));
    }
    several(missing)?;
    if dry != Dry::No || matches!(session.args.value("--wait"), Some("false")) {
        return Ok(());
    }
    let timeout = session.args.value("--timeout").map(span).transpose()?.filter(|ms| *ms > 0);
    let until_ms = session.call.world.world.now_ms() + timeout.unwrap_or(LONGEST_MS);
    for (id, uid) in gone {
        while session.look()?.get(&id).is_some_and(|object| uid_of(&object) == uid) {
            if session.call.world.world.now_ms() >= until_ms {
                return match timeout {
                    Some(_) => Stop::error(format!(
                        "error: timed out waiting for the condition on {}/{}",
                        id.kind.plural(),
                        id.key.name
                    )),
                    None => Err(Stop::Interrupted(
                        "nothing has changed for long; stopped after an hour, as by Ctrl+C".into(),
                    )),
                };
            }
            session.call.world.pass(LOOK_MS);
        }
    }
    Ok(())
}

/// What becomes of what an object owns.
#[derive(Clone, Copy, PartialEq)]
enum Cascade {
    /// It goes later.
    Background,
    /// It goes first.
    Foreground,
    /// It stays.
    Orphan,
}

pub(super) fn uid_of(object: &Object) -> u64 {
    match object {
        Object::Node(node) => node.meta.uid.0,
        Object::Pod(pod) => pod.uid.0,
        Object::DaemonSet(set) => set.meta.uid.0,
        Object::Revision(revision) => revision.meta.uid.0,
        Object::Other(_, plain) => plain.meta.uid.0,
    }
}

fn delete(cluster: &mut Cluster, id: &Id, grace: Option<u32>, cascade: Cascade) -> Result<(), Refusal> {
    match id.kind {
        Kind::Pod => cluster.delete_pod(&id.key, grace),
        Kind::DaemonSet => cluster.delete_daemonset(&id.key, cascade == Cascade::Foreground),
        _ if cluster.store().get(id).is_none() => Err(Refusal::NotFound(id.clone())),
        _ => {
            cluster.remove(id.clone());
            Ok(())
        }
    }
}
