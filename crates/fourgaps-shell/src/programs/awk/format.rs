//! `printf` and `sprintf`, and numbers as text. Source: POSIX awk, "Formatted Output"; mawk 1.3.4 as recorded in the snippets:
//! whole numbers end at 2147483647, unsigned ones begin at 0.

use super::value::{Value, looks_like_number, whole};

/// Bytes that one piece may take.
const MOST_WIDTH: usize = 1_000_000;

/// Why a text could not be made.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Fewer values than the format asks for.
    TooFew,
    /// The conversion with this number, counted from 1, is none.
    Improper(u32),
    TooWide,
}

/// Flags, width and precision of a conversion.
#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// Adds the formatted values to a text.
pub(super) fn format(
    out: &mut Vec<u8>,
    format: &[u8],
    values: &[Value],
    convfmt: &[u8],
) -> Result<(), Fault> {
    let mut values = values.iter();
    let mut at = 0;
    let mut number = 0;
    // A format ends as one of C does.
    while let Some(&byte) = format.get(at).filter(|byte| **byte != 0) {
        at += 1;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        if format.get(at) == Some(&b'%') {
            out.push(b'%');
            at += 1;
            continue;
        }
        number += 1;
        if values.as_slice().is_empty() {
            return Err(Fault::TooFew);
        }
        let mut spec = Spec::default();
        loop {
            match format.get(at) {
                Some(b'-') => spec.left = true,
                Some(b'+') => spec.plus = true,
                Some(b' ') => spec.space = true,
                Some(b'#') => spec.alternate = true,
                Some(b'0') => spec.zero = true,
                _ => break,
            }
            at += 1;
        }
        let mut count = |at: &mut usize| -> Result<i64, Fault> {
            if format.get(*at) == Some(&b'*') {
                *at += 1;
                return Ok(i64::from(whole(values.next().ok_or(Fault::TooFew)?.num())));
            }
            let mut count: i64 = 0;
            while let Some(digit) = format.get(*at).filter(|byte| byte.is_ascii_digit()) {
                count = count.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
                *at += 1;
            }
            Ok(count)
        };
        let width = count(&mut at)?;
        spec.left |= width < 0;
        spec.width = usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX);
        if format.get(at) == Some(&b'.') {
            at += 1;
            spec.precision = usize::try_from(count(&mut at)?).ok();
        }
        if spec.width.max(spec.precision.unwrap_or(0)) > MOST_WIDTH {
            return Err(Fault::TooWide);
        }
        if matches!(format.get(at), Some(b'h' | b'l')) {
            at += 1;
        }
        let kind = format.get(at).copied().unwrap_or(0);
        at += 1;
        if !b"cdiouxXeEfgGs".contains(&kind) {
            return Err(Fault::Improper(number));
        }
        let value = values.next().ok_or(Fault::TooFew)?;
        match kind {
            b'c' => {
                let number = match value {
                    Value::Num(number) => Some(*number),
                    Value::Maybe(text) => looks_like_number(text),
                    _ => None,
                };
                let first = || value.text(convfmt).first().copied();
                let byte = number.map_or_else(first, |number| Some(whole(number) as u8));
                spec.zero = false;
                // mawk prints the end of an empty text.
                pad(out, &spec, b"", &[byte.unwrap_or(0)]);
            }
            b's' => {
                let text = value.text(convfmt);
                spec.zero = false;
                let most = spec.precision.unwrap_or(usize::MAX).min(text.len());
                pad(out, &spec, b"", text.get(..most).unwrap_or_default());
            }
            b'd' | b'i' => {
                let number = whole(value.num());
                integer(out, &spec, number < 0, number.unsigned_abs().to_string(), "");
            }
            b'o' | b'u' | b'x' | b'X' => {
                let number = value.num().max(0.0).min(f64::from(u32::MAX)) as u32;
                let digits = match kind {
                    b'o' if spec.alternate && number > 0 => format!("0{number:o}"),
                    b'o' => format!("{number:o}"),
                    b'u' => number.to_string(),
                    b'x' => format!("{number:x}"),
                    _ => format!("{number:X}"),
                };
                let mark = match kind {
                    b'x' if spec.alternate && number > 0 => "0x",
                    b'X' if spec.alternate && number > 0 => "0X",
                    _ => "",
                };
                (spec.plus, spec.space) = (false, false);
                integer(out, &spec, false, digits, mark);
            }
            _ => float(out, &mut spec, value.num(), kind),
        }
    }
    Ok(())
}

