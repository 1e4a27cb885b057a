//! Regular expressions: mawk 1.3.4's own kind of ERE over bytes, told to the engine that the interpreter brings. Braces are
//! plain letters there, `^` and `$` are the ends of the text wherever they stand. The leftmost match is taken, and of those
//! the longest: one search finds where it begins, a second one how far it reaches.

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind, meta};

/// How deep groups may stand in each other.
const MOST_NESTING: u32 = 100;
/// Bytes that an automaton may take.
const MOST_BYTES: usize = 2 << 20;

/// A pattern that is ready to search.
pub(super) struct Ere {
    /// All that the pattern is, where no sign in it means more than itself.
    plain: Option<Vec<u8>>,
    start: Option<meta::Regex>,
    /// How far a match reaches, where the first search does not tell it.
    longest: Option<Box<(DFA, Cache)>>,
}

impl Ere {
    /// # Errors
    /// Gives what mawk says of the pattern.
    pub(super) fn new(pattern: &[u8]) -> Result<Self, String> {
        if !pattern.is_empty() && !pattern.iter().any(|byte| b"\\^$.[]|()*+?".contains(byte)) {
            return Ok(Self { plain: Some(pattern.to_vec()), start: None, longest: None });
        }
        let Told { text, choices } = told(pattern)?;
        let too_large = |()| String::from("a pattern of this size: not simulated in this lab");
        let syntax = syntax::Config::new();
        let syntax = syntax.unicode(false).utf8(false).dot_matches_new_line(true).nest_limit(MOST_NESTING);
        let config = meta::Config::new().utf8_empty(false).nfa_size_limit(Some(MOST_BYTES));
        let start = meta::Regex::builder().syntax(syntax).configure(config).build(&text);
        let start = Some(start.map_err(drop).map_err(too_large)?);
        let mut longest = None;
        if choices > 1 {
            let config = DFA::config().match_kind(MatchKind::All).skip_cache_capacity_check(true);
            let thompson = thompson::Config::new().utf8(false).nfa_size_limit(Some(MOST_BYTES));
            let dfa = DFA::builder().syntax(syntax).thompson(thompson).configure(config).build(&text);
            let dfa = dfa.map_err(drop).map_err(too_large)?;
            let cache = dfa.create_cache();
            longest = Some(Box::new((dfa, cache)));
        }
        Ok(Self { plain: None, start, longest })
    }

    /// True where making it took no work.
    pub(super) fn is_plain(&self) -> bool {
        self.plain.is_some()
    }

    pub(super) fn is_match(&self, text: &[u8]) -> bool {
        match (&self.plain, &self.start) {
            (Some(plain), _) => text.windows(plain.len()).any(|window| window == plain),
            (_, start) => start.as_ref().is_some_and(|start| start.is_match(text)),
        }
    }

    /// The first and longest match at or behind a place.
    pub(super) fn find(&mut self, text: &[u8], from: usize) -> Option<(usize, usize)> {
        let from = from.min(text.len());
        if let Some(plain) = &self.plain {
            let at = from + text.get(from..)?.windows(plain.len()).position(|window| window == plain)?;
            return Some((at, at + plain.len()));
        }
        let found = self.start.as_ref()?.search(&Input::new(text).range(from..))?;
        let end = self.longest.as_deref_mut().and_then(|(dfa, cache)| {
            let input = Input::new(text).range(found.start()..).anchored(Anchored::Yes);
            dfa.try_search_fwd(cache, &input).ok().flatten()
        });
        Some((found.start(), end.map_or(found.end(), |end| end.offset())))
    }
}

/// A pattern in the words of the engine. With fewer than two choices in it, the first match is the longest.
struct Told {
    text: String,
    choices: usize,
}

