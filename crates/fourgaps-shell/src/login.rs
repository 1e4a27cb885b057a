//! A login: one interpreter on one machine, with the limits of a line and the commands that a lab adds.

use crate::command::{Call, Command};
use crate::disk::Disk;
use crate::names::{is_known, kept};
use crate::programs;
use crate::world::{Machine, World};
use bashkit::{
    Bash, Builtin, BuiltinContext, BuiltinRegistry, CommandResolver, ExecResult, ExecutionLimits,
    ExecutionPlan, MemoryLimits, PosixFs, Result, SessionLimits, SubCommand, async_trait,
};
use core::time::Duration;
use fourgaps_base::set_of;
use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Commands that one line may run, those of its scripts and loops together, unless the shell is told otherwise.
pub(crate) const MOST_STEPS: usize = 60_000;
/// Bytes of each stream that one line may print.
pub(crate) const MOST_OUTPUT: usize = 4_000_000;
/// Bytes of a command line.
pub(crate) const MOST_LINE: usize = 200_000;
/// How deep functions, scripts, `$(…)` and subshells may stand in each other; half of it behind each `ssh`.
/// In V8, whose stack is about 1 MB, 16 levels of the worst kind still fit; a thread of 2 MB in a build without
/// optimisation holds about 5.
const MOST_DEPTH: usize = 12;
/// How deep the syntax of a line may be nested.
const MOST_NESTING: usize = 20;
/// Far more than a line takes before its steps run out: what a line answers must not hang on a clock.
const NEVER: Duration = Duration::from_secs(3600);

/// As the system of a root login has it.
pub(crate) const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Programs that start between two pauses.
const BETWEEN_PAUSES: usize = 256;

/// Gives the host a turn, in which it may hear of a stop.
pub type Pause = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// A poisoned lock only means that a command failed half-way; what it left is still a world.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What every login of a shell uses.
pub(crate) struct Shared<W> {
    pub world: Arc<Mutex<W>>,
    /// Our own programs, and after them those of the lab, which win.
    pub commands: Vec<Arc<dyn Command<W>>>,
    /// The cancel flags of the interpreters at work, the outermost first.
    pub running: Arc<Mutex<Vec<Arc<AtomicBool>>>>,
    /// Commands that one line may run.
    pub steps: AtomicUsize,
    /// The ends of the `timeout`s at work, the outermost first.
    pub deadlines: Mutex<Vec<programs::Deadline>>,
    /// Lets a browser breathe, every so many programs.
    pub pause: Mutex<Option<Pause>>,
    /// Programs started so far.
    pub started: AtomicUsize,
    /// Every name that runs something.
    pub names: Arc<BTreeSet<String>>,
}

impl<W: World> Shared<W> {
    pub(crate) fn new(world: Arc<Mutex<W>>, of_the_lab: Vec<Box<dyn Command<W>>>) -> Self {
        let mut commands = programs::plain();
        commands.extend(of_the_lab.into_iter().map(Arc::from));
        let mut names = set_of(commands.iter().map(|command| command.name().to_string()));
        let lines = programs::WITH_LINES.into_iter().chain(["bash", "sh"]);
        names.extend(lines.chain(kept()).map(String::from));
        let steps = AtomicUsize::new(MOST_STEPS);
        let (running, pause, started) = (Arc::default(), Mutex::default(), AtomicUsize::new(0));
        let deadlines = Mutex::default();
        Self { world, commands, running, steps, deadlines, pause, started, names: Arc::new(names) }
    }

    /// Counts a start of a program and gives the host its turn now and then.
    pub(crate) async fn breathe(&self) {
        if self.started.fetch_add(1, Ordering::Relaxed).is_multiple_of(BETWEEN_PAUSES) {
            self.pause_now().await;
        }
    }

    /// Gives the host its turn.
    pub(crate) async fn pause_now(&self) {
        let pause = lock(&self.pause).clone();
        if let Some(pause) = pause {
            pause().await;
        }
    }

    pub(crate) fn world(&self) -> MutexGuard<'_, W> {
        lock(&self.world)
    }
}

/// What a login keeps for its tab, and asks of it after a line.
#[derive(Default)]
pub(crate) struct Desk {
    /// A machine to log in to.
    pub login: Option<String>,
    /// The line ended this login.
    pub exit: Option<i32>,
    /// The whole line is one plain command, so that a login may start after it.
    pub plain: bool,
    /// What the last `ssh` of the line was given as its input.
    pub fed: Vec<u8>,
    /// The lines typed so far.
    pub typed: Vec<String>,
}

