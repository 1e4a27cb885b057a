//! Spans of time as systemd prints them.

const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const WEEK: u64 = 7 * DAY;
const MONTH: u64 = 2_629_800 * SECOND;
const YEAR: u64 = 31_557_600 * SECOND;

/// `5min 3s ago`
pub(super) fn ago(ms: u64) -> String {
    let count = |ms: u64, unit: u64, name: &str| {
        let count = ms / unit;
        format!("{count} {name}{}", if count == 1 { "" } else { "s" })
    };
    let two = |unit, name, below, below_name| {
        format!("{} {}", count(ms, unit, name), count(ms % unit, below, below_name))
    };
    let span = match ms {
        0 => return "now".into(),
        YEAR.. => two(YEAR, "year", MONTH, "month"),
        MONTH.. => two(MONTH, "month", DAY, "day"),
        WEEK.. => two(WEEK, "week", DAY, "day"),
        _ if ms >= 2 * DAY => count(ms, DAY, "day"),
        _ if ms >= 25 * HOUR => format!("1 day {}h", (ms - DAY) / HOUR),
        _ if ms >= 6 * HOUR => format!("{}h", ms / HOUR),
        HOUR.. => format!("{}h {}min", ms / HOUR, ms % HOUR / MINUTE),
        _ if ms >= 5 * MINUTE => format!("{}min", ms / MINUTE),
        MINUTE.. => format!("{}min {}s", ms / MINUTE, ms % MINUTE / SECOND),
        SECOND.. => format!("{}s", ms / SECOND),
        _ => format!("{ms}ms"),
    };
    format!("{span} ago")
}

/// `5min 3.120s`, down to milliseconds.
pub(super) fn span(ms: u64) -> String {
    let units = [
        ("y", YEAR),
        ("month", MONTH),
        ("w", WEEK),
        ("d", DAY),
        ("h", HOUR),
        ("min", MINUTE),
        ("s", SECOND),
        ("ms", 1),
    ];
    let (mut left, mut parts) = (ms, Vec::new());
    for (name, unit) in units {
        if left < unit {
            continue;
        }
        let (count, rest) = (left / unit, left % unit);
        if left < MINUTE && rest > 0 {
            parts.push(format!("{count}.{rest:03}{name}"));
            break;
        }
        parts.push(format!("{count}{name}"));
        left = rest;
    }
    if parts.is_empty() { "0".into() } else { parts.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_those_of_systemd() {
        for (ms, wanted) in [
            (0, "now"),
            (999, "999ms ago"),
            (59_999, "59s ago"),
            (303_000, "5min ago"),
            (63_000, "1min 3s ago"),
            (2 * HOUR + MINUTE, "2h 1min ago"),
            (7 * HOUR + MINUTE, "7h ago"),
            (26 * HOUR, "1 day 2h ago"),
            (6 * DAY, "6 days ago"),
            (8 * DAY, "1 week 1 day ago"),
            (32 * DAY, "1 month 1 day ago"),
        ] {
            assert_eq!(ago(ms), wanted);
        }
        for (ms, wanted) in
            [(0, "0"), (5, "5ms"), (1_000, "1s"), (3_120, "3.120s"), (303_120, "5min 3.120s"), (DAY, "1d")]
        {
            assert_eq!(span(ms), wanted);
        }
    }
}
