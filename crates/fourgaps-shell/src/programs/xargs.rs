//! `xargs`: items of its input become words of commands. The interpreter's own one gives the status of the last command.

use super::options::{Accepts, Given};
use crate::login::Seat;
use crate::names::{is_known, is_shell_only};
use crate::words::quoted;
use crate::world::World;
use bashkit::{Builtin, BuiltinContext, ExecResult, ExecutionPlan, Result, SubCommand, async_trait};

/// Bytes of one command line, as GNU's has it.
const MOST_BYTES: usize = 128 * 1024;
/// What begins the script that runs the commands. 123 to 127 are the statuses of xargs(1).
const HEAD: &str = "s=0
r() { case $1 in 0) ;; 255) echo \"xargs: $2: exited with status 255; aborting\" >&2; exit 124;; *) s=123;; esac; }
";

pub(crate) struct Xargs<W> {
    pub seat: Seat<W>,
}

const ACCEPTS: Accepts<'_> = Accepts {
    letters: "0rtxd:n:I:L:P:s:",
    words: &[
        ("null", "0"),
        ("no-run-if-empty", "r"),
        ("verbose", "t"),
        ("exit", "x"),
        ("delimiter", "d:"),
        ("max-args", "n:"),
        ("max-lines", "L:"),
        ("max-procs", "P:"),
        ("max-chars", "s:"),
        ("replace", "I:"),
    ],
};

/// An item, and whether it ends a line of the input that counts for `-L`.
type Item = (String, bool);

#[async_trait]
impl<W: World> Builtin for Xargs<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        Ok(match self.script(&ctx).await {
            Err((text, status)) => ExecResult::err(format!("xargs: {text}\n"), status),
            Ok(_) => ExecResult::ok(""),
        })
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> Result<Option<ExecutionPlan>> {
        Ok(self.script(ctx).await.ok().map(|script| {
            let args = ["-c".to_string(), script, "xargs".to_string()].to_vec();
            let command = SubCommand { name: "sh".into(), args, stdin: None, assignments: Vec::new() };
            ExecutionPlan::Batch { commands: vec![command] }
        }))
    }
}

impl<W: World> Xargs<W> {
    /// The commands as one script, or what is said instead and its status.
    async fn script(&self, ctx: &BuiltinContext<'_>) -> std::result::Result<String, (String, i32)> {
        let own = own_words(ctx.args);
        let refused = |option: String| (format!("{option}: not simulated in this lab"), 2);
        let given = ACCEPTS.parse(&ctx.args[..own]).map_err(refused)?;
        let echo = ["echo".to_string()];
        let command = if own == ctx.args.len() { &echo[..] } else { &ctx.args[own..] };
        let input = ctx.stdin.map(|stdin| stdin.text_lossy().into_owned()).unwrap_or_default();
        let (items, fault) = match delimiter(&given)? {
            Some(by) => (separated(&input, by), None),
            None => words(&input, given.has('I')),
        };
        let mut script = String::from(HEAD);
        let missing = match command[0].as_str() {
            name if name.contains('/') => match ctx.fs.stat(&ctx.cwd.join(name)).await {
                Ok(found) if found.mode & 0o111 == 0 || found.file_type.is_dir() => {
                    Some((126, "Permission denied"))
                }
                Ok(_) => None,
                Err(_) => Some((127, "No such file or directory")),
            },
            name if is_shell_only(name) || !(self.seat.shared.names.contains(name) || is_known(name)) => {
                Some((127, "No such file or directory"))
            }
            _ => None,
        };
        for line in command_lines(&given, command, items, fault.is_none())? {
            let words: Vec<String> = line.iter().map(|word| quoted(word)).collect();
            let (shown, name) = (words.join(" "), &words[0]);
            if given.has('t') {
                let plain: Vec<String> = line.iter().map(|word| shown_word(word)).collect();
                script += &format!("printf '%s\\n' {} >&2\n", quoted(&plain.join(" ")));
            }
            script += &match missing {
                Some((status, why)) => format!("echo xargs: {name}: {why} >&2; exit {status}\n"),
                None => format!("{shown} < /dev/null; r $? {name}\n"),
            };
        }
        if let Some(fault) = fault {
            script += &format!("echo xargs: {} >&2; exit 1\n", quoted(&fault));
        }
        Ok(script + "exit $s\n")
    }
}

/// How many of the words are options of `xargs` and their values: the first other word is the command.
fn own_words(args: &[String]) -> usize {
    let mut at = 0;
    while let Some(arg) = args.get(at).filter(|arg| arg.len() > 1 && arg.starts_with('-')) {
        at += 1;
        if arg == "--" {
            break;
        }
        let takes_next = match arg.strip_prefix("--") {
            Some(word) => ACCEPTS.words.iter().any(|(name, spec)| *name == word && spec.ends_with(':')),
            // The first letter with a value ends a cluster; its value may stand in the next word.
            None => arg.find(['d', 'n', 'I', 'L', 'P', 's']).is_some_and(|found| found + 1 == arg.len()),
        };
        at += usize::from(takes_next);
    }
    at.min(args.len())
}

