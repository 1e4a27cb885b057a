//! Moments as systemd reads them: the simple forms of systemd.time(7), in UTC.

const DAY_MS: u64 = 86_400_000;

/// A moment in ms since 1970; nothing for a form that is not simulated.
pub(super) fn read(text: &str, now_ms: u64) -> Option<u64> {
    let text = text.trim();
    let today = now_ms - now_ms % DAY_MS;
    match text {
        "now" => return Some(now_ms),
        "today" => return Some(today),
        "yesterday" => return today.checked_sub(DAY_MS),
        "tomorrow" => return today.checked_add(DAY_MS),
        _ => {}
    }
    if let Some(seconds) = text.strip_prefix('@') {
        return seconds.parse::<u64>().ok()?.checked_mul(1000);
    }
    if let Some(span) = text.strip_prefix('-').or_else(|| text.strip_suffix(" ago")) {
        return now_ms.checked_sub(span_ms(span)?);
    }
    if let Some(span) = text.strip_prefix('+').or_else(|| text.strip_suffix(" left")) {
        return now_ms.checked_add(span_ms(span)?);
    }
    let text = text.strip_suffix(" UTC").unwrap_or(text);
    match text.split_once(' ') {
        Some((date, clock)) => day_ms(date)?.checked_add(clock_ms(clock)?),
        None if text.contains(':') => today.checked_add(clock_ms(text)?),
        None => day_ms(text),
    }
}

/// `5min`, `1h 30min`, `90`: seconds where there is no unit.
fn span_ms(text: &str) -> Option<u64> {
    let (mut rest, mut total) = (text.trim(), 0u64);
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let count: u64 = rest[..end].parse().ok()?;
        let tail = rest[end..].trim_start();
        let end = tail.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(tail.len());
        let unit = match &tail[..end] {
            "" | "s" | "sec" | "second" | "seconds" => 1000,
            "ms" | "msec" => 1,
            "m" | "min" | "minute" | "minutes" => 60_000,
            "h" | "hr" | "hour" | "hours" => 3_600_000,
            "d" | "day" | "days" => DAY_MS,
            "w" | "week" | "weeks" => 7 * DAY_MS,
            _ => return None,
        };
        total = total.checked_add(count.checked_mul(unit)?)?;
        rest = tail[end..].trim_start();
    }
    Some(total)
}

/// `HH:MM` or `HH:MM:SS`
fn clock_ms(text: &str) -> Option<u64> {
    let mut parts = text.split(':').map(|part| part.parse::<u64>().ok().filter(|_| part.len() <= 2));
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    let fits = hour < 24 && minute < 60 && second < 60 && parts.next().is_none();
    fits.then_some((hour * 3600 + minute * 60 + second) * 1000)
}

/// `YYYY-MM-DD`
fn day_ms(text: &str) -> Option<u64> {
    let mut parts = text.split('-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let lengths = [31, if leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let length = *lengths.get(usize::try_from(month).ok()?.checked_sub(1)?)?;
    if !(1970..10_000).contains(&year) || day < 1 || day > length || parts.next().is_some() {
        return None;
    }
    let years: u64 = (1970..year).map(|year| if leap(year) { 366 } else { 365 }).sum();
    let months: u64 = lengths[..month as usize - 1].iter().sum();
    Some((years + months + day - 1) * DAY_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_read_as_in_systemd() {
        // 2026-03-02 00:00:00 UTC and an hour and five seconds.
        let (day, now) = (1_772_409_600_000, 1_772_413_205_000);
        for (text, wanted) in [
            ("now", Some(now)),
            ("today", Some(day)),
            ("yesterday", Some(day - DAY_MS)),
            ("00:30", Some(day + 1_800_000)),
            ("00:30:05", Some(day + 1_805_000)),
            ("2026-03-02", Some(day)),
            ("2026-03-01 23:59:59", Some(day - 1000)),
            ("2024-02-29 UTC", Some(1_709_164_800_000)),
            ("2025-02-29", None),
            ("-5min", Some(now - 300_000)),
            ("1 h 5s ago", Some(day)),
            ("@1772409600", Some(day)),
            ("soon", None),
            ("-", None),
            ("25:00", None),
            ("-99999999999999999999d", None),
        ] {
            assert_eq!(read(text, now), wanted, "{text}");
        }
    }
}
