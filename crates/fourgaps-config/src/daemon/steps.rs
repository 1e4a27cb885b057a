//! The steps of a plugin or of the process: taking other plugins, looking at values, saying and remembering things.

use super::conditions::{Found, World, all_hold, is_set, value_at};
use super::data::{Check, Client, CopyTo, Keys, LineRules, Put, Step};
use super::fill;
use super::log::{Level, Log};
use super::plugins::{Failed, Lost, State};
use crate::toml::{Kind, Node, Table};
use fourgaps_base::map_of;
use std::collections::{BTreeMap, BTreeSet};

/// What steps work on beside the configuration.
pub(crate) struct Stage<'s> {
    pub world: World<'s>,
    pub client: &'s Client,
    /// The sections of the plugins that were met.
    pub sections: &'s BTreeMap<String, Node>,
    pub log: &'s mut Log,
    /// Deprecations that were met, by their names.
    pub deprecations: &'s mut BTreeSet<String>,
    /// More names that a text may hold.
    pub names: &'s BTreeMap<&'static str, String>,
    /// Whether a step said that the plugin is for the machine's platform.
    pub platform: bool,
}

impl Stage<'_> {
    /// Takes steps in turn; the first that fails ends them.
    pub fn take(&mut self, steps: &[Step], config: &mut Node) -> Result<(), State> {
        steps.iter().try_for_each(|step| self.step(step, config))
    }

    fn step(&mut self, step: &Step, config: &mut Node) -> Result<(), State> {
        let plugins = self.world.plugins;
        match step {
            Step::Get { of, id, absent, error, optional, skip } => {
                let taken = match id {
                    None => plugins.one(of),
                    Some(id) => plugins.by_id(of, id, absent.as_deref()),
                };
                let settled = settle(taken, *optional, error.as_deref());
                settled
                    .map_err(|failed| if *skip { State::Skipped(failed.why) } else { State::Failed(failed) })
            }
            Step::All { of, unusable, lost, error, optional } => {
                if let Some(LineRules { level, msg, fields, quiet }) = lost {
                    let level = level_of(level.as_deref());
                    for (id, why) in plugins.failed(of) {
                        let names = [("id", id), ("why", why)];
                        let fields = map_of(fields.iter().map(|(k, words)| (k.clone(), fill(words, &names))));
                        self.log.line(level, &fill(msg, &names), &fields, *quiet);
                    }
                }
                let taken = plugins.every(of).and_then(|working| match unusable {
                    Some(why) if working == 0 => Err(Lost::Broken(broken(why.clone()))),
                    _ => Ok(()),
                });
                settle(taken, *optional, error.as_deref()).map_err(State::Failed)
            }
            Step::Platform => {
                self.platform = true;
                Ok(())
            }
            Step::Client { error } => {
                settle(self.connect().map_err(Lost::Broken), false, error.as_deref()).map_err(State::Failed)
            }
            Step::Check(check) => self.check(check, config),
        }
    }

    /// Source of the rules: `services.go` of each version.
    fn connect(&self) -> Result<(), Failed> {
        let plugins = self.world.plugins;
        let within = |lost: Lost, before: &str| {
            let failed = lost.failed();
            Failed { why: format!("{before}: {}", failed.why), ..failed }
        };
        for of in &self.client.plugins {
            plugins.one(of).map_err(|lost| within(lost, &format!("failed to get \"{of}\" plugin")))?;
        }
        const SERVICES: &str = "io.containerd.service.v1";
        plugins.every(SERVICES).map_err(|lost| within(lost, "failed to get service plugin"))?;
        for id in &self.client.services {
            match (plugins.by_id(SERVICES, id, None), &self.client.failed) {
                (Ok(()), _) => {}
                (Err(Lost::Broken(failed)), Some(words)) => {
                    return Err(Failed { why: fill(words, &[("id", id), ("why", &failed.why)]), ..failed });
                }
                (Err(_), _) => return Err(broken(format!("service \"{id}\" not found"))),
            }
        }
        Ok(())
    }

    fn check(&mut self, check: &Check, config: &mut Node) -> Result<(), State> {
        let looked_at = match &check.section {
            None => &*config,
            Some(uri) => match self.sections.get(uri) {
                None => return Ok(()),
                Some(section) => section,
            },
        };
        let Some(each) = &check.each else {
            let found = all_hold(&check.when, looked_at, "", &self.world);
            return found.map_or(Ok(()), |found| self.effects(check, config, &[], &found, ""));
        };
        for (name, entry) in entries(looked_at, each) {
            if let Some(found) = all_hold(&check.when, &entry, &name, &self.world) {
                let below: Keys = each.iter().cloned().chain([name.clone()]).collect();
                self.effects(check, config, &below, &found, &name)?;
            }
        }
        Ok(())
    }

    /// Does what a check does. Changes are made `below` these keys.
    fn effects(
        &mut self,
        check: &Check,
        config: &mut Node,
        below: &[String],
        found: &Found,
        entry: &str,
    ) -> Result<(), State> {
        let names = self.names;
        let text = |words: &str| text_of(words, names, found, entry);
        if let Some(warn) = &check.warn {
            self.log.line(Level::Warning, &text(warn), &BTreeMap::new(), false);
        }
        for info in &check.info {
            self.log.line(Level::Info, &text(info), &BTreeMap::new(), false);
        }
        if let Some(LineRules { level, msg, fields, quiet }) = &check.log {
            let fields = map_of(fields.iter().map(|(key, words)| (key.clone(), text(words))));
            self.log.line(level_of(level.as_deref()), &text(msg), &fields, *quiet);
        }
        if let Some(crash) = &check.crash {
            return Err(State::Crashed(text(crash)));
        }
        if let Some(error) = &check.error {
            let why = text(error);
            return Err(if check.skip { State::Skipped(why) } else { State::Failed(broken(why)) });
        }
        if let Some(name) = &check.deprecate {
            self.deprecations.insert(name.clone());
        }
        let whole = |key: &Keys| below.iter().chain(key).cloned().collect();
        if let Some(Put { key, value }) = &check.put {
            put(config, &whole(key), value.kind.clone());
        }
        if let Some(CopyTo { from, to, list }) = &check.copy
            && let Some(mut node) = value_at(config, &whole(from)).cloned()
        {
            if *list {
                node = Node { place: node.place, reported: node.reported, kind: Kind::Array(vec![node]) };
            }
            put_node(config, &whole(to), node);
        }
        Ok(())
    }
}

