//! Tabs: each a stack of logins. A line goes to the topmost one; what it leaves behind is there for the next line.

use crate::command::Command;
use crate::login::{AtWork, Login, Shared, Wishes, lock};
use crate::world::World;
use bashkit::{Error, ExecOptions};
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

/// Takes output while a line runs, in its order.
pub type Output = Box<dyn FnMut(Stream, &[u8]) + Send + Sync>;

/// A shell with its tabs.
pub struct Shell<W: World> {
    shared: Arc<Shared<W>>,
    tabs: BTreeMap<String, Vec<Login>>,
}

impl<W: World> Shell<W> {
    /// A shell without tabs over a world, with the programs that the lab simulates.
    pub fn new(world: Arc<Mutex<W>>, commands: Vec<Box<dyn Command<W>>>) -> Self {
        let commands = commands.into_iter().map(Arc::from).collect();
        Self { shared: Arc::new(Shared { world, commands, running: Arc::default() }), tabs: BTreeMap::new() }
    }

    /// Opens a tab with a fresh login, or replaces it; false where there is no such machine.
    pub fn open(&mut self, tab: &str, host: &str) -> bool {
        let login = Login::new(&self.shared, host, 0);
        let opened = login.is_some();
        self.tabs.extend(login.map(|login| (tab.to_string(), vec![login])));
        opened
    }

    /// Runs a line of a tab to its end and gives its status; 127 where there is no such tab.
    pub async fn run(&mut self, tab: &str, line: &str, out: Output) -> i32 {
        let out = Arc::new(Mutex::new(out));
        let Some(logins) = self.tabs.get_mut(tab) else { return 127 };
        let Some(login) = logins.last_mut() else { return 127 };
        *lock(&login.wishes) = Wishes { plain: is_plain(line), ..Wishes::default() };
        let status = {
            let _at_work = AtWork::new(&self.shared, &login.bash);
            let sink = out.clone();
            let options = ExecOptions::new().streaming(Box::new(move |stdout, stderr| {
                let mut sink = lock(&sink);
                for (stream, data) in [(Stream::Out, stdout), (Stream::Err, stderr)] {
                    if !data.as_bytes().is_empty() {
                        sink(stream, data.as_bytes());
                    }
                }
            }));
            match login.bash.exec_with_options(line, options).await {
                Ok(result) => result.exit_code,
                Err(Error::Cancelled) => 130,
                Err(error) => {
                    lock(&out)(Stream::Err, format!("bash: {error}\n").as_bytes());
                    1
                }
            }
        };
        let wishes = std::mem::take(&mut *lock(&login.wishes));
        if let Some(host) = wishes.login {
            logins.extend(Login::new(&self.shared, &host, 0));
        }
        if wishes.exit.is_some() && logins.len() > 1 {
            let host = logins.pop().map(|login| login.host).unwrap_or_default();
            lock(&out)(Stream::Out, b"logout\n");
            lock(&out)(Stream::Err, format!("Connection to {host} closed.\n").as_bytes());
        }
        status
    }

    /// The prompt of a tab: `$ ` on the control host, `root@omen:/etc# ` on a node.
    pub fn prompt(&self, tab: &str) -> String {
        let Some(login) = self.tabs.get(tab).and_then(|logins| logins.last()) else { return String::new() };
        if login.machine.control {
            return "$ ".into();
        }
        let cwd = login.bash.shell_state_view().cwd.to_string_lossy().into_owned();
        let home = &login.machine.home;
        let shown = match cwd.strip_prefix(home.as_str()) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
            _ => cwd,
        };
        let sign = if login.machine.user == "root" { '#' } else { '$' };
        format!("{}@{}:{shown}{sign} ", login.machine.user, login.host)
    }

    /// Stops the line that runs, from another task or thread.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle { running: self.shared.running.clone() }
    }
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

/// True for a line that is one command without pipes, lists, quotes or redirections.
fn is_plain(line: &str) -> bool {
    !line.contains(['|', '&', ';', '<', '>', '(', ')', '`', '\n', '"', '\'', '$', '{', '}'])
}