/// Where a program runs.
pub(crate) struct Seat<W> {
    pub shared: Arc<Shared<W>>,
    pub host: String,
    pub desk: Arc<Mutex<Desk>>,
    /// Logins above this one.
    pub depth: usize,
}

impl<W> Clone for Seat<W> {
    fn clone(&self) -> Self {
        let (shared, desk) = (self.shared.clone(), self.desk.clone());
        Self { shared, host: self.host.clone(), desk, depth: self.depth }
    }
}

/// One interpreter on a machine.
pub(crate) struct Login {
    pub host: String,
    pub machine: Machine,
    pub bash: Bash,
    pub desk: Arc<Mutex<Desk>>,
    pub since_ms: u64,
    /// Knows the scripts that are called by their path.
    pub scripts: Arc<dyn programs::Enlist>,
}

impl Login {
    /// Logs in to a machine; `depth` counts the logins above this one.
    pub(crate) fn new<W: World>(shared: &Arc<Shared<W>>, host: &str, depth: usize) -> Option<Self> {
        let (machine, now_ms) = {
            let world = shared.world();
            (world.machine(host)?, world.now_ms())
        };
        let seat = Seat { shared: shared.clone(), host: host.to_string(), desk: Arc::default(), depth };
        let desk = seat.desk.clone();
        let (on_exit, clock) = (desk.clone(), shared.clone());
        // In the registry a program of ours wins over one of the interpreter.
        let registry = BuiltinRegistry::new();
        let is_here = |command: &&Arc<dyn Command<W>>| command.folder(&shared.world(), host).is_some();
        for command in shared.commands.iter().filter(is_here) {
            registry
                .insert(command.name(), Arc::new(Simulated { seat: seat.clone(), command: command.clone() }));
        }
        for (name, program) in programs::with_lines(&seat) {
            registry.insert_trusted(name, program);
        }
        for (path, name) in shared.program_paths(host) {
            registry.insert_trusted(path, Arc::new(programs::ByPath(name)));
        }
        let scripts = programs::Scripts::new(&seat, &registry);
        let ours = registry.clone();
        let sessions = SessionLimits { max_total_commands: u64::MAX, max_exec_calls: u64::MAX };
        let mut bash = Bash::builder()
            .fs(Arc::new(PosixFs::new(Disk { shared: shared.clone(), host: host.to_string() })))
            .rootfs(false)
            .username(machine.user.as_str())
            .hostname(host)
            .fixed_epoch(i64::try_from(now_ms / 1000).unwrap_or(i64::MAX))
            .env("HOME", machine.home.as_str())
            .env("LANG", "C.UTF-8")
            .env("LOGNAME", machine.user.as_str())
            .env("SHELL", "/bin/bash")
            .env("SHLVL", "1")
            .env("TERM", "xterm-256color")
            .env("PATH", PATH)
            .cwd(machine.home.as_str())
            .concurrent_jobs(false)
            .limits(limits(shared.steps.load(Ordering::Relaxed), MOST_DEPTH >> depth))
            .session_limits(sessions)
            .memory_limits(MemoryLimits::default())
            .builtin_filter(|name| kept().any(|kept| kept == name))
            .builtin_registry(registry)
            .before_tool(Box::new(move |event| {
                let is_ours = ours.lookup(&event.name).is_some();
                programs::guard(event, clock.world().now_ms(), is_ours)
            }))
            .command_resolver(Arc::new(Unknown { names: shared.names.clone() }))
            .on_exit(Box::new(move |event| {
                lock(&on_exit).exit = Some(event.code);
                bashkit::hooks::HookAction::Continue(event)
            }))
            .build();
        bash.set_interactive(true);
        // What a shell that somebody types into begins with and no program is handed down.
        let mut state = bash.shell_state();
        let own = [("UID", "0"), ("EUID", "0"), ("SHOPT_expand_aliases", if depth == 0 { "1" } else { "0" })];
        state.variables.extend(own.map(|(name, value)| (name.to_string(), value.to_string())));
        bash.restore_shell_state(&state);
        Some(Self { host: host.to_string(), machine, bash, desk, since_ms: now_ms, scripts })
    }
}

fn limits(steps: usize, depth: usize) -> ExecutionLimits {
    ExecutionLimits::new()
        .max_commands(steps)
        .max_loop_iterations(steps)
        .max_total_loop_iterations(steps)
        .timeout(NEVER)
        .parser_timeout(NEVER)
        .max_function_depth(depth)
        .max_subst_depth(depth)
        .max_subshell_depth(depth)
        .max_ast_depth(MOST_NESTING)
        .max_input_bytes(MOST_LINE)
        .max_stdout_bytes(MOST_OUTPUT)
        .max_stderr_bytes(MOST_OUTPUT)
}

