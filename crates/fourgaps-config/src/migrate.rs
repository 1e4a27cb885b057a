//! Bringing plugin sections to the newest version: which key goes where, and what is already there stays.
//! Source of the rules: `version.toml` of each version; recordings `version-*`, `cri-wrong-type-table`.

use crate::checks::warning;
use crate::merge::is_zero;
use crate::rules::{Inside, Migration, ShortNames};
use crate::toml::{Kind, Node, Table, TimeKind};
use crate::version::Version;
use fourgaps_base::Place;

/// The process crashes: its message, and the value that it did not expect.
pub(crate) struct Crash {
    pub message: String,
    pub place: Place,
}

/// Runs the migrations of every plugin that is not disabled, once.
pub(crate) fn plugins(version: &Version, disabled: &[String], sections: &mut Table) -> Result<(), Crash> {
    for migration in &version.rules.migrations {
        if !disabled.iter().any(|name| name == migration.owner()) {
            apply(migration, sections)?;
        }
    }
    Ok(())
}

fn apply(migration: &Migration, sections: &mut Table) -> Result<(), Crash> {
    match migration {
        Migration::MoveKeys { from, to, except, inside, rename_in_handlers, .. } => {
            // Taken out and put back, so that nothing is copied but what moves.
            let Some(node) = sections.entries.remove(from) else { return Ok(()) };
            if let Kind::Table(source) = &node.kind {
                let mut target = taken(sections, to, node.place);
                if let Kind::Table(into) = &mut target.kind {
                    move_keys(source, into, except, inside)?;
                    if let Some((old, new)) = rename_in_handlers {
                        rename_in_handlers_of(into, old, new)?;
                    }
                }
                sections.entries.insert(to.clone(), target);
            }
            sections.entries.insert(from.clone(), node);
        }
        Migration::CopyKeys { from, to, keys, into_table, inside, .. } => {
            let Some(node) = sections.entries.remove(from) else { return Ok(()) };
            let source = table_or_crash(&node)?;
            if let Some(node) = sections.get(to) {
                table_or_crash(node)?;
            }
            let mut target = taken(sections, to, node.place);
            if let Kind::Table(into) = &mut target.kind {
                copy_keys(source, into, keys, into_table, inside)?;
            }
            sections.entries.insert(to.clone(), target);
            sections.entries.insert(from.clone(), node);
        }
        Migration::KeepKeys { owner, keys } => {
            if let Some(Node { kind: Kind::Table(table), .. }) = sections.entries.get_mut(owner) {
                table.entries.retain(|key, _| keys.contains(key));
            }
        }
        Migration::Rename { owner, from } => {
            if let Some(node) = sections.entries.remove(from) {
                sections.entries.insert(owner.clone(), node);
            }
        }
        Migration::FlagToEnv { owner, from, key, entry } => {
            let Some(node) = sections.entries.get_mut(from) else { return Ok(()) };
            let place = node.place;
            table_or_crash(node)?;
            let mut target = Table::default();
            if let Kind::Table(table) = &mut node.kind
                && let Some(flag) = table.entries.remove(key)
                && flag.kind == Kind::Bool(true)
            {
                let item = Node { kind: Kind::String(entry.clone()), ..flag.clone() };
                target.entries.insert("env".into(), Node { kind: Kind::Array(vec![item]), ..flag });
            }
            sections.entries.insert(owner.clone(), Node { place, ..Node::default_of(Kind::Table(target)) });
        }
    }
    Ok(())
}

/// The section that is already there, or an empty one.
fn taken(sections: &mut Table, key: &str, place: Place) -> Node {
    match sections.entries.remove(key) {
        Some(node @ Node { kind: Kind::Table(_), .. }) => node,
        _ => Node { place, ..Node::default_of(Kind::Table(Table::default())) },
    }
}

fn move_keys(source: &Table, into: &mut Table, except: &[String], inside: &[Inside]) -> Result<(), Crash> {
    for (key, value) in &source.entries {
        let apart = except.contains(key) || inside.iter().any(|i| i.table == *key);
        if !apart && !into.entries.contains_key(key) {
            into.entries.insert(key.clone(), value.clone());
        }
    }
    for rule in inside {
        let Some(node @ Node { kind: Kind::Table(source), .. }) = source.get(&rule.table) else { continue };
        let mut target = taken(into, &rule.table, node.place);
        let Kind::Table(table) = &mut target.kind else { continue };
        for (key, value) in &source.entries {
            if let Some(list) = rule.into_list.get(key) {
                // An existing list is never of the type that the check looks for, so it is always written over.
                let Kind::String(_) = &value.kind else { return Err(crash(value, "string")) };
                let node = Node { kind: Kind::Array(vec![value.clone()]), ..value.clone() };
                table.entries.insert(list.clone(), node);
            } else if !rule.except.contains(key) && !table.entries.contains_key(key) {
                table.entries.insert(key.clone(), value.clone());
            }
        }
        into.entries.insert(rule.table.clone(), target);
    }
    Ok(())
}

