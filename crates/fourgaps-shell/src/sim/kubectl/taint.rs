//! `kubectl taint`, `cordon` and `uncordon`. Source: `pkg/cmd/taint` and `pkg/cmd/drain` of kubectl.

use super::super::flags::{Flag, Takes};
use super::change::several;
use super::resources::{Wanted, kind_of};
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::object::{Id, Kind, Object};
use fourgaps_cluster::taint::{Effect, Taint};

pub(super) const FLAGS: [Flag; 6] = [
    NAMESPACE,
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["-o", "--output"], Takes::Value),
    Flag(&["--all"], Takes::Nothing),
    Flag(&["--dry-run"], Takes::Perhaps),
    Flag(&["--overwrite"], Takes::Nothing),
];
pub(super) const CORDON_FLAGS: [Flag; 3] =
    [NAMESPACE, Flag(&["-l", "--selector"], Takes::Value), Flag(&["--dry-run"], Takes::Perhaps)];

const NAME: &str = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

pub(super) fn taint(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let is_change = |word: &str| word.contains([':', '=']) || word.ends_with('-');
    let words = session.words().to_vec();
    let at = words.iter().position(|word| is_change(word)).unwrap_or(words.len());
    let (words, changes) = words.split_at(at);
    if let Some(word) = changes.iter().find(|word| !is_change(word)) {
        return Stop::error(format!("error: all resources must be specified before taint changes: {word}"));
    }
    let Some((kind, names)) = words.split_first() else {
        return Stop::error("error: one or more resources must be specified as <resource> <name>");
    };
    if changes.is_empty() {
        return Stop::error("error: at least one taint update is required");
    }
    let (mut add, mut remove) = (Vec::new(), Vec::new());
    for change in changes {
        match change.strip_suffix('-') {
            Some(gone) => remove.push(parsed(gone)?),
            None => match parsed(change)? {
                (key, value, Some(effect)) => add.push(Taint { value, ..Taint::new(&key, effect) }),
                _ => return usage(&format!("invalid taint spec: {change}")),
            },
        }
    }
    let kind = kind.split('/').next().unwrap_or_default();
    if kind_of(kind)? != Kind::Node {
        return Stop::error(format!("error: invalid resource type {kind}, only node types are supported"));
    }
    let both = |(key, _, effect): &&(String, String, Option<Effect>)| {
        add.iter().any(|new| new.key == *key && effect.is_none_or(|effect| effect == new.effect))
    };
    let conflicts: Vec<String> = remove
        .iter()
        .filter(both)
        .map(|(key, _, effect)| format!("{key}={}", effect.map_or("", Effect::name)))
        .collect();
    if !conflicts.is_empty() {
        return Stop::error(format!(
            "error: can not both modify and remove the following taint(s) in the same command: {}",
            conflicts.join(", ")
        ));
    }
    let (all, selects) = (session.args.has("--all"), session.args.value("-l").is_some());
    if all && selects {
        return Stop::error("error: setting 'all' parameter with a non empty selector is prohibited");
    }
    if !all && !selects && names.is_empty() {
        return Stop::error(
            "error: at least one resource name must be specified since 'all' parameter is not set",
        );
    }
    let named = if all || selects { Vec::new() } else { names.iter().map(ToString::to_string).collect() };
    let (nodes, mut errors) = session.nodes(named)?;
    for object in nodes {
        match one(session, &object, &add, &remove) {
            Err(Stop::Error(text)) => errors.push(text),
            done => done?,
        }
    }
    several(errors)
}

type Gone = (String, String, Option<Effect>);

fn one(session: &mut Session<'_, '_>, object: &Object, add: &[Taint], remove: &[Gone]) -> Result<(), Stop> {
    let Object::Node(node) = object else { return Ok(()) };
    let name = node.meta.name.as_str();
    let overwrite = session.args.has("--overwrite");
    let same = |a: &Taint, b: &Taint| a.key == b.key && a.effect == b.effect;
    let there: Vec<&str> = add
        .iter()
        .filter(|new| node.taints.iter().any(|old| same(old, new)))
        .map(|new| new.key.as_str())
        .collect();
    if !there.is_empty() && !overwrite {
        return Stop::error(format!(
            "error: node {name} already has {} taint(s) with same effect(s) and --overwrite is false",
            there.join(",")
        ));
    }
    // The newest stand first (`reorganizeTaints`).
    let mut taints: Vec<Taint> = add.to_vec();
    let now_ms = session.now_ms;
    for taint in &mut taints {
        taint.added_ms = (taint.effect == Effect::NoExecute).then_some(now_ms);
    }
    taints.extend(node.taints.iter().filter(|old| !add.iter().any(|new| same(old, new))).cloned());
    let added = taints.len() != node.taints.len();
    let (mut deleted, mut errors) = (false, Vec::new());
    for (key, _, effect) in remove {
        let before = taints.len();
        taints.retain(|old| old.key != *key || effect.is_some_and(|effect| effect != old.effect));
        deleted = taints.len() != before;
        if !deleted {
            let effect = effect.map(|effect| format!(":{}", effect.name())).unwrap_or_default();
            errors.push(format!("error: taint \"{key}{effect}\" not found"));
        }
    }
    several(errors)?;
    let word = match (added, deleted) {
        (true, true) => "modified",
        _ if overwrite => "modified",
        (true, false) => "tainted",
        _ => "untainted",
    };
    let id = Id::new(Kind::Node, "", name);
    let (_, store) =
        session.try_api(|cluster| cluster.edit_node(name, |node| node.taints.clone_from(&taints)))?;
    session.report(&store, &id, word)
}