impl<W: World> Simulated<W> {
    /// A word that a program of ours looks up among the files, and that names a program of the machine or its folder: there
    /// are none in the tree.
    fn asks_for_programs(&self, args: &[String], cwd: &str) -> Option<String> {
        let works_on_files = ["ls", "stat", "cp", "mv", "rm", "chmod"].contains(&self.command.name());
        let here = [String::from(".")];
        let words = if args.iter().all(|arg| arg.starts_with('-')) { &here[..] } else { args };
        let is_one = |word: &&String| {
            let path = fourgaps_base::join(if word.starts_with('/') { "/" } else { cwd }, word);
            let is_there = self.seat.shared.world().files(&self.seat.host).entry(&path).is_some();
            !is_there && (programs::is_folder(&path) || self.seat.shared.has_program(&self.seat.host, &path))
        };
        words.iter().filter(|_| works_on_files).find(is_one).cloned()
    }
}

/// A command of the lab, or a plain one of ours, as a program of the interpreter.
struct Simulated<W> {
    seat: Seat<W>,
    command: Arc<dyn Command<W>>,
}

#[async_trait]
impl<W: World> Builtin for Simulated<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        self.seat.shared.breathe().await;
        let help = self.command.help();
        if !help.is_empty() && ctx.args.first().is_some_and(|arg| arg == "--help") {
            return Ok(ExecResult::ok(help));
        }
        let cwd = ctx.cwd.to_string_lossy();
        if let Some(place) = self.asks_for_programs(ctx.args, &cwd) {
            let text = format!("{}: {place}: not simulated in this lab\n", self.command.name());
            return Ok(ExecResult::err(text, 2));
        }
        let (exit_code, out, err) = self.with_call(&ctx, |command, call| {
            let exit_code = command.run(call);
            (exit_code, core::mem::take(&mut call.out), core::mem::take(&mut call.err))
        });
        let mut result = ExecResult { exit_code, ..Default::default() };
        (result.stdout, result.stderr) = (out.into(), err.into());
        Ok(result)
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> Result<Option<ExecutionPlan>> {
        let script = self.with_call(ctx, |command, call| command.script(call));
        Ok(script.map(|script| {
            let args = vec!["-c".to_string(), script];
            let stdin = ctx.stdin.cloned();
            let command = SubCommand { name: "bash".into(), args, stdin, assignments: Vec::new() };
            ExecutionPlan::Batch { commands: vec![command] }
        }))
    }
}

impl<W: World> Simulated<W> {
    /// Does something with the words, the input and the machines of one start.
    fn with_call<T>(
        &self,
        ctx: &BuiltinContext<'_>,
        act: impl FnOnce(&dyn Command<W>, &mut Call<'_, W>) -> T,
    ) -> T {
        let cwd = ctx.cwd.to_string_lossy();
        let mut call = Call {
            args: ctx.args,
            stdin: ctx.stdin_bytes().unwrap_or_default(),
            cwd: &cwd,
            host: &self.seat.host,
            world: &mut *self.seat.shared.world(),
            env: &|name| ctx.env.get(name).cloned(),
            out: Vec::new(),
            err: Vec::new(),
        };
        act(&*self.command, &mut call)
    }
}

/// Answers for every name that runs nothing here.
struct Unknown {
    /// What runs on some machine: where it is asked for here, this one lacks it.
    names: Arc<BTreeSet<String>>,
}

impl CommandResolver for Unknown {
    fn resolve(&self, name: &str) -> Option<Arc<dyn Builtin>> {
        let text = match is_known(name) && !self.names.contains(name) {
            true => format!("{name}: not simulated in this lab\n"),
            false => format!("bash: {name}: command not found\n"),
        };
        Some(Arc::new(NotFound(text)))
    }
}

struct NotFound(String);

#[async_trait]
impl Builtin for NotFound {
    async fn execute(&self, _: BuiltinContext<'_>) -> Result<ExecResult> {
        Ok(ExecResult::err(self.0.clone(), 127))
    }
}

/// Marks an interpreter as at work, so that a stop reaches it, until this is dropped.
pub(crate) struct AtWork {
    running: Arc<Mutex<Vec<Arc<AtomicBool>>>>,
}

impl AtWork {
    pub(crate) fn new<W>(shared: &Shared<W>, bash: &Bash) -> Self {
        let flag = bash.cancellation_token();
        flag.store(false, Ordering::Relaxed);
        lock(&shared.running).push(flag);
        Self { running: shared.running.clone() }
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        lock(&self.running).pop();
    }
}
