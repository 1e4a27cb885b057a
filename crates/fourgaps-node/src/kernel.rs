//! What the node's kernel grants, as far as a daemon can run out of it.
//! Source: sysctl(8), sysctl.d(5), inotify(7).

use fourgaps_base::{FileTree, Files};
use std::collections::BTreeMap;

/// How many inotify instances a user may have.
pub const INOTIFY_INSTANCES: &str = "fs.inotify.max_user_instances";

/// The settings that are known, with the kernel's own values. The number of watches depends on the memory of a real
/// node; this is a choice.
const KNOWN: [(&str, i64); 3] = [
    (INOTIFY_INSTANCES, 128),
    ("fs.inotify.max_queued_events", 16_384),
    ("fs.inotify.max_user_watches", 65_536),
];

/// The folders of settings: of two files of one name the earlier folder's counts.
const FOLDERS: [&str; 4] = ["/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d", "/usr/lib/sysctl.d"];
/// A file that `sysctl` reads last, and that a boot does not read.
const OLD_FILE: &str = "/etc/sysctl.conf";

/// The kernel's settings, and what is used up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    settings: BTreeMap<String, i64>,
    /// The inotify instances that programs other than containerd have.
    pub(crate) inotify_used: i64,
}

/// A line of a file of settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Set(String, i64),
    /// A setting that is not simulated, or no number.
    Odd(String),
}

impl Kernel {
    pub(crate) fn new(inotify_used: i64) -> Self {
        let settings = KNOWN.map(|(key, value)| (key.to_string(), value));
        Self { settings: fourgaps_base::map_of(settings), inotify_used }
    }

    /// The value of a setting; nothing where it is not simulated.
    pub fn setting(&self, key: &str) -> Option<i64> {
        self.settings.get(&dotted(key)).copied()
    }

    /// The value that a setting would have after a boot, by the files of a disk; nothing where it is not simulated.
    pub fn after_boot(files: &FileTree, key: &str) -> Option<i64> {
        let mut kernel = Self::new(0);
        for path in files_of_settings(files, false) {
            let text = files.text(&path).unwrap_or_default();
            for line in text.lines() {
                if let Some(Line::Set(key, value)) = kernel.line(line) {
                    kernel.set(&key, value);
                }
            }
        }
        kernel.setting(key)
    }

    /// The settings that are known, in name order.
    pub fn settings(&self) -> impl Iterator<Item = (&str, i64)> {
        self.settings.iter().map(|(key, value)| (key.as_str(), *value))
    }

    /// The inotify instances that programs other than containerd have.
    pub fn inotify_used(&self) -> i64 {
        self.inotify_used
    }

    /// How many inotify instances a daemon that starts now may have.
    pub(crate) fn inotify_free(&self) -> i64 {
        self.setting(INOTIFY_INSTANCES).unwrap_or(0) - self.inotify_used
    }

    pub(crate) fn set(&mut self, key: &str, value: i64) {
        if let Some(place) = self.settings.get_mut(&dotted(key)) {
            *place = value;
        }
    }

    /// Takes a setting apart, and looks whether it is known.
    pub(crate) fn line(&self, text: &str) -> Option<Line> {
        let text = text.trim();
        if text.is_empty() || text.starts_with(['#', ';']) {
            return None;
        }
        // A dash says that an error is no matter.
        let (key, value) = text.strip_prefix('-').unwrap_or(text).split_once('=').unwrap_or((text, ""));
        let key = dotted(key.trim());
        match value.trim().parse() {
            Ok(value) if self.settings.contains_key(&key) => Some(Line::Set(key, value)),
            _ => Some(Line::Odd(key)),
        }
    }
}

/// A setting's name with dots; with slashes it is the path below `/proc/sys`.
fn dotted(key: &str) -> String {
    key.replace('/', ".")
}

/// The files of settings in the order in which they are applied.
pub(crate) fn files_of_settings(files: &FileTree, by_sysctl: bool) -> Vec<String> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for folder in FOLDERS {
        let names = files.list(folder).unwrap_or_default();
        for name in names.into_iter().filter(|name| name.ends_with(".conf")) {
            let path = format!("{folder}/{name}");
            found.entry(name).or_insert(path);
        }
    }
    let mut found: Vec<String> = found.into_values().collect();
    if by_sysctl && files.read(OLD_FILE).is_ok() {
        found.push(OLD_FILE.into());
    }
    found
}
