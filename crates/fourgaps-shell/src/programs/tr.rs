//! `tr`: bytes for bytes, as GNU's does it (coreutils manual, "tr invocation"); the interpreter's works on letters.

use super::options::{Accepts, Given};
use crate::command::{Call, Command};
use crate::world::World;

pub(crate) struct Tr;

const ACCEPTS: Accepts<'_> = Accepts {
    letters: "cCdst",
    words: &[("complement", "c"), ("delete", "d"), ("squeeze-repeats", "s"), ("truncate-set1", "t")],
};

impl<W: World> Command<W> for Tr {
    fn name(&self) -> &str {
        "tr"
    }

    fn help(&self) -> String {
        super::help::of("tr").into()
    }

    fn run(&self, call: &mut Call<'_, W>) -> i32 {
        // Options end at the first set.
        let options =
            call.args.iter().take_while(|arg| arg.len() > 1 && arg.starts_with('-') && *arg != "--").count();
        let given = match ACCEPTS.parse(&call.args[..options]) {
            Ok(given) => given,
            Err(option) => return call.not_simulated("tr", &option),
        };
        let sets = &call.args[options..];
        let sets = sets.strip_prefix(&["--".to_string()]).unwrap_or(sets);
        match translate(&given, sets, call.stdin) {
            Ok(out) => {
                call.out(out);
                0
            }
            Err(why) => {
                call.err(format!("tr: {why}\n"));
                1
            }
        }
    }
}

/// A part of a set.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// From which to which byte.
    Range(u8, u8),
    /// `[:class:]`
    Class(&'static str),
    /// `[=c=]`
    Same(u8),
    /// `[c*n]`; no number where it fills.
    Repeat(u8, Option<usize>),
}

const CLASSES: [&str; 12] = [
    "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper",
    "xdigit",
];

fn is_in(class: &str, byte: &u8) -> bool {
    match class {
        "alnum" => byte.is_ascii_alphanumeric(),
        "alpha" => byte.is_ascii_alphabetic(),
        "blank" => [b' ', b'\t'].contains(byte),
        "cntrl" => byte.is_ascii_control(),
        "digit" => byte.is_ascii_digit(),
        "graph" => byte.is_ascii_graphic(),
        "lower" => byte.is_ascii_lowercase(),
        "print" => (b' '..=b'~').contains(byte),
        "punct" => byte.is_ascii_punctuation(),
        "space" => byte.is_ascii_whitespace() || *byte == 0x0b,
        "upper" => byte.is_ascii_uppercase(),
        _ => byte.is_ascii_hexdigit(),
    }
}

/// The bytes of a set in their order; those of a filling part as often as is said.
fn bytes(parts: &[Part], fill: usize) -> Vec<u8> {
    let mut all = Vec::new();
    for part in parts {
        match *part {
            Part::Range(from, to) => all.extend(from..=to),
            Part::Class(class) => all.extend((0..=u8::MAX).filter(|byte| is_in(class, byte))),
            Part::Same(byte) => all.push(byte),
            Part::Repeat(byte, times) => all.extend(core::iter::repeat_n(byte, times.unwrap_or(fill))),
        }
    }
    all
}

/// Where in a set `[:lower:]` and `[:upper:]` begin.
fn cases(parts: &[Part]) -> Vec<usize> {
    let is_case = |at: &usize| matches!(parts[*at], Part::Class("lower" | "upper"));
    (0..parts.len()).filter(is_case).map(|at| bytes(&parts[..at], 0).len()).collect()
}

fn translate(given: &Given, sets: &[String], input: &[u8]) -> Result<Vec<u8>, String> {
    let (deletes, squeezes) = (given.has('d'), given.has('s'));
    let complements = given.has('c') || given.has('C');
    const HELP: &str = "\nTry 'tr --help' for more information.";
    let (first, second) = match sets {
        [] => return Err(format!("missing operand{HELP}")),
        [first] if deletes == squeezes => {
            let when = if deletes { "both deleting and squeezing repeats" } else { "translating" };
            return Err(format!(
                "missing operand after ‘{first}’\nTwo strings must be given when {when}.{HELP}"
            ));
        }
        [first] => (first, None),
        [_, second] if deletes && !squeezes => {
            return Err(format!(
                "extra operand ‘{second}’\nOnly one string may be given when deleting without squeezing repeats.{HELP}"
            ));
        }
        [first, second] => (first, Some(second)),
        [_, _, third, ..] => return Err(format!("extra operand ‘{third}’{HELP}")),
    };
    let parts = parts(first)?;
    if parts.iter().any(|part| matches!(part, Part::Repeat(_, None))) {
        return Err("the [c*] repeat construct may not appear in string1".into());
    }
    let mut from = bytes(&parts, 0);
    if complements {
        from = (0..=u8::MAX).filter(|byte| !from.contains(byte)).collect();
    }
    let mut table: Vec<u8> = (0..=u8::MAX).collect();
    let mut last = from.clone();
    if let Some(second) = second {
        let to = self::parts(second)?;
        if to.iter().filter(|part| matches!(part, Part::Repeat(_, None))).count() > 1 {
            return Err("only one [c*] repeat construct may appear in string2".into());
        }
        let fill = from.len().saturating_sub(bytes(&to, 0).len());
        last = bytes(&to, fill);
        if !deletes {
            fits(&parts, &to, complements)?;
            let length = if given.has('t') { last.len().min(from.len()) } else { from.len() };
            if length > last.len() {
                match (last.last(), to.last()) {
                    (None, _) => return Err("when not truncating set1, string2 must be non-empty".into()),
                    (_, Some(Part::Class(_))) => {
                        return Err("when translating with string1 longer than string2,\nthe latter string must not end with a character class".into());
                    }
                    (Some(byte), _) => last.resize(length, *byte),
                }
            }
            let has_class = parts.iter().any(|part| matches!(part, Part::Class(_)));
            if complements && has_class && last[..length].windows(2).any(|pair| pair[0] != pair[1]) {
                return Err("when translating with complemented character classes,\nstring2 must map all characters in the domain to one".into());
            }
            for (from, to) in from.iter().zip(&last[..length]) {
                table[usize::from(*from)] = *to;
            }
        }
    }
    let mut out: Vec<u8> = Vec::with_capacity(input.len());
    for byte in input.iter().filter(|byte| !deletes || !from.contains(byte)) {
        let byte = table[usize::from(*byte)];
        if !(squeezes && out.last() == Some(&byte) && last.contains(&byte)) {
            out.push(byte);
        }
    }
    Ok(out)
}

