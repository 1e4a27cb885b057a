//! What the API server asks of an object whose types are right. Each fault is a place and a sentence.
//! Source: `pkg/apis/{core,apps,node}/validation` of Kubernetes 1.34, in their order; the words are recorded.

use crate::object::Kind;
use crate::quantity::Quantity;
use crate::read::{entries, items, number, part, text};
use crate::selector::Selector;
use serde_json::{Value, json};

const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', \
    and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
    '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start \
    and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
    '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and \
    must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for \
    validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const PERCENT: &str = "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', \
    regex used for validation is '[0-9]+%')";
const NOT_NEGATIVE: &str = "must be greater than or equal to 0";

/// The faults found so far, each `PLACE: WHAT`.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn invalid(&mut self, at: &str, value: impl Into<Value>, why: &str) {
        self.0.push(format!("{at}: Invalid value: {}: {why}", value.into()));
    }

    fn required(&mut self, at: &str, why: &str) {
        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
        self.0.push(format!("{at}: Required value{why}"));
    }

    fn unsupported(&mut self, at: &str, value: impl Into<Value>, supported: &[&str]) {
        let supported: Vec<String> = supported.iter().map(|word| format!("\"{word}\"")).collect();
        self.0.push(format!(
            "{at}: Unsupported value: {}: supported values: {}",
            value.into(),
            supported.join(", ")
        ));
    }
}

/// Everything that is wrong with an object; defaults are filled in already.
pub fn faults(kind: Kind, object: &Value) -> Vec<String> {
    let mut faults = Faults::default();
    let meta = part(object, "metadata");
    let name = text(meta, "name").unwrap_or_default();
    if !is_subdomain(name) {
        faults.invalid("metadata.name", name, SUBDOMAIN);
    }
    labels(meta, "metadata.labels", &mut faults);
    let spec = part(object, "spec");
    match kind {
        Kind::DaemonSet => daemonset(spec, &mut faults),
        Kind::Pod => pod_spec(spec, "spec", true, &mut faults),
        Kind::RuntimeClass => {
            let handler = text(object, "handler").unwrap_or_default();
            if !is_label(handler) {
                faults.invalid("handler", handler, LABEL);
            }
        }
        _ => {}
    }
    let mut told: Vec<String> = Vec::new();
    for fault in faults.0 {
        if !told.contains(&fault) {
            told.push(fault);
        }
    }
    told
}

/// What may not change of an object.
pub fn update_faults(kind: Kind, old: &Value, new: &Value) -> Vec<String> {
    let mut faults = Faults::default();
    let selector = |object: &Value| part(part(object, "spec"), "selector").clone();
    match kind {
        Kind::DaemonSet | Kind::Deployment if selector(old) != selector(new) => {
            faults.invalid("spec.selector", selector(new), "field is immutable");
        }
        Kind::RuntimeClass if part(old, "handler") != part(new, "handler") => {
            faults.invalid("handler", part(new, "handler").clone(), "field is immutable");
        }
        _ => {}
    }
    faults.0
}

/// What the server warns of and takes all the same.
pub fn warnings(kind: Kind, object: &Value) -> Vec<String> {
    let spec = part(object, "spec");
    let (at, spec) = match kind {
        Kind::Pod => ("spec", spec),
        Kind::DaemonSet | Kind::Deployment => ("spec.template.spec", part(part(spec, "template"), "spec")),
        _ => return Vec::new(),
    };
    let mut told = Vec::new();
    for (nth, container) in items(spec, "containers").enumerate() {
        for list in ["limits", "requests"] {
            for (name, amount) in entries(part(container, "resources"), list) {
                let amount = amount.as_str().and_then(Quantity::read);
                let fraction = amount.filter(|amount| amount.milli() % 1000 != 0);
                if let Some(amount) = fraction.filter(|_| name == "memory" || name == "ephemeral-storage") {
                    told.push(format!(
                        "{at}.containers[{nth}].resources.{list}[{name}]: fractional byte value \"{amount}\" is invalid, must be an integer"
                    ));
                }
            }
        }
    }
    told
}

fn labels(meta: &Value, at: &str, faults: &mut Faults) {
    for (_, value) in entries(meta, "labels") {
        let value = value.as_str().unwrap_or_default();
        if !is_label_value(value) {
            faults.invalid(at, value, LABEL_VALUE);
        }
    }
}

