//! A login: one interpreter on one machine, with the limits of a line and the commands that a lab adds.

use crate::command::{Call, Command};
use crate::disk::Disk;
use crate::outside;
use crate::world::{Machine, World};
use bashkit::{
    Bash, Builtin, BuiltinContext, CommandResolver, ExecResult, ExecutionLimits, MemoryLimits, PosixFs,
    Result, SessionLimits, async_trait,
};
use core::time::Duration;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Commands that one line may run, those of its scripts, loops and remote lines together.
pub(crate) const MOST_STEPS: usize = 200_000;
/// Bytes of each stream that one line may print.
pub(crate) const MOST_OUTPUT: usize = 4_000_000;
/// Bytes of a command line.
pub(crate) const MOST_LINE: usize = 1_000_000;
/// Far more than a line takes before its steps run out: what a line answers must not hang on a clock.
const NEVER: Duration = Duration::from_secs(3600);

/// A poisoned lock only means that a command failed half-way; what it left is still a world.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What every login of a shell uses.
pub(crate) struct Shared<W> {
    pub world: Arc<Mutex<W>>,
    pub commands: Vec<Arc<dyn Command<W>>>,
    /// The cancel flags of the interpreters at work, the outermost first.
    pub running: Arc<Mutex<Vec<Arc<AtomicBool>>>>,
}

impl<W: World> Shared<W> {
    pub(crate) fn world(&self) -> MutexGuard<'_, W> {
        lock(&self.world)
    }
}

/// What a line asks of its tab, for after the line.
#[derive(Default)]
pub(crate) struct Wishes {
    /// A machine to log in to.
    pub login: Option<String>,
    /// The line ended this login.
    pub exit: Option<i32>,
    /// The whole line is one plain command, so that a login may start after it.
    pub plain: bool,
}

/// One interpreter on a machine.
pub(crate) struct Login {
    pub host: String,
    pub machine: Machine,
    pub bash: Bash,
    pub wishes: Arc<Mutex<Wishes>>,
}

impl Login {
    /// Logs in to a machine; `depth` counts the logins above this one.
    pub(crate) fn new<W: World>(shared: &Arc<Shared<W>>, host: &str, depth: usize) -> Option<Self> {
        let machine = shared.world().machine(host)?;
        let wishes = Arc::new(Mutex::new(Wishes::default()));
        let disk = PosixFs::new(Disk { shared: shared.clone(), host: host.to_string() });
        let on_exit = wishes.clone();
        let mut builder = Bash::builder()
            .fs(Arc::new(disk))
            .rootfs(false)
            .username(machine.user.as_str())
            .hostname(host)
            .env("HOME", machine.home.as_str())
            .env("LANG", "C.UTF-8")
            .cwd(machine.home.as_str())
            .concurrent_jobs(false)
            .limits(limits())
            .session_limits(SessionLimits { max_total_commands: u64::MAX, max_exec_calls: u64::MAX })
            .memory_limits(MemoryLimits::default())
            .command_resolver(Arc::new(Unknown))
            .on_exit(Box::new(move |event| {
                lock(&on_exit).exit = Some(event.code);
                bashkit::hooks::HookAction::Continue(event)
            }));
        for command in &shared.commands {
            let adapter =
                Simulated { shared: shared.clone(), host: host.to_string(), command: command.clone() };
            builder = builder.builtin(command.name(), Box::new(adapter));
        }
        for (name, program) in outside::programs(shared, host, &wishes, depth) {
            builder = builder.builtin(name, program);
        }
        let mut bash = builder.build();
        bash.set_interactive(true);
        Some(Self { host: host.to_string(), machine, bash, wishes })
    }
}

fn limits() -> ExecutionLimits {
    ExecutionLimits::new()
        .max_commands(MOST_STEPS)
        .max_loop_iterations(MOST_STEPS)
        .max_total_loop_iterations(MOST_STEPS)
        .timeout(NEVER)
        .parser_timeout(NEVER)
        .max_input_bytes(MOST_LINE)
        .max_stdout_bytes(MOST_OUTPUT)
        .max_stderr_bytes(MOST_OUTPUT)
}

/// A lab's command as a program of the interpreter.
struct Simulated<W> {
    shared: Arc<Shared<W>>,
    host: String,
    command: Arc<dyn Command<W>>,
}

#[async_trait]
impl<W: World> Builtin for Simulated<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        let help = self.command.help();
        if !help.is_empty() && ctx.args.first().is_some_and(|arg| arg == "--help") {
            return Ok(ExecResult::ok(help));
        }
        let cwd = ctx.cwd.to_string_lossy();
        let mut call = Call {
            args: ctx.args,
            stdin: ctx.stdin_bytes().unwrap_or_default(),
            cwd: &cwd,
            host: &self.host,
            world: &mut *self.shared.world(),
            env: &|name| ctx.env.get(name).cloned(),
            out: Vec::new(),
            err: Vec::new(),
        };
        let status = self.command.run(&mut call);
        let (out, err) = (call.out, call.err);
        Ok(ExecResult { stdout: out.into(), stderr: err.into(), exit_code: status, ..Default::default() })
    }
}

/// Answers for every name that is nothing here, in bash's plain words.
struct Unknown;

impl CommandResolver for Unknown {
    fn resolve(&self, name: &str) -> Option<Arc<dyn Builtin>> {
        Some(Arc::new(NotFound(format!("bash: {name}: command not found\n"))))
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
