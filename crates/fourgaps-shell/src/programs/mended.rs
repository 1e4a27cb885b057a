//! Programs of the interpreter that are right but for a few words: the original runs in a bare interpreter behind ours.

use crate::login::Seat;
use crate::world::World;
use bashkit::{Bash, Builtin, BuiltinContext, ExecOptions, ExecResult, Result, async_trait};
use std::path::Path;

/// Where the interpreter keeps what it opens for `<(…)`, and where the inner one finds the copies.
const OPEN_FILES: &str = "/dev/fd/";
const COPIES: &str = "/dev/.fd-copy-";

pub(crate) struct Mended<W> {
    name: &'static str,
    seat: Seat<W>,
}

impl<W: World> Mended<W> {
    /// The programs that this mends.
    pub(crate) const NAMES: [&'static str; 1] = ["cmp"];

    pub(crate) fn new(name: &'static str, seat: &Seat<W>) -> Self {
        Self { name, seat: seat.clone() }
    }

    async fn original(&self, ctx: &BuiltinContext<'_>) -> Result<ExecResult> {
        let mut args = ctx.args.to_vec();
        let now_s = self.seat.shared.world().now_ms() / 1000;
        let name = self.name;
        let mut builder = Bash::builder()
            .fs(ctx.fs.clone())
            .rootfs(false)
            .cwd(ctx.cwd.clone())
            .fixed_epoch(i64::try_from(now_s).unwrap_or(i64::MAX))
            .builtin_filter(move |known| known == name);
        for arg in args.iter_mut().filter(|arg| arg.starts_with(OPEN_FILES)) {
            let bytes = ctx.fs.read_file(Path::new(arg.as_str())).await?;
            *arg = arg.replacen(OPEN_FILES, COPIES, 1);
            builder = builder.mount_readonly_text(arg.as_str(), String::from_utf8_lossy(&bytes));
        }
        let mut bash = builder.build();
        bash.set_interactive(true);
        let options = ExecOptions::new().positional(args).stdin(ctx.stdin.cloned().unwrap_or_default());
        let mut result = bash.exec_with_options(&format!("{name} \"$@\""), options).await?;
        for stream in [&mut result.stdout, &mut result.stderr] {
            if stream.text_lossy().contains(COPIES) {
                *stream = stream.text_lossy().replace(COPIES, OPEN_FILES).into();
            }
        }
        Ok(result)
    }
}

#[async_trait]
impl<W: World> Builtin for Mended<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        let mut result = self.original(&ctx).await?;
        result.stdout = result.stdout.text_lossy().replace(" differ: char ", " differ: byte ").into();
        Ok(result)
    }
}
