//! `date`: the time of the lab, or another moment, in the formats of GNU's date(1). In UTC.

use super::ls::capital;
use super::moment::{Unread, days_of, read};
use super::options::Accepts;
use super::stat::Look;
use crate::command::{Call, Command};
use crate::world::World;
use fourgaps_base::{Civil, MONTHS};

pub(crate) struct Date;

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/// How the months go on behind their short names.
const REST: [&str; 12] =
    ["uary", "ruary", "ch", "il", "", "e", "y", "ust", "tember", "ober", "ember", "ember"];

impl<W: World> Command<W> for Date {
    fn name(&self) -> &str {
        "date"
    }

    fn help(&self) -> String {
        super::help::of("date").into()
    }

    fn run(&self, call: &mut Call<'_, W>) -> i32 {
        // `-Iseconds`: its value stands together with it.
        let long = |arg: &String| match arg.strip_prefix("-I") {
            Some("") => "--iso-8601".to_string(),
            Some(part) => format!("--iso-8601={part}"),
            None => arg.clone(),
        };
        let args: Vec<String> = call.args.iter().map(long).collect();
        let accepts = Accepts {
            letters: "uRd:r:",
            words: &[
                ("utc", "u"),
                ("universal", "u"),
                ("rfc-email", "R"),
                ("date", "d:"),
                ("reference", "r:"),
                ("iso-8601", "I?"),
                ("rfc-3339", "3:"),
            ],
        };
        let given = match accepts.parse(&args) {
            Ok(given) => given,
            Err(option) => return call.not_simulated("date", &option),
        };
        let zone = call.env("TZ").unwrap_or_default();
        if !given.has('u') && !["", "UTC", "UTC0", "Etc/UTC", "GMT"].contains(&zone.as_str()) {
            return call.not_simulated("date", &format!("the time zone {zone}"));
        }
        let now_ms = call.world.now_ms();
        let moment = if let Some(text) = given.value('d') {
            match read(text, now_ms) {
                Ok(ms) => ms,
                Err(Unread::NotSimulated) => return call.not_simulated("date", &format!("-d {text}")),
                Err(Unread::Invalid) => {
                    call.err(format!("date: invalid date ‘{text}’\n"));
                    return 1;
                }
            }
        } else if let Some(file) = given.value('r') {
            match Look::at(call.world.files(call.host), &call.path(file), true) {
                Ok(look) => call.world.epoch_ms().saturating_add_signed(look.changed_ms),
                Err(error) => {
                    call.err(format!("date: {file}: {}\n", capital(&error)));
                    return 1;
                }
            }
        } else {
            now_ms
        };
        // Its first letters are enough.
        let part = given.value('I').or(given.value('3'));
        let whole = ["date", "hours", "minutes", "seconds", "ns"];
        let part = part.map(|part| whole.into_iter().find(|word| word.starts_with(part)).unwrap_or(part));
        let format = match (&given.rest[..], part) {
            ([], None) if given.has('R') => "%a, %d %b %Y %H:%M:%S %z",
            ([], None) => "%a %b %e %H:%M:%S %Z %Y",
            ([], Some("date")) => "%F",
            ([], Some("hours")) => "%FT%H%:z",
            ([], Some("minutes")) => "%FT%H:%M%:z",
            ([], Some("seconds")) if given.has('3') => "%F %T%:z",
            ([], Some("seconds")) => "%FT%T%:z",
            ([], Some("ns")) if given.has('3') => "%F %T.%N%:z",
            ([], Some("ns")) => "%FT%T,%N%:z",
            ([format], None) if format.starts_with('+') => &format[1..],
            ([word], _) if word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') => {
                return call.not_simulated("date", word);
            }
            ([word], _) => {
                call.err(format!("date: invalid date ‘{word}’\n"));
                return 1;
            }
            ([_, word, ..], _) => {
                let text = format!("date: extra operand ‘{word}’\nTry 'date --help' for more information.\n");
                call.err(text);
                return 1;
            }
            ([], Some(part)) => return call.not_simulated("date", part),
        };
        let text = filled(format, moment) + "\n";
        call.out(text);
        0
    }
}

/// A format with a moment in ms since 1970 put in.
pub(super) fn filled(format: &str, ms: u64) -> String {
    let mut text = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        text.push_str(&rest[..at]);
        let body = &rest[at + 1..];
        let flags = body.find(|letter| !"-_0^#+".contains(letter)).unwrap_or(body.len());
        let digits = body[flags..].bytes().take_while(u8::is_ascii_digit).count();
        let width = body[flags..flags + digits].parse::<usize>().ok();
        let end = flags + digits;
        // `E` and `O` ask for other names and digits, which the locale does not have.
        let end = end + usize::from(body[end..].starts_with(['E', 'O']));
        let colons = body[end..].bytes().take_while(|byte| *byte == b':').count();
        let end = end + colons;
        let Some(letter) = body[end..].chars().next() else {
            text.push_str(&rest[at..]);
            return text;
        };
        match field(letter, colons, width, ms) {
            Some((field, usual, pad)) => text.push_str(&padded(field, &body[..flags], width, usual, pad)),
            None => text.push_str(&rest[at..at + 1 + end + letter.len_utf8()]),
        }
        rest = &body[end + letter.len_utf8()..];
    }
    text + rest
}

