//! `kubectl rollout` of a Deployment. Source: `pkg/polymorphichelpers` of kubectl.

use super::rollout::{RESTARTED, follow, number, restarted_already};
use super::{Session, Stop};
use fourgaps_base::sort_by_key;
use fourgaps_cluster::Change;
use fourgaps_cluster::object::{Id, Kind, Object, Plain};
use fourgaps_cluster::read::part;
use fourgaps_cluster::spec::Template;
use fourgaps_cluster::workload::{Deployment, ReplicaSet, Rollback, replica_sets_of, rollback};
use fourgaps_view::kubectl::{rollout as words, template_text};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) fn run(session: &mut Session<'_, '_>, verb: &str, plain: &Arc<Plain>) -> Result<(), Stop> {
    let deployment = Deployment::of(plain);
    match verb {
        "status" => status(session, &deployment),
        "history" => history(session, &deployment),
        "undo" => undo(session, &deployment),
        "restart" if deployment.paused => {
            refuse(&deployment, "can't restart paused deployment (run rollout resume first)")
        }
        "restart" => {
            let at = fourgaps_view::kubectl::moment_text(session.now_ms);
            let annotations = json!({ "annotations": { RESTARTED: at } });
            change(session, &deployment, &json!({ "template": { "metadata": annotations } }), "restarted")
        }
        "pause" if deployment.paused => refuse(&deployment, "is already paused"),
        "pause" => change(session, &deployment, &json!({ "paused": true }), "paused"),
        "resume" if !deployment.paused => refuse(&deployment, "is not paused"),
        "resume" => change(session, &deployment, &json!({ "paused": null }), "resumed"),
        other => Err(Stop::NotSimulated(format!("rollout {other}"))),
    }
}

fn refuse(deployment: &Deployment, why: &str) -> Result<(), Stop> {
    Stop::error(format!("error: deployments.apps \"{}\" {why}", deployment.plain.meta.name))
}

/// Merges a part into the specification, and says what was done.
fn change(
    session: &mut Session<'_, '_>,
    deployment: &Deployment,
    spec: &Value,
    word: &str,
) -> Result<(), Stop> {
    let object = Object::Other(Kind::Deployment, deployment.plain.clone());
    if !session.merge(&object, &json!({ "spec": spec }))?.0 {
        return Stop::error(restarted_already(&deployment.plain.meta.name));
    }
    session.call.out(format!("deployment.apps/{} {word}\n", deployment.plain.meta.name));
    Ok(())
}

fn status(session: &mut Session<'_, '_>, deployment: &Deployment) -> Result<(), Stop> {
    let key = deployment.plain.meta.key();
    if tell(session, deployment)? {
        return Ok(());
    }
    follow(session, |session, change| match change {
        Change::Put(Object::Other(Kind::Deployment, plain)) if plain.meta.key() == key => {
            tell(session, &Deployment::of(&plain))
        }
        Change::Gone(Id { kind: Kind::Deployment, key: gone }) if gone == key => {
            Stop::error("error: object has been deleted")
        }
        _ => Ok(false),
    })
}

/// Prints the line; true where nothing more is to come.
fn tell(session: &mut Session<'_, '_>, deployment: &Deployment) -> Result<bool, Stop> {
    let (line, done) = words::deployment_line(deployment);
    if line.starts_with("error: ") {
        return Stop::error(line);
    }
    session.call.out(format!("{line}\n"));
    Ok(done)
}

fn history(session: &mut Session<'_, '_>, deployment: &Deployment) -> Result<(), Stop> {
    let wanted = number(session, "--revision")?.unwrap_or(0);
    let mut sets = replica_sets_of(&session.store, deployment.plain.meta.uid);
    sort_by_key(&mut sets, ReplicaSet::revision);
    let name = &deployment.plain.meta.name;
    let text = match wanted {
        0 => {
            let revisions: Vec<(u64, Option<String>)> = sets
                .iter()
                .map(|set| {
                    let cause = set.plain.meta.annotations.get(words::CHANGE_CAUSE).cloned();
                    (set.revision(), cause)
                })
                .collect();
            words::history_of(&format!("deployment.apps/{name}"), &revisions)
        }
        wanted => {
            let Some(set) = sets.iter().find(|set| set.revision() == wanted) else {
                return Stop::error("error: unable to find the specified revision");
            };
            let template = Template::of(part(part(&set.plain.body, "spec"), "template"));
            format!("deployment.apps/{name} with revision #{wanted}\n{}\n", template_text(&template))
        }
    };
    session.call.out(text);
    Ok(())
}

fn undo(session: &mut Session<'_, '_>, deployment: &Deployment) -> Result<(), Stop> {
    if session.args.value("--dry-run").is_some_and(|how| how != "none") {
        return Err(Stop::NotSimulated("a dry undo of a deployment".into()));
    }
    let Some(revision) = number(session, "--to-revision")? else {
        let text = session.args.value("--to-revision").unwrap_or_default();
        return Stop::error(format!("error: unable to find specified revision {text} in history"));
    };
    let name = &deployment.plain.meta.name;
    match rollback(&session.store, deployment, revision) {
        Rollback::To(template) => {
            // The template takes the place of the other; nothing of that one stays.
            let object = Object::Other(Kind::Deployment, deployment.plain.clone());
            let mut written = fourgaps_cluster::manifest::as_written(&object);
            written["spec"]["template"] = template;
            session
                .api(|cluster| cluster.replace(Kind::Deployment, &object, &written))?
                .map_err(|problem| super::write::told(problem, Kind::Deployment, name, ""))?;
            session.call.out(format!("deployment.apps/{name} rolled back\n"));
            Ok(())
        }
        Rollback::Skipped(revision) => {
            session.call.out(format!(
                "deployment.apps/{name} skipped rollback (current template already matches revision {revision})\n"
            ));
            Ok(())
        }
        Rollback::Paused => Stop::error(
            "error: you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again",
        ),
        Rollback::NoHistory => {
            Stop::error(format!("error: no rollout history found for deployment \"{name}\""))
        }
        Rollback::NoRevision(revision) => {
            Stop::error(format!("error: unable to find specified revision {revision} in history"))
        }
    }
}
