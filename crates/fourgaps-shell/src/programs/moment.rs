//! Moments as GNU's `date -d` reads them: dates, times, days of the week and steps from now, in any order.
//! Source: "Date input formats" of the coreutils manual, and gnulib's parse-datetime.y for what stands first.

use fourgaps_base::{Civil, MONTHS};

/// Why a text is no moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// The real program does not read it either.
    Invalid,
    /// The real one reads it: names of time zones, and years before 1970.
    NotSimulated,
}

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// Digits with the sign before them, if any, and how many they are.
    Number {
        value: i64,
        signed: bool,
        digits: usize,
    },
    Word(String),
    Sign(char),
}

/// What the pieces say.
#[derive(Default)]
struct Said {
    date: Option<(Option<i64>, i64, i64)>,
    /// Seconds of the day.
    time: Option<i64>,
    /// Minutes east of UTC.
    zone: Option<i64>,
    /// Which one, and the day of the week from Sunday.
    week_day: Option<(i64, i64)>,
    months: i64,
    days: i64,
    seconds: i64,
    ms: i64,
    /// A step was said.
    steps: bool,
}

const WEEK_DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const ORDINALS: [&str; 13] = [
    "last", "this", "next", "first", "", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
    "tenth",
];

/// Days from 1970-01-01 to a date; a month beyond December is one of a later year.
pub(crate) fn days_of(year: i64, month: i64, day: i64) -> Option<i64> {
    let year = year.checked_add((month - 1).div_euclid(12))?;
    let month = (month - 1).rem_euclid(12) + 1;
    let year = if month <= 2 { year - 1 } else { year };
    let from_march = (month + 9) % 12;
    let day_of_year = (153 * from_march + 2) / 5;
    let days = year.checked_mul(365)?.checked_add(year.div_euclid(4))? - year.div_euclid(100)
        + year.div_euclid(400)
        + day_of_year
        - 719_468;
    days.checked_add(day - 1)
}

/// Milliseconds since 1970 of a moment, read at another one.
///
/// # Errors
/// Says whether the real program reads it.
pub(crate) fn read(text: &str, now_ms: u64) -> Result<u64, Unread> {
    let text = text.trim();
    if let Some(seconds) = text.strip_prefix('@') {
        let (whole, part) = seconds.split_once(['.', ',']).unwrap_or((seconds, ""));
        let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        let whole = whole.parse::<i64>().ok().and_then(|whole| whole.checked_mul(1000));
        let part = format!("{part:0<3}");
        let part = part.get(..3).filter(|part| is_number(part)).and_then(|part| part.parse::<i64>().ok());
        let (whole, part) = whole.zip(part).ok_or(Unread::Invalid)?;
        return u64::try_from(whole + part).map_err(|_| Unread::NotSimulated);
    }
    let pieces = pieces(text)?;
    let mut said = Said::default();
    let mut rest = &pieces[..];
    while !rest.is_empty() {
        let taken = said.take(rest)?;
        rest = &rest[taken..];
    }
    said.moment(now_ms)
}

/// Where letters of a kind end.
fn end_of(text: &str, is: fn(char) -> bool) -> usize {
    text.find(|letter| !is(letter)).unwrap_or(text.len())
}

fn pieces(text: &str) -> Result<Vec<Piece>, Unread> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if letter.is_whitespace() {
            rest = &rest[letter.len_utf8()..];
        } else if letter.is_ascii_alphabetic() {
            let end = end_of(rest, |letter| letter.is_ascii_alphabetic() || letter == '.');
            found.push(Piece::Word(rest[..end].replace('.', "").to_ascii_lowercase()));
            rest = &rest[end..];
        } else if letter.is_ascii_digit() {
            let end = end_of(rest, |letter| letter.is_ascii_digit());
            let value = rest[..end].parse().map_err(|_| Unread::Invalid)?;
            found.push(Piece::Number { value, signed: false, digits: end });
            rest = &rest[end..];
        } else if letter == '+' || letter == '-' {
            // A sign belongs to the digits behind it, also over a space; before a word it means nothing.
            rest = rest[1..].trim_start();
            let end = end_of(rest, |letter| letter.is_ascii_digit());
            if end > 0 {
                let value: i64 = rest[..end].parse().map_err(|_| Unread::Invalid)?;
                let value = if letter == '-' { -value } else { value };
                found.push(Piece::Number { value, signed: true, digits: end });
                rest = &rest[end..];
            }
        } else if ":/,.".contains(letter) {
            found.push(Piece::Sign(letter));
            rest = &rest[1..];
        } else {
            return Err(Unread::Invalid);
        }
    }
    Ok(found)
}