fn padded(field: String, flags: &str, width: Option<usize>, usual: usize, pad: char) -> String {
    let (mut pad, mut width, mut field) = (pad, width.unwrap_or(usual), field);
    for flag in flags.chars() {
        match flag {
            '-' => width = 0,
            '_' => pad = ' ',
            '0' | '+' => pad = '0',
            '^' => field = field.to_uppercase(),
            // The opposite letters: small ones for what is written in capitals.
            _ if field.chars().all(|letter| letter.is_ascii_uppercase()) => field = field.to_lowercase(),
            _ => field = field.to_uppercase(),
        }
    }
    // Nobody reads a wider one.
    let missing = width.min(1000).saturating_sub(field.chars().count());
    let fill: String = std::iter::repeat_n(pad, missing).collect();
    fill + &field
}

/// What a letter stands for, with the width and the padding that it usually has; nothing for an unknown one.
fn field(letter: char, colons: usize, width: Option<usize>, ms: u64) -> Option<(String, usize, char)> {
    let Civil { year, month, day, hour, minute, second } = Civil::of_ms(ms);
    let days = ms / 86_400_000;
    let week_day = (days + 4) % 7;
    let first = days_of(i64::try_from(year).ok()?, 1, 1)?;
    let day_of_year = days - u64::try_from(first).ok()?;
    let short = MONTHS[month as usize - 1];
    let twelve = if hour.is_multiple_of(12) { 12 } else { hour % 12 };
    let number = |value: u64, width| Some((value.to_string(), width, '0'));
    let text = |value: String| Some((value, 0, ' '));
    let whole = |format: &str| text(filled(format, ms));
    match letter {
        '%' => text("%".into()),
        'n' => text("\n".into()),
        't' => text("\t".into()),
        'a' => text(DAYS[week_day as usize][..3].into()),
        'A' => text(DAYS[week_day as usize].into()),
        'b' | 'h' => text(short.into()),
        'B' => text(format!("{short}{}", REST[month as usize - 1])),
        'c' => whole("%a %b %e %H:%M:%S %Y"),
        'C' => number(year / 100, 2),
        'd' => number(day, 2),
        'D' | 'x' => whole("%m/%d/%y"),
        'e' => Some((day.to_string(), 2, ' ')),
        'F' => whole("%Y-%m-%d"),
        'g' => number(iso_week(year, day_of_year, week_day).0 % 100, 2),
        'G' => number(iso_week(year, day_of_year, week_day).0, 4),
        'H' => number(hour, 2),
        'I' => number(twelve, 2),
        'j' => number(day_of_year + 1, 3),
        'k' => Some((hour.to_string(), 2, ' ')),
        'l' => Some((twelve.to_string(), 2, ' ')),
        'm' => number(month, 2),
        'M' => number(minute, 2),
        'N' => {
            let digits = format!("{:09}", ms % 1000 * 1_000_000);
            Some((digits[..width.unwrap_or(9).min(9)].to_string(), 0, '0'))
        }
        'p' => text(if hour < 12 { "AM" } else { "PM" }.into()),
        'P' => text(if hour < 12 { "am" } else { "pm" }.into()),
        'q' => number(month.div_ceil(3), 1),
        'r' => whole("%I:%M:%S %p"),
        'R' => whole("%H:%M"),
        's' => text((ms / 1000).to_string()),
        'S' => number(second, 2),
        'T' | 'X' => whole("%H:%M:%S"),
        'u' => number(if week_day == 0 { 7 } else { week_day }, 1),
        'U' => number((day_of_year + 7 - week_day) / 7, 2),
        'V' => number(iso_week(year, day_of_year, week_day).1, 2),
        'w' => number(week_day, 1),
        'W' => number((day_of_year + 7 - (week_day + 6) % 7) / 7, 2),
        'y' => number(year % 100, 2),
        'Y' => number(year, 4),
        'z' => text(["+0000", "+00:00", "+00:00:00", "+00"].get(colons)?.to_string()),
        'Z' => text("UTC".into()),
        _ => None,
    }
    .filter(|_| colons == 0 || letter == 'z')
}

/// Year and week as ISO 8601 counts them: a week belongs to the year of its Thursday.
fn iso_week(year: u64, day_of_year: u64, week_day: u64) -> (u64, u64) {
    let length = |year: u64| {
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        if leap { 366 } else { 365 }
    };
    // Counted from the Monday of the week to its Thursday.
    let thursday = (day_of_year + 3).checked_sub((week_day + 6) % 7);
    match thursday {
        None => {
            let (year, thursday) = (year - 1, day_of_year + 3 + length(year - 1) - (week_day + 6) % 7);
            (year, thursday / 7 + 1)
        }
        Some(thursday) if thursday >= length(year) => (year + 1, 1),
        Some(thursday) => (year, thursday / 7 + 1),
    }
}
