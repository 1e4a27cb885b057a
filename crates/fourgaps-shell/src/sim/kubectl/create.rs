//! `kubectl create KIND NAME` and `kubectl run`: objects made of a few words. Source: `pkg/cmd/create` and `pkg/cmd/run` of
//! kubectl.

use super::super::flags::{Flag, Takes};
use super::change::Dry;
use super::output::Format;
use super::resources::{refused, selector};
use super::write::told;
use super::{NAMESPACE, Session, Stop};
use fourgaps_base::Files;
use fourgaps_cluster::manifest::{Problem, kind_of, patched};
use fourgaps_cluster::object::{Id, Kind};
use fourgaps_cluster::quantity::Quantity;
use fourgaps_cluster::read::{part, text};
use fourgaps_cluster::selector::Operator;
use serde_json::{Map, Value, json};

pub(super) const FLAGS: [Flag; 15] = [
    NAMESPACE,
    Flag(&["-f", "--filename"], Takes::Value),
    Flag(&["-o", "--output"], Takes::Value),
    Flag(&["-r", "--replicas"], Takes::Value),
    Flag(&["--dry-run"], Takes::Perhaps),
    Flag(&["--from-env-file"], Takes::Value),
    Flag(&["--from-file"], Takes::Value),
    Flag(&["--from-literal"], Takes::Value),
    Flag(&["--hard"], Takes::Value),
    Flag(&["--image"], Takes::Value),
    Flag(&["--max-unavailable"], Takes::Value),
    Flag(&["--min-available"], Takes::Value),
    Flag(&["--port"], Takes::Value),
    Flag(&["--scopes"], Takes::Value),
    Flag(&["--selector"], Takes::Value),
];
pub(super) const RUN_FLAGS: [Flag; 10] = [
    NAMESPACE,
    Flag(&["-l", "--labels"], Takes::Value),
    Flag(&["-o", "--output"], Takes::Value),
    Flag(&["--command"], Takes::Nothing),
    Flag(&["--dry-run"], Takes::Perhaps),
    Flag(&["--env"], Takes::Value),
    Flag(&["--image"], Takes::Value),
    Flag(&["--overrides"], Takes::Value),
    Flag(&["--port"], Takes::Value),
    Flag(&["--restart"], Takes::Value),
];

/// Makes a manifest of a name and further words.
type Make = fn(&Session<'_, '_>, &str, &[&str]) -> Result<Value, Stop>;

pub(super) fn create(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let words = session.words().to_vec();
    let Some((what, rest)) = words.split_first() else { return super::write::create_files(session) };
    let (doing, make): (&str, Make) = match *what {
        "configmap" | "cm" => ("configmap", config),
        "deployment" | "deploy" => ("deployment", deployment),
        "namespace" | "ns" => ("", namespace),
        "poddisruptionbudget" | "pdb" => ("poddisruptionbudgets", budget),
        "quota" | "resourcequota" => ("quota", quota),
        other => return Err(Stop::NotSimulated(format!("create {other}"))),
    };
    let (name, more) = match rest {
        [] => {
            return Stop::error(format!(
                "error: exactly one NAME is required, got 0\nSee 'kubectl create {what} -h' for help and examples"
            ));
        }
        [name, more @ ..] => (*name, more),
    };
    if !more.is_empty() && doing != "deployment" {
        return Stop::error(format!(
            "error: exactly one NAME is required, got {}\nSee 'kubectl create {what} -h' for help and examples",
            rest.len()
        ));
    }
    let manifest = make(session, name, more)?;
    made(session, manifest, doing)
}

