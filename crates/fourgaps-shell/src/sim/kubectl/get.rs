//! `kubectl get`.

use super::super::flags::{Flag, Takes};
use super::output::Format;
use super::resources::wanted;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::event::Event;
use fourgaps_cluster::object::{Kind, Object};
use fourgaps_view::kubectl::jsonpath::{Path, order, shown};
use fourgaps_view::kubectl::{
    DAEMONSET_COLUMNS, EVENT_COLUMNS, NODE_COLUMNS, NODE_WIDE, POD_COLUMNS, POD_WIDE, PodRow,
    REVISION_COLUMNS, Table, daemonset_cells, event_cells, manifest, node_cells, of_event, plain_cells,
    plain_columns, revision_cells,
};
use serde_json::Value;

pub(super) const FLAGS: [Flag; 8] = [
    NAMESPACE,
    Flag(&["-A", "--all-namespaces"], Takes::Nothing),
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["-o", "--output"], Takes::Value),
    Flag(&["--no-headers"], Takes::Nothing),
    Flag(&["--field-selector"], Takes::Value),
    Flag(&["--sort-by"], Takes::Value),
    Flag(&["-w", "--watch"], Takes::Nothing),
];

/// What the server of 1.33 and later says with every answer that has Endpoints in it.
const ENDPOINTS_ARE_OLD: &str = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let format = Format::read(session.args.value("-o"))?;
    if matches!(session.words(), ["events" | "event" | "ev"]) {
        return events(session, &format);
    }
    let sort_by = sort_by(session)?;
    let wanted = wanted(session.words())?;
    let single = matches!(wanted.as_slice(), [one] if one.names.len() == 1);
    let headers = !session.args.has("--no-headers");
    if wanted.iter().any(|wanted| wanted.kind == Kind::Endpoints) {
        session.call.err(format!("Warning: {ENDPOINTS_ARE_OLD}\n"));
    }
    if session.args.has("-w") {
        let ([one], Format::Table { wide }) = (wanted.as_slice(), &format) else {
            return Err(Stop::NotSimulated("--watch of several kinds, or of anything but a table".into()));
        };
        return super::watch::run(session, one, *wide, headers);
    }
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for wanted in &wanted {
        let (mut objects, gone) = session.find(wanted)?;
        missing.extend(gone);
        if let Some(fields) = session.args.value("--field-selector") {
            let fields = fields_of(fields)?;
            objects.retain(|object| fulfils(&manifest(object), &fields));
        }
        if let Some(path) = &sort_by {
            objects = sorted(objects, path, manifest);
        }
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

/// The columns of a kind, as the flags want them.
pub(super) fn kind_columns(
    session: &Session<'_, '_>,
    kind: Kind,
    wide: bool,
) -> Result<Vec<&'static str>, Stop> {
    let (heads, plain) = match kind {
        Kind::Node => ([&NODE_COLUMNS[..], &NODE_WIDE].concat(), NODE_COLUMNS.len()),
        Kind::Pod => ([&POD_COLUMNS[..], &POD_WIDE].concat(), POD_COLUMNS.len()),
        Kind::DaemonSet => (DAEMONSET_COLUMNS.to_vec(), DAEMONSET_COLUMNS.len() - 3),
        Kind::ControllerRevision => (REVISION_COLUMNS.to_vec(), REVISION_COLUMNS.len()),
        kind => match plain_columns(kind) {
            Some((columns, plain)) => (columns.to_vec(), plain),
            None => return Err(Stop::NotSimulated(format!("a table of {}", kind.plural()))),
        },
    };
    let mut columns = heads[..if wide { heads.len() } else { plain }].to_vec();
    if kind.is_namespaced() && session.args.has("-A") {
        columns.insert(0, "NAMESPACE");
    }
    Ok(columns)
}

/// The cells of an object for so many columns.
pub(super) fn row(session: &Session<'_, '_>, object: &Object, columns: usize) -> Vec<String> {
    let now_ms = session.now_ms;
    let mut cells = match object {
        Object::Node(node) => node_cells(node, now_ms),
        Object::Pod(pod) => PodRow::new(pod, now_ms).cells(),
        Object::DaemonSet(set) => daemonset_cells(set, now_ms),
        Object::Other(kind, plain) => plain_cells(&session.store, *kind, plain, now_ms),
        Object::Revision(revision) => revision_cells(revision, now_ms),
    };
    if object.kind().is_namespaced() && session.args.has("-A") {
        cells.insert(0, object.key().namespace.to_string());
    }
    cells.truncate(columns);
    cells
}