fn daemonset(spec: &Value, faults: &mut Faults) {
    let template = part(spec, "template");
    let meta = part(template, "metadata");
    let selector = part(spec, "selector");
    let own = crate::read::labels(meta, "labels");
    if selector.is_null() || !Selector::of(selector).matches(&own) {
        let why = "`selector` does not match template `labels`";
        faults.invalid("spec.template.metadata.labels", part(meta, "labels").clone(), why);
    }
    if !selector.is_null() && Selector::of(selector).is_empty() {
        faults.invalid("spec.selector", selector.clone(), "empty selector is invalid for daemonset");
    }
    labels(meta, "spec.template.labels", faults);
    let pod = part(template, "spec");
    pod_spec(pod, "spec.template.spec", false, faults);
    let policy = text(pod, "restartPolicy").unwrap_or("Always");
    if policy != "Always" {
        faults.unsupported("spec.template.spec.restartPolicy", policy, &["Always"]);
    }
    not_negative(spec, "minReadySeconds", faults);
    strategy(part(spec, "updateStrategy"), faults);
    not_negative(spec, "revisionHistoryLimit", faults);
}

fn not_negative(spec: &Value, field: &str, faults: &mut Faults) {
    if let Some(negative) = number(spec, field).filter(|number| *number < 0) {
        faults.invalid(&format!("spec.{field}"), negative, NOT_NEGATIVE);
    }
}

fn strategy(strategy: &Value, faults: &mut Faults) {
    let at = "spec.updateStrategy";
    let rolling = part(strategy, "rollingUpdate");
    match text(strategy, "type").unwrap_or("RollingUpdate") {
        "OnDelete" => {}
        "RollingUpdate" => shares(rolling, &format!("{at}.rollingUpdate"), faults),
        other => {
            // The server shows its own form of the object, with the names that its fields have in Go.
            let rolling = match rolling {
                Value::Null => "null".into(),
                rolling => {
                    let (unavailable, surge) = (part(rolling, "maxUnavailable"), part(rolling, "maxSurge"));
                    format!("{{\"MaxUnavailable\":{unavailable},\"MaxSurge\":{surge}}}")
                }
            };
            let shown = format!("{{\"Type\":\"{other}\",\"RollingUpdate\":{rolling}}}");
            faults.0.push(format!(
                "{at}: Unsupported value: {shown}: supported values: \"RollingUpdate\", \"OnDelete\""
            ));
        }
    }
}

fn shares(rolling: &Value, at: &str, faults: &mut Faults) {
    const FIELDS: [&str; 2] = ["maxUnavailable", "maxSurge"];
    for field in FIELDS {
        let (value, at) = (part(rolling, field), format!("{at}.{field}"));
        match value {
            Value::String(text) if percent(text).is_none() => faults.invalid(&at, text.as_str(), PERCENT),
            Value::Number(number) if number.as_i64().is_some_and(|number| number < 0) => {
                faults.invalid(&at, value.clone(), NOT_NEGATIVE);
            }
            _ => {}
        }
    }
    for field in FIELDS {
        let value = part(rolling, field);
        if value.as_str().and_then(percent).is_some_and(|percent| percent > 100) {
            faults.invalid(&format!("{at}.{field}"), value.clone(), "must not be greater than 100%");
        }
    }
    let amount = |field: &str| match part(rolling, field) {
        Value::String(text) => percent(text).unwrap_or(0),
        value => value.as_i64().unwrap_or(0),
    };
    match (amount(FIELDS[0]) != 0, amount(FIELDS[1]) != 0) {
        (true, true) => {
            let surge = part(rolling, FIELDS[1]).clone();
            faults.invalid(
                &format!("{at}.maxSurge"),
                surge,
                "may not be set when maxUnavailable is non-zero",
            );
        }
        (false, false) => faults.required(&format!("{at}.maxUnavailable"), "cannot be 0 when maxSurge is 0"),
        _ => {}
    }
}

fn percent(text: &str) -> Option<i64> {
    let digits = text.strip_suffix('%').filter(|digits| !digits.is_empty())?;
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().unwrap_or(i64::MAX))
}