/// The place of a name in a list that it, or its first letters, stands in.
fn place(names: &[&str], word: &str, least: usize) -> Option<i64> {
    let is_it =
        |name: &&str| word.len() >= least && (**name == *word || word.len() == 3 && name.starts_with(word));
    names.iter().position(is_it).and_then(|at| i64::try_from(at).ok())
}

fn month_of(word: &str) -> Option<i64> {
    let short = word.get(..3)?;
    let at = MONTHS.iter().position(|month| month.eq_ignore_ascii_case(short))?;
    let long = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ][at];
    (word.len() == 3 || word == long || word == "sept").then_some(at as i64 + 1)
}

impl Said {
    /// Takes what the first pieces say; gives how many they are.
    fn take(&mut self, pieces: &[Piece]) -> Result<usize, Unread> {
        use Piece::{Number, Sign, Word};
        let number = |value: i64, digits: usize| {
            if digits > 2 { value } else { value + if value < 69 { 2000 } else { 1900 } }
        };
        match pieces {
            [Number { value: hour, signed: false, .. }, Sign(':'), ..] => self.clock(*hour, pieces),
            [Number { value: hour, signed: false, .. }, Word(half), ..] if half == "am" || half == "pm" => {
                self.set_time(twelve(*hour, half)? * 3600)?;
                Ok(2)
            }
            // 2024-01-31
            [
                Number { value: year, signed: false, digits },
                Number { value: month, signed: true, .. },
                Number { value: day, signed: true, .. },
                ..,
            ] if *month < 0 && *day < 0 => {
                self.set_date(Some(number(*year, *digits)), -month, -day)?;
                let is_t = matches!(pieces.get(3..5), Some([Word(t), Number { .. }]) if t == "t");
                Ok(3 + usize::from(is_t))
            }
            // 2024/01/31, 01/31/2024, 01/31
            [
                Number { value: first, digits, .. },
                Sign('/'),
                Number { value: second, .. },
                Sign('/'),
                Number { value: third, digits: last, .. },
                ..,
            ] => {
                let (year, month, day) = match *digits > 2 {
                    true => (*first, *second, *third),
                    false => (number(*third, *last), *first, *second),
                };
                self.set_date(Some(year), month, day)?;
                Ok(5)
            }
            [Number { value: month, .. }, Sign('/'), Number { value: day, .. }, ..] => {
                self.set_date(None, *month, *day)?;
                Ok(3)
            }
            // 31 January 2024, 31-Jan-2024, 31 January
            [Number { value: day, signed: false, .. }, Word(word), more @ ..] if month_of(word).is_some() => {
                let month = month_of(word).ok_or(Unread::Invalid)?;
                let year = match more {
                    [Number { .. }, Sign(':'), ..] => None,
                    [Number { value, digits, .. }, ..] => Some(number(value.abs(), *digits)),
                    _ => None,
                };
                self.set_date(year, month, *day)?;
                Ok(2 + usize::from(year.is_some()))
            }
            // January 31, 2024; January 31
            [Word(word), Number { value: day, .. }, more @ ..] if month_of(word).is_some() => {
                let month = month_of(word).ok_or(Unread::Invalid)?;
                if let [Sign(','), Number { value, digits, .. }, ..] = more {
                    self.set_date(Some(number(*value, *digits)), month, *day)?;
                    return Ok(4);
                }
                self.set_date(None, month, day.abs())?;
                Ok(2)
            }
            [Number { value, .. }, Word(unit), more @ ..] if self.can_step(unit) => {
                let ago = matches!(more, [Word(ago), ..] if ago == "ago");
                self.step(if ago { -value } else { *value }, unit)?;
                Ok(2 + usize::from(ago))
            }
            [Word(ordinal), Word(unit), more @ ..] if place(&ORDINALS, ordinal, 4).is_some() => {
                let count = place(&ORDINALS, ordinal, 4).ok_or(Unread::Invalid)? - 1;
                // `first` is 1 as `next` is.
                let count = if count > 1 { count - 1 } else { count };
                if let Some(day) = place(&WEEK_DAYS, unit, 3) {
                    self.week_day = Some((count, day));
                    return Ok(2);
                }
                let ago = matches!(more, [Word(ago), ..] if ago == "ago");
                self.step(if ago { -count } else { count }, unit)?;
                Ok(2 + usize::from(ago))
            }
            [Word(word), more @ ..] => {
                let ago = matches!(more, [Word(ago), ..] if ago == "ago");
                match word.as_str() {
                    "today" | "now" => self.steps = true,
                    "tomorrow" => self.step(1, "day")?,
                    "yesterday" => self.step(-1, "day")?,
                    "utc" | "z" | "gmt" | "ut" if self.zone.is_none() => self.zone = Some(0),
                    word if self.can_step(word) => {
                        self.step(if ago { -1 } else { 1 }, word)?;
                        return Ok(1 + usize::from(ago));
                    }
                    word => {
                        self.week_day = Some((0, place(&WEEK_DAYS, word, 3).ok_or_else(|| unknown(word))?));
                        // A comma may follow.
                        return Ok(1 + usize::from(matches!(more, [Sign(','), ..])));
                    }
                }
                Ok(1)
            }
            // A year behind a month and a day, a date without signs, or hours.
            [Number { value, signed: false, digits }, ..] => {
                match (&mut self.date, digits) {
                    (Some((year @ None, ..)), 3..) if !self.steps => *year = Some(*value),
                    (Some((year @ None, ..)), _) if !self.steps && self.time.is_some() => {
                        *year = Some(number(*value, *digits));
                    }
                    (_, 5..) => self.set_date(
                        Some(number(value / 10_000, digits - 4)),
                        value / 100 % 100,
                        value % 100,
                    )?,
                    (_, 1 | 2) if *value < 24 => self.set_time(value * 3600)?,
                    (_, 3 | 4) if value / 100 < 24 && value % 100 < 60 => {
                        self.set_time(value / 100 * 3600 + value % 100 * 60)?;
                    }
                    _ => return Err(Unread::Invalid),
                }
                Ok(1)
            }
            _ => Err(Unread::Invalid),
        }
    }

