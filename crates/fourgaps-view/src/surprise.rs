//! What a reader of the files would not expect: one plain sentence each.

use crate::{Places, Source, Surprise, file_name};
use fourgaps_base::{FileId, Place, join, map_of, parent, set_of};
use fourgaps_config::daemon::DaemonRun;
use fourgaps_config::{DumpRun, Handler, LoadedFile, NamedPlugin, Request, Rule};

/// Everything surprising about a load, worst first.
pub(crate) fn surprises(request: &Request<'_>, run: &DumpRun) -> Vec<Surprise> {
    let mut list = List { places: Places::of(run), found: Vec::new() };
    list.refused(run);
    list.default_handler_missing(run);
    for file in &run.files {
        for named in &file.plugins {
            list.section_replaced(run, file, named);
        }
    }
    list.patterns(run);
    list.unread(run);
    list.not_imported(request, run);
    list.zeros(run);
    list.found
}

/// Where a dump and a daemon started on the same files part, one sentence each.
/// Sources: the recordings `gap1-both` (2.0.5), `imports-file-missing`, `imports-missing-key`, `cri-untrusted-runtime`.
pub fn differences(request: &Request<'_>, run: &DumpRun, daemon: &DaemonRun) -> Vec<Surprise> {
    let mut list = List { places: Places::of(run), found: Vec::new() };
    list.printed_import(request, run);
    let words = last_words(daemon).unwrap_or_default();
    if run.exit == 0 && !daemon.booted() {
        let text = format!("The dump ends well, but a daemon refuses to start on these files: {words}.");
        list.push("daemon-refuses", None, &[("words", &words)], text);
    }
    if run.exit == 0 && daemon.booted() && daemon.handlers.is_none() {
        let text = format!("The process would run, but its CRI plugin does not load: {words}.");
        list.push("cri-does-not-load", None, &[("words", &words)], text);
    }
    let Some(loaded) = &daemon.handlers else { return list.found };
    let names = |list: &[Handler]| set_of(list.iter().map(|h| h.name.clone()));
    let (dumped, loaded) = (names(&run.handlers), names(loaded));
    let deprecated = |name: &&String| matches!(name.as_str(), "default" | "untrusted");
    for name in loaded.difference(&dumped).filter(deprecated) {
        let text =
            format!("The daemon makes a handler {name} of a deprecated setting; a dump does not show it.");
        list.push("deprecated-runtime", None, &[("handler", name)], text);
    }
    let only_daemon: Vec<&str> =
        loaded.difference(&dumped).filter(|n| !deprecated(n)).map(String::as_str).collect();
    if !only_daemon.is_empty() {
        let only = only_daemon.join(", ");
        let text = format!(
            "The dump of this version leaves out what the daemon does: it brings old sections to its own version. \
             The daemon would have {only}, which the dump does not show."
        );
        list.push("dump-leaves-out", None, &[("handlers", &only)], text);
    }
    list.found
}

/// True where a started process reads the key all the same, because it migrates what the dump leaves as it is.
pub(crate) fn read_when_started(surprise: &Surprise, started: &DumpRun) -> bool {
    let not_read = matches!(surprise.code.as_str(), "key-not-read" | "plugin-not-known");
    let key = surprise.args.get("key").map_or("", String::as_str);
    not_read && started.exit == 0 && !started.unread.iter().any(|unread| crate::key_text(&unread.path) == key)
}

/// Why a started daemon gives no sandboxes, in its own words.
pub(crate) fn last_words(daemon: &DaemonRun) -> Option<String> {
    if !daemon.booted() {
        return daemon.complaints.last().cloned();
    }
    if daemon.handlers.is_some() {
        return None;
    }
    let failed = daemon.cri_plugins.iter().find_map(|plugin| {
        let error = plugin.error.as_ref()?;
        Some(format!("{}.{}: {error}", plugin.plugin_type, plugin.id))
    });
    failed.or_else(|| daemon.no_answer.clone())
}

struct List<'r> {
    places: Places<'r>,
    found: Vec<Surprise>,
}

