//! `kubectl run` and `exec`.

use super::super::flags::{Flag, Takes};
use super::edit::only;
use super::inside::container_of;
use super::resources::not_found;
use super::write::told;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::manifest::patched;
use fourgaps_cluster::object::{Kind, Object};
use fourgaps_cluster::pod::ContainerState;
use serde_json::{Value, json};

pub(super) const RUN_FLAGS: [Flag; 5] = [
    NAMESPACE,
    Flag(&["--image"], Takes::Value),
    Flag(&["--overrides"], Takes::Value),
    Flag(&["--restart"], Takes::Value),
    Flag(&["--command"], Takes::Nothing),
];
pub(super) const EXEC_FLAGS: [Flag; 5] = [
    NAMESPACE,
    Flag(&["-c", "--container"], Takes::Value),
    Flag(&["-i", "--stdin"], Takes::Nothing),
    Flag(&["-t", "--tty"], Takes::Nothing),
    Flag(&["-q", "--quiet"], Takes::Nothing),
];

/// Makes a pod of an image.
pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let Some((name, words)) = session.words().split_first() else {
        return Stop::error("error: NAME is required for run");
    };
    let Some(image) = session.args.value("--image") else {
        return Stop::error("error: required flag(s) \"image\" not set");
    };
    let (name, namespace) = (name.to_string(), session.namespace());
    let mut container = json!({ "image": image, "name": name, "resources": {} });
    if !words.is_empty() {
        container[if session.args.has("--command") { "command" } else { "args" }] = json!(words);
    }
    let restart = session.args.value("--restart").unwrap_or("Always");
    let mut manifest = json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": { "labels": { "run": name }, "name": name },
        "spec": { "containers": [container], "dnsPolicy": "ClusterFirst", "restartPolicy": restart },
    });
    if let Some(text) = session.args.value("--overrides") {
        let overrides: Value = serde_json::from_str(text)
            .map_err(|_| Stop::NotSimulated("--overrides that are no JSON".into()))?;
        manifest = patched(&manifest, &overrides);
    }
    manifest["metadata"]["namespace"] = namespace.into();
    session
        .api(|cluster| cluster.create(&manifest))?
        .map_err(|problem| told(problem, Kind::Pod, &name, ""))?;
    session.call.out(format!("pod/{name} created\n"));
    Ok(())
}

/// Runs a program in a container: those that a lab knows.
pub(super) fn exec(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let Some((pod, command)) = session.words().split_first() else {
        return Stop::error("error: pod, type/name or --filename must be specified");
    };
    if command.is_empty() {
        return Stop::error("error: you must specify at least one command for the container");
    }
    let command: Vec<String> = command.iter().map(ToString::to_string).collect();
    let words: Vec<&str> = if pod.contains('/') { vec![pod] } else { vec!["pod", pod] };
    let (id, object) = only(session, &words)?;
    let Some(Object::Pod(pod)) = object else { return Stop::error(not_found(&id)) };
    if pod.node.is_none() {
        return Stop::error(format!("error: pod {} does not have a host assigned", pod.key.name));
    }
    if pod.status.phase.is_terminal() {
        let phase = pod.status.phase.name();
        return Stop::error(format!(
            "error: cannot exec into a container in a completed pod; current phase is {phase}"
        ));
    }
    let name = session.args.value("-c").map(String::from);
    let inside = container_of(session, &pod, name.as_deref())?;
    let nth = pod.shape.spec.containers.iter().position(|one| inside.container["name"] == one.name.as_str());
    let status = nth.and_then(|nth| pod.status.containers.get(nth));
    if !status.is_some_and(|status| matches!(status.state, ContainerState::Running { .. })) {
        return Err(Stop::NotSimulated("exec in a container that does not run".into()));
    }
    let ran = inside.run(session, &command)?;
    session.call.out(ran.out);
    session.call.err(ran.err);
    match ran.status {
        0 => Ok(()),
        status => Err(Stop::Exited(status)),
    }
}
