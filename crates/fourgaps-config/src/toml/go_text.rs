//! Text as Go prints it: `%q` and `%g`.

use super::printable::is_printable;
use fourgaps_base::decimal::{Decimal, show};
use std::fmt::Write as _;

/// Quotes a text as Go's `%q` does.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            char if is_printable(char) => out.push(char),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            char => push_code(&mut out, u32::from(char)),
        }
    }
    out.push('"');
    out
}

fn push_code(out: &mut String, code: u32) {
    // Writing to a String cannot fail.
    let _ = match code {
        0..0x20 | 0x7f => write!(out, "\\x{code:02x}"),
        0x20..0x1_0000 => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// Prints a floating point number as Go's `%v` does: the shortest digits, with an exponent from `1e+06` and below `1e-04`.
pub(crate) fn float(value: f64) -> String {
    if value.is_nan() {
        return String::from("NaN");
    }
    if value.is_infinite() {
        return String::from(if value > 0.0 { "+Inf" } else { "-Inf" });
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let decimal = Decimal::of(value);
    // One digit stands before the point.
    let exponent = decimal.point - 1;
    if value == 0.0 || (-4..6).contains(&exponent) {
        return show(value);
    }
    let digits = Decimal { point: 1, ..decimal }.plain();
    let way = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{digits}e{way}{:02}", exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_like_go() {
        for (given, wanted) in [
            ("a b", r#""a b""#),
            ("\"\\", r#""\"\\""#),
            ("\0\u{7}\n\t\u{7f}", r#""\x00\a\n\t\x7f""#),
            ("ä“\u{feff}\u{e0001}", r#""ä“\ufeff\U000e0001""#),
        ] {
            assert_eq!(quote(given), wanted);
        }
    }

    #[test]
    fn prints_floats_like_go() {
        for (given, wanted) in [
            (1.0, "1"),
            (-0.0, "-0"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (123456.5, "123456.5"),
            (1234567.0, "1.234567e+06"),
            (1e300, "1e+300"),
            (f64::NEG_INFINITY, "-Inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(float(given), wanted);
        }
    }
}
