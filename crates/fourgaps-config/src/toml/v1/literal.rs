//! A value as Go's `%#v` prints it.

use super::times::number;
use crate::toml::go_text::{float, quote};
use crate::toml::{Kind, Node, TimeKind};

/// The message would show where in its memory the process keeps a table; no two runs agree on it.
const SOME_ADDRESS: &str = "0xc000000000";

/// Prints a value as a Go literal.
pub(super) fn go_literal(kind: &Kind) -> String {
    match kind {
        Kind::Bool(value) => value.to_string(),
        Kind::Int(value) => value.to_string(),
        Kind::Uint(value) => format!("{value:#x}"),
        Kind::Float(value) => float(*value),
        Kind::String(text) => quote(text),
        Kind::Time(kind, text) => time_literal(*kind, text),
        Kind::Table(_) => format!("(*toml.Tree)({SOME_ADDRESS})"),
        Kind::Array(items) if items.is_empty() => String::from("[]interface {}(nil)"),
        Kind::Array(items) => list_literal("[]interface {}", items),
        Kind::Tables(items) => list_literal("[]*toml.Tree", items),
    }
}

fn list_literal(type_name: &str, items: &[Node]) -> String {
    let items: Vec<String> = items.iter().map(|item| go_literal(&item.kind)).collect();
    format!("{type_name}{{{}}}", items.join(", "))
}

fn time_literal(kind: TimeKind, text: &str) -> String {
    match kind {
        TimeKind::LocalDate => date_literal(text),
        TimeKind::LocalTime => clock_literal(text),
        TimeKind::LocalDateTime => {
            let (date, clock) = text.split_once('T').unwrap_or((text, ""));
            format!("toml.LocalDateTime{{Date:{}, Time:{}}}", date_literal(date), clock_literal(clock))
        }
        TimeKind::Offset => moment_literal(text),
    }
}

fn date_literal(text: &str) -> String {
    let (year, month, day) = (number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
    format!("toml.LocalDate{{Year:{year}, Month:{month}, Day:{day}}}")
}

fn clock_literal(text: &str) -> String {
    format!(
        "toml.LocalTime{{Hour:{}, Minute:{}, Second:{}, Nanosecond:{}}}",
        number(text, 0, 2),
        number(text, 3, 5),
        number(text, 6, 8),
        nanoseconds(text.get(9..).unwrap_or_default()),
    )
}

fn nanoseconds(digits: &str) -> u32 {
    number(&format!("{digits:0<9}"), 0, 9)
}

/// Go keeps a moment as seconds since the year 1, nanoseconds, and a pointer to its zone.
fn moment_literal(text: &str) -> String {
    let mut words = text.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let (date, clock, zone, name) = (word(), word(), word(), word());
    let clock_seconds = number(clock, 0, 2) * 3600 + number(clock, 3, 5) * 60 + number(clock, 6, 8);
    let zone_seconds = i64::from(number(zone, 1, 3) * 3600 + number(zone, 3, 5) * 60);
    let zone_seconds = if zone.starts_with('-') { -zone_seconds } else { zone_seconds };
    let days = days_since_year_one(number(date, 0, 4), number(date, 5, 7), number(date, 8, 10));
    let seconds = days * 86_400 + i64::from(clock_seconds) - zone_seconds;
    let location = if name == "UTC" { "nil" } else { SOME_ADDRESS };
    let nanoseconds = nanoseconds(clock.get(9..).unwrap_or_default());
    format!("time.Time{{wall:{nanoseconds:#x}, ext:{seconds}, loc:(*time.Location)({location})}}")
}

fn days_since_year_one(year: u32, month: u32, day: u32) -> i64 {
    // Counting years from March puts the leap day at the end of a year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year.wrapping_sub(1), month + 9) };
    // The year 0 in January and February belongs to the year -1.
    let year = i64::from(year.cast_signed());
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let days_of_months = i64::from((153 * month + 2) / 5);
    // 1 January of year 1 is 306 days behind 1 March of year 0.
    year * 365 + leap_days + days_of_months + i64::from(day) - 1 - 306
}
