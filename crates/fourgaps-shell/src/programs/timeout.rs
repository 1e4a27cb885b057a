//! `timeout`: a command with an end, in the time of the lab. Time passes by `sleep` alone, so that is where it ends; what
//! lets more pass by other ways is told to be beyond it.

use super::clock::milliseconds;
use crate::login::{AtWork, Login, Seat, lock};
use crate::names::{is_known, is_shell_only};
use crate::words::{limit_text, quoted};
use crate::world::World;
use bashkit::{Builtin, BuiltinContext, Error, ExecOptions, ExecResult, Result, async_trait};
use fourgaps_base::map_of;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

/// Commands with an end inside each other, and logins: the stack is small in a browser.
const MOST: usize = 3;

pub(crate) struct Timeout<W> {
    pub seat: Seat<W>,
}

/// When a command has to end, in ms since 1970, and whether it was ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    at_ms: u64,
    /// Its interpreter, counted among those at work.
    level: usize,
    over: bool,
}

#[async_trait]
impl<W: World> Builtin for Timeout<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        let (ms, words) = match self.asked(ctx.args) {
            Ok(asked) => asked,
            Err((text, status)) => return Ok(ExecResult::err(format!("timeout: {text}\n"), status)),
        };
        let (seat, shared) = (&self.seat, &self.seat.shared);
        let inner = Login::new(shared, &seat.host, seat.depth + 1).filter(|_| seat.depth < MOST);
        let Some(Login { mut bash, scripts, .. }) = inner else {
            return Ok(ExecResult::err(
                "timeout: more of them inside each other: not simulated in this lab\n",
                125,
            ));
        };
        // A program gets what is exported and nothing else, so an interpreter of its own may run it, and may be stopped.
        bash.set_interactive(false);
        for (name, value) in map_of(ctx.env.iter()) {
            bash.set_env(name, value);
        }
        let cwd = ctx.cwd.to_string_lossy();
        scripts.enlist(&words.join(" "), &cwd);
        let heard: Arc<Mutex<[Vec<u8>; 2]>> = Arc::default();
        let sink = heard.clone();
        let options = ExecOptions::new()
            .positional(words.to_vec())
            .stdin(ctx.stdin.cloned().unwrap_or_default())
            .streaming(Box::new(move |out, err| {
                let mut heard = lock(&sink);
                heard[0].extend_from_slice(out.as_bytes());
                heard[1].extend_from_slice(err.as_bytes());
            }));
        let at_work = AtWork::new(shared, &bash);
        let now_ms = shared.world().now_ms();
        // None at all is what 0 means.
        let at_ms = if ms == 0 { u64::MAX } else { now_ms.saturating_add(ms) };
        let level = lock(&shared.running).len() - 1;
        lock(&shared.deadlines).push(Deadline { at_ms, level, over: false });
        let done = bash.exec_with_options(&format!("cd -- {}; \"$@\"", quoted(&cwd)), options).await;
        drop(at_work);
        let deadline = lock(&shared.deadlines).pop();
        let [out, mut err] = std::mem::take(&mut *lock(&heard));
        let status = match done {
            Err(Error::Cancelled) if deadline.is_some_and(|deadline| deadline.over) => 124,
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(error) => {
                let (text, status) = limit_text(&error);
                err.extend(format!("timeout: {text}\n").bytes());
                status
            }
            Ok(_) if at_ms < shared.world().now_ms() => {
                err.extend(b"timeout: a command in which time passes by itself: not simulated in this lab\n");
                125
            }
            Ok(result) => result.exit_code,
        };
        Ok(ExecResult { stdout: out.into(), stderr: err.into(), exit_code: status, ..Default::default() })
    }
}

impl<W: World> Timeout<W> {
    /// The time and the command; or what is said instead, and its status.
    fn asked<'a>(&self, args: &'a [String]) -> std::result::Result<(u64, &'a [String]), (String, i32)> {
        let mut words = args;
        loop {
            match words {
                [option, rest @ ..] if option == "--" => {
                    words = rest;
                    break;
                }
                [option, rest @ ..] if option == "--foreground" => words = rest,
                // After the signal nothing is left that another one would have to end.
                [option, _, rest @ ..] if option == "-k" => words = rest,
                [option, ..] if option.starts_with('-') => {
                    return Err((format!("{option}: not simulated in this lab"), 125));
                }
                _ => break,
            }
        }
        const HELP: &str = "\nTry 'timeout --help' for more information.";
        let (duration, command) = match words {
            [] | [_] => return Err((format!("missing operand{HELP}"), 125)),
            [duration, command @ ..] => (duration, command),
        };
        let ms = milliseconds(duration).ok_or((format!("invalid time interval ‘{duration}’{HELP}"), 125))?;
        let name = command[0].as_str();
        let is_there = name.contains('/') || self.seat.shared.names.contains(name) || is_known(name);
        if !is_there || is_shell_only(name) {
            return Err((format!("failed to run command ‘{name}’: No such file or directory"), 127));
        }
        Ok((ms, command))
    }
}

impl<W: World> Seat<W> {
    /// Lets time pass, and no more than a `timeout` around it leaves: that one's interpreter is stopped, and all within it.
    pub(crate) fn wait(&self, ms: u64) {
        let mut deadlines = lock(&self.shared.deadlines);
        let mut world = self.shared.world();
        let now_ms = world.now_ms();
        let first = deadlines.iter_mut().min_by_key(|deadline| deadline.at_ms);
        match first.filter(|first| first.at_ms < now_ms.saturating_add(ms)) {
            None => world.wait(ms),
            Some(first) => {
                world.wait(first.at_ms.saturating_sub(now_ms));
                first.over = true;
                for flag in lock(&self.shared.running).iter().skip(first.level) {
                    flag.store(true, Ordering::Relaxed);
                }
            }
        }
    }
}
