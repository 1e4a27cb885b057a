//! What another containerd version would make of the same files: handlers and set values gained, lost or changed.
//! A value is followed by the place where it was written, so one that moves to another key is seen to move.

use crate::{Places, Source, file_name};
use fourgaps_base::{Files, Place, in_order, set_of};
use fourgaps_config::daemon::{DaemonRun, start};
use fourgaps_config::{DumpRun, Handler, LoadedFile, Request, Rule, Version, dump_of_started};
use serde::Serialize;
use std::collections::BTreeMap;

/// What changes from one version to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UpgradeView {
    /// The format of this JSON: 1.
    pub format: u32,
    /// The version that the node has.
    pub from: String,
    /// The version that it would get.
    pub to: String,
    /// The main file.
    pub config: String,
    /// True where the node would lose a handler, its CRI plugin, or not start.
    pub harmful: bool,
    /// Handlers of both, with what happens to them.
    pub handlers: Vec<HandlerChange>,
    /// Values that change, worst cause first.
    pub changes: Vec<Change>,
    /// How many set values stay as they are.
    pub unchanged: usize,
    /// Why a started process would not serve pods, in its own words.
    pub refused: Option<String>,
}

/// What happens to a handler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HandlerChange {
    /// Its name.
    pub name: String,
    /// What happens.
    pub what: What,
    /// Where it was written; `None` for a built-in one.
    pub source: Option<Source>,
}

/// What happens to a handler or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// It is not there any more.
    Lost,
    /// It is there, with another key or value.
    Changed,
    /// It was not there before.
    Gained,
    /// Nothing.
    Kept,
}

/// Why something changes, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The new version refuses the files.
    VersionRefused,
    /// No field of the new version reads the key.
    DroppedKey,
    /// The two versions merge files in different ways.
    MergeRule,
    /// The section has another name in the new version.
    RenamedPlugin,
    /// The key moved inside its plugin, or its value was put into another form.
    Migration,
}

/// A value that somebody wrote and that another version treats in another way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Change {
    /// Why.
    pub cause: Cause,
    /// What.
    pub what: What,
    /// Where it was written.
    pub source: Source,
    /// Key and value before; `None` where it did not count.
    pub before: Option<KeyValue>,
    /// Key and value after; `None` where it does not count.
    pub after: Option<KeyValue>,
}

/// A key and its value as a dump prints them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct KeyValue {
    /// The key, dotted and quoted as TOML.
    pub key: String,
    /// The value.
    pub value: String,
}

impl UpgradeView {
    /// Loads the files with both versions and compares what a started process would hold.
    pub fn of(from: &Version, to: &Version, files: &dyn Files, main: &str) -> Self {
        let request = |version| Request::new(version, files, main);
        let (old, new) = (dump_of_started(&request(from)), dump_of_started(&request(to)));
        let (old_daemon, new_daemon) = (start(&request(from)), start(&request(to)));
        let handlers = handler_changes(&old_daemon, &new_daemon);
        let (changes, unchanged) = value_changes(&old, &new);
        let refused = crate::surprise::last_words(&new_daemon);
        let harmful = refused.is_some() || handlers.iter().any(|h| h.what == What::Lost);
        let (from, to, config) = (from.name().into(), to.name().into(), main.into());
        Self { format: 1, from, to, config, harmful, handlers, changes, unchanged, refused }
    }
}

fn handler_changes(old: &DaemonRun, new: &DaemonRun) -> Vec<HandlerChange> {
    let of = |daemon: &DaemonRun| daemon.handlers.clone().unwrap_or_default();
    let (before, after) = (of(old), of(new));
    let names = set_of(before.iter().chain(&after).map(|h| h.name.as_str()));
    let find = |list: &[Handler], name: &str| list.iter().find(|h| h.name == name).cloned();
    let change = |name: &str| {
        let (was, is) = (find(&before, name), find(&after, name));
        let what = match (&was, &is) {
            (Some(_), None) => What::Lost,
            (None, _) => What::Gained,
            (Some(a), Some(b)) if a.runtime_type == b.runtime_type && a.binary_name == b.binary_name => {
                What::Kept
            }
            _ => What::Changed,
        };
        let files = if is.is_some() { &new.files } else { &old.files };
        let source = is.or(was).and_then(|h| source_in(files, h.place));
        HandlerChange { name: name.into(), what, source }
    };
    in_order(names.into_iter().map(change).collect(), |a, b| a.what.cmp(&b.what))
}

fn source_in(files: &[LoadedFile], place: Place) -> Option<Source> {
    let file = files.iter().find(|file| file.id == place.file)?.path.clone();
    Some(Source { file, line: place.pos.line, column: place.pos.column })
}

/// The files of two loads have the same numbers only by chance, so values are matched by path and place.
type Spot = (String, u32, u32);

