//! Values: numbers, strings, and strings that are numbers where they look like one. Source: POSIX awk, "Expressions in awk";
//! where it leaves a choice, mawk 1.3.4 as recorded in the snippets. Strings are bytes, as in mawk.

use super::format::formatted_number;
use core::cmp::Ordering;
use std::sync::Arc;

/// A string: bytes that several values share.
pub(super) type Str = Arc<[u8]>;

/// What a variable, an element, a field or a cell of the stack holds.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Never assigned: 0 and the empty string.
    Null,
    Num(f64),
    Str(Str),
    /// From the input: a number where it looks like one (a "strnum").
    Maybe(Str),
    /// An array, by its place among the arrays.
    Array(u32),
    /// A variable without a value that was given to a function, which may make an array of it.
    Untyped(Var),
    /// A regular expression of the program, as a word of a function.
    Regex(u32),
}

/// A variable: a global one by its number, or one of a function by its place above the base of its frame; in
/// [`Value::Untyped`] by its place in the whole stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Var {
    pub local: bool,
    pub at: u32,
}

/// The greatest whole number that this build of mawk shows and counts as one.
pub(super) const MAX_INT: f64 = 2_147_483_647.0;

impl Value {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self::Str(bytes.into())
    }

    pub(super) fn maybe(bytes: &[u8]) -> Self {
        Self::Maybe(bytes.into())
    }

    pub(super) fn num(&self) -> f64 {
        match self {
            Self::Num(number) => *number,
            Self::Str(text) | Self::Maybe(text) => number_at(text).0,
            _ => 0.0,
        }
    }

    /// A number, or what looks like one in the input.
    fn as_number(&self) -> Option<f64> {
        match self {
            Self::Num(number) => Some(*number),
            Self::Maybe(text) => looks_like_number(text),
            Self::Str(_) => None,
            _ => Some(0.0),
        }
    }

    pub(super) fn truth(&self) -> bool {
        match self {
            Self::Num(number) => *number != 0.0,
            Self::Str(text) => !text.is_empty(),
            Self::Maybe(text) => looks_like_number(text).map_or(!text.is_empty(), |number| number != 0.0),
            _ => false,
        }
    }

    /// The string of a value; `format` is CONVFMT, or OFMT where it is printed.
    pub(super) fn text(&self, format: &[u8]) -> Str {
        match self {
            Self::Str(text) | Self::Maybe(text) => text.clone(),
            Self::Num(number) => {
                let mut out = Vec::new();
                push_number(&mut out, *number, format);
                out.into()
            }
            _ => Str::from(&[][..]),
        }
    }

    /// Adds the string of a value to others.
    pub(super) fn push_to(&self, out: &mut Vec<u8>, format: &[u8]) {
        match self {
            Self::Str(text) | Self::Maybe(text) => out.extend_from_slice(text),
            Self::Num(number) => push_number(out, *number, format),
            _ => {}
        }
    }

    /// How two values stand to each other: as numbers where both are, else as strings. What is no number is equal to each, as
    /// in mawk.
    pub(super) fn compare(&self, other: &Self, format: &[u8]) -> Ordering {
        let is_null = |value: &Self| matches!(value, Self::Null | Self::Untyped(_));
        match (self.as_number(), other.as_number()) {
            (Some(a), Some(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
            _ if is_null(self) => [][..].cmp(&other.text(format)[..]),
            _ => self.text(format)[..].cmp(&other.text(format)[..]),
        }
    }

    /// Bytes that a value holds besides itself.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Str(text) | Self::Maybe(text) => text.len() + 48,
            _ => 32,
        }
    }
}

/// Whole numbers as such, others by the format.
fn push_number(out: &mut Vec<u8>, number: f64, format: &[u8]) {
    if number.abs() <= MAX_INT && number.trunc() == number {
        out.extend_from_slice((number as i64).to_string().as_bytes());
    } else {
        formatted_number(out, format, number);
    }
}

