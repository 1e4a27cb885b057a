//! What happened to the objects of the API, as far as no machine tells it.

use super::{Memory, Told};
use fourgaps_cluster::change::{Change, Fact};
use fourgaps_cluster::event::Level;
use fourgaps_cluster::object::{Kind, Object};

pub(super) fn told(fact: &Fact, memory: &mut Memory) -> Option<Told> {
    match &fact.change {
        Change::Put(Object::Pod(pod)) => {
            let name = format!("{}/{}", pod.key.namespace, pod.key.name);
            let node = pod.node.as_deref().unwrap_or_default();
            let is_new = memory.pods.insert(pod.uid.to_string());
            is_new.then(|| Told::new(node, "pod.made", &[&name]))
        }
        Change::Gone(id) if id.kind == Kind::Pod => {
            Some(Told::new("", "pod.gone", &[&format!("{}/{}", id.key.namespace, id.key.name)]))
        }
        // What a kubelet told its machine tells.
        Change::Told(note) if note.source != "kubelet" => {
            let kind = match (note.about.kind, note.level) {
                (Kind::Pod, Level::Normal) => "pod.event",
                (Kind::Pod, Level::Warning) => "pod.warning",
                (_, Level::Normal) => "api.event",
                (_, Level::Warning) => "api.warning",
            };
            let node = if note.about.kind == Kind::Node { note.about.key.name.as_ref() } else { "" };
            Some(Told { repeats: true, ..Told::new(node, kind, &[note.reason.as_ref(), &note.message]) })
        }
        _ => None,
    }
}
