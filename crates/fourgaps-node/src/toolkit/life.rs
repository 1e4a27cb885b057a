//! The life of the toolkit's container: install, set up, signal, wait, clean up.
//! Source: the recordings' `toolkit/`, and the public repository at the tags v1.14.6 to v1.20.0.

use super::editing::{Editing, Trouble};
use super::files::{Desk, Source};
use super::{Astray, Level, LogLine, Noticed, Options, Phase, Release};
use crate::act::Deciding;
use crate::fact::{Fact, ToolkitFact};
use crate::op::{Answer, Verb};
use crate::process::{End, Signal};
use fourgaps_base::{FileEdit, Files};
use fourgaps_config::daemon::quote;

/// How often the entrypoint looks for the driver, and how long it sleeps then.
const ENTRY_MS: u64 = 5_000;
/// How long the copying of programs takes: our own choice, about what it takes on a real node.
const INSTALL_MS: u64 = 1_000;
/// Between two tries to signal containerd.
const RETRY_MS: u64 = 5_000;
/// How often it tries.
const TRIES: u32 = 6;
/// Written by the operator's validator once the driver works.
const DRIVER_READY: &str = "/run/nvidia/validations/driver-ready";
/// The programs that handlers name, and the ones that they call.
const PROGRAMS: [&str; 3] =
    ["nvidia-container-runtime", "nvidia-container-runtime.cdi", "nvidia-container-runtime.legacy"];

