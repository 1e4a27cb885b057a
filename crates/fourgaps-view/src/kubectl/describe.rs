//! `kubectl describe`, and the block of a pod template that `kubectl rollout history --revision` prints too.

use super::{age, tabbed};
use fourgaps_cluster::daemonset::DaemonSet;
use fourgaps_cluster::event::Event;
use fourgaps_cluster::meta::Labels;
use fourgaps_cluster::pod::{Phase, Pod};
use fourgaps_cluster::spec::{Template, amounts};
use fourgaps_cluster::taint::Toleration;
use serde_json::Value;
use std::sync::Arc;

/// `kubectl describe ds`, of its pods and events too.
pub fn daemonset(set: &DaemonSet, pods: &[&Arc<Pod>], events: &[&Event], now_ms: u64) -> String {
    let status = &set.status;
    let mut annotations = set.meta.annotations.clone();
    annotations
        .insert("deprecated.daemonset.template.generation".into(), set.template_generation.to_string());
    let count = |phase: Phase| pods.iter().filter(|pod| pod.status.phase == phase).count();
    let mut text = format!(
        "Name:\t{}\nNamespace:\t{}\nSelector:\t{}\nNode-Selector:\t{}\n",
        set.meta.name,
        set.meta.namespace,
        super::daemonset::labels(&set.selector.labels),
        super::daemonset::labels(&set.template.spec.node_selector),
    );
    text += &pairs("", "Labels", &set.meta.labels, "=");
    text += &pairs("", "Annotations", &annotations, ": ");
    text += &format!(
        "Desired Number of Nodes Scheduled: {}\nCurrent Number of Nodes Scheduled: {}\n\
         Number of Nodes Scheduled with Up-to-date Pods: {}\n\
         Number of Nodes Scheduled with Available Pods: {}\nNumber of Nodes Misscheduled: {}\n\
         Pods Status:\t{} Running / {} Waiting / {} Succeeded / {} Failed\n",
        status.desired,
        status.current,
        status.updated,
        status.available,
        status.misscheduled,
        count(Phase::Running),
        count(Phase::Pending),
        count(Phase::Succeeded),
        count(Phase::Failed),
    );
    text += &template(&set.template);
    with_events(&text, events, now_ms)
}

/// The text, and below it the events in the order of the last time.
pub fn with_events(text: &str, events: &[&Event], now_ms: u64) -> String {
    if events.is_empty() {
        return tabbed(&format!("{text}Events:\t<none>\n"));
    }
    let mut sorted = events.to_vec();
    sorted.sort_by_key(|event| event.last_ms);
    let since = |ms: u64| age(now_ms.saturating_sub(ms));
    let mut table =
        "Events:\n  Type\tReason\tAge\tFrom\tMessage\n  ----\t------\t----\t----\t-------\n".to_string();
    for event in sorted {
        let note = &event.note;
        let span = match event.count {
            1 => since(event.first_ms),
            count => format!("{} (x{count} over {})", since(event.last_ms), since(event.first_ms)),
        };
        let message = note.message.trim();
        table += &format!("  {}\t{}\t{span}\t{}\t{message}\n", note.level.name(), note.reason, note.source);
    }
    tabbed(text) + &tabbed(&table)
}

/// `Pod Template:` with tabs between the cells: `describe` lays them out, `rollout history --revision` prints them as
/// they are.
pub fn template(template: &Template) -> String {
    let spec = &template.given["spec"];
    let mut text = "Pod Template:\n".to_string();
    text += &pairs("  ", "Labels", &template.labels, "=");
    if !template.annotations.is_empty() {
        text += &pairs("  ", "Annotations", &template.annotations, ": ");
    }
    for (title, list) in [("Init Containers", "initContainers"), ("Containers", "containers")] {
        let containers: Vec<&Value> = spec[list].as_array().into_iter().flatten().collect();
        if !containers.is_empty() {
            text += &format!("  {title}:\n");
            text.extend(containers.into_iter().map(container));
        }
    }
    text += &volumes(spec);
    text += &pairs("  ", "Node-Selectors", &template.spec.node_selector, "=");
    text + &tolerations("  ", &template.spec.tolerations)
}

fn text_of<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

