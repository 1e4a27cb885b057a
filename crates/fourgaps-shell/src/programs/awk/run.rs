//! The machine: takes the steps of a program one after the other. It has a stack of its own, so that a program may not use up
//! the host's, and stops wherever it needs something.

use super::array::{Array, Key};
use super::code::*;
use super::ere::Ere;
use super::io::{Io, Need, Records};
use super::random::Random;
use super::record::{MOST_FIELDS, Record, Separator};
use super::value::{Str, Value, Var};
use core::cmp::Ordering;

/// Cells that arguments and variables of functions may take, as in mawk, and how many functions may wait for others.
const MOST_CELLS: usize = 1005;
const MOST_CALLS: usize = 4000;
/// Bytes of one string.
const MOST_BYTES: usize = 16 << 20;
/// Bytes that all variables may hold.
const MOST_HELD: usize = 64 << 20;
/// How many texts that are used as patterns are kept ready.
const MOST_PATTERNS: usize = 24;

/// Why the machine stops within a step.
#[derive(Debug)]
pub(super) enum Stop {
    Need(Need),
    /// What is wrong, told with status 2.
    Fatal(String),
    /// The program is over.
    End,
}

/// Why the machine stopped.
pub(super) enum Event {
    /// It has used what it was given and may go on.
    Slice,
    Need(Need),
    Fatal(String),
    End,
}

struct Frame {
    back: usize,
    base: usize,
    walks: usize,
}

pub(super) struct Machine {
    pub program: Program,
    pub globals: Vec<Value>,
    pub stack: Vec<Value>,
    frames: Vec<Frame>,
    /// The subscripts that are left for each `for (k in a)`, in reverse.
    walks: Vec<Vec<Str>>,
    pub arrays: Vec<Array>,
    free: Vec<u32>,
    pub record: Record,
    pub io: Io,
    ranges: Vec<bool>,
    pc: usize,
    base: usize,
    pub in_end: bool,
    pub status: i32,
    pub random: Random,
    pub now_s: u64,
    /// Steps so far; long texts count as several.
    pub cost: u64,
    pub ready: Vec<(Str, Ere)>,
    pub separator: Option<(Str, Separator)>,
    pub convfmt: Str,
    pub ofmt: Str,
    /// Bytes printed so far, and whether a file's buffer should be written.
    pub printed: usize,
    pub is_full: bool,
}

pub(super) type Done = Result<(), Stop>;

/// A fault of the program while it runs, in mawk's words.
pub(super) fn run_time(why: impl core::fmt::Display) -> Stop {
    Stop::Fatal(format!("run time error: {why}"))
}

impl Machine {
    pub(super) fn new(program: Program, now_s: u64) -> Self {
        let mut globals = vec![Value::Null; program.globals.len()];
        let text = |text: &str| Value::of(text.as_bytes());
        let first = [
            (NR, Value::Num(0.0)),
            (FNR, Value::Num(0.0)),
            (FS, text(" ")),
            (OFS, text(" ")),
            (ORS, text("\n")),
            (RS, text("\n")),
            (RSTART, Value::Num(0.0)),
            (RLENGTH, Value::Num(-1.0)),
            (CONVFMT, text("%.6g")),
            (OFMT, text("%.6g")),
            (SUBSEP, text("\x1c")),
        ];
        for (at, value) in first {
            globals[at as usize] = value;
        }
        let (pc, ranges) = (program.start as usize, vec![false; program.ranges as usize]);
        let number = Str::from(&b"%.6g"[..]);
        Self {
            program,
            globals,
            stack: Vec::new(),
            frames: Vec::new(),
            walks: Vec::new(),
            arrays: Vec::new(),
            free: Vec::new(),
            record: Record::default(),
            io: Io::default(),
            ranges,
            pc,
            base: 0,
            in_end: false,
            status: 0,
            random: Random::new(now_s),
            now_s,
            cost: 0,
            ready: Vec::new(),
            separator: None,
            convfmt: number.clone(),
            ofmt: number,
            printed: 0,
            is_full: false,
        }
    }

    /// Takes steps until so many are taken or something else is needed.
    pub(super) fn run(&mut self, steps: u64) -> Event {
        let end = self.cost.saturating_add(steps);
        while self.cost < end && !self.is_full {
            self.cost += 1;
            let Some(op) = self.program.code.get(self.pc).copied() else { return Event::End };
            self.pc += 1;
            match self.step(op) {
                Ok(()) => {}
                Err(Stop::Need(need)) => {
                    self.pc -= 1;
                    return Event::Need(need);
                }
                Err(Stop::Fatal(why)) => return Event::Fatal(self.told(why)),
                Err(Stop::End) => return Event::End,
            }
        }
        Event::Slice
    }

