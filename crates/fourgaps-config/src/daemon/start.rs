//! A process on its way up: files, steps of the process, plugins in turn, sockets; and what is left in the end.

use super::conditions::{World, text_at, value_at};
use super::data::{At, Step};
use super::log::{Level, Log};
use super::plugins::{Plugins, State};
use super::sandbox::Sandboxes;
use super::steps::{Stage, set_text};
use super::{Condition, DEFAULT_MAIN, DaemonRun, Machine, PluginState, fill};
use crate::checks::{version_of, warning};
use crate::dump::{self, decode_plugin, dynamic_plugins, names, proxy_plugins};
use crate::load::{self, By, Request, Stop};
use crate::migrate::{self, Crash};
use crate::rules::WhenMigrated;
use crate::run::DumpRun;
use crate::toml::{Kind, Node, Table};
use fourgaps_base::{map_of, set_of};
use std::collections::{BTreeMap, BTreeSet};

/// A process on its way up.
pub(super) struct Start<'r> {
    pub request: &'r Request<'r>,
    pub machine: &'r Machine,
    /// What loading leaves: files, hidden values.
    loading: DumpRun,
    log: Log,
    pub plugins: Plugins<'r>,
    /// The sections of the plugins as they hold them, by full name.
    pub sections: BTreeMap<String, Node>,
    config: Node,
    deprecations: BTreeSet<String>,
    /// What every text may name: the folders of the process.
    pub names: BTreeMap<&'static str, String>,
}

impl<'r> Start<'r> {
    pub fn new(request: &'r Request<'r>, machine: &'r Machine) -> Self {
        Self {
            request,
            machine,
            loading: DumpRun::default(),
            log: Log::new(),
            plugins: Plugins::new(&request.version.daemon.lookup),
            sections: BTreeMap::new(),
            config: Node::default_of(Kind::Table(Table::default())),
            deprecations: BTreeSet::new(),
            names: BTreeMap::new(),
        }
    }

    pub fn run(&mut self) -> Result<(), Stop> {
        let rules = &self.request.version.daemon;
        self.logged(Self::load)?;
        if let Some(level) = set_text(&self.config, &rules.log.level).and_then(|text| Level::named(&text)) {
            self.log.set_level(level);
        }
        if text_at(&self.config, &rules.log.format) == "json" {
            self.log.set_json();
        }
        self.names.insert("root", text_at(&self.config, &vec!["root".into()]));
        self.names.insert("state", text_at(&self.config, &vec!["state".into()]));
        self.whole(&rules.before)?;
        self.logged(Self::register)?;
        self.logged(Self::migrate)?;
        self.logged(Self::meet_all)?;
        self.whole(&rules.after)
    }

    /// Does a part of the start whose complaints go through `loading`, and writes them to the log.
    fn logged(&mut self, part: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Result<(), Stop> {
        let done = part(self);
        self.log.take(&mut self.loading.stderr);
        done
    }

    /// Reads the files; without a main file the defaults stand, and nothing is checked.
    fn load(&mut self) -> Result<(), Stop> {
        let request = self.request;
        let missing = request.files.read(request.main) == Err(fourgaps_base::FileError::NotFound);
        let config = if missing && request.main == DEFAULT_MAIN {
            request.version.defaults.clone()
        } else {
            let merged = load::load(request, By::Daemon, &mut self.loading)?;
            self.loading.hidden = merged.merger.hidden;
            merged.config
        };
        self.config.kind = Kind::Table(config);
        Ok(())
    }

    /// Takes steps on the whole configuration; a failure is the process's last word.
    fn whole(&mut self, steps: &[Step]) -> Result<(), Stop> {
        let mut config = std::mem::replace(&mut self.config, Node::default_of(Kind::Bool(false)));
        let done = self.stage().take(steps, &mut config);
        self.config = config;
        done.map_err(|state| self.end(state.error().unwrap_or_default()))
    }

    fn stage(&mut self) -> Stage<'_> {
        Stage {
            world: World { plugins: &self.plugins, files: self.request.files, machine: self.machine },
            client: &self.request.version.daemon.client,
            sections: &self.sections,
            log: &mut self.log,
            deprecations: &mut self.deprecations,
            names: &self.names,
        }
    }

    fn end(&self, words: &str) -> Stop {
        Stop::error(words, self.request.main, None, words)
    }

