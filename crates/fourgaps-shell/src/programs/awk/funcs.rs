//! The functions that awk brings. Source: POSIX awk, "Functions"; mawk 1.3.4 as recorded in the snippets, among them how
//! `substr` rounds and that the empty text is found at 1.

use super::code::{CONVFMT, FS, Func, Place, RLENGTH, RSTART};
use super::ere::Ere;
use super::format::{Fault, format};
use super::io::{Answer, Need};
use super::record::{MOST_FIELDS, Separator, parted};
use super::run::{Done, Machine, Stop, run_time};
use super::step::signed_nan;
use super::value::{Str, Value, whole};

/// Bytes that mawk has for a text of `sprintf`.
const MOST_SPRINTF: usize = 8192;
/// Bytes that it has for a time; what is as long is lost.
const MOST_TIME: usize = 128;

impl Machine {
    pub(super) fn func(&mut self, func: Func, words: usize) -> Done {
        match func {
            Func::System => return self.system(),
            Func::Close => return self.close(),
            Func::Fflush => return self.fflush(words),
            Func::Match => return self.match_func(),
            _ => {}
        }
        let words = self.take(words);
        let first = words.first().unwrap_or(&Value::Null);
        let math = |act: fn(f64) -> f64| {
            let number = first.num();
            Value::Num(signed_nan(act(number), &[number]))
        };
        let value = match func {
            Func::Atan2 => Value::Num(first.num().atan2(words.get(1).map_or(0.0, Value::num))),
            Func::Cos => math(f64::cos),
            Func::Exp => math(f64::exp),
            Func::Int => math(f64::trunc),
            Func::Log => math(f64::ln),
            Func::Sin => math(f64::sin),
            Func::Sqrt => math(f64::sqrt),
            Func::Rand => Value::Num(self.random.fraction()),
            Func::Srand => {
                let seed = if words.is_empty() { Value::Num(self.now_s as f64) } else { first.clone() };
                self.random.begin(seed)
            }
            Func::Length if words.is_empty() => Value::Num(self.whole().len() as f64),
            Func::Length => Value::Num(self.text(first).len() as f64),
            Func::Index => {
                let (text, part) = (self.text(first), self.text(words.get(1).unwrap_or(&Value::Null)));
                self.cost += text.len() as u64 / 16;
                let found = match part.len() {
                    0 => Some(0),
                    length => text.windows(length).position(|window| *window == part[..]),
                };
                Value::Num(found.map_or(0.0, |at| at as f64 + 1.0))
            }
            Func::Substr => self.substr(&words)?,
            Func::Tolower => {
                let text = self.text(first).to_ascii_lowercase();
                self.made(text)?
            }
            Func::Toupper => {
                let text = self.text(first).to_ascii_uppercase();
                self.made(text)?
            }
            Func::Sprintf => {
                let mut text = Vec::new();
                self.formatted(&words, &mut text)?;
                if text.len() > MOST_SPRINTF {
                    let why = format!("program limit exceeded: sprintf buffer size={MOST_SPRINTF}");
                    return Err(Stop::Fatal(why));
                }
                self.made(text)?
            }
            Func::Systime => Value::Num(self.now_s as f64),
            Func::Strftime => self.strftime(&words)?,
            Func::Mktime => Value::Num(mktime(&self.text(first)).unwrap_or(-1.0)),
            _ => Value::Null,
        };
        self.push(value);
        Ok(())
    }

    /// What begins before the text is as much longer as that is before 0, which is mawk's way of it.
    fn substr(&mut self, words: &[Value]) -> Result<Value, Stop> {
        let [text, begin, ..] = words else { return Ok(Value::Null) };
        let text = self.text(text);
        let begin = whole(begin.num());
        let mut length = words.get(2).map_or(i32::MAX, |length| whole(length.num()));
        if begin < 1 {
            // Also where that is more than there are numbers; what has no length given is the rest.
            let is_rest = words.len() < 3 && begin > -i32::MAX + 1;
            length = if is_rest { length } else { length.wrapping_sub(begin) };
        }
        let from = usize::try_from(begin.max(1) - 1).unwrap_or(0).min(text.len());
        let to = from.saturating_add(usize::try_from(length).unwrap_or(0)).min(text.len());
        self.made(text.get(from..to).unwrap_or_default().to_vec())
    }