/// A pod itself may have no blanks around an image; a template may.
fn pod_spec(spec: &Value, at: &str, of_pod: bool, faults: &mut Faults) {
    let mut names: Vec<&str> = Vec::new();
    if items(spec, "containers").next().is_none() {
        faults.required(&format!("{at}.containers"), "");
    }
    for (nth, container) in items(spec, "containers").enumerate() {
        let at = format!("{at}.containers[{nth}]");
        let name = text(container, "name").unwrap_or_default();
        if name.is_empty() {
            faults.required(&format!("{at}.name"), "");
        } else if !is_label(name) {
            faults.invalid(&format!("{at}.name"), name, LABEL);
        } else if names.contains(&name) {
            faults.0.push(format!("{at}.name: Duplicate value: \"{name}\""));
        }
        names.push(name);
        let image = text(container, "image").unwrap_or_default();
        if image.is_empty() {
            faults.required(&format!("{at}.image"), "");
        } else if of_pod && image.trim() != image {
            faults.invalid(&format!("{at}.image"), image, "must not have leading or trailing whitespace");
        }
        for probe in ["livenessProbe", "readinessProbe", "startupProbe"] {
            let given = part(container, probe);
            let handlers = ["exec", "httpGet", "tcpSocket", "grpc"];
            if !given.is_null() && handlers.iter().all(|handler| part(given, handler).is_null()) {
                faults.required(&format!("{at}.{probe}"), "must specify a handler type");
            }
        }
        resources(part(container, "resources"), &format!("{at}.resources"), faults);
    }
    for (nth, toleration) in items(spec, "tolerations").enumerate() {
        tolerate(toleration, &format!("{at}.tolerations[{nth}]"), faults);
    }
    if let Some(class) = text(spec, "runtimeClassName").filter(|class| !is_subdomain(class)) {
        faults.invalid(&format!("{at}.runtimeClassName"), class, SUBDOMAIN);
    }
}

/// Resources that every container may ask for without a domain in their names.
fn is_standard(name: &str) -> bool {
    matches!(name, "cpu" | "memory" | "ephemeral-storage") || name.starts_with("hugepages-")
}

fn resources(given: &Value, at: &str, faults: &mut Faults) {
    let amount = |value: &Value| match value {
        Value::String(text) => Quantity::read(text),
        value => Quantity::read(&value.to_string()),
    };
    for list in ["limits", "requests"] {
        for (name, value) in entries(given, list) {
            let at_list = format!("{at}.{list}");
            let at_key = format!("{at_list}[{name}]");
            if !name.contains('/') && !is_standard(name) {
                faults.invalid(&at_key, name.as_str(), "must be a standard resource type or fully qualified");
                faults.invalid(&at_key, name.as_str(), "must be a standard resource for containers");
                continue;
            }
            let Some(own) = amount(value) else { continue };
            if own.milli() < 0 {
                faults.invalid(&at_key, own.to_string(), NOT_NEGATIVE);
            } else if !is_standard(name) && own.milli() % 1000 != 0 {
                faults.invalid(&at_key, own.to_string(), "must be an integer");
            }
            if list == "limits" {
                continue;
            }
            match part(given, "limits").get(name).and_then(amount) {
                Some(limit) if !is_standard(name) && own != limit => {
                    let why = format!("must be equal to {name} limit of {limit}");
                    faults.invalid(&at_list, own.to_string(), &why);
                }
                Some(limit) if own > limit => {
                    let why = format!("must be less than or equal to {name} limit of {limit}");
                    faults.invalid(&at_list, own.to_string(), &why);
                }
                None if !is_standard(name) => {
                    let why = "Limit must be set for non overcommitable resources";
                    faults.required(&format!("{at}.limits"), why);
                }
                _ => {}
            }
        }
    }
}

fn tolerate(given: &Value, at: &str, faults: &mut Faults) {
    let field = |name: &str| text(given, name).unwrap_or_default();
    let (key, operator, value, effect) = (field("key"), field("operator"), field("value"), field("effect"));
    let at_operator = format!("{at}.operator");
    if key.is_empty() && operator != "Exists" {
        let why =
            "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
        faults.invalid(&at_operator, operator, why);
    }
    if number(given, "tolerationSeconds").is_some() && effect != "NoExecute" {
        let why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
        faults.invalid(&format!("{at}.effect"), effect, why);
    }
    match operator {
        "Equal" | "" if !is_label_value(value) => faults.invalid(&at_operator, value, LABEL_VALUE),
        "Equal" | "" => {}
        "Exists" if !value.is_empty() => {
            faults.invalid(&at_operator, value, "value must be empty when `operator` is 'Exists'");
        }
        "Exists" => {}
        other => faults.unsupported(&at_operator, other, &["Equal", "Exists"]),
    }
    let effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
    if !effect.is_empty() && !effects.contains(&effect) {
        faults.unsupported(&format!("{at}.effect"), json!(effect), &effects);
    }
}

fn is_label(name: &str) -> bool {
    let inner = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    !name.is_empty()
        && name.len() <= 63
        && name.bytes().all(inner)
        && !name.starts_with('-')
        && !name.ends_with('-')
}

fn is_subdomain(name: &str) -> bool {
    name.len() <= 253 && name.split('.').all(|label| is_label(label) || label.len() > 63)
}

fn is_label_value(value: &str) -> bool {
    let end = |b: Option<u8>| b.is_none_or(|b| b.is_ascii_alphanumeric());
    value.len() <= 63
        && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
        && end(value.bytes().next())
        && end(value.bytes().last())
}
