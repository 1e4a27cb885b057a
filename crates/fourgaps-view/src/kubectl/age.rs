//! How kubectl tells how long ago something was.

/// `apimachinery/pkg/util/duration` (`HumanDuration`), for a span in milliseconds.
pub fn age(span_ms: u64) -> String {
    let seconds = span_ms / 1000;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86400);
    let both = |first: u64, unit: char, rest: u64, small: char| match rest {
        0 => format!("{first}{unit}"),
        _ => format!("{first}{unit}{rest}{small}"),
    };
    if seconds < 120 {
        format!("{seconds}s")
    } else if minutes < 10 {
        both(minutes, 'm', seconds % 60, 's')
    } else if minutes < 180 {
        format!("{minutes}m")
    } else if hours < 8 {
        both(hours, 'h', minutes % 60, 'm')
    } else if hours < 48 {
        format!("{hours}h")
    } else if hours < 24 * 8 {
        both(days, 'd', hours % 24, 'h')
    } else if days < 365 * 2 {
        format!("{days}d")
    } else if days < 365 * 8 {
        both(days / 365, 'y', days % 365, 'd')
    } else {
        format!("{}y", days / 365)
    }
}

#[cfg(test)]
mod tests {
    use super::age;

    #[test]
    fn spans_are_told_as_kubectl_does() {
        const MINUTE: u64 = 60;
        const HOUR: u64 = 60 * MINUTE;
        const DAY: u64 = 24 * HOUR;
        let cases = [
            (0, "0s"),
            (119, "119s"),
            (2 * MINUTE, "2m"),
            (3 * MINUTE + 5, "3m5s"),
            (10 * MINUTE + 59, "10m"),
            (179 * MINUTE, "179m"),
            (3 * HOUR, "3h"),
            (5 * HOUR + 12 * MINUTE, "5h12m"),
            (47 * HOUR, "47h"),
            (3 * DAY, "3d"),
            (3 * DAY + 4 * HOUR, "3d4h"),
            (40 * DAY, "40d"),
            (735 * DAY, "2y5d"),
            (3650 * DAY, "10y"),
        ];
        for (seconds, wanted) in cases {
            assert_eq!(age(seconds * 1000), wanted, "{seconds} s");
        }
    }
}