    /// What is wrong, with where in the input it was found.
    fn told(&mut self, why: String) -> String {
        if !why.starts_with("run time error") && !why.contains("sprintf") {
            return format!("{why}\n");
        }
        let shown = |value: &Value| String::from_utf8_lossy(&value.text(b"%.6g")).into_owned();
        let [name, fnr, nr] = [FILENAME, FNR, NR].map(|at| shown(self.global(at)));
        format!("{why}\n\tFILENAME=\"{name}\" FNR={fnr} NR={nr}\n")
    }

    /// True where the variables hold more than they may.
    pub(super) fn is_too_large(&self) -> bool {
        let values = self.globals.iter().chain(&self.stack).map(Value::weight).sum::<usize>();
        values + self.arrays.iter().map(Array::weight).sum::<usize>() > MOST_HELD
    }

    pub(super) fn pop(&mut self) -> Value {
        self.stack.pop().unwrap_or(Value::Null)
    }

    /// A cell of the stack, from its top on.
    pub(super) fn peek(&self, below: usize) -> &Value {
        self.stack.len().checked_sub(below + 1).and_then(|at| self.stack.get(at)).unwrap_or(&Value::Null)
    }

    pub(super) fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    pub(super) fn push_number(&mut self, number: f64) {
        self.stack.push(Value::Num(number));
    }

    fn push_truth(&mut self, truth: bool) {
        self.push_number(f64::from(u8::from(truth)));
    }

    /// A text that was made; counts its length.
    pub(super) fn made(&mut self, bytes: Vec<u8>) -> Result<Value, Stop> {
        self.cost += bytes.len() as u64 / 16;
        if bytes.len() > MOST_BYTES {
            return Err(Stop::Fatal("program limit exceeded: a text of 16 MB".into()));
        }
        Ok(Value::Str(bytes.into()))
    }

    pub(super) fn text(&self, value: &Value) -> Str {
        value.text(&self.convfmt)
    }

    pub(super) fn global(&self, at: u32) -> &Value {
        self.globals.get(at as usize).unwrap_or(&Value::Null)
    }

    pub(super) fn global_text(&self, at: u32) -> Str {
        self.text(self.global(at))
    }

    pub(super) fn set_global(&mut self, at: u32, value: Value) {
        if let Some(cell) = self.globals.get_mut(at as usize) {
            *cell = value;
        }
    }

    fn absolute(&self, var: Var) -> Var {
        if var.local { Var { local: true, at: var.at + self.base as u32 } } else { var }
    }

    fn cell(&self, var: Var) -> &Value {
        let cells = if var.local { &self.stack } else { &self.globals };
        cells.get(var.at as usize).unwrap_or(&Value::Null)
    }

    fn set_cell(&mut self, var: Var, value: Value) {
        let cells = if var.local { &mut self.stack } else { &mut self.globals };
        if let Some(cell) = cells.get_mut(var.at as usize) {
            *cell = value;
        }
    }

    /// The number of the array that a variable is, which becomes one where it was nothing yet.
    pub(super) fn array(&mut self, var: Var) -> Result<usize, Stop> {
        let first = self.absolute(var);
        let mut at = first;
        loop {
            match self.cell(at) {
                Value::Array(array) => {
                    let array = *array;
                    self.set_cell(first, Value::Array(array));
                    return Ok(array as usize);
                }
                Value::Untyped(below) => at = *below,
                Value::Null => {
                    let array = self.free.pop().unwrap_or(self.arrays.len() as u32);
                    if array as usize == self.arrays.len() {
                        self.arrays.push(Array::default());
                    }
                    if let Some(found) = self.arrays.get_mut(array as usize) {
                        found.owner = at.local.then_some(at.at);
                    }
                    self.set_cell(at, Value::Array(array));
                    self.set_cell(first, Value::Array(array));
                    return Ok(array as usize);
                }
                _ => return Err(Stop::Fatal("type error: an array was expected, and a scalar found".into())),
            }
        }
    }

    pub(super) fn with_array<T>(&mut self, var: Var, act: impl FnOnce(&mut Array) -> T) -> Result<T, Stop> {
        let at = self.array(var)?;
        self.arrays.get_mut(at).map(act).ok_or(Stop::End)
    }