    /// A format and its values as a text.
    pub(super) fn formatted(&mut self, words: &[Value], out: &mut Vec<u8>) -> Done {
        let Some((by, values)) = words.split_first() else { return Ok(()) };
        let by = self.text(by);
        let convfmt = self.global_text(CONVFMT);
        self.cost += by.len() as u64 / 16;
        let shown = || String::from_utf8_lossy(&by).into_owned();
        format(out, &by, values, &convfmt).map_err(|fault| match fault {
            Fault::TooFew => run_time(format_args!("not enough arguments passed to printf(\"{}\")", shown())),
            Fault::Improper(number) => {
                run_time(format_args!("improper conversion(number {number}) in printf(\"{}\")", shown()))
            }
            Fault::TooWide => Stop::Fatal("a piece of 1 MB: not simulated in this lab".into()),
        })
    }

    fn strftime(&mut self, words: &[Value]) -> Result<Value, Stop> {
        let by = words.first().map_or_else(|| Str::from(&b"%c"[..]), |by| self.text(by));
        let by = if by.is_empty() { "%c".into() } else { String::from_utf8_lossy(&by).into_owned() };
        let second = words.get(1).map_or(self.now_s as f64, Value::num);
        if !(0.0..1e12).contains(&second) {
            return Err(Stop::Fatal("a time before 1970: not simulated in this lab".into()));
        }
        // What is a quarter for date(1) is nothing for strftime(3).
        let mut text = crate::programs::date::filled(&by.replace("%q", "%%q"), second as u64 * 1000);
        if text.len() >= MOST_TIME {
            text.clear();
        }
        self.made(text.into_bytes())
    }

    /// The regular expression of a word: one of the program or a text.
    fn with_ere<T>(&mut self, word: &Value, act: impl FnOnce(&mut Ere) -> T) -> Result<T, Stop> {
        if let Value::Regex(at) = word {
            return self.program.regexes.get_mut(*at as usize).map(act).ok_or(Stop::End);
        }
        let pattern = self.text(word);
        self.ere(&pattern).map(act)
    }

    fn match_func(&mut self) -> Done {
        let pattern = self.pop();
        let text = self.pop();
        let text = self.text(&text);
        self.cost += text.len() as u64 / 8;
        let found = self.with_ere(&pattern, |ere| ere.find(&text, 0))?;
        let (start, length) =
            found.map_or((0.0, -1.0), |(begin, end)| (begin as f64 + 1.0, (end - begin) as f64));
        self.set_global(RSTART, Value::Num(start));
        self.set_global(RLENGTH, Value::Num(length));
        self.push_number(start);
        Ok(())
    }

    pub(super) fn split(&mut self, array: super::value::Var, words: usize) -> Done {
        let by = if words > 1 { Some(self.pop()) } else { None };
        let text = self.pop();
        let text = self.text(&text);
        self.cost += text.len() as u64 / 4;
        let parts = match by {
            Some(Value::Regex(at)) => {
                let mut parts = Vec::new();
                if let Some(ere) = self.program.regexes.get_mut(at as usize) {
                    parted(ere, &text, &mut parts);
                }
                parts
            }
            by => {
                let by = by.unwrap_or_else(|| self.global(FS).clone());
                let by = self.text(&by);
                if self.separator.as_ref().is_none_or(|(known, _)| *known != by) {
                    let separator = Separator::new(&by).map_err(run_time)?;
                    self.separator = Some((by, separator));
                }
                self.separator.as_mut().map(|(_, separator)| separator.parts(&text)).unwrap_or_default()
            }
        };
        if parts.len() > MOST_FIELDS {
            return Err(Stop::Fatal(format!("more than {MOST_FIELDS} pieces: not simulated in this lab")));
        }
        let part =
            |(from, to): (u32, u32)| Value::maybe(text.get(from as usize..to as usize).unwrap_or_default());
        let pieces: Vec<Value> = parts.into_iter().map(part).collect();
        let count = pieces.len();
        self.cost += count as u64;
        self.with_array(array, |array| array.fill(pieces))?;
        self.push_number(count as f64);
        Ok(())
    }

    /// `sub` and `gsub`: the pattern and what comes instead lie below the subscript of the place.
    pub(super) fn replace(&mut self, all: bool, place: Place) -> Done {
        let below = Place::cells(Some(place));
        let value = self.load(place, 0)?;
        let text = self.text(&value);
        let by = self.text(self.peek(below));
        let pattern = self.peek(below + 1).clone();
        let mut out = Vec::new();
        let count = self.with_ere(&pattern, |ere| replaced(ere, &text, &by, all, &mut out))?;
        self.cost += count + text.len() as u64 / 8;
        if count > 0 {
            let value = self.made(out)?;
            self.store(place, 0, value)?;
        }
        self.take(below + 2);
        self.push_number(count as f64);
        Ok(())
    }

