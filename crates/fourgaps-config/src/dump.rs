//! What a fresh process prints: the merged configuration with every plugin's section decoded onto its defaults.

use crate::checks::{field, version_of, warning};
use crate::glob::glob;
use crate::load::{self, BAD_PATTERN, By, Request, STRICT, Stop, path_of, with_position};
use crate::merge::is_zero;
use crate::migrate::{self, Crash};
use crate::rules::{Dialect, WhenMigrated};
use crate::run::{DumpRun, Handler, Unread};
use crate::schema::Type;
use crate::toml::go_text::quote;
use crate::toml::v1::decode::decode;
use crate::toml::{Kind, Line, Node, Table, v1, v2};
use crate::unread;
use crate::version::{Plugin, Version};
use fourgaps_base::map_of;

/// What a fresh process of this version would load and print.
pub fn dump(request: &Request<'_>) -> DumpRun {
    whole(request, By::Dump)
}

/// The dump that a started process would print of itself: where this version's dump tells something else than its
/// daemon does, the daemon is right.
pub fn dump_of_started(request: &Request<'_>) -> DumpRun {
    whole(request, By::Daemon)
}

/// What `containerd config migrate` prints; nothing where this version has no such command.
///
/// Up to 2.0 its code stands apart from that of a dump and leaves the time limits out; later the two are one.
/// Source: `cmd/containerd/command/config.go` of each version.
pub fn migrate(request: &Request<'_>) -> Option<DumpRun> {
    (request.version.rules.plugin_migrations != WhenMigrated::Never).then(|| whole(request, By::Migrate))
}

/// What `containerd config default` prints: what every plugin has before any file is read.
pub fn defaults(version: &Version) -> Vec<Line> {
    let mut config = version.defaults.clone();
    config.entries.remove("plugins");
    let section = |plugin: &Plugin| {
        let table = version.plugin_defaults.get(&plugin.uri)?.clone();
        let table = shown(version, plugin.ty.as_ref()?, table);
        Some((plugin.uri.clone(), Node::default_of(Kind::Table(table))))
    };
    let plugins = Table { entries: map_of(version.plugins.iter().filter_map(section)), inline: false };
    finish(version, &mut config, Table::default(), plugins, true);
    print(version, config)
}

fn whole(request: &Request<'_>, by: By) -> DumpRun {
    let mut run = DumpRun::default();
    if let Err(stop) = try_dump(request, by, &mut run) {
        let (exit, before) = if stop.crash { (2, "panic: ") } else { (1, "containerd: ") };
        run.exit = exit;
        run.stderr.extend(format!("{before}{}", stop.words).split('\n').map(String::from));
        run.fault = Some(stop.fault);
    }
    run
}

fn try_dump(request: &Request<'_>, by: By, run: &mut DumpRun) -> Result<(), Stop> {
    let version = request.version;
    let load::Merged { mut config, merger } = load::load(request, by, run)?;
    run.hidden = merger.hidden;
    let (says, _) = version_of(&config, version.rules.config_version.when_missing);
    let mut sections = match config.entries.remove("plugins") {
        Some(Node { kind: Kind::Table(sections), .. }) => sections,
        _ => Table::default(),
    };
    let disabled = names(config.get("disabled_plugins"));
    let migrates = match version.rules.plugin_migrations {
        WhenMigrated::Merged => true,
        WhenMigrated::MergedByDaemon => by != By::Dump,
        WhenMigrated::Never | WhenMigrated::EachFile => false,
    };
    if migrates && says < version.rules.config_version.newest {
        migrate::plugins(version, &disabled, &mut sections).map_err(|crash| Stop::crash(run, crash))?;
    }
    dynamic_plugins(request, &config, run)?;
    proxy_plugins(version, &config, run)?;
    let plugins = plugin_sections(request, run, says, &disabled, &sections)?;
    run.handlers = handlers(version, plugins.get(&version.rules.cri.section));
    let apart = by == By::Migrate && version.rules.plugin_migrations == WhenMigrated::MergedByDaemon;
    finish(version, &mut config, sections, plugins, !apart);
    run.lines = print(version, config);
    Ok(())
}

