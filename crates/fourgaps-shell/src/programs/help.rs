//! What `--help` of our own programs prints: what of each is simulated here.

use bashkit::{Builtin, BuiltinContext, ExecResult, ExecutionPlan, Result, async_trait};
use std::sync::Arc;

/// The texts, each from its first word `Usage: ` on.
const TEXTS: &str = include_str!("help.txt");

/// The text of a program.
pub(super) fn of(name: &str) -> &'static str {
    let is_its = |text: &&str| {
        text.strip_prefix("Usage: ").is_some_and(|rest| rest.split([' ', '\n']).next() == Some(name))
    };
    TEXTS.split("%%\n").find(is_its).unwrap_or_default()
}

/// A program that says what it simulates before it does anything.
pub(super) struct Helpful {
    pub name: &'static str,
    pub program: Arc<dyn Builtin>,
}

impl Helpful {
    fn is_asked(&self, ctx: &BuiltinContext<'_>) -> bool {
        ctx.args.first().is_some_and(|arg| arg == "--help") && !of(self.name).is_empty()
    }
}

#[async_trait]
impl Builtin for Helpful {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        match self.is_asked(&ctx) {
            true => Ok(ExecResult::ok(of(self.name))),
            false => self.program.execute(ctx).await,
        }
    }

    async fn execution_plan(&self, ctx: &BuiltinContext<'_>) -> Result<Option<ExecutionPlan>> {
        if self.is_asked(ctx) { Ok(None) } else { self.program.execution_plan(ctx).await }
    }
}
