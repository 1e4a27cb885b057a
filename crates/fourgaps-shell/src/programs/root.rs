//! `sudo`: every login is root already, so it runs the command as it stands, without what only a shell has.

use crate::names::{is_known, is_shell_only};
use bashkit::{Builtin, BuiltinContext, ExecResult, ExecutionPlan, Result, SubCommand, async_trait};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(crate) struct Sudo {
    /// The names of all programs.
    pub known: Arc<BTreeSet<String>>,
}

#[async_trait]
impl Builtin for Sudo {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        Ok(match self.command(&ctx) {
            Err((text, status)) => ExecResult::err(text, status),
            Ok(_) => ExecResult::ok(""),
        })
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> Result<Option<ExecutionPlan>> {
        Ok(self.command(ctx).ok().map(|command| ExecutionPlan::Batch { commands: vec![command] }))
    }
}

impl Sudo {
    fn command(&self, ctx: &BuiltinContext<'_>) -> std::result::Result<SubCommand, (String, i32)> {
        let mut words = ctx.args;
        loop {
            match words {
                [option, rest @ ..] if ["-n", "-E", "-H", "-S"].contains(&option.as_str()) => words = rest,
                [option, user, rest @ ..] if option == "-u" && user == "root" => words = rest,
                [option, user, ..] if option == "-u" => {
                    return Err((format!("sudo: user {user}: not simulated in this lab\n"), 1));
                }
                [option, rest @ ..] if option == "--" => {
                    words = rest;
                    break;
                }
                [option, ..] if option.starts_with('-') => {
                    return Err((format!("sudo: {option}: not simulated in this lab\n"), 1));
                }
                _ => break,
            }
        }
        let is_assignment = |word: &&String| {
            let name = word.split('=').next().unwrap_or_default();
            word.contains('=') && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        let assigned = words.iter().take_while(is_assignment).count();
        let pair = |word: &String| word.split_once('=').map(|(name, value)| (name.into(), value.into()));
        let assignments = words[..assigned].iter().filter_map(pair).collect();
        let Some((name, args)) = words[assigned..].split_first() else {
            return Err(("sudo: a command is missing\n".into(), 1));
        };
        let found = name.contains('/') || self.known.contains(name.as_str());
        if is_shell_only(name) || !(found || is_known(name)) {
            return Err((format!("sudo: {name}: command not found\n"), 1));
        }
        Ok(SubCommand { name: name.clone(), args: args.to_vec(), stdin: ctx.stdin.cloned(), assignments })
    }
}
