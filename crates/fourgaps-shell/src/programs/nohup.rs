//! `nohup`: runs a command. Programs here get no signals, so the one that cares is told by a variable.

use bashkit::{Builtin, BuiltinContext, ExecResult, ExecutionPlan, Result, SubCommand, async_trait};

/// Set for a command that ignores SIGHUP.
pub(crate) const SIGHUP_IGNORED: &str = "SIGHUP_IGNORED";

pub(crate) struct Nohup;

#[async_trait]
impl Builtin for Nohup {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        Ok(match ctx.args.first() {
            None => {
                let text = "nohup: missing operand\nTry 'nohup --help' for more information.\n";
                ExecResult::err(text, 125)
            }
            Some(word) => ExecResult::err(format!("nohup: {word}: not simulated in this lab\n"), 125),
        })
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> Result<Option<ExecutionPlan>> {
        let words = ctx.args.strip_prefix(&["--".to_string()]).unwrap_or(ctx.args);
        let command = words.split_first().filter(|(name, _)| !name.starts_with('-'));
        Ok(command.map(|(name, args)| {
            let assignments = vec![(SIGHUP_IGNORED.to_string(), "1".to_string())];
            let stdin = ctx.stdin.cloned();
            let command = SubCommand { name: name.clone(), args: args.to_vec(), stdin, assignments };
            ExecutionPlan::Batch { commands: vec![command] }
        }))
    }
}
