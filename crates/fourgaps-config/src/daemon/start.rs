//! A process on its way up: files, steps of the process, plugins in turn, sockets.

use super::conditions::{World, text_at};
use super::data::{LineRules, PluginRules, Step};
use super::log::{Level, Log};
use super::plugins::{Met, Plugins, State};
use super::steps::{Stage, level_of, set_text};
use super::{DEFAULT_MAIN, Machine, fill};
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
    pub loading: DumpRun,
    pub log: Log,
    pub plugins: Plugins<'r>,
    /// The sections of the plugins as they hold them, by full name.
    pub sections: BTreeMap<String, Node>,
    pub config: Node,
    pub deprecations: BTreeSet<String>,
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
        self.names.insert("version", self.request.version.name().into());
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
            platform: false,
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
        let proxies = dump::proxies(version, &config);
        for (at, rules) in version.daemon.plugins.iter().enumerate() {
            if at > 0 {
                self.meet_proxies(&version.daemon.plugins[at - 1..], &proxies, &disabled);
            }
            let key = version.listed_name(&rules.uri, says);
            if disabled.iter().any(|name| name == key) {
                continue;
            }
            self.say(&version.daemon.log.loading, &rules.uri, "", false);
            let mut section = self.section(&rules.uri, written.get(key))?;
            let mut stage = self.stage();
            let met = stage.take(&rules.steps, &mut section);
            let platforms = if stage.platform { vec![self.machine.platform.clone()] } else { Vec::new() };
            let root = self.root_of(&rules.uri, &section);
            self.sections.insert(rules.uri.clone(), section);
            let state = met.err().unwrap_or(State::Working);
            if let State::Crashed(why) = &state {
                return Err(Stop { crash: true, ..self.end(why) });
            }
            match &state {
                State::Skipped(why) => self.say(&version.daemon.log.skipped, &rules.uri, why, false),
                State::Failed(failed) => {
                    self.say(&version.daemon.log.failed, &rules.uri, &failed.why, rules.quiet);
                }
                State::Working | State::Crashed(_) => {}
            }
            let error = state.error().map(String::from);
            let root = Some(root).filter(|_| error.is_none());
            self.plugins.add(Met { uri: rules.uri.clone(), state, proxy: false, root, platforms });
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
        self.meet_proxies(&[], &proxies, &disabled);
        required.retain(|name| !proxies.iter().any(|(uri, _)| version.listed_name(uri, says) == name));
        if required.is_empty() {
            return Ok(());
        }
        let missing: Vec<String> = required.into_iter().collect();
        Err(self.end(&format!("required plugin [{}] not included", missing.join(" "))))
    }

    /// Meets the plugins that are other processes, once the last built-in one of their type was met: what needs
    /// that type comes later, and takes its built-in plugins first.
    fn meet_proxies(&mut self, rest: &[PluginRules], proxies: &[(String, &Table)], disabled: &[String]) {
        let type_of = |uri: &str| uri.rsplit_once('.').map(|(ty, _)| ty.to_string());
        let met = rest.first().and_then(|rules| type_of(&rules.uri));
        let comes = rest.iter().skip(1).filter_map(|rules| type_of(&rules.uri)).any(|ty| Some(ty) == met);
        if comes {
            return;
        }
        for (uri, proxy) in proxies {
            let due = met.is_none() || type_of(uri) == met;
            if !due || self.plugins.named(uri).is_some() || disabled.contains(uri) {
                continue;
            }
            self.say(&self.request.version.daemon.log.loading, uri, "", false);
            let text = |node: Option<&Node>| node.map(crate::toml::v1::show::value);
            let root = text(proxy.get("exports").and_then(Node::table).and_then(|table| table.get("root")));
            let platforms = text(proxy.get("platform")).filter(|text| !text.is_empty()).into_iter().collect();
            self.plugins.add(Met { uri: uri.clone(), state: State::Working, proxy: true, root, platforms });
        }
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

    /// The root folder of a plugin: the one that its section names, or its own below that of the process.
    fn root_of(&self, uri: &str, section: &Node) -> String {
        let named = text_at(section, &vec!["root_path".into()]);
        let root = self.names.get("root").map(String::as_str).unwrap_or_default();
        if named.is_empty() { fourgaps_base::join(root, uri) } else { named }
    }

    /// Writes a line about a plugin.
    fn say(&mut self, words: &LineRules, uri: &str, why: &str, quiet: bool) {
        let (plugin_type, id) = uri.rsplit_once('.').unwrap_or_default();
        let names = [("uri", uri), ("type", plugin_type), ("id", id), ("why", why)];
        let fields = map_of(words.fields.iter().map(|(key, text)| (key.clone(), fill(text, &names))));
        self.log.line(level_of(words.level.as_deref()), &fill(&words.msg, &names), &fields, quiet);
    }
}