fn rename_in_handlers_of(section: &mut Table, old: &str, new: &str) -> Result<(), Crash> {
    let Some(Node { kind: Kind::Table(containerd), .. }) = section.entries.get_mut("containerd") else {
        return Ok(());
    };
    let Some(runtimes) = containerd.entries.get_mut("runtimes") else { return Ok(()) };
    table_or_crash(runtimes)?;
    let Kind::Table(runtimes) = &mut runtimes.kind else { return Ok(()) };
    for handler in runtimes.entries.values_mut() {
        table_or_crash(handler)?;
        let Kind::Table(handler) = &mut handler.kind else { continue };
        if !handler.entries.contains_key(new)
            && let Some(value) = handler.entries.remove(old)
        {
            handler.entries.insert(new.into(), value);
        }
    }
    Ok(())
}

fn copy_keys(
    source: &Table,
    into: &mut Table,
    keys: &[String],
    (key, table, name): &(String, String, String),
    (inner, inner_keys): &(String, Vec<String>),
) -> Result<(), Crash> {
    let mut pinned = match into.get(table) {
        Some(node) => table_or_crash(node)?.clone(),
        None => Table::default(),
    };
    let mut place = into.get(table).map(|node| node.place).unwrap_or_default();
    if let Some(value) = source.get(key) {
        place = value.place;
        pinned.entries.insert(name.clone(), value.clone());
    }
    if !pinned.entries.is_empty() {
        into.entries.insert(table.clone(), Node { place, ..Node::default_of(Kind::Table(pinned)) });
    }
    for key in keys {
        if let Some(value) = source.get(key) {
            into.entries.insert(key.clone(), value.clone());
        }
    }
    let Some(containerd) = source.get(inner) else { return Ok(()) };
    let containerd = table_or_crash(containerd)?;
    let Some(runtimes) = containerd.get("runtimes") else { return Ok(()) };
    if let Some(node) = into.get("runtime_platform") {
        table_or_crash(node)?;
    }
    for handler in table_or_crash(runtimes)?.entries.values() {
        table_or_crash(handler)?;
    }
    for key in inner_keys {
        if let Some(value) = containerd.get(key) {
            into.entries.insert(key.clone(), value.clone());
        }
    }
    Ok(())
}

fn table_or_crash(node: &Node) -> Result<&Table, Crash> {
    node.table().ok_or_else(|| crash(node, "map[string]interface {}"))
}

/// What Go says where a value is not of the type that is taken for granted.
fn crash(node: &Node, wanted: &str) -> Crash {
    let is = match &node.kind {
        Kind::Bool(_) => "bool",
        Kind::Int(_) | Kind::Uint(_) => "int64",
        Kind::Float(_) => "float64",
        Kind::String(_) => "string",
        Kind::Time(TimeKind::Offset, _) => "time.Time",
        Kind::Time(TimeKind::LocalDateTime, _) => "toml.LocalDateTime",
        Kind::Time(TimeKind::LocalDate, _) => "toml.LocalDate",
        Kind::Time(TimeKind::LocalTime, _) => "toml.LocalTime",
        Kind::Array(_) | Kind::Tables(_) => "[]interface {}",
        Kind::Table(_) => "map[string]interface {}",
    };
    Crash {
        message: format!("interface conversion: interface {{}} is {is}, not {wanted}"),
        place: node.place,
    }
}

/// Gives version 1 names their full form, in the sections and in the two lists of names.
pub(crate) fn short_names(names: &ShortNames, config: &mut Table, log: &mut Vec<String>) {
    if let Some(Node { kind: Kind::Table(sections), .. }) = config.entries.get_mut("plugins") {
        let old = std::mem::take(&mut sections.entries);
        for (key, node) in old {
            sections.entries.insert(full_name(names, &key, log), node);
        }
    }
    for key in ["disabled_plugins", "required_plugins"] {
        if let Some(Node { kind: Kind::Array(list), .. }) = config.entries.get_mut(key) {
            for item in list {
                if let Kind::String(text) = &mut item.kind {
                    *text = full_name(names, text, log);
                }
            }
        }
    }
}

fn full_name(names: &ShortNames, name: &str, log: &mut Vec<String>) -> String {
    if name.contains('.') {
        return name.into();
    }
    if let Some(full) = names.known.get(name) {
        return full.clone();
    }
    if let Some((_, ty)) = names.by_ending.iter().find(|(ending, _)| name.ends_with(ending.as_str())) {
        return format!("{ty}.{name}");
    }
    let ty = names.ambiguous.get(name).unwrap_or(&names.otherwise);
    let full = format!("{ty}.{name}");
    log.push(warning(&format!("Ambiguous {name} plugin in v1 config, treating as {full}")));
    full
}

