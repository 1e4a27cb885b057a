//! `kubectl logs`.

use super::super::flags::Flag;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::meta::Key;
use fourgaps_cluster::pod::{ContainerState, Pod};
use fourgaps_cluster::read;

pub(super) const FLAGS: [Flag; 1] = [NAMESPACE];

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let [word] = *session.words() else {
        return Err(Stop::NotSimulated("logs of anything but one pod".into()));
    };
    let name = word.strip_prefix("pod/").or_else(|| word.strip_prefix("pods/")).unwrap_or(word);
    let key = Key::new(&session.namespace(), name);
    let Some(pod) = session.store.pod(&key).cloned() else {
        // `Add namespace to NotFound error for kubectl logs command`, kubernetes/kubernetes#120111.
        let why = format!("pods \"{name}\" not found in namespace \"{}\"", key.namespace);
        return Stop::error(format!("error: error from server (NotFound): {why}"));
    };
    if let Some(ContainerState::Waiting { reason, .. }) = pod.status.containers.first().map(|one| &one.state)
    {
        let container = pod.shape.spec.containers.first().map_or("", |container| &container.name);
        let why = match &**reason {
            "ContainerCreating" => "ContainerCreating",
            "ErrImagePull" | "ImagePullBackOff" => "trying and failing to pull image",
            other => {
                return Err(Stop::NotSimulated(format!("the log of a container that waits for {other}")));
            }
        };
        return Stop::error(format!(
            "Error from server (BadRequest): container \"{container}\" in pod \"{name}\" is waiting to start: {why}"
        ));
    }
    let text = log_of(session, &pod)?;
    session.call.out(text);
    Ok(())
}

/// What the container of a pod has printed.
fn log_of(session: &Session<'_, '_>, pod: &Pod) -> Result<String, Stop> {
    let container = read::items(&pod.shape.spec.given, "containers").next();
    let command = container.map(|container| read::texts(container, "command")).unwrap_or_default();
    super::run::printed(session, pod, &command)
}
