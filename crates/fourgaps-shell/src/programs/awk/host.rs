//! What a running program stands on: files, commands, the clock of the lab, and an end of what it may use up.

use super::io::{Answer, Need};
use super::run::{Event, Machine};
use crate::login::{AtWork, Login, Seat};
use crate::world::World;
use bashkit::{
    BuiltinContext, Error, ExecOptions, ExecResult, ExecutionBudget, ExecutionBudgetExceeded, FileSystem,
    LimitExceeded, Result, StreamData,
};
use fourgaps_base::map_of;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Steps between two looks at what was used up, and such slices between two looks at the memory, and two turns of the host.
const SLICE: u64 = 1 << 16;
const WEIGHED: u64 = 4;
const BETWEEN_TURNS: u64 = 16;
/// Steps for each command that a line of the shell may run, and what a command of the program counts as.
const STEPS_FOR_EACH: u64 = 1000;
const COMMAND: u64 = 20_000;
/// Interpreters inside each other: the stack is small in a browser.
const MOST_DEPTH: usize = 3;

pub(super) struct Host<'a, W: World> {
    seat: &'a Seat<W>,
    fs: Arc<dyn FileSystem>,
    cwd: PathBuf,
    env: BTreeMap<String, String>,
    budget: Option<ExecutionBudget>,
    /// Standard input, until somebody reads it.
    stdin: Option<StreamData>,
    /// The interpreter for commands: a program gets what is exported and nothing else.
    shell: Option<Login>,
    out: Vec<u8>,
    err: Vec<u8>,
    slices: u64,
}

/// What ends a run early: the words for it, or that the whole line ends.
enum Early {
    Told(String),
    Line(Error),
}

impl From<Error> for Early {
    fn from(error: Error) -> Self {
        Self::Line(error)
    }
}

impl<'a, W: World> Host<'a, W> {
    pub(super) fn new(seat: &'a Seat<W>, ctx: &BuiltinContext<'_>) -> Self {
        let budget = ctx.execution_budget().and_then(|budget| budget.try_with(Clone::clone).ok());
        let env = map_of(ctx.env.iter().map(|(name, value)| (name.clone(), value.clone())));
        let (fs, cwd, stdin) = (ctx.fs.clone(), ctx.cwd.clone(), ctx.stdin.cloned());
        let (shell, out, err) = (None, Vec::new(), Vec::new());
        Self { seat, fs, cwd, env, budget, stdin, shell, out, err, slices: 0 }
    }

    /// Runs a program to its end.
    ///
    /// # Errors
    /// Gives what ends the whole line.
    pub(super) async fn run(mut self, mut machine: Machine) -> Result<ExecResult> {
        let mut ended = self.steps(&mut machine).await;
        // What is open is closed at the end, whatever it was.
        if !matches!(ended, Err(Early::Line(_))) {
            let closed = self.close(&mut machine).await;
            ended = ended.and(closed);
        }
        let mut status = machine.status;
        match ended {
            Ok(()) => {}
            Err(Early::Line(error)) => return Err(error),
            Err(Early::Told(why)) => {
                status = 2;
                machine.io.err.extend_from_slice(format!("awk: {why}").as_bytes());
            }
        }
        self.take_output(&mut machine);
        Ok(ExecResult {
            stdout: self.out.into(),
            stderr: self.err.into(),
            exit_code: status,
            ..Default::default()
        })
    }

    async fn steps(&mut self, machine: &mut Machine) -> std::result::Result<(), Early> {
        loop {
            let answer = match machine.run(SLICE) {
                Event::Slice => {
                    if machine.is_full {
                        self.write_files(machine).await;
                    }
                    self.look(machine, SLICE).await?;
                    continue;
                }
                Event::End => return Ok(()),
                Event::Fatal(why) => return Err(Early::Told(why)),
                Event::Need(Need::Read(name)) => {
                    let found = self.read(&name).await;
                    found.map_or_else(Answer::Refused, |bytes| Answer::Bytes(bytes, 0))
                }
                Event::Need(Need::Open(name, append)) => self.open(&name, append).await,
                Event::Need(Need::Flush) => {
                    self.write_files(machine).await;
                    self.take_output(machine);
                    continue;
                }
                Event::Need(Need::Capture(command)) => {
                    self.take_output(machine);
                    let result = self.command(machine, &command, None).await?;
                    Answer::Bytes(result.stdout.into_bytes(), result.exit_code)
                }
                Event::Need(Need::Run(command, stdin)) => {
                    // What is printed stays back where only a pipe is closed.
                    if stdin.is_none() {
                        self.take_output(machine);
                    }
                    let result = self.command(machine, &command, stdin).await?;
                    self.out.extend(result.stdout.into_bytes());
                    Answer::Done(result.exit_code)
                }
            };
            machine.io.answer = Some(answer);
        }
    }

    /// The bytes of a file, or the words of why there are none.
    pub(super) async fn read(&mut self, name: &str) -> std::result::Result<Vec<u8>, String> {
        if name == "-" || name == "/dev/stdin" {
            return Ok(self.stdin.take().map(StreamData::into_bytes).unwrap_or_default());
        }
        match self.fs.read_file(&self.cwd.join(name)).await {
            Ok(bytes) => Ok(bytes),
            Err(error) => Err(self.why(name, &error).await),
        }
    }