/// A number by CONVFMT or OFMT; by `%.6g` where that is no format for a number.
pub(super) fn formatted_number(out: &mut Vec<u8>, by: &[u8], number: f64) {
    let start = out.len();
    if format(out, by, &[Value::Num(number)], b"%.6g").is_err() {
        out.truncate(start);
        float(out, &mut Spec::default(), number, b'g');
    }
}

fn sign(spec: &Spec, negative: bool) -> &'static str {
    match (negative, spec.plus, spec.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (.., true) => " ",
        _ => "",
    }
}

fn integer(out: &mut Vec<u8>, spec: &Spec, negative: bool, digits: String, mark: &str) {
    let zero = spec.zero && spec.precision.is_none();
    let digits = match spec.precision {
        Some(0) if digits == "0" => String::new(),
        Some(least) => format!("{digits:0>least$}"),
        None => digits,
    };
    let head = format!("{}{mark}", sign(spec, negative));
    pad(
        out,
        &Spec { zero, ..Spec { left: spec.left, width: spec.width, ..Spec::default() } },
        head.as_bytes(),
        digits.as_bytes(),
    );
}

/// A text in its width; zeros stand behind the head.
fn pad(out: &mut Vec<u8>, spec: &Spec, head: &[u8], body: &[u8]) {
    let missing = spec.width.saturating_sub(head.len() + body.len());
    let fill = |out: &mut Vec<u8>, byte: u8| out.resize(out.len() + missing, byte);
    if !spec.left && !spec.zero {
        fill(out, b' ');
    }
    out.extend_from_slice(head);
    if !spec.left && spec.zero {
        fill(out, b'0');
    }
    out.extend_from_slice(body);
    if spec.left {
        fill(out, b' ');
    }
}

fn float(out: &mut Vec<u8>, spec: &mut Spec, number: f64, kind: u8) {
    let head = sign(spec, number.is_sign_negative());
    let size = number.abs();
    let precision = spec.precision.unwrap_or(6);
    let mut text = if !number.is_finite() {
        spec.zero = false;
        if number.is_nan() { "nan".into() } else { "inf".into() }
    } else {
        match kind {
            b'f' => fixed(size, precision, spec.alternate),
            b'e' | b'E' => scientific(size, precision, spec.alternate),
            _ => {
                let digits = precision.max(1);
                let power = format!("{size:.*e}", digits - 1);
                let power: i64 = power.split('e').nth(1).and_then(|power| power.parse().ok()).unwrap_or(0);
                let is_short = power >= -4 && power < digits as i64;
                let text = match is_short {
                    true => fixed(size, (digits as i64 - 1 - power) as usize, spec.alternate),
                    false => scientific(size, digits - 1, spec.alternate),
                };
                if spec.alternate { text } else { without_zeros(&text) }
            }
        }
    };
    if kind.is_ascii_uppercase() {
        text.make_ascii_uppercase();
    }
    pad(out, spec, head.as_bytes(), text.as_bytes());
}

fn fixed(size: f64, precision: usize, point: bool) -> String {
    format!("{size:.precision$}{}", if point && precision == 0 { "." } else { "" })
}

fn scientific(size: f64, precision: usize, point: bool) -> String {
    let text = format!("{size:.precision$e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    let point = if point && precision == 0 { "." } else { "" };
    format!("{digits}{point}e{}{:02}", if power < 0 { '-' } else { '+' }, power.unsigned_abs())
}

/// What `%g` leaves of a number's zeros behind the point.
fn without_zeros(text: &str) -> String {
    let (digits, power) = text.split_once('e').map_or((text, None), |(digits, power)| (digits, Some(power)));
    let digits =
        if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    power.map_or_else(|| digits.to_string(), |power| format!("{digits}e{power}"))
}