/// Moves the server's own settings into plugin sections, unless the section is there.
/// Source: the public source of 2.3, and the recordings `merge-grpc-fields`, `merge-debug-fields`, `top-ttrpc`.
pub(crate) fn server_settings(config: &mut Table) {
    let mut sections = match config.entries.remove("plugins") {
        Some(Node { kind: Kind::Table(sections), .. }) => sections,
        _ => Table::default(),
    };
    let debug = Group::of(config, "debug");
    let (grpc, ttrpc, metrics) =
        (Group::of(config, "grpc"), Group::of(config, "ttrpc"), Group::of(config, "metrics"));
    if debug.set("address") {
        let moved = debug.picked(&["address", "uid", "gid"], true, &[]);
        if add(&mut sections, "io.containerd.server.v1.debug", moved) {
            clear(config, "debug", &["address", "uid", "gid"]);
        }
    }
    let sizes = ["max_recv_message_size", "max_send_message_size"];
    let legacy = ["address", "uid", "gid"].iter().chain(&sizes).any(|key| grpc.set(key));
    if legacy {
        let mut moved = grpc.picked(&["address", "uid", "gid"], grpc.set("address"), &[]);
        moved.entries.extend(grpc.picked(&sizes, false, &[]).entries);
        add(&mut sections, "io.containerd.server.v1.grpc", moved);
    }
    if grpc.set("tcp_address") {
        let renamed = [
            ("tcp_address", "address"),
            ("tcp_tls_ca", "tls_ca"),
            ("tcp_tls_cert", "tls_cert"),
            ("tcp_tls_key", "tls_key"),
            ("tcp_tls_common_name", "tls_common_name"),
        ];
        let keys: Vec<&str> = renamed.iter().map(|(from, _)| *from).chain(sizes).collect();
        add(&mut sections, "io.containerd.server.v1.grpc-tcp", grpc.picked(&keys, false, &renamed));
    }
    if legacy || grpc.set("tcp_address") {
        config.entries.remove("grpc");
    }
    ttrpc_section(config, &mut sections, &grpc, &ttrpc);
    for (key, section) in [
        ("grpc_histogram", "io.containerd.metrics.v1.grpc-prometheus"),
        ("address", "io.containerd.server.v1.metrics"),
    ] {
        if metrics.set(key) && add(&mut sections, section, metrics.picked(&[key], false, &[])) {
            clear(config, "metrics", &[key]);
        }
    }
    config.entries.insert("plugins".into(), Node::default_of(Kind::Table(sections)));
}

/// Without an address of its own, ttrpc listens beside grpc.
fn ttrpc_section(config: &mut Table, sections: &mut Table, grpc: &Group, ttrpc: &Group) {
    let mut moved = ttrpc.picked(&["address", "uid", "gid"], true, &[]);
    if !ttrpc.set("address")
        && let Some(node @ Node { kind: Kind::String(address), .. }) = grpc.table.get("address")
        && !address.is_empty()
    {
        let beside = Node { kind: Kind::String(format!("{address}.ttrpc")), ..node.clone() };
        moved.entries.insert("address".into(), beside);
        for key in ["uid", "gid"] {
            if !ttrpc.set(key)
                && let Some(value) = grpc.table.get(key)
            {
                moved.entries.insert(key.into(), value.clone());
            }
        }
    }
    if moved.entries.values().any(|node| !is_zero(&node.kind))
        && add(sections, "io.containerd.server.v1.ttrpc", moved)
    {
        clear(config, "ttrpc", &["address", "uid", "gid"]);
    }
}

/// A table of the server's own settings.
struct Group {
    table: Table,
}

impl Group {
    fn of(config: &Table, key: &str) -> Self {
        Self { table: config.get(key).and_then(Node::table).cloned().unwrap_or_default() }
    }

    fn set(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(|node| !is_zero(&node.kind))
    }

    /// Some keys under their new names; those that are not set only where `zeros` asks for them.
    fn picked(&self, keys: &[&str], zeros: bool, renamed: &[(&str, &str)]) -> Table {
        let mut out = Table::default();
        for key in keys {
            let name = renamed.iter().find(|(from, _)| from == key).map_or(*key, |(_, to)| *to);
            if self.set(key) {
                if let Some(node) = self.table.get(key) {
                    out.entries.insert(name.into(), node.clone());
                }
            } else if zeros {
                let zero = if *key == "address" { Kind::String(String::new()) } else { Kind::Int(0) };
                out.entries.insert(name.into(), Node::default_of(zero));
            }
        }
        out
    }
}

/// Adds a section unless there is one.
fn add(sections: &mut Table, key: &str, table: Table) -> bool {
    if sections.entries.contains_key(key) {
        return false;
    }
    let place = table.entries.values().map(|node| node.place).max().unwrap_or_default();
    sections.entries.insert(key.into(), Node { place, ..Node::default_of(Kind::Table(table)) });
    true
}

fn clear(config: &mut Table, group: &str, keys: &[&str]) {
    if let Some(Node { kind: Kind::Table(table), .. }) = config.entries.get_mut(group) {
        table.entries.retain(|key, _| !keys.contains(&key.as_str()));
    }
}
