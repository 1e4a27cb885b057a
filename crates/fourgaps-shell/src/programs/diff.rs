//! `diff`, as GNU's prints it (diffutils manual): normal and unified output, and what counts as equal. The interpreter's own
//! one finds other lines than GNU's where several are equal.

use super::options::{Accepts, Given};
use crate::login::Seat;
use crate::world::World;
use bashkit::time::UNIX_EPOCH;
use bashkit::{Builtin, BuiltinContext, ExecResult, Result, async_trait};
use core::ops::Range;
use fourgaps_base::{Civil, sort};
use fourgaps_view::difference::{changed, numbers};

pub(crate) struct Diff<W> {
    pub seat: Seat<W>,
}

const ACCEPTS: Accepts<'_> = Accepts {
    letters: "uU:qsibwBrNaL:0123456789",
    words: &[
        ("unified", "u?"),
        ("brief", "q"),
        ("report-identical-files", "s"),
        ("ignore-case", "i"),
        ("ignore-space-change", "b"),
        ("ignore-all-space", "w"),
        ("ignore-blank-lines", "B"),
        ("recursive", "r"),
        ("new-file", "N"),
        ("text", "a"),
        ("label", "L:"),
        ("color", "c?"),
    ],
};

/// The file that is not there; what is said instead of a comparison has the status 2.
const TROUBLE: i32 = 2;

/// A side: what it is called, its text, and when it was written, in nanoseconds since 1970.
struct Side {
    name: String,
    text: Vec<u8>,
    at_ns: u128,
}

#[async_trait]
impl<W: World> Builtin for Diff<W> {
    async fn execute(&self, ctx: BuiltinContext<'_>) -> Result<ExecResult> {
        let refused =
            |option: String| ExecResult::err(format!("diff: {option}: not simulated in this lab\n"), 2);
        let given = match ACCEPTS.parse(ctx.args) {
            Ok(given) => given,
            Err(option) => return Ok(refused(option)),
        };
        if let Some(when) = given.value('c').filter(|when| !["never", "auto"].contains(when)) {
            return Ok(refused(format!("--color={when}")));
        }
        let [old, new] = &given.rest[..] else {
            let why = match &given.rest[..] {
                [] => format!("missing operand after '{}'", ctx.args.last().map_or("diff", String::as_str)),
                [one] => format!("missing operand after '{one}'"),
                [_, _, third, ..] => format!("extra operand '{third}'"),
                _ => String::new(),
            };
            let text = format!("diff: {why}\ndiff: Try 'diff --help' for more information.\n");
            return Ok(ExecResult::err(text, TROUBLE));
        };
        let mut told = Told {
            given: &given,
            options: given_words(ctx.args),
            out: Vec::new(),
            err: String::new(),
            status: 0,
        };
        let mut pair = [old.clone(), new.clone()];
        let folders = [is_folder(&ctx, old).await, is_folder(&ctx, new).await];
        match folders {
            // A file of the same name in the folder is meant.
            [true, false] if new != "-" => pair[0] = inside(old, new),
            [false, true] if old != "-" => pair[1] = inside(new, old),
            _ => {}
        }
        let many = folders == [true, true];
        // What is still to do, the first thing last.
        let mut todo = vec![if many {
            Step::Folders(pair.map(|name| name.trim_end_matches('/').into()))
        } else {
            Step::Files(pair)
        }];
        while let Some(step) = todo.pop() {
            match step {
                Step::Say(text) => told.say(text),
                Step::Files(pair) => self.files(&ctx, &pair, many, &mut told).await,
                Step::Folders(pair) => todo.extend(below(&ctx, &pair, &given).await?.into_iter().rev()),
            }
        }
        let (stdout, stderr) = (told.out.into(), told.err.into());
        Ok(ExecResult { stdout, stderr, exit_code: told.status, ..Default::default() })
    }
}

async fn is_folder(ctx: &BuiltinContext<'_>, name: &str) -> bool {
    ctx.fs.stat(&ctx.cwd.join(name)).await.is_ok_and(|look| look.file_type.is_dir())
}

fn inside(folder: &str, name: &str) -> String {
    format!("{}/{}", folder.trim_end_matches('/'), name.rsplit('/').next().unwrap_or_default())
}

/// The options as they were written, for the line above a file of a folder.
fn given_words(args: &[String]) -> String {
    args.iter().filter(|arg| arg.len() > 1 && arg.starts_with('-')).map(|arg| format!(" {arg}")).collect()
}

impl<W: World> Diff<W> {
    async fn side(&self, ctx: &BuiltinContext<'_>, name: &str) -> Option<Side> {
        let now_ns = u128::from(self.seat.shared.world().now_ms()) * 1_000_000;
        if name == "-" {
            let text = ctx.stdin.map(|given| given.as_bytes().to_vec()).unwrap_or_default();
            return Some(Side { name: name.into(), text, at_ns: now_ns });
        }
        let path = ctx.cwd.join(name);
        let text = ctx.fs.read_file(&path).await.ok()?;
        let at = match ctx.fs.stat(&path).await.ok()?.modified.duration_since(UNIX_EPOCH) {
            // What `<(…)` opens is written just now.
            _ if name.starts_with("/dev/fd/") => now_ns,
            Ok(since) => since.as_nanos(),
            Err(_) => 0,
        };
        Some(Side { name: name.into(), text, at_ns: at })
    }

