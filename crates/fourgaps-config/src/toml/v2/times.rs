//! Dates and times: checked as the library checks them, and written as Go prints them.

use super::fault::{Fault, Res};
use super::rules::Rules;

struct Date {
    year: u32,
    month: u32,
    day: u32,
}

struct Clock {
    hour: u32,
    minute: u32,
    second: u32,
    /// The digits behind the point, nine at most.
    fraction: String,
}

/// Characters of a document with the offset of the first one.
#[derive(Clone, Copy)]
struct Cut<'a> {
    bytes: &'a [u8],
    start: usize,
}

impl<'a> Cut<'a> {
    fn from(self, i: usize) -> Self {
        Self { bytes: &self.bytes[i..], start: self.start + i }
    }

    /// A fault over all of it.
    fn refuse<T>(self, message: &str) -> Res<T> {
        Err(Fault::over(self.start, self.start + self.bytes.len(), message))
    }

    fn refuse_at<T>(self, i: usize, message: &str) -> Res<T> {
        Err(Fault::at(self.start + i, message))
    }

    fn digits(self, from: usize, to: usize) -> Res<u32> {
        let mut value = 0;
        for i in from..to {
            match self.bytes[i] {
                digit @ b'0'..=b'9' => value = value * 10 + u32::from(digit - b'0'),
                _ => return self.refuse_at(i, "expected digit (0-9)"),
            }
        }
        Ok(value)
    }
}

/// A date alone.
pub(super) fn local_date(bytes: &[u8], start: usize) -> Res<String> {
    Ok(date(Cut { bytes, start })?.to_string())
}

/// A time alone.
pub(super) fn local_time(rules: Rules, bytes: &[u8], start: usize) -> Res<String> {
    let (clock, rest) = clock(rules, Cut { bytes, start })?;
    if !rest.bytes.is_empty() {
        return rest.refuse("extra characters at the end of a local time");
    }
    Ok(clock.to_string())
}

/// A date and time without an offset.
pub(super) fn local_date_time(rules: Rules, bytes: &[u8], start: usize) -> Res<String> {
    let (date, clock, rest) = date_and_clock(rules, Cut { bytes, start })?;
    if !rest.bytes.is_empty() {
        return rest.refuse("extra characters at the end of a local date time");
    }
    Ok(format!("{date}T{clock}"))
}

/// A date and time with an offset.
pub(super) fn date_time(rules: Rules, bytes: &[u8], start: usize) -> Res<String> {
    let (date, clock, rest) = date_and_clock(rules, Cut { bytes, start })?;
    let zone = zone(rest)?;
    let (mut date, mut clock) = (date, clock);
    if clock.second == 60 {
        carry(&mut date, &mut clock);
    }
    // Unlike a local time, an instant forgets how many digits were written.
    clock.fraction.truncate(clock.fraction.trim_end_matches('0').len());
    Ok(format!("{date}T{clock}{zone}"))
}

/// The offset as Go prints it; zero is `Z`.
fn zone(rest: Cut<'_>) -> Res<String> {
    let (sign, hours, minutes) = match rest.bytes {
        [b'Z' | b'z'] => return Ok("Z".into()),
        [b'Z' | b'z', ..] => return rest.from(1).refuse("extra bytes at the end of the timezone"),
        [sign @ (b'+' | b'-'), _, _, colon, _, _] => {
            if *colon != b':' {
                return rest.refuse_at(3, "expected a : separator");
            }
            let hours = rest.digits(1, 3)?;
            if hours > 23 {
                return rest.refuse_at(0, "invalid timezone offset hours");
            }
            (char::from(*sign), hours, rest.digits(4, 6)?)
        }
        [_, _, _, _, _, _] => return rest.refuse_at(0, "invalid timezone offset character"),
        _ => return rest.refuse("invalid date-time timezone"),
    };
    if minutes > 59 {
        return rest.refuse_at(0, "invalid timezone offset minutes");
    }
    Ok(if hours == 0 && minutes == 0 { "Z".into() } else { format!("{sign}{hours:02}:{minutes:02}") })
}

/// An instant cannot hold the second 60: it becomes the first second of the next minute.
fn carry(date: &mut Date, clock: &mut Clock) {
    clock.second = 0;
    clock.minute += 1;
    if clock.minute == 60 {
        clock.minute = 0;
        clock.hour += 1;
    }
    if clock.hour == 24 {
        clock.hour = 0;
        date.day += 1;
    }
    if date.day > days_in(date.month, date.year) {
        date.day = 1;
        date.month += 1;
    }
    if date.month == 13 {
        date.month = 1;
        date.year += 1;
    }
}

