//! Virtual time at the prompt: `sleep`, `watch`, and the lines typed before.

use crate::login::{Seat, lock};
use crate::world::World;
use bashkit::{Builtin, BuiltinContext, ExecResult, ExecutionPlan, Result, SubCommand, async_trait};

/// `sleep` lets virtual time pass; nobody waits.
pub(crate) struct Sleep<W> {
    pub seat: Seat<W>,
}

#[async_trait]
impl<W: World> Builtin for Sleep<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        const HELP: &str = "Try 'sleep --help' for more information.\n";
        self.seat.shared.breathe().await;
        if ctx.args.is_empty() {
            return Ok(ExecResult::err(format!("sleep: missing operand\n{HELP}"), 1));
        }
        let mut total: u64 = 0;
        for word in ctx.args {
            let Some(ms) = milliseconds(word) else {
                let text = format!("sleep: invalid time interval ‘{word}’\n{HELP}");
                return Ok(ExecResult::err(text, 1));
            };
            total = total.saturating_add(ms);
        }
        self.seat.wait(total);
        Ok(ExecResult::ok(""))
    }
}

/// The milliseconds of `1.5`, `2s`, `3m`, `4h`, `1d`.
pub(super) fn milliseconds(word: &str) -> Option<u64> {
    let (at, last) = word.char_indices().next_back()?;
    let (number, unit) = match last {
        's' => (&word[..at], 1000),
        'm' => (&word[..at], 60_000),
        'h' => (&word[..at], 3_600_000),
        'd' => (&word[..at], 86_400_000),
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

/// `:`, `true` and `false`: what endless loops are made of, so the place to give the host its turn.
pub(crate) struct Idle<W> {
    pub seat: Seat<W>,
    pub status: i32,
}

#[async_trait]
impl<W: World> Builtin for Idle<W> {
    async fn execute(&self, _: BuiltinContext<'_>) -> Result<ExecResult> {
        self.seat.shared.breathe().await;
        Ok(ExecResult::with_code("", self.status))
    }
}

/// `watch` shows a few rounds and ends: nothing on a screen would end it.
pub(crate) struct Watch;

/// Rounds that `watch` shows.
const ROUNDS: usize = 3;
/// One round, given its head and the line. One command prints both: what two of them print does not all reach the screen.
const SHOW: &str = "printf '%s\\n' \"$0\"; eval \"$1\"";

#[async_trait]
impl Builtin for Watch {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        Ok(match rounds(ctx.args) {
            Err(refused) => ExecResult::err(refused, 2),
            Ok(_) => ExecResult::ok(""),
        })
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> Result<Option<ExecutionPlan>> {
        Ok(rounds(ctx.args).ok().map(|commands| ExecutionPlan::Batch { commands }))
    }
}

/// The commands of all rounds.
fn rounds(args: &[String]) -> std::result::Result<Vec<SubCommand>, String> {
    let mut seconds = "2".to_string();
    let mut words = args;
    loop {
        match words {
            [option, rest @ ..] if option == "-t" || option == "-x" => words = rest,
            [option, value, rest @ ..] if option == "-n" || option == "--interval" => {
                (seconds, words) = (value.clone(), rest);
            }
            [option, rest @ ..] if option.starts_with("-n") => (seconds, words) = (option[2..].into(), rest),
            [option, ..] if option.starts_with('-') => {
                return Err(format!("watch: {option}: not simulated in this lab\n"));
            }
            [] => return Err("watch: a command is missing\n".into()),
            _ => break,
        }
    }
    if milliseconds(&seconds).is_none() || seconds.ends_with(char::is_alphabetic) {
        return Err(format!("watch: failed to parse argument: '{seconds}'\n"));
    }
    let line = words.join(" ");
    let command = |name: &str, args: Vec<String>| SubCommand {
        name: name.to_string(),
        args,
        stdin: None,
        assignments: Vec::new(),
    };
    let mut commands = Vec::new();
    for round in 1..=ROUNDS {
        let head =
            format!("watch: every {seconds}s: {line} (round {round} of the {ROUNDS} that this lab shows)");
        let shown = [SHOW, &head, &line].map(String::from);
        commands.push(command("sh", ["-c".into()].into_iter().chain(shown).collect()));
        commands.push(command("sleep", vec![seconds.clone()]));
    }
    commands.pop();
    Ok(commands)
}

/// `history` of the tab.
pub(crate) struct History<W> {
    pub seat: Seat<W>,
}

#[async_trait]
impl<W: World> Builtin for History<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        let mut desk = lock(&self.seat.desk);
        let most = match ctx.args {
            [] => usize::MAX,
            [clear, ..] if clear == "-c" => {
                desk.typed.clear();
                0
            }
            [count] if count.parse::<usize>().is_ok() => count.parse().unwrap_or(usize::MAX),
            [other, ..] => {
                return Ok(ExecResult::err(format!("history: {other}: not simulated in this lab\n"), 2));
            }
        };
        let skip = desk.typed.len().saturating_sub(most);
        let lines = desk.typed.iter().enumerate().skip(skip);
        let text: String = lines.map(|(at, line)| format!("{:5}  {line}\n", at + 1)).collect();
        Ok(ExecResult::ok(text))
    }
}
