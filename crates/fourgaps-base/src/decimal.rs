//! Decimal numbers to `f64` and back, exactly. The standard library is quicker by means of tables, which cost the page 20 kB;
//! a configuration has a handful of such numbers.

use std::cmp::Ordering;

/// A number above 0 as its shortest decimal digits: `0.DIGITS` times ten to the power of `point`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The digits, neither beginning nor ending with `0`.
    pub digits: String,
    /// Where the point stands among them; before them where it is below 0.
    pub point: i32,
}

impl Decimal {
    /// The shortest digits that read back as this number; of several the nearest. Its sign is left out; 0 has no digits.
    pub fn of(value: f64) -> Self {
        let bits = value.to_bits();
        Self::shortest(bits & ((1 << 52) - 1), i32::from((bits >> 52) as u16 & 0x7ff), 52)
    }

    /// The same where 32 bits are all that is to be told.
    pub fn of_short(value: f32) -> Self {
        let bits = value.to_bits();
        Self::shortest(u64::from(bits & ((1 << 23) - 1)), i32::from((bits >> 23) as u16 & 0xff), 23)
    }

    /// The number without an exponent.
    pub fn plain(&self) -> String {
        let (digits, point) = (&self.digits, self.point);
        match usize::try_from(point) {
            Ok(0) | Err(_) if digits.is_empty() => "0".into(),
            Ok(0) | Err(_) => format!("0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
            Ok(point) if point >= digits.len() => format!("{digits}{}", "0".repeat(point - digits.len())),
            Ok(point) => format!("{}.{}", &digits[..point], &digits[point..]),
        }
    }

    /// Free-format printing after Steele and White: `rest / scale` is what is still to be told, and a digit is the last one
    /// where what it leaves is nearer than half the way to a neighbour.
    fn shortest(fraction: u64, exponent: i32, width: u32) -> Self {
        let (size, power) = match exponent {
            0 => (fraction, 1),
            _ => (fraction | 1 << width, exponent),
        };
        let power = power - bias(width);
        let even = size % 2 == 0;
        // The neighbour below the first number of a power of two is half as far away as the one above.
        let edge = u32::from(fraction == 0 && exponent > 1);
        let mut rest = Big::of(size);
        let (mut scale, mut below) = (Big::of(1), Big::of(1));
        if power >= 0 {
            rest.double(power.unsigned_abs());
            below.double(power.unsigned_abs());
        } else {
            scale.double(power.unsigned_abs());
        }
        rest.double(1 + edge);
        scale.double(1 + edge);
        let mut above = below.clone();
        above.double(edge);
        let mut decimal = Self { digits: String::new(), point: 0 };
        if size == 0 {
            return decimal;
        }
        let reaches = |rest: &Big, above: &Big, scale: &Big| match rest.plus(above).cmp(scale) {
            Ordering::Greater => true,
            Ordering::Equal => even,
            Ordering::Less => false,
        };
        while reaches(&rest, &above, &scale) {
            scale.times(10);
            decimal.point += 1;
        }
        loop {
            for number in [&mut rest, &mut above, &mut below] {
                number.times(10);
            }
            if decimal.digits.is_empty() && !reaches(&rest, &above, &scale) {
                decimal.point -= 1;
                continue;
            }
            let mut digit = 0;
            while rest >= scale {
                rest.minus(&scale);
                digit += 1;
            }
            let near_below = rest < below || even && rest == below;
            let near_above = reaches(&rest, &above, &scale);
            let up = match (near_below, near_above) {
                (true, true) => rest.plus(&rest) >= scale,
                (_, up) => up,
            };
            decimal.digits.push(char::from(b'0' + digit + u8::from(up)));
            if near_below || near_above {
                return decimal;
            }
        }
    }
}

/// How far the powers of a format with so many bits for its fraction are moved, the fraction taken as a whole number.
fn bias(width: u32) -> i32 {
    if width == 52 { 1075 } else { 150 }
}

/// A number as Rust shows it: the shortest digits, without an exponent.
pub fn show(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    match value {
        value if value.is_nan() => "NaN".into(),
        value if value.is_infinite() => format!("{sign}inf"),
        value => format!("{sign}{}", Decimal::of(value).plain()),
    }
}

/// The digits of a whole number, all of them; without its sign.
pub fn whole(value: f64) -> String {
    let bits = value.to_bits();
    let power = i32::from((bits >> 52) as u16 & 0x7ff) - bias(52);
    let size = bits & ((1 << 52) - 1) | 1 << 52;
    if power <= 0 {
        return size.checked_shr(power.unsigned_abs()).unwrap_or(0).to_string();
    }
    let mut number = Big::of(size);
    number.double(power.unsigned_abs());
    let mut digits = Vec::new();
    while !number.0.is_empty() {
        digits.push(b'0' + number.tenth());
    }
    digits.iter().rev().map(|digit| char::from(*digit)).collect()
}

/// Reads a number as Rust and Go write it: a sign, digits with a point among them, an exponent. The nearest `f64`; of two the
/// even one. What is too large is infinite. Nothing where the text is no number.
pub fn read(text: &str) -> Option<f64> {
    let (negative, unsigned) = match text.strip_prefix(['+', '-']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    let size = match unsigned {
        "inf" => f64::INFINITY,
        "nan" => f64::NAN,
        _ => read_size(unsigned)?,
    };
    Some(if negative { -size } else { size })
}

/// More digits than any two numbers that a `f64` tells apart agree in.
const MOST_DIGITS: usize = 800;

fn read_size(text: &str) -> Option<f64> {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent = match exponent.strip_prefix(['+', '-']).unwrap_or(exponent) {
        digits if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) => return None,
        digits => {
            digits.parse::<i32>().unwrap_or(i32::MAX).min(100_000)
                * if exponent.starts_with('-') { -1 } else { 1 }
        }
    };
    let (before, behind) = number.split_once('.').unwrap_or((number, ""));
    let all = || before.bytes().chain(behind.bytes());
    if !all().all(|b| b.is_ascii_digit()) || all().next().is_none() {
        return None;
    }
    let zeros = all().take_while(|b| *b == b'0').count();
    let point = i32::try_from(before.len()).ok()?.checked_sub(i32::try_from(zeros).ok()?)? + exponent;
    let mut number = Big(Vec::new());
    let mut read = 0;
    for (nth, digit) in all().skip(zeros).enumerate() {
        // Of what comes so late only whether it is there at all can matter.
        if nth >= MOST_DIGITS && digit == b'0' {
            continue;
        }
        number.times(10);
        number.add(u32::from(digit - b'0'));
        read += 1;
        if nth >= MOST_DIGITS {
            break;
        }
    }
    match point {
        _ if number.0.is_empty() => Some(0.0),
        311.. => Some(f64::INFINITY),
        ..-330 => Some(0.0),
        _ => Some(nearest(number, point - read)),
    }
}

/// The `f64` that is nearest to a number times a power of ten.
fn nearest(mut number: Big, ten: i32) -> f64 {
    let mut part = Big::of(1);
    let scaled = if ten > 0 { &mut number } else { &mut part };
    (0..ten.unsigned_abs()).for_each(|_| scaled.times(10));
    // The quotient in 54 or 55 bits, which are more than are kept, and whether anything is left of it.
    let power = number.bits() - part.bits() - 54;
    if power > 0 {
        part.double(power.unsigned_abs())
    } else {
        number.double(power.unsigned_abs())
    }
    part.double(55);
    let mut quotient: u64 = 0;
    for _ in 0..56 {
        quotient *= 2;
        if number >= part {
            number.minus(&part);
            quotient += 1;
        }
        number.double(1);
    }
    let bits = 64 - quotient.leading_zeros() as i32;
    let mut last = (power + bits - 53).max(-1074);
    let drop = (last - power).unsigned_abs();
    if drop > 63 {
        return 0.0;
    }
    let (mut kept, dropped) = (quotient >> drop, quotient & ((1 << drop) - 1));
    let up = match dropped.cmp(&(1 << (drop - 1))) {
        Ordering::Equal => !number.0.is_empty() || kept % 2 == 1,
        unequal => unequal == Ordering::Greater,
    };
    kept += u64::from(up);
    if kept == 1 << 53 {
        kept /= 2;
        last += 1;
    }
    let exponent = if kept < 1 << 52 { 0 } else { last + bias(52) };
    match u64::try_from(exponent) {
        Ok(exponent) if exponent < 0x7ff => f64::from_bits(exponent << 52 | kept & ((1 << 52) - 1)),
        _ => f64::INFINITY,
    }
}

/// A whole number of any size: 32 bits each from the lowest, and no zeros at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Big(Vec<u32>);

impl Big {
    fn of(number: u64) -> Self {
        let mut big = Self(vec![number as u32, (number >> 32) as u32]);
        big.trim();
        big
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn bits(&self) -> i32 {
        let top = self.0.last().map_or(32, |top| top.leading_zeros() as i32);
        self.0.len() as i32 * 32 - top
    }

    /// This times a number, plus another one.
    fn times_plus(&mut self, by: u32, plus: u32) {
        let mut carry = u64::from(plus);
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(by);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn times(&mut self, by: u32) {
        self.times_plus(by, 0);
    }

    fn add(&mut self, small: u32) {
        self.times_plus(1, small);
    }

    /// Doubles it so many times.
    fn double(&mut self, times: u32) {
        self.times(1 << (times % 32));
        if !self.0.is_empty() {
            self.0.splice(..0, std::iter::repeat_n(0, (times / 32) as usize));
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let mut sum = Vec::new();
        let mut carry = 0;
        for nth in 0..self.0.len().max(other.0.len()) + 1 {
            let word = |big: &Self| u64::from(big.0.get(nth).copied().unwrap_or(0));
            carry += word(self) + word(other);
            sum.push(carry as u32);
            carry >>= 32;
        }
        let mut sum = Self(sum);
        sum.trim();
        sum
    }

    /// Takes away one that is not larger.
    fn minus(&mut self, other: &Self) {
        let mut borrow = 0;
        for (nth, word) in self.0.iter_mut().enumerate() {
            let less = i64::from(other.0.get(nth).copied().unwrap_or(0));
            let rest = i64::from(*word) - less - borrow;
            *word = rest as u32;
            borrow = i64::from(rest < 0);
        }
        self.trim();
    }

    /// Divides it by ten, and gives what is left.
    fn tenth(&mut self) -> u8 {
        let mut left = 0;
        for word in self.0.iter_mut().rev() {
            left = left << 32 | u64::from(*word);
            *word = (left / 10) as u32;
            left %= 10;
        }
        self.trim();
        left as u8
    }
}

impl PartialOrd for Big {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Big {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers to try: hard ones, and many that a simple rule draws.
    fn numbers() -> impl Iterator<Item = f64> {
        let hard = [
            0.0,
            0.1,
            0.02,
            1.0,
            5e-324,
            2.2250738585072014e-308,
            2.225073858507201e-308,
            f64::MAX,
            1e23,
            9.5e-3,
        ];
        let more = [
            9007199254740993.0,
            1e22,
            1e21,
            123456.5,
            4.35,
            2f64.powi(-1022),
            2f64.powi(100),
            2f64.powi(-70),
        ];
        let mut seed: u64 = 0x9e37_79b9_7f4a_7c15;
        let drawn = std::iter::repeat_with(move || {
            seed = seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
            f64::from_bits((seed ^ seed >> 29) & !(1 << 63))
        });
        let small = (0..2000).map(|n| f64::from(n) / 1000.0);
        hard.into_iter().chain(more).chain(small).chain(drawn.filter(|n| n.is_finite()).take(3000))
    }

    #[test]
    fn numbers_are_printed_as_the_standard_library_prints_them() {
        for number in numbers() {
            assert_eq!(show(-number), (-number).to_string());
            let short = number as f32;
            if short.is_finite() {
                assert_eq!(Decimal::of_short(short).plain(), short.to_string());
            }
            assert_eq!(whole(number.trunc()), format!("{:.0}", number.trunc()));
        }
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(show(odd), odd.to_string());
        }
    }

    #[test]
    fn texts_are_read_as_the_standard_library_reads_them() {
        let texts = [
            "0",
            "-0.0",
            "+1.5",
            ".5",
            "5.",
            "1e5",
            "1E-5",
            "1e+400",
            "1e-400",
            "1e99999999999",
            "0e99999999999",
            "00012.50",
            "inf",
            "-inf",
            "",
            ".",
            "+",
            "1e",
            "1e+",
            "1.2.3",
            "1f",
            "--1",
            "e5",
            "1_0",
            " 1",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "9007199254740992.99999",
            "9007199254740993",
            "9007199254740993.0000000000000000000000000000000000000000001",
        ];
        let long = format!("9007199254740993.{}1", "0".repeat(2000));
        let drawn = numbers().flat_map(|number| {
            // What lies half-way between two numbers is the hardest to read.
            let next = f64::from_bits(number.to_bits() + 1);
            [format!("{number:e}"), format!("{number:.30}"), format!("{:.1100}", number / 2.0 + next / 2.0)]
        });
        for text in texts.map(String::from).into_iter().chain([long]).chain(drawn) {
            assert_eq!(read(&text).map(f64::to_bits), text.parse::<f64>().ok().map(f64::to_bits), "{text}");
        }
        assert!(read("nan").unwrap().is_nan());
    }
}
