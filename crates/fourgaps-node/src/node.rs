//! The node itself: its state, and what can be read off it.

use crate::ids;
use crate::journal::{Entry, Said};
use crate::k3s;
use crate::kernel::Kernel;
use crate::kubelet::Kubelet;
use crate::memo::Memo;
use crate::process::{Ended, Process, Start};
use crate::sandbox::Sandbox;
use crate::toolkit::{Astray, Dumped, Toolkit};
use crate::unit::{Supervisor, Unit};
use fourgaps_base::{FileEdit, FileTree, Files};
use fourgaps_config::daemon::{DaemonRun, Machine};
use fourgaps_config::{DumpRun, Request, Version, dump};
use std::borrow::Cow;
use std::sync::Arc;

/// The main file that the daemon and a dump read.
pub const MAIN: &str = fourgaps_config::daemon::DEFAULT_MAIN;

/// Where containerd listens unless it is told otherwise.
const SOCKET: &str = "/run/containerd/containerd.sock";

/// What other programs have where a scenario says nothing: a quiet node.
const INOTIFY_USED: i64 = 20;

/// A GPU node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its host name.
    pub(crate) name: String,
    /// The version of the containerd program on its disk.
    pub(crate) version: String,
    /// What its random numbers come from.
    pub(crate) seed: u64,
    /// The time, in ms.
    pub(crate) now_ms: u64,
    /// Layer 1, written: the disk.
    pub(crate) files: Arc<FileTree>,
    pub(crate) supervisor: Supervisor,
    /// The text that k3s writes where no template says otherwise.
    pub(crate) generated: Arc<[u8]>,
    pub(crate) unit: Unit,
    /// Layer 3, loaded: the process that runs.
    pub(crate) containerd: Option<Process>,
    /// How the last process ended.
    pub(crate) last: Option<Ended>,
    /// Layer 4, running: sandboxes in the order in which they were made.
    pub(crate) sandboxes: Vec<Sandbox>,
    /// Shared, since most actions log nothing.
    pub(crate) journal: Arc<Vec<Entry>>,
    /// Whether the socket file of containerd is there; it outlives a process that was killed.
    pub(crate) socket: bool,
    /// Runs of the toolkit, and those that ended since the last start of one.
    pub(crate) toolkits: Vec<Toolkit>,
    /// Which signals of the toolkit hit the toolkit itself here: a race, for which a scenario decides.
    pub(crate) astray: Astray,
    pub(crate) kubelet: Kubelet,
    pub(crate) kernel: Kernel,
    /// What the machine has beside its disk.
    pub(crate) machine: Arc<Machine>,
    /// While the node restarts: when it is back, in ms.
    pub(crate) down_until_ms: Option<u64>,
    /// What processes made of their files, and what dumps told.
    pub(crate) starts: Memo<Start, DaemonRun>,
    pub(crate) dumps: Memo<(String, &'static str), Dumped>,
    /// How many ids were drawn.
    pub(crate) ids: u64,
    /// The last process number that was given out.
    pub(crate) last_pid: u32,
}

impl Node {
    /// A node whose containerd was not started yet. Under k3s, the text of [`k3s::CONFIG`] counts as k3s' own.
    pub fn new(
        name: &str,
        version: &'static Version,
        supervisor: Supervisor,
        files: FileTree,
        seed: u64,
    ) -> Self {
        let generated = match supervisor {
            Supervisor::K3s => files.read(k3s::CONFIG).map(Cow::into_owned).unwrap_or_default(),
            _ => Vec::new(),
        };
        Self {
            name: name.into(),
            generated: generated.into(),
            version: version.name().into(),
            seed,
            now_ms: 0,
            files: Arc::new(files),
            supervisor,
            unit: Unit::new(),
            containerd: None,
            last: None,
            sandboxes: Vec::new(),
            journal: Arc::default(),
            socket: false,
            toolkits: Vec::new(),
            astray: Astray::default(),
            kubelet: Kubelet::new(),
            kernel: Kernel::new(INOTIFY_USED),
            machine: Arc::new(Machine::recorded()),
            down_until_ms: None,
            starts: Memo::default(),
            dumps: Memo::default(),
            ids: 0,
            last_pid: 800 + (ids::draw(seed, 0) % 400) as u32,
        }
    }

    /// The same node on another machine: its programs and images, and its generation of control groups.
    #[must_use]
    pub fn on(mut self, machine: Machine) -> Self {
        self.machine = Arc::new(machine);
        self
    }

    /// The same node with this many inotify instances in use by other programs.
    #[must_use]
    pub fn with_inotify_used(mut self, instances: u32) -> Self {
        self.kernel = Kernel::new(instances.into());
        self
    }

    /// The same node, where these signals of a toolkit go astray.
    #[must_use]
    pub fn with_astray(mut self, astray: Astray) -> Self {
        self.astray = astray;
        self
    }

