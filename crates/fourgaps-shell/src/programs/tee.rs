//! `tee`: the interpreter's own one ends the whole line where it cannot write a file.

use super::options::Accepts;
use bashkit::{Builtin, BuiltinContext, ExecResult, Result, async_trait};

pub(crate) struct Tee;

#[async_trait]
impl Builtin for Tee {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        let words = [("append", "a"), ("ignore-interrupts", "i")];
        let given = match (Accepts { letters: "aip", words: &words }).parse(ctx.args) {
            Ok(given) => given,
            Err(option) => {
                return Ok(ExecResult::err(format!("tee: {option}: not simulated in this lab\n"), 2));
            }
        };
        let input = ctx.stdin.cloned().unwrap_or_default();
        let mut said = String::new();
        for name in &given.rest {
            let path = ctx.cwd.join(name);
            let done = match given.has('a') {
                true => ctx.fs.append_file(&path, input.as_bytes()).await,
                false => ctx.fs.write_file(&path, input.as_bytes()).await,
            };
            if done.is_err() {
                let is_folder = ctx.fs.stat(&path).await.is_ok_and(|look| look.file_type.is_dir());
                let why = if is_folder { "Is a directory" } else { "No such file or directory" };
                said += &format!("tee: {name}: {why}\n");
            }
        }
        let (stderr, exit_code) = (said.as_str().into(), i32::from(!said.is_empty()));
        Ok(ExecResult { stdout: input, stderr, exit_code, ..Default::default() })
    }
}
