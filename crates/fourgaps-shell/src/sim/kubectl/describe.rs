//! `kubectl describe`.

use super::args::{Flag, switch, value};
use super::resources::wanted;
use super::{Session, Stop};
use fourgaps_cluster::object::Object;
use fourgaps_view::kubectl::describe_node;

pub(super) const FLAGS: [Flag; 2] = [switch("all-namespaces", 'A'), value("selector", 'l')];

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let wanted = wanted(&session.args.words)?;
    let (mut texts, mut missing) = (Vec::new(), Vec::new());
    for wanted in &wanted {
        let (objects, gone) = session.find(wanted)?;
        missing.extend(gone);
        for object in objects {
            texts.push(match &object {
                Object::Node(node) => describe_node(&session.store, node, session.now_ms),
                other => return Err(Stop::NotSimulated(format!("describe {}", other.kind().singular()))),
            });
        }
    }
    session.call.out(texts.join("\n\n"));
    if missing.is_empty() { Ok(()) } else { Stop::error(missing.join("\n")) }
}