/// What a second set must not have where bytes are translated.
fn fits(first: &[Part], second: &[Part], complements: bool) -> Result<(), String> {
    for part in second {
        match part {
            Part::Same(_) => {
                return Err("[=c=] expressions may not appear in string2 when translating".into());
            }
            Part::Class("upper" | "lower") => {}
            Part::Class(_) => {
                return Err("when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'".into());
            }
            _ => {}
        }
    }
    let aligned = cases(first);
    match cases(second).iter().all(|at| aligned.contains(at) && !complements) {
        true => Ok(()),
        false => Err("misaligned [:upper:] and/or [:lower:] construct".into()),
    }
}

/// The parts of a set as it is written.
fn parts(text: &str) -> Result<Vec<Part>, String> {
    let letters = unescaped(text);
    let is = |at: usize, byte: u8| letters.get(at) == Some(&(byte, false));
    let mut parts = Vec::new();
    let mut at = 0;
    'parts: while at < letters.len() {
        let here = letters[at].0;
        if at + 2 >= letters.len() {
            parts.push(Part::Range(here, here));
            at += 1;
            continue;
        }
        if is(at, b'[') {
            for sign in [b':', b'='].into_iter().filter(|sign| is(at + 1, *sign)) {
                let closes = |end: &usize| is(*end, sign) && is(end + 1, b']');
                let Some(end) = (at + 2..letters.len()).find(closes) else { continue };
                let name: Vec<u8> = letters[at + 2..end].iter().map(|(byte, _)| *byte).collect();
                let shown = String::from_utf8_lossy(&name);
                let class = CLASSES.into_iter().find(|class| class.as_bytes() == name);
                parts.push(match (sign, class, &name[..]) {
                    (b':', Some(class), _) => Part::Class(class),
                    (b'=', _, [one]) => Part::Same(*one),
                    _ if is(at + 2, b'*') => continue,
                    (b':', _, []) => return Err("missing character class name '[::]'".into()),
                    (_, _, []) => return Err("missing equivalence class character '[==]'".into()),
                    (b':', ..) => return Err(format!("invalid character class ‘{shown}’")),
                    _ => {
                        return Err(format!("{shown}: equivalence class operand must be a single character"));
                    }
                });
                at = end + 2;
                continue 'parts;
            }
            let end = (at + 3..letters.len()).find(|end| is(*end, b']')).filter(|_| is(at + 2, b'*'));
            if let Some(end) = end {
                let count: String = letters[at + 3..end].iter().map(|(byte, _)| char::from(*byte)).collect();
                let base = if count.starts_with('0') { 8 } else { 10 };
                let times = usize::from_str_radix(if count.is_empty() { "0" } else { &count }, base).ok();
                // More than there are bytes cannot count.
                let times = times.filter(|_| !count.starts_with('+')).map(|times| times.min(1 << 16));
                let times = times.ok_or(format!("invalid repeat count ‘{count}’ in [c*n] construct"))?;
                parts.push(Part::Repeat(letters[at + 1].0, (times > 0).then_some(times)));
                at = end + 1;
                continue;
            }
        }
        if is(at + 1, b'-') {
            let last = letters[at + 2].0;
            if last < here {
                let (from, to) = (char::from(here), char::from(last));
                return Err(format!(
                    "range-endpoints of '{from}-{to}' are in reverse collating sequence order"
                ));
            }
            parts.push(Part::Range(here, last));
            at += 3;
        } else {
            parts.push(Part::Range(here, here));
            at += 1;
        }
    }
    Ok(parts)
}

/// The bytes of a text without its backslashes, and whether one stood before each.
fn unescaped(text: &str) -> Vec<(u8, bool)> {
    let mut found = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        let next = behind.first().filter(|_| *byte == b'\\');
        let Some(next) = next else {
            found.push((*byte, false));
            continue;
        };
        let digits = rest.iter().take(3).take_while(|digit| (b'0'..=b'7').contains(digit)).count();
        let value = |digits: &[u8]| digits.iter().fold(0, |value, digit| value * 8 + u32::from(digit - b'0'));
        // A value that is too large for a byte has a digit less.
        let digits = digits - usize::from(value(&rest[..digits]) > 255);
        let (plain, taken) = match next {
            _ if digits > 0 => (value(&rest[..digits]) as u8, digits),
            b'a' => (7, 1),
            b'b' => (8, 1),
            b'f' => (12, 1),
            b'n' => (b'\n', 1),
            b'r' => (b'\r', 1),
            b't' => (b'\t', 1),
            b'v' => (11, 1),
            other => (*other, 1),
        };
        found.push((plain, true));
        rest = &rest[taken..];
    }
    found
}
