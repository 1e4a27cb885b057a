//! What each step of the machine does.

use super::array::{Array, Key};
use super::code::*;
use super::run::{Done, Frame, Machine, Stop};
use super::value::Value;
use core::cmp::Ordering;

/// Cells that arguments and variables of functions may take, as in mawk, and how many functions may wait for others.
const MOST_CELLS: usize = 1005;
const MOST_CALLS: usize = 4000;

impl Machine {
    pub(super) fn step(&mut self, op: Op) -> Done {
        match op {
            Op::Const(at) => {
                let value = self.program.consts.get(at as usize).cloned().unwrap_or(Value::Null);
                self.push(value);
            }
            Op::Number(number) => self.push_number(number),
            Op::Load(place) => {
                let value = self.load(place, 0)?;
                self.drop_cells(Place::cells(Some(place)));
                self.push(value);
            }
            Op::Touch(var) => drop(self.load(Place::Element(var), 0)?),
            Op::Store(place) => {
                let value = self.peek(0).clone();
                self.store(place, 1, value)?;
                let value = self.pop();
                self.drop_cells(Place::cells(Some(place)));
                self.push(value);
            }
            Op::Change(math, place) => {
                let number = calculated(math, self.load(place, 1)?.num(), self.peek(0).num());
                self.store(place, 1, Value::Num(number))?;
                self.drop_cells(1 + Place::cells(Some(place)));
                self.push_number(number);
            }
            Op::Step(by, before, place) => {
                let old = self.load(place, 0)?.num();
                let new = old + f64::from(by);
                self.store(place, 0, Value::Num(new))?;
                self.drop_cells(Place::cells(Some(place)));
                self.push_number(if before { old } else { new });
            }
            Op::Arg(var) => {
                let at = self.absolute(var);
                let value = match self.cell(at) {
                    _ if !var.local && var.at == NF => self.load(Place::Var(var), 0)?,
                    Value::Null => Value::Untyped(at),
                    value => value.clone(),
                };
                self.push(value);
            }
            Op::FieldNumber(at) => {
                let value = self.field(at as usize);
                self.push(value);
            }
            Op::Subscript(count) => {
                let parts = self.take(count as usize);
                let separator = self.global_text(SUBSEP);
                let mut text = Vec::new();
                for (at, part) in parts.iter().enumerate() {
                    if at > 0 {
                        text.extend_from_slice(&separator);
                    }
                    part.push_to(&mut text, &self.convfmt);
                }
                let text = self.made(text)?;
                self.push(text);
            }
            Op::In(var) => {
                let key = Key::of(&self.pop(), &self.convfmt);
                let found = self.with_array(var, |array| array.has(&key))?;
                self.push_truth(found);
            }
            Op::Delete(var) => {
                let key = Key::of(&self.pop(), &self.convfmt);
                self.with_array(var, |array| array.delete(&key))?;
            }
            Op::DeleteAll(var) => self.with_array(var, Array::clear)?,
            Op::Math(math) => {
                let right = self.pop().num();
                let left = self.pop().num();
                self.push_number(calculated(math, left, right));
            }
            Op::Test(test) => {
                let right = self.pop();
                let left = self.pop();
                let order = left.compare(&right, &self.convfmt);
                self.push_truth(match test {
                    Test::Less => order == Ordering::Less,
                    Test::AtMost => order != Ordering::Greater,
                    Test::Equal => order == Ordering::Equal,
                    Test::Unequal => order != Ordering::Equal,
                    Test::Greater => order == Ordering::Greater,
                    Test::AtLeast => order != Ordering::Less,
                });
            }
            Op::Concat(count) => {
                let parts = self.take(count as usize);
                let mut text = Vec::new();
                for part in &parts {
                    part.push_to(&mut text, &self.convfmt);
                }
                let text = self.made(text)?;
                self.push(text);
            }
            Op::Not => {
                let truth = self.pop().truth();
                self.push_truth(!truth);
            }
            Op::Negative => {
                let number = self.pop().num();
                self.push_number(-number);
            }
            Op::Plus => {
                let number = self.pop().num();
                self.push_number(number);
            }
            Op::Truth => {
                let truth = self.pop().truth();
                self.push_truth(truth);
            }
            Op::MatchRecord(at) => {
                let text = self.whole();
                self.matched(at, &text, false);
            }
            Op::MatchText(at, negated) => {
                let value = self.pop();
                let text = self.text(&value);
                self.matched(at, &text, negated);
            }
            Op::Match(negated) => {
                let pattern = self.pop();
                let value = self.pop();
                let text = self.text(&value);
                self.cost += 1 + text.len() as u64 / 16;
                let pattern = self.text(&pattern);
                let found = self.ere(&pattern)?.is_match(&text);
                self.push_truth(found != negated);
            }
            Op::Regex(at) => self.push(Value::Regex(at)),
            Op::Jump(to) => self.pc = to as usize,
            Op::JumpIf(to) => {
                if self.pop().truth() {
                    self.pc = to as usize;
                }
            }
            Op::JumpUnless(to) => {
                if !self.pop().truth() {
                    self.pc = to as usize;
                }
            }
            Op::Pop => self.drop_cells(1),
            Op::Call(function, words) => self.call(function, words)?,
            Op::Return => self.go_back(),
            Op::Func(func, words) => self.func(func, words as usize)?,
            Op::LengthOf(var) => {
                let cell = self.cell(self.absolute(var)).clone();
                let length = match cell {
                    Value::Array(at) => self.arrays.get(at as usize).map_or(0, Array::len),
                    Value::Untyped(_) if self.array(var).is_ok() => 0,
                    _ => {
                        let value = self.load(Place::Var(var), 0)?;
                        self.text(&value).len()
                    }
                };
                self.push_number(length as f64);
            }
            Op::Split(var, words) => self.split(var, words as usize)?,
            Op::Replace(all, place) => self.replace(all, place)?,
            Op::Print(words, sink) => self.print(words as usize, sink, false)?,
            Op::Printf(words, sink) => self.print(words as usize, sink, true)?,
            Op::Getline(from, place) => self.getline(from, place)?,
            Op::Walk(var) => {
                let mut keys = self.with_array(var, Array::keys)?;
                self.cost += keys.len() as u64;
                keys.reverse();
                self.walks.push(keys);
            }
            Op::WalkOn(to) => match self.walks.last_mut().and_then(Vec::pop) {
                Some(key) => self.push(Value::Str(key)),
                None => self.pc = to as usize,
            },
            Op::EndWalk => drop(self.walks.pop()),
            Op::Record(to) => match self.next_record()? {
                Some(record) => self.record.set(record, b""),
                None => {
                    self.in_end = true;
                    self.pc = to as usize;
                }
            },
            Op::NextRecord | Op::NextFile => {
                if op == Op::NextFile {
                    self.io.main.input = None;
                }
                self.walks.clear();
                self.stack.clear();
                self.pc = self.program.main as usize;
            }
            Op::Range(at) => {
                let open = self.ranges.get(at as usize).copied().unwrap_or(false);
                self.push_truth(open);
            }
            Op::SetRange(at, open) => {
                if let Some(range) = self.ranges.get_mut(at as usize) {
                    *range = open;
                }
            }
            Op::Exit(given) => {
                if given {
                    self.status = super::value::whole(self.pop().num()) & 255;
                }
                if self.in_end {
                    return Err(Stop::End);
                }
                self.in_end = true;
                self.frames.clear();
                self.walks.clear();
                self.stack.clear();
                (self.pc, self.base) = (self.program.end as usize, 0);
            }
            Op::End => return Err(Stop::End),
        }
        Ok(())
    }

