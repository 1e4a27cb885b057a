//! Moments as Go writes them, in UTC. Integer milliseconds since 1970, no clock.

use fourgaps_base::{Civil, MONTHS};

/// A day in the calendar and the time in it.
struct Parts {
    year: u64,
    month: u64,
    day: u64,
    clock: String,
    ms: u64,
    /// From Sunday, which is 0.
    weekday: usize,
}

fn parts(unix_ms: u64) -> Parts {
    let Civil { year, month, day, hour, minute, second } = Civil::of_ms(unix_ms);
    let clock = format!("{hour:02}:{minute:02}:{second:02}");
    let weekday = (unix_ms / 86_400_000 + 4) % 7;
    Parts { year, month, day, clock, ms: unix_ms % 1000, weekday: weekday as usize }
}

/// `2026-08-12T10:11:12Z`
pub(crate) fn seconds(unix_ms: u64) -> String {
    let Parts { year, month, day, clock, .. } = parts(unix_ms);
    format!("{year:04}-{month:02}-{day:02}T{clock}Z")
}

/// `2026-08-12T10:11:12.123000000Z`
pub(crate) fn nanos(unix_ms: u64) -> String {
    let Parts { year, month, day, clock, ms, .. } = parts(unix_ms);
    format!("{year:04}-{month:02}-{day:02}T{clock}.{ms:03}000000Z")
}

/// `2026-08-12T10:11:12.123Z`, without zeros at the end of the fraction.
pub(crate) fn short_nanos(unix_ms: u64) -> String {
    let Parts { year, month, day, clock, ms, .. } = parts(unix_ms);
    let fraction = format!(".{ms:03}");
    format!("{year:04}-{month:02}-{day:02}T{clock}{}Z", fraction.trim_end_matches('0').trim_end_matches('.'))
}

/// `0812 10:11:12.123000`
pub(crate) fn month_day(unix_ms: u64) -> String {
    let Parts { month, day, clock, ms, .. } = parts(unix_ms);
    format!("{month:02}{day:02} {clock}.{ms:03}000")
}

const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/// `Aug 12 10:11:12`
pub(crate) fn syslog(unix_ms: u64) -> String {
    let Parts { month, day, clock, .. } = parts(unix_ms);
    format!("{} {day:02} {clock}", MONTHS[month as usize - 1])
}

/// `Aug 12 10:11:12.123000`
pub(crate) fn syslog_micros(unix_ms: u64) -> String {
    format!("{}.{:03}000", syslog(unix_ms), unix_ms % 1000)
}

/// `2026-08-12T10:11:12+0000`
pub(crate) fn iso(unix_ms: u64) -> String {
    let Parts { year, month, day, clock, .. } = parts(unix_ms);
    format!("{year:04}-{month:02}-{day:02}T{clock}+0000")
}

/// `Wed 2026-08-12 10:11:12 UTC`
pub(crate) fn with_weekday(unix_ms: u64) -> String {
    let Parts { year, month, day, clock, weekday, .. } = parts(unix_ms);
    format!("{} {year:04}-{month:02}-{day:02} {clock} UTC", WEEKDAYS[weekday])
}

/// `Wed, 12 Aug 2026 10:11:12 +0000`
pub(crate) fn rfc1123(unix_ms: u64) -> String {
    let Parts { year, month, day, clock, weekday, .. } = parts(unix_ms);
    let (weekday, month) = (WEEKDAYS[weekday], MONTHS[month as usize - 1]);
    format!("{weekday}, {day:02} {month} {year:04} {clock} +0000")
}

/// How long ago something was, roughly.
/// Source: the public package `docker/go-units`.
pub(crate) fn ago(ms: u64) -> String {
    let (seconds, minutes) = (ms / 1000, ms / 60_000);
    let hours = (ms + 1_800_000) / 3_600_000;
    let span = match (seconds, minutes, hours) {
        (0, ..) => "Less than a second".into(),
        (1, ..) => "1 second".into(),
        (2..60, ..) => format!("{seconds} seconds"),
        (_, 1, _) => "About a minute".into(),
        (_, 2..60, _) => format!("{minutes} minutes"),
        (_, _, 1) => "About an hour".into(),
        (_, _, 2..48) => format!("{hours} hours"),
        (_, _, 48..336) => format!("{} days", hours / 24),
        (_, _, 336..1440) => format!("{} weeks", hours / 168),
        (_, _, 1440..17_520) => format!("{} months", hours / 720),
        _ => format!("{} years", ms / 3_600_000 / 24 / 365),
    };
    format!("{span} ago")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_are_those_of_the_calendar() {
        assert_eq!(seconds(0), "1970-01-01T00:00:00Z");
        assert_eq!(seconds(951_782_399_000), "2000-02-28T23:59:59Z");
        assert_eq!(seconds(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(seconds(951_868_800_000), "2000-03-01T00:00:00Z");
        assert_eq!(nanos(4_102_444_800_007), "2100-01-01T00:00:00.007000000Z");
        assert_eq!(month_day(1_754_993_472_120), "0812 10:11:12.120000");
        assert_eq!(rfc1123(1_772_409_600_000), "Mon, 02 Mar 2026 00:00:00 +0000");
        assert_eq!(short_nanos(1_754_993_472_120), "2025-08-12T10:11:12.12Z");
        assert_eq!(short_nanos(1_754_993_472_000), "2025-08-12T10:11:12Z");
        assert_eq!(syslog(1_754_993_472_000), "Aug 12 10:11:12");
        assert_eq!(syslog_micros(1_754_993_472_120), "Aug 12 10:11:12.120000");
        assert_eq!(iso(1_754_993_472_000), "2025-08-12T10:11:12+0000");
        assert_eq!(with_weekday(0), "Thu 1970-01-01 00:00:00 UTC");
        assert_eq!(with_weekday(1_754_993_472_000), "Tue 2025-08-12 10:11:12 UTC");
    }

    #[test]
    fn spans_are_rough() {
        let hour = 3_600_000;
        for (ms, wanted) in [
            (999, "Less than a second ago"),
            (1000, "1 second ago"),
            (59_999, "59 seconds ago"),
            (119_999, "About a minute ago"),
            (hour - 1, "59 minutes ago"),
            (hour, "About an hour ago"),
            (hour + hour / 2, "2 hours ago"),
            (48 * hour, "2 days ago"),
            (14 * 24 * hour, "2 weeks ago"),
            (60 * 24 * hour, "2 months ago"),
            (730 * 24 * hour, "2 years ago"),
        ] {
            assert_eq!(ago(ms), wanted);
        }
    }
}