/// What parts fields and may stand around a number of the input: a carriage return may not.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n')
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The number that a text begins with, behind spaces, and where it ends; as strtod(3) takes it.
pub(super) fn number_at(text: &[u8]) -> (f64, usize) {
    let start = text.iter().take_while(|byte| is_space(**byte)).count();
    let rest = text.get(start..).unwrap_or_default();
    let (negative, signs) = match rest.first() {
        Some(b'-') => (true, 1),
        Some(b'+') => (false, 1),
        _ => (false, 0),
    };
    let body = rest.get(signs..).unwrap_or_default();
    let (size, length) = match body.first() {
        Some(b'0'..=b'9' | b'.') => {
            let hex = if matches!(body, [b'0', b'x' | b'X', ..]) { hex_at(body) } else { None };
            hex.unwrap_or_else(|| decimal_at(body))
        }
        Some(b'i' | b'I' | b'n' | b'N') => word_at(body),
        _ => (0.0, 0),
    };
    if length == 0 {
        return (0.0, 0);
    }
    (if negative { -size } else { size }, start + signs + length)
}

fn word_at(body: &[u8]) -> (f64, usize) {
    let begins =
        |word: &str| body.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()));
    match () {
        () if begins("infinity") => (f64::INFINITY, 8),
        () if begins("inf") => (f64::INFINITY, 3),
        () if begins("nan") => (f64::NAN.copysign(1.0), 3),
        () => (0.0, 0),
    }
}

fn decimal_at(body: &[u8]) -> (f64, usize) {
    let digits = |from: usize| body.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(0);
    let mut end = whole;
    let mut part = 0;
    if body.get(end) == Some(&b'.') {
        part = digits(end + 1);
        end += 1 + part;
    }
    if whole + part == 0 {
        return (0.0, 0);
    }
    if matches!(body.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(body.get(end + 1), Some(b'+' | b'-')));
        let more = digits(end + 1 + sign);
        end += if more > 0 { 1 + sign + more } else { 0 };
    }
    let text = body.get(..end).and_then(|text| core::str::from_utf8(text).ok());
    (text.and_then(|text| text.parse().ok()).unwrap_or_default(), end)
}

/// `0x1f`, also with a point and an exponent of two.
fn hex_at(body: &[u8]) -> Option<(f64, usize)> {
    let mut at = 2;
    let (mut number, mut scale, mut digits, mut point) = (0.0, 0i32, 0, false);
    while let Some(&byte) = body.get(at) {
        match (byte as char).to_digit(16) {
            Some(digit) => {
                number = number * 16.0 + f64::from(digit);
                digits += 1;
                scale -= if point { 4 } else { 0 };
            }
            None if byte == b'.' && !point => point = true,
            None => break,
        }
        at += 1;
    }
    if digits == 0 {
        return None;
    }
    if matches!(body.get(at), Some(b'p' | b'P')) {
        let sign = usize::from(matches!(body.get(at + 1), Some(b'+' | b'-')));
        let more = body.iter().skip(at + 1 + sign).take_while(|byte| byte.is_ascii_digit()).count();
        let text = body.get(at + 1..at + 1 + sign + more).and_then(|text| core::str::from_utf8(text).ok());
        if let Some(power) = text.and_then(|text| text.parse::<i32>().ok()) {
            scale = scale.saturating_add(power);
            at += 1 + sign + more;
        }
    }
    Some((number * 2f64.powi(scale), at))
}

/// The number that a whole text is, with spaces around it.
pub(super) fn looks_like_number(text: &[u8]) -> Option<f64> {
    let first = text.iter().find(|byte| !is_blank(**byte))?;
    if !first.is_ascii_digit() && !b"+-.".contains(first) {
        return None;
    }
    let (number, end) = number_at(text);
    // What strtod reads as a word is none here.
    if !number.is_finite() && !text.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let rest = text.get(end..).unwrap_or_default();
    (end > 0 && rest.iter().all(|byte| is_blank(*byte))).then_some(number)
}

/// A whole number between the two greatest ones, as mawk cuts it off.
pub(super) fn whole(number: f64) -> i32 {
    if number >= MAX_INT {
        i32::MAX
    } else if number > -MAX_INT {
        number as i32
    } else {
        -i32::MAX
    }
}
