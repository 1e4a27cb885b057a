//! `kubectl get --watch`: the objects, and one more print for every change, in virtual time.

use super::get::{Columns, name_line};
use super::output::Format;
use super::resources::{Choice, Wanted};
use super::{Session, Stop};
use crate::sim::asking::{QUIET_MS, STOPPED};
use fourgaps_cluster::object::{Id, Kind, Object};
use fourgaps_cluster::{Change, change};
use fourgaps_view::kubectl::{Widths, completed, event_of, json, manifest, yaml};

pub(super) fn run(session: &mut Session<'_, '_>, wanted: &Wanted) -> Result<(), Stop> {
    let only = session.args.has("--watch-only");
    if session.args.value("--sort-by").is_some() {
        session.call.err(match only {
            true => "warning: --watch-only requested, --sort-by will be ignored\n",
            false => "warning: --watch requested, --sort-by will be ignored for watch events received\n",
        });
    }
    let (objects, missing) = session.find(wanted)?;
    if let Some(first) = missing.first() {
        return if session.args.has("--ignore-not-found") { Ok(()) } else { Stop::error(first) };
    }
    let mut printer = Printer::new(session, wanted.kind)?;
    if !only {
        printer.print(session, &objects);
    }
    let choice = Choice::of(session, wanted)?;
    let mut quiet_since_ms = session.now_ms;
    while session.call.world.world.now_ms() < quiet_since_ms + QUIET_MS {
        let changes = session.call.world.step(quiet_since_ms + QUIET_MS);
        for (at, fact) in changes.iter().enumerate() {
            session.now_ms = fact.at_ms;
            let change = fact.change.clone();
            // The API server writes a binding and the condition that says so at once.
            let next = changes.get(at + 1).map(|fact| &fact.change);
            let half = matches!((&change, next), (Change::PodStatus { uid, .. }, Some(Change::PodBound { uid: bound, .. })) if uid == bound);
            let gone = matches!(change, Change::Gone(_));
            let Some(object) = seen(session, change).filter(|_| !half) else { continue };
            if !choice.fits(&object) {
                continue;
            }
            quiet_since_ms = session.now_ms;
            // A kubelet's last word on a pod takes its time away first, and then the pod goes.
            let twice = gone && matches!(&object, Object::Pod(pod) if pod.is_spent());
            let objects = if twice { vec![object.clone(), object] } else { vec![object] };
            printer.print(session, &objects);
        }
    }
    Err(Stop::Interrupted(STOPPED.into()))
}

/// Prints objects one after the other as `-o` wants them.
struct Printer {
    format: Format,
    columns: Columns,
    widths: Widths,
    /// The names of the columns, until they are told.
    heads: Option<Vec<String>>,
    begun: bool,
}

impl Printer {
    fn new(session: &Session<'_, '_>, kind: Kind) -> Result<Self, Stop> {
        let format = Format::read(session, true)?;
        let columns = Columns::new(session, kind, matches!(format, Format::Table { wide: true }), false);
        let heads = match &format {
            Format::Columns(of) => of.iter().map(|(head, _)| head.clone()).collect(),
            _ => columns.heads(),
        };
        let heads = (!session.args.has("--no-headers")).then_some(heads);
        Ok(Self { format, columns, widths: Widths::default(), heads, begun: false })
    }

    fn print(&mut self, session: &mut Session<'_, '_>, objects: &[Object]) {
        if objects.is_empty() {
            return;
        }
        let one = |object: &Object| match &self.format {
            Format::Name => name_line(object),
            Format::Yaml => yaml(&manifest(object)),
            Format::JsonPath(template) => template.fill(&manifest(object)),
            _ => json(&manifest(object)),
        };
        let rows = match &self.format {
            Format::Table { .. } => {
                objects.iter().map(|object| self.columns.row(session, object)).collect::<Vec<_>>()
            }
            Format::Columns(of) => {
                objects.iter().map(|object| Format::cells(of, &manifest(object))).collect()
            }
            form => {
                for object in objects {
                    let mark = if matches!(form, Format::Yaml) && self.begun { "---\n" } else { "" };
                    session.call.out(format!("{mark}{}", one(object)));
                    self.begun = true;
                }
                return;
            }
        };
        let rows: Vec<Vec<String>> = self.heads.take().into_iter().chain(rows).collect();
        session.call.out(self.widths.lines(&rows));
    }
}

/// Folds a change in; gives the object that it concerns, as it is now or was at its end.
fn seen(session: &mut Session<'_, '_>, change: Change) -> Option<Object> {
    let told = match &change {
        Change::Told(_) => Some(session.store.events().len()),
        Change::ToldAgain { event, .. } => usize::try_from(*event).ok(),
        _ => None,
    };
    let id = match &change {
        Change::Put(object) => Some(Id { kind: object.kind(), key: object.key() }),
        Change::Gone(id) => Some(id.clone()),
        Change::PodBound { uid, .. } | Change::PodStatus { uid, .. } | Change::PodDeleting { uid, .. } => {
            Some(Id { kind: Kind::Pod, key: session.store.pod_with(*uid)?.key.clone() })
        }
        Change::DaemonStatus { key, .. } => Some(Id { kind: Kind::DaemonSet, key: key.clone() }),
        Change::Told(_) | Change::ToldAgain { .. } => None,
    };
    let before = id.as_ref().and_then(|id| session.store.get(id));
    session.store.apply(&change::Fact { at_ms: session.now_ms, change });
    if let Some(at) = told {
        return session.store.events().get(at).map(|event| event_of(at, event));
    }
    let now = id.and_then(|id| session.store.get(&id)).or(before);
    now.map(|object| completed(&session.store, object))
}