fn told(pattern: &[u8]) -> Result<Told, String> {
    let fault = |why: &str| {
        let shown = String::from_utf8_lossy(pattern);
        Err(format!("regular expression compile failed ({why})\n{shown}"))
    };
    // In a group behind something mawk takes nothing for an operand, and finds what nobody would.
    let nothing = |open: &[(usize, bool)], is_end: bool| match open.last() {
        Some((_, true)) if !is_end => {
            Err("an empty part of a pattern: not simulated in this lab".to_string())
        }
        _ => fault("missing operand"),
    };
    let (mut text, mut choices) = (String::new(), 0);
    let mut at = 0;
    // Where each open group begins, and where what a sign of repetition would repeat does.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut atom: Option<usize> = None;
    let mut after_anchor = false;
    let mut last_sign = 0;
    while let Some(&byte) = pattern.get(at) {
        at += 1;
        let place = text.len();
        let sign = core::mem::replace(&mut last_sign, 0);
        match byte {
            b'*' | b'+' | b'?' => {
                if after_anchor && byte != b'?' {
                    return fault("syntax error ^* or ^+");
                }
                let Some(start) = atom else { return nothing(&open, false) };
                choices += 1;
                last_sign = byte;
                if sign != byte {
                    text.insert_str(start, "(?:");
                    text.push(')');
                    text.push(byte as char);
                }
                continue;
            }
            b'|' => {
                let next = pattern.get(at);
                if atom.is_none()
                    || matches!(next, None | Some(b'|' | b')')) && !(next == Some(&b')') && open.is_empty())
                {
                    return nothing(&open, next.is_none());
                }
                choices += 2;
                text.push('|');
                (atom, after_anchor) = (None, false);
                continue;
            }
            b'(' => {
                // mawk takes an empty group only behind something.
                if pattern.get(at) == Some(&b')') {
                    if atom.is_none() {
                        return fault("missing operand");
                    }
                    at += 1;
                    text.push_str("(?:)");
                } else {
                    open.push((place, atom.is_some()));
                    text.push_str("(?:");
                    (atom, after_anchor) = (None, false);
                    continue;
                }
            }
            b')' if !open.is_empty() => {
                text.push(')');
                atom = open.pop().map(|(start, _)| start);
                after_anchor = false;
                continue;
            }
            b'^' => {
                text.push_str("\\A");
                (atom, after_anchor) = (Some(place), true);
                continue;
            }
            b'$' => text.push_str("\\z"),
            b'.' => text.push('.'),
            b'[' => match class(pattern, at) {
                Some((set, end)) => {
                    push_set(&mut text, &set);
                    at = end;
                }
                None => return fault("bad class -- [], [^] or ["),
            },
            b'\\' => {
                let (byte, end) = escaped(pattern, at);
                push_byte(&mut text, byte);
                at = end;
            }
            byte => push_byte(&mut text, byte),
        }
        (atom, after_anchor) = (Some(place), false);
    }
    if !open.is_empty() {
        return fault("missing ')'");
    }
    Ok(Told { text, choices })
}

fn push_byte(text: &mut String, byte: u8) {
    if byte.is_ascii_alphanumeric() || b" _-/=:,;\"'<>@!%".contains(&byte) {
        text.push(byte as char);
    } else {
        text.push_str(&format!("\\x{byte:02x}"));
    }
}

/// What stands behind a backslash, and where it ends.
fn escaped(pattern: &[u8], at: usize) -> (u8, usize) {
    match pattern.get(at) {
        None => (b'\\', at),
        Some(_) => escape(pattern, at).unwrap_or_else(|| (pattern.get(at).copied().unwrap_or(b'\\'), at + 1)),
    }
}

/// The byte that an escape of C means, in a string as in a pattern, and where it ends; `None` where there is no such escape.
/// Source: mawk(1), "Regular expressions", and POSIX awk.
pub(super) fn escape(text: &[u8], at: usize) -> Option<(u8, usize)> {
    let plain = |byte| Some((byte, at + 1));
    match *text.get(at)? {
        b'n' => plain(b'\n'),
        b't' => plain(b'\t'),
        b'f' => plain(0x0c),
        b'b' => plain(0x08),
        b'r' => plain(b'\r'),
        b'a' => plain(0x07),
        b'v' => plain(0x0b),
        byte @ (b'\\' | b'"') => plain(byte),
        b'0'..=b'7' => number(text, at, 8, 3),
        b'x' => number(text, at + 1, 16, 2),
        _ => None,
    }
}