fn value_changes(old: &DumpRun, new: &DumpRun) -> (Vec<Change>, usize) {
    let (before, after) = (set_values(old), set_values(new));
    let spots = set_of(before.keys().chain(after.keys()));
    let (mut changes, mut unchanged) = (Vec::new(), 0);
    for spot in spots {
        let (a, b) = (before.get(spot), after.get(spot));
        let source = Source { file: spot.0.clone(), line: spot.1, column: spot.2 };
        match (a, b) {
            (Some(a), Some(b)) if a.key == b.key && same(&a.value, &b.value) => unchanged += 1,
            (Some(a), Some(b)) => {
                let cause = if moved(&a.key, &b.key) { Cause::RenamedPlugin } else { Cause::Migration };
                let (before, after) = (Some(a.clone()), Some(b.clone()));
                changes.push(Change { cause, what: What::Changed, source, before, after });
            }
            (Some(a), None) => {
                let cause = why_lost(new, &source);
                changes.push(Change {
                    cause,
                    what: What::Lost,
                    source,
                    before: Some(a.clone()),
                    after: None,
                });
            }
            (None, Some(b)) => {
                let cause = if hidden(old, &source) { Cause::MergeRule } else { Cause::Migration };
                changes.push(Change {
                    cause,
                    what: What::Gained,
                    source,
                    before: None,
                    after: Some(b.clone()),
                });
            }
            (None, None) => {}
        }
    }
    (in_order(changes, Ord::cmp), unchanged)
}

/// What somebody wrote and what counts, by the place where it was written. The list of imports is no setting.
fn set_values(run: &DumpRun) -> BTreeMap<Spot, KeyValue> {
    let places = Places::of(run);
    let mut out = BTreeMap::new();
    for line in &run.lines {
        let Some(source) = line.place.and_then(|place| places.source(place)) else { continue };
        let Some(row) = crate::explain::value_of(line) else { continue };
        if !matches!(line.path.as_slice(), [key] if key == "imports" || key == "version") {
            out.entry((source.file, source.line, source.column)).or_insert(row);
        }
    }
    out
}

/// The same value, whatever the quotes of the dump.
fn same(a: &str, b: &str) -> bool {
    a == b || a.replace('\'', "\"") == b.replace('\'', "\"")
}

/// The key is the same but for the name of its plugin.
fn moved(a: &str, b: &str) -> bool {
    let rest = |key: &str| {
        let key = key.strip_prefix("plugins.").unwrap_or(key);
        let mut quoted = key.splitn(3, '"');
        quoted.nth(2).map_or_else(|| key.to_string(), String::from)
    };
    rest(a) == rest(b)
}

fn why_lost(new: &DumpRun, source: &Source) -> Cause {
    if new.fault.is_some() {
        Cause::VersionRefused
    } else if hidden(new, source) {
        Cause::MergeRule
    } else {
        Cause::DroppedKey
    }
}

fn hidden(run: &DumpRun, source: &Source) -> bool {
    let places = Places::of(run);
    let at = |place: Place| places.source(place).is_some_and(|s| s == *source);
    run.hidden.iter().any(|h| at(h.place) && h.rule != Rule::ZeroDoesNotOverride)
}

impl UpgradeView {
    /// The view as text for people.
    pub fn text(&self, paint: &dyn crate::Paint) -> String {
        let mut out = String::new();
        let mut line = |text: String| {
            out.push_str(&text);
            out.push('\n');
        };
        line(paint.strong(&format!("From containerd {} to {}", self.from, self.to)));
        if let Some(refused) = &self.refused {
            line(paint.alarm(&format!("  It would not serve pods: {refused}")));
        }
        line(paint.strong("\nHandlers"));
        for handler in &self.handlers {
            let from = handler.source.as_ref().map_or_else(|| "built in".into(), ToString::to_string);
            let text = format!("  {:8} {}  {}", word(handler.what), handler.name, paint.pale(&from));
            line(if handler.what == What::Lost { paint.alarm(&text) } else { text });
        }
        let mut last = None;
        for change in &self.changes {
            if last != Some(change.cause) {
                line(paint.strong(&format!("\n{}", heading(change.cause))));
                last = Some(change.cause);
            }
            let show = |kv: &KeyValue| format!("{} = {}", kv.key, kv.value);
            let text = match (&change.before, &change.after) {
                (Some(a), Some(b)) => format!("{}  becomes  {}", show(a), show(b)),
                (Some(kv), None) | (None, Some(kv)) => show(kv),
                (None, None) => String::new(),
            };
            let at = format!("{}:{}", file_name(&change.source.file), change.source.line);
            let text = format!("  {:8} {text}  {}", word(change.what), paint.pale(&at));
            line(if change.what == What::Lost { paint.alarm(&text) } else { text });
        }
        line(format!("\n{} set values stay as they are.", self.unchanged));
        line(if self.harmful {
            paint.alarm("This upgrade takes something away from the node.")
        } else {
            "The node keeps its handlers.".into()
        });
        out
    }
}

fn word(what: What) -> &'static str {
    match what {
        What::Lost => "lost",
        What::Changed => "changed",
        What::Gained => "gained",
        What::Kept => "kept",
    }
}

fn heading(cause: Cause) -> &'static str {
    match cause {
        Cause::VersionRefused => "Because the new version refuses the files",
        Cause::DroppedKey => "Because the new version does not read the key",
        Cause::MergeRule => "Because the versions merge files in different ways",
        Cause::RenamedPlugin => "Because the plugin has another name",
        Cause::Migration => "Because the migration moves it",
    }
}
