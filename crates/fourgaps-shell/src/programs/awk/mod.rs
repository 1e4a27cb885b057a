//! `awk`: mawk 1.3.4 20200120, the awk of the machines here, over bytes. The interpreter's own one takes a text apart within a
//! letter and falls over it.
//!
//! A program is read into code ([`parse`], [`code`]) that a machine without a host's stack runs ([`run`]); what it needs from
//! outside, a file or a command, [`host`] gets for it.

mod array;
mod code;
mod ere;
mod expr;
mod format;
mod funcs;
mod host;
mod input;
mod io;
mod lex;
mod parse;
mod random;
mod record;
mod run;
mod step;
mod stmt;
mod value;

use crate::login::Seat;
use crate::world::World;
use bashkit::{Builtin, BuiltinContext, ExecResult, Result, async_trait};
use code::{ARGC, ARGV, ENVIRON};
use fourgaps_base::map_of;
use host::Host;
use run::{Machine, Stop};
use value::{Value, Var};

/// What `-W version` prints.
const VERSION: &str = "mawk 1.3.4 20200120
Copyright 2008-2019,2020, Thomas E. Dickey
Copyright 1991-1996,2014, Michael D. Brennan

";
/// What it prints beside that on standard error.
const BUILD: &str = "\
random-funcs:       srandom/random
regex-funcs:        internal
compiled limits:
sprintf buffer      8192
maximum-integer     2147483647
";

pub(super) struct Awk<W> {
    pub seat: Seat<W>,
}

/// What the words of a command line say.
#[derive(Default)]
struct Asked<'a> {
    /// Files with the program; else the program is the first word.
    files: Vec<&'a str>,
    text: &'a str,
    /// Values in their order, those of FS among them.
    assigned: Vec<(String, Value)>,
    rest: &'a [String],
}

/// Text, status, and whether the version was asked for.
type Told = (String, i32, bool);

fn fault<T>(why: impl core::fmt::Display) -> std::result::Result<T, Told> {
    Err((format!("awk: {why}\n"), 2, false))
}

impl<'a> Asked<'a> {
    /// Takes the words apart as mawk does: options stand first, and a value may be part of its word. Source: mawk(1).
    fn of(args: &'a [String]) -> std::result::Result<Self, Told> {
        let mut asked = Self::default();
        let mut words = args.iter();
        loop {
            let before = words.as_slice();
            let Some(word) = words.next() else { break };
            let Some(option) = word.strip_prefix('-').filter(|option| !option.is_empty()) else {
                words = before.iter();
                break;
            };
            if option == "-" {
                break;
            }
            let letter = option.chars().next().unwrap_or_default();
            if !"FfvW".contains(letter) {
                return fault(format_args!("not an option: {word}"));
            }
            let value = match option.get(1..).filter(|value| !value.is_empty()) {
                Some(value) => value,
                None => match words.next() {
                    Some(value) => value.as_str(),
                    None => return fault(format_args!("option -{letter} lacks argument")),
                },
            };
            match letter {
                'F' => {
                    asked.assigned.push(("FS".into(), Value::Str(lex::unescaped(value.as_bytes()).into())))
                }
                'f' => asked.files.push(value),
                'v' => match input::assignment(value.as_bytes()) {
                    Some(assigned) => asked.assigned.push(assigned),
                    None => return fault(format_args!("improper assignment: -v {value}")),
                },
                _ if value.starts_with('v') || value.starts_with('V') => {
                    return Err((BUILD.into(), 0, true));
                }
                _ if value.starts_with('i') => {}
                _ => return fault(format_args!("-W {value}: not simulated in this lab")),
            }
        }
        asked.rest = words.as_slice();
        if asked.files.is_empty() {
            let Some((text, rest)) = asked.rest.split_first() else {
                return Err((super::help::of("awk").into(), 0, false));
            };
            (asked.text, asked.rest) = (text, rest);
        }
        Ok(asked)
    }
}

/// True for a program that reads no input: it has only `BEGIN`, and asks for no record there.
pub(crate) fn reads_nothing(text: &str) -> bool {
    let asks = |op: &code::Op| matches!(op, code::Op::Getline(code::From::Main, _));
    parse::parse(text.as_bytes()).is_ok_and(|program| !program.reads && !program.code.iter().any(asks))
}

impl<W: World> Awk<W> {
    /// A run that is ready to begin, or what is told instead.
    async fn begin(
        &self,
        ctx: &BuiltinContext<'_>,
        host: &mut Host<'_, W>,
    ) -> std::result::Result<Machine, Told> {
        let asked = Asked::of(ctx.args)?;
        let mut text = asked.text.as_bytes().to_vec();
        for file in &asked.files {
            match host.read(file).await {
                Ok(bytes) => text.extend(bytes),
                Err(why) => return fault(format_args!("cannot open {file} ({why})")),
            }
            text.push(b'\n');
        }
        let program = parse::parse(&text).or_else(fault)?;
        let mut machine = Machine::new(program, self.seat.shared.world().now_ms() / 1000);
        if let Err(Stop::Fatal(why)) = set_up(&mut machine, &asked, ctx) {
            return fault(why);
        }
        Ok(machine)
    }
}

fn set_up(machine: &mut Machine, asked: &Asked<'_>, ctx: &BuiltinContext<'_>) -> run::Done {
    let words = asked.rest.iter().map(String::as_bytes);
    let count = words.len() + 1;
    let argv = std::iter::once(&b"awk"[..]).chain(words);
    let argv = argv.enumerate().map(|(at, word)| (Value::Num(at as f64), Value::maybe(word)));
    let environ = map_of(ctx.env.iter());
    let environ =
        environ.iter().map(|(name, value)| (Value::of(name.as_bytes()), Value::maybe(value.as_bytes())));
    for (at, pairs) in [(ARGV, argv.collect::<Vec<_>>()), (ENVIRON, environ.collect())] {
        for (key, value) in pairs {
            let key = array::Key::of(&key, b"%.6g");
            machine.with_array(Var { local: false, at }, |array| *array.element(&key) = value)?;
        }
        machine.array(Var { local: false, at })?;
    }
    machine.set_global(ARGC, Value::Num(count as f64));
    for (name, value) in &asked.assigned {
        machine.assign(name, value.clone())?;
    }
    Ok(())
}

#[async_trait]
impl<W: World> Builtin for Awk<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        self.seat.shared.breathe().await;
        let mut host = Host::new(&self.seat, &ctx);
        match self.begin(&ctx, &mut host).await {
            Ok(machine) => host.run(machine).await,
            Err((text, status, true)) => {
                Ok(ExecResult { stderr: text.into(), ..ExecResult::with_code(VERSION, status) })
            }
            Err((text, status, _)) => Ok(ExecResult::err(text, status)),
        }
    }
}
