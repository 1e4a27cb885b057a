//! What the toolkit's container is told, by its flags or by its environment.
//! Source: the flags and variables of the public repository at the tags v1.14.6 to v1.20.0.

use super::editing::{Runtime, Settings};
use super::release::Release;
use fourgaps_base::{Held, Json, Kept, parent};

/// Options of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The release of the toolkit.
    pub release: Release,
    /// The main file.
    pub config: String,
    /// The drop-in file.
    pub drop_in: String,
    /// The drop-in as the host sees it; empty where that is the same path.
    pub drop_in_host: String,
    /// The containerd program; empty for the one on the search path.
    pub executable: String,
    /// Where the configuration is read from, best first: `command`, `file` or `file=PATH`.
    pub sources: Vec<String>,
    /// containerd's socket.
    pub socket: String,
    /// `signal`, `systemd` or `none`.
    pub restart_mode: String,
    /// The root of the host, as the container sees it.
    pub host_root: String,
    /// The name of the main handler.
    pub runtime_name: String,
    /// Whether that handler is to be the default one.
    pub set_as_default: bool,
    /// Whether containerd is told to allow devices by CDI; follows `cdi` where nothing is said.
    pub enable_cdi: Option<bool>,
    /// Whether the toolkit itself uses CDI.
    pub cdi: bool,
    /// The shim type of handlers.
    pub runtime_type: String,
    /// Whether a missing configuration counts as version 1.
    pub legacy: bool,
    /// Prefixes of annotations that go to containers.
    pub annotation_prefixes: Vec<String>,
    /// Where the toolkit is installed: below this, in `toolkit`.
    pub install_dir: String,
    /// Which container engine is set up.
    pub runtime: String,
    /// The file that keeps a second instance away.
    pub pid_file: String,
    /// Whether it ends after its set-up, without a clean-up.
    pub no_daemon: bool,
    /// Whether it leaves the configuration alone.
    pub no_runtime_config: bool,
    /// Folders of the container that are folders of the node: each inside, then outside.
    pub mounts: Vec<(String, String)>,
}

/// What an option sets.
enum Slot {
    Text(fn(&mut Options) -> &mut String),
    Flag(fn(&mut Options) -> &mut bool),
    List(fn(&mut Options) -> &mut Vec<String>),
    /// CDI in containerd, which may be left unsaid.
    Cdi,
}

/// An option: its flags, its variables (the first one that is set counts), and what it sets.
type Known = (&'static [&'static str], &'static [&'static str], Slot);

const KNOWN: [Known; 20] = [
    (&["config"], &["RUNTIME_CONFIG", "CONTAINERD_CONFIG", "DOCKER_CONFIG"], Slot::Text(|o| &mut o.config)),
    (&["drop-in-config"], &["RUNTIME_DROP_IN_CONFIG"], Slot::Text(|o| &mut o.drop_in)),
    (
        &["drop-in-config-host-path"],
        &["RUNTIME_DROP_IN_CONFIG_HOST_PATH"],
        Slot::Text(|o| &mut o.drop_in_host),
    ),
    (&["executable-path"], &["RUNTIME_EXECUTABLE_PATH"], Slot::Text(|o| &mut o.executable)),
    (
        &["config-source", "config-sources"],
        &["RUNTIME_CONFIG_SOURCES", "RUNTIME_CONFIG_SOURCE"],
        Slot::List(|o| &mut o.sources),
    ),
    (&["socket"], &["RUNTIME_SOCKET", "CONTAINERD_SOCKET", "DOCKER_SOCKET"], Slot::Text(|o| &mut o.socket)),
    (
        &["restart-mode"],
        &["RUNTIME_RESTART_MODE", "CONTAINERD_RESTART_MODE"],
        Slot::Text(|o| &mut o.restart_mode),
    ),
    (&["host-root"], &["HOST_ROOT_MOUNT"], Slot::Text(|o| &mut o.host_root)),
    (
        &["runtime-name", "nvidia-runtime-name", "runtime-class"],
        &["NVIDIA_RUNTIME_NAME", "CONTAINERD_RUNTIME_CLASS", "DOCKER_RUNTIME_NAME"],
        Slot::Text(|o| &mut o.runtime_name),
    ),
    (
        &["set-as-default"],
        &["NVIDIA_RUNTIME_SET_AS_DEFAULT", "CONTAINERD_SET_AS_DEFAULT", "DOCKER_SET_AS_DEFAULT"],
        Slot::Flag(|o| &mut o.set_as_default),
    ),
    (&["enable-cdi-in-runtime"], &["RUNTIME_ENABLE_CDI"], Slot::Cdi),
    (&["cdi-enabled", "enable-cdi"], &["CDI_ENABLED", "ENABLE_CDI"], Slot::Flag(|o| &mut o.cdi)),
    (&["runtime-type"], &["CONTAINERD_RUNTIME_TYPE"], Slot::Text(|o| &mut o.runtime_type)),
    (&["use-legacy-config"], &["CONTAINERD_USE_LEGACY_CONFIG"], Slot::Flag(|o| &mut o.legacy)),
    (
        &["nvidia-container-runtime-modes.cdi.annotation-prefixes"],
        &["NVIDIA_CONTAINER_RUNTIME_MODES_CDI_ANNOTATION_PREFIXES"],
        Slot::List(|o| &mut o.annotation_prefixes),
    ),
    (&["toolkit-install-dir", "root"], &["TOOLKIT_INSTALL_DIR", "ROOT"], Slot::Text(|o| &mut o.install_dir)),
    (&["runtime", "r"], &["RUNTIME"], Slot::Text(|o| &mut o.runtime)),
    (&["pid-file"], &["TOOLKIT_PID_FILE", "PID_FILE"], Slot::Text(|o| &mut o.pid_file)),
    (&["no-daemon", "n"], &["NO_DAEMON"], Slot::Flag(|o| &mut o.no_daemon)),
    (&["no-runtime-config"], &["NO_RUNTIME_CONFIG"], Slot::Flag(|o| &mut o.no_runtime_config)),
];

