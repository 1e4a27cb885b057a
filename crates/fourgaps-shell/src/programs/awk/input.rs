//! Records, `getline` and `print`. Source: POSIX awk, "Input and output"; when mawk 1.3.4 gives away what it has buffered is
//! as recorded in the snippets.

use super::array::Key;
use super::code::{ARGC, ARGV, FILENAME, FNR, From, NR, OFS, ORS, Place, Sink};
use super::io::{Answer, Input, Need, Output};
use super::lex::unescaped;
use super::run::{Done, Machine, Stop};
use super::value::{Str, Value, Var};

/// Bytes that are kept back for a file before they are written.
const MOST_KEPT: usize = 64 << 10;
/// Bytes that one run may print, and write into files and pipes.
const MOST_PRINTED: usize = 10_000_000;

/// What a name among the words of the command line gets assigned, where the word is an assignment.
pub(super) fn assignment(word: &[u8]) -> Option<(String, Value)> {
    let equals = word.iter().position(|byte| *byte == b'=')?;
    let name = word.get(..equals)?;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    if name.first().is_none_or(u8::is_ascii_digit) || !name.iter().all(is_name) {
        return None;
    }
    let name = String::from_utf8_lossy(name).into_owned();
    Some((name, Value::maybe(&unescaped(word.get(equals + 1..)?))))
}

impl Machine {
    /// Gives a variable of the program its value; one that the program does not know is nobody's.
    pub(super) fn assign(&mut self, name: &str, value: Value) -> Done {
        match self.program.globals.iter().position(|global| global == name) {
            Some(at) if matches!(self.globals.get(at), Some(Value::Array(_))) => {
                Err(Stop::Fatal(format!("cannot command line assign to {name}\n\ttype clash or keyword")))
            }
            Some(at) => self.store(Place::Var(Var { local: false, at: at as u32 }), 0, value),
            None => Ok(()),
        }
    }

    fn read(&mut self, name: &str) -> Result<Result<Vec<u8>, String>, Stop> {
        match self.io.answer.take() {
            Some(Answer::Bytes(bytes, _)) => Ok(Ok(bytes)),
            Some(Answer::Refused(why)) if why == "Is a directory" => {
                Err(Stop::Fatal(format!("read error ({why})")))
            }
            Some(Answer::Refused(why)) => Ok(Err(why)),
            _ => Err(Stop::Need(Need::Read(name.into()))),
        }
    }

    /// Opens the next word of the command line that is a file; false where there is none.
    fn next_file(&mut self) -> Result<bool, Stop> {
        loop {
            if self.io.main.over {
                return Ok(false);
            }
            self.io.main.next = self.io.main.next.max(1);
            let at = self.io.main.next;
            let count = super::value::whole(self.global(ARGC).num());
            if i64::from(at) >= i64::from(count) {
                if self.io.main.began {
                    self.io.main.over = true;
                    return Ok(false);
                }
                let bytes = self.read("-")?.unwrap_or_default();
                self.begin_file(b"-", bytes);
                return Ok(true);
            }
            let key = Key::Int(i32::try_from(at).unwrap_or(i32::MAX));
            let argv = Var { local: false, at: ARGV };
            let word = self.with_array(argv, |array| {
                if array.has(&key) { Some(array.element(&key).clone()) } else { None }
            })?;
            let word = self.text(&word.unwrap_or(Value::Null));
            if word.is_empty() {
                self.io.main.next += 1;
            } else if let Some((name, value)) = assignment(&word) {
                self.io.main.next += 1;
                self.assign(&name, value)?;
            } else {
                let name = String::from_utf8_lossy(&word).into_owned();
                let bytes = self.read(&name)?;
                self.io.main.next += 1;
                match bytes {
                    Ok(bytes) => self.begin_file(&word, bytes),
                    Err(why) => return Err(Stop::Fatal(format!("cannot open {name} ({why})"))),
                }
                return Ok(true);
            }
        }
    }

    fn begin_file(&mut self, name: &[u8], bytes: Vec<u8>) {
        self.cost += bytes.len() as u64 / 16;
        self.set_global(FILENAME, Value::of(name));
        self.set_global(FNR, Value::Num(0.0));
        self.io.main.began = true;
        self.io.main.input = Some(Input::new(bytes, 0));
    }

    /// The next record of the main input, which is counted.
    pub(super) fn next_record(&mut self) -> Result<Option<Value>, Stop> {
        loop {
            let io = &mut self.io;
            if let Some(record) = io.main.input.as_mut().and_then(|input| input.record(&mut io.records)) {
                let record = Value::maybe(record);
                for at in [NR, FNR] {
                    let count = self.global(at).num() + 1.0;
                    self.set_global(at, Value::Num(count));
                }
                self.cost += 2 + record.weight() as u64 / 16;
                return Ok(Some(record));
            }
            self.io.main.input = None;
            if !self.next_file()? {
                return Ok(None);
            }
        }
    }

