//! `cut`: bytes or fields of lines. GNU's counts bytes also for `-c` (coreutils manual, "cut invocation"); the interpreter's
//! counts letters.

use super::options::{Accepts, Given};
use bashkit::{Builtin, BuiltinContext, ExecResult, Result, async_trait};

pub(crate) struct Cut;

const ACCEPTS: Accepts<'_> = Accepts {
    letters: "b:c:f:d:nsz",
    words: &[
        ("bytes", "b:"),
        ("characters", "c:"),
        ("fields", "f:"),
        ("delimiter", "d:"),
        ("only-delimited", "s"),
        ("complement", "C"),
        ("output-delimiter", "O:"),
        ("zero-terminated", "z"),
    ],
};

/// From which to which, counted from 1.
type Range = (usize, usize);

#[async_trait]
impl Builtin for Cut {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        let given = match ACCEPTS.parse(ctx.args) {
            Ok(given) => given,
            Err(option) => {
                return Ok(ExecResult::err(format!("cut: {option}: not simulated in this lab\n"), 2));
            }
        };
        let how = match How::read(&given) {
            Ok(how) => how,
            Err(why) => {
                let text = format!("cut: {why}\nTry 'cut --help' for more information.\n");
                return Ok(ExecResult::err(text, 1));
            }
        };
        let (mut out, mut said) = (Vec::new(), String::new());
        let stdin = ["-".to_string()];
        for name in if given.rest.is_empty() { &stdin[..] } else { &given.rest } {
            if name == "-" {
                how.cut(ctx.stdin.map(|given| given.as_bytes()).unwrap_or_default(), &mut out);
                continue;
            }
            let path = ctx.cwd.join(name);
            match ctx.fs.read_file(&path).await {
                Ok(bytes) => how.cut(&bytes, &mut out),
                Err(_) => {
                    let is_folder = ctx.fs.stat(&path).await.is_ok_and(|look| look.file_type.is_dir());
                    let why = if is_folder { "Is a directory" } else { "No such file or directory" };
                    said += &format!("cut: {name}: {why}\n");
                }
            }
        }
        let (stderr, exit_code) = (said.as_str().into(), i32::from(!said.is_empty()));
        Ok(ExecResult { stdout: out.into(), stderr, exit_code, ..Default::default() })
    }
}

/// What is asked for.
struct How {
    ranges: Vec<Range>,
    /// What stands between fields; nothing where bytes are cut.
    delimiter: Option<u8>,
    only_delimited: bool,
    between: Vec<u8>,
    end: u8,
}

impl How {
    /// What the options ask for, or what is wrong with them.
    fn read(given: &Given) -> std::result::Result<Self, String> {
        let mut lists = given.options.iter().filter(|(letter, _)| "bcf".contains(*letter));
        let (letter, list) = match (lists.next(), lists.next()) {
            (Some(list), None) => list,
            (None, _) => return Err("you must specify a list of bytes, characters, or fields".into()),
            _ => return Err("only one list may be specified".into()),
        };
        let by_field = *letter == 'f';
        let delimiter = match given.value('d').map(str::as_bytes) {
            Some([_, _, ..]) => return Err("the delimiter must be a single character".into()),
            Some(_) if !by_field => {
                return Err("an input delimiter may be specified only when operating on fields".into());
            }
            Some(one) => one.first().copied().unwrap_or(0),
            None => b'\t',
        };
        if given.has('s') && !by_field {
            return Err("suppressing non-delimited lines makes sense\n\tonly when operating on fields".into());
        }
        let mut ranges = ranges(list, by_field)?;
        if given.has('C') {
            let mut next = 1;
            let gaps = ranges.iter().map(|(from, to)| {
                let gap = (next, from - 1);
                next = to.saturating_add(1);
                gap
            });
            let mut gaps: Vec<Range> = gaps.collect();
            gaps.push((next, if next == usize::MAX { 0 } else { usize::MAX }));
            gaps.retain(|(from, to)| from <= to);
            ranges = gaps;
        }
        // An empty one is the byte 0, as GNU's has it.
        let between =
            given.value('O').map(|text| if text.is_empty() { vec![0] } else { text.as_bytes().to_vec() });
        Ok(Self {
            ranges,
            delimiter: by_field.then_some(delimiter),
            only_delimited: given.has('s'),
            between: between.unwrap_or_else(|| by_field.then_some(delimiter).into_iter().collect()),
            end: if given.has('z') { 0 } else { b'\n' },
        })
    }

