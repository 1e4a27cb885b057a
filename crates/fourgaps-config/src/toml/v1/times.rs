//! Reads dates and times as Go's `time` package does, and prints them as Go's `%v` does.
//!
//! The lexer has settled the shape: all fields have their digits. What is left are the ranges.

use crate::toml::{Kind, TimeKind};

/// Go's name for the second layout that a local date and time is tried with.
const LAYOUT_OF_LOCAL: &str = "2006-01-02t15:04:05.999999999";

struct Date {
    year: u32,
    month: u32,
    day: u32,
}

struct Time {
    hour: u32,
    minute: u32,
    second: u32,
    /// Nine digits.
    fraction: String,
}

/// Reads `1979-05-27`.
pub(super) fn local_date(text: &str) -> Result<Kind, String> {
    let date = Date::read(text);
    let fault = date.month_fault().or_else(|| date.day_fault());
    fault.map_or(Ok(()), |what| Err(out_of_range(text, what)))?;
    Ok(Kind::Time(TimeKind::LocalDate, date.shown()))
}

/// Reads `07:32:00.5`.
pub(super) fn local_time(text: &str) -> Result<Kind, String> {
    let time = Time::read(text);
    time.fault().map_or(Ok(()), |what| Err(out_of_range(text, what)))?;
    Ok(Kind::Time(TimeKind::LocalTime, time.shown()))
}

/// Reads a date and a time without an offset.
///
/// The library tries twice, the second time with a small `t` between the two, and shows only the second refusal.
pub(super) fn local_date_time(date_text: &str, time_text: &str) -> Result<Kind, String> {
    let (date, time) = (Date::read(date_text), Time::read(time_text));
    let whole = format!("{date_text}T{time_text}");
    if let Some(what) = date.month_fault() {
        return Err(out_of_range(&whole, what));
    }
    if time.fault().or_else(|| date.day_fault()).is_some() {
        return Err(format!(
            "parsing time \"{whole}\" as \"{LAYOUT_OF_LOCAL}\": cannot parse \"T{time_text}\" as \"t\""
        ));
    }
    Ok(Kind::Time(TimeKind::LocalDateTime, format!("{}T{}", date.shown(), time.shown())))
}

/// Reads a date and a time with an offset.
///
/// Offsets of 24 hours and of 60 minutes are within Go's range.
pub(super) fn offset_date_time(date_text: &str, time_text: &str, offset: &str) -> Result<Kind, String> {
    let (date, time) = (Date::read(date_text), Time::read(time_text));
    let (hours, minutes) = (number(offset, 1, 3), number(offset, 4, 6));
    let fault = date.month_fault().or_else(|| time.fault()).or_else(|| match (hours, minutes) {
        (_, 61..) => Some("time zone offset minute"),
        (25.., _) => Some("time zone offset hour"),
        _ => date.day_fault(),
    });
    let whole = format!("{date_text}T{time_text}{offset}");
    fault.map_or(Ok(()), |what| Err(out_of_range(&whole, what)))?;
    let minutes = hours * 60 + minutes;
    let sign = if offset.starts_with('-') && minutes > 0 { '-' } else { '+' };
    let zone = format!("{sign}{:02}{:02}", minutes / 60, minutes % 60);
    let name = if minutes == 0 { "UTC" } else { &zone };
    let fraction = match time.fraction.trim_end_matches('0') {
        "" => String::new(),
        digits => format!(".{digits}"),
    };
    let text = format!("{} {}{fraction} {zone} {name}", date.shown(), time.clock());
    Ok(Kind::Time(TimeKind::Offset, text))
}

fn out_of_range(text: &str, what: &str) -> String {
    format!("parsing time \"{text}\": {what} out of range")
}

/// The number between two offsets of a text.
pub(super) fn number(text: &str, from: usize, to: usize) -> u32 {
    text.get(from..to).and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

impl Date {
    fn read(text: &str) -> Self {
        Self { year: number(text, 0, 4), month: number(text, 5, 7), day: number(text, 8, 10) }
    }

    fn month_fault(&self) -> Option<&'static str> {
        (!(1..=12).contains(&self.month)).then_some("month")
    }

    fn day_fault(&self) -> Option<&'static str> {
        let leap =
            self.year.is_multiple_of(4) && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        let days = match self.month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        (!(1..=days).contains(&self.day)).then_some("day")
    }

    fn shown(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Time {
    fn read(text: &str) -> Self {
        let digits = text.get(9..).unwrap_or_default();
        let digits = digits.get(..9).unwrap_or(digits);
        Self {
            hour: number(text, 0, 2),
            minute: number(text, 3, 5),
            second: number(text, 6, 8),
            fraction: format!("{digits:0<9}"),
        }
    }

    fn fault(&self) -> Option<&'static str> {
        match (self.hour, self.minute, self.second) {
            (24.., _, _) => Some("hour"),
            (_, 60.., _) => Some("minute"),
            (_, _, 60..) => Some("second"),
            _ => None,
        }
    }

    fn clock(&self) -> String {
        format!("{:02}:{:02}:{:02}", self.hour, self.minute, self.second)
    }

    fn shown(&self) -> String {
        match self.fraction.as_str() {
            "000000000" => self.clock(),
            digits => format!("{}.{digits}", self.clock()),
        }
    }
}