/// Creates an object, or tries it, and tells of it; `doing` is the word of kubectl for what failed.
fn made(session: &mut Session<'_, '_>, mut manifest: Value, doing: &str) -> Result<(), Stop> {
    let kind = kind_of(&manifest).ok_or_else(|| Stop::NotSimulated("this kind of object".into()))?;
    let name = text(part(&manifest, "metadata"), "name").unwrap_or_default().to_string();
    let namespace = if kind.is_namespaced() { session.namespace() } else { String::new() };
    let id = Id::new(kind, &namespace, &name);
    if session.dry()? == Dry::Client {
        let form = Format::read(session, false)?;
        if kind.is_namespaced() && session.args.value("-n").is_some() {
            manifest["metadata"]["namespace"] = namespace.into();
        }
        if !matches!(form, Format::Table { .. } | Format::Name) {
            session.call.out(form.text(vec![as_typed(kind, manifest)], true, true));
            return Ok(());
        }
        let store = session.store.clone();
        return session.report(&store, &id, "created");
    }
    if !namespace.is_empty() {
        manifest["metadata"]["namespace"] = namespace.into();
    }
    let (done, store) = session.try_api(|cluster| cluster.create(&manifest))?;
    match done {
        Ok(warnings) => {
            for warning in warnings {
                session.call.err(format!("Warning: {warning}\n"));
            }
            session.report(&store, &id, "created")
        }
        // Most of these verbs tell the server's sentence in their own.
        Err(Problem::Refused(refusal)) if !doing.is_empty() => {
            Stop::error(format!("error: failed to create {doing}: {refusal}"))
        }
        Err(Problem::Refused(refusal)) => Stop::error(refused(&refusal, "")),
        Err(problem) => Err(told(problem, kind, &name, "")),
    }
}

/// What Go's typed objects write of parts in which there is nothing.
fn as_typed(kind: Kind, mut manifest: Value) -> Value {
    let nothing = || json!({});
    match kind {
        Kind::Namespace => (manifest["spec"], manifest["status"]) = (nothing(), nothing()),
        Kind::ResourceQuota | Kind::Pod => manifest["status"] = nothing(),
        Kind::Deployment => {
            (manifest["spec"]["strategy"], manifest["status"]) = (nothing(), nothing());
        }
        Kind::PodDisruptionBudget => {
            manifest["status"] = json!({ "currentHealthy": 0, "desiredHealthy": 0, "disruptionsAllowed": 0, "expectedPods": 0 });
        }
        _ => {}
    }
    manifest
}

fn number(session: &Session<'_, '_>, flag: &str, verb: &str) -> Result<Option<i32>, Stop> {
    let read = |text: &str| {
        text.parse().map_err(|_| {
            Stop::Error(format!(
                "error: invalid argument \"{text}\" for \"{flag}\" flag: strconv.ParseInt: parsing \"{text}\": invalid syntax\nSee 'kubectl {verb} --help' for usage."
            ))
        })
    };
    let short = if flag == "-r, --replicas" { "-r" } else { flag };
    session.args.value(short).map(read).transpose()
}

/// The containers are called as their images.
fn deployment(session: &Session<'_, '_>, name: &str, command: &[&str]) -> Result<Value, Stop> {
    let images: Vec<&str> = session.args.values("--image").flat_map(|images| images.split(',')).collect();
    if images.is_empty() {
        return Stop::error("error: required flag(s) \"image\" not set");
    }
    if images.len() > 1 && !command.is_empty() {
        return Stop::error("error: cannot specify multiple --image options and command");
    }
    let replicas = number(session, "-r, --replicas", "create deployment")?.unwrap_or(1);
    let mut containers: Vec<Value> = Vec::new();
    for image in images {
        let last = image.rsplit('/').next().unwrap_or(image);
        let bare = last.split([':', '@']).next().unwrap_or(last);
        if bare.contains(['.', '_']) || containers.iter().any(|one| one["name"] == bare) {
            return Err(Stop::NotSimulated(format!("the name that is drawn for a container of {image}")));
        }
        let mut container = json!({ "image": image, "name": bare, "resources": {} });
        if !command.is_empty() {
            container["command"] = json!(command);
        }
        containers.push(container);
    }
    if let Some(port) = number(session, "--port", "create deployment")?.filter(|port| *port >= 0) {
        containers[0]["ports"] = json!([{ "containerPort": port }]);
    }
    let labels = json!({ "app": name });
    Ok(json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "labels": labels, "name": name },
        "spec": {
            "replicas": replicas,
            "selector": { "matchLabels": labels },
            "template": { "metadata": { "labels": labels }, "spec": { "containers": containers } },
        },
    }))
}

