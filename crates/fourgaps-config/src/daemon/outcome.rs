//! What is left of a start in the end: what the process holds, and how it is seen from outside.

use super::conditions::value_at;
use super::data::At;
use super::plugins::State;
use super::sandbox::Sandboxes;
use super::start::Start;
use super::{Condition, DaemonRun, PluginState};
use crate::dump::{self, names};
use crate::load::Stop;
use crate::toml::Node;
use fourgaps_base::set_of;
use std::collections::BTreeSet;

impl Start<'_> {
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
        let told = |uri: &String| self.plugins.named(uri).map(PluginState::of);
        let log = log.into_lines();
        let reachable = exit.is_none() && self.socket_is_found() && self.works(&rules.cri.teller);
        DaemonRun {
            exit,
            complaints: log.iter().filter(|line| line.complains()).map(|line| line.text.clone()).collect(),
            log,
            handlers: answers.then(|| dump::handlers(version, self.sections.get(&version.rules.cri.section))),
            sandbox_image: (answers && rules.cri.tells_sandbox_image)
                .then(|| self.text_of(&rules.sandbox.image)),
            no_answer,
            cri_plugins: if reachable {
                rules.cri.told.iter().filter_map(told).collect()
            } else {
                Vec::new()
            },
            plugins: if reachable { self.plugins.iter().map(PluginState::of).collect() } else { Vec::new() },
            cri_section: if answers { self.sections.get(&version.rules.cri.section).cloned() } else { None },
            root: self.names.get("root").cloned().unwrap_or_default(),
            state: self.names.get("state").cloned().unwrap_or_default(),
            image: self.text_of(&rules.sandbox.image),
            snapshotter: self.text_of(&rules.sandbox.snapshotter),
            socket: self.text_of(&rules.cri.socket),
            found: self.socket_is_found(),
            counted: self.counted(),
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
        vec![
            Condition { name: "RuntimeReady", holds: true },
            Condition { name: "NetworkReady", holds: false },
            Condition { name: "ContainerdHasNoDeprecationWarnings", holds: self.counted().is_empty() },
        ]
    }

    /// The deprecated things that the CRI service tells of: those that nobody said to ignore.
    fn counted(&self) -> BTreeSet<String> {
        let ignored = names(self.value_of(&self.request.version.daemon.cri.ignored_deprecations));
        let counts =
            |name: &&String| !ignored.iter().any(|id| id.strip_prefix(DEPRECATION) == Some(name.as_str()));
        set_of(self.deprecations.iter().filter(counts).cloned())
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