fn number(text: &[u8], from: usize, base: u32, most: usize) -> Option<(u8, usize)> {
    let (mut value, mut at) = (0u32, from);
    while at < from + most {
        let Some(digit) = text.get(at).and_then(|byte| (*byte as char).to_digit(base)) else { break };
        value = value * base + digit;
        at += 1;
    }
    (at > from).then_some((value as u8, at))
}

type Set = [bool; 256];

fn push_set(text: &mut String, set: &Set) {
    if set.iter().all(|is_in| *is_in) {
        text.push('.');
        return;
    }
    text.push('[');
    let mut at = 0;
    while at < 256 {
        let run = set.iter().skip(at).take_while(|is_in| **is_in).count();
        if run > 0 {
            text.push_str(&format!("\\x{at:02x}-\\x{:02x}", at + run - 1));
        }
        at += run + 1;
    }
    // None of all bytes.
    if text.ends_with('[') {
        text.push_str("^\\x00-\\xff");
    }
    text.push(']');
}

/// The bytes of a class that begins behind its bracket, and where it ends.
fn class(pattern: &[u8], start: usize) -> Option<(Set, usize)> {
    let mut set = [false; 256];
    let mut at = start;
    let negated = pattern.get(at) == Some(&b'^');
    at += usize::from(negated);
    let first = at;
    // The last single byte, which may begin a range.
    let mut before: Option<u8> = None;
    loop {
        let byte = *pattern.get(at)?;
        match byte {
            b']' if at > first => break,
            b'[' if pattern.get(at + 1) == Some(&b':') => {
                if let Some((test, end)) = named(pattern, at + 2)? {
                    (0..=255u8).filter(test).for_each(|byte| set[usize::from(byte)] = true);
                    (before, at) = (None, end);
                    continue;
                }
            }
            b'-' if before.is_some() && !matches!(pattern.get(at + 1), None | Some(b']')) => {
                let (last, end) = one(pattern, at + 1);
                let from = before.unwrap_or_default();
                if from <= last {
                    (from..=last).for_each(|byte| set[usize::from(byte)] = true);
                } else {
                    // It is no range.
                    (set[usize::from(b'-')], set[usize::from(last)]) = (true, true);
                }
                (before, at) = (None, end);
                continue;
            }
            _ => {}
        }
        let (byte, end) = one(pattern, at);
        set[usize::from(byte)] = true;
        (before, at) = (Some(byte), end);
    }
    if negated {
        set.iter_mut().for_each(|is_in| *is_in = !*is_in);
    }
    Some((set, at + 1))
}

fn one(pattern: &[u8], at: usize) -> (u8, usize) {
    match pattern.get(at) {
        Some(b'\\') => escaped(pattern, at + 1),
        byte => (byte.copied().unwrap_or_default(), at + 1),
    }
}

/// A test for a named class such as `alpha`, and where it ends behind its `:]`; nothing within where it is no name at all.
/// `None` where there is no such class.
#[expect(clippy::type_complexity, reason = "a name would not say more")]
fn named(pattern: &[u8], start: usize) -> Option<Option<(fn(&u8) -> bool, usize)>> {
    let length = pattern.get(start..)?.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let end = start + length;
    if pattern.get(end..end + 2) != Some(b":]") {
        return Some(None);
    }
    let test: fn(&u8) -> bool = match pattern.get(start..end)? {
        b"alpha" => u8::is_ascii_alphabetic,
        b"digit" => u8::is_ascii_digit,
        b"alnum" => u8::is_ascii_alphanumeric,
        b"upper" => u8::is_ascii_uppercase,
        b"lower" => u8::is_ascii_lowercase,
        b"space" => |byte| super::value::is_space(*byte),
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"punct" => u8::is_ascii_punctuation,
        b"print" => |byte| matches!(byte, b' '..=b'~'),
        b"graph" => u8::is_ascii_graphic,
        b"cntrl" => u8::is_ascii_control,
        b"xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    };
    Some(Some((test, end + 2)))
}
