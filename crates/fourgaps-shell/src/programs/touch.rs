//! `touch`: makes a file, or sets the time of its last change. The interpreter's own one takes the clock of the machine
//! that we run on.

use super::ls::capital;
use super::mended::Mended;
use super::options::Accepts;
use super::stat::Look;
use crate::login::Seat;
use crate::world::World;
use bashkit::{Builtin, BuiltinContext, ExecResult, Result, async_trait};
use fourgaps_base::{FileEdit, FileError, clean, join};

pub(crate) struct Touch<W> {
    pub seat: Seat<W>,
}

#[async_trait]
impl<W: World> Builtin for Touch<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        let accepts = Accepts {
            letters: "cfmd:r:t:",
            words: &[("no-create", "c"), ("date", "d:"), ("reference", "r:")],
        };
        let given = match accepts.parse(ctx.args) {
            Ok(given) => given,
            Err(option) => {
                return Ok(ExecResult::err(format!("touch: {option}: not simulated in this lab\n"), 2));
            }
        };
        if given.rest.is_empty() {
            let text = "touch: missing file operand\nTry 'touch --help' for more information.\n";
            return Ok(ExecResult::err(text, 1));
        }
        let cwd = ctx.cwd.to_string_lossy().into_owned();
        let path = |name: &str| if name.starts_with('/') { clean(name) } else { join(&cwd, name) };
        let (shared, host) = (&self.seat.shared, self.seat.host.as_str());
        let at_ms = if let Some(text) = given.value('d').or(given.value('t')) {
            let words = if given.value('d').is_some() { Some(text.to_string()) } else { stamp(text) };
            let read = match words {
                Some(words) => self.seconds(&ctx, words).await?,
                None => None,
            };
            let Some(seconds) = read else {
                return Ok(ExecResult::err(format!("touch: invalid date format ‘{text}’\n"), 1));
            };
            let epoch_ms = i64::try_from(shared.world().epoch_ms()).unwrap_or(i64::MAX);
            Some(seconds.saturating_mul(1000).saturating_sub(epoch_ms))
        } else if let Some(name) = given.value('r') {
            match Look::at(shared.world().files(host), &path(name), true) {
                Ok(look) => Some(look.changed_ms),
                Err(error) => {
                    let text = format!("touch: failed to get attributes of '{name}': {}\n", capital(&error));
                    return Ok(ExecResult::err(text, 1));
                }
            }
        } else {
            None
        };
        let mut said = String::new();
        let mut world = shared.world();
        for name in given.rest.iter().filter(|name| *name != "/dev/null") {
            let path = path(name);
            let now_ms = world.now_ms().saturating_sub(world.epoch_ms());
            let now_ms = i64::try_from(now_ms).unwrap_or(i64::MAX);
            let done = match Look::at(world.files(host), &path, true) {
                Ok(_) => world.edit(host, FileEdit::Touch(path, at_ms.unwrap_or(now_ms))),
                Err(FileError::NotFound) if given.has('c') => Ok(()),
                Err(FileError::NotFound) => {
                    let made = world.edit(host, FileEdit::Write(path.clone(), Vec::new()));
                    let touch = |at_ms| world.edit(host, FileEdit::Touch(path, at_ms));
                    made.and_then(|()| at_ms.map_or(Ok(()), touch))
                }
                Err(error) => Err(error),
            };
            if let Err(error) = done {
                said += &format!("touch: cannot touch '{name}': {}\n", capital(&error));
            }
        }
        Ok(if said.is_empty() { ExecResult::ok("") } else { ExecResult::err(said, 1) })
    }
}

impl<W: World> Touch<W> {
    /// The seconds since 1970 of a moment as `date -d` reads it.
    async fn seconds(&self, ctx: &BuiltinContext<'_>, words: String) -> Result<Option<i64>> {
        let args = vec!["-d".into(), words, "+%s".into()];
        let result = Mended::new("date", &self.seat).original(ctx, args).await?;
        Ok(result.stdout.text_lossy().trim().parse().ok())
    }
}

/// `[[CC]YY]MMDDhhmm[.ss]` as a date that `date` reads; without a year nothing, since it would be that of a clock.
fn stamp(text: &str) -> Option<String> {
    let (digits, seconds) = text.split_once('.').unwrap_or((text, "00"));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(digits) || !is_number(seconds) || seconds.len() != 2 {
        return None;
    }
    let (year, rest) = match digits.len() {
        12 => (digits[..4].to_string(), &digits[4..]),
        // 69 to 99 are of the century before, as POSIX has it.
        10 if &digits[..2] >= "69" => (format!("19{}", &digits[..2]), &digits[2..]),
        10 => (format!("20{}", &digits[..2]), &digits[2..]),
        _ => return None,
    };
    Some(format!("{year}-{}-{} {}:{}:{seconds}", &rest[..2], &rest[2..4], &rest[4..6], &rest[6..]))
}
