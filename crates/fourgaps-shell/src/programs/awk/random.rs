//! `rand` and `srand`: the additive feedback generator of the C library, so that a seed gives the numbers that it gives to mawk.
//! Source: random(3).

use super::value::Value;

const DEGREE: usize = 31;
const LAG: usize = 3;

pub(super) struct Random {
    /// What it was begun with.
    pub seed: Value,
    state: [u32; DEGREE],
    at: usize,
}

impl Random {
    pub(super) fn new(now_s: u64) -> Self {
        let mut random = Self { seed: Value::Null, state: [0; DEGREE], at: 0 };
        random.begin(Value::Num(now_s as f64));
        random
    }

    /// Begins anew and gives the seed before.
    pub(super) fn begin(&mut self, seed: Value) -> Value {
        // mawk takes only numbers for what they are.
        let number = if let Value::Num(number) = seed { super::value::whole(number) as u32 } else { 1 };
        let mut word = i64::from(number.max(1) as i32);
        for place in &mut self.state {
            *place = word as u32;
            word = word * 16_807 % 2_147_483_647;
            word += if word < 0 { 2_147_483_647 } else { 0 };
        }
        self.at = LAG;
        for _ in 0..10 * DEGREE {
            self.next();
        }
        core::mem::replace(&mut self.seed, seed)
    }

    /// A whole number below 2^31.
    fn next(&mut self) -> u32 {
        let back = (self.at + DEGREE - LAG) % DEGREE;
        let sum = self.state[self.at].wrapping_add(self.state[back]);
        self.state[self.at] = sum;
        self.at = (self.at + 1) % DEGREE;
        sum >> 1
    }

    /// From 0 to 1.
    pub(super) fn fraction(&mut self) -> f64 {
        f64::from(self.next()) / 2_147_483_647.0
    }
}