/// `KEY[=VALUE]:EFFECT`, or a key alone (`parseTaint`).
fn parsed(text: &str) -> Result<Gone, Stop> {
    let (left, effect) = match *text.split(':').collect::<Vec<_>>() {
        [key] => (key, None),
        [left, effect] => match Effect::read(effect) {
            Some(known) => (left, Some(known)),
            None => return usage(&format!("invalid taint effect: {effect}, unsupported taint effect")),
        },
        _ => return usage(&format!("invalid taint spec: {text}")),
    };
    let (key, value) = match effect {
        None => (left, ""),
        Some(_) => left.split_once('=').unwrap_or((left, "")),
    };
    if value.contains('=') {
        return usage(&format!("invalid taint spec: {text}"));
    }
    let name = key.rsplit('/').next().unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric();
    let good = name.starts_with(plain)
        && name.ends_with(plain)
        && name.chars().all(|c| plain(c) || "-_.".contains(c));
    if !good {
        return usage(&format!("invalid taint spec: {text}, {NAME}"));
    }
    Ok((key.into(), value.into(), effect))
}

fn usage<T>(why: &str) -> Result<T, Stop> {
    Stop::error(format!("error: {why}\nSee 'kubectl taint -h' for help and examples"))
}

pub(super) fn cordon(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    mark(session, true)
}

pub(super) fn uncordon(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    mark(session, false)
}

fn mark(session: &mut Session<'_, '_>, on: bool) -> Result<(), Stop> {
    let verb = if on { "cordon" } else { "uncordon" };
    let nodes = session.nodes_of(verb)?;
    set_unschedulable(session, &nodes, on)
}

/// Marks nodes, and tells of each.
pub(super) fn set_unschedulable(
    session: &mut Session<'_, '_>,
    names: &[String],
    on: bool,
) -> Result<(), Stop> {
    let word = if on { "cordoned" } else { "uncordoned" };
    for name in names {
        let is_so = session.store.node(name).is_some_and(|node| node.unschedulable == on);
        let dry = session.dry()?.words();
        if !is_so {
            session.try_api(|cluster| cluster.cordon(name, on))?.0.ok();
        }
        let already = if is_so { "already " } else { "" };
        session.call.out(format!("node/{name} {already}{word}{dry}\n"));
    }
    Ok(())
}

impl Session<'_, '_> {
    /// Nodes by name, or those that `-l` selects.
    fn nodes(&self, names: Vec<String>) -> Result<(Vec<Object>, Vec<String>), Stop> {
        self.find(&Wanted { kind: Kind::Node, names, slashed: false, namespace: None })
    }

    /// The names of the nodes that `cordon`, `uncordon` or `drain` means; all of them must be there.
    pub fn nodes_of(&self, verb: &str) -> Result<Vec<String>, Stop> {
        let selects = self.args.value("-l").is_some();
        let usage =
            |why: &str| Stop::error(format!("error: {why}\nSee 'kubectl {verb} -h' for help and examples"));
        if self.words().is_empty() && !selects {
            return usage(&format!("USAGE: {verb} NODE [flags]"));
        }
        if !self.words().is_empty() && selects {
            return usage("error: cannot specify both a node name and a --selector option");
        }
        let mut names = Vec::new();
        for word in self.words() {
            match word.split_once('/') {
                None => names.push(word.to_string()),
                Some((kind, name)) if kind_of(kind)? == Kind::Node => names.push(name.into()),
                Some((kind, _)) => {
                    let plural = kind_of(kind)?.plural();
                    return Stop::error(format!(
                        "error: error: expected resource of type node, got \"/v1, Resource={plural}\""
                    ));
                }
            }
        }
        let (nodes, missing) = self.nodes(names)?;
        if let Some(first) = missing.first() {
            return Stop::error(first);
        }
        Ok(nodes.iter().map(|node| node.key().name.to_string()).collect())
    }
}
