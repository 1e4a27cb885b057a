//! Tabs: each a stack of logins. A line goes to the topmost one; what it leaves behind is there for the next line.

use crate::braced::braced;
use crate::command::Command;
use crate::complete::{Completion, Place, complete};
use crate::line;
use crate::login::{AtWork, Login, MOST_OUTPUT, Pause, Shared, lock};
use crate::recall::recalled;
use crate::resume::{Resume, clock_lines};
use crate::shared_input::{Takes, shared, taken_by, takes};
use crate::words::{limit_text, plain_words};
use crate::world::World;
use bashkit::{Error, ExecOptions, ShellState};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Which of the two streams a piece of output came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Takes output while a line runs, in its order. It may be called until the line has ended.
pub type Output = Box<dyn FnMut(Stream, &[u8]) + Send + Sync>;

/// A shell with its tabs.
pub struct Shell<W: World> {
    shared: Arc<Shared<W>>,
    tabs: BTreeMap<String, Vec<Session>>,
}

/// A login with what it carries from line to line.
struct Session {
    login: Login,
    resume: Resume,
}

impl<W: World> Shell<W> {
    /// A shell without tabs over a world, with the programs that the lab simulates.
    pub fn new(world: Arc<Mutex<W>>, commands: Vec<Box<dyn Command<W>>>) -> Self {
        Self { shared: Arc::new(Shared::new(world, commands)), tabs: BTreeMap::new() }
    }

    /// Sets how many commands one line may run, for the logins that follow: 60,000 unless this says otherwise.
    pub fn limit_steps(&mut self, steps: usize) {
        self.shared.steps.store(steps, Ordering::Relaxed);
    }

    /// Sets what gives the host a turn while a line runs: every 256 programs started, `:` and `true` among them.
    /// A worker of a browser needs it to hear of a stop.
    pub fn on_pause(&mut self, pause: Pause) {
        *lock(&self.shared.pause) = Some(pause);
    }

    /// Opens a tab with a fresh login, or replaces it; false where there is no such machine.
    pub fn open(&mut self, tab: &str, host: &str) -> bool {
        let session = self.log_in(host);
        let opened = session.is_some();
        self.tabs.extend(session.map(|session| (tab.to_string(), vec![session])));
        opened
    }

    /// Closes a tab.
    pub fn close(&mut self, tab: &str) {
        self.tabs.remove(tab);
    }

    fn log_in(&self, host: &str) -> Option<Session> {
        Login::new(&self.shared, host, 0).map(|login| Session { login, resume: Resume::default() })
    }

    /// Runs a line of a tab to its end and gives its status; 127 where there is no such tab.
    ///
    /// A line may hold several lines of text: a loop, a here-document, a pasted script.
    pub async fn run(&mut self, tab: &str, typed: &str, mut out: Output) -> i32 {
        let Some(session) = self.tabs.get_mut(tab).and_then(|sessions| sessions.last_mut()) else {
            return 127;
        };
        let older = match typed.contains(['!', '^']) && session.expands() {
            true => recalled(typed, &lock(&session.login.desk).typed),
            false => Ok(None),
        };
        let typed = match &older {
            Ok(None) => typed,
            // What is meant is shown before it runs.
            Ok(Some(line)) => {
                out(Stream::Err, format!("{line}\n").as_bytes());
                line
            }
            Err(why) => {
                out(Stream::Err, format!("bash: {why}\n").as_bytes());
                return 1;
            }
        };
        let refused = match line::starts_a_shell(typed) {
            true => Some("a shell inside this one".to_string()),
            false => line::refused(typed).map(String::from).or_else(|| session.refused(typed)),
        };
        let line = match (refused, session.shared(&self.shared, &braced(typed))) {
            (None, Ok(line)) => line,
            (Some(what), _) | (None, Err(what)) => {
                out(Stream::Err, format!("bash: {what}: not simulated in this lab\n").as_bytes());
                return 2;
            }
        };
        {
            let mut desk = lock(&session.login.desk);
            desk.typed.extend((!typed.trim().is_empty()).then(|| typed.trim_end().to_string()));
            desk.plain = line::is_plain(typed);
            desk.fed.clear();
        }
        let out = Arc::new(Mutex::new(out));
        let status = session.run(&self.shared, &line, &out).await;
        let (login, exit) = {
            let mut desk = lock(&session.login.desk);
            (desk.login.take(), desk.exit.take())
        };
        if let Some(new) = login.and_then(|host| self.log_in(&host)) {
            self.tabs.entry(tab.to_string()).or_default().push(new);
        }
        if let Some(status) = exit {
            self.leave(tab, status, &out);
        }
        status
    }