    pub(super) fn getline(&mut self, from: From, place: Option<Place>) -> Done {
        let cells = Place::cells(place);
        let found = match from {
            From::Main => self.next_record()?.map_or(Ok(None), |record| Ok(Some(record))),
            // The subscript of the variable lies below the file, and above the command.
            From::File => self.record_of(self.text(self.peek(0)), false)?,
            From::Command => self.record_of(self.text(self.peek(cells)), true)?,
        };
        if from == From::File {
            self.pop();
        }
        let (status, record) = match found {
            Ok(Some(record)) => (1.0, Some(record)),
            Ok(None) => (0.0, None),
            Err(()) => (-1.0, None),
        };
        if let Some(record) = record {
            match place {
                Some(place) => self.store(place, 0, record)?,
                None => self.record.set(record, b""),
            }
        }
        self.take(cells + usize::from(from == From::Command));
        self.push_number(status);
        Ok(())
    }

    /// The next record of a file or a command; the inner fault means that it cannot be opened.
    fn record_of(&mut self, name: Str, is_command: bool) -> Result<Result<Option<Value>, ()>, Stop> {
        if self.io.input(&name, is_command).is_none() {
            if self.io.is_full() {
                return Err(self.too_many(&name));
            }
            let shown = String::from_utf8_lossy(&name).into_owned();
            let (bytes, status) = match self.io.answer.take() {
                Some(Answer::Bytes(bytes, status)) => (bytes, status),
                Some(Answer::Refused(why)) if why == "Is a directory" => {
                    return Err(Stop::Fatal(format!("read error ({why})")));
                }
                Some(Answer::Refused(_)) => return Ok(Err(())),
                _ if is_command => return Err(Stop::Need(Need::Capture(shown))),
                _ => return Err(Stop::Need(Need::Read(shown))),
            };
            self.cost += bytes.len() as u64 / 16;
            self.io.inputs.insert(0, (name.to_vec(), is_command, Input::new(bytes, status)));
        }
        let io = &mut self.io;
        let is_it = |(known, command, _): &&mut (Vec<u8>, bool, Input)| {
            known[..] == name[..] && *command == is_command
        };
        let Some((.., input)) = io.inputs.iter_mut().find(is_it) else { return Ok(Ok(None)) };
        let record = input.record(&mut io.records).map(Value::maybe);
        self.cost += 2 + record.as_ref().map_or(0, Value::weight) as u64 / 16;
        Ok(Ok(record))
    }

    fn too_many(&self, name: &[u8]) -> Stop {
        Stop::Fatal(format!("cannot open {} (Too many open files)", String::from_utf8_lossy(name)))
    }

    pub(super) fn print(&mut self, words: usize, sink: Sink, formatted: bool) -> Done {
        let mut name: Str = b"/dev/stdout"[..].into();
        if sink != Sink::Out {
            name = self.text(self.peek(0));
            let is_stream = sink != Sink::Pipe && [&b"/dev/stdout"[..], b"/dev/stderr"].contains(&&name[..]);
            if !is_stream && self.io.output(&name, sink == Sink::Pipe).is_none() {
                if self.io.is_full() {
                    return Err(self.too_many(&name));
                }
                let output = |is_pipe| (name.to_vec(), Output { is_pipe, bytes: Vec::new() });
                if sink == Sink::Pipe {
                    // A command starts when all that was printed before it is out.
                    self.io.outputs.insert(0, output(true));
                    return Err(Stop::Need(Need::Flush));
                }
                match self.io.answer.take() {
                    Some(Answer::Done(_)) => self.io.outputs.insert(0, output(false)),
                    Some(Answer::Refused(why)) => {
                        let name = String::from_utf8_lossy(&name);
                        return Err(Stop::Fatal(format!("cannot open \"{name}\" for output ({why})")));
                    }
                    _ => return Err(Stop::Need(Need::Open(self.name_at(0), sink == Sink::Append))),
                }
            }
            self.pop();
        }
        let values = self.take(words);
        let mut text = Vec::new();
        let mut fault = Ok(());
        if formatted {
            fault = self.formatted(&values, &mut text);
        } else {
            let (between, end) = (self.global_text(OFS), self.global_text(ORS));
            if words == 0 {
                self.field(0).push_to(&mut text, &self.ofmt);
            }
            for (at, value) in values.iter().enumerate() {
                if at > 0 {
                    text.extend_from_slice(&between);
                }
                match value {
                    Value::Array(_) => return Err(Stop::Fatal("type error: an array is printed".into())),
                    value => value.push_to(&mut text, &self.ofmt),
                }
            }
            text.extend_from_slice(&end);
        }
        self.cost += text.len() as u64 / 16;
        self.printed += text.len();
        if self.printed > MOST_PRINTED {
            return Err(Stop::Fatal("stopped: it prints more than one line of this lab may".into()));
        }
        match &name[..] {
            b"/dev/stdout" if sink != Sink::Pipe => self.io.out.extend_from_slice(&text),
            b"/dev/stderr" if sink != Sink::Pipe => self.io.err.extend_from_slice(&text),
            _ => {
                if let Some(output) = self.io.output(&name, sink == Sink::Pipe) {
                    output.bytes.extend_from_slice(&text);
                    self.is_full |= !output.is_pipe && output.bytes.len() > MOST_KEPT;
                }
            }
        }
        fault
    }
}