    /// The version that the merged files say.
    fn says(&self) -> i64 {
        let when_missing = self.request.version.rules.config_version.when_missing;
        self.config.table().map_or(when_missing, |config| version_of(config, when_missing).0)
    }

    fn texts(&self, key: &str) -> Vec<String> {
        names(self.config.table().and_then(|config| config.get(key)))
    }

    /// Registers the plugins that the configuration itself brings.
    fn register(&mut self) -> Result<(), Stop> {
        let Kind::Table(config) = &self.config.kind else { return Ok(()) };
        dynamic_plugins(self.request, config, &mut self.loading)?;
        proxy_plugins(self.request.version, config, &mut self.loading)?;
        for (uri, proxy) in dump::proxies(self.request.version, config) {
            let exports = proxy.get("exports").and_then(Node::table);
            self.plugins.add_proxy(&uri, exports.is_some_and(|exports| exports.get("root").is_some()));
        }
        Ok(())
    }

    /// Brings merged sections to the newest version, where this version does so at start.
    fn migrate(&mut self) -> Result<(), Stop> {
        let version = self.request.version;
        let at_start =
            matches!(version.rules.plugin_migrations, WhenMigrated::Merged | WhenMigrated::MergedByDaemon);
        let says = self.says();
        if !at_start || says >= version.rules.config_version.newest {
            return Ok(());
        }
        if says < 0 {
            let message = format!("runtime error: index out of range [{says}]");
            let crash = Crash { message, place: fourgaps_base::Place::default() };
            return Err(Stop::crash(&self.loading, crash));
        }
        let disabled = self.texts("disabled_plugins");
        if let Kind::Table(config) = &mut self.config.kind
            && let Some(Node { kind: Kind::Table(sections), .. }) = config.entries.get_mut("plugins")
        {
            migrate::plugins(version, &disabled, sections)
                .map_err(|crash| Stop::crash(&self.loading, crash))?;
        }
        self.loading.stderr.push(warning(&format!(
            "Configuration migrated from version {says}, use `containerd config migrate` to avoid migration"
        )));
        Ok(())
    }

    /// Meets every plugin that is not disabled: decodes its section, then takes its steps.
    fn meet_all(&mut self) -> Result<(), Stop> {
        let version = self.request.version;
        let says = self.says();
        let config = self.config.table().cloned().unwrap_or_default();
        let written = config.get("plugins").and_then(Node::table).cloned().unwrap_or_default();
        let disabled = self.texts("disabled_plugins");
        let mut required = set_of(self.texts("required_plugins"));
        for rules in &version.daemon.plugins {
            let key = version.listed_name(&rules.uri, says);
            if disabled.iter().any(|name| name == key) {
                continue;
            }
            let mut section = self.section(&rules.uri, written.get(key))?;
            let met = self.stage().take(&rules.steps, &mut section);
            self.sections.insert(rules.uri.clone(), section);
            let state = met.err().unwrap_or(State::Working);
            if let State::Crashed(why) = &state {
                return Err(Stop { crash: true, ..self.end(why) });
            }
            if let State::Failed(failed) = &state
                && !rules.quiet
            {
                self.complain(&rules.uri, &failed.why);
            }
            let error = state.error().map(String::from);
            self.plugins.add(&rules.uri, state);
            match error {
                Some(why) if required.contains(key) => {
                    return Err(self.end(&format!("load required plugin {}: {why}", rules.uri)));
                }
                Some(_) => {}
                None => {
                    required.remove(key);
                }
            }
        }
        let proxies = dump::proxies(version, &config);
        required.retain(|name| !proxies.iter().any(|(uri, _)| version.listed_name(uri, says) == name));
        if required.is_empty() {
            return Ok(());
        }
        let missing: Vec<String> = required.into_iter().collect();
        Err(self.end(&format!("required plugin [{}] not included", missing.join(" "))))
    }

    /// The settings of a plugin; none where it has no type.
    fn section(&mut self, uri: &str, written: Option<&Node>) -> Result<Node, Stop> {
        let version = self.request.version;
        let plugin = version.plugins.iter().find(|plugin| plugin.uri == uri);
        match plugin.and_then(|plugin| Some((plugin, plugin.ty.as_ref()?))) {
            None => Ok(Node::default_of(Kind::Table(Table::default()))),
            Some((plugin, ty)) => {
                let node = decode_plugin(self.request, &mut self.loading, plugin, ty, written);
                self.log.take(&mut self.loading.stderr);
                node
            }
        }
    }