    /// Ends the topmost login of a tab. The last one is followed by a fresh one, so that a tab never dies.
    fn leave(&mut self, tab: &str, status: i32, out: &Mutex<Output>) {
        let Some(sessions) = self.tabs.get_mut(tab) else { return };
        let Some(left) = sessions.pop() else { return };
        let host = left.login.host;
        if sessions.is_empty() {
            let text = format!("exit {status}: this was the tab's own shell; a fresh one starts\n");
            lock(out)(Stream::Err, text.as_bytes());
            self.open(tab, &host);
        } else {
            lock(out)(Stream::Out, b"logout\n");
            lock(out)(Stream::Err, format!("Connection to {host} closed.\n").as_bytes());
        }
    }

    /// The prompt of a tab: `$ ` on the control host, `root@omen:/etc# ` on a node.
    pub fn prompt(&self, tab: &str) -> String {
        let Some(session) = self.top(tab) else { return String::new() };
        let machine = &session.login.machine;
        if machine.control {
            return "$ ".into();
        }
        let cwd = session.cwd();
        let shown = match cwd.strip_prefix(machine.home.as_str()) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
            _ => cwd,
        };
        let sign = if machine.user == "root" { '#' } else { '$' };
        format!("{}@{}:{shown}{sign} ", machine.user, session.login.host)
    }

    /// The machine and the folder that a tab is in.
    pub fn place(&self, tab: &str) -> Option<(String, String)> {
        self.top(tab).map(|session| (session.login.host.clone(), session.cwd()))
    }

    /// True where the line is unfinished, so that another one must follow before it can run.
    pub fn needs_more(&self, line: &str) -> bool {
        line::needs_more(line)
    }

    /// What could stand at the cursor, counted in bytes, of a line of a tab.
    pub fn complete(&self, tab: &str, line: &str, cursor: usize) -> Completion {
        let Some(session) = self.top(tab) else { return Completion::default() };
        let state = session.login.bash.shell_state_view();
        let more_names = state.aliases.keys().cloned().collect();
        let cwd = state.cwd.to_string_lossy();
        let (host, home) = (session.login.host.as_str(), session.login.machine.home.as_str());
        complete(
            &self.shared,
            Place { host, cwd: &cwd, home, more_names, env: &|name| state.env.get(name).cloned() },
            line,
            cursor,
        )
    }

    /// Stops the line that runs, from another task or thread.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle { running: self.shared.running.clone() }
    }

    fn top(&self, tab: &str) -> Option<&Session> {
        self.tabs.get(tab).and_then(|sessions| sessions.last())
    }
}

impl Session {
    fn cwd(&self) -> String {
        self.login.bash.shell_state_view().cwd.to_string_lossy().into_owned()
    }

    /// Makes the scripts that a line names known; what is refused of one that a shell of the line reads.
    fn refused(&self, line: &str) -> Option<String> {
        self.login.scripts.enlist(line, &self.cwd())
    }

    /// The line with what it needs where several commands share an input; functions of earlier lines and scripts are asked too.
    fn shared<W: World>(&self, world: &Shared<W>, line: &str) -> Result<String, String> {
        if !line.contains("read") && !line.contains(['<', '|']) {
            return Ok(line.to_string());
        }
        let (state, cwd) = (self.login.bash.shell_state(), self.cwd());
        let script = |name: &str| {
            let path = fourgaps_base::join(if name.starts_with('/') { "/" } else { &cwd }, name);
            Some(world.world().files(&self.login.host).text(&path)?.into_owned())
        };
        shared(line, &|name| taken(&state, &script, name, 0))
    }

