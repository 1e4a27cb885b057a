//! What a started process would be, beside the dump: handler by handler, and where the two do not agree.

use crate::gap::{Cause, Gap, Link, StripRow};
use crate::running::{Late, Running, late, running};
use crate::state::Views;
use fourgaps_config::daemon::Machine;
use fourgaps_config::{Request, Version};
use fourgaps_node::Node;
use fourgaps_view::{HandlerRow, LoadedView};

/// A handler in a started process, against the dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// Both have it, and it is the same.
    Same,
    /// Both have it, and it is not the same.
    Other,
    /// Only the process has it.
    Gained,
    /// Only the dump has it.
    Lost,
    /// Neither has it.
    Neither,
}

/// Where dump and process do not agree: each is one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The dump is clean and the process ends; true where a file that `imports` names is not there.
    Ends(bool),
    /// The process stays up and its CRI plugin does not load.
    NoCri,
    /// The dump does not translate old names and lacks these handlers.
    Untranslated(Vec<String>),
    /// Old words for handlers, which only the process turns into handlers.
    OldWords(Vec<String>),
    /// Other handlers that only one of the two has, or has otherwise.
    Differs(Vec<String>),
    /// The dump prints imports that nobody wrote and nothing follows.
    PrintedImports(String),
}

/// A process that would be started on the files as they are, and the one that was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Daemon {
    /// What a start on the files as they are gives.
    pub view: LoadedView,
    /// Where that differs from the dump.
    pub notes: Vec<Note>,
    /// The process of the node, which may be older than the files; nothing where another version looks at them.
    pub now: Option<Now>,
    /// The pods of the node.
    pub pods: Running,
    /// What shows late; nothing where another version looks.
    pub late: Vec<Late>,
}

/// The process of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Now {
    /// What it was, from its start on.
    pub view: LoadedView,
    /// True while it runs.
    pub up: bool,
}

impl Now {
    /// The last process that the node started; nothing where it never started one.
    pub fn of(node: &Node, main: &str) -> Option<Self> {
        let started = node.last_boot()?;
        let process = node.containerd().unwrap_or(started);
        let request = Request::new(node.version(), &*process.files, main);
        let view = LoadedView::from_run(&request, process.run());
        Some(Self { view, up: node.containerd().is_some() })
    }
}

/// How the process that runs stands to what a new one would hold: the second gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Behind {
    /// It holds what a new one would hold.
    No,
    /// A new one would have these handlers, or have them otherwise.
    Lacks(Vec<String>),
    /// It still has these handlers, and a new one would not.
    Keeps(Vec<String>),
    /// Nothing runs.
    Down,
    /// It runs without its CRI service, and a new one would have it.
    Dead,
}

/// Handlers that a 1.x process makes of `untrusted_workload_runtime` and `default_runtime`.
const OLD_WORDS: [&str; 2] = ["untrusted", "default"];

fn named<'h>(handlers: &'h [HandlerRow], name: &str) -> Option<&'h HandlerRow> {
    handlers.iter().find(|h| h.name == name)
}

fn same(a: &HandlerRow, b: &HandlerRow) -> bool {
    (&a.runtime_type, &a.binary_name) == (&b.runtime_type, &b.binary_name)
}

fn against(dumped: Option<&HandlerRow>, loaded: Option<&HandlerRow>) -> Against {
    match (dumped, loaded) {
        (None, None) => Against::Neither,
        (None, Some(_)) => Against::Gained,
        (Some(_), None) => Against::Lost,
        (Some(a), Some(b)) if same(a, b) => Against::Same,
        (Some(_), Some(_)) => Against::Other,
    }
}

impl Daemon {
    /// Starts a process on the files of a node, and holds it against their dump; the node's own version also against what
    /// is there.
    pub fn of(version: &Version, main: &str, node: &Node, views: &Views) -> Self {
        let own = version.name() == node.version().name();
        let view = if own {
            let request = Request::new(version, node.files(), main);
            LoadedView::from_run(&request, node.fresh_process().run())
        } else {
            LoadedView::of(version, node.files(), main, &Machine::recorded())
        };
        let now = own.then(|| Now::of(node, main)).flatten();
        let mut daemon = Self { view, notes: Vec::new(), now, pods: running(node), late: Vec::new() };
        daemon.notes = daemon.find_notes(views);
        if own {
            daemon.late = late(node, main, &daemon, &views.rows);
        }
        daemon
    }

