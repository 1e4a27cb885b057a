//! The objects of the API that a scenario's machines, classes and pods are.

use super::{PodEntry, World};
use crate::change::{Change, Fact};
use crate::kubelet_status::{observe, registered};
use crate::meta::{Key, Meta};
use crate::node::Truth;
use crate::object::{Kind, Object, Plain};
use crate::pod::{ContainerState, ContainerStatus, Ended, Phase, Pod, Shape};
use crate::spec::PodSpec;
use crate::store::Store;
use fourgaps_config::daemon::SandboxAnswer;
use serde_json::json;
use std::sync::Arc;

pub(super) fn of_world(world: &World) -> Store {
    let mut store = Store::default();
    let mut put = |mut object: Object| {
        let uid = store.next_uid();
        match &mut object {
            Object::Node(node) => Arc::make_mut(node).meta.uid = uid,
            Object::Pod(pod) => Arc::make_mut(pod).uid = uid,
            Object::Other(_, plain) => Arc::make_mut(plain).meta.uid = uid,
            _ => {}
        }
        store.apply(&Fact { at_ms: world.now_ms, change: Change::Put(object) });
    };
    for (nth, (spec, machine)) in (1u64..).zip(world.specs.iter().zip(&world.nodes)) {
        let mut node = registered(spec, nth);
        observe(&mut node, spec, machine, world.now_ms);
        put(Object::Node(Arc::new(node)));
    }
    for class in &world.classes {
        let body = json!({ "handler": class.handler });
        let plain = Plain { meta: Meta::new("", &class.name), body };
        put(Object::Other(Kind::RuntimeClass, Arc::new(plain)));
    }
    for entry in &world.pods {
        put(Object::Pod(Arc::new(pod(world, entry))));
    }
    store
}

fn pod(world: &World, entry: &PodEntry) -> Pod {
    let mut container = json!({ "image": entry.image, "name": entry.name });
    if !entry.command.is_empty() {
        container["command"] = json!(entry.command);
    }
    let mut spec = json!({ "containers": [container], "restartPolicy": "Never" });
    if let Some(class) = &entry.runtime_class {
        spec["runtimeClassName"] = json!(class);
    }
    let mut pod = Pod {
        key: Key::new(&entry.namespace, &entry.name),
        shape: Arc::new(Shape { spec: PodSpec::of(&spec), ..Shape::default() }),
        node: Some(entry.node.as_str().into()),
        ..Pod::default()
    };
    let status = Arc::make_mut(&mut pod.status);
    status.set_condition("PodScheduled", Truth::True, 0);
    if has_run(world, entry) {
        status.phase = Phase::Succeeded;
        let ended = Ended { reason: "Completed".into(), ended_ms: Some(0), ..Ended::default() };
        let state = ContainerState::Ended(ended);
        status.containers = vec![ContainerStatus { state, last: None, ready: false, restarts: 0 }];
    } else {
        status.containers = vec![ContainerStatus::waiting("ContainerCreating")];
    }
    pod
}

/// True where the node would make a sandbox for the pod.
fn has_run(world: &World, entry: &PodEntry) -> bool {
    let Some(machine) = world.node(&entry.node) else { return false };
    let class = entry.runtime_class.as_ref();
    let class = class.map(|name| world.classes.iter().find(|class| class.name == *name));
    let handler = class.map(|class| class.map_or("", |class| class.handler.as_str()));
    let answer = machine.containerd().map(|process| process.run().sandbox(handler));
    machine.no_answer().is_none() && matches!(answer, Some(SandboxAnswer::Created { .. }))
}
