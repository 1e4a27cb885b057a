//! The checks on the merged configuration, before any plugin reads its section.

use crate::toml::{Kind, Node, Table};
use crate::version::Version;
use fourgaps_base::Place;

/// A check that failed.
pub(crate) struct Failed {
    pub message: String,
    pub place: Place,
}

/// Checks the merged version, and the names of plugins by it. Warnings go to the log.
pub(crate) fn check(version: &Version, config: &Table, log: &mut Vec<String>) -> Result<(), Failed> {
    let rules = &version.rules;
    let (says, place) = version_of(config, rules.config_version.when_missing);
    if says < 2 {
        log.push(warning(&format!(
            "containerd config version `{says}` has been deprecated and will be converted on each startup in \
             containerd v2.0, use `containerd config migrate` after upgrading to containerd 2.0 to avoid conversion \
             on startup"
        )));
        return Ok(());
    }
    let newest = rules.config_version.newest;
    if says > newest {
        log.push(format!(
            "level=error msg=\"containerd config version `{says}` is not supported, the max version is `{newest}`, \
             use `containerd config default` to generate a new config or manually revert to version `{newest}`\""
        ));
        return Err(Failed { message: format!("unsupported config version `{says}`"), place });
    }
    for (key, what) in [("disabled_plugins", "disabled plugin"), ("required_plugins", "required plugin")] {
        if let Some(Node { kind: Kind::Array(list), place, .. }) = config.get(key) {
            for item in list {
                if let Kind::String(name) = &item.kind {
                    let place = if item.place.is_default() { *place } else { item.place };
                    name_fits(version, name, what, place)?;
                }
            }
        }
    }
    if let Some(plugins) = config.get("plugins").and_then(Node::table) {
        for (name, node) in &plugins.entries {
            name_fits(version, name, "plugin key", node.place)?;
        }
    }
    Ok(())
}

/// The merged version and its place; nothing or 0 counts as the version for files without one.
pub(crate) fn version_of(config: &Table, when_missing: i64) -> (i64, Place) {
    match config.get("version") {
        Some(Node { kind: Kind::Int(0), place, .. }) => (when_missing, *place),
        Some(Node { kind: Kind::Int(says), place, .. }) => (*says, *place),
        _ => (when_missing, Place::default()),
    }
}

fn name_fits(version: &Version, name: &str, what: &str, place: Place) -> Result<(), Failed> {
    let rule = &version.rules.plugin_keys;
    if name.starts_with(&rule.must_start_with) && name.split('.').count() >= rule.parts {
        return Ok(());
    }
    let message = format!("invalid {what} URI {} expect io.containerd.x.vx", go_quoted(name));
    Err(Failed { message, place })
}

/// A log line of level warning.
pub(crate) fn warning(message: &str) -> String {
    format!("level=warning msg={}", go_quoted(message))
}

/// A text as Go's `%q` quotes it.
pub(crate) fn go_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            c if (c as u32) < 0x20 || c as u32 == 0x7f => out.push_str(&format!("\\x{:02x}", c as u32)),
            c if printable(c) => out.push(c),
            c if (c as u32) < 0x1_0000 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push_str(&format!("\\U{:08x}", c as u32)),
        }
    }
    out.push('"');
    out
}

/// Close to Go's `unicode.IsPrint`: no control, format, surrogate or private characters, no blanks but the plain one.
fn printable(c: char) -> bool {
    !(c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c as u32, 0xad | 0x200b..=0x200f | 0x2028..=0x202f | 0x205f..=0x206f | 0xfeff | 0xe000..=0xf8ff | 0xfff0..=0xfffb | 0xe0000..))
}
