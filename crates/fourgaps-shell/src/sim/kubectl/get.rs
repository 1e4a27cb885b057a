//! `kubectl get`. Source: `pkg/cmd/get` of kubectl and `cli-runtime/pkg/printers`.

use super::super::flags::{Flag, Takes};
use super::output::Format;
use super::resources::Group;
use super::{NAMESPACE, Session, Stop};
use fourgaps_base::sort_by;
use fourgaps_cluster::object::{Kind, Object};
use fourgaps_cluster::quantity::Quantity;
use fourgaps_cluster::store::labels_of;
use fourgaps_view::kubectl::jsonpath::{Path, order};
use fourgaps_view::kubectl::{Table, cells_of, kind_columns, label_text, manifest};
use serde_json::Value;
use std::cmp::Ordering;

pub(super) const FLAGS: [Flag; 15] = [
    NAMESPACE,
    Flag(&["-A", "--all-namespaces"], Takes::Nothing),
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["-L", "--label-columns"], Takes::Value),
    Flag(&["-o", "--output"], Takes::Value),
    Flag(&["-f", "--filename"], Takes::Value),
    Flag(&["--no-headers"], Takes::Nothing),
    Flag(&["--show-labels"], Takes::Nothing),
    Flag(&["--show-kind"], Takes::Nothing),
    Flag(&["--ignore-not-found"], Takes::Nothing),
    Flag(&["--field-selector"], Takes::Value),
    Flag(&["--sort-by"], Takes::Value),
    Flag(&["--chunk-size"], Takes::Value),
    Flag(&["-w", "--watch"], Takes::Nothing),
    Flag(&["--watch-only"], Takes::Nothing),
];

/// What the server of 1.33 and later says with every answer that has Endpoints in it.
const ENDPOINTS_ARE_OLD: &str = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let watches = session.args.has("-w") || session.args.has("--watch-only");
    if session.words().is_empty() && session.args.value("-f").is_none() && !watches {
        return Stop::error(
            "You must specify the type of resource to get. Use \"kubectl api-resources\" for a complete list of supported resources.\n\nerror: Required resource not specified.\nUse \"kubectl explain <resource>\" for a detailed description of that resource (e.g. kubectl explain pods).\nSee 'kubectl get -h' for help and examples",
        );
    }
    let output = session.args.value("-o").unwrap_or_default();
    if session.args.has("--show-labels") && !["", "wide"].contains(&output) {
        return Stop::error(format!("error: --show-labels option cannot be used with {output} printer"));
    }
    let wanted = session.wanted(session.words())?;
    if wanted.iter().any(|wanted| wanted.kind == Kind::Endpoints) {
        session.call.err(format!("Warning: {ENDPOINTS_ARE_OLD}\n"));
    }
    if watches {
        let [one] = wanted.as_slice() else {
            return Stop::error("error: you may only specify a single resource type");
        };
        return super::watch::run(session, one);
    }
    let single = matches!(wanted.as_slice(), [one] if one.names.len() == 1);
    let all_namespaced = wanted.iter().all(|wanted| wanted.kind.is_namespaced());
    let (mut groups, mut missing) = (Vec::new(), Vec::new());
    for wanted in &wanted {
        let (objects, gone) = session.find(wanted)?;
        missing.extend(gone);
        groups.push(Group { kind: wanted.kind, named: !wanted.names.is_empty(), objects });
    }
    let forgiving = session.args.has("--ignore-not-found");
    if forgiving {
        missing.clear();
    }
    let failed =
        |missing: Vec<String>| if missing.is_empty() { Ok(()) } else { Stop::error(missing.join("\n")) };
    let human = ["", "wide"].contains(&output);
    if !human && single && !missing.is_empty() {
        return failed(missing);
    }
    if !human && forgiving && groups.iter().all(|group| group.objects.is_empty()) {
        return Ok(());
    }
    let sort_by =
        session.args.value("--sort-by").filter(|path| !path.is_empty()).map(sort_path).transpose()?;
    match Format::read(session, true)? {
        Format::Table { wide } => {
            // Of names only those count that are there; a list counts also where nothing is in it.
            let mut kinds: Vec<Kind> = groups
                .iter()
                .filter(|group| !group.named || !group.objects.is_empty())
                .map(|group| group.kind)
                .collect();
            kinds.dedup();
            let several = kinds.len() > 1;
            let headers = !session.args.has("--no-headers");
            let mut told = false;
            for group in groups {
                let mut objects = group.objects;
                if let Some(path) = sort_by.as_ref().filter(|_| !objects.is_empty()) {
                    objects = sorted(objects, path)?;
                }
                if objects.is_empty() {
                    continue;
                }
                let columns = Columns::new(session, group.kind, wide, several);
                let mut table = Table::new(&columns.heads());
                objects.iter().for_each(|object| table.push(columns.row(session, object)));
                let text = table.text(headers);
                session.call.out(if told && headers { format!("\n{text}") } else { text });
                told = true;
            }
            if !told && missing.is_empty() && !forgiving {
                let text = match all_namespaced && !session.args.has("-A") {
                    true => format!("No resources found in {} namespace.\n", session.namespace()),
                    false => "No resources found\n".into(),
                };
                session.call.err(text);
            }
        }
        form => {
            let mut objects: Vec<Object> = groups.into_iter().flat_map(|group| group.objects).collect();
            if let Some(path) = sort_by.as_ref().filter(|_| !single && !objects.is_empty()) {
                objects = sorted(objects, path)?;
            }
            let text = match form {
                Format::Name => objects.iter().map(name_line).collect(),
                form => {
                    let headers = !session.args.has("--no-headers");
                    form.text(objects.iter().map(manifest).collect(), single, headers)
                }
            };
            session.call.out(text);
        }
    }
    failed(missing)
}