impl Deciding<'_> {
    /// Starts the toolkit; in a pod its entrypoint waits for the driver first.
    pub(crate) fn run_toolkit(&mut self, options: &Options, astray: Astray, in_pod: bool) -> Answer {
        let pid = self.pid();
        self.happens(Fact::Toolkit(pid, ToolkitFact::Started { options: Box::new(options.clone()), astray }));
        if in_pod {
            self.look_for_driver(pid);
        } else {
            self.open(pid);
        }
        Answer::Started { pid }
    }

    /// What falls due in a run at this time.
    pub(crate) fn toolkit_is_due(&mut self, pid: u32) {
        match self.node.toolkit_of(pid).map(|toolkit| toolkit.phase) {
            Some(Phase::WaitingForDriver { .. }) => self.look_for_driver(pid),
            Some(Phase::Settling { .. }) => self.open(pid),
            Some(Phase::Installing { .. }) => self.set_up(pid),
            Some(Phase::Signalling { tries, cleaning, .. }) => self.try_to_signal(pid, tries, cleaning),
            Some(Phase::Waiting | Phase::Ended { .. }) | None => {}
        }
    }

    /// A signal to a run. Only the first counts; it ends a run at once that does not wait for it yet.
    pub(crate) fn signal_toolkit(&mut self, pid: u32, signal: Signal) {
        let Some(phase) = self.node.toolkit_of(pid).map(|toolkit| toolkit.phase) else { return };
        let is_shell = matches!(phase, Phase::WaitingForDriver { .. } | Phase::Settling { .. });
        match (signal, phase) {
            (Signal::Kill, _) => self.end(pid, End::Killed(Signal::Kill)),
            (Signal::Usr1, _) => self.end(pid, End::Killed(Signal::Usr1)),
            // The pod shares the node's process namespace, so its shell is killed as any other.
            (signal, _) if is_shell => self.end(pid, End::Killed(signal)),
            (_, Phase::Waiting) => self.clean_up(pid),
            (_, Phase::Signalling { cleaning: true, .. } | Phase::Ended { .. }) => {}
            (_, _) => self.exit_early(pid),
        }
    }

    fn look_for_driver(&mut self, pid: u32) {
        let now = self.node.now_ms();
        if self.node.files().exists(DRIVER_READY) {
            self.is(pid, Phase::Settling { until_ms: now + ENTRY_MS });
        } else {
            self.says(pid, Level::Plain, "waiting for the driver validations to be ready...");
            self.is(pid, Phase::WaitingForDriver { next_ms: now + ENTRY_MS });
        }
    }

    fn open(&mut self, pid: u32) {
        let Some(options) = self.options(pid) else { return };
        let release = options.release;
        if !release.has_drop_in() {
            self.says(pid, Level::Info, "Parsing arguments");
        }
        self.says(pid, Level::Info, format!("Starting {}", release.program()));
        let no_nodes = "disabling device node creation since --cdi-enabled=false";
        if release.has_drop_in() {
            let rpm = self.node.files().exists("/usr/bin/rpm");
            let kind = if rpm { "rpm" } else { "deb" };
            self.says(pid, Level::Info, format!("Resolved source root to /artifacts/{kind}"));
        }
        if release.asks_for_a_dump() && !options.cdi {
            self.says(pid, Level::Info, no_nodes);
        }
        if !release.has_drop_in() {
            self.says(pid, Level::Info, "Verifying Flags");
        }
        self.says(pid, Level::Info, "Initializing");
        if self.node.toolkits().iter().any(|other| other.pid != pid && other.holds(&options.pid_file)) {
            self.says(pid, Level::Warning, format!("Unable to get exclusive lock on '{}'", options.pid_file));
            self.says(
                pid,
                Level::Warning,
                "This normally means an instance of the NVIDIA toolkit Container is already running, aborting",
            );
            let why =
                "unable to initialize: unable to get flock on pidfile: resource temporarily unavailable";
            return self.fail_with(pid, why);
        }
        self.write(&options.pid_file, &format!("{pid}\n"));
        if release.asks_for_a_dump() && !options.no_runtime_config {
            let loaded = self.at_desk(pid, &options, |desk, options| {
                let editing = desk.load(&source(options), options.settings())?;
                editing.programs()
            });
            if let Err(trouble) = loaded {
                let words = "unable to determine runtime options: unable to load containerd config: ";
                return self.fail(pid, trouble.after(words));
            }
        }
        if !release.asks_for_a_dump() {
            self.says(pid, Level::Info, "Installing toolkit");
            if release >= Release(1, 15, 0) && !options.cdi {
                self.says(pid, Level::Info, no_nodes);
            }
        }
        self.says(
            pid,
            Level::Info,
            format!("Installing NVIDIA container toolkit to '{}'", options.toolkit_dir()),
        );
        self.says(pid, Level::Info, "Removing existing NVIDIA container toolkit installation");
        self.remove_all(&options.toolkit_dir());
        let until_ms = self.node.now_ms() + INSTALL_MS;
        self.is(pid, Phase::Installing { until_ms });
    }

    fn set_up(&mut self, pid: u32) {
        let Some(options) = self.options(pid) else { return };
        // What the programs hold is not simulated; that they are there is.
        for program in PROGRAMS {
            let path = format!("{}/{program}", options.toolkit_dir());
            self.write(&path, "");
            self.edits([FileEdit::Chmod(path, 0o755)]);
        }
        if options.cdi {
            self.says(pid, Level::Info, "Generating CDI spec for management containers");
        }
        if options.no_runtime_config {
            return self.wait_for_signal(pid);
        }
        if !options.release.asks_for_a_dump() {
            self.says(pid, Level::Info, "Setting up runtime");
            self.says(pid, Level::Info, format!("Parsing arguments: [{}]", options.toolkit_dir()));
            self.says(pid, Level::Info, "Successfully parsed arguments");
        }
        self.says(pid, Level::Info, format!("Starting 'setup' for {}", options.step_name()));
        match self.configure(pid, &options, false) {
            Ok(()) => self.restart_containerd(pid, false),
            Err(trouble) => self.fail_step(pid, trouble, false),
        }
    }

    fn clean_up(&mut self, pid: u32) {
        let Some(options) = self.options(pid) else { return };
        if options.no_runtime_config {
            return self.finish(pid);
        }
        if !options.release.asks_for_a_dump() {
            self.says(pid, Level::Info, "Cleaning up Runtime");
            self.says(pid, Level::Info, format!("Parsing arguments: [{}]", options.toolkit_dir()));
            self.says(pid, Level::Info, "Successfully parsed arguments");
        }
        self.says(pid, Level::Info, format!("Starting 'cleanup' for {}", options.step_name()));
        match self.configure(pid, &options, true) {
            Ok(()) => self.restart_containerd(pid, true),
            Err(trouble) => self.fail_step(pid, trouble, true),
        }
    }

    /// Edits the configuration: adds the handlers, or removes them.
    fn configure(&mut self, pid: u32, options: &Options, cleaning: bool) -> Result<(), Trouble> {
        let words =
            if cleaning { "unable to unconfigure containerd: " } else { "unable to configure containerd: " };
        self.at_desk(pid, options, |desk, options| {
            let mut editing = desk
                .load(&source(options), options.settings())
                .map_err(|why| why.after("unable to load config: "))?;
            let changed = change(&mut editing, options, cleaning);
            for warning in std::mem::take(&mut editing.warnings) {
                desk.warn(warning);
            }
            changed.map_err(|why| why.after("unable to update config: ").after(words))?;
            desk.info(format!("Flushing config to {}", options.target()));
            let bytes = desk
                .save(&mut editing, options.target(), &options.config)
                .map_err(|why| why.after("unable to flush config: ").after(words))?;
            if bytes == 0 {
                desk.info("Config file is empty, removed");
            }
            // It may hold more than what the toolkit wrote into it, and goes all the same.
            if cleaning && options.release.has_drop_in() && !options.drop_in.is_empty() {
                desk.remove(&options.drop_in);
            }
            Ok(())
        })
    }

    fn restart_containerd(&mut self, pid: u32, cleaning: bool) {
        let Some(options) = self.options(pid) else { return };
        match options.restart_mode.as_str() {
            "none" => {
                self.says(pid, Level::Warning, "Skipping restart of containerd due to --restart-mode=none");
                self.complete(pid, cleaning);
            }
            "signal" => {
                self.says(pid, Level::Info, "Sending SIGHUP signal to containerd");
                self.try_to_signal(pid, 0, cleaning);
            }
            "systemd" => {
                let (on_host, chroot) = match options.host_root.as_str() {
                    "" => ("", String::new()),
                    root => (" on host", format!("chroot {root} ")),
                };
                let words = format!(
                    "Restarting containerd{on_host} using systemd: [{chroot}systemctl restart containerd]"
                );
                self.says(pid, Level::Info, words);
                let status = match self.systemctl(Verb::Restart) {
                    Answer::Done => return self.complete(pid, cleaning),
                    // `systemctl` of a unit that is not there.
                    Answer::NoUnit => 5,
                    _ => 1,
                };
                let why = format!(
                    "unable to restart containerd: error restarting containerd using systemd: exit status {status}"
                );
                self.fail_step(pid, Trouble::Error(why), cleaning);
            }
            mode => {
                let why = format!("unable to restart containerd: invalid restart mode specified: {mode}");
                self.fail_step(pid, Trouble::Error(why), cleaning);
            }
        }
    }

    /// Asks containerd's socket for its process id, and sends SIGHUP there.
    fn try_to_signal(&mut self, pid: u32, tries: u32, cleaning: bool) {
        let Some((options, astray)) = self.node.toolkit_of(pid).map(|t| (t.options.clone(), t.astray)) else {
            return;
        };
        let Err(why) = self.node.dial_at(&options.on_node(&options.socket)) else {
            let noticed = if cleaning { None } else { astray.setup };
            if noticed.is_none() && !(cleaning && astray.cleanup) {
                self.hang_up_containerd();
            }
            return match noticed {
                Some(Noticed::AtOnce) => self.exit_early(pid),
                _ => {
                    self.says(pid, Level::Info, "Successfully signaled containerd");
                    self.complete(pid, cleaning);
                }
            };
        };
        let why = format!("unable to dial: dial unix {}: connect: {why}", options.socket);
        let tries = tries + 1;
        if tries < TRIES {
            self.says(
                pid,
                Level::Warning,
                format!("Error signaling containerd, attempt {tries}/{TRIES}: {why}"),
            );
            let next_ms = self.node.now_ms() + RETRY_MS;
            self.is(pid, Phase::Signalling { tries, next_ms, cleaning });
        } else {
            self.says(pid, Level::Warning, format!("Max retries reached {TRIES}/{TRIES}, aborting"));
            self.fail_step(pid, Trouble::Error(format!("unable to restart containerd: {why}")), cleaning);
        }
    }

    /// A step is done: what follows the set-up is the wait, and what follows the clean-up is the end.
    fn complete(&mut self, pid: u32, cleaning: bool) {
        let Some((options, astray)) = self.node.toolkit_of(pid).map(|t| (t.options.clone(), t.astray)) else {
            return;
        };
        let step = if cleaning { "cleanup" } else { "setup" };
        self.says(pid, Level::Info, format!("Completed '{step}' for {}", options.step_name()));
        if cleaning {
            return self.finish(pid);
        }
        let signalled = options.restart_mode == "signal";
        match astray.setup.filter(|_| signalled) {
            Some(Noticed::AtOnce | Noticed::AfterSuccess) => {
                self.says(pid, Level::Info, "Waiting for signal");
                self.exit_early(pid);
            }
            Some(Noticed::Waiting) if !options.no_daemon => {
                self.wait_for_signal(pid);
                self.clean_up(pid);
            }
            _ => self.wait_for_signal(pid),
        }
    }

    fn wait_for_signal(&mut self, pid: u32) {
        if self.options(pid).is_some_and(|options| options.no_daemon) {
            return self.finish(pid);
        }
        self.says(pid, Level::Info, "Waiting for signal");
        self.is(pid, Phase::Waiting);
    }

    fn exit_early(&mut self, pid: u32) {
        self.says(pid, Level::Info, "Signal received, exiting early");
        self.shut_down(pid);
        self.end(pid, End::Exited(0));
    }

    fn finish(&mut self, pid: u32) {
        let Some(options) = self.options(pid) else { return };
        self.shut_down(pid);
        self.says(pid, Level::Info, format!("Completed {}", options.release.program()));
        self.end(pid, End::Exited(0));
    }

    fn shut_down(&mut self, pid: u32) {
        let Some(options) = self.options(pid) else { return };
        self.says(pid, Level::Info, "Shutting Down");
        if self.node.files().read(&options.pid_file).is_ok() {
            self.edits([FileEdit::Remove(options.pid_file)]);
        }
    }

    /// A step failed; where it is a program of its own, that one says so first.
    fn fail_step(&mut self, pid: u32, trouble: Trouble, cleaning: bool) {
        let Some(options) = self.options(pid) else { return };
        let words = if cleaning { "unable to cleanup runtime: " } else { "unable to setup runtime: " };
        match trouble {
            Trouble::Error(why) if !options.release.asks_for_a_dump() => {
                self.says(pid, Level::Fatal, format!("error: {why}"));
                let why = format!("{words}error running containerd command: exit status 1");
                self.fail(pid, Trouble::Error(why));
            }
            trouble => self.fail(pid, trouble.after(words)),
        }
    }

    fn fail(&mut self, pid: u32, trouble: Trouble) {
        match trouble {
            Trouble::Error(why) => {
                self.shut_down(pid);
                self.fail_with(pid, &why);
            }
            // Go prints the stack, which is not simulated.
            Trouble::Panic => self.end(pid, End::Exited(2)),
        }
    }

    fn fail_with(&mut self, pid: u32, why: &str) {
        let Some(options) = self.options(pid) else { return };
        self.says(pid, Level::Error, format!("error running {}: {why}", options.release.program()));
        self.end(pid, End::Exited(1));
    }

    fn end(&mut self, pid: u32, end: End) {
        let at_ms = self.node.now_ms();
        self.is(pid, Phase::Ended { end, at_ms });
    }

    fn is(&mut self, pid: u32, phase: Phase) {
        self.happens(Fact::Toolkit(pid, ToolkitFact::Is(phase)));
    }

    fn says(&mut self, pid: u32, level: Level, msg: impl Into<String>) {
        self.happens(Fact::Toolkit(pid, ToolkitFact::Said(LogLine::new(level, msg))));
    }

    fn options(&self, pid: u32) -> Option<Options> {
        self.node.toolkit_of(pid).map(|toolkit| toolkit.options.clone())
    }

    /// Lets a run read and edit; what it logs meanwhile is logged.
    fn at_desk<T>(
        &mut self,
        pid: u32,
        options: &Options,
        work: impl FnOnce(&mut Desk<'_>, &Options) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let mut desk = Desk::of(self.node).with_mounts(&options.mounts);
        let result = work(&mut desk, options);
        let Desk { log, edits, .. } = desk;
        self.edits(edits);
        for line in log {
            self.happens(Fact::Toolkit(pid, ToolkitFact::Said(line)));
        }
        result
    }
}