    /// `15:30`, `15:30:05.5`, `3:30 pm`, with a zone behind them.
    fn clock(&mut self, hour: i64, pieces: &[Piece]) -> Result<usize, Unread> {
        use Piece::{Number, Sign, Word};
        let [_, _, Number { value: minute, signed: false, .. }, more @ ..] = pieces else {
            return Err(Unread::Invalid);
        };
        let (mut taken, mut second, mut more) = (3, 0, more);
        if let [Sign(':'), Number { value, signed: false, .. }, rest @ ..] = more {
            (taken, second, more) = (5, *value, rest);
            if let [Sign('.' | ','), Number { value, digits, .. }, rest @ ..] = more {
                self.ms = (0..3).fold(*value, |part, at| if at < *digits { part } else { part * 10 });
                self.ms /= (3..*digits).fold(1, |ten, _| ten * 10);
                (taken, more) = (7, rest);
            }
        }
        let hour = match more {
            [Word(half), ..] if half == "am" || half == "pm" => {
                taken += 1;
                twelve(hour, half)?
            }
            [Number { value, signed: true, digits }, rest @ ..] => {
                taken += 1;
                let minutes = match rest {
                    [Sign(':'), Number { value: minutes, .. }, ..] => {
                        taken += 2;
                        value * 60 + minutes * value.signum()
                    }
                    _ if *digits <= 2 => value * 60,
                    _ => value / 100 * 60 + value % 100,
                };
                if minutes.abs() > 24 * 60 {
                    return Err(Unread::Invalid);
                }
                self.zone = Some(minutes);
                hour
            }
            _ => hour,
        };
        if hour > 23 || *minute > 59 || second > 59 {
            return Err(Unread::Invalid);
        }
        self.set_time(hour * 3600 + minute * 60 + second)?;
        Ok(taken)
    }

