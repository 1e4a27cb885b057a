//! The checks on the merged configuration, before any plugin reads its section.

use crate::rules::NameRule;
use crate::toml::go_text::quote;
use crate::toml::{Kind, Node, Table};
use crate::version::Version;
use fourgaps_base::Place;

/// A check that failed.
pub(crate) struct Failed {
    pub message: String,
    pub place: Place,
}

/// Checks the merged version, and the names of plugins. Warnings go to the log.
pub(crate) fn check(version: &Version, config: &Table, log: &mut Vec<String>) -> Result<(), Failed> {
    let (checks, numbers) = (&version.rules.checks, &version.rules.config_version);
    let (says, place) = version_of(config, numbers.when_missing);
    let fill = |text: &str| {
        text.replace("{says}", &says.to_string()).replace("{newest}", &numbers.newest.to_string())
    };
    if let (Some(below), Some(text)) = (checks.old_below, &checks.old_warning)
        && says < below
    {
        log.push(warning(&fill(text)));
        return Ok(());
    }
    if says > numbers.newest {
        if let Some(text) = &checks.too_new_logged {
            log.push(format!("level=error msg={}", quote(&fill(text))));
        }
        return Err(Failed { message: fill(&checks.too_new), place });
    }
    for (key, what) in [("disabled_plugins", "disabled plugin"), ("required_plugins", "required plugin")] {
        if let Some(Node { kind: Kind::Array(list), place, .. }) = config.get(key) {
            for item in list {
                if let Kind::String(name) = &item.kind {
                    let place = if item.place.is_default() { *place } else { item.place };
                    name_fits(&checks.listed_names, name, what, place)?;
                }
            }
        }
    }
    if let (Some(rule), Some(plugins)) = (&checks.plugin_keys, config.get("plugins").and_then(Node::table)) {
        for (name, node) in &plugins.entries {
            name_fits(rule, name, "plugin key", node.place)?;
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

fn name_fits(rule: &NameRule, name: &str, what: &str, place: Place) -> Result<(), Failed> {
    let head = rule.starts_with.as_deref().unwrap_or_default();
    if name.starts_with(head) && name.split('.').count() >= usize::from(rule.parts) {
        return Ok(());
    }
    let message = format!("invalid {what} URI {} expect io.containerd.x.vx", quote(name));
    Err(Failed { message, place })
}

/// A log line of level warning.
pub(crate) fn warning(message: &str) -> String {
    format!("level=warning msg={}", quote(message))
}

/// A log field: quoted where it holds anything but plain characters, or nothing at all.
pub(crate) fn field(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '/' | '@' | '^' | '+');
    if text.chars().all(plain) { text.into() } else { quote(text) }
}