/// Every plugin's settings: its section decoded onto its defaults.
fn plugin_sections(
    request: &Request<'_>,
    run: &mut DumpRun,
    says: i64,
    disabled: &[String],
    sections: &Table,
) -> Result<Table, Stop> {
    let version = request.version;
    let mut plugins = Table::default();
    for plugin in &version.plugins {
        let key = version.section_key(plugin, says);
        let Some(ty) = &plugin.ty else { continue };
        if disabled.iter().any(|name| name == key) {
            continue;
        }
        let node = decode_plugin(request, run, plugin, ty, sections.get(key))?;
        plugins.entries.insert(plugin.uri.clone(), node);
    }
    if version.rules.dialect == Dialect::First {
        unread::in_sections(version, says, sections, &mut run.unread);
    }
    Ok(plugins)
}

/// Decodes a plugin's section onto its defaults; keys that it does not read are noted.
pub(crate) fn decode_plugin(
    request: &Request<'_>,
    run: &mut DumpRun,
    plugin: &Plugin,
    ty: &str,
    section: Option<&Node>,
) -> Result<Node, Stop> {
    let version = request.version;
    let defaults = version.plugin_defaults.get(&plugin.uri).cloned().unwrap_or_default();
    let Some(node) = section else { return Ok(Node::default_of(Kind::Table(shown(version, ty, defaults)))) };
    let stop = |run: &DumpRun, place: fourgaps_base::Place, words: String, message: String| {
        let path = path_of(&run.files, place.file).unwrap_or_else(|| request.main.into());
        let pos = (!place.is_default()).then_some(place.pos);
        match words.strip_prefix("panic: ") {
            Some(words) => Stop { crash: true, ..Stop::error(words, &path, pos, message) },
            None => Stop::error(words, &path, pos, message),
        }
    };
    let table = match &version.rules.dialect {
        Dialect::First => {
            let empty = Table::default();
            decode(&version.schema, ty, node.table().unwrap_or(&empty), defaults)
                .map_err(|(error, place)| stop(run, place, with_position(&error), error.message))?
        }
        Dialect::Second(_) => {
            let ty = Type::Struct(ty.into());
            let decoded = v2::decode_value(version.toml_rules, &version.schema, &ty, node, defaults);
            let (unknown, table) = match decoded {
                Ok(decoded) => (decoded.unknown, Ok(decoded.table)),
                Err(failed) => (failed.unknown, Err((failed.place, failed.error.message))),
            };
            for unknown in unknown {
                run.stderr.push(format!(
                    "{} error={} key={} plugin={}",
                    warning("Ignoring unknown key in TOML for plugin"),
                    quote(STRICT),
                    field(&unknown.path.join(" ")),
                    plugin.uri
                ));
                let head = ["plugins".to_string(), plugin.uri.clone()];
                let path = head.into_iter().chain(unknown.path).collect();
                run.unread.push(Unread { path, place: unknown.place });
            }
            table.map_err(|(place, message)| stop(run, place, message.clone(), message))?
        }
    };
    Ok(Node { place: node.place, reported: node.reported, kind: Kind::Table(shown(version, ty, table)) })
}

/// On 1.x, what is only printed when set is left out here; 2.x looks to that when it prints.
fn shown(version: &Version, ty: &str, mut table: Table) -> Table {
    if version.rules.dialect == Dialect::First {
        for field in version.schema.fields(ty) {
            if field.omit_empty && table.get(&field.key).is_some_and(|n| is_zero(&n.kind)) {
                table.entries.remove(&field.key);
            }
        }
    }
    table
}

