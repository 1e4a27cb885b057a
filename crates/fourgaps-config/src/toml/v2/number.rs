//! Integers and floats: from the characters that the parser cut out to a value, or to the library's complaint.

use super::fault::{Fault, Res};
use fourgaps_base::decimal;

/// An integer in any of the four notations.
pub(super) fn integer(bytes: &[u8], start: usize) -> Res<i64> {
    let (digits_at, radix, what) = match bytes {
        [b'0', b'x', _, ..] => (2, 16, "hexadecimal"),
        [b'0', b'o', _, ..] => (2, 8, "octal"),
        [b'0', b'b', _, ..] => (2, 2, "binary"),
        _ => (0, 10, "decimal"),
    };
    let digits = without_underscores(&bytes[digits_at..], start + digits_at)?;
    if radix == 10 {
        let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(&digits);
        if unsigned.len() > 1 && unsigned.starts_with('0') {
            return Err(Fault::at(start, "leading zero not allowed on decimal number"));
        }
    }
    parse_int(&digits, radix).map_err(|why| {
        let message = format!("couldn't parse {what} number: strconv.ParseInt: parsing \"{digits}\": {why}");
        Fault::at(start, message)
    })
}

/// Go's `strconv.ParseInt`: the first character that does not fit decides which complaint is made.
fn parse_int(text: &str, radix: u32) -> Result<i64, &'static str> {
    const SYNTAX: &str = "invalid syntax";
    const RANGE: &str = "value out of range";
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() {
        return Err(SYNTAX);
    }
    let mut value: u64 = 0;
    for c in digits.chars() {
        let digit = c.to_digit(radix).ok_or(SYNTAX)?;
        let next = value.checked_mul(u64::from(radix)).and_then(|v| v.checked_add(u64::from(digit)));
        value = next.ok_or(RANGE)?;
    }
    let signed = if negative { 0i64.checked_sub_unsigned(value) } else { i64::try_from(value).ok() };
    signed.ok_or(RANGE)
}

fn as_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn without_underscores(bytes: &[u8], start: usize) -> Res<String> {
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    if bytes.len() == sign {
        return Ok(as_text(bytes));
    }
    if bytes[sign] == b'_' {
        return Err(Fault::at(start + sign, "number cannot start with underscore"));
    }
    if bytes.ends_with(b"_") {
        return Err(Fault::at(start + bytes.len() - 1, "number cannot end with underscore"));
    }
    if let Some(i) = bytes.windows(2).position(|pair| pair == b"__") {
        let message = "number must have at least one digit between underscores";
        return Err(Fault::at(start + i, message));
    }
    Ok(as_text(bytes).replace('_', ""))
}

/// A float, or an integer that is wanted as a float.
pub(super) fn float(bytes: &[u8], start: usize) -> Res<f64> {
    if matches!(bytes, b"+nan" | b"-nan") {
        return Ok(f64::NAN);
    }
    let cleaned = float_without_underscores(bytes, start)?;
    let at = |i: usize| cleaned.as_bytes().get(i).copied().unwrap_or(0);
    if cleaned.starts_with('.') {
        return Err(Fault::at(start, "float cannot start with a dot"));
    }
    if cleaned.ends_with('.') {
        return Err(Fault::at(start, "float cannot end with a dot"));
    }
    let mut dots = cleaned.match_indices('.').map(|(i, _)| i);
    // The offsets count without underscores, as in the library.
    if let Some(dot) = dots.next() {
        if !at(dot - 1).is_ascii_digit() {
            return Err(Fault::at(start + dot - 1, "float decimal point must be preceded by a digit"));
        }
        if !at(dot + 1).is_ascii_digit() {
            return Err(Fault::at(start + dot, "float decimal point must be followed by a digit"));
        }
    }
    if let Some(second) = dots.next() {
        return Err(Fault::at(start + second, "float can have at most one decimal point"));
    }
    let unsigned = usize::from(matches!(at(0), b'+' | b'-'));
    if at(unsigned) == b'0' && at(unsigned + 1).is_ascii_digit() {
        return Err(Fault::at(start, "float integer part cannot have leading zeroes"));
    }
    let refuse = |why: &str| {
        let message = format!("unable to parse float: strconv.ParseFloat: parsing \"{cleaned}\": {why}");
        Err(Fault::at(start, message))
    };
    match decimal::read(&cleaned) {
        // Go takes a sign before `inf` but not before `nan`; the exact `+nan` is dealt with above.
        Some(value) if value.is_nan() && cleaned != "nan" => refuse("invalid syntax"),
        Some(value) if value.is_infinite() && !cleaned.contains('i') => refuse("value out of range"),
        Some(value) => Ok(value),
        None => refuse("invalid syntax"),
    }
}