fn change(editing: &mut Editing, options: &Options, cleaning: bool) -> Result<(), Trouble> {
    for runtime in options.runtimes() {
        if cleaning {
            editing.remove(&runtime.name);
        } else {
            let words = format!("failed to update runtime {}: ", quote(&runtime.name));
            editing.add(&runtime).map_err(|why| why.after(&words))?;
        }
    }
    if !cleaning && options.cdi_in_containerd() {
        editing.enable_cdi();
    }
    Ok(())
}

/// Where this release reads the configuration from.
fn source(options: &Options) -> Source<'_> {
    let from = match options.release {
        release if !release.asks_for_a_dump() => vec!["file"],
        release if !release.falls_back_on_the_file() => vec!["command"],
        release if !release.has_drop_in() => vec!["command", "file"],
        release if release >= Release(1, 19, 0) => {
            options.sources.iter().map(|source| source.trim()).collect()
        }
        _ => options.sources.iter().map(String::as_str).collect(),
    };
    Source { from, main: &options.config, host_root: &options.host_root, executable: &options.executable }
}

impl Options {
    /// The name of the program in the log of a step.
    fn step_name(&self) -> &'static str {
        if self.release.asks_for_a_dump() { self.release.program() } else { "containerd" }
    }
}

impl super::Toolkit {
    /// True where it holds the lock on this file.
    fn holds(&self, pid_file: &str) -> bool {
        let locked =
            matches!(self.phase, Phase::Installing { .. } | Phase::Signalling { .. } | Phase::Waiting);
        locked && self.options.pid_file == pid_file
    }

    /// When something happens in it by itself, in ms.
    pub(crate) fn due_ms(&self) -> Option<u64> {
        match self.phase {
            Phase::WaitingForDriver { next_ms } | Phase::Signalling { next_ms, .. } => Some(next_ms),
            Phase::Settling { until_ms } | Phase::Installing { until_ms } => Some(until_ms),
            Phase::Waiting | Phase::Ended { .. } => None,
        }
    }
}