    async fn files(&self, ctx: &BuiltinContext<'_>, pair: &[String; 2], many: bool, told: &mut Told<'_>) {
        let mut sides = Vec::new();
        for name in pair {
            match self.side(ctx, name).await {
                Some(side) => sides.push(side),
                None if told.given.has('N') => {
                    sides.push(Side { name: name.clone(), text: Vec::new(), at_ns: 0 });
                }
                None => {
                    told.err += &format!("diff: {name}: No such file or directory\n");
                    told.status = TROUBLE;
                }
            }
        }
        if let [old, new] = &sides[..] {
            told.compare([old, new], many);
        }
    }
}

/// A part of the work.
enum Step {
    Say(String),
    Files([String; 2]),
    Folders([String; 2]),
}

/// What is to do for two folders, by the names in them.
async fn below(ctx: &BuiltinContext<'_>, folders: &[String; 2], given: &Given) -> Result<Vec<Step>> {
    let mut names: Vec<(String, [bool; 2])> = Vec::new();
    for (side, folder) in folders.iter().enumerate() {
        for entry in ctx.fs.read_dir(&ctx.cwd.join(folder)).await? {
            match names.iter_mut().find(|(name, _)| *name == entry.name) {
                Some((_, sides)) => sides[side] = true,
                None => names.push((entry.name, [side == 0, side == 1])),
            }
        }
    }
    sort(&mut names);
    let mut steps = Vec::new();
    for (name, sides) in names {
        let paths = [0, 1].map(|side| format!("{}/{name}", folders[side]));
        let deep = [is_folder(ctx, &paths[0]).await, is_folder(ctx, &paths[1]).await];
        steps.push(match (sides, deep) {
            ([true, true], [true, true]) if given.has('r') => Step::Folders(paths),
            ([true, true], [true, true]) => {
                Step::Say(format!("Common subdirectories: {} and {}\n", paths[0], paths[1]))
            }
            ([true, true], [false, false]) => Step::Files(paths),
            ([true, true], _) => {
                let kind = |side: usize| if deep[side] { "directory" } else { "regular file" };
                let (old, new) = (&paths[0], &paths[1]);
                Step::Say(format!("File {old} is a {} while file {new} is a {}\n", kind(0), kind(1)))
            }
            (_, [false, false]) if given.has('N') => Step::Files(paths),
            ([here, _], _) => Step::Say(format!("Only in {}: {name}\n", folders[usize::from(!here)])),
        });
    }
    Ok(steps)
}

/// What is printed so far.
struct Told<'a> {
    given: &'a Given,
    options: String,
    out: Vec<u8>,
    err: String,
    status: i32,
}

/// Lines of both sides that differ: which ones of the old, which ones of the new.
type Change = [Range<usize>; 2];

