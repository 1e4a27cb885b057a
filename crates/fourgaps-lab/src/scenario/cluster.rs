//! What a scenario's cluster has beside machines: nodes that are none, and how images behave on them.

use crate::strict::{Sheet, Table};
use fourgaps_base::{Pos, map_of};
use fourgaps_cluster::kubelet::Behaviour;
use fourgaps_cluster::quantity::Quantity;
use fourgaps_cluster::taint::Taint;
use fourgaps_cluster::{Image, LightNode};
use std::collections::BTreeMap;

/// A node that is no machine, in the words of the file: a page has no use for more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LightEntry {
    /// Its name.
    pub name: String,
    /// Its labels, beside those that every node has.
    pub labels: BTreeMap<String, String>,
    /// Its taints, `KEY=VALUE:EFFECT`.
    pub taints: Vec<String>,
    /// What it offers, beside what every node offers.
    pub allocatable: BTreeMap<String, String>,
    /// Where it stands in the scenario's file.
    pub pos: Pos,
}

impl LightEntry {
    /// The node; what cannot be read is left out, which the gate refuses.
    pub(super) fn node(&self, containerd: &str) -> LightNode {
        let amount = |(name, text): (&String, &String)| Some((name.clone(), Quantity::read(text)?));
        LightNode {
            name: self.name.clone(),
            containerd: containerd.into(),
            labels: self.labels.clone(),
            taints: self.taints.iter().filter_map(|text| Taint::read(text)).collect(),
            allocatable: self.allocatable.iter().filter_map(amount).collect(),
        }
    }

    /// The words that say no taint and no amount.
    pub(crate) fn unread(&self) -> Vec<&str> {
        let taints = self.taints.iter().filter(|text| Taint::read(text).is_none());
        let amounts = self.allocatable.values().filter(|text| Quantity::read(text).is_none());
        taints.chain(amounts).map(String::as_str).collect()
    }
}

/// Reads `light_nodes`.
pub(super) fn take_nodes(sheet: &mut Sheet<'_>, top: &mut Table<'_>) -> Vec<LightEntry> {
    let tables = top.tables(sheet, "light_nodes").into_iter();
    let take = |mut table: Table<'_>| {
        let entry = LightEntry {
            pos: table.at(),
            name: table.text(sheet, "name"),
            labels: take_map(sheet, &mut table, "labels"),
            taints: table.texts(sheet, "taints"),
            allocatable: take_map(sheet, &mut table, "allocatable"),
        };
        table.close(sheet);
        entry
    };
    tables.map(take).collect()
}

fn take_map(sheet: &mut Sheet<'_>, table: &mut Table<'_>, key: &'static str) -> BTreeMap<String, String> {
    let Some(inner) = table.table(sheet, key) else { return BTreeMap::new() };
    map_of(inner.into_entries().into_iter().map(|(name, entry)| (name.to_string(), entry.text(sheet, name))))
}

/// Reads `images`.
pub(super) fn take_images(sheet: &mut Sheet<'_>, top: &mut Table<'_>, nodes: &[&str]) -> Vec<Image> {
    let tables = top.tables(sheet, "images");
    tables.into_iter().map(|table| take_image(sheet, table, nodes)).collect()
}

fn take_image(sheet: &mut Sheet<'_>, mut table: Table<'_>, nodes: &[&str]) -> Image {
    let name = table.text(sheet, "name");
    let at = table.at_key("node");
    let node = table.optional_text(sheet, "node");
    if let Some(node) = node.as_ref().filter(|node| !nodes.contains(&node.as_str())) {
        sheet.fault(at, format!("there is no node `{node}`"));
    }
    let mut behaviour = Behaviour::default();
    let mut flag = |key| table.optional(key).is_some_and(|entry| entry.flag(sheet, key));
    behaviour.missing = flag("missing");
    if flag("never_ready") {
        behaviour.ready_ms = None;
    }
    let mut ms = |key| table.number(sheet, key).and_then(|n| u64::try_from(n).ok()).map(|n| n * 1000);
    behaviour.pull_ms = ms("pull_s").unwrap_or(behaviour.pull_ms);
    behaviour.stop_ms = ms("stop_s").unwrap_or(behaviour.stop_ms);
    if let Some(ready_ms) = ms("ready_s") {
        behaviour.ready_ms = Some(ready_ms);
    }
    if let Some(mut inner) = table.table(sheet, "ends") {
        let after_s = inner.number(sheet, "after_s").and_then(|n| u64::try_from(n).ok());
        let status = inner.number(sheet, "status").and_then(|n| i32::try_from(n).ok());
        inner.close(sheet);
        behaviour.ends = Some((after_s.unwrap_or_default() * 1000, status.unwrap_or_default()));
    }
    table.close(sheet);
    Image { name, node, behaviour }
}