    /// True where a start on the files as they are would load this handler.
    pub fn would_have(&self, name: &str) -> bool {
        named(self.would(), name).is_some()
    }

    /// The handlers that a start on the files as they are loads; none where it does not run.
    fn would(&self) -> &[HandlerRow] {
        self.view.handlers.as_deref().unwrap_or_default()
    }

    /// The handlers that are loaded: those of the process that runs, and where another version looks, those of a new one.
    pub fn handlers(&self) -> &[HandlerRow] {
        match &self.now {
            None => self.would(),
            Some(now) if now.up => now.view.handlers.as_deref().unwrap_or_default(),
            Some(_) => &[],
        }
    }

    /// A loaded handler of this name.
    pub fn handler(&self, name: &str) -> Option<&HandlerRow> {
        named(self.handlers(), name)
    }

    /// The process that the third column shows, and whether it runs.
    pub fn shown(&self) -> (&LoadedView, bool) {
        self.now.as_ref().map_or((&self.view, self.view.booted), |now| (&now.view, now.up))
    }

    /// How far the process that runs is behind the files.
    pub fn behind(&self) -> Behind {
        let Some(now) = &self.now else { return Behind::No };
        if !now.up {
            return Behind::Down;
        }
        let Some(loaded) = &now.view.handlers else {
            return if self.view.handlers.is_some() { Behind::Dead } else { Behind::No };
        };
        let new = self.would().iter().filter(|h| named(loaded, &h.name).is_none_or(|old| !same(old, h)));
        let lacks: Vec<String> = new.map(|h| h.name.clone()).collect();
        // What the toolkit took along has a sentence of its own.
        let told = |h: &HandlerRow| {
            self.late.iter().any(|l| matches!(l, Late::TakenBack(names) if names.contains(&h.name)))
        };
        let old = loaded.iter().filter(|h| !self.would_have(&h.name) && !told(h));
        let keeps: Vec<String> = old.map(|h| h.name.clone()).collect();
        match (lacks.is_empty(), keeps.is_empty()) {
            (true, true) => Behind::No,
            (false, _) => Behind::Lacks(lacks),
            (true, false) => Behind::Keeps(keeps),
        }
    }

    /// A handler, against what the dump has of it.
    pub fn against(&self, name: &str, dumped: Option<&HandlerRow>) -> Against {
        against(dumped, self.handler(name))
    }

    /// What it said last; where it runs, why its CRI service does not.
    pub fn last_words(&self) -> &str {
        let view = &self.view;
        let last = view.complaints.iter().rev();
        let mut last = last.filter(|line| !view.booted || line.contains("error"));
        last.next().or(view.info_error.as_ref()).map_or("", String::as_str)
    }

    /// The gaps of the dump, without those that the process closes.
    pub fn gaps_left<'v>(&self, gaps: &'v [Gap]) -> Vec<&'v Gap> {
        let closed = |gap: &&Gap| {
            gap.cause == Cause::PassedOver && gap.handlers.iter().all(|name| self.would_have(name))
        };
        gaps.iter().filter(|gap| !closed(gap)).collect()
    }

    fn find_notes(&self, views: &Views) -> Vec<Note> {
        let next = &views.next;
        if !self.view.booted {
            let absent = self.last_words().contains("no such file or directory");
            return (next.exit == 0).then_some(Note::Ends(absent)).into_iter().collect();
        }
        if self.view.handlers.is_none() {
            return vec![Note::NoCri];
        }
        let (mut untranslated, mut old_words, mut other) = (Vec::new(), Vec::new(), Vec::new());
        let written = |name: &str| views.rows.iter().any(|row| row.name == name && !row.written.is_empty());
        let loaded = self.would().iter().filter(|h| !next.handlers.iter().any(|d| d.name == h.name));
        for name in next.handlers.iter().chain(loaded).map(|h| &h.name) {
            let dumped = next.handlers.iter().find(|h| h.name == *name);
            match against(dumped, named(self.would(), name)) {
                Against::Same | Against::Neither => {}
                Against::Gained if written(name) && next.exit == 0 => untranslated.push(name.clone()),
                Against::Gained if OLD_WORDS.contains(&name.as_str()) => old_words.push(name.clone()),
                _ => other.push(name.clone()),
            }
        }
        let imports = next.dump.iter().find(|line| line.key == "imports" && line.default);
        let printed = imports.map(|line| line.text.trim().to_string()).filter(|text| text.contains('/'));
        let passed_by = views.gaps.iter().any(|gap| gap.cause == Cause::NotImported);
        let names = [
            (untranslated, Note::Untranslated as fn(_) -> _),
            (old_words, Note::OldWords),
            (other, Note::Differs),
        ];
        let notes = names.into_iter().filter(|(names, _)| !names.is_empty()).map(|(names, note)| note(names));
        notes.chain(printed.filter(|_| passed_by).map(Note::PrintedImports)).collect()
    }
}

