//! `kubectl get`.

use super::super::flags::{Flag, Takes};
use super::output::Format;
use super::resources::wanted;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::object::{Kind, Object};
use fourgaps_view::kubectl::{
    DAEMONSET_COLUMNS, NODE_COLUMNS, NODE_WIDE, POD_COLUMNS, POD_WIDE, PodRow, Table, age, daemonset_cells,
    manifest, node_cells,
};
use serde_json::Value;

pub(super) const FLAGS: [Flag; 5] = [
    NAMESPACE,
    Flag(&["-A", "--all-namespaces"], Takes::Nothing),
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["-o", "--output"], Takes::Value),
    Flag(&["--no-headers"], Takes::Nothing),
];

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let format = Format::read(session.args.value("-o"))?;
    let wanted = wanted(session.words())?;
    let single = matches!(wanted.as_slice(), [one] if one.names.len() == 1);
    let headers = !session.args.has("--no-headers");
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for wanted in &wanted {
        let (objects, gone) = session.find(wanted)?;
        missing.extend(gone);
        if !objects.is_empty() {
            found.push((wanted.kind, objects));
        }
    }
    let several = wanted.len() > 1;
    match &format {
        Format::Table { wide } => {
            if found.is_empty() && missing.is_empty() {
                let namespaced = wanted.iter().any(|wanted| wanted.kind.is_namespaced());
                let here = namespaced && !session.args.has("-A");
                let text = match here {
                    true => format!("No resources found in {} namespace.\n", session.namespace()),
                    false => "No resources found\n".into(),
                };
                session.call.err(text);
            }
            for (at, (kind, objects)) in found.iter().enumerate() {
                let text = table(session, *kind, objects, *wide, several)?.text(headers);
                session.call.out(if at > 0 { format!("\n{text}") } else { text });
            }
        }
        Format::Name => {
            let objects =
                found.iter().flat_map(|(kind, objects)| objects.iter().map(|object| (*kind, object)));
            let names: String =
                objects.map(|(kind, object)| format!("{}/{}\n", kind.told(), object.key().name)).collect();
            session.call.out(names);
        }
        form => {
            let objects: Vec<Value> =
                found.iter().flat_map(|(_, objects)| objects.iter().map(manifest)).collect();
            if !single || !objects.is_empty() {
                session.call.out(form.text(objects, single, headers));
            }
        }
    }
    if missing.is_empty() { Ok(()) } else { Stop::error(missing.join("\n")) }
}

/// The table of objects of one kind.
fn table(
    session: &Session<'_, '_>,
    kind: Kind,
    objects: &[Object],
    wide: bool,
    several: bool,
) -> Result<Table, Stop> {
    let now_ms = session.now_ms;
    let (heads, plain) = match kind {
        Kind::Node => ([&NODE_COLUMNS[..], &NODE_WIDE].concat(), NODE_COLUMNS.len()),
        Kind::Pod => ([&POD_COLUMNS[..], &POD_WIDE].concat(), POD_COLUMNS.len()),
        Kind::DaemonSet => (DAEMONSET_COLUMNS.to_vec(), DAEMONSET_COLUMNS.len() - 3),
        Kind::RuntimeClass => (vec!["NAME", "HANDLER", "AGE"], 3),
        kind => return Err(Stop::NotSimulated(format!("a table of {}", kind.plural()))),
    };
    let shown = if wide { heads.len() } else { plain };
    let with_namespace = kind.is_namespaced() && session.args.has("-A");
    let mut columns = heads[..shown].to_vec();
    if with_namespace {
        columns.insert(0, "NAMESPACE");
    }
    let mut table = Table::new(&columns);
    for object in objects {
        let mut cells = match object {
            Object::Node(node) => node_cells(node, now_ms),
            Object::Pod(pod) => PodRow::new(pod, now_ms).cells(),
            Object::DaemonSet(set) => daemonset_cells(set, now_ms),
            Object::Other(_, plain) => {
                let handler = plain.body.get("handler").and_then(Value::as_str).unwrap_or_default();
                vec![
                    plain.meta.name.clone(),
                    handler.into(),
                    age(now_ms.saturating_sub(plain.meta.created_ms)),
                ]
            }
            Object::Revision(_) => Vec::new(),
        };
        cells.truncate(shown);
        if several {
            cells[0] = format!("{}/{}", kind.told(), cells[0]);
        }
        if with_namespace {
            cells.insert(0, object.key().namespace.to_string());
        }
        table.push(cells);
    }
    Ok(table)
}
