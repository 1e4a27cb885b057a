//! Scripts that are called by their path. The interpreter runs such a file without its first line, so that its options and
//! the numbers of its lines are lost, and hands it nothing but what is exported. So each path that a line or a script names
//! is known as a program here, which does with the first line what execve(2) does.

use super::installed::FOLDERS;
use crate::line;
use crate::login::{PATH, Seat};
use crate::names::is_known;
use crate::world::World;
use bashkit::{
    Builtin, BuiltinContext, BuiltinRegistry, ExecResult, ExecutionPlan, Result, SubCommand, async_trait,
};
use fourgaps_base::join;
use std::path::Path;
use std::sync::{Arc, Weak};

/// What makes paths known to an interpreter.
pub(crate) trait Enlist: Send + Sync {
    /// Makes the paths in a text known, as they are written there and seen from a folder, and those of all programs among
    /// the files. Gives what is refused of a file that a shell in the text reads.
    fn enlist(&self, text: &str, cwd: &str) -> Option<String>;
}

/// The paths of one interpreter.
pub(crate) struct Scripts<W> {
    seat: Seat<W>,
    registry: BuiltinRegistry,
    this: Weak<Scripts<W>>,
}

impl<W: World> Scripts<W> {
    pub(crate) fn new(seat: &Seat<W>, registry: &BuiltinRegistry) -> Arc<Self> {
        let (seat, registry) = (seat.clone(), registry.clone());
        Arc::new_cyclic(|this| Self { seat, registry, this: this.clone() })
    }
}

impl<W: World> Enlist for Scripts<W> {
    fn enlist(&self, text: &str, cwd: &str) -> Option<String> {
        for (name, path, shares) in self.called(text, cwd) {
            let is_program = self.seat.shared.names.contains(&name)
                || self.seat.shared.has_program(&self.seat.host, &name);
            if is_program {
                continue;
            }
            if shares {
                self.registry.remove(&name);
            } else if self.registry.lookup(&name).is_none() {
                let script = Script { all: self.this.clone(), name: name.clone(), path };
                self.registry.insert_trusted(name, Arc::new(script));
            }
        }
        let world = self.seat.shared.world();
        let words: Vec<&str> = text.split(ends).filter(|word| !word.is_empty()).collect();
        let reads = |pair: &&[&str]| ["bash", "sh", ".", "source"].contains(&pair[0]);
        words.windows(2).filter(reads).find_map(|pair| {
            let text = world.files(&self.seat.host).text(&fourgaps_base::join(cwd, pair[1]))?;
            line::refused(&text).map(|what| format!("{}: {what}", pair[1]))
        })
    }
}

/// True for a letter that ends a word.
fn ends(letter: char) -> bool {
    letter.is_whitespace() || ";|&()<>{}`\"'$=*?[]\\".contains(letter)
}

impl<W: World> Scripts<W> {
    /// What scripts may be called by, where each is, and whether what it reads is gone for the loop around it: that only the
    /// interpreter's own way knows.
    fn called(&self, text: &str, cwd: &str) -> Vec<(String, String, bool)> {
        let world = self.seat.shared.world();
        let files = world.files(&self.seat.host);
        let home = world.machine(&self.seat.host).map(|machine| machine.home).unwrap_or_default();
        let named = text.split(ends).filter(|word| word.contains('/') && word.len() < 256);
        let mut called: Vec<(String, String)> = Vec::new();
        called.extend(named.map(|word| {
            let path = match word.strip_prefix("~/") {
                Some(rest) => join(&home, rest),
                None => word.to_string(),
            };
            (path.clone(), path)
        }));
        for (path, _) in
            files.iter().filter(|(path, _)| files.entry(path).is_some_and(|it| it.mode & 0o111 != 0))
        {
            called.push((path.into(), path.into()));
            let place = path.rsplit_once('/').filter(|(folder, _)| PATH.split(':').any(|at| at == *folder));
            called.extend(place.map(|(_, name)| (name.into(), path.into())));
        }
        let shares = |path: &str| {
            let place = if path.starts_with('/') { path.to_string() } else { join(cwd, path) };
            text.contains("read") && files.text(&place).is_none_or(|text| text.contains("read"))
        };
        let with = |(name, path): (String, String)| {
            let shares = shares(&path);
            (name, path, shares)
        };
        called.into_iter().map(with).collect()
    }
}

