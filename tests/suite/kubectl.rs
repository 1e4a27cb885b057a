//! What kubectl printed on a live cluster, beside what we print from the same values: columns, blocks, sentences.

use fourgaps_cluster::api::Refusal;
use fourgaps_cluster::daemonset::{DaemonSet, DaemonStatus, Revision};
use fourgaps_cluster::event::{Event, Level, Note};
use fourgaps_cluster::meta::{Labels, Meta};
use fourgaps_cluster::object::{Id, Kind};
use fourgaps_cluster::pod::{Phase, Pod, PodStatus};
use fourgaps_cluster::rollout::{Progress, Undo};
use fourgaps_cluster::selector::Selector;
use fourgaps_cluster::spec::Template;
use fourgaps_tests::house;
use fourgaps_view::kubectl::{Table, describe, message, rollout};
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;

/// A recorded command, its output without the remarks of the recorder, and the name of its file.
struct Text {
    file: String,
    command: String,
    output: Vec<String>,
}

/// The recorded texts whose files begin so; none where ../shared is not there.
fn texts(head: &str) -> Vec<Text> {
    let Some(folder) = house::shared("k8s/kubectl") else { return Vec::new() };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let file = entry.file_name().to_string_lossy().into_owned();
        if !file.starts_with(head) || !file.ends_with(".txt") {
            continue;
        }
        let text = fs::read_to_string(entry.path()).unwrap();
        let mut lines = text.lines().map(String::from);
        let command = lines.next().unwrap_or_default();
        let output = lines.filter(|line| !line.starts_with("# ")).collect();
        found.push(Text { file, command, output });
    }
    found.sort_by(|a, b| a.file.cmp(&b.file));
    found
}

fn there() -> bool {
    house::shared("k8s/kubectl").is_some()
}

#[track_caller]
fn equal(file: &str, recorded: &[String], ours: &str) {
    let ours: Vec<&str> = ours.lines().collect();
    assert_eq!(recorded, ours, "{file}");
}

/// Where the columns of a header begin: after three spaces or more.
fn starts(header: &str) -> Vec<usize> {
    let bytes = header.as_bytes();
    let begins = |at: usize| at == 0 || bytes[at] != b' ' && bytes[..at].ends_with(b"   ");
    (0..bytes.len()).filter(|at| begins(*at)).collect()
}

#[test]
fn tables_have_the_recorded_columns() {
    let mut compared = 0;
    for text in texts("get-") {
        let plain = !["--watch", "-o yaml"].iter().any(|word| text.command.contains(word));
        let Some(header) = text.output.first().filter(|header| plain && !header.starts_with("No resources"))
        else {
            continue;
        };
        // Names were replaced by the recorder in these, after they were laid out.
        if text.file.starts_with("get-controllerrevisions") || text.file.contains("events") {
            continue;
        }
        let starts = starts(header);
        let cells = |line: &String| -> Vec<String> {
            let cell = |(n, from): (usize, &usize)| {
                let to = starts.get(n + 1).copied().unwrap_or(line.len()).min(line.len());
                line.get(*from..to).unwrap_or_default().trim_end().to_string()
            };
            starts.iter().enumerate().map(cell).collect()
        };
        let names = cells(header);
        let mut table = Table::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
        text.output[1..].iter().for_each(|line| table.push(cells(line)));
        equal(&text.file, &text.output, &table.text(true));
        compared += 1;
    }
    assert!(compared > 60 || !there(), "{compared}");
}

fn number_after(line: &str) -> Option<u32> {
    line.rsplit(' ').next()?.parse().ok()
}

/// `39s` or `3m5s` in milliseconds.
fn span_ms(text: &str) -> u64 {
    let mut total = 0;
    let mut number = 0;
    for c in text.chars() {
        match c.to_digit(10) {
            Some(digit) => number = number * 10 + u64::from(digit),
            None => {
                total += number
                    * match c {
                        'h' => 3600,
                        'm' => 60,
                        _ => 1,
                    };
                number = 0;
            }
        }
    }
    total * 1000
}

const NOW_MS: u64 = 100_000_000;

/// The events below a description.
fn events(lines: &[String]) -> Vec<Event> {
    let Some(at) = lines.iter().position(|line| line == "Events:") else { return Vec::new() };
    let starts = starts_of_events(&lines[at + 1]);
    let mut events = Vec::new();
    for line in &lines[at + 3..] {
        let cell = |n: usize| -> &str {
            let to = starts.get(n + 1).copied().unwrap_or(line.len());
            line[starts[n]..to].trim()
        };
        let (age, count, first) = match cell(2).split_once(" (x") {
            None => (cell(2), 1, cell(2)),
            Some((age, rest)) => {
                let (count, first) = rest.trim_end_matches(')').split_once(" over ").unwrap();
                (age, count.parse().unwrap(), first)
            }
        };
        let note = Note {
            about: Id::new(Kind::DaemonSet, "gpu", "gpu-ds"),
            uid: None,
            level: if cell(0) == "Normal" { Level::Normal } else { Level::Warning },
            reason: cell(1).to_string().into(),
            message: cell(4).into(),
            source: cell(3).to_string().into(),
        };
        let (first_ms, last_ms) = (NOW_MS - span_ms(first), NOW_MS - span_ms(age));
        events.push(Event { note, count, first_ms, last_ms });
    }
    events
}

