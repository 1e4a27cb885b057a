//! `kubectl describe`.

use super::super::flags::{Flag, Takes};
use super::resources::wanted;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::object::{Kind, Object};
use fourgaps_view::kubectl::{
    describe_budget, describe_daemonset, describe_deployment, describe_node, describe_plain, describe_pod,
    describe_quota, describe_replica_set, describe_service,
};

pub(super) const FLAGS: [Flag; 3] =
    [NAMESPACE, Flag(&["-A", "--all-namespaces"], Takes::Nothing), Flag(&["-l", "--selector"], Takes::Value)];

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let wanted = wanted(session.words())?;
    let (mut texts, mut missing) = (Vec::new(), Vec::new());
    for wanted in &wanted {
        let (objects, gone) = session.find(wanted)?;
        missing.extend(gone);
        for object in objects {
            texts.push(match &object {
                Object::Node(node) => describe_node(&session.store, node, session.now_ms),
                Object::Pod(pod) => describe_pod(&session.store, pod, session.now_ms),
                Object::DaemonSet(set) => describe_daemonset(&session.store, set, session.now_ms),
                Object::Other(Kind::ResourceQuota, plain) => describe_quota(&session.store, plain),
                Object::Other(Kind::PodDisruptionBudget, plain) => {
                    describe_budget(&session.store, plain, session.now_ms)
                }
                Object::Other(Kind::Deployment, plain) => {
                    describe_deployment(&session.store, plain, session.now_ms)
                }
                Object::Other(Kind::ReplicaSet, plain) => {
                    describe_replica_set(&session.store, plain, session.now_ms)
                }
                Object::Other(Kind::Service, plain) => {
                    describe_service(&session.store, plain, session.now_ms)
                }
                Object::Other(kind @ Kind::RuntimeClass, plain) => {
                    describe_plain(&session.store, *kind, plain, session.now_ms)
                }
                other => return Err(Stop::NotSimulated(format!("describe {}", other.kind().singular()))),
            });
        }
    }
    session.call.out(texts.join("\n\n"));
    if missing.is_empty() { Ok(()) } else { Stop::error(missing.join("\n")) }
}