fn namespace(_: &Session<'_, '_>, name: &str, _: &[&str]) -> Result<Value, Stop> {
    Ok(json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } }))
}

fn quota(session: &Session<'_, '_>, name: &str, _: &[&str]) -> Result<Value, Stop> {
    let mut hard = Map::new();
    for pair in session.args.value("--hard").unwrap_or_default().split(',').filter(|pair| !pair.is_empty()) {
        let Some((resource, amount)) = pair.split_once('=').filter(|(_, amount)| !amount.contains('='))
        else {
            return Stop::error(format!(
                "error: Invalid argument syntax {pair}, expected <resource>=<value>"
            ));
        };
        let Some(amount) = Quantity::read(amount) else {
            return Stop::error(
                "error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
            );
        };
        hard.insert(resource.into(), amount.to_string().into());
    }
    let mut spec = Map::new();
    if !hard.is_empty() {
        spec.insert("hard".into(), hard.into());
    }
    if let Some(scopes) = session.args.value("--scopes").filter(|scopes| !scopes.is_empty()) {
        spec.insert("scopes".into(), scopes.split(',').collect());
    }
    Ok(json!({ "apiVersion": "v1", "kind": "ResourceQuota", "metadata": { "name": name }, "spec": spec }))
}

fn budget(session: &Session<'_, '_>, name: &str, _: &[&str]) -> Result<Value, Stop> {
    let value = |flag: &str| session.args.value(flag).filter(|text| !text.is_empty());
    let (min, max) = (value("--min-available"), value("--max-unavailable"));
    let Some(chosen) = value("--selector") else { return Stop::error("error: a selector must be specified") };
    let (field, flag, amount) = match (min, max) {
        (None, None) => {
            return Stop::error("error: one of min-available or max-unavailable must be specified");
        }
        (Some(_), Some(_)) => {
            return Stop::error("error: min-available and max-unavailable cannot be both specified");
        }
        (Some(min), None) => ("minAvailable", "min-available", min),
        (None, Some(max)) => ("maxUnavailable", "max-unavailable", max),
    };
    let digits = amount.strip_suffix('%').unwrap_or(amount);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Stop::error(format!("error: invalid format specified for {flag}"));
    }
    let mut labels = Map::new();
    for one in selector(chosen)? {
        match (one.operator, one.values.as_slice()) {
            (Operator::In, [value]) => drop(labels.insert(one.key, value.as_str().into())),
            _ => return Err(Stop::NotSimulated(format!("--selector {chosen} of a budget"))),
        }
    }
    let amount = amount.parse::<u32>().map_or_else(|_| Value::from(amount), Value::from);
    Ok(json!({
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": { "name": name },
        "spec": { field: amount, "selector": { "matchLabels": labels } },
    }))
}