    fn cut(&self, input: &[u8], out: &mut Vec<u8>) {
        let whole = input.strip_suffix(&[self.end]).unwrap_or(input);
        if input.is_empty() {
            return;
        }
        // Where lines are what is delimited, the whole input is one line of them.
        let by_line = self.delimiter != Some(self.end);
        for line in whole.split(|byte| by_line && *byte == self.end) {
            match self.delimiter {
                None => self.put(
                    self.ranges.iter().filter_map(|(from, to)| line.get(from - 1..(*to).min(line.len()))),
                    out,
                ),
                Some(by) if !line.contains(&by) => {
                    if self.only_delimited {
                        continue;
                    }
                    out.extend_from_slice(line);
                }
                Some(by) => {
                    let fields: Vec<&[u8]> = line.split(|byte| *byte == by).collect();
                    let wanted = self.ranges.iter().flat_map(|(from, to)| {
                        fields.get(from - 1..(*to).min(fields.len())).unwrap_or_default()
                    });
                    self.put(wanted.copied(), out);
                }
            }
            out.push(self.end);
        }
    }

    fn put<'a>(&self, parts: impl Iterator<Item = &'a [u8]>, out: &mut Vec<u8>) {
        for (at, part) in parts.enumerate() {
            if at > 0 {
                out.extend_from_slice(&self.between);
            }
            out.extend_from_slice(part);
        }
    }
}

/// The ranges of a list in their order; those that overlap are one.
fn ranges(list: &str, by_field: bool) -> std::result::Result<Vec<Range>, String> {
    let from_one =
        if by_field { "fields are numbered from 1" } else { "byte/character positions are numbered from 1" };
    let number = |text: &str, item: &str| {
        if let Some(odd) = item.find(|letter: char| !letter.is_ascii_digit() && letter != '-') {
            let what = if by_field { "field value" } else { "byte/character position" };
            return Err(format!("invalid {what} ‘{}’", &item[odd..]));
        }
        if text.contains('-') {
            return Err(format!("invalid {} range", if by_field { "field" } else { "byte or character" }));
        }
        let what = if by_field { "field number" } else { "byte/character offset" };
        text.parse().ok().filter(|number| *number < usize::MAX).ok_or(format!("{what} ‘{text}’ is too large"))
    };
    let mut found: Vec<Range> = Vec::new();
    for item in list.split([',', ' ', '\t']) {
        let range = match item.split_once('-') {
            _ if item.is_empty() => return Err(from_one.into()),
            Some(("", "")) => return Err("invalid range with no endpoint: -".into()),
            Some((from, "")) => (number(from, item)?, usize::MAX),
            Some(("", to)) => (1, number(to, item)?),
            Some((from, to)) => (number(from, item)?, number(to, item)?),
            None => (number(item, item)?, number(item, item)?),
        };
        match range {
            (0, _) => return Err(from_one.into()),
            (from, to) if to < from => return Err("invalid decreasing range".into()),
            range => found.push(range),
        }
    }
    found.sort_unstable();
    let mut merged: Vec<Range> = Vec::new();
    for range in found {
        match merged.last_mut() {
            Some(last) if range.0 <= last.1 => last.1 = last.1.max(range.1),
            _ => merged.push(range),
        }
    }
    Ok(merged)
}