impl Default for Options {
    /// Those of the release that was recorded.
    fn default() -> Self {
        Self::new(Release(1, 18, 1))
    }
}

impl Options {
    /// The options of a run that is told nothing but its engine, containerd.
    pub fn new(release: Release) -> Self {
        let folder = if release == Release(1, 18, 0) { "config.d" } else { "conf.d" };
        let pid_folder = if release < Release(1, 16, 0) { "" } else { "/toolkit" };
        Self {
            release,
            config: "/etc/containerd/config.toml".into(),
            drop_in: format!("/etc/containerd/{folder}/99-nvidia.toml"),
            drop_in_host: String::new(),
            executable: String::new(),
            sources: vec!["command".into(), "file".into()],
            socket: "/run/containerd/containerd.sock".into(),
            restart_mode: "signal".into(),
            host_root: "/host".into(),
            runtime_name: "nvidia".into(),
            set_as_default: true,
            enable_cdi: None,
            cdi: false,
            runtime_type: "io.containerd.runc.v2".into(),
            legacy: false,
            annotation_prefixes: Vec::new(),
            install_dir: "/usr/local/nvidia".into(),
            runtime: "containerd".into(),
            pid_file: format!("/run/nvidia{pid_folder}/toolkit.pid"),
            no_daemon: false,
            no_runtime_config: false,
            mounts: Vec::new(),
        }
    }