/// Puts the decoded sections in, adds the time limits if it is to, and sets the version that a dump says.
fn finish(version: &Version, config: &mut Table, sections: Table, plugins: Table, limits: bool) {
    let mut all = match version.rules.dialect {
        Dialect::First => Table::default(),
        // 2.x prints sections that no plugin reads as they are.
        Dialect::Second(_) => sections,
    };
    all.entries.extend(plugins.entries);
    config.entries.insert("plugins".into(), Node::default_of(Kind::Table(all)));
    let none = || Node::default_of(Kind::Table(Table::default()));
    if limits
        && let Kind::Table(timeouts) = &mut config.entries.entry("timeouts".into()).or_insert_with(none).kind
    {
        for (key, value) in &version.timeouts {
            if text_of(timeouts, key).is_empty() {
                timeouts.entries.insert(key.clone(), value.clone());
            }
        }
    }
    if let Some(node) = config.entries.get_mut("version") {
        node.kind = Kind::Int(version.rules.config_version.printed);
    }
}

fn print(version: &Version, config: Table) -> Vec<Line> {
    match version.rules.dialect {
        Dialect::First => v1::print::print(&config),
        Dialect::Second(_) => {
            let typed = |plugin: &Plugin| {
                let path = vec!["plugins".to_string(), plugin.uri.clone()];
                Some((path, Type::Struct(plugin.ty.clone()?)))
            };
            let inside = map_of(version.plugins.iter().filter_map(typed));
            v2::print(&version.schema, &Type::Struct(version.root.clone()), config, &inside)
        }
    }
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
pub(crate) fn dynamic_plugins(request: &Request<'_>, config: &Table, run: &mut DumpRun) -> Result<(), Stop> {
    if !request.version.rules.dynamic_plugins {
        return Ok(());
    }
    let named = text_of(config, "plugin_dir");
    let folder = if named.is_empty() {
        fourgaps_base::join(text_of(config, "root"), "plugins")
    } else {
        named.to_string()
    };
    let pattern = fourgaps_base::join(&fourgaps_base::join("/", &folder), "*-linux-amd64.so");
    if glob(request.files, &pattern).is_err() {
        return Err(Stop::error(BAD_PATTERN, request.main, None, BAD_PATTERN));
    }
    if !named.is_empty() {
        run.stderr.push(warning(
            "loaded 0 dynamic plugins. `go_plugin` is deprecated, please use `external plugins` instead",
        ));
    }
    Ok(())
}

/// Proxy plugins are registered; one without a known type, or with a taken name, ends the process with a panic.
pub(crate) fn proxy_plugins(version: &Version, config: &Table, run: &mut DumpRun) -> Result<(), Stop> {
    let Some(proxies) = config.get("proxy_plugins").and_then(Node::table) else { return Ok(()) };
    for (name, node) in &proxies.entries {
        let Some(proxy) = node.table() else { continue };
        let says = text_of(proxy, "type");
        let crash = |message: String| Crash { message, place: node.place };
        let Some(ty) = version.rules.proxy_types.get(says) else {
            run.stderr.push(format!("{} type={}", warning("unknown proxy plugin type"), field(says)));
            return Err(Stop::crash(run, crash("plugin: no type".into())));
        };
        let uri = format!("{ty}.{name}");
        if name.is_empty() {
            return Err(Stop::crash(run, crash("plugin: no id".into())));
        }
        if version.plugins.iter().any(|p| p.uri == uri) {
            return Err(Stop::crash(run, crash(format!("{uri}: plugin: id already registered"))));
        }
    }
    Ok(())
}

/// The proxy plugins by their full names.
pub(crate) fn proxies<'c>(version: &Version, config: &'c Table) -> Vec<(String, &'c Table)> {
    let proxies = config.get("proxy_plugins").and_then(Node::table);
    let named = |(name, node): (&String, &'c Node)| {
        let proxy = node.table()?;
        let ty = version.rules.proxy_types.get(text_of(proxy, "type"))?;
        Some((format!("{ty}.{name}"), proxy))
    };
    proxies.map(|table| table.entries.iter().filter_map(named).collect()).unwrap_or_default()
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
