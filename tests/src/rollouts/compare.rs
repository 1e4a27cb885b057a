//! What is seen after a step, ours beside the recorded.

use super::recording::Step;
use fourgaps_cluster::Cluster;
use fourgaps_cluster::daemon::{Report, What, fit};
use fourgaps_cluster::daemonset::DaemonSet;
use fourgaps_cluster::meta::Key;
use fourgaps_cluster::pod::{ContainerState, Pod};
use fourgaps_cluster::rollout::{Progress, progress};
use fourgaps_view::kubectl::{
    DAEMONSET_COLUMNS, POD_COLUMNS, POD_WIDE, PodRow, Table, daemonset_cells, rollout,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::sync::Arc;

/// What was heard while a step was done.
#[derive(Default)]
pub struct Heard {
    /// Of the controller.
    pub report: Option<Report>,
    /// Of kubectl.
    pub output: Option<String>,
    /// Whether the controller wants to look again.
    pub queued: bool,
}

/// The recording's names: revisions are `rev-a` and so on, pods are called by their nodes.
#[derive(Clone)]
pub struct Names {
    templates: BTreeMap<String, String>,
    revisions: BTreeMap<String, String>,
    pods: BTreeMap<Key, String>,
}

impl Names {
    /// The first template is `a`.
    pub fn new(template: &Value) -> Self {
        let templates = BTreeMap::from([(template.to_string(), "a".to_string())]);
        Self { templates, revisions: BTreeMap::new(), pods: BTreeMap::new() }
    }

    /// A template has a name in the story; the first name stays.
    pub fn name_template(&mut self, template: &Value, name: &str) {
        self.templates.entry(template.to_string()).or_insert_with(|| name.into());
    }

    /// Names revisions and pods that are new. A template without a name gets the next letter.
    pub fn learn(&mut self, cluster: &Cluster) {
        for revision in cluster.store().revisions() {
            if self.revisions.contains_key(revision.hash()) {
                continue;
            }
            let used: BTreeSet<String> = self.templates.values().cloned().collect();
            let free =
                ('a'..='z').map(String::from).find(|letter| !used.contains(letter)).unwrap_or_default();
            let name = self.templates.entry(revision.template.given.to_string()).or_insert(free);
            self.revisions.insert(revision.hash().into(), format!("rev-{name}"));
        }
        for pod in cluster.store().pods() {
            let set = pod.key.name.rsplit_once('-').map_or("", |(set, _)| set);
            let name = format!("{set}-{}", pod.place().unwrap_or_default());
            self.pods.insert(pod.key.clone(), name);
        }
    }

    fn revision(&self, hash: &str) -> String {
        self.revisions.get(hash).cloned().unwrap_or_else(|| hash.into())
    }

    /// A text with the recording's names. The name of a pod that never came to be is cut to its beginning.
    pub fn text(&self, text: &str, set: &str) -> String {
        let mut text = text.to_string();
        for (key, name) in &self.pods {
            text = text.replace(&*key.name, name);
        }
        let head = format!("\"{set}-");
        let mut told = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once(&head) {
            let (name, after) = after.split_once('"').unwrap_or((after, ""));
            let drawn = name.len() == 5 && name.chars().all(|c| "bcdfghjklmnpqrstvwxz2456789".contains(c));
            told.push_str(before);
            told.push_str(&head);
            told.push_str(if drawn { "" } else { name });
            told.push('"');
            rest = after;
        }
        told + rest
    }

    /// What a sync did to pods.
    pub fn actions(&self, report: &Report) -> Vec<String> {
        let one = |action: &fourgaps_cluster::daemon::Action| {
            let what = match action.what {
                What::Created => "create",
                What::Refused => "refused create",
                What::Deleted => "delete",
            };
            format!("{what} {} {}", action.node, self.revision(&action.hash))
        };
        let mut actions: Vec<String> = report.actions.iter().map(one).collect();
        actions.sort_unstable();
        actions
    }

    fn events(&self, report: &Report) -> Vec<String> {
        let one =
            |(level, reason, message, _): &(fourgaps_cluster::event::Level, &str, String, Option<Key>)| {
                format!("{} {reason} {}", level.name(), self.text(message, &report.key.name))
            };
        let mut events: Vec<String> = report.told.iter().map(one).collect();
        events.sort_unstable();
        events
    }
}

/// Compares everything that is recorded of a step.
///
/// # Errors
/// The first thing that differs.
pub fn compare(
    cluster: &Cluster,
    key: &Key,
    names: &Names,
    step: &Step,
    heard: &Heard,
) -> Result<(), String> {
    let report = heard.report.as_ref();
    equal("at_ms", &step.at_ms, &cluster.now_ms())?;
    equal("actions", &step.actions, &report.map(|report| names.actions(report)).unwrap_or_default())?;
    equal("events", &step.events, &report.map(|report| names.events(report)).unwrap_or_default())?;
    let error = report.and_then(|report| report.error.as_ref()).map(|error| names.text(error, &key.name));
    equal("sync_error", &step.sync_error, &error)?;
    let output = heard.output.as_ref().map(|text| lines(text.trim_end_matches('\n')));
    equal("output", &step.output, &output)?;
    let set = cluster.store().daemonset(key);
    equal("ds_exists", &step.ds_exists.unwrap_or(true), &set.is_some())?;
    compare_set(cluster, set.map(|set| &**set), step)?;
    compare_pods(cluster, key, names, step)?;
    let set = set.map(|set| &**set);
    let not_eligible = set.map(|set| not_eligible(cluster, set)).unwrap_or_default();
    if set.is_some() {
        equal("not_eligible", &step.not_eligible, &not_eligible)?;
    }
    equal("taints", &step.taints, &taints(cluster))?;
    equal("controller_queued", &step.controller_queued, &heard.queued)
}

fn equal<T: PartialEq + Debug>(what: &str, recorded: &T, ours: &T) -> Result<(), String> {
    if recorded == ours {
        return Ok(());
    }
    Err(format!("{what}: recorded {recorded:?}, ours {ours:?}"))
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(String::from).collect()
}

fn compare_set(cluster: &Cluster, set: Option<&DaemonSet>, step: &Step) -> Result<(), String> {
    let numbers = |step: &Step| {
        [
            step.desired,
            step.current,
            step.ready,
            step.updated,
            step.available,
            step.unavailable,
            step.misscheduled,
        ]
    };
    let Some(set) = set else {
        equal("numbers", &numbers(step), &[None; 7])?;
        return equal("get_ds", &step.get_ds, &None);
    };
    let s = &set.status;
    let ours = [s.desired, s.current, s.ready, s.updated, s.available, s.unavailable, s.misscheduled];
    equal("numbers", &numbers(step), &ours.map(Some))?;
    equal("generation", &step.generation, &Some(set.meta.generation))?;
    equal("observedGeneration", &step.observed_generation, &Some(s.observed_generation))?;
    equal("templateGeneration", &step.template_generation, &Some(set.template_generation))?;
    equal("ds_deleting", &step.ds_deleting.unwrap_or(false), &set.meta.deleting.is_some())?;
    let mut table = Table::new(&DAEMONSET_COLUMNS[..8]);
    table.push(daemonset_cells(set, shown_ms(cluster))[..8].to_vec());
    equal("get_ds", &step.get_ds, &Some(lines(&table.text(true))))?;
    let progress = progress(set);
    equal("rollout_status", &step.rollout_status, &Some(rollout::status_line(&set.meta.name, progress)))?;
    let done = matches!(progress, Progress::Done | Progress::OnDelete);
    equal("rollout_done", &step.rollout_done, &Some(done))
}

fn compare_pods(cluster: &Cluster, key: &Key, names: &Names, step: &Step) -> Result<(), String> {
    let store = cluster.store();
    let mut revisions: Vec<_> =
        store.revisions().filter(|revision| *revision.meta.namespace == *key.namespace).collect();
    revisions.sort_by_key(|revision| revision.number);
    let told =
        revisions.iter().map(|revision| format!("{} {}", revision.number, names.revision(revision.hash())));
    equal("revisions", &step.revisions, &told.collect())?;
    let mut pods: Vec<&Arc<Pod>> = store.pods().collect();
    pods.sort_by_key(|pod| (pod.place().unwrap_or_default().to_string(), pod.uid));
    let mut places: BTreeSet<&str> = store.nodes().map(|node| node.meta.name.as_str()).collect();
    places.extend(pods.iter().filter_map(|pod| pod.place()));
    let line = |place: &str| {
        let here = pods.iter().filter(|pod| pod.place() == Some(place));
        let told: Vec<String> = here.map(|pod| pod_text(pod, names)).collect();
        let told = if told.is_empty() { "none".to_string() } else { told.join(" + ") };
        let gone = if store.node(place).is_some() { "" } else { " (no node object)" };
        format!("{place}{gone}: {told}")
    };
    equal("pods", &step.pods, &places.iter().map(|place| line(place)).collect())?;
    let columns: Vec<&str> = POD_COLUMNS.into_iter().chain(POD_WIDE).collect();
    let mut table = Table::new(&columns);
    for pod in pods {
        let name = names.pods.get(&pod.key).cloned().unwrap_or_default();
        table.push(PodRow { name, ..PodRow::new(pod, shown_ms(cluster)) }.cells());
    }
    let nothing = format!("No resources found in {} namespace.", key.namespace);
    let text = if table.is_empty() { nothing } else { table.text(true) };
    equal("get_pods", &step.get_pods, &lines(&text))
}

/// The clock by which the recorder printed ages. It moved every moment to the present of its own machine and let the API
/// cut it to whole seconds there, so a started second shows as a full one.
fn shown_ms(cluster: &Cluster) -> u64 {
    cluster.now_ms().div_ceil(1000) * 1000
}

fn pod_text(pod: &Pod, names: &Names) -> String {
    let state = pod.status.containers.first().map_or("", |container| match &container.state {
        ContainerState::Waiting { reason, .. } => reason,
        ContainerState::Ended(ended) => &ended.reason,
        ContainerState::Running { .. } => "",
    });
    let state = match (pod.node.is_none(), state, pod.status.why.reason()) {
        (true, ..) => "unbound",
        (false, "", "") => "-",
        (false, "", reason) => reason,
        (false, state, _) => state,
    };
    let ready = if pod.is_ready() { "ready" } else { "unready" };
    let life = if pod.deleting.is_some() { "deleting" } else { "live" };
    format!("{} {} {ready} {life} {state}", names.revision(pod.hash()), pod.status.phase.name())
}

fn not_eligible(cluster: &Cluster, set: &DaemonSet) -> Vec<String> {
    let line = |node: &Arc<fourgaps_cluster::node::Node>| {
        let fit = fit::fit(set, node);
        let what = if fit.keep { "keep" } else { "remove" };
        (!fit.run).then(|| format!("{} {what}", node.meta.name))
    };
    cluster.store().nodes().filter_map(line).collect()
}

fn taints(cluster: &Cluster) -> Vec<String> {
    let nodes = cluster.store().nodes();
    nodes.flat_map(|node| node.taints.iter().map(|taint| format!("{} {taint}", node.meta.name))).collect()
}
