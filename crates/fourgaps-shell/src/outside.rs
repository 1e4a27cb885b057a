//! Programs that need more than one machine or the virtual clock: `ssh`, `sleep`.

use crate::login::{AtWork, Login, Shared, Wishes, lock};
use crate::world::World;
use bashkit::{Builtin, BuiltinContext, ExecOptions, ExecResult, Result, async_trait};
use std::sync::{Arc, Mutex};

/// Logins that one command may open inside each other; the interpreter's stack is small in a browser.
const MOST_LOGINS: usize = 3;

/// The programs of this file for one login.
pub(crate) fn programs<W: World>(
    shared: &Arc<Shared<W>>,
    host: &str,
    wishes: &Arc<Mutex<Wishes>>,
    depth: usize,
) -> Vec<(&'static str, Box<dyn Builtin>)> {
    let _ = host;
    vec![
        ("ssh", Box::new(Ssh { shared: shared.clone(), wishes: wishes.clone(), depth })),
        ("sleep", Box::new(Sleep { shared: shared.clone() })),
    ]
}

struct Ssh<W> {
    shared: Arc<Shared<W>>,
    wishes: Arc<Mutex<Wishes>>,
    depth: usize,
}

#[async_trait]
impl<W: World> Builtin for Ssh<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        let Some((host, words)) = ctx.args.split_first() else {
            return Ok(ExecResult::err("ssh: a machine's name is missing\n", 255));
        };
        if host.starts_with('-') {
            return Ok(ExecResult::err(format!("ssh: {host}: not simulated in this lab\n"), 255));
        }
        let host = host.strip_prefix("root@").unwrap_or(host);
        if self.shared.world().machine(host).is_none() {
            let text = format!("ssh: Could not resolve hostname {host}: Name or service not known\n");
            return Ok(ExecResult::err(text, 255));
        }
        let (line, stdin) = if words.is_empty() {
            if ctx.stdin.is_none() {
                return Ok(self.log_in(host));
            }
            (ctx.stdin_text_lossy().unwrap_or_default().into_owned(), None)
        } else {
            // The real one joins its words with spaces, so quotes are gone on the other side.
            (words.join(" "), ctx.stdin.cloned())
        };
        if self.depth >= MOST_LOGINS {
            return Ok(ExecResult::err("ssh: no more logins inside each other in this lab\n", 255));
        }
        let Some(mut login) = Login::new(&self.shared, host, self.depth + 1) else {
            return Ok(ExecResult::err("", 255));
        };
        let _at_work = AtWork::new(&self.shared, &login.bash);
        login.bash.set_interactive(false);
        let options = ExecOptions::new().stdin(stdin.unwrap_or_default());
        login.bash.exec_with_options(&line, options).await
    }
}

impl<W: World> Ssh<W> {
    fn log_in(&self, host: &str) -> ExecResult {
        let mut wishes = lock(&self.wishes);
        if !wishes.plain {
            return ExecResult::err("ssh: a login inside a longer line is not simulated in this lab\n", 255);
        }
        wishes.login = Some(host.to_string());
        ExecResult::ok("")
    }
}

struct Sleep<W> {
    shared: Arc<Shared<W>>,
}

#[async_trait]
impl<W: World> Builtin for Sleep<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        let mut total: u64 = 0;
        for word in ctx.args {
            let Some(ms) = milliseconds(word) else {
                let text = format!(
                    "sleep: invalid time interval ‘{word}’\nTry 'sleep --help' for more information.\n"
                );
                return Ok(ExecResult::err(text, 1));
            };
            total = total.saturating_add(ms);
        }
        if ctx.args.is_empty() {
            let text = "sleep: missing operand\nTry 'sleep --help' for more information.\n";
            return Ok(ExecResult::err(text, 1));
        }
        self.shared.world().wait(total);
        Ok(ExecResult::ok(""))
    }
}

/// The milliseconds of `1.5`, `2s`, `3m`, `4h`, `1d`.
fn milliseconds(word: &str) -> Option<u64> {
    let (number, unit) = match word.char_indices().next_back()? {
        (at, 's') => (&word[..at], 1000),
        (at, 'm') => (&word[..at], 60_000),
        (at, 'h') => (&word[..at], 3_600_000),
        (at, 'd') => (&word[..at], 86_400_000),
        _ => (word, 1000),
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && part.is_empty()) || !digits(whole) || !digits(part) {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().unwrap_or(u64::MAX) };
    let thousandths: u64 = format!("{part:0<3}").get(..3)?.parse().ok()?;
    Some(whole.saturating_mul(unit).saturating_add(thousandths * unit / 1000))
}