/// The table of objects of one kind.
fn table(
    session: &Session<'_, '_>,
    kind: Kind,
    objects: &[Object],
    wide: bool,
    several: bool,
) -> Result<Table, Stop> {
    let columns = kind_columns(session, kind, wide)?;
    let name_at = usize::from(columns[0] == "NAMESPACE");
    let mut table = Table::new(&columns);
    for object in objects {
        let mut cells = row(session, object, columns.len());
        if several {
            cells[name_at] = format!("{}/{}", kind.told(), cells[name_at]);
        }
        table.push(cells);
    }
    Ok(table)
}

/// `--field-selector`: `path=value` and `path!=value`.
fn fields_of(text: &str) -> Result<Vec<(Path, bool, String)>, Stop> {
    let one = |part: &str| {
        let (path, wanted) = part.split_once('=')?;
        let (path, equal) = path.strip_suffix('!').map_or((path, true), |path| (path, false));
        let value = wanted.strip_prefix('=').unwrap_or(wanted);
        Some((Path::relaxed(path).ok()?, equal, value.to_string()))
    };
    let read: Option<Vec<_>> = text.split(',').map(one).collect();
    read.ok_or_else(|| Stop::NotSimulated(format!("--field-selector {text}")))
}

fn fulfils(object: &Value, fields: &[(Path, bool, String)]) -> bool {
    fields.iter().all(|(path, equal, wanted)| {
        let found = path.find(object).first().map(|value| shown(value)).unwrap_or_default();
        (found == *wanted) == *equal
    })
}

fn sort_by(session: &Session<'_, '_>) -> Result<Option<Path>, Stop> {
    let read = |text: &str| Path::relaxed(text).map_err(|why| Stop::Error(format!("error: {why}")));
    session.args.value("--sort-by").map(read).transpose()
}

/// Sorted by what stands at a path; what has nothing there comes first.
fn sorted<T>(items: Vec<T>, path: &Path, whole: impl Fn(&T) -> Value) -> Vec<T> {
    let mut keyed: Vec<(Option<Value>, T)> = items
        .into_iter()
        .map(|item| (path.find(&whole(&item)).first().map(|value| (*value).clone()), item))
        .collect();
    keyed.sort_by(|(a, _), (b, _)| match (a, b) {
        (Some(a), Some(b)) => order(a, b).unwrap_or(std::cmp::Ordering::Equal),
        (a, b) => a.is_some().cmp(&b.is_some()),
    });
    keyed.into_iter().map(|(_, item)| item).collect()
}

/// `get events`: events are no objects of the store, and their table is sorted by nothing.
fn events(session: &mut Session<'_, '_>, format: &Format) -> Result<(), Stop> {
    let everywhere = session.args.has("-A");
    let namespace = session.namespace();
    let fields = session.args.value("--field-selector").map(fields_of).transpose()?.unwrap_or_default();
    // Events of nodes live in the namespace `default`.
    let home = |event: &Event| match event.note.about.key.namespace.as_ref() {
        "" => "default".to_string(),
        namespace => namespace.to_string(),
    };
    let events = session.store.events().iter().filter(|event| everywhere || home(event) == namespace);
    let mut found: Vec<Event> = events.filter(|event| fulfils(&of_event(event), &fields)).cloned().collect();
    if let Some(path) = sort_by(session)? {
        found = sorted(found, &path, of_event);
    }
    let headers = !session.args.has("--no-headers");
    let Format::Table { wide } = format else {
        let text = format.text(found.iter().map(of_event).collect(), false, headers);
        session.call.out(text);
        return Ok(());
    };
    if *wide {
        return Err(Stop::NotSimulated("get events -o wide".into()));
    }
    if found.is_empty() {
        let here = if everywhere { String::new() } else { format!(" in {namespace} namespace.") };
        session.call.err(format!("No resources found{here}\n"));
        return Ok(());
    }
    let mut columns = EVENT_COLUMNS.to_vec();
    if everywhere {
        columns.insert(0, "NAMESPACE");
    }
    let mut table = Table::new(&columns);
    for event in &found {
        let mut cells = event_cells(event, session.now_ms);
        if everywhere {
            cells.insert(0, home(event));
        }
        table.push(cells);
    }
    session.call.out(table.text(headers));
    Ok(())
}
