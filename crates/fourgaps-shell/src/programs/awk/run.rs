//! The machine: takes the steps of a program one after the other. It has a stack of its own, so that a program may not use up
//! the host's, and stops wherever it needs something.

use super::array::{Array, Key};
use super::code::*;
use super::ere::Ere;
use super::io::{Io, Need, Records};
use super::random::Random;
use super::record::{MOST_FIELDS, Record, Separator};
use super::value::{Str, Value, Var};

/// Bytes of one string.
const MOST_BYTES: usize = 16 << 20;
/// Bytes that all variables may hold.
const MOST_HELD: usize = 64 << 20;
/// Steps that making a pattern counts as.
const MAKING: u64 = 3000;
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

/// Where a function goes back to.
pub(super) struct Frame {
    pub back: usize,
    pub base: usize,
    pub walks: usize,
}

pub(super) struct Machine {
    pub program: Program,
    pub globals: Vec<Value>,
    pub stack: Vec<Value>,
    pub frames: Vec<Frame>,
    /// The subscripts that are left for each `for (k in a)`, in reverse.
    pub walks: Vec<Vec<Str>>,
    pub arrays: Vec<Array>,
    pub free: Vec<u32>,
    pub record: Record,
    pub io: Io,
    pub ranges: Vec<bool>,
    pub pc: usize,
    pub base: usize,
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

    pub(super) fn push_truth(&mut self, truth: bool) {
        self.push_number(f64::from(u8::from(truth)));
    }

    /// A text that was made; counts its length.
    pub(super) fn made(&mut self, bytes: Vec<u8>) -> Result<Value, Stop> {
        // A copy is quick.
        self.cost += bytes.len() as u64 / 256;
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

    pub(super) fn absolute(&self, var: Var) -> Var {
        if var.local { Var { local: true, at: var.at + self.base as u32 } } else { var }
    }

    pub(super) fn cell(&self, var: Var) -> &Value {
        let cells = if var.local { &self.stack } else { &self.globals };
        cells.get(var.at as usize).unwrap_or(&Value::Null)
    }

    pub(super) fn set_cell(&mut self, var: Var, value: Value) {
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

    pub(super) fn scalar(&self, value: &Value) -> Result<Value, Stop> {
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
        Ok(at)
    }

    pub(super) fn field(&mut self, at: usize) -> Value {
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
                    at => self.record.set_field(field_count(at as f64)?, value),
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
                self.record.resize(field_count(count)?);
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

    pub(super) fn drop_cells(&mut self, count: usize) {
        self.stack.truncate(self.stack.len().saturating_sub(count));
    }

    /// The regular expression that a text is.
    pub(super) fn ere(&mut self, pattern: &Str) -> Result<&mut Ere, Stop> {
        let found = self.ready.iter().position(|(known, _)| known == pattern);
        let at = match found {
            Some(at) => at,
            None => {
                let ere = Ere::new(pattern).map_err(run_time)?;
                self.cost += if ere.is_plain() { 50 } else { MAKING } + pattern.len() as u64;
                if self.ready.len() == MOST_PATTERNS {
                    self.ready.remove(0);
                }
                self.ready.push((pattern.clone(), ere));
                self.ready.len() - 1
            }
        };
        self.ready.get_mut(at).map(|(_, ere)| ere).ok_or(Stop::End)
    }
}

fn field_count(count: f64) -> Result<usize, Stop> {
    if count > MOST_FIELDS as f64 {
        return Err(Stop::Fatal(format!("more than {MOST_FIELDS} fields: not simulated in this lab")));
    }
    Ok(count as usize)
}