fn float_without_underscores(bytes: &[u8], start: usize) -> Res<String> {
    if bytes.starts_with(b"_") {
        return Err(Fault::at(start, "number cannot start with underscore"));
    }
    if bytes.ends_with(b"_") {
        return Err(Fault::at(start + bytes.len() - 1, "number cannot end with underscore"));
    }
    if !bytes.contains(&b'_') {
        return Ok(as_text(bytes));
    }
    let refuse = |i: usize, message: &str| Err(Fault::at(start + i, message));
    let next_is = |i: usize, wanted: &[u8]| bytes.get(i + 1).is_some_and(|b| wanted.contains(b));
    let mut digit_before = false;
    let mut cleaned = Vec::with_capacity(bytes.len());
    for (i, byte) in bytes.iter().copied().enumerate() {
        match byte {
            b'_' if !digit_before => {
                return refuse(i - 1, "number must have at least one digit between underscores");
            }
            b'_' if next_is(i, b"eE") => return refuse(i + 1, "cannot have underscore before exponent"),
            b'_' => digit_before = false,
            b'+' | b'-' => digit_before = false,
            b'e' | b'E' if next_is(i, b"_") => {
                return refuse(i + 1, "cannot have underscore after exponent");
            }
            b'.' if next_is(i, b"_") => {
                return refuse(i + 1, "cannot have underscore after decimal point");
            }
            b'.' if i > 0 && bytes[i - 1] == b'_' => {
                return refuse(i - 1, "cannot have underscore before decimal point");
            }
            b'e' | b'E' | b'.' => {}
            _ => digit_before = true,
        }
        if byte != b'_' {
            cleaned.push(byte);
        }
    }
    Ok(as_text(&cleaned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_integer(text: &str, expected: Result<i64, &str>) {
        let read = integer(text.as_bytes(), 0).map_err(|fault| fault.message);
        assert_eq!(read.as_ref().map_err(String::as_str), expected.as_ref().map_err(|m| *m), "{text}");
    }

    #[test]
    fn integers() {
        check_integer("1_000", Ok(1000));
        check_integer("-9223372036854775808", Ok(i64::MIN));
        check_integer("0xFF", Ok(255));
        check_integer("0b1_0", Ok(2));
        check_integer("01", Err("leading zero not allowed on decimal number"));
        check_integer("1__0", Err("number must have at least one digit between underscores"));
        check_integer("0x_1", Err("number cannot start with underscore"));
        check_integer(
            "9223372036854775808",
            Err(
                "couldn't parse decimal number: strconv.ParseInt: parsing \"9223372036854775808\": value out of range",
            ),
        );
        check_integer(
            "1-2",
            Err("couldn't parse decimal number: strconv.ParseInt: parsing \"1-2\": invalid syntax"),
        );
    }

    #[track_caller]
    fn check_float(text: &str, expected: Result<f64, &str>) {
        let read = float(text.as_bytes(), 0).map_err(|fault| fault.message);
        assert_eq!(read.as_ref().map_err(String::as_str), expected.as_ref().map_err(|m| *m), "{text}");
    }

    #[test]
    fn floats() {
        check_float("1_0.5e1_0", Ok(1.05e11));
        check_float("-inf", Ok(f64::NEG_INFINITY));
        check_float("1.", Err("float cannot end with a dot"));
        check_float("1.e1", Err("float decimal point must be followed by a digit"));
        check_float("1.2.3", Err("float can have at most one decimal point"));
        check_float("1_.5", Err("cannot have underscore before decimal point"));
        check_float("1_e5", Err("cannot have underscore before exponent"));
        check_float("03.1", Err("float integer part cannot have leading zeroes"));
        check_float(
            "1e999",
            Err("unable to parse float: strconv.ParseFloat: parsing \"1e999\": value out of range"),
        );
        check_float("e", Err("unable to parse float: strconv.ParseFloat: parsing \"e\": invalid syntax"));
    }
}
