//! Reads numbers, with the words of Go's `strconv` where it refuses one.

use crate::toml::Kind;
use crate::toml::go_text::quote;
use fourgaps_base::decimal;

/// Why a number is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// A message with the token's position.
    Placed(String),
    /// A message that the library gives without a position.
    Bare(&'static str),
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self::Placed(message)
    }
}

/// Reads an integer: signed, or unsigned where it is too large for that.
pub(super) fn integer(text: &str) -> Result<Kind, Refusal> {
    let clean = text.replace('_', "");
    let (base, digits) = match clean.strip_prefix('0') {
        Some(rest) if clean.len() >= 3 => match (rest.get(..1), rest.get(1..)) {
            (Some("x"), Some(digits)) => (16, digits),
            (Some("o"), Some(digits)) => (8, digits),
            (Some("b"), Some(digits)) => (2, digits),
            // A leading zero: the library expects its lexer to have refused it.
            _ => return Err(Refusal::Bare("invalid base")),
        },
        _ => (10, clean.as_str()),
    };
    check_underscores(text, base)?;
    if let Ok(value) = i64::from_str_radix(digits, base) {
        return Ok(Kind::Int(value));
    }
    // The second attempt knows no sign at all, so that a plus is refused with other words than a minus.
    let (function, fault) = match digits.chars().next() {
        Some('-') => ("ParseInt", "value out of range"),
        Some('+') => ("ParseUint", "invalid syntax"),
        _ => match u64::from_str_radix(digits, base) {
            Ok(value) => return Ok(Kind::Uint(value)),
            Err(_) => ("ParseUint", "value out of range"),
        },
    };
    Err(Refusal::Placed(format!("strconv.{function}: parsing {}: {fault}", quote(digits))))
}

/// Reads a floating point number.
pub(super) fn float(text: &str) -> Result<Kind, Refusal> {
    check_underscores(text, 10)?;
    let clean = text.replace('_', "");
    let fault = match decimal::read(&clean) {
        Some(value) if value.is_finite() => return Ok(Kind::Float(value)),
        Some(_) => "value out of range",
        None => "invalid syntax",
    };
    Err(Refusal::Placed(format!("strconv.ParseFloat: parsing {}: {fault}", quote(&clean))))
}

/// An underscore needs a digit before it, and anything behind it.
fn check_underscores(text: &str, base: u32) -> Result<(), Refusal> {
    let mut before_is_digit = false;
    let mut rest = text.chars().peekable();
    while let Some(char) = rest.next() {
        if char == '_' && (!before_is_digit || rest.peek().is_none()) {
            let what = if base == 16 { "hex number" } else { "number" };
            return Err(Refusal::Placed(format!("invalid use of _ in {what}")));
        }
        before_is_digit = if base == 16 { char.is_ascii_hexdigit() } else { char.is_ascii_digit() };
    }
    Ok(())
}