    fn matched(&mut self, at: u32, text: &[u8], negated: bool) {
        self.cost += text.len() as u64 / 16;
        let found = self.program.regexes.get(at as usize).is_some_and(|ere| ere.is_match(text));
        self.push_truth(found != negated);
    }

    fn call(&mut self, function: u32, words: u32) -> Done {
        let Some(function) = self.program.functions.get(function as usize) else { return Err(Stop::End) };
        let (params, start) = (function.params as usize, function.start as usize);
        let base = self.stack.len().saturating_sub(words as usize);
        self.stack.resize(base + params, Value::Null);
        if self.stack.len() > MOST_CELLS || self.frames.len() > MOST_CALLS {
            return Err(Stop::Fatal("program limit exceeded: eval stack size=1024".into()));
        }
        self.frames.push(Frame { back: self.pc, base: self.base, walks: self.walks.len() });
        (self.pc, self.base) = (start, base);
        Ok(())
    }

    fn go_back(&mut self) {
        let value = self.pop();
        let Some(frame) = self.frames.pop() else { return };
        while self.stack.len() > self.base {
            let cell = self.pop();
            let at = self.stack.len() as u32;
            if let Value::Array(array) = cell
                && let Some(found) =
                    self.arrays.get_mut(array as usize).filter(|found| found.owner == Some(at))
            {
                found.clear();
                found.owner = None;
                self.free.push(array);
            }
        }
        self.walks.truncate(frame.walks);
        (self.pc, self.base) = (frame.back, frame.base);
        self.push(value);
    }
}

/// What is no number has the sign that a usual processor gives it, and keeps the one that it came with.
pub(super) fn signed_nan(number: f64, from: &[f64]) -> f64 {
    if !number.is_nan() {
        return number;
    }
    from.iter().copied().find(|from| from.is_nan()).unwrap_or(f64::NAN.copysign(-1.0))
}

fn calculated(math: Math, left: f64, right: f64) -> f64 {
    let number = match math {
        Math::Add => left + right,
        Math::Sub => left - right,
        Math::Mul => left * right,
        Math::Div => left / right,
        Math::Mod => left % right,
        Math::Pow => left.powf(right),
    };
    signed_nan(number, &[left, right])
}
