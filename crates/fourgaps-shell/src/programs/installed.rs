//! Where a machine has its programs. No tree of files holds them, and yet `type`, `which`, `[ -x … ]` and a path in front of
//! a command find them there, as on a system whose `/bin` is a link to `/usr/bin`.

use super::options::Accepts;
use crate::login::Shared;
use crate::names::is_shell_only;
use crate::world::World;
use bashkit::{Builtin, BuiltinContext, ExecResult, ExecutionPlan, Result, SubCommand, async_trait};
use std::path::Path;

/// The folders; the links first.
pub(crate) const FOLDERS: [&str; 4] = ["/bin", "/sbin", "/usr/bin", "/usr/sbin"];

/// True for a folder of programs, and for the one that they are in.
pub(crate) fn is_folder(path: &str) -> bool {
    path == "/usr" || FOLDERS.contains(&path)
}

impl<W: World> Shared<W> {
    /// The folder in which a machine has a program of this name.
    pub(crate) fn folder_of(&self, host: &str, name: &str) -> Option<&'static str> {
        if is_shell_only(name) || !self.names.contains(name) {
            return None;
        }
        let ours = self.commands.iter().rev().find(|command| command.name() == name);
        ours.map_or(Some("/usr/bin"), |command| command.folder(&self.world(), host))
    }

    /// True where a machine has a program at a path.
    pub(crate) fn has_program(&self, host: &str, path: &str) -> bool {
        let Some((folder, name)) = path.rsplit_once('/').filter(|(folder, _)| FOLDERS.contains(folder))
        else {
            return false;
        };
        let is_there = |real: &str| real == folder || real.strip_prefix("/usr") == Some(folder);
        self.folder_of(host, name).is_some_and(is_there)
    }

    /// The paths of all programs of a machine, each with its name.
    pub(crate) fn program_paths(&self, host: &str) -> Vec<(String, String)> {
        let of = |name: &String| self.folder_of(host, name).map(|folder| (folder, name.clone()));
        let found: Vec<(&str, String)> = self.names.iter().filter_map(of).collect();
        let both = |(folder, name): (&str, String)| {
            [folder, &folder[4..]].map(|folder| (format!("{folder}/{name}"), name.clone()))
        };
        found.into_iter().flat_map(both).collect()
    }
}

/// A program that is called by its path.
pub(crate) struct ByPath(pub String);

#[async_trait]
impl Builtin for ByPath {
    async fn execute(&self, _: BuiltinContext<'_>) -> Result<ExecResult> {
        Ok(ExecResult::ok(""))
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> Result<Option<ExecutionPlan>> {
        // A function of the same name is not meant.
        let args = ["--".to_string(), self.0.clone()].into_iter().chain(ctx.args.iter().cloned()).collect();
        let stdin = ctx.stdin.cloned();
        let command = SubCommand { name: "command".into(), args, stdin, assignments: Vec::new() };
        Ok(Some(ExecutionPlan::Batch { commands: vec![command] }))
    }
}

/// `which`, as Debian has it.
pub(crate) struct Which;

#[async_trait]
impl Builtin for Which {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        let given = match (Accepts { letters: "as", words: &[] }).parse(ctx.args) {
            Ok(given) => given,
            Err(option) => {
                return Ok(ExecResult::err(format!("which: {option}: not simulated in this lab\n"), 2));
            }
        };
        let path = ctx.variables.get("PATH").or_else(|| ctx.env.get("PATH")).cloned().unwrap_or_default();
        let (mut text, mut status) = (String::new(), i32::from(given.rest.is_empty()));
        for name in &given.rest {
            let places: Vec<String> = match name.contains('/') {
                true => vec![name.clone()],
                false => path.split(':').map(|folder| format!("{folder}/{name}")).collect(),
            };
            let mut found = Vec::new();
            for place in places {
                let look = ctx.fs.stat(&ctx.cwd.join(Path::new(&place))).await;
                if look.is_ok_and(|look| look.file_type.is_file() && look.mode & 0o111 != 0) {
                    found.push(place + "\n");
                }
            }
            status |= i32::from(found.is_empty());
            found.truncate(if given.has('a') { usize::MAX } else { 1 });
            text += &found.concat();
        }
        Ok(ExecResult::with_code(if given.has('s') { String::new() } else { text }, status))
    }
}