fn starts_of_events(header: &str) -> Vec<usize> {
    ["Type", "Reason", "Age", "From", "Message"].iter().map(|name| header.find(name).unwrap()).collect()
}

/// The value after `Key:` in a description.
fn after<'a>(lines: &'a [String], key: &str) -> Option<&'a str> {
    lines.iter().find_map(|line| Some(line.trim_start().strip_prefix(key)?.trim()))
}

fn pairs(text: &str) -> Labels {
    text.split(',').filter_map(|pair| pair.split_once('=')).map(|(a, b)| (a.into(), b.into())).collect()
}

fn template_of(lines: &[String]) -> Template {
    let from = lines.iter().position(|line| line == "Pod Template:").unwrap();
    let lines = &lines[from..];
    let container = lines.iter().position(|line| line == "  Containers:").unwrap() + 1;
    let mut resources = json!({});
    let mut field = "";
    for line in lines {
        match line.trim() {
            "Limits:" => field = "limits",
            "Requests:" => field = "requests",
            _ if line.starts_with("      ") && !field.is_empty() => {
                let (name, amount) = line.trim().split_once(':').unwrap();
                resources[field][name] = json!(amount.trim());
            }
            _ => field = "",
        }
    }
    let mut container_value = json!({
        "name": lines[container].trim().trim_end_matches(':'),
        "image": after(lines, "Image:"),
    });
    if resources != json!({}) {
        container_value["resources"] = resources;
    }
    let mut spec = json!({ "containers": [container_value] });
    let selector = pairs(after(lines, "Node-Selectors:").unwrap_or_default());
    if !selector.is_empty() {
        spec["nodeSelector"] = json!(selector);
    }
    let tolerations = lines.iter().skip_while(|line| !line.starts_with("  Tolerations:"));
    let tolerations = tolerations.take_while(|line| line.starts_with("  ") && !line.starts_with("  Type"));
    let told = tolerations.map(|line| line.trim().trim_start_matches("Tolerations:").trim());
    let read = |line: &str| -> Option<Value> {
        let (taint, exists) = match line.strip_suffix("op=Exists") {
            Some(taint) => (taint.trim(), true),
            None => (line, false),
        };
        if taint == "<none>" {
            return None;
        }
        let (left, effect) = taint.split_once(':').unwrap_or((taint, ""));
        let (key, value) = left.split_once('=').unwrap_or((left, ""));
        let mut toleration = json!({ "key": key, "operator": if exists { "Exists" } else { "Equal" } });
        if !exists {
            toleration["value"] = json!(value);
        }
        if !effect.is_empty() {
            toleration["effect"] = json!(effect);
        }
        Some(toleration)
    };
    let tolerations: Vec<Value> = told.filter_map(read).collect();
    spec["tolerations"] = json!(tolerations);
    let labels = pairs(after(lines, "Labels:").unwrap_or_default());
    Template::of(&json!({ "metadata": { "labels": labels }, "spec": spec }))
}

#[test]
fn daemonsets_are_described_as_recorded() {
    let texts = texts("describe-ds-");
    assert!(texts.len() > 7 || !there());
    for text in texts {
        let lines = &text.output;
        let number = |key: &str| after(lines, key).and_then(number_after).unwrap_or_default();
        let set = DaemonSet {
            meta: Meta::new(after(lines, "Namespace:").unwrap(), after(lines, "Name:").unwrap()),
            selector: Selector::of_labels(pairs(after(lines, "Selector:").unwrap())),
            template: Arc::new(template_of(lines)),
            template_generation: u64::from(number("Annotations:")),
            status: DaemonStatus {
                desired: number("Desired Number of Nodes Scheduled:"),
                current: number("Current Number of Nodes Scheduled:"),
                updated: number("Number of Nodes Scheduled with Up-to-date Pods:"),
                available: number("Number of Nodes Scheduled with Available Pods:"),
                misscheduled: number("Number of Nodes Misscheduled:"),
                ..DaemonStatus::default()
            },
            ..DaemonSet::default()
        };
        let mut pods = Vec::new();
        let counted = after(lines, "Pods Status:").unwrap().split(" / ");
        for (count, phase) in counted.zip([Phase::Running, Phase::Pending, Phase::Succeeded, Phase::Failed]) {
            let count: usize = count.split(' ').next().unwrap().parse().unwrap();
            let status = Arc::new(PodStatus { phase, ..PodStatus::default() });
            pods.extend(std::iter::repeat_n(Arc::new(Pod { status, ..Pod::default() }), count));
        }
        let events = events(lines);
        let ours = describe::daemonset(
            &set,
            &pods.iter().collect::<Vec<_>>(),
            &events.iter().collect::<Vec<_>>(),
            NOW_MS,
        );
        equal(&text.file, lines, &ours);
    }
}

