//! Containers and the rest of a pod's specification, as `describe` and `rollout history` tell it
//! (`DescribePodTemplate` of kubectl).

use fourgaps_base::sort;
use fourgaps_cluster::meta::Labels;
use fourgaps_cluster::pod::{ContainerState, ContainerStatus, Ended};
use fourgaps_cluster::read::{items, part, text, texts};
use fourgaps_cluster::spec::{Amounts, Template, amounts};
use fourgaps_cluster::taint::Toleration;
use serde_json::Value;

/// The text of `rollout history --revision` and of a dry undo: tabs stay tabs there.
pub fn template_text(template: &Template) -> String {
    described(template)
}

/// `Pod Template:` and what is in it.
pub(crate) fn described(template: &Template) -> String {
    let mut out = "Pod Template:\n".to_string();
    out += &keys("  Labels", &template.labels, "=");
    if !template.annotations.is_empty() {
        out += &keys("  Annotations", &template.annotations, ": ");
    }
    out += &init_containers("  ", &template.spec.given, &[]);
    out += &containers("  ", &template.spec.given, &[]);
    out += &volumes("  ", &template.spec.given);
    out += &node_selectors("  ", &template.spec.node_selector);
    out + &tolerations("  ", &template.spec.tolerations)
}

fn keys(title: &str, labels: &Labels, sign: &str) -> String {
    let mut out = String::new();
    for (at, (key, value)) in labels.iter().enumerate() {
        let head = if at == 0 { format!("{title}:") } else { String::new() };
        out += &format!("{head}\t{key}{sign}{value}\n");
    }
    if out.is_empty() { format!("{title}:\t<none>\n") } else { out }
}

pub(crate) fn node_selectors(indent: &str, labels: &Labels) -> String {
    keys(&format!("{indent}Node-Selectors"), labels, "=")
}

/// Volumes by their names; only those are told whose source tells nothing more.
pub(crate) fn volumes(indent: &str, spec: &Value) -> String {
    if items(spec, "volumes").next().is_none() {
        return format!("{indent}Volumes:\t<none>\n");
    }
    let mut out = format!("{indent}Volumes:\n");
    for volume in items(spec, "volumes") {
        out += &format!("{indent} {}:\n", text(volume, "name").unwrap_or_default());
        let path = part(volume, "hostPath");
        if let Some(path_text) = text(path, "path") {
            out += &format!(
                "{indent}  Type:\tHostPath (bare host directory volume)\n{indent}  Path:\t{path_text}\n"
            );
            out += &format!("{indent}  HostPathType:\t{}\n", text(path, "type").unwrap_or_default());
        }
    }
    out
}

pub(crate) fn tolerations(indent: &str, tolerations: &[Toleration]) -> String {
    let mut told: Vec<String> = tolerations.iter().map(toleration).collect();
    sort(&mut told);
    let mut out = String::new();
    for (at, one) in told.iter().enumerate() {
        let head = if at == 0 { format!("{indent}Tolerations:") } else { indent.to_string() };
        out += &format!("{head}\t{one}\n");
    }
    if out.is_empty() { format!("{indent}Tolerations:\t<none>\n") } else { out }
}

fn toleration(one: &Toleration) -> String {
    let mut out = one.key.clone();
    if let Some(value) = one.value.as_ref().filter(|value| !value.is_empty()) {
        out += &format!("={value}");
    }
    if let Some(effect) = one.effect {
        out += &format!(":{}", effect.name());
    }
    if one.value.is_none() {
        out += if out.is_empty() { "op=Exists" } else { " op=Exists" };
    }
    if let Some(seconds) = one.seconds {
        out += &format!(" for {seconds}s");
    }
    out
}

/// The containers; with their statuses, where there are any.
pub(crate) fn containers(indent: &str, spec: &Value, statuses: &[ContainerStatus]) -> String {
    listed_containers(indent, "Containers", items(spec, "containers"), statuses)
}

/// The init containers, where there are any.
pub(crate) fn init_containers(indent: &str, spec: &Value, statuses: &[ContainerStatus]) -> String {
    match items(spec, "initContainers").next() {
        None => String::new(),
        Some(_) => listed_containers(indent, "Init Containers", items(spec, "initContainers"), statuses),
    }
}

fn listed_containers<'v>(
    indent: &str,
    title: &str,
    containers: impl Iterator<Item = &'v Value>,
    statuses: &[ContainerStatus],
) -> String {
    let mut out = format!("{indent}{title}:\n");
    // In a template everything stands one blank further left.
    let deeper = if indent.is_empty() { "  " } else { "   " };
    for (nth, container) in containers.enumerate() {
        out += &format!("{deeper}{}:\n", text(container, "name").unwrap_or_default());
        out += &one(&format!("{deeper} "), container, statuses.get(nth));
    }
    out
}