    fn scalar(&self, value: &Value) -> Result<Value, Stop> {
        match value {
            Value::Array(_) => {
                Err(Stop::Fatal("type error: a scalar was expected, and an array found".into()))
            }
            Value::Untyped(_) => Ok(Value::Null),
            value => Ok(value.clone()),
        }
    }

    /// The value of a place whose subscript lies on the stack so many cells below its top.
    pub(super) fn load(&mut self, place: Place, below: usize) -> Result<Value, Stop> {
        match place {
            Place::Var(Var { local: false, at: NF }) => Ok(Value::Num(self.record.count() as f64)),
            Place::Var(var) => self.scalar(self.cell(self.absolute(var))),
            Place::Element(var) => {
                let key = Key::of(self.peek(below), &self.convfmt);
                self.cost += 1;
                self.with_array(var, |array| array.element(&key).clone())
            }
            Place::Field => {
                let at = self.field_number(below)?;
                Ok(self.field(at))
            }
        }
    }

    fn field_number(&self, below: usize) -> Result<usize, Stop> {
        let number = super::value::whole(self.peek(below).num());
        let at =
            usize::try_from(number).map_err(|_| run_time(format_args!("negative field index ${number}")))?;
        if at > MOST_FIELDS {
            return Err(Stop::Fatal(format!("more than {MOST_FIELDS} fields: not simulated in this lab")));
        }
        Ok(at)
    }

    fn field(&mut self, at: usize) -> Value {
        if at > 0 {
            return self.record.field(at);
        }
        let (ofs, format) = (self.global_text(OFS), self.convfmt.clone());
        self.record.whole(&ofs, &format)
    }

    /// `$0`.
    pub(super) fn whole(&mut self) -> Str {
        let whole = self.field(0);
        self.text(&whole)
    }

    /// Sets a place whose subscript lies on the stack so many cells below its top.
    pub(super) fn store(&mut self, place: Place, below: usize, value: Value) -> Done {
        match place {
            Place::Var(var) if !var.local && var.at < SPECIAL.len() as u32 => self.set_special(var.at, value),
            Place::Var(var) => {
                let var = self.absolute(var);
                if matches!(self.cell(var), Value::Array(_)) {
                    self.scalar(self.cell(var))?;
                }
                self.set_cell(var, value);
                Ok(())
            }
            Place::Element(var) => {
                let key = Key::of(self.peek(below), &self.convfmt);
                self.cost += 1;
                self.with_array(var, |array| *array.element(&key) = value)
            }
            Place::Field => {
                match self.field_number(below)? {
                    0 => self.record.set(value, &self.convfmt),
                    at => self.record.set_field(at, value),
                }
                Ok(())
            }
        }
    }

    fn set_special(&mut self, at: u32, value: Value) -> Done {
        match at {
            NF => {
                let count = value.num();
                if count < 0.0 {
                    return Err(run_time("negative value assigned to NF"));
                }
                self.record.resize(count as usize);
                return Ok(());
            }
            FS => {
                // The record at hand is parted by what was said before.
                self.record.split();
                self.record.by = Separator::new(&self.text(&value)).map_err(run_time)?;
            }
            RS => self.io.records = Records::new(&self.text(&value)).map_err(run_time)?,
            CONVFMT => self.convfmt = self.text(&value),
            OFMT => self.ofmt = self.text(&value),
            ENVIRON | ARGV => return self.scalar(self.global(at)).map(|_| ()),
            _ => {}
        }
        self.set_global(at, value);
        Ok(())
    }

    /// Takes so many cells off the stack.
    pub(super) fn take(&mut self, count: usize) -> Vec<Value> {
        self.stack.split_off(self.stack.len().saturating_sub(count))
    }

    fn drop_cells(&mut self, count: usize) {
        self.stack.truncate(self.stack.len().saturating_sub(count));
    }

    fn step(&mut self, op: Op) -> Done {
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

    /// The regular expression that a text is.
    pub(super) fn ere(&mut self, pattern: &Str) -> Result<&mut Ere, Stop> {
        let found = self.ready.iter().position(|(known, _)| known == pattern);
        let at = match found {
            Some(at) => at,
            None => {
                let ere = Ere::new(pattern).map_err(run_time)?;
                self.cost += 50 + pattern.len() as u64;
                if self.ready.len() == MOST_PATTERNS {
                    self.ready.remove(0);
                }
                self.ready.push((pattern.clone(), ere));
                self.ready.len() - 1
            }
        };
        self.ready.get_mut(at).map(|(_, ere)| ere).ok_or(Stop::End)
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