fn delimiter(given: &Given) -> std::result::Result<Option<char>, (String, i32)> {
    let value = given.options.iter().rev().find(|(letter, _)| ['0', 'd'].contains(letter));
    let Some((letter, value)) = value else { return Ok(None) };
    let mut letters = value.chars();
    Ok(Some(match (letter, letters.next(), letters.next(), letters.next()) {
        ('0', ..) => '\0',
        (_, Some(by), None, _) => by,
        (_, Some('\\'), Some('n'), None) => '\n',
        (_, Some('\\'), Some('t'), None) => '\t',
        (_, Some('\\'), Some('0'), None) => '\0',
        (_, Some('\\'), Some('\\'), None) => '\\',
        _ => return Err((format!("-d {value}: not simulated in this lab"), 2)),
    }))
}

/// Every delimiter ends an item, also an empty one.
fn separated(input: &str, by: char) -> Vec<Item> {
    let whole = input.strip_suffix(by).unwrap_or(input);
    let items = whole.split(by).map(|item| (item.to_string(), true));
    if input.is_empty() { Vec::new() } else { items.collect() }
}

/// Words with quotes and backslashes; whole lines where a word is to be replaced. And what ends the input early.
fn words(input: &str, by_line: bool) -> (Vec<Item>, Option<String>) {
    let mut items: Vec<Item> = Vec::new();
    let (mut word, mut quote, mut before) = (None::<String>, None, '\n');
    let mut letters = input.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\n', Some(open)) => return (items, Some(unmatched(open))),
            (letter, Some(open)) if letter == open => quote = None,
            (letter, Some(_)) => word.get_or_insert_default().push(letter),
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            ('\\', None) => word.get_or_insert_default().extend(letters.next()),
            ('\n', None) => {
                items.extend(word.take().map(|word| (word, false)));
                // A blank at the end of a line goes on with the next one.
                if let Some(last) = items.last_mut().filter(|_| ![' ', '\t'].contains(&before)) {
                    last.1 = true;
                }
            }
            (' ' | '\t', None) if !by_line => items.extend(word.take().map(|word| (word, false))),
            (' ' | '\t', None) if word.is_none() => {}
            (letter, None) => word.get_or_insert_default().push(letter),
        }
        before = letter;
    }
    if let Some(open) = quote {
        return (items, Some(unmatched(open)));
    }
    items.extend(word.map(|word| (word, true)));
    (items, None)
}

fn unmatched(quote: char) -> String {
    let kind = if quote == '"' { "double" } else { "single" };
    format!("unmatched {kind} quote; by default quotes are special to xargs unless you use the -0 option")
}

/// The words of each command; the last one runs only where the input is whole.
fn command_lines(
    given: &Given,
    command: &[String],
    items: Vec<Item>,
    is_whole: bool,
) -> std::result::Result<Vec<Vec<String>>, (String, i32)> {
    // Of these three the last one counts.
    let limit = given.options.iter().rev().find(|(letter, _)| ['n', 'I', 'L'].contains(letter));
    let (kind, value) = limit.map_or((' ', ""), |(letter, value)| (*letter, value.as_str()));
    if kind == 'I' {
        let replaced = |(item, _): Item| {
            let args = command[1..].iter().map(|word| word.replace(value, &item));
            command[..1].iter().cloned().chain(args).collect()
        };
        return Ok(items.into_iter().map(replaced).collect());
    }
    let most = match value.parse::<usize>() {
        _ if kind == ' ' => usize::MAX,
        Ok(most) if most > 0 => most,
        Ok(_) => return Err((format!("value {value} for -{kind} option should be >= 1"), 1)),
        Err(_) => return Err((format!("invalid number \"{value}\" for -{kind} option"), 1)),
    };
    let bytes = |words: &[String]| words.iter().map(|word| word.len() + 1).sum::<usize>();
    let most_bytes = given.value('s').and_then(|most| most.parse().ok()).unwrap_or(MOST_BYTES);
    let (mut lines, mut line, mut counted) = (Vec::new(), command.to_vec(), 0);
    let mut length = bytes(command);
    let runs_empty = items.is_empty() && !given.has('r');
    for (item, ends_line) in items {
        if line.len() > command.len() && length + item.len() >= most_bytes {
            lines.push(std::mem::replace(&mut line, command.to_vec()));
            (counted, length) = (0, bytes(command));
        }
        length += item.len() + 1;
        line.push(item);
        counted += usize::from(kind != 'L' || ends_line);
        if counted == most {
            lines.push(std::mem::replace(&mut line, command.to_vec()));
            (counted, length) = (0, bytes(command));
        }
    }
    if is_whole && (line.len() > command.len() || runs_empty) {
        lines.push(line);
    }
    Ok(lines)
}

/// A word as `-t` shows it: with quotes where a shell would need them.
fn shown_word(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./=:,+@%^".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_string() } else { quoted(word) }
}