/// The level that a line of `daemon.toml` says.
pub(super) fn level_of(name: Option<&str>) -> Level {
    name.and_then(Level::named).unwrap_or(Level::Warning)
}

/// Fills the names of a check into one of its texts.
fn text_of(words: &str, names: &BTreeMap<&'static str, String>, found: &Found, entry: &str) -> String {
    let mut all: Vec<(&str, &str)> = names.iter().map(|(key, value)| (*key, value.as_str())).collect();
    let values = found.names();
    all.extend(values.iter().map(|(key, value)| (*key, value.as_str())));
    all.push(("entry", entry));
    all.extend(found.numbers.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    fill(words, &all)
}

/// A failure that has nothing to do with a plugin that is not there.
fn broken(why: String) -> Failed {
    Failed { why, not_found: false }
}

fn settle(taken: Result<(), Lost>, optional: bool, words: Option<&str>) -> Result<(), Failed> {
    let Err(lost) = taken else { return Ok(()) };
    let failed = lost.failed();
    if optional && failed.not_found {
        return Ok(());
    }
    let why = words.map_or_else(|| failed.why.clone(), |words| fill(words, &[("why", &failed.why)]));
    Err(Failed { why, ..failed })
}

/// The entries of a table by name, or of a list by number.
fn entries(config: &Node, each: &Keys) -> Vec<(String, Node)> {
    match value_at(config, each).map(|node| &node.kind) {
        Some(Kind::Table(table)) => table.entries.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
        Some(Kind::Array(list) | Kind::Tables(list)) => {
            list.iter().enumerate().map(|(n, item)| (n.to_string(), item.clone())).collect()
        }
        _ => Vec::new(),
    }
}

/// Sets a value; what stood there gives it its place.
fn put(config: &mut Node, key: &Keys, kind: Kind) {
    let old = value_at(config, key).map_or_else(|| Node::default_of(Kind::Bool(false)), Node::clone);
    put_node(config, key, Node { kind, ..old });
}

fn put_node(config: &mut Node, key: &Keys, node: Node) {
    let Some((last, path)) = key.split_last() else { return };
    let mut at = config;
    for part in path {
        let Kind::Table(table) = &mut at.kind else { return };
        let empty = || Node::default_of(Kind::Table(Table::default()));
        at = table.entries.entry(part.clone()).or_insert_with(empty);
    }
    if let Kind::Table(table) = &mut at.kind {
        table.entries.insert(last.clone(), node);
    }
}

/// True where a value in a configuration is set; for readers of the log's keys.
pub(crate) fn set_text(config: &Node, key: &Keys) -> Option<String> {
    is_set(config, key).then(|| super::conditions::text_at(config, key))
}