fn config(session: &Session<'_, '_>, name: &str, _: &[&str]) -> Result<Value, Stop> {
    let args = &session.args;
    let (files, literals): (Vec<&str>, Vec<&str>) = (
        args.values("--from-file").flat_map(|names| names.split(',')).collect(),
        args.values("--from-literal").collect(),
    );
    let env: Vec<&str> = args.values("--from-env-file").collect();
    if !(env.is_empty() || files.is_empty() && literals.is_empty()) {
        return Stop::error("error: from-env-file cannot be combined with from-file or from-literal");
    }
    let mut data = Map::new();
    let mut add = |key: &str, value: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if key.is_empty() || key == "." || key == ".." || !key.chars().all(plain) {
            return Stop::error(format!(
                "error: {key:?} is not a valid key name for a ConfigMap: a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
            ));
        }
        match data.insert(key.into(), value.into()) {
            None => Ok(()),
            Some(_) => Stop::error(format!(
                "error: cannot add key \"{key}\", another key by that name already exists in Data for ConfigMap \"{name}\""
            )),
        }
    };
    let disk = session.call.world.world.files(session.call.host);
    let missing = |path: &str| Stop::Error(format!("error: error reading {path}: no such file or directory"));
    for source in files {
        let (key, path) = source.split_once('=').map_or((None, source), |(key, path)| (Some(key), path));
        let full = session.call.path(path);
        let listed = disk.and_then(|disk| disk.list(&full));
        if let Some(names) = listed {
            if key.is_some() {
                return Stop::error("error: cannot give a key name for a directory path");
            }
            for inside in names {
                if let Some(text) = session.text_of(&fourgaps_base::join(&full, &inside)) {
                    add(&inside, text)?;
                }
            }
            continue;
        }
        let text = session.text_of(path).ok_or_else(|| missing(path))?;
        add(key.unwrap_or_else(|| path.rsplit('/').next().unwrap_or(path)), text)?;
    }
    for literal in literals {
        let Some((key, value)) = literal.split_once('=').filter(|(key, _)| !key.is_empty()) else {
            return Stop::error(format!("error: invalid literal source {literal}, expected key=value"));
        };
        // Quotes around a value are taken away once.
        let bare = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
        add(key, bare.unwrap_or(value).into())?;
    }
    for path in env {
        let text = session.text_of(path).ok_or_else(|| missing(path))?;
        for line in text.lines().map(str::trim_start) {
            if !line.is_empty() && !line.starts_with('#') {
                let (key, value) = line.split_once('=').unwrap_or((line, ""));
                add(key, value.into())?;
            }
        }
    }
    let mut manifest = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name } });
    if !data.is_empty() {
        manifest["data"] = data.into();
    }
    Ok(manifest)
}

/// `kubectl run`: a pod of an image.
pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let words = session.words().to_vec();
    let Some((name, words)) = words.split_first() else {
        return Stop::error("error: NAME is required for run\nSee 'kubectl run -h' for help and examples");
    };
    let Some(image) = session.args.value("--image") else {
        return Stop::error("error: required flag(s) \"image\" not set");
    };
    let mut container = json!({ "image": image, "name": name, "resources": {} });
    if !words.is_empty() {
        container[if session.args.has("--command") { "command" } else { "args" }] = json!(words);
    }
    let mut env = Vec::new();
    for pair in session.args.values("--env") {
        let Some((key, value)) = pair.split_once('=') else {
            return Stop::error(format!("error: invalid env: {pair}"));
        };
        env.push(json!({ "name": key, "value": value }));
    }
    if !env.is_empty() {
        container["env"] = env.into();
    }
    if let Some(port) = number(session, "--port", "run")? {
        container["ports"] = json!([{ "containerPort": port }]);
    }
    let mut labels = Map::new();
    for pair in session.args.values("-l").flat_map(|pairs| pairs.split(',')) {
        let Some((key, value)) = pair.split_once('=') else {
            return Stop::error(format!("error: unexpected label spec: {pair}"));
        };
        labels.insert(key.into(), value.into());
    }
    if labels.is_empty() {
        labels.insert("run".into(), (*name).into());
    }
    let restart = match session.args.value("--restart").unwrap_or("Always") {
        restart @ ("Always" | "OnFailure" | "Never") => restart,
        other => return Stop::error(format!("error: invalid restart policy: {other}")),
    };
    let mut manifest = json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": { "labels": labels, "name": name },
        "spec": { "containers": [container], "dnsPolicy": "ClusterFirst", "restartPolicy": restart },
    });
    if let Some(text) = session.args.value("--overrides") {
        let overrides: Value = serde_json::from_str(text)
            .map_err(|_| Stop::NotSimulated("--overrides that are no JSON".into()))?;
        manifest = patched(&manifest, &overrides);
    }
    made(session, manifest, "")
}