    /// A command that runs and prints; its status is the value.
    fn system(&mut self) -> Done {
        let status = match self.io.answer.take() {
            Some(Answer::Done(status)) => status,
            _ => return Err(Stop::Need(Need::Run(self.name_at(0), None))),
        };
        self.pop();
        self.push_number(f64::from(status));
        Ok(())
    }

    /// A name on the stack.
    pub(super) fn name_at(&self, below: usize) -> String {
        String::from_utf8_lossy(&self.text(self.peek(below))).into_owned()
    }

    fn close(&mut self) -> Done {
        if let Some(Answer::Done(status)) = self.io.answer.take() {
            self.pop();
            self.push_number(f64::from(status));
            return Ok(());
        }
        let name = self.text(self.peek(0));
        for is_pipe in [true, false] {
            if self.io.output(&name, is_pipe).is_none() {
                continue;
            }
            if is_pipe {
                let (_, output) = self.io.outputs.remove(0);
                return Err(Stop::Need(Need::Run(self.name_at(0), Some(output.bytes))));
            }
            if self.io.is_dirty() {
                return Err(Stop::Need(Need::Flush));
            }
            self.io.outputs.remove(0);
            self.pop();
            self.push_number(0.0);
            return Ok(());
        }
        let found = self.io.inputs.iter().position(|(known, ..)| known[..] == name[..]);
        let status = found.map_or(-1, |at| self.io.inputs.remove(at).2.status);
        self.pop();
        self.push_number(f64::from(status));
        Ok(())
    }

    fn fflush(&mut self, words: usize) -> Done {
        if self.io.is_dirty() || !self.io.out.is_empty() {
            return Err(Stop::Need(Need::Flush));
        }
        let is_open = words == 0 || {
            let name = self.text(self.peek(0));
            self.io.outputs.iter().any(|(known, _)| known[..] == name[..]) || &name[..] == b"/dev/stdout"
        };
        self.take(words);
        self.push_number(if is_open { 0.0 } else { -1.0 });
        Ok(())
    }
}

/// Replaces the first match of a text, or all, and gives how many there were. A match of nothing right behind another one is
/// none.
fn replaced(ere: &mut Ere, text: &[u8], by: &[u8], all: bool, out: &mut Vec<u8>) -> u64 {
    let (mut count, mut copied, mut from) = (0, 0, 0);
    let mut last = None;
    while let Some((begin, end)) = ere.find(text, from) {
        if begin == end && last == Some(begin) {
            from = begin + 1;
        } else {
            out.extend_from_slice(text.get(copied..begin).unwrap_or_default());
            push_replacement(out, by, text.get(begin..end).unwrap_or_default());
            (copied, last) = (end, Some(end));
            from = if begin == end { end + 1 } else { end };
            count += 1;
        }
        if !all || from > text.len() {
            break;
        }
    }
    if count > 0 {
        out.extend_from_slice(text.get(copied..).unwrap_or_default());
    }
    count
}

/// `&` is what was found, unless a backslash stands before it.
fn push_replacement(out: &mut Vec<u8>, by: &[u8], found: &[u8]) {
    let mut at = 0;
    while let Some(&byte) = by.get(at) {
        at += 1;
        match (byte, by.get(at)) {
            (b'&', _) => out.extend_from_slice(found),
            (b'\\', Some(next @ (b'&' | b'\\'))) => {
                out.push(*next);
                at += 1;
            }
            _ => out.push(byte),
        }
    }
}

/// The seconds since 1970 of `YYYY MM DD HH MM SS`. Source: mawk(1); the time zone of the lab is UTC.
fn mktime(text: &[u8]) -> Option<f64> {
    let text = core::str::from_utf8(text).ok()?;
    let parts: Vec<i64> = text.split_whitespace().map_while(|part| part.parse().ok()).take(7).collect();
    let &[year, month, day, hour, minute, second, ref summer @ ..] = &parts[..] else { return None };
    let months = year.checked_mul(12)?.checked_add(month)?.checked_sub(1)?;
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
    let first = crate::programs::moment::days_of(year, month, 1)?;
    let days = first.checked_add(day)?.checked_sub(1)?;
    let hours = days.checked_mul(24)?.checked_add(hour)?;
    let seconds = hours.checked_mul(60)?.checked_add(minute)?.checked_mul(60)?.checked_add(second)?;
    let early = if summer.first().is_some_and(|summer| *summer > 0) { 3600.0 } else { 0.0 };
    Some(seconds as f64 - early)
}