    fn set_time(&mut self, seconds: i64) -> Result<(), Unread> {
        if self.time.replace(seconds).is_some() { Err(Unread::Invalid) } else { Ok(()) }
    }

    fn set_date(&mut self, year: Option<i64>, month: i64, day: i64) -> Result<(), Unread> {
        let fits = (1..=12).contains(&month) && (1..=31).contains(&day);
        if !fits || self.date.replace((year, month, day)).is_some() { Err(Unread::Invalid) } else { Ok(()) }
    }

    fn can_step(&self, unit: &str) -> bool {
        Self::default().step(1, unit).is_ok()
    }

    fn step(&mut self, count: i64, unit: &str) -> Result<(), Unread> {
        let (of, each) = match unit.strip_suffix('s').unwrap_or(unit) {
            "year" => (&mut self.months, 12),
            "month" => (&mut self.months, 1),
            "fortnight" => (&mut self.days, 14),
            "week" => (&mut self.days, 7),
            "day" => (&mut self.days, 1),
            "hour" => (&mut self.seconds, 3600),
            "minute" | "min" => (&mut self.seconds, 60),
            "second" | "sec" => (&mut self.seconds, 1),
            _ => return Err(Unread::Invalid),
        };
        *of = count.checked_mul(each).and_then(|step| of.checked_add(step)).ok_or(Unread::Invalid)?;
        self.steps = true;
        Ok(())
    }

    fn moment(&self, now_ms: u64) -> Result<u64, Unread> {
        let now = Civil::of_ms(now_ms);
        let whole = |value: u64| i64::try_from(value).map_err(|_| Unread::Invalid);
        let (year, month, day) = match self.date {
            Some((year, month, day)) => (year.map_or_else(|| whole(now.year), Ok)?, month, day),
            None => (whole(now.year)?, whole(now.month)?, whole(now.day)?),
        };
        let next = days_of(year, month + 1, 1).ok_or(Unread::Invalid)?;
        if days_of(year, month, day).ok_or(Unread::Invalid)? >= next {
            return Err(Unread::Invalid);
        }
        let of_now = whole(now.hour * 3600 + now.minute * 60 + now.second)?;
        let is_now = self.date.is_none() && self.week_day.is_none() && self.time.is_none();
        let seconds =
            self.time.unwrap_or(if is_now && (self.steps || self.zone.is_some()) { of_now } else { 0 });
        let month = month.checked_add(self.months).ok_or(Unread::Invalid)?;
        let mut days = days_of(year, month, day).ok_or(Unread::Invalid)?;
        if let Some((count, week_day)) = self.week_day.filter(|_| self.date.is_none()) {
            let today = (days + 4).rem_euclid(7);
            let weeks = count - i64::from(count > 0 && today != week_day);
            days += (week_day - today).rem_euclid(7) + 7 * weeks;
        }
        let at = days
            .checked_add(self.days)
            .and_then(|days| days.checked_mul(86_400))
            .and_then(|at| at.checked_add(seconds + self.seconds - self.zone.unwrap_or(0) * 60))
            .and_then(|at| at.checked_mul(1000))
            .ok_or(Unread::Invalid)?;
        // What is said from now on keeps the parts of the second.
        let part = if is_now { whole(now_ms % 1000)? } else { self.ms };
        u64::try_from(at + part).map_err(|_| Unread::NotSimulated)
    }
}

/// The hour of the day of one on a clock's face.
fn twelve(hour: i64, half: &str) -> Result<i64, Unread> {
    match hour {
        1..=12 => Ok(hour % 12 + if half == "pm" { 12 } else { 0 }),
        _ => Err(Unread::Invalid),
    }
}

/// The time zones that the real one knows by name, besides those of one letter.
const ZONES: &str = "wet west bst art brt brst nst ndt ast adt clt clst est edt cst cdt mst mdt pst pdt akst akdt hst hast \
    hadt sst wat cet cest met mez mest mesz eet eest cat sast eat msk msd ist sgt kst jst gst nzst nzdt dst";

fn unknown(word: &str) -> Unread {
    match word.len() == 1 || ZONES.split(' ').any(|zone| zone == word) {
        true => Unread::NotSimulated,
        false => Unread::Invalid,
    }
}
