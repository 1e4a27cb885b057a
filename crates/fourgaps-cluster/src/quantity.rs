//! Amounts of resources: `500m`, `2`, `16Gi`.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An amount, in thousandths of its unit, with the suffix it is written with.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Quantity {
    milli: i128,
    binary: bool,
}

/// The suffixes, with what they stand for in thousandths.
const DECIMAL: [(&str, i128); 7] = [
    ("m", 1),
    ("", 1_000),
    ("k", 1_000_000),
    ("M", 1_000_000_000),
    ("G", 1_000_000_000_000),
    ("T", 1_000_000_000_000_000),
    ("P", 1_000_000_000_000_000_000),
];
const BINARY: [(&str, u32); 5] = [("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50)];

impl Quantity {
    /// So many whole units.
    pub fn whole(units: i64) -> Self {
        Self { milli: i128::from(units) * 1000, binary: false }
    }

    /// Reads the text form. Anything finer than a thousandth is rounded up, as the API does.
    pub fn read(text: &str) -> Option<Self> {
        let digits = text.trim_start_matches(['+', '-']);
        let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
        let (number, suffix) = digits.split_at(end);
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        if number.is_empty() || number == "." || part.contains('.') || part.len() > 9 || whole.len() > 18 {
            return None;
        }
        let (unit, binary) = match BINARY.iter().find(|(name, _)| *name == suffix) {
            Some((_, bits)) => ((1_i128 << bits) * 1000, true),
            None => (DECIMAL.iter().find(|(name, _)| *name == suffix)?.1, false),
        };
        let scale = 10_i128.pow(u32::try_from(part.len()).ok()?);
        let number: i128 = format!("0{whole}{part}").parse().ok()?;
        let milli = (number * unit + scale - 1) / scale;
        let milli = if text.starts_with('-') { -milli } else { milli };
        Some(Self { milli, binary })
    }

    /// The amount in thousandths.
    pub fn milli(self) -> i128 {
        self.milli
    }

    /// The amount in whole units, rounded up.
    pub fn units(self) -> i128 {
        self.milli.div_euclid(1000) + i128::from(self.milli.rem_euclid(1000) > 0)
    }

    /// True where nothing is left of it.
    pub fn is_zero(self) -> bool {
        self.milli == 0
    }

    /// Both together; written as the first.
    pub fn plus(self, other: Self) -> Self {
        Self { milli: self.milli + other.milli, binary: self.binary || self.milli == 0 && other.binary }
    }

    /// What is left; written as the first.
    pub fn minus(self, other: Self) -> Self {
        Self { milli: self.milli - other.milli, ..self }
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.milli == other.milli
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.milli.cmp(&other.milli)
    }
}

/// The canonical form of the API: no fraction, the largest suffix that allows it.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.milli == 0 {
            return f.write_str("0");
        }
        let units = self.milli / 1000;
        if self.binary && self.milli % 1000 == 0 && units.abs() >= 1024 {
            let fits = BINARY.iter().rev().find(|(_, bits)| units % (1 << bits) == 0);
            return match fits {
                Some((suffix, bits)) => write!(f, "{}{suffix}", units >> bits),
                None => write!(f, "{units}"),
            };
        }
        let fits = DECIMAL.iter().rev().find(|(_, unit)| self.milli % unit == 0);
        let (suffix, unit) = fits.unwrap_or(&DECIMAL[0]);
        write!(f, "{}{suffix}", self.milli / unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_as_the_api_writes_them() {
        let same = ["0", "1", "500m", "100k", "2500m", "64Gi", "512Mi", "1500Mi", "3"];
        for text in same {
            assert_eq!(Quantity::read(text).unwrap().to_string(), text);
        }
        let other =
            [("1.5", "1500m"), ("0.0001", "1m"), ("1024Mi", "1Gi"), ("1000", "1k"), ("0.5Gi", "512Mi")];
        for (given, wanted) in other {
            assert_eq!(Quantity::read(given).unwrap().to_string(), wanted, "{given}");
        }
        for wrong in ["", "x", "1 Gi", "1Gb", ".", "1..2"] {
            assert_eq!(Quantity::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn equal_amounts_are_equal_however_they_are_written() {
        assert_eq!(Quantity::read("1Ki"), Quantity::read("1024"));
        assert!(Quantity::read("1G") < Quantity::read("1Gi"));
        assert_eq!(Quantity::read("512m").unwrap().units(), 1);
    }
}