    fn complain(&mut self, uri: &str, why: &str) {
        let words = &self.request.version.daemon.log.failed;
        let (plugin_type, id) = uri.rsplit_once('.').unwrap_or_default();
        let names = [("uri", uri), ("type", plugin_type), ("id", id), ("why", why)];
        let fields = map_of(words.fields.iter().map(|(key, text)| (key.clone(), fill(text, &names))));
        self.log.line(Level::Warning, &fill(&words.msg, &names), &fields);
    }

    pub fn into_run(self, ended: Result<(), Stop>) -> DaemonRun {
        let version = self.request.version;
        let rules = &version.daemon;
        let (mut log, mut fault, mut exit) = (self.log.clone(), self.loading.fault.clone(), None);
        if let Err(stop) = ended {
            let (status, before) = if stop.crash { (2, "panic: ") } else { (1, "containerd: ") };
            exit = Some(status);
            log.plain(&format!("{before}{}", stop.words));
            fault = Some(stop.fault);
        }
        let no_answer = self.no_answer(exit);
        let answers = no_answer.is_none();
        let sandboxes = match &no_answer {
            None => Sandboxes::of(&self),
            Some(why) => Sandboxes::unreachable(why),
        };
        let told = |uri: &String| {
            let (plugin_type, id) = uri.rsplit_once('.')?;
            let error = self.plugins.named(uri)?.state.error().map(String::from);
            Some(PluginState { plugin_type: plugin_type.into(), id: id.into(), error })
        };
        let reachable = exit.is_none() && self.socket_is_found() && self.works(&rules.cri.teller);
        DaemonRun {
            exit,
            complaints: log.into_lines(),
            handlers: answers.then(|| dump::handlers(version, self.sections.get(&version.rules.cri.section))),
            sandbox_image: (answers && rules.cri.tells_sandbox_image)
                .then(|| self.text_of(&rules.sandbox.image)),
            no_answer,
            cri_plugins: if reachable {
                rules.cri.told.iter().filter_map(told).collect()
            } else {
                Vec::new()
            },
            conditions: if answers { self.conditions() } else { Vec::new() },
            deprecations: self.deprecations,
            files: self.loading.files,
            hidden: self.loading.hidden,
            unread: self.loading.unread,
            matched_nothing: self.loading.matched_nothing,
            fault,
            sandboxes,
        }
    }

    /// Why `crictl` gets no answer from this process.
    fn no_answer(&self, exit: Option<i32>) -> Option<String> {
        let cri = &self.request.version.daemon.cri;
        if exit.is_some() || !self.socket_is_found() {
            Some(cri.no_socket.clone())
        } else if !self.works(&cri.service) {
            Some(cri.no_service.clone())
        } else {
            None
        }
    }

    fn socket_is_found(&self) -> bool {
        let cri = &self.request.version.daemon.cri;
        self.text_of(&cri.socket) == cri.looked_for
    }

    /// No network is configured on the recording machine, so none is ready.
    fn conditions(&self) -> Vec<Condition> {
        let ignored = self.value_of(&self.request.version.daemon.cri.ignored_deprecations);
        let ignored = names(ignored);
        let counts =
            |name: &String| !ignored.iter().any(|id| id.strip_prefix(DEPRECATION) == Some(name.as_str()));
        vec![
            Condition { name: "RuntimeReady", holds: true },
            Condition { name: "NetworkReady", holds: false },
            Condition {
                name: "ContainerdHasNoDeprecationWarnings",
                holds: !self.deprecations.iter().any(counts),
            },
        ]
    }

    fn value_of(&self, at: &At) -> Option<&Node> {
        let node = match &at.plugin {
            None => &self.config,
            Some(uri) => self.sections.get(uri)?,
        };
        value_at(node, &at.key)
    }

    /// True where this plugin works.
    pub fn works(&self, uri: &str) -> bool {
        self.plugins.named(uri).is_some_and(|met| met.state == State::Working)
    }

    pub fn text_of(&self, at: &At) -> String {
        self.value_of(at).map(crate::toml::v1::show::value).unwrap_or_default()
    }
}

/// What the name of every deprecation begins with.
const DEPRECATION: &str = "io.containerd.deprecation/";