    /// The same with folders of the node mounted: each inside, then outside.
    #[must_use]
    pub fn mounted<'m>(mut self, mounts: impl IntoIterator<Item = (&'m str, &'m str)>) -> Self {
        self.mounts = mounts.into_iter().map(|(inside, outside)| (inside.into(), outside.into())).collect();
        self
    }

    /// The mounts of the operator's DaemonSet.
    pub const OPERATOR_MOUNTS: [(&str, &str); 4] = [
        ("/runtime/config-dir", "/etc/containerd"),
        ("/runtime/config-dir.d", "/etc/containerd/conf.d"),
        ("/runtime/sock-dir", "/run/containerd"),
        ("/host", ""),
    ];

    /// The path on the node of a path in the container.
    pub(crate) fn on_node(&self, path: &str) -> String {
        on_node(&self.mounts, path)
    }

    /// Takes flags: `--name=value`, `--name value`, and `--name` alone for a switch.
    ///
    /// # Errors
    /// Names the word that is not simulated.
    pub fn with_flags<'w>(mut self, words: impl IntoIterator<Item = &'w str>) -> Result<Self, String> {
        let mut words = words.into_iter().peekable();
        let mut lists: Vec<&str> = Vec::new();
        while let Some(word) = words.next() {
            let flag = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).unwrap_or_default();
            let (name, value) =
                flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
            let known = KNOWN.iter().find(|known| known.0.contains(&name));
            let Some((names, _, slot)) = known else { return Err(word.into()) };
            let value = match (slot, value) {
                (_, Some(value)) => value,
                (Slot::Flag(_) | Slot::Cdi, None) => "true",
                (_, None) => words.next().ok_or(word)?,
            };
            // A list that is given begins anew; given twice, it grows.
            if let Slot::List(list) = slot
                && !lists.contains(&names[0])
            {
                list(&mut self).clear();
                lists.push(names[0]);
            }
            self.put(slot, value).ok_or(word)?;
        }
        self.check()
    }

    /// Takes the variables of an environment; those that are none of the toolkit's say nothing.
    ///
    /// # Errors
    /// Names the variable whose value is not simulated.
    pub fn with_env(mut self, env: &[(String, String)]) -> Result<Self, String> {
        for (_, names, slot) in &KNOWN {
            let set = names
                .iter()
                .filter(|name| self.reads(name))
                .find_map(|name| env.iter().find(|(key, value)| key == name && !value.is_empty()));
            if let Some((name, value)) = set {
                if let Slot::List(list) = slot {
                    list(&mut self).clear();
                }
                self.put(slot, value).ok_or_else(|| name.clone())?;
            }
        }
        self.check()
    }

    /// True where this release reads a variable.
    fn reads(&self, name: &str) -> bool {
        name != "CONTAINERD_RESTART_MODE" || self.release < Release(1, 17, 0)
    }

    fn put(&mut self, slot: &Slot, value: &str) -> Option<()> {
        let flag = match value {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
            _ => None,
        };
        match slot {
            Slot::Text(text) => *text(self) = value.into(),
            Slot::Flag(place) => *place(self) = flag?,
            Slot::List(list) => list(self).extend(value.split(',').map(String::from)),
            Slot::Cdi => self.enable_cdi = Some(flag?),
        }
        Some(())
    }

    fn check(self) -> Result<Self, String> {
        if self.runtime == "containerd" { Ok(self) } else { Err(format!("runtime {}", self.runtime)) }
    }

    /// Where the toolkit's programs are.
    pub fn toolkit_dir(&self) -> String {
        format!("{}/toolkit", self.install_dir.trim_end_matches('/'))
    }

    /// The file that the handlers go into.
    pub(crate) fn target(&self) -> &str {
        if self.release.has_drop_in() && !self.drop_in.is_empty() { &self.drop_in } else { &self.config }
    }

    /// The file of the node that the handlers go into.
    pub fn written_file(&self) -> String {
        self.on_node(self.target())
    }

    /// The handlers that it adds, in an order of our own: the real one is by chance.
    pub(crate) fn runtimes(&self) -> Vec<Runtime> {
        let own = ["nvidia-cdi", "nvidia-legacy"].contains(&self.runtime_name.as_str());
        let main = if own || self.runtime_name.is_empty() { "nvidia" } else { &self.runtime_name };
        let programs = [(main, ""), ("nvidia-cdi", ".cdi"), ("nvidia-legacy", ".legacy")];
        let runtimes = programs.map(|(name, ending)| Runtime {
            name: name.into(),
            path: format!("{}/nvidia-container-runtime{ending}", self.toolkit_dir()),
            is_default: self.set_as_default && name == self.runtime_name,
        });
        runtimes.to_vec()
    }

    pub(crate) fn settings(&self) -> Settings {
        let host = if self.drop_in_host.is_empty() { &self.drop_in } else { &self.drop_in_host };
        Settings {
            release: self.release,
            runtime_type: self.runtime_type.clone(),
            legacy: self.legacy,
            annotations: self.annotation_prefixes.iter().map(|prefix| format!("{prefix}*")).collect(),
            import: format!("{}/*.toml", parent(host)),
        }
    }

    pub(crate) fn cdi_in_containerd(&self) -> bool {
        self.release.enables_cdi() && self.enable_cdi.unwrap_or(self.cdi)
    }
}

/// Saves keep where a run writes which main handler, where that is not the usual: what else it is told belongs to deciding.
impl Kept for Options {
    fn to_json(&self) -> Json {
        let usual = Self::default();
        let entry = |key: &str, value: &str, usual: &str| {
            (value != usual).then(|| (key.to_string(), Json::Text(value.into())))
        };
        let file = entry("file", &self.written_file(), &usual.written_file());
        let handler = entry("handler", &self.runtime_name, &usual.runtime_name);
        Json::Table(file.into_iter().chain(handler).collect())
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        let (mut held, mut options) = (Held::of(json), Self::default());
        options.drop_in = held.get::<Option<String>>("file")?.unwrap_or(options.drop_in);
        options.runtime_name = held.get::<Option<String>>("handler")?.unwrap_or(options.runtime_name);
        held.close()?;
        Ok(options)
    }
}

/// The path on the node of a path in a container with these mounts.
pub(crate) fn on_node(mounts: &[(String, String)], path: &str) -> String {
    let outside = mounts.iter().find_map(|(inside, outside)| {
        let rest = path.strip_prefix(inside.as_str()).filter(|rest| rest.starts_with('/'))?;
        Some(format!("{outside}{rest}"))
    });
    outside.unwrap_or_else(|| path.into())
}
