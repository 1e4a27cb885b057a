//! What a fresh process prints: the merged configuration with every plugin's section decoded onto its defaults.

use crate::checks::version_of;
use crate::glob::glob;
use crate::load::{self, BAD_PATTERN, Request, Stop, path_of, with_position};
use crate::run::{DumpRun, Fault, Handler};
use crate::toml::go_text::quote;
use crate::toml::v1::decode::decode;
use crate::toml::v1::print::print;
use crate::toml::{Kind, Node, Table};
use crate::unread;
use crate::version::{Plugin, Print, Version};
use fourgaps_base::Place;

/// What a fresh process of this version would load and print.
pub fn dump(request: &Request<'_>) -> DumpRun {
    let mut run = DumpRun::default();
    if let Err(stop) = try_dump(request, &mut run) {
        run.exit = 1;
        run.stderr.extend(format!("containerd: {}", stop.words).split('\n').map(String::from));
        run.fault = Some(stop.fault);
    }
    run
}

fn try_dump(request: &Request<'_>, run: &mut DumpRun) -> Result<(), Stop> {
    let version = request.version;
    let load::Merged { mut config, merger } = load::load(request, run)?;
    run.hidden = merger.hidden;
    if !dynamic_plugins(request, &config, run)? || !proxy_plugins(version, &config, run) {
        return Ok(());
    }
    let (says, _) = version_of(&config, version.rules.config_version.when_missing);
    let sections = match config.entries.remove("plugins") {
        Some(Node { kind: Kind::Table(sections), .. }) => sections,
        _ => Table::default(),
    };
    let disabled = names(config.get("disabled_plugins"));
    let mut plugins = Table::default();
    for plugin in &version.plugins {
        let key = if says == 1 { plugin.id() } else { plugin.uri.as_str() };
        let Some(ty) = &plugin.ty else { continue };
        if disabled.iter().any(|name| name == key) {
            continue;
        }
        let node = decode_plugin(request, run, plugin, ty, sections.get(key))?;
        plugins.entries.insert(plugin.uri.clone(), node);
    }
    unread::in_sections(version, says, &sections, &mut run.unread);
    run.handlers = handlers(version, plugins.get(&version.rules.cri.section));
    config.entries.insert("plugins".into(), Node::default_of(Kind::Table(plugins)));
    add_timeouts(version, &mut config);
    if let Some(node) = config.entries.get_mut("version") {
        node.kind = Kind::Int(version.rules.config_version.printed);
    }
    run.lines = match version.rules.print {
        Print::Sorted => print(&config),
    };
    Ok(())
}

/// Decodes a plugin's section onto its defaults.
pub(crate) fn decode_plugin(
    request: &Request<'_>,
    run: &DumpRun,
    plugin: &Plugin,
    ty: &str,
    section: Option<&Node>,
) -> Result<Node, Stop> {
    let version = request.version;
    let defaults = version.plugin_defaults.get(&plugin.uri).cloned().unwrap_or_default();
    let Some(node) = section else {
        return Ok(Node::default_of(Kind::Table(omit_empty(version, ty, defaults))));
    };
    let empty = Table::default();
    let written = node.table().unwrap_or(&empty);
    let table = decode(&version.schema, ty, written, defaults).map_err(|(error, place)| Stop {
        words: with_position(&error),
        fault: Fault {
            path: path_of(&run.files, place.file).unwrap_or_else(|| request.main.into()),
            pos: (!place.is_default()).then_some(place.pos),
            message: error.message,
        },
    })?;
    Ok(Node { place: node.place, reported: node.reported, kind: Kind::Table(omit_empty(version, ty, table)) })
}

/// Leaves out the fields that a dump only prints when they are set.
fn omit_empty(version: &Version, ty: &str, mut table: Table) -> Table {
    for field in version.schema.fields(ty) {
        if field.omit_empty && table.get(&field.key).is_some_and(|n| crate::merge::is_zero(&n.kind)) {
            table.entries.remove(&field.key);
        }
    }
    table
}

/// The texts in a list.
pub(crate) fn names(node: Option<&Node>) -> Vec<String> {
    let Some(Node { kind: Kind::Array(items), .. }) = node else { return Vec::new() };
    let text = |item: &Node| match &item.kind {
        Kind::String(text) => Some(text.clone()),
        _ => None,
    };
    items.iter().filter_map(text).collect()
}

fn text_of<'t>(table: &'t Table, key: &str) -> &'t str {
    match table.get(key) {
        Some(Node { kind: Kind::String(text), .. }) => text,
        _ => "",
    }
}

