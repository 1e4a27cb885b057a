//! `ssh`: a line on another machine, or a login there; `logout` from it.

use crate::line;
use crate::login::{AtWork, Login, Seat, lock};
use crate::resume::{Resume, clock_lines};
use crate::shared_input::shared;
use crate::world::World;
use bashkit::{Builtin, BuiltinContext, ControlFlow, ExecOptions, ExecResult, Result, async_trait};

/// Logins that one command may open inside each other: the stack is small in a browser.
const MOST_LOGINS: usize = 3;

pub(crate) struct Ssh<W> {
    pub seat: Seat<W>,
}

/// What the words of `ssh` ask for.
struct Asked<'a> {
    host: &'a str,
    words: &'a [String],
    no_stdin: bool,
}

/// Options change nothing here where a lab has no keys and no network; others are refused.
fn asked(args: &[String]) -> std::result::Result<Asked<'_>, String> {
    let mut words = args;
    let mut no_stdin = false;
    loop {
        match words {
            [option, rest @ ..] if ["-q", "-T", "-t", "-tt", "-x", "-A"].contains(&option.as_str()) => {
                words = rest
            }
            [option, rest @ ..] if option == "-n" => (no_stdin, words) = (true, rest),
            [option, _, rest @ ..] if ["-o", "-i", "-p"].contains(&option.as_str()) => words = rest,
            [option, user, rest @ ..] if option == "-l" && user == "root" => words = rest,
            [option, rest @ ..] if option.starts_with("-o") && option.len() > 2 => words = rest,
            [option, ..] if option.starts_with('-') => {
                return Err(format!("ssh: {option}: not simulated in this lab\n"));
            }
            [] => return Err("ssh: the name of a machine is missing\n".into()),
            [host, words @ ..] => match host.split_once('@') {
                Some((user, _)) if user != "root" => {
                    return Err(format!("ssh: user {user}: not simulated in this lab\n"));
                }
                Some((_, host)) => return Ok(Asked { host, words, no_stdin }),
                None => return Ok(Asked { host, words, no_stdin }),
            },
        }
    }
}

#[async_trait]
impl<W: World> Builtin for Ssh<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        let asked = match asked(ctx.args) {
            Ok(asked) => asked,
            Err(refused) => return Ok(ExecResult::err(refused, 255)),
        };
        let host = asked.host;
        if self.seat.shared.world().machine(host).is_none() {
            let text = format!("ssh: Could not resolve hostname {host}: Name or service not known\n");
            return Ok(ExecResult::err(text, 255));
        }
        let given = ctx.stdin.filter(|_| !asked.no_stdin);
        let (line, stdin) = match (asked.words, given) {
            ([], None) => return Ok(self.log_in(host)),
            // A login without a terminal reads its lines from standard input.
            ([], Some(lines)) => (lines.text_lossy().into_owned(), None),
            // The real one joins its words with spaces, so the quotes of this side are gone on the other.
            (words, given) => (words.join(" "), given.cloned()),
        };
        if self.was_eaten(stdin.as_ref().map(|given| given.as_bytes())) {
            let text = "ssh: the one before has taken the input of this loop (ssh -n leaves it): not simulated in this lab\n";
            return Ok(ExecResult::err(text, 255));
        }
        if self.seat.depth >= MOST_LOGINS {
            return Ok(ExecResult::err(
                "ssh: more logins inside each other: not simulated in this lab\n",
                255,
            ));
        }
        let Some(mut login) = Login::new(&self.seat.shared, host, self.seat.depth + 1) else {
            return Ok(ExecResult::err("", 255));
        };
        let _at_work = AtWork::new(&self.seat.shared, &login.bash);
        login.bash.set_interactive(false);
        let below = login.scripts.enlist(&line, &login.machine.home);
        let clock = clock_lines(&line, login.since_ms, login.since_ms);
        let refused = line::refused(&line).map(String::from).or(below);
        let line = match refused.map_or_else(|| shared(&line, &|_| None), Err) {
            Ok(line) => Resume::default().before(&line, clock),
            Err(what) => {
                return Ok(ExecResult::err(format!("bash: {what}: not simulated in this lab\n"), 2));
            }
        };
        login.bash.exec_with_options(&line, ExecOptions::new().stdin(stdin.unwrap_or_default())).await
    }
}

/// `logout` is `exit` here: every shell of a tab is a login.
pub(crate) struct Logout<W> {
    pub seat: Seat<W>,
}

#[async_trait]
impl<W: World> Builtin for Logout<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        let status = ctx.args.first().and_then(|status| status.parse().ok()).unwrap_or(0);
        lock(&self.seat.desk).exit = Some(status);
        let result = ExecResult::with_control_flow(ControlFlow::Exit(status));
        Ok(ExecResult { exit_code: status, ..result })
    }
}

impl<W: World> Ssh<W> {
    /// The real one reads all of its input. The interpreter hands each program of a loop the rest of the loop's
    /// input and takes nothing away, so that a second turn comes, which the real loop does not have.
    fn was_eaten(&self, given: Option<&[u8]>) -> bool {
        let mut desk = lock(&self.seat.desk);
        let Some(given) = given else { return false };
        let eaten = given.len() < desk.fed.len() && desk.fed.ends_with(given);
        desk.fed = given.to_vec();
        eaten
    }

    fn log_in(&self, host: &str) -> ExecResult {
        let mut desk = lock(&self.seat.desk);
        if !desk.plain || self.seat.depth > 0 {
            return ExecResult::err("ssh: a login inside a longer line: not simulated in this lab\n", 255);
        }
        desk.login = Some(host.to_string());
        ExecResult::ok("")
    }
}
