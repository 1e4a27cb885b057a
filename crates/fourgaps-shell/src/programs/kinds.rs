//! `type`, `command -v` and `command -V`: what a name is. The interpreter's own ones know no program of ours, none that is
//! not simulated and no alias, so bash's order stands here: alias, keyword, function, builtin, file (bash(1), `type`).
//!
//! What only the running shell knows, its aliases, functions and remembered files, a short script asks there.

use super::options::Accepts;
use crate::names::is_builtin;
use crate::words::quoted;
use bashkit::{Builtin, BuiltinContext, ExecResult, ExecutionPlan, Result, SubCommand, async_trait};

/// The first word with which `programs::guard` hands over the words of `command`; the letter of its option follows.
pub(super) const AS_COMMAND: &str = "\u{1}command -";

const KEYWORDS: &str =
    "! [[ ]] case coproc do done elif else esac fi for function if in select then time until while { }";

pub(crate) struct Type;

/// What is told of a name.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    Whole,
    /// `-t`: one word for its kind.
    Kind,
    /// `-p`: the file alone.
    Path,
    /// `command -v`: what would run it again.
    Again,
}

#[async_trait]
impl Builtin for Type {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        let asked = match options(ctx.args) {
            Ok(asked) => asked,
            Err(option) => {
                let usage = "type: usage: type [-afptP] name [name ...]";
                return Ok(ExecResult::err(format!("bash: type: {option}: invalid option\n{usage}\n"), 2));
            }
        };
        let (mut text, mut complaints, mut found) = (String::new(), String::new(), 0);
        for name in &asked.names {
            let steps = steps(&ctx, &asked, name).await.into_iter().filter(|step| step.when.is_none());
            let said: Vec<String> = steps.take(asked.most()).map(|step| step.say).collect();
            found += usize::from(!said.is_empty());
            text.extend(said.iter().filter(|line| !line.is_empty()).map(|line| format!("{line}\n")));
            if said.is_empty() && asked.told == Told::Whole {
                complaints += &format!("bash: {}: {name}: not found\n", asked.by);
            }
        }
        let (stdout, stderr) = (text.into(), complaints.into());
        Ok(ExecResult { stdout, stderr, exit_code: asked.status(found), ..Default::default() })
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> Result<Option<ExecutionPlan>> {
        let Ok(asked) = options(ctx.args) else { return Ok(None) };
        // A trace would show the script, so there the shell is not asked.
        if asked.names.is_empty() || ctx.variables.get("SHOPT_x").is_some_and(|on| on == "1") {
            return Ok(None);
        }
        // In a subshell, so that nothing of it stays.
        let mut script = String::from("( set +eu; n=0; ");
        for name in &asked.names {
            script += &one(ctx, &asked, name).await;
        }
        for found in 0..=asked.names.len() {
            script += &format!("[ $n = {found} ] && exit {}; ", asked.status(found));
        }
        let args = vec![script + ")"];
        let command = SubCommand { name: "eval".into(), args, stdin: None, assignments: Vec::new() };
        Ok(Some(ExecutionPlan::Batch { commands: vec![command] }))
    }
}

struct Asked {
    by: &'static str,
    told: Told,
    /// `-a`, `-f` and `-P`.
    all: bool,
    no_functions: bool,
    only_files: bool,
    names: Vec<String>,
}

impl Asked {
    /// How many answers a name gets.
    fn most(&self) -> usize {
        if self.all { usize::MAX } else { 1 }
    }

    /// `command` ends well where any of the names is found, `type` where all are.
    fn status(&self, found: usize) -> i32 {
        let wanted = if self.by == "type" { self.names.len() } else { self.names.len().min(1) };
        i32::from(found < wanted)
    }
}

/// A thing that a name may be.
struct Step {
    /// What the shell is asked, where only that knows; what it says to that is in `l`.
    when: Option<String>,
    /// The line that is printed; behind a question, the words that print it.
    say: String,
}

fn options(args: &[String]) -> std::result::Result<Asked, String> {
    let as_command = args.first().and_then(|first| first.strip_prefix(AS_COMMAND));
    if let Some(letter) = as_command {
        let told = if letter == "v" { Told::Again } else { Told::Whole };
        let names = args[1..].to_vec();
        return Ok(Asked { by: "command", told, all: false, no_functions: false, only_files: false, names });
    }
    // Options end at the first name.
    let words = args.iter().take_while(|arg| arg.len() > 1 && arg.starts_with('-') && *arg != "--").count();
    let given = (Accepts { letters: "afptP", words: &[] }).parse(&args[..words])?;
    let told = match given.options.iter().rev().find(|(letter, _)| ['t', 'p', 'P'].contains(letter)) {
        Some(('t', _)) => Told::Kind,
        Some(_) => Told::Path,
        None => Told::Whole,
    };
    let names = &args[words..];
    let names = names.strip_prefix(&["--".to_string()]).unwrap_or(names).to_vec();
    let (no_functions, only_files) = (given.has('f'), given.has('P'));
    Ok(Asked { by: "type", told, all: given.has('a'), no_functions, only_files, names })
}