/// The folder of dynamic plugins is looked through; naming one draws a warning (recording: `top-plugin-dir`).
pub(crate) fn dynamic_plugins(
    request: &Request<'_>,
    config: &Table,
    run: &mut DumpRun,
) -> Result<bool, Stop> {
    let named = text_of(config, "plugin_dir");
    let folder = if named.is_empty() {
        fourgaps_base::join(text_of(config, "root"), "plugins")
    } else {
        named.to_string()
    };
    let pattern = fourgaps_base::join(&fourgaps_base::join("/", &folder), "*-linux-amd64.so");
    if glob(request.files, &pattern).is_err() {
        let fault = Fault { path: request.main.into(), pos: None, message: BAD_PATTERN.into() };
        return Err(Stop { words: BAD_PATTERN.into(), fault });
    }
    if !named.is_empty() {
        run.stderr.push(crate::checks::warning(
            "loaded 0 dynamic plugins. `go_plugin` is deprecated, please use `external plugins` instead",
        ));
    }
    Ok(true)
}

/// Proxy plugins are registered; one without a known type, or with a taken name, ends the process with a panic.
pub(crate) fn proxy_plugins(version: &Version, config: &Table, run: &mut DumpRun) -> bool {
    let Some(proxies) = config.get("proxy_plugins").and_then(Node::table) else { return true };
    for (name, node) in &proxies.entries {
        let Some(proxy) = node.table() else { continue };
        let says = text_of(proxy, "type");
        let Some(ty) = version.daemon.proxy_types.get(says) else {
            run.stderr.push(format!(
                "{} type={}",
                crate::checks::warning("unknown proxy plugin type"),
                field(says)
            ));
            return panic(run, node.place, "plugin: no type");
        };
        let uri = format!("{ty}.{name}");
        if name.is_empty() {
            return panic(run, node.place, "plugin: no id");
        }
        if version.plugins.iter().any(|p| p.uri == uri) {
            return panic(run, node.place, &format!("{uri}: plugin: id already registered"));
        }
    }
    true
}

/// The full names of the proxy plugins.
pub(crate) fn proxies(version: &Version, config: &Table) -> Vec<String> {
    let proxies = config.get("proxy_plugins").and_then(Node::table);
    let named = |(name, node): (&String, &Node)| {
        let ty = version.daemon.proxy_types.get(text_of(node.table()?, "type"))?;
        Some(format!("{ty}.{name}"))
    };
    proxies.map(|table| table.entries.iter().filter_map(named).collect()).unwrap_or_default()
}

/// A Go panic: its message on standard error, exit status 2.
fn panic(run: &mut DumpRun, place: Place, message: &str) -> bool {
    run.exit = 2;
    run.stderr.push(format!("panic: {message}"));
    let path = path_of(&run.files, place.file).unwrap_or_default();
    run.fault = Some(Fault { path, pos: Some(place.pos), message: message.into() });
    false
}

/// A log field: quoted where it holds anything but plain characters.
fn field(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '/' | '@' | '^' | '+');
    if text.chars().all(plain) { text.into() } else { quote(text) }
}

fn add_timeouts(version: &Version, config: &mut Table) {
    if let Some(Node { kind: Kind::Table(timeouts), .. }) = config.entries.get_mut("timeouts") {
        for (key, value) in &version.timeouts {
            if text_of(timeouts, key).is_empty() {
                timeouts.entries.insert(key.clone(), value.clone());
            }
        }
    }
}

/// The handlers in the CRI plugin's section.
pub(crate) fn handlers(version: &Version, section: Option<&Node>) -> Vec<Handler> {
    let cri = &version.rules.cri;
    let Some(section) = section else { return Vec::new() };
    let default = match at(section, &cri.default_runtime) {
        Some(Node { kind: Kind::String(name), .. }) => name.as_str(),
        _ => "",
    };
    let Some(runtimes) = at(section, &cri.runtimes).and_then(Node::table) else { return Vec::new() };
    let row = |(name, node): (&String, &Node)| {
        let table = node.table();
        let options = table.and_then(|t| t.get("options")).and_then(Node::table);
        Handler {
            name: name.clone(),
            runtime_type: table.map(|t| text_of(t, "runtime_type")).unwrap_or_default().into(),
            binary_name: options.map(|t| text_of(t, "BinaryName")).unwrap_or_default().into(),
            place: node.place,
            is_default: name == default,
        }
    };
    runtimes.entries.iter().map(row).collect()
}

fn at<'n>(node: &'n Node, path: &[String]) -> Option<&'n Node> {
    path.iter().try_fold(node, |node, key| node.table()?.get(key))
}
