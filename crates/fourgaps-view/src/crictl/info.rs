//! `crictl info`: the configuration that the CRI plugin holds, not the one that its files say.
//! Source: the recordings, and `status.go` and `service.go` of each version's CRI plugin.

use crate::json::{Json, number, object, text, texts};
use crate::{Asked, Printed};
use fourgaps_base::{join, map_of};
use fourgaps_config::daemon::DaemonRun;
use fourgaps_config::schema::Type;
use fourgaps_config::toml::{Kind, Node};
use std::collections::BTreeMap;

/// `crictl info`
pub fn info(asked: &Asked<'_>) -> Printed {
    let run = match asked.cri() {
        Ok(run) => run,
        Err(silent) => return silent,
    };
    let nothing = Node::default_of(Kind::Table(Default::default()));
    let section = run.cri_section.as_ref().unwrap_or(&nothing);
    if let Some(value) = run.cri_section.as_ref().and_then(no_number) {
        let why = format!("rpc error: code = Unknown desc = json: unsupported value: {value}");
        return Printed::failed_call(
            &asked.stamp,
            "Status from runtime service failed",
            &why,
            "",
            &format!("getting status of runtime: {why}"),
        );
    }
    let names = Names { asked };
    let mut all = map_of([
        ("cniconfig".to_string(), network(asked, section)),
        ("config".to_string(), config(&names, run, section)),
        ("golang".to_string(), text(&asked.tools.go)),
        ("status".to_string(), object([("conditions", conditions(asked, run))])),
    ]);
    let folders = network_folders(asked, section);
    let told = folders.iter().map(|(name, folder)| (format!("lastCNILoadStatus.{name}"), no_network(folder)));
    all.extend(told);
    let default = folders.get(DEFAULT).map_or_else(|| text("OK"), |folder| no_network(folder));
    all.insert("lastCNILoadStatus".into(), default);
    if asked.tools.info.features {
        all.insert("features".into(), object([("supplemental_groups_policy", Json::Bool(true))]));
        all.insert("runtimeHandlers".into(), handlers(asked, run, section));
    }
    Printed::ok(Json::Object(all).pretty() + "\n")
}

/// The name of the network of all handlers that have none of their own.
const DEFAULT: &str = "default";

fn at<'n>(node: &'n Node, keys: &[&str]) -> Option<&'n Node> {
    keys.iter().try_fold(node, |node, key| node.table()?.get(key))
}

fn text_at<'n>(node: &'n Node, keys: &[&str]) -> &'n str {
    match at(node, keys).map(|node| &node.kind) {
        Some(Kind::String(text)) => text,
        _ => "",
    }
}

/// The folders that are watched for networks, by name: one for all, and one for each handler that names its own.
fn network_folders(asked: &Asked<'_>, section: &Node) -> BTreeMap<String, String> {
    let own = asked.version.handler_sections(section).into_iter().flat_map(|table| &table.entries);
    let own = own.map(|(name, node)| (name.clone(), text_at(node, &["cni_conf_dir"]).to_string()));
    let all = [(DEFAULT.to_string(), text_at(section, &["cni", "conf_dir"]).to_string())];
    map_of(all.into_iter().chain(own).filter(|(_, folder)| !folder.is_empty()))
}

/// No network is configured on the recording machine.
fn no_network(folder: &str) -> Json {
    text(format!(
        "cni config load failed: no network config found in {folder}: \
         cni plugin not initialized: failed to load cni config"
    ))
}