    async fn why(&self, name: &str, error: &Error) -> String {
        let is_folder = self.fs.stat(&self.cwd.join(name)).await.is_ok_and(|look| look.file_type.is_dir());
        let kind = if let Error::Io(error) = error { error.kind() } else { ErrorKind::Other };
        let why = match kind {
            _ if is_folder && !name.is_empty() => "Is a directory",
            ErrorKind::PermissionDenied => "Permission denied",
            ErrorKind::NotADirectory => "Not a directory",
            ErrorKind::Other => return error.to_string(),
            _ => "No such file or directory",
        };
        why.into()
    }

    async fn open(&self, name: &str, append: bool) -> Answer {
        let path = self.cwd.join(name);
        let done = match append {
            _ if name.is_empty() => return Answer::Refused("No such file or directory".into()),
            true => self.fs.append_file(&path, b"").await,
            false => self.fs.write_file(&path, b"").await,
        };
        match done {
            Ok(()) => Answer::Done(0),
            Err(error) => Answer::Refused(self.why(name, &error).await),
        }
    }

    /// Writes what is kept back for files.
    async fn write_files(&mut self, machine: &mut Machine) {
        machine.is_full = false;
        for (name, output) in machine.io.outputs.iter_mut().filter(|(_, output)| !output.is_pipe) {
            let bytes = core::mem::take(&mut output.bytes);
            if bytes.is_empty() {
                continue;
            }
            let name = String::from_utf8_lossy(name);
            if self.fs.append_file(&self.cwd.join(&*name), &bytes).await.is_err() {
                self.err.extend_from_slice(format!("awk: write failure on {name}\n").as_bytes());
            }
        }
    }

    fn take_output(&mut self, machine: &mut Machine) {
        self.out.append(&mut machine.io.out);
        self.err.append(&mut machine.io.err);
    }

    /// Runs a command as `sh -c` does, and hears what it says.
    async fn command(
        &mut self,
        machine: &mut Machine,
        command: &str,
        stdin: Option<Vec<u8>>,
    ) -> std::result::Result<ExecResult, Early> {
        machine.cost += COMMAND;
        self.look(machine, COMMAND).await?;
        self.write_files(machine).await;
        self.err.append(&mut machine.io.err);
        let shared = &self.seat.shared;
        if self.shell.is_none() {
            let inner = Login::new(shared, &self.seat.host, self.seat.depth + 1);
            let Some(mut inner) = inner.filter(|_| self.seat.depth < MOST_DEPTH) else {
                return Err(Early::Told(
                    "more commands inside each other: not simulated in this lab\n".into(),
                ));
            };
            inner.bash.set_interactive(false);
            for (name, value) in &self.env {
                inner.bash.set_env(name, value);
            }
            self.shell = Some(inner);
        }
        let Some(Login { bash, .. }) = &mut self.shell else { return Ok(ExecResult::default()) };
        let stdin = stdin.map(StreamData::from).or_else(|| self.stdin.clone()).unwrap_or_default();
        let words = [command, &self.cwd.to_string_lossy()].map(String::from);
        let options = ExecOptions::new().positional(words.to_vec()).stdin(stdin);
        let at_work = AtWork::new(shared, bash);
        let done = bash.exec_with_options("cd -- \"$2\"; sh -c \"$1\"", options).await;
        drop(at_work);
        let mut result = done?;
        if result.stdout_truncated {
            return Err(Early::Told("stopped: it prints more than one line of this lab may\n".into()));
        }
        self.err.extend(core::mem::take(&mut result.stderr).into_bytes());
        Ok(result)
    }

    /// Counts what was used up and gives the outer host its turn.
    async fn look(&mut self, machine: &Machine, steps: u64) -> std::result::Result<(), Early> {
        if let Some(budget) = &self.budget {
            budget.consume_work(steps).map_err(|limit| match limit {
                LimitExceeded::ExecutionBudget(ExecutionBudgetExceeded::Cancelled) => Error::Cancelled,
                limit => limit.into(),
            })?;
        }
        self.slices += 1;
        let commands = self.seat.shared.steps.load(Ordering::Relaxed);
        let most = (commands as u64).saturating_mul(STEPS_FOR_EACH);
        if machine.cost > most {
            let why = format!("the line was stopped: maximum number of steps exceeded ({most})\n");
            return Err(Early::Told(why));
        }
        if self.slices.is_multiple_of(WEIGHED) && machine.is_too_large() {
            return Err(Early::Told("the line was stopped: memory limit exceeded\n".into()));
        }
        if self.slices.is_multiple_of(BETWEEN_TURNS) {
            self.seat.shared.pause_now().await;
        }
        Ok(())
    }

    /// Closes what is open, the last used first; what is printed comes out last.
    async fn close(&mut self, machine: &mut Machine) -> std::result::Result<(), Early> {
        self.write_files(machine).await;
        while !machine.io.outputs.is_empty() {
            let (name, output) = machine.io.outputs.remove(0);
            if output.is_pipe {
                let name = String::from_utf8_lossy(&name).into_owned();
                let result = self.command(machine, &name, Some(output.bytes)).await?;
                self.out.extend(result.stdout.into_bytes());
            }
        }
        Ok(())
    }
}