fn date(cut: Cut<'_>) -> Res<Date> {
    if cut.bytes.len() != 10 || cut.bytes[4] != b'-' || cut.bytes[7] != b'-' {
        return cut.refuse("dates are expected to have the format YYYY-MM-DD");
    }
    let date = Date { year: cut.digits(0, 4)?, month: cut.digits(5, 7)?, day: cut.digits(8, 10)? };
    let real = (1..=12).contains(&date.month) && (1..=days_in(date.month, date.year)).contains(&date.day);
    if real { Ok(date) } else { cut.refuse("impossible date") }
}

fn days_in(month: u32, year: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn date_and_clock(rules: Rules, cut: Cut<'_>) -> Res<(Date, Clock, Cut<'_>)> {
    if cut.bytes.len() < 11 {
        let message = "local datetimes are expected to have the format YYYY-MM-DDTHH:MM:SS[.NNNNNNNNN]";
        return cut.refuse(message);
    }
    let date = date(Cut { bytes: &cut.bytes[..10], start: cut.start })?;
    if !matches!(cut.bytes[10], b'T' | b't' | b' ') {
        return cut.refuse_at(10, "datetime separator is expected to be T or a space");
    }
    let (clock, rest) = clock(rules, cut.from(11))?;
    Ok((date, clock, rest))
}

fn clock(rules: Rules, cut: Cut<'_>) -> Res<(Clock, Cut<'_>)> {
    if cut.bytes.len() < 8 {
        return cut.refuse("times are expected to have the format HH:MM:SS[.NNNNNN]");
    }
    let hour = cut.digits(0, 2)?;
    if hour > 23 {
        return cut.refuse_at(0, "hour cannot be greater 23");
    }
    if cut.bytes[2] != b':' {
        return cut.refuse_at(2, "expecting colon between hours and minutes");
    }
    let minute = cut.digits(3, 5)?;
    if minute > 59 {
        return cut.refuse_at(3, "minutes cannot be greater 59");
    }
    if cut.bytes[5] != b':' {
        return cut.refuse_at(5, "expecting colon between minutes and seconds");
    }
    let second = cut.digits(6, 8)?;
    if rules.leap_second && second > 60 {
        return cut.refuse_at(6, "seconds cannot be greater 60");
    }
    if !rules.leap_second && second > 59 {
        return cut.refuse_at(6, "seconds cannot be greater than 59");
    }
    let rest = cut.from(8);
    let Some(behind_point) = rest.bytes.strip_prefix(b".") else {
        return Ok((Clock { hour, minute, second, fraction: String::new() }, rest));
    };
    let count = behind_point.iter().take_while(|b| b.is_ascii_digit()).count();
    if count == 0 {
        let nothing = behind_point.is_empty();
        let message = if nothing {
            "nanoseconds need at least one digit"
        } else {
            "need at least one digit after fraction point"
        };
        return rest.refuse_at(0, message);
    }
    let fraction = String::from_utf8_lossy(&behind_point[..count.min(9)]).into_owned();
    Ok((Clock { hour, minute, second, fraction }, rest.from(1 + count)))
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl std::fmt::Display for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:02}:{:02}:{:02}", self.hour, self.minute, self.second)?;
        if self.fraction.is_empty() { Ok(()) } else { write!(f, ".{}", self.fraction) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        for rules in [Rules::V2_2_4, Rules::V2_3_0] {
            let read = date_time(rules, text.as_bytes(), 0).map_err(|fault| fault.message);
            assert_eq!(read.as_ref().map(String::as_str).map_err(String::as_str), expected, "{text}");
        }
    }

    #[test]
    fn instants() {
        check("1979-05-27 07:32:00z", Ok("1979-05-27T07:32:00Z"));
        check("1979-05-27T00:32:00.500-07:30", Ok("1979-05-27T00:32:00.5-07:30"));
        check("1979-05-27T00:32:00.000+00:00", Ok("1979-05-27T00:32:00Z"));
        check("1979-02-29T00:32:00Z", Err("impossible date"));
        check("1979-05-27T24:32:00Z", Err("hour cannot be greater 23"));
        check("1979-05-27T00:32:00.Z", Err("need at least one digit after fraction point"));
        check("1979-05-27T00:32:00+7", Err("invalid date-time timezone"));
        check("1979-05-27T00:32:00+07:60", Err("invalid timezone offset minutes"));
    }

    #[test]
    fn a_leap_second_moves_an_instant_but_not_a_local_time() {
        let (old, new) = (Rules::V2_2_4, Rules::V2_3_0);
        assert_eq!(date_time(old, b"1999-12-31T23:59:60Z", 0).unwrap(), "2000-01-01T00:00:00Z");
        assert_eq!(local_time(old, b"23:59:60.10", 0).unwrap(), "23:59:60.10");
        assert_eq!(local_time(new, b"23:59:60", 0).unwrap_err().message, "seconds cannot be greater than 59");
    }
}
