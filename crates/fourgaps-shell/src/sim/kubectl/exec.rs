//! `kubectl exec`.

use super::super::flags::{Flag, Takes};
use super::edit::only;
use super::inside::container_of;
use super::logs::best_first;
use super::resources::not_found;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::object::Object;
use fourgaps_cluster::pod::ContainerState;

pub(super) const EXEC_FLAGS: [Flag; 5] = [
    NAMESPACE,
    Flag(&["-c", "--container"], Takes::Value),
    Flag(&["-i", "--stdin"], Takes::Nothing),
    Flag(&["-t", "--tty"], Takes::Nothing),
    Flag(&["-q", "--quiet"], Takes::Nothing),
];

/// Runs a program in a container: those that a lab knows.
pub(super) fn exec(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let Some((pod, command)) = session.words().split_first() else {
        return Stop::error("error: pod, type/name or --filename must be specified");
    };
    if command.is_empty() {
        return Stop::error("error: you must specify at least one command for the container");
    }
    if !session.call.args.iter().any(|arg| arg == "--") {
        return Stop::error(
            "error: exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead\nSee 'kubectl exec -h' for help and examples",
        );
    }
    let command: Vec<String> = command.iter().map(ToString::to_string).collect();
    let words: Vec<&str> = if pod.contains('/') { vec![pod] } else { vec!["pod", pod] };
    let (id, object) = only(session, &words)?;
    let Some(object) = object else { return Stop::error(not_found(&id)) };
    let pod = match &object {
        Object::Pod(pod) => pod.clone(),
        object => match best_first(session, object).into_iter().next() {
            Some(pod) => pod,
            None => return Stop::error("error: timed out waiting for the condition"),
        },
    };
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