/// A line of `-o name`.
pub(super) fn name_line(object: &Object) -> String {
    format!("{}/{}\n", object.kind().told(), object.key().name)
}

/// The columns of a kind under the flags of a call.
pub(super) struct Columns {
    kind: Kind,
    wide: bool,
    /// The kind stands before the name.
    prefix: bool,
    namespace: bool,
    labels: Vec<String>,
    all_labels: bool,
}

impl Columns {
    /// The columns that the flags want.
    pub fn new(session: &Session<'_, '_>, kind: Kind, wide: bool, several: bool) -> Self {
        let labels = session.args.values("-L").flat_map(|names| names.split(',')).map(String::from);
        Self {
            kind,
            wide,
            // The table of events has no column that is the name of its row.
            prefix: (several || session.args.has("--show-kind")) && kind != Kind::Event,
            namespace: kind.is_namespaced() && session.args.has("-A"),
            labels: labels.collect(),
            all_labels: session.args.has("--show-labels"),
        }
    }

    /// Their names.
    pub fn heads(&self) -> Vec<String> {
        let of_kind = kind_columns(self.kind).into_iter().filter(|(_, wide)| self.wide || !wide);
        let mut heads: Vec<String> = of_kind.map(|(head, _)| head.to_string()).collect();
        if self.namespace {
            heads.insert(0, "NAMESPACE".into());
        }
        let last = |label: &String| label.rsplit('/').next().unwrap_or_default().to_uppercase();
        heads.extend(self.labels.iter().map(last));
        heads.extend(self.all_labels.then(|| "LABELS".to_string()));
        heads
    }

    /// The cells of an object.
    pub fn row(&self, session: &Session<'_, '_>, object: &Object) -> Vec<String> {
        let all = cells_of(&session.store, object, session.now_ms);
        let shown = kind_columns(self.kind).into_iter().map(|(_, wide)| self.wide || !wide);
        let mut cells: Vec<String> =
            all.into_iter().zip(shown).filter(|(_, shown)| *shown).map(|(cell, _)| one_line(cell)).collect();
        if self.prefix {
            cells[0] = format!("{}/{}", self.kind.told(), cells[0]);
        }
        if self.namespace {
            cells.insert(0, object.key().namespace.to_string());
        }
        let labels = labels_of(object);
        let value = |label: &String| labels.get(label).map_or("<none>", String::as_str).to_string();
        cells.extend(self.labels.iter().map(value));
        cells.extend(self.all_labels.then(|| label_text(labels)));
        cells
    }
}

/// A cell ends where its first line does.
fn one_line(cell: String) -> String {
    match cell.split_once(['\n', '\r']) {
        Some((first, _)) => format!("{first}..."),
        None => cell,
    }
}

fn sort_path(text: &str) -> Result<(Path, String), Stop> {
    let path = Path::relaxed(text).map_err(|why| Stop::Error(format!("error: {why}")))?;
    let bare = text.trim_matches(['{', '}']);
    Ok((path, format!("{{.{}}}", bare.strip_prefix('.').unwrap_or(bare))))
}

/// Sorted by what stands at a path; what has nothing there comes first, and one of them must have something.
fn sorted(objects: Vec<Object>, (path, told): &(Path, String)) -> Result<Vec<Object>, Stop> {
    let key = |object: &Object| path.find(&manifest(object)).first().map(|value| (*value).clone());
    let mut keyed: Vec<(Option<Value>, Object)> =
        objects.into_iter().map(|object| (key(&object), object)).collect();
    if keyed.iter().all(|(key, _)| key.is_none()) {
        return Stop::error(format!(
            "error: couldn't find any field with path \"{told}\" in the list of objects"
        ));
    }
    sort_by(&mut keyed, |(a, _), (b, _)| match (a, b) {
        (Some(a), Some(b)) => compared(a, b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    });
    Ok(keyed.into_iter().map(|(_, object)| object).collect())
}

/// Two texts that are amounts are compared as such (`isLess`).
fn compared(a: &Value, b: &Value) -> Ordering {
    let amount = |value: &Value| value.as_str().and_then(Quantity::read);
    match (amount(a), amount(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => order(a, b).unwrap_or(Ordering::Equal),
    }
}
