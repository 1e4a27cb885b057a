//! Durations as Go writes and reads them: `100ms`, `4h0m0s`, `1h30m`. Integer nanoseconds, no clock.

/// Reads a duration by the rules of Go's `time.ParseDuration`.
///
/// # Errors
/// The message of the library.
pub fn parse(text: &str) -> Result<i64, String> {
    let invalid = || format!("time: invalid duration {}", quote(text));
    let (negative, mut rest) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        if !rest.starts_with(|c: char| c == '.' || c.is_ascii_digit()) {
            return Err(invalid());
        }
        let whole_len = digits(rest);
        let whole: u64 = if whole_len == 0 { 0 } else { rest[..whole_len].parse().map_err(|_| invalid())? };
        if whole > 1 << 63 {
            return Err(invalid());
        }
        rest = &rest[whole_len..];
        let mut fraction = "";
        if let Some(after) = rest.strip_prefix('.') {
            fraction = &after[..digits(after)];
            rest = &after[fraction.len()..];
            if whole_len == 0 && fraction.is_empty() {
                return Err(invalid());
            }
        }
        let unit_len = rest.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(rest.len());
        if unit_len == 0 {
            return Err(format!("time: missing unit in duration {}", quote(text)));
        }
        let (unit, after) = rest.split_at(unit_len);
        rest = after;
        let nanos: u64 = match unit {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return Err(format!("time: unknown unit {} in duration {}", quote(unit), quote(text))),
        };
        let mut part = whole.checked_mul(nanos).filter(|p| *p <= 1 << 63).ok_or_else(invalid)?;
        part += fraction_of(fraction, nanos);
        total = total.checked_add(part).filter(|t| *t <= 1 << 63).ok_or_else(invalid)?;
    }
    match (negative, i64::try_from(total)) {
        (true, _) if total == 1 << 63 => Ok(i64::MIN),
        (true, Ok(nanos)) => Ok(-nanos),
        (false, Ok(nanos)) => Ok(nanos),
        _ => Err(invalid()),
    }
}

fn digits(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())
}

/// `.5` of a second in nanoseconds; digits past the nineteenth do not count.
fn fraction_of(fraction: &str, nanos: u64) -> u64 {
    let (mut value, mut scale) = (0u128, 1u128);
    for digit in fraction.bytes().take(18) {
        value = value * 10 + u128::from(digit - b'0');
        scale *= 10;
    }
    u64::try_from(value * u128::from(nanos) / scale).unwrap_or(0)
}

/// Quotes a text as the `time` package does in its messages.
fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if (c as u32) < 0x20 || (c as u32) > 0x7e => {
                let mut bytes = [0; 4];
                for b in c.encode_utf8(&mut bytes).bytes() {
                    out.push_str(&format!("\\x{b:02x}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Writes nanoseconds as Go's `Duration.String` does.
pub fn show(nanos: i64) -> String {
    if nanos == 0 {
        return "0s".into();
    }
    let sign = if nanos < 0 { "-" } else { "" };
    let n = nanos.unsigned_abs();
    if n < 1_000_000_000 {
        let (unit, scale) = match n {
            0..1_000 => ("ns", 1),
            1_000..1_000_000 => ("µs", 1_000),
            _ => ("ms", 1_000_000),
        };
        return format!("{sign}{}{unit}", decimal(n, scale));
    }
    let seconds = n / 1_000_000_000;
    let (h, m) = (seconds / 3600, seconds / 60 % 60);
    let s = decimal(n % 60_000_000_000, 1_000_000_000);
    match (h, m) {
        (0, 0) => format!("{sign}{s}s"),
        (0, m) => format!("{sign}{m}m{s}s"),
        (h, m) => format!("{sign}{h}h{m}m{s}s"),
    }
}

fn decimal(n: u64, scale: u64) -> String {
    let (whole, rest) = (n / scale, n % scale);
    if rest == 0 {
        return whole.to_string();
    }
    let width = scale.ilog10() as usize;
    let fraction = format!("{rest:0width$}");
    format!("{whole}.{}", fraction.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_like_go() {
        for (given, shown) in [
            ("0", "0s"), ("100ms", "100ms"), ("4h", "4h0m0s"), ("1h30m", "1h30m0s"), ("1.5s", "1.5s"), ("90s", "1m30s"),
            ("-5m", "-5m0s"), ("250us", "250µs"), (".5h", "30m0s"), ("1s500ms", "1.5s"), ("0.5ms", "500µs"),
        ] {
            assert_eq!(show(parse(given).unwrap()), shown, "{given}");
        }
    }

    #[test]
    fn refuses_like_go() {
        for (given, message) in [
            ("", "time: invalid duration \"\""),
            ("5", "time: missing unit in duration \"5\""),
            ("5x", "time: unknown unit \"x\" in duration \"5x\""),
            ("four hours", "time: invalid duration \"four hours\""),
            ("9999999999h", "time: invalid duration \"9999999999h\""),
            (".", "time: invalid duration \".\""),
        ] {
            assert_eq!(parse(given).unwrap_err(), message);
        }
    }
}