fn revisions(lines: &[String]) -> Vec<Arc<Revision>> {
    let read = |line: &String| {
        let (number, cause) = line.split_once(' ')?;
        let mut meta = Meta::new("gpu", number);
        if cause.trim() != "<none>" {
            meta.annotations.insert("kubernetes.io/change-cause".into(), cause.trim().into());
        }
        Some(Arc::new(Revision { meta, number: number.parse().ok()?, ..Revision::default() }))
    };
    lines.iter().filter_map(read).collect()
}

#[test]
fn histories_are_told_as_recorded() {
    for text in texts("rollout-history-") {
        if text.command.contains("--revision=3") {
            let head = "daemonset.apps/gpu-ds with revision #3\n";
            equal(
                &text.file,
                &text.output,
                &format!("{head}{}\n", describe::template(&template_of(&text.output))),
            );
        } else if !text.command.contains("--revision") {
            let revisions = revisions(&text.output);
            assert!(!revisions.is_empty(), "{}", text.file);
            equal(
                &text.file,
                &text.output,
                &rollout::history("gpu-ds", &revisions.iter().collect::<Vec<_>>()),
            );
        }
    }
}

#[test]
fn every_line_of_a_rollout_is_one_of_ours() {
    let mut lines = 0;
    for text in texts("rollout-status-") {
        for line in text
            .output
            .iter()
            .filter(|line| !line.starts_with("error: timed") && !line.starts_with("error: obj"))
        {
            let numbers: Vec<u32> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
            let progress = match numbers[..] {
                [done, all] if line.contains("out of") => Progress::Updated(done, all),
                [up, all] => Progress::Available(up, all),
                _ if line.starts_with("error: rollout status") => Progress::OnDelete,
                _ => Progress::Done,
            };
            assert_eq!(*line, rollout::status_line("gpu-ds", progress), "{}", text.file);
            lines += 1;
        }
    }
    assert!(lines > 50 || !there());
    for text in texts("rollout-undo") {
        let [line] = &text.output[..] else { continue };
        let revision = text.command.rsplit_once("--to-revision=").and_then(|(_, number)| number.parse().ok());
        let undo = match (line.as_str(), revision) {
            (line, _) if line.ends_with("rolled back") => Undo::RolledBack,
            (line, Some(revision)) if line.contains("skipped") => Undo::Skipped { revision },
            (_, Some(revision)) => Undo::NoRevision { revision },
            (line, None) if line.contains("NotFound") => {
                let refusal = Refusal::NotFound(Id::new(Kind::DaemonSet, "gpu", "gpu-ds"));
                assert_eq!(line, message::refused(&refusal, None));
                continue;
            }
            _ => Undo::NoHistory,
        };
        assert_eq!(*line, rollout::undone("gpu-ds", &undo).0, "{}", text.file);
    }
}

#[test]
fn answers_to_commands_are_as_recorded() {
    let set = |namespace: &str| Id::new(Kind::DaemonSet, namespace, "gpu-ds");
    let node = |name: &str| Id::new(Kind::Node, "", name);
    let pod = Id::new(Kind::Pod, "gpu", "gpu-ds-node1");
    let forbidden =
        |name: &str, why: &str| Refusal::Forbidden(format!("pods \"{name}\" is forbidden: {why}"));
    let missing = "pod rejected: RuntimeClass \"nvidia-missing\" not found";
    let answers = [
        ("cordon", message::done(&node("node-1"), "cordoned")),
        ("cordon-again", message::done(&node("node-1"), "already cordoned")),
        ("uncordon", message::done(&node("node-1"), "uncordoned")),
        ("uncordon-again", message::done(&node("node-1"), "already uncordoned")),
        ("taint-node", message::done(&node("node-1"), "tainted")),
        ("untaint-node", message::done(&node("node-1"), "untainted")),
        ("set-image", message::done(&set("gpu"), "image updated")),
        ("annotate-change-cause", message::done(&set("gpu"), "annotated")),
        ("apply-ds-created", message::done(&set("gpu"), "created")),
        ("apply-ds-configured", message::done(&set("gpu"), "configured")),
        ("apply-gpu-one-string-again", message::done(&set("lab"), "unchanged")),
        ("delete-ds-lab", message::deleted(&set("lab"), false)),
        ("delete-ds-missing", message::refused(&Refusal::NotFound(set("lab")), None)),
        ("delete-node", message::deleted(&node("node-2"), false)),
        ("delete-pod", message::deleted(&pod, false)),
        ("drain-unknown-node", message::refused(&Refusal::NotFound(node("node-9")), None)),
        ("get-ds-none", message::nothing_found(Some("gpu"))),
        ("get-runtimeclass-none", message::nothing_found(None)),
        (
            "apply-pod-unknown-runtimeclass",
            message::refused(&forbidden("smoke", missing), Some("pod-unknown-runtimeclass.yaml")),
        ),
    ];
    for (file, ours) in answers {
        let Some(text) = texts(file).into_iter().find(|text| text.file == format!("{file}.txt")) else {
            assert!(!there(), "{file} is not there");
            continue;
        };
        equal(file, &text.output, &ours);
    }
}