/// A script: what it is called by, and where it is.
struct Script<W> {
    all: Weak<Scripts<W>>,
    name: String,
    path: String,
}

#[async_trait]
impl<W: World> Builtin for Script<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        Ok(match self.command(&ctx).await {
            Err((why, status)) => ExecResult::err(format!("bash: {}: {why}\n", self.name), status),
            Ok(_) => ExecResult::ok(""),
        })
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> Result<Option<ExecutionPlan>> {
        Ok(self.command(ctx).await.ok().map(|(mut words, assignments)| {
            words.push(self.path.clone());
            words.extend(ctx.args.iter().cloned());
            let (name, args) = (words.remove(0), words);
            let command = SubCommand { name, args, stdin: ctx.stdin.cloned(), assignments };
            ExecutionPlan::Batch { commands: vec![command] }
        }))
    }
}

impl<W: World> Script<W> {
    /// The program that runs the file, and its words before the path; or what is said instead, and its status.
    async fn command(
        &self,
        ctx: &BuiltinContext<'_>,
    ) -> std::result::Result<(Vec<String>, Vec<(String, String)>), (String, i32)> {
        let place = ctx.cwd.join(&self.path);
        let missing = if self.name.contains('/') { "No such file or directory" } else { "command not found" };
        let look = ctx.fs.stat(&place).await.map_err(|_| (missing.to_string(), 127))?;
        if look.file_type.is_dir() {
            return Err(("Is a directory".into(), 126));
        }
        let denied = || ("Permission denied".to_string(), 126);
        if look.mode & 0o111 == 0 {
            return Err(denied());
        }
        let bytes = ctx.fs.read_file(&place).await.map_err(|_| denied())?;
        let text = String::from_utf8_lossy(&bytes);
        if text.chars().take_while(|letter| *letter != '\n').any(|letter| letter == '\0') {
            return Err(("cannot execute binary file: Exec format error".into(), 126));
        }
        let below = self.all.upgrade().and_then(|all| all.enlist(&text, &ctx.cwd.to_string_lossy()));
        if let Some(what) = line::refused(&text).map(String::from).or(below) {
            return Err((format!("{what}: not simulated in this lab"), 2));
        }
        let (name, value) = line::COMMAND;
        let assigned: Vec<(String, String)> = match text.contains(name) {
            true => vec![(name.into(), value.into())],
            false => Vec::new(),
        };
        let Some(first) = text.strip_prefix("#!").and_then(|rest| rest.split('\n').next()) else {
            return Ok((vec!["bash".into()], assigned));
        };
        // All that stands behind the program is one word of it.
        let first = first.trim_matches([' ', '\t']);
        let (program, word) = first.split_once([' ', '\t']).unwrap_or((first, ""));
        let (folder, name) = program.rsplit_once('/').unwrap_or(("", program));
        let is_ours = FOLDERS.contains(&folder);
        let mut words: Vec<String> = match name {
            "bash" | "sh" if is_ours => vec![name.into()],
            // `env -S` takes its one word apart.
            "env" if is_ours && word.starts_with("-S") => {
                return Ok((word[2..].split_whitespace().map(String::from).collect(), assigned));
            }
            _ if ctx.fs.stat(Path::new(program)).await.is_ok_and(|look| look.mode & 0o111 != 0) => {
                vec![program.into()]
            }
            _ if is_ours && is_known(name) => vec![name.into()],
            _ => return Err(("cannot execute: required file not found".into(), 127)),
        };
        words.extend((!word.trim().is_empty()).then(|| word.trim().to_string()));
        Ok((words, assigned))
    }
}