/// The network library's own view: the loopback network, which is built in, and where it looks for others.
fn network(asked: &Asked<'_>, section: &Node) -> Json {
    let rules = &asked.tools.info;
    let internal = at(section, &["cni", "use_internal_loopback"]).map(|node| &node.kind);
    // Without a folder to watch nothing is loaded, the loopback network neither.
    let loads = internal != Some(&Kind::Bool(true)) && !text_at(section, &["cni", "conf_dir"]).is_empty();
    let mut loopback = map_of([("ipam".to_string(), object([])), ("type".to_string(), text("loopback"))]);
    if rules.loopback_dns {
        loopback.insert("dns".into(), object([]));
    }
    let plugin = object([("Network", Json::Object(loopback)), ("Source", text("{\"type\":\"loopback\"}"))]);
    let source = "{\n\"cniVersion\": \"0.3.1\",\n\"name\": \"cni-loopback\",\n\
                  \"plugins\": [{\n  \"type\": \"loopback\"\n}]\n}";
    let config = object([
        ("CNIVersion", text("0.3.1")),
        ("Name", text("cni-loopback")),
        ("Plugins", Json::List(vec![plugin])),
        ("Source", text(source)),
    ]);
    let network = object([("Config", config), ("IFName", text("lo"))]);
    let keys: Vec<&str> = rules.bin_dirs.iter().map(String::as_str).collect();
    let folders = match at(section, &keys).map(|node| &node.kind) {
        Some(Kind::Array(list)) => Json::List(list.iter().map(plain).collect()),
        Some(Kind::String(folder)) => texts(&[folder]),
        _ => Json::Null,
    };
    object([
        ("Networks", if loads { Json::List(vec![network]) } else { Json::Null }),
        ("PluginConfDir", text(text_at(section, &["cni", "conf_dir"]))),
        ("PluginDirs", folders),
        ("PluginMaxConfNum", at(section, &["cni", "max_conf_num"]).map_or_else(|| number(0), plain)),
        ("Prefix", text("eth")),
    ])
}

/// The plugin's section, and the folders and the socket of the process.
fn config(names: &Names<'_>, run: &DaemonRun, section: &Node) -> Json {
    let asked = names.asked;
    let mut entries = match names.json(&Type::Struct(asked.version.cri_type().into()), Some(section)) {
        Json::Object(entries) => entries,
        _ => BTreeMap::new(),
    };
    let folder = &asked.tools.info.folder;
    for (key, value) in [
        ("containerdEndpoint", run.socket.clone()),
        ("containerdRootDir", run.root.clone()),
        ("rootDir", join(&run.root, folder)),
        ("stateDir", join(&run.state, folder)),
    ] {
        entries.insert(key.into(), text(value));
    }
    Json::Object(entries)
}

/// Go's structs as JSON, under the names that the version gives their fields.
struct Names<'a> {
    asked: &'a Asked<'a>,
}

impl Names<'_> {
    fn json(&self, ty: &Type, node: Option<&Node>) -> Json {
        // A map or a list that nobody wrote is nil.
        let written = node.filter(|node| !node.place.is_default() || !is_empty(node));
        match ty {
            Type::Pointer(of) => node.map_or(Json::Null, |node| self.json(of, Some(node))),
            Type::Struct(name) => {
                let mut entries = BTreeMap::new();
                for field in self.asked.version.schema().fields(name) {
                    let value = node.and_then(Node::table).and_then(|table| table.get(&field.key));
                    let embedded = field.key == "-";
                    match self.json(&field.ty, if embedded { node } else { value }) {
                        Json::Object(inner) if embedded => entries.extend(inner),
                        value => {
                            entries.insert(self.name(&field.key), value);
                        }
                    }
                }
                Json::Object(entries)
            }
            Type::Map(of) => match written.and_then(Node::table) {
                None => Json::Null,
                Some(table) => {
                    let entry = |(key, node): (&String, &Node)| (key.clone(), self.json(of, Some(node)));
                    Json::Object(map_of(table.entries.iter().map(entry)))
                }
            },
            Type::Slice(of) => match written.map(|node| &node.kind) {
                Some(Kind::Array(list) | Kind::Tables(list)) => {
                    Json::List(list.iter().map(|item| self.json(of, Some(item))).collect())
                }
                _ => Json::Null,
            },
            Type::Any | Type::Tree => node.map_or(Json::Null, plain),
            Type::Bool => node.map_or(Json::Bool(false), plain),
            Type::Int(_) | Type::Float64 => node.map_or_else(|| number(0), plain),
            Type::String | Type::Duration | Type::TextDuration => node.map_or_else(|| text(""), plain),
        }
    }

    fn name(&self, key: &str) -> String {
        self.asked.tools.info.names.get(key).cloned().unwrap_or_else(|| camel_case(key))
    }
}

fn camel_case(key: &str) -> String {
    let mut words = key.split('_');
    let first = words.next().unwrap_or_default().to_string();
    words.fold(first, |mut out, word| {
        let mut letters = word.chars();
        out.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        out.push_str(letters.as_str());
        out
    })
}

pub(super) fn is_empty(node: &Node) -> bool {
    match &node.kind {
        Kind::Array(list) | Kind::Tables(list) => list.is_empty(),
        Kind::Table(table) => table.entries.is_empty(),
        _ => false,
    }
}