    /// Which signals of a toolkit that is started by hand go astray.
    pub fn astray(&self) -> Astray {
        self.astray
    }

    /// Its host name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version of the containerd program on its disk.
    pub fn version(&self) -> &'static Version {
        Version::named(&self.version).expect("a node has a version that is built in")
    }

    /// The time, in ms since the scenario began.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// Its kubelet, which does not run before it is started.
    pub fn kubelet(&self) -> &Kubelet {
        &self.kubelet
    }

    /// What the machine has beside its disk.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The settings of its kernel.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// While the node restarts: when it is back, in ms.
    pub fn down_until_ms(&self) -> Option<u64> {
        self.down_until_ms
    }

    /// Layer 1, written: its disk.
    pub fn files(&self) -> &FileTree {
        &self.files
    }

    /// Layer 2, next start: what `containerd config dump` says now.
    pub fn next_start(&self) -> Arc<DumpRun> {
        let mut files = Arc::clone(&self.files);
        if let Some(edit) = self.edit_at_start() {
            // The folder is there, since k3s wrote the file before.
            let _ = Arc::make_mut(&mut files).edit(&edit, self.now_ms);
        }
        Arc::clone(&self.dump_of(&files, self.main()).run)
    }

    /// What `containerd --config MAIN config dump` says of a disk.
    pub(crate) fn dump_of(&self, files: &FileTree, main: &'static str) -> Arc<Dumped> {
        self.dumps.get((self.version.clone(), main), files, |(_, main), files| {
            Dumped::new(dump(&Request::new(self.version(), files, main)))
        })
    }

    /// The main file that containerd reads.
    pub fn main(&self) -> &'static str {
        if self.supervisor == Supervisor::K3s { k3s::CONFIG } else { MAIN }
    }

    /// What whoever starts containerd writes first.
    pub(crate) fn edit_at_start(&self) -> Option<FileEdit> {
        (self.supervisor == Supervisor::K3s).then(|| k3s::generate(&self.generated, &self.files))
    }

    /// Layer 3, loaded: the containerd process, where one runs.
    pub fn containerd(&self) -> Option<&Process> {
        self.containerd.as_ref()
    }

    /// The process that a start would make of the node as it is now.
    pub fn fresh_process(&self) -> Process {
        Process::new(0, self, false)
    }

    /// The last process that was started, whether it runs or not.
    pub fn last_boot(&self) -> Option<&Process> {
        self.journal.iter().rev().find_map(|entry| match &entry.said {
            Said::Boot(process) => Some(&**process),
            _ => None,
        })
    }

    /// How the last process ended.
    pub fn last_end(&self) -> Option<&Ended> {
        self.last.as_ref()
    }

    /// Layer 4, running: the sandboxes that are kept, oldest first.
    ///
    /// They outlive the process; without one there is nobody to list them.
    pub fn sandboxes(&self) -> &[Sandbox] {
        &self.sandboxes
    }

    /// Who looks after containerd.
    pub fn supervisor(&self) -> Supervisor {
        self.supervisor
    }

    /// The unit of containerd.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// The journal, oldest entry first.
    pub fn journal(&self) -> &[Entry] {
        &self.journal
    }

    /// Runs of the toolkit: those that go on, and those that ended since the last start of one.
    pub fn toolkits(&self) -> &[Toolkit] {
        &self.toolkits
    }

    /// The run of the toolkit with this process number.
    pub fn toolkit_of(&self, pid: u32) -> Option<&Toolkit> {
        self.toolkits.iter().find(|toolkit| toolkit.pid == pid)
    }

    /// Connects to the socket of containerd.
    ///
    /// # Errors
    /// The words of the operating system.
    pub fn dial(&self) -> Result<(), &'static str> {
        match (&self.containerd, self.socket) {
            (Some(_), _) => Ok(()),
            (None, true) => Err("connection refused"),
            (None, false) => Err("no such file or directory"),
        }
    }

    /// Connects to a socket at this path, where containerd may listen or not.
    pub(crate) fn dial_at(&self, path: &str) -> Result<(), &'static str> {
        let listens_at = if self.supervisor == Supervisor::K3s { k3s::SOCKET } else { SOCKET };
        if path == listens_at { self.dial() } else { Err("no such file or directory") }
    }

    /// Why `crictl` gets no answer, in its words; nothing where it gets one.
    pub fn no_answer(&self) -> Option<String> {
        match (&self.containerd, self.dial()) {
            (Some(process), _) => process.run().no_answer.clone(),
            (None, Err(why)) => Some(self.version().no_socket().replace("no such file or directory", why)),
            (None, Ok(())) => None,
        }
    }

    /// True where a program can be started: one of the machine, or a file of the disk.
    pub(crate) fn has_program(&self, program: &str) -> bool {
        self.machine.has_program(program) || (program.starts_with('/') && self.files.read(program).is_ok())
    }
}