impl Told<'_> {
    fn say(&mut self, text: String) {
        self.out.extend_from_slice(text.as_bytes());
        self.status = self.status.max(1);
    }

    fn compare(&mut self, sides: [&Side; 2], many: bool) {
        let around = match self.given.options.iter().rev().find(|(letter, _)| ['u', 'U'].contains(letter)) {
            Some(('U', count)) => count.parse().ok(),
            // `-u5` means five of them.
            Some((_, count)) => {
                let digits =
                    self.given.options.iter().map(|(letter, _)| *letter).filter(char::is_ascii_digit);
                let digits: String = digits.collect();
                Some(count.parse().or(digits.parse()).unwrap_or(3))
            }
            None => None,
        };
        let lines = sides.map(|side| side.text.split_inclusive(|byte| *byte == b'\n').collect::<Vec<_>>());
        let changes = self.changes(&lines, around.unwrap_or(0));
        let is_blank = |line: &&[u8]| self.given.has('B') && line.trim_ascii().is_empty();
        let ignored =
            |change: &Change| (0..2).all(|side| lines[side][change[side].clone()].iter().all(is_blank));
        if changes.iter().all(&ignored) {
            if self.given.has('s') {
                let text = format!("Files {} and {} are identical\n", sides[0].name, sides[1].name);
                self.out.extend_from_slice(text.as_bytes());
            }
            return;
        }
        if self.given.has('q') {
            self.say(format!("Files {} and {} differ\n", sides[0].name, sides[1].name));
            return;
        }
        if many {
            self.say(format!("diff{} {} {}\n", self.options, sides[0].name, sides[1].name));
        }
        self.status = self.status.max(1);
        let mut out = Vec::new();
        match around {
            None => changes
                .iter()
                .filter(|change| !ignored(change))
                .for_each(|change| normal(&lines, change, &mut out)),
            Some(around) => {
                let mut labels = self.given.options.iter().filter(|(letter, _)| *letter == 'L');
                for (sign, side) in ["---", "+++"].into_iter().zip(sides) {
                    let head = labels.next().map_or_else(
                        || format!("{}\t{}", side.name, stamp(side.at_ns)),
                        |(_, label)| label.clone(),
                    );
                    out.extend_from_slice(format!("{sign} {head}\n").as_bytes());
                }
                unified(&lines, &changes, around, ignored, &mut out);
            }
        }
        self.out.append(&mut out);
    }

    /// The runs of lines that differ, in their order.
    fn changes(&self, lines: &[Vec<&[u8]>; 2], around: usize) -> Vec<Change> {
        let key = |line: &&[u8]| {
            let mut line = line.to_vec();
            if self.given.has('i') {
                line.make_ascii_lowercase();
            }
            if self.given.has('w') {
                line.retain(|byte| !byte.is_ascii_whitespace());
            } else if self.given.has('b') {
                let words =
                    line.trim_ascii_end().chunk_by(|a, b| a.is_ascii_whitespace() == b.is_ascii_whitespace());
                line = words
                    .flat_map(|run| if run[0].is_ascii_whitespace() { b" " } else { run })
                    .copied()
                    .collect();
            }
            line
        };
        let keys = [0, 1].map(|side| lines[side].iter().map(key).collect::<Vec<_>>());
        let [old, new] = numbers([&keys[0], &keys[1]]);
        let flags = changed(&old, &new, around);
        let (mut at, mut to, mut found) = (0, 0, Vec::new());
        while at < old.len() || to < new.len() {
            let run = |flags: &[bool], from: usize| flags[from..].iter().take_while(|flag| **flag).count();
            let (gone, come) = (run(&flags[0], at), run(&flags[1], to));
            if gone + come > 0 {
                found.push([at..at + gone, to..to + come]);
            }
            (at, to) = (at + gone + 1, to + come + 1);
        }
        found
    }
}

/// `2026-03-01 00:00:00.000000000 +0000`
fn stamp(at_ns: u128) -> String {
    let Civil { year, month, day, hour, minute, second } = Civil::of_ms((at_ns / 1_000_000) as u64);
    let part = at_ns % 1_000_000_000;
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{part:09} +0000")
}

fn put(sign: &str, line: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(sign.as_bytes());
    out.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        out.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

/// A change as `2,3c4`, with its lines.
fn normal(lines: &[Vec<&[u8]>; 2], change: &Change, out: &mut Vec<u8>) {
    let place = |range: &Range<usize>| match range.len() {
        0 => range.start.to_string(),
        1 => range.end.to_string(),
        _ => format!("{},{}", range.start + 1, range.end),
    };
    let [old, new] = change;
    let letter = match (old.len(), new.len()) {
        (0, _) => 'a',
        (_, 0) => 'd',
        _ => 'c',
    };
    out.extend_from_slice(format!("{}{letter}{}\n", place(old), place(new)).as_bytes());
    lines[0][old.clone()].iter().for_each(|line| put("< ", line, out));
    if letter == 'c' {
        out.extend_from_slice(b"---\n");
    }
    lines[1][new.clone()].iter().for_each(|line| put("> ", line, out));
}

/// The changes with `around` lines around each; those whose surroundings touch stand in one hunk.
fn unified(
    lines: &[Vec<&[u8]>; 2],
    changes: &[Change],
    around: usize,
    ignored: impl Fn(&Change) -> bool,
    out: &mut Vec<u8>,
) {
    let mut rest = changes;
    while !rest.is_empty() {
        let near = |pair: &[Change]| {
            let most = if ignored(&pair[1]) { around } else { 2 * around + 1 };
            pair[1][0].start - pair[0][0].end < most
        };
        let count = 1 + rest.windows(2).take_while(|pair| near(pair)).count();
        let (hunk, more) = rest.split_at(count);
        rest = more;
        if hunk.iter().all(&ignored) {
            continue;
        }
        let (first, last) = (&hunk[0], &hunk[count - 1]);
        let part = |side: usize| {
            first[side].start.saturating_sub(around)..(last[side].end + around).min(lines[side].len())
        };
        let place = |range: Range<usize>| match range.len() {
            0 => format!("{},0", range.start),
            1 => range.end.to_string(),
            length => format!("{},{length}", range.start + 1),
        };
        out.extend_from_slice(format!("@@ -{} +{} @@\n", place(part(0)), place(part(1))).as_bytes());
        let mut at = part(0).start;
        for [old, new] in hunk {
            lines[0][at..old.start].iter().for_each(|line| put(" ", line, out));
            lines[0][old.clone()].iter().for_each(|line| put("-", line, out));
            lines[1][new.clone()].iter().for_each(|line| put("+", line, out));
            at = old.end;
        }
        lines[0][at..part(0).end].iter().for_each(|line| put(" ", line, out));
    }
}