/// A value of no declared type. `crictl` reads every number as a floating point number.
fn plain(node: &Node) -> Json {
    match &node.kind {
        Kind::Bool(value) => Json::Bool(*value),
        Kind::Int(value) => Json::Number(float(*value as f64)),
        Kind::Uint(value) => Json::Number(float(*value as f64)),
        Kind::Float(value) => Json::Number(float(*value)),
        Kind::String(words) | Kind::Time(_, words) => text(words),
        Kind::Array(list) | Kind::Tables(list) => Json::List(list.iter().map(plain).collect()),
        Kind::Table(table) => {
            Json::Object(map_of(table.entries.iter().map(|(key, node)| (key.clone(), plain(node)))))
        }
    }
}

/// A floating point number that JSON cannot tell, as Go writes it.
fn no_number(node: &Node) -> Option<&'static str> {
    match &node.kind {
        Kind::Float(value) if value.is_nan() => Some("NaN"),
        Kind::Float(value) if value.is_infinite() => Some(if *value > 0.0 { "+Inf" } else { "-Inf" }),
        Kind::Array(list) | Kind::Tables(list) => list.iter().find_map(no_number),
        Kind::Table(table) => table.entries.values().find_map(no_number),
        _ => None,
    }
}

/// A number as Go's JSON prints it: with an exponent only where it is very large or very small.
fn float(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-6..1e21).contains(&size) {
        return value.to_string();
    }
    let shown = format!("{value:e}");
    if size >= 1e21 { shown.replace('e', "e+") } else { shown }
}

/// What each runtime can do, the default one first and without a name.
fn handlers(asked: &Asked<'_>, run: &DaemonRun, section: &Node) -> Json {
    let introspected = &asked.tools.info.introspected;
    let row = |name: &str, shown: &str| {
        let handler = asked.version.handler_sections(section).and_then(|table| table.get(name));
        let ty = handler.map_or("", |node| text_at(node, &["runtime_type"]));
        let asked_for = introspected.is_empty() || introspected.iter().any(|known| known == ty);
        let mut entries = BTreeMap::new();
        if asked_for && run.is_runnable(name) {
            entries.insert("features".into(), object([("recursive_read_only_mounts", Json::Bool(true))]));
        }
        if !shown.is_empty() {
            entries.insert("name".into(), text(shown));
        }
        Json::Object(entries)
    };
    let default = run.default_handler().into_iter().map(|name| row(name, ""));
    let named = run.handlers.iter().flatten().map(|handler| row(&handler.name, &handler.name));
    Json::List(default.chain(named).collect())
}

fn conditions(asked: &Asked<'_>, run: &DaemonRun) -> Json {
    let row = |(name, holds): (&str, bool)| {
        let (reason, message) = match (name, holds) {
            (_, true) => ("", String::new()),
            ("NetworkReady", _) => (
                "NetworkPluginNotReady",
                String::from("Network plugin returns error: cni plugin not initialized"),
            ),
            _ => ("ContainerdHasDeprecationWarnings", deprecations(asked, run)),
        };
        object([
            ("message", text(message)),
            ("reason", text(reason)),
            ("status", Json::Bool(holds)),
            ("type", text(name)),
        ])
    };
    Json::List(run.conditions.iter().map(|condition| row((condition.name, condition.holds))).collect())
}

/// The deprecated things that count, by their full names.
fn deprecations(asked: &Asked<'_>, run: &DaemonRun) -> String {
    let words = run.counted_deprecations().iter().filter_map(|name| {
        let words = asked.tools.deprecations.get(name)?;
        Some((format!("io.containerd.deprecation/{name}"), text(words)))
    });
    Json::Object(map_of(words)).flat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_in_go() {
        for (value, wanted) in [
            (0.0, "0"),
            (16384.0, "16384"),
            (0.02, "0.02"),
            (1e-7, "1e-7"),
            (1e21, "1e+21"),
            (9_223_372_036_854_775_807_i64 as f64, "9223372036854776000"),
        ] {
            assert_eq!(float(value), wanted);
        }
    }

    #[test]
    fn keys_become_camel_case() {
        assert_eq!(camel_case("x509_key_pair_streaming"), "x509KeyPairStreaming");
        assert_eq!(camel_case("cni"), "cni");
    }
}
