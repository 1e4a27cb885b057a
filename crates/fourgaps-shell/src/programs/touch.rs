//! `touch`: makes a file, or sets the time of its last change. The interpreter's own one takes the clock of the machine
//! that we run on.

use super::ls::capital;
use super::moment::{Unread, read};
use super::options::Accepts;
use super::stat::Look;
use crate::command::{Call, Command};
use crate::disk::NOTHING;
use crate::world::World;
use fourgaps_base::{FileEdit, FileError};

pub(crate) struct Touch;

impl<W: World> Command<W> for Touch {
    fn name(&self) -> &str {
        "touch"
    }

    fn help(&self) -> String {
        super::help::of("touch").into()
    }

    fn run(&self, call: &mut Call<'_, W>) -> i32 {
        let words = [("no-create", "c"), ("date", "d:"), ("reference", "r:")];
        let given = match (Accepts { letters: "cfmd:r:t:", words: &words }).parse(call.args) {
            Ok(given) => given,
            Err(option) => return call.not_simulated("touch", &option),
        };
        if given.rest.is_empty() {
            call.err("touch: missing file operand\nTry 'touch --help' for more information.\n");
            return 1;
        }
        let (now_ms, epoch_ms) = (call.world.now_ms(), call.world.epoch_ms());
        let since = |ms: u64| {
            let whole = |ms: u64| i64::try_from(ms).unwrap_or(i64::MAX);
            whole(ms) - whole(epoch_ms)
        };
        let named = given.value('d').map(String::from);
        let said = named.or_else(|| given.value('t').map(|text| stamp(text).unwrap_or("?".into())));
        let at_ms = match (said, given.value('r')) {
            (Some(words), _) => match read(&words, now_ms) {
                Ok(ms) => Some(since(ms)),
                Err(Unread::NotSimulated) => return call.not_simulated("touch", &format!("-d {words}")),
                Err(Unread::Invalid) => {
                    let text = given.value('d').or(given.value('t')).unwrap_or_default();
                    call.err(format!("touch: invalid date format ‘{text}’\n"));
                    return 1;
                }
            },
            (None, Some(name)) => match Look::at(call.world.files(call.host), &call.path(name), true) {
                Ok(look) => Some(look.changed_ms),
                Err(error) => {
                    call.err(format!("touch: failed to get attributes of '{name}': {}\n", capital(&error)));
                    return 1;
                }
            },
            (None, None) => None,
        };
        let mut status = 0;
        for name in given.rest.iter().filter(|name| *name != NOTHING) {
            let path = call.path(name);
            let look = Look::at(call.world.files(call.host), &path, true);
            let mut edit = |edit| call.world.edit(call.host, edit);
            let done = match look {
                Ok(_) => edit(FileEdit::Touch(path, at_ms.unwrap_or(since(now_ms)))),
                Err(FileError::NotFound) if given.has('c') => Ok(()),
                Err(FileError::NotFound) => edit(FileEdit::Write(path.clone(), Vec::new()))
                    .and_then(|()| at_ms.map_or(Ok(()), |at_ms| edit(FileEdit::Touch(path, at_ms)))),
                Err(error) => Err(error),
            };
            if let Err(error) = done {
                call.err(format!("touch: cannot touch '{name}': {}\n", capital(&error)));
                status = 1;
            }
        }
        status
    }
}

/// `[[CC]YY]MMDDhhmm[.ss]` as a date that is read like others.
fn stamp(text: &str) -> Option<String> {
    let (digits, seconds) = text.split_once('.').unwrap_or((text, "00"));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(digits) || !is_number(seconds) || seconds.len() != 2 {
        return None;
    }
    let (year, rest) = digits.split_at(digits.len().checked_sub(8)?);
    let (month, day, hour, minute) = (&rest[..2], &rest[2..4], &rest[4..6], &rest[6..]);
    let date = match year.len() {
        0 => format!("{month}/{day}"),
        2 | 4 => format!("{year}-{month}-{day}"),
        _ => return None,
    };
    Some(format!("{date} {hour}:{minute}:{seconds}"))
}