impl List<'_> {
    fn push(&mut self, code: &str, place: Option<Place>, args: &[(&str, &str)], text: String) {
        let args = map_of(args.iter().map(|(k, v)| ((*k).to_string(), (*v).to_string())));
        let source = place.and_then(|place| self.places.source(place));
        self.found.push(Surprise { code: code.into(), args, text, source });
    }

    fn refused(&mut self, run: &DumpRun) {
        let Some(fault) = &run.fault else { return };
        let at = fault.pos.map(|pos| format!(":{}:{}", pos.line, pos.column)).unwrap_or_default();
        let text = format!("A fresh process refuses these files: {}{at}: {}.", fault.path, fault.message);
        let args = [("file", fault.path.as_str()), ("message", fault.message.as_str())];
        self.push("refused", None, &args, text);
        if let (Some(last), Some(pos)) = (self.found.last_mut(), fault.pos) {
            last.source = Some(Source { file: fault.path.clone(), line: pos.line, column: pos.column });
        }
    }

    /// Recording: `gap1-nvidia-without-runc`.
    fn default_handler_missing(&mut self, run: &DumpRun) {
        if run.fault.is_some() || run.handlers.is_empty() || run.handlers.iter().any(|h| h.is_default) {
            return;
        }
        let default =
            run.lines.iter().find_map(|line| line.text.trim_start().strip_prefix("default_runtime_name = "));
        let default = default.unwrap_or_default().trim_matches(['"', '\'']);
        let text = format!(
            "The default handler {default} is not among the handlers, so the CRI plugin of a started daemon does not load."
        );
        let place = run.handlers.first().map(|h| h.place);
        self.push("default-handler-missing", place, &[("handler", default)], text);
    }

    fn section_replaced(&mut self, run: &DumpRun, file: &LoadedFile, named: &NamedPlugin) {
        let Some(owner) = named.replaced_by.and_then(|id| self.places.path(id)).map(String::from) else {
            return;
        };
        let lost = |id: FileId| {
            run.hidden.iter().filter(move |h| {
                h.place.file == id
                    && matches!(&h.rule, Rule::SectionReplaced { plugin, .. } if *plugin == named.plugin)
            })
        };
        let count = lost(file.id).count();
        let handlers = set_of(lost(file.id).filter_map(|h| handler_in(&h.path)));
        let have = set_of(run.handlers.iter().map(|h| h.name.as_str()));
        let gone: Vec<&str> = handlers.difference(&have).copied().collect();
        let (loser, winner) = (file_name(&file.path), file_name(&owner));
        let mut text = format!(
            "{loser} and {winner} both name the plugin {}; {winner} is read last and owns the whole section, so \
             {count} values of {loser} do not count.",
            named.plugin
        );
        if !gone.is_empty() {
            text.push_str(&format!(" Handlers lost: {}.", gone.join(", ")));
        }
        let (count, gone) = (count.to_string(), gone.join(", "));
        let args = [
            ("file", file.path.as_str()),
            ("owner", owner.as_str()),
            ("plugin", named.plugin.as_str()),
            ("count", count.as_str()),
            ("handlers", gone.as_str()),
        ];
        self.push("section-replaced", Some(named.place), &args, text);
    }

    fn patterns(&mut self, run: &DumpRun) {
        for empty in &run.matched_nothing {
            let text =
                format!("The import {} matches no file; the process says nothing about it.", empty.pattern);
            self.push("pattern-matches-nothing", Some(empty.place), &[("pattern", &empty.pattern)], text);
        }
    }

    fn unread(&mut self, run: &DumpRun) {
        let inside = |path: &[String]| {
            run.unread.iter().any(|outer| path.len() > outer.path.len() && path.starts_with(&outer.path))
        };
        for unread in run.unread.iter().filter(|unread| !inside(&unread.path)) {
            let key = crate::key_text(&unread.path);
            let last = unread.path.last().map_or("", String::as_str);
            let (code, text) = if last == "imports" && unread.path.len() > 1 {
                let table = crate::key_text(&unread.path[..unread.path.len() - 1]);
                let text = format!(
                    "imports stands below the header of {table}, so it is a key of that table and imports nothing."
                );
                ("imports-below-header", text)
            } else if unread.path.len() == 2 && unread.path[0] == "plugins" {
                ("plugin-not-known", format!("This version has no plugin that reads the section {last}."))
            } else {
                ("key-not-read", format!("This version does not read the key {key}."))
            };
            self.push(code, Some(unread.place), &[("key", &key)], text);
        }
    }

    /// Drop-ins that lie where one would look, and that nothing imports.
    fn not_imported(&mut self, request: &Request<'_>, run: &DumpRun) {
        if run.fault.is_some() {
            return;
        }
        let loaded = set_of(run.files.iter().map(|f| f.path.as_str()));
        let home = parent(request.main);
        for folder in request.files.list(home).unwrap_or_default() {
            let folder = join(home, &folder);
            for name in request.files.list(&folder).unwrap_or_default() {
                let path = join(&folder, &name);
                let is_file = request.files.list(&path).is_none();
                if is_file
                    && name.ends_with(".toml")
                    && !loaded.contains(path.as_str())
                    && !request.leave_out.contains(&path)
                {
                    let text = format!("{path} looks like a drop-in, but nothing imports it.");
                    self.push("not-imported", None, &[("file", &path)], text);
                }
            }
        }
    }

    /// 2.2 and later print a pattern that only counts where a file says it.
    fn printed_import(&mut self, request: &Request<'_>, run: &DumpRun) {
        let printed = run.lines.iter().find(|line| line.path.len() == 1 && line.path[0] == "imports");
        let Some(line) = printed.filter(|line| line.place.is_some_and(Place::is_default)) else { return };
        let Some(pattern) = line.text.split('\'').nth(1) else { return };
        let names = request.files.list(parent(pattern)).unwrap_or_default();
        let unread = names.iter().filter(|name| name.ends_with(".toml")).count();
        if unread > 0 {
            let text = format!(
                "The dump prints imports = ['{pattern}'] as a default, but only a file that says so is followed; \
                 drop-ins there that are not read: {unread}."
            );
            self.push("printed-import-not-followed", None, &[("pattern", pattern)], text);
        }
    }

    fn zeros(&mut self, run: &DumpRun) {
        for hidden in run.hidden.iter().filter(|h| h.rule == Rule::ZeroDoesNotOverride) {
            let key = crate::key_text(&hidden.path);
            let by = self.places.path(hidden.by.file).map_or("the default", file_name).to_string();
            let text = format!(
                "{key} = {} does not count: a zero value never overrides what {by} says.",
                hidden.value
            );
            self.push(
                "zero-does-not-override",
                Some(hidden.place),
                &[("key", &key), ("value", &hidden.value)],
                text,
            );
        }
    }
}

/// The handler that a lost key belongs to: what follows `runtimes` in its path.
fn handler_in(path: &[String]) -> Option<&str> {
    let at = path.iter().position(|key| key == "runtimes")?;
    path.get(at + 1).map(String::as_str)
}