fn one(deeper: &str, container: &Value, status: Option<&ContainerStatus>) -> String {
    let indent = if deeper == "    " { " ".repeat(4) } else { format!("{deeper} ") };
    let mut out = String::new();
    let mut line = |title: &str, value: &str| out += &format!("{indent}{title}:\t{value}\n");
    let id = |id: &'static str| status.map(|status| if has_run(status) { id } else { "" });
    if let Some(id) = id("containerd://0") {
        line("Container ID", id);
    }
    line("Image", text(container, "image").unwrap_or_default());
    if let Some(id) = id("sha256:0") {
        line("Image ID", id);
    }
    let ports: Vec<&Value> = items(container, "ports").collect();
    let list = |field: &str| -> String {
        let port = |port: &&Value| {
            let number = port.get(field).and_then(Value::as_u64).unwrap_or(0);
            format!("{number}/{}", text(port, "protocol").unwrap_or("TCP"))
        };
        ports.iter().map(port).collect::<Vec<_>>().join(", ")
    };
    let title = |word: &str| if ports.len() > 1 { format!("{word}s") } else { word.to_string() };
    let or_none = |text: String| if text.is_empty() { "<none>".to_string() } else { text };
    line(&title("Port"), &or_none(list("containerPort")));
    line(&title("Host Port"), &or_none(list("hostPort")));
    for (title, field) in [("Command", "command"), ("Args", "args")] {
        let words = texts(container, field);
        if !words.is_empty() {
            out += &format!("{indent}{title}:\n");
            words.iter().for_each(|word| out += &format!("{indent}  {word}\n"));
        }
    }
    if let Some(status) = status {
        out += &state(&indent, "State", &status.state);
        if let Some(last) = &status.last {
            out += &state(&indent, "Last State", &ContainerState::Ended(last.clone()));
        }
        out += &format!("{indent}Ready:\t{}\n", if status.ready { "True" } else { "False" });
        out += &format!("{indent}Restart Count:\t{}\n", status.restarts);
    }
    let resources = part(container, "resources");
    for (title, field) in [("Limits", "limits"), ("Requests", "requests")] {
        out += &listed(&indent, title, &amounts(resources, field));
    }
    let env: Vec<(&str, &str)> = items(container, "env")
        .map(|one| (text(one, "name").unwrap_or_default(), text(one, "value").unwrap_or_default()))
        .collect();
    if env.is_empty() {
        out += &format!("{indent}Environment:\t<none>\n");
    } else {
        out += &format!("{indent}Environment:\n");
        env.iter().for_each(|(name, value)| out += &format!("{indent}  {name}:\t{value}\n"));
    }
    let mounts: Vec<&Value> = items(container, "volumeMounts").collect();
    if mounts.is_empty() {
        return out + &format!("{indent}Mounts:\t<none>\n");
    }
    out += &format!("{indent}Mounts:\n");
    for mount in mounts {
        let (path, name) =
            (text(mount, "mountPath").unwrap_or_default(), text(mount, "name").unwrap_or_default());
        let how = if fourgaps_cluster::read::flag(mount, "readOnly") { "ro" } else { "rw" };
        out += &format!("{indent}  {path} from {name} ({how})\n");
    }
    out
}

/// True for a container that a runtime has made.
fn has_run(status: &ContainerStatus) -> bool {
    status.last.is_some() || !matches!(status.state, ContainerState::Waiting { .. })
}

fn listed(indent: &str, title: &str, amounts: &Amounts) -> String {
    if amounts.is_empty() {
        return String::new();
    }
    let mut out = format!("{indent}{title}:\n");
    amounts.iter().for_each(|(name, amount)| out += &format!("{indent}  {name}:\t{amount}\n"));
    out
}

fn state(indent: &str, title: &str, state: &ContainerState) -> String {
    use super::describe::long_moment;
    let mut out = String::new();
    let mut line = |title: &str, value: String| out += &format!("{indent}  {title}:\t{value}\n");
    let word = match state {
        ContainerState::Running { since_ms } => {
            line("Started", long_moment(*since_ms));
            "Running"
        }
        ContainerState::Waiting { reason, .. } => {
            if !reason.is_empty() {
                line("Reason", reason.to_string());
            }
            "Waiting"
        }
        ContainerState::Ended(ended) => {
            let Ended { code, reason, started_ms, ended_ms } = &**ended;
            if !reason.is_empty() {
                line("Reason", reason.to_string());
            }
            line("Exit Code", code.to_string());
            line("Started", long_moment(*started_ms));
            line("Finished", ended_ms.map_or_else(|| "<unknown>".into(), long_moment));
            "Terminated"
        }
    };
    format!("{indent}{title}:\t{word}\n{out}")
}
