//! What is read and written: the input, files, and commands. The machine never waits: it says what it needs, and runs the same
//! step again once that is there.

use super::ere::Ere;
use std::sync::Arc;

/// Files and commands that may be open: a process has 1024, some of them are taken.
const MOST_OPEN: usize = 1018;

/// What a step needs before it can be done.
#[derive(Debug)]
pub(super) enum Need {
    /// The bytes of a file, or of standard input.
    Read(String),
    /// A file that is written to, empty unless it is added to.
    Open(String, bool),
    /// A command whose output is read.
    Capture(String),
    /// A command that prints by itself; with what it is given where it is at the end of a pipe.
    Run(String, Option<Vec<u8>>),
    /// What is buffered goes where it belongs.
    Flush,
}

/// What parts records.
pub(super) enum Records {
    Byte(u8),
    /// Empty lines.
    Paragraphs,
    Ere(Box<Ere>),
}

impl Records {
    /// # Errors
    /// Gives what is wrong with a regular expression.
    pub(super) fn new(text: &[u8]) -> Result<Self, String> {
        Ok(match text {
            [] => Self::Paragraphs,
            [byte] => Self::Byte(*byte),
            pattern => Self::Ere(Box::new(Ere::new(pattern)?)),
        })
    }
}

/// What is read from.
pub(super) struct Input {
    bytes: Arc<[u8]>,
    at: usize,
    /// What the command came to, where it is one.
    pub status: i32,
}

impl Input {
    pub(super) fn new(bytes: Vec<u8>, status: i32) -> Self {
        Self { bytes: bytes.into(), at: 0, status }
    }

    /// The next record.
    pub(super) fn record(&mut self, by: &mut Records) -> Option<&[u8]> {
        let start = self.at;
        let rest = self.bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let (from, to, next) = match by {
            Records::Byte(byte) => {
                let end = rest.iter().position(|found| found == byte);
                end.map_or((0, rest.len(), rest.len()), |end| (0, end, end + 1))
            }
            Records::Paragraphs => {
                let from = rest.iter().take_while(|byte| **byte == b'\n').count();
                let body = rest.get(from..).filter(|body| !body.is_empty());
                let Some(body) = body else {
                    self.at = self.bytes.len();
                    return None;
                };
                match body.windows(2).position(|pair| pair == b"\n\n") {
                    Some(end) => {
                        let blank = body.iter().skip(end).take_while(|byte| **byte == b'\n').count();
                        (from, from + end, from + end + blank)
                    }
                    None => {
                        let length = body.strip_suffix(b"\n").map_or(body.len(), <[u8]>::len);
                        (from, from + length, rest.len())
                    }
                }
            }
            Records::Ere(ere) => {
                let mut from = start;
                let mut found = ere.find(&self.bytes, from);
                // What matches nothing parts nothing.
                while let Some((begin, end)) = found
                    && begin == end
                {
                    from = begin + 1;
                    found = if from > self.bytes.len() { None } else { ere.find(&self.bytes, from) };
                }
                match found {
                    Some((begin, end)) => (0, begin - start, end - start),
                    None => (0, rest.len(), rest.len()),
                }
            }
        };
        self.at = start + next;
        self.bytes.get(start + from..start + to)
    }
}

/// What is written to.
pub(super) struct Output {
    pub is_pipe: bool,
    pub bytes: Vec<u8>,
}

/// The main input: the words of the command line one after the other.
#[derive(Default)]
pub(super) struct Main {
    /// The number of the next word.
    pub next: u32,
    /// A file was opened, or the standard input in place of one.
    pub began: bool,
    pub input: Option<Input>,
    pub over: bool,
}

/// All that is open.
pub(super) struct Io {
    pub main: Main,
    /// Files and commands that are read by `getline`, by name and whether it is a command; the last used one first.
    pub inputs: Vec<(Vec<u8>, bool, Input)>,
    pub outputs: Vec<(Vec<u8>, Output)>,
    /// What goes to the two streams and is not given away yet.
    pub out: Vec<u8>,
    pub err: Vec<u8>,
    pub records: Records,
    /// What the host answered to the last need.
    pub answer: Option<Answer>,
}

/// What the host answers to a need.
pub(super) enum Answer {
    /// Bytes, and the status of the command that they come from.
    Bytes(Vec<u8>, i32),
    /// It is done, with this status.
    Done(i32),
    /// It cannot be, for this reason.
    Refused(String),
}

impl Default for Io {
    fn default() -> Self {
        let (main, inputs, outputs, out, err) = Default::default();
        Self { main, inputs, outputs, out, err, records: Records::Byte(b'\n'), answer: None }
    }
}

impl Io {
    pub(super) fn input(&mut self, name: &[u8], is_command: bool) -> Option<&mut Input> {
        let is_it =
            |(known, command, _): &&mut (Vec<u8>, bool, Input)| *known == name && *command == is_command;
        self.inputs.iter_mut().find(is_it).map(|(.., input)| input)
    }

    /// Puts what was used last first: at the end they are closed in this order.
    pub(super) fn output(&mut self, name: &[u8], is_pipe: bool) -> Option<&mut Output> {
        let at =
            self.outputs.iter().position(|(known, output)| *known == name && output.is_pipe == is_pipe)?;
        if let Some(before) = self.outputs.get_mut(..=at) {
            before.rotate_right(1);
        }
        self.outputs.first_mut().map(|(_, output)| output)
    }

    /// As many are open as a process may have.
    pub(super) fn is_full(&self) -> bool {
        self.inputs.len() + self.outputs.len() >= MOST_OPEN
    }

    pub(super) fn is_dirty(&self) -> bool {
        self.outputs.iter().any(|(_, output)| !output.is_pipe && !output.bytes.is_empty())
    }
}