    /// True unless `set +H` was said.
    fn expands(&self) -> bool {
        self.login.bash.shell_state_view().variables.get("SHOPT_H").is_none_or(|value| value != "0")
    }

    async fn run<W: World>(&mut self, shared: &Arc<Shared<W>>, line: &str, out: &Arc<Mutex<Output>>) -> i32 {
        let _at_work = AtWork::new(shared, &self.login.bash);
        let cwd = self.cwd();
        let clock = clock_lines(line, self.login.since_ms, shared.world().now_ms());
        let resumed = self.resume.before(line, clock);
        let mut done = self.login.bash.exec_with_options(&resumed, shown(out, &cwd)).await;
        if self.may_owe(line) {
            let owed = self.login.bash.exec_with_options(NOTHING, shown(out, &cwd)).await;
            done = if owed.as_ref().is_ok_and(|owed| owed.exit_code == 0) { done } else { owed };
        }
        let status = match done {
            Ok(result) => {
                if result.stdout_truncated || result.stderr_truncated {
                    let text = format!(
                        "bash: a line may print {} MB; the rest is not shown\n",
                        MOST_OUTPUT / 1_000_000
                    );
                    lock(out)(Stream::Err, text.as_bytes());
                }
                result.exit_code
            }
            Err(Error::Cancelled) => 130,
            Err(error) => {
                let (text, status) = limit_text(&error);
                lock(out)(Stream::Err, format!("bash: {text}\n").as_bytes());
                status
            }
        };
        self.resume.after(&self.login.bash, status);
        status
    }

    /// True where the interpreter may have kept a fault for the next line: one of an expansion in the redirection of no
    /// command, as in a `<<E` alone. It tells it at the next command, and runs that one not.
    fn may_owe(&self, line: &str) -> bool {
        let state = self.login.bash.shell_state_view();
        let is_traced = state.traps.contains_key("DEBUG") || state.variables.contains_key("SHOPT_x");
        line.contains("${") && line.contains(['<', '>']) && !is_traced
    }
}

/// What a function or a script takes of its input. Each may call itself.
fn taken(
    state: &ShellState,
    script: &dyn Fn(&str) -> Option<String>,
    name: &str,
    deep: usize,
) -> Option<Takes> {
    let known = |name: &str| taken(state, script, name, deep + 1);
    match deep {
        8.. => None,
        _ if name.contains('/') => Some(taken_by(&script(name)?, &known)),
        _ => Some(takes(&state.functions.get(name)?.body, &known)),
    }
}

/// A command that does nothing and keeps `$_`.
const NOTHING: &str = ": \"$_\"";

/// Options of a line whose output is shown as it comes.
fn shown(out: &Arc<Mutex<Output>>, cwd: &str) -> ExecOptions {
    let (sink, cwd) = (out.clone(), cwd.to_string());
    ExecOptions::new().streaming(Box::new(move |stdout, stderr| {
        let mut sink = lock(&sink);
        if !stdout.as_bytes().is_empty() {
            sink(Stream::Out, stdout.as_bytes());
        }
        if !stderr.as_bytes().is_empty() {
            sink(Stream::Err, plain_words(&stderr.text_lossy(), &cwd).as_bytes());
        }
    }))
}

/// Stops a running line at its next command, as Ctrl+C does: its status is 130.
#[derive(Clone)]
pub struct StopHandle {
    running: Arc<Mutex<Vec<Arc<AtomicBool>>>>,
}

impl StopHandle {
    /// Stops the line that runs now; nothing happens where none does.
    pub fn stop(&self) {
        for flag in lock(&self.running).iter() {
            flag.store(true, Ordering::Relaxed);
        }
    }
}