/// Rows of the strip for handlers that only the process and the pods know, behind the others.
pub fn more_rows(daemon: &Daemon, rows: &[StripRow]) -> Vec<StripRow> {
    let late = daemon.late.iter().flat_map(Late::handlers);
    let all = daemon.handlers().iter().map(|h| &h.name).chain(daemon.pods.keys()).chain(late);
    let mut names: Vec<&String> = Vec::new();
    for name in all {
        if !names.contains(&name) && !rows.iter().any(|row| row.name == *name) {
            names.push(name);
        }
    }
    let row = |name: &String| {
        let source = named(daemon.would(), name).and_then(|h| h.source.clone());
        let link = if source.is_some() { Link::Broken(Cause::PassedOver) } else { Link::BuiltIn };
        StripRow { name: name.clone(), written: source.into_iter().collect(), link, next: None }
    };
    names.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use fourgaps_base::FileTree;
    use fourgaps_node::{Restart, Supervisor};

    const MAIN: &str = "/etc/containerd/config.toml";
    const GPU: &str = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.gpu]\n  \
                       runtime_type = \"io.containerd.runc.v2\"\n";

    #[track_caller]
    fn check(version: &str, files: &[(&str, &str)], handlers: &[&str], wanted: &[Note]) {
        let mut tree = FileTree::new();
        for (path, text) in files {
            tree.write(&format!("/etc/containerd/{path}"), *text);
        }
        let version = Version::named(version).unwrap();
        let views = Views::of(version, MAIN, &tree);
        let node = Node::new("omen", version, Supervisor::Systemd(Restart::Always), tree, 1);
        let daemon = Daemon::of(version, MAIN, &node, &views);
        let names: Vec<&str> = daemon.handlers().iter().map(|h| h.name.as_str()).collect();
        assert_eq!(
            (names.as_slice(), daemon.notes.as_slice()),
            (handlers, wanted),
            "{}",
            daemon.last_words()
        );
    }

    #[test]
    fn a_dump_of_2_0_does_not_translate() {
        check("2.0.5", &[("config.toml", GPU)], &["gpu", "runc"], &[Note::Untranslated(vec!["gpu".into()])]);
        check("2.1.4", &[("config.toml", GPU)], &["gpu", "runc"], &[]);
    }

    #[test]
    fn a_missing_import_ends_a_process_whose_dump_is_clean() {
        let main = "version = 2\nimports = [\"/etc/containerd/none.toml\"]\n";
        check("2.1.4", &[("config.toml", main)], &[], &[Note::Ends(true)]);
        check("1.7.27", &[("config.toml", main)], &[], &[]);
    }

    #[test]
    fn without_runc_the_cri_plugin_of_1_7_does_not_load() {
        let taken = "version = 2\nimports = [\"/etc/containerd/a.toml\"]\n";
        check("1.7.27", &[("config.toml", taken), ("a.toml", GPU)], &[], &[Note::NoCri]);
    }

    #[test]
    fn old_words_become_handlers() {
        let old = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.untrusted_workload_runtime]\n  \
                   runtime_type = \"io.containerd.runc.v2\"\n";
        let wanted = Note::OldWords(vec!["untrusted".into()]);
        check("1.7.27", &[("config.toml", old)], &["runc", "untrusted"], &[wanted]);
    }

    #[test]
    fn imports_that_nobody_wrote_are_printed_and_not_followed() {
        let note = Note::PrintedImports("imports = ['/etc/containerd/conf.d/*.toml']".into());
        check("2.2.5", &[("config.toml", "version = 2\n"), ("conf.d/a.toml", GPU)], &["runc"], &[note]);
    }
}