fn container(container: &Value) -> String {
    let mut text =
        format!("   {}:\n    Image:\t{}\n", text_of(container, "name"), text_of(container, "image"));
    let ports: Vec<&Value> = container["ports"].as_array().into_iter().flatten().collect();
    let list = |field: &str| {
        let one = |port: &&Value| {
            let protocol = Some(text_of(port, "protocol")).filter(|text| !text.is_empty()).unwrap_or("TCP");
            format!("{}/{protocol}", port[field].as_i64().unwrap_or(0))
        };
        let told: Vec<String> = ports.iter().map(one).collect();
        if told.is_empty() { "<none>".to_string() } else { told.join(", ") }
    };
    let plural = if ports.len() > 1 { "s" } else { "" };
    text += &format!(
        "    Port{plural}:\t{}\n    Host Port{plural}:\t{}\n",
        list("containerPort"),
        list("hostPort")
    );
    for (title, field) in [("Command", "command"), ("Args", "args")] {
        let words: Vec<&Value> = container[field].as_array().into_iter().flatten().collect();
        if !words.is_empty() {
            text += &format!("    {title}:\n");
            words.iter().filter_map(|word| word.as_str()).for_each(|word| text += &format!("      {word}\n"));
        }
    }
    for (title, field) in [("Limits", "limits"), ("Requests", "requests")] {
        let amounts = amounts(&container["resources"], field);
        if !amounts.is_empty() {
            text += &format!("    {title}:\n");
            amounts.iter().for_each(|(name, amount)| text += &format!("      {name}:\t{amount}\n"));
        }
    }
    let environment: Vec<&Value> = container["env"].as_array().into_iter().flatten().collect();
    if environment.is_empty() {
        text += "    Environment:\t<none>\n";
    } else {
        text += "    Environment:\n";
        for variable in environment {
            text += &format!("      {}:\t{}\n", text_of(variable, "name"), text_of(variable, "value"));
        }
    }
    let mounts: Vec<&Value> = container["volumeMounts"].as_array().into_iter().flatten().collect();
    if mounts.is_empty() {
        return text + "    Mounts:\t<none>\n";
    }
    text += "    Mounts:\n";
    for mount in mounts {
        let mode = if mount["readOnly"].as_bool() == Some(true) { "ro" } else { "rw" };
        text += &format!("      {} from {} ({mode})\n", text_of(mount, "mountPath"), text_of(mount, "name"));
    }
    text
}

/// Only the kinds of volumes that labs use are told in full.
fn volumes(spec: &Value) -> String {
    let volumes: Vec<&Value> = spec["volumes"].as_array().into_iter().flatten().collect();
    if volumes.is_empty() {
        return "  Volumes:\t<none>\n".into();
    }
    let mut text = "  Volumes:\n".to_string();
    for volume in volumes {
        text += &format!("   {}:\n", text_of(volume, "name"));
        if let Some(host) = volume.get("hostPath") {
            text += &format!(
                "    Type:\tHostPath (bare host directory volume)\n    Path:\t{}\n    HostPathType:\t{}\n",
                text_of(host, "path"),
                text_of(host, "type")
            );
        }
    }
    text
}

/// `Title:` with one pair a line.
fn pairs(indent: &str, title: &str, pairs: &Labels, between: &str) -> String {
    let shown = pairs.iter().filter(|(key, _)| *key != "kubectl.kubernetes.io/last-applied-configuration");
    let lines: Vec<String> = shown.map(|(key, value)| format!("{key}{between}{value}\n")).collect();
    let lines = if lines.is_empty() { vec!["<none>\n".to_string()] } else { lines };
    format!("{indent}{title}:\t{}", lines.join(&format!("{indent}\t")))
}

/// `Tolerations:` with one toleration a line, sorted by key.
fn tolerations(indent: &str, tolerations: &[Toleration]) -> String {
    let mut sorted: Vec<&Toleration> = tolerations.iter().collect();
    sorted.sort_by(|a, b| a.key.cmp(&b.key));
    let one = |toleration: &&Toleration| {
        let mut text = toleration.key.clone();
        if let Some(value) = toleration.value.as_ref().filter(|value| !value.is_empty()) {
            text += &format!("={value}");
        }
        if let Some(effect) = toleration.effect {
            text += &format!(":{}", effect.name());
        }
        if toleration.value.is_none() {
            // A toleration of everything starts with its operator.
            text += if text.is_empty() { "op=Exists" } else { " op=Exists" };
        }
        if let Some(seconds) = toleration.seconds {
            text += &format!(" for {seconds}s");
        }
        text + "\n"
    };
    let lines: Vec<String> = sorted.iter().map(one).collect();
    let lines = if lines.is_empty() { vec!["<none>\n".to_string()] } else { lines };
    format!("{indent}Tolerations:\t{}", lines.join(&format!("{indent}\t")))
}