/// The part of the script for one name.
async fn one(ctx: &BuiltinContext<'_>, asked: &Asked, name: &str) -> String {
    let first = if asked.all { "" } else { "[ ! \"$f\" ] && " };
    let mut script = String::from("f=; ");
    for Step { when, say } in steps(ctx, asked, name).await {
        let say = match when {
            Some(_) => say,
            None if say.is_empty() => ":".into(),
            None => format!("\\builtin printf '%s\\n' {}", quoted(&say)),
        };
        script += &format!("{first}{} && {{ {say}; f=1; }}; ", when.as_deref().unwrap_or(":"));
    }
    // Without the line, which the interpreter does not tell here.
    let missing = match asked.told {
        Told::Whole => format!(
            "\\builtin printf '%s\\n' \"${{BASH_SOURCE:-$0}}: {}: \"{}': not found' >&2",
            asked.by,
            quoted(name)
        ),
        _ => ":".into(),
    };
    script + &format!("if [ \"$f\" ]; then n=$((n+1)); else {missing}; fi; ")
}

/// What the name may be, in bash's order.
async fn steps(ctx: &BuiltinContext<'_>, asked: &Asked, name: &str) -> Vec<Step> {
    let told = asked.told;
    let simple = |kind: &str| match told {
        Told::Whole => format!("{name} is a {}{kind}", if kind == "function" { "" } else { "shell " }),
        Told::Kind => kind.to_string(),
        Told::Path => String::new(),
        Told::Again => name.to_string(),
    };
    let say = |text: String| format!("\\builtin printf '%s\\n' {}", quoted(&text));
    let shown = quoted(name);
    let mut steps = Vec::new();
    let mut add = |when: Option<String>, say: String| steps.push(Step { when, say });
    if !asked.only_files {
        if ctx.variables.get("SHOPT_expand_aliases").is_some_and(|on| on == "1") {
            let what = match told {
                Told::Whole => format!(
                    "\\builtin eval \"l=${{l#*=}}\"; \\builtin printf '%s\\n' {shown}\" is aliased to \\`$l'\""
                ),
                Told::Again => "\\builtin printf '%s\\n' \"$l\"".into(),
                Told::Kind => "\\builtin echo alias".into(),
                Told::Path => ":".into(),
            };
            add(Some(format!("l=$(\\builtin alias -- {shown} 2>/dev/null)")), what);
        }
        if KEYWORDS.split(' ').any(|word| word == name) {
            add(None, simple("keyword"));
        }
        if !asked.no_functions {
            let what = match told {
                Told::Whole => {
                    format!("{}; \\builtin declare -f -- {shown}", say(simple("function")))
                }
                Told::Path => ":".into(),
                _ => say(simple("function")),
            };
            add(Some(format!("\\builtin declare -F -- {shown} >/dev/null")), what);
        }
        if is_builtin(name) {
            add(None, simple("builtin"));
        }
    }
    let found = files(ctx, name, asked.all).await;
    if !asked.all && told == Told::Whole && !found.is_empty() {
        let hashed = format!("\\builtin printf '%s\\n' {shown}\" is hashed ($l)\"");
        add(Some(format!("l=$(\\builtin hash -t -- {shown} 2>/dev/null)")), hashed);
    }
    for path in found.into_iter().take(asked.most()) {
        let text = match told {
            Told::Whole => format!("{name} is {path}"),
            Told::Kind => "file".into(),
            Told::Path | Told::Again => path,
        };
        add(None, text);
    }
    steps
}

/// The files that the name would run, in the order of `PATH`; where none may be run, the first that is there.
async fn files(ctx: &BuiltinContext<'_>, name: &str, all: bool) -> Vec<String> {
    let path = ctx.variables.get("PATH").or_else(|| ctx.env.get("PATH")).cloned().unwrap_or_default();
    let is_path = name.contains('/');
    let places: Vec<String> = match is_path {
        true => vec![name.to_string()],
        false => {
            path.split(':').map(|at| format!("{}/{name}", if at.is_empty() { "." } else { at })).collect()
        }
    };
    let (mut found, mut other) = (Vec::new(), None);
    for place in places.into_iter().filter(|_| !name.is_empty()) {
        let look = ctx.fs.stat(&ctx.cwd.join(&place)).await;
        match look {
            Ok(look) if look.file_type.is_file() && look.mode & 0o111 != 0 => found.push(place),
            Ok(look) if look.file_type.is_file() && !is_path => other = other.or(Some(place)),
            _ => {}
        }
    }
    if found.is_empty() && !all { other.into_iter().collect() } else { found }
}
