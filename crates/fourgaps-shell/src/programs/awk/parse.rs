//! Reads a program and makes its code in one go. Source: POSIX awk, "Grammar"; where mawk 1.3.4 takes less than that, so does
//! this, with its words.

use super::code::{From, Function, Op, Place, Program, SPECIAL, Sink};
use super::ere::Ere;
use super::lex::{Lexer, Token};
use super::value::{Value, Var};

/// How deep statements and expressions may stand in each other: the stack is small in a browser.
const MOST_NESTING: u32 = 50;

pub(super) type Parsed<T> = Result<T, String>;

/// What a variable was used as so far.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Unknown,
    Scalar,
    Array,
}

#[derive(Default)]
pub(super) struct Loop {
    pub breaks: Vec<usize>,
    pub continues: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    Begin,
    Main,
    End,
    Function,
}

pub(super) struct Parser<'a> {
    pub lexer: Lexer<'a>,
    pub token: Token,
    /// Where the token begins.
    pub from: usize,
    pub code: Vec<Op>,
    pub consts: Vec<Value>,
    pub regexes: Vec<Ere>,
    pub globals: Vec<String>,
    pub kinds: Vec<Kind>,
    pub functions: Vec<Function>,
    pub params: Vec<String>,
    /// The loops that the statement stands in.
    pub loops: Vec<Loop>,
    pub block: Block,
    pub depth: u32,
    /// In the words of `print`, `>` and `|` say where the output goes.
    pub in_print: bool,
    /// A list in parentheses may stand here: those are all words of `print`.
    pub list_may_come: bool,
    pub list: Option<u32>,
    /// An assignment may begin here.
    pub may_assign: bool,
    /// Where the code ends right behind the number of a field.
    pub numbered: usize,
    ranges: u32,
    /// Where the blocks of each kind begin, and the jumps at their ends.
    blocks: [Vec<(u32, usize)>; 3],
}

/// A program that was read, or what mawk says of it.
pub(super) fn parse(text: &[u8]) -> Parsed<Program> {
    let (code, consts, regexes, functions) = Default::default();
    let (params, loops, blocks) = Default::default();
    let globals: Vec<String> = SPECIAL.iter().map(ToString::to_string).collect();
    let mut kinds = vec![Kind::Scalar; globals.len()];
    for at in [super::code::ENVIRON, super::code::ARGV] {
        kinds[at as usize] = Kind::Array;
    }
    let mut parser = Parser {
        lexer: Lexer::new(text),
        token: Token::End,
        from: 0,
        code,
        consts,
        regexes,
        globals,
        kinds,
        functions,
        params,
        loops,
        block: Block::Main,
        depth: 0,
        in_print: false,
        list_may_come: false,
        list: None,
        may_assign: false,
        numbered: 0,
        ranges: 0,
        blocks,
    };
    let done = parser.advance().and_then(|()| parser.program());
    let line = parser.lexer.line;
    done.map_err(|why| match why.starts_with("unexpected") {
        true => format!("{line}: {why}"),
        false => format!("line {line}: {why}"),
    })?;
    parser.finished()
}

impl Parser<'_> {
    pub(super) fn advance(&mut self) -> Parsed<()> {
        self.from = self.lexer.skip();
        self.token = self.lexer.next()?;
        Ok(())
    }

    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(&self.token, Token::Sign(found) if *found == sign)
    }

    /// Takes a sign where it stands there.
    pub(super) fn takes(&mut self, sign: &str) -> Parsed<bool> {
        let found = self.is(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.takes(sign)? { Ok(()) } else { self.unexpected() }
    }

    pub(super) fn unexpected<T>(&mut self) -> Parsed<T> {
        Err(match &self.token {
            Token::End if self.depth > 0 => {
                self.lexer.line += 1;
                "missing } near end of file".into()
            }
            Token::End => "syntax error at or near end of file".into(),
            Token::Newline => {
                self.lexer.line -= 1;
                "syntax error at or near end of line".into()
            }
            _ => format!("syntax error at or near {}", self.lexer.token_text(self.from)),
        })
    }

    pub(super) fn emit(&mut self, op: Op) -> usize {
        self.code.push(op);
        self.code.len() - 1
    }

    pub(super) fn here(&self) -> u32 {
        self.code.len() as u32
    }

    /// Lets a jump that was emitted before lead to a place.
    pub(super) fn lead(&mut self, jump: usize, to: u32) {
        if let Some(
            Op::Jump(target)
            | Op::JumpIf(target)
            | Op::JumpUnless(target)
            | Op::WalkOn(target)
            | Op::Record(target),
        ) = self.code.get_mut(jump)
        {
            *target = to;
        }
    }

    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > MOST_NESTING {
            return Err(format!("more than {MOST_NESTING} levels: not simulated in this lab"));
        }
        let read = read(self)?;
        self.depth -= 1;
        Ok(read)
    }

    pub(super) fn newlines(&mut self) -> Parsed<()> {
        while self.token == Token::Newline {
            self.advance()?;
        }
        Ok(())
    }

    fn program(&mut self) -> Parsed<()> {
        loop {
            while self.token == Token::Newline || self.is(";") {
                self.advance()?;
            }
            if self.token == Token::End {
                break;
            }
            if self.is("function") {
                self.function()?;
                continue;
            }
            self.block = Block::Main;
            if self.is("BEGIN") || self.is("END") {
                self.block = if self.is("BEGIN") { Block::Begin } else { Block::End };
                self.advance()?;
                if !self.is("{") {
                    return self.unexpected();
                }
            }
            let start = self.here();
            let skip = if self.is("{") { None } else { Some(self.pattern()?) };
            if self.is("{") {
                self.braces()?;
            } else {
                self.emit(Op::Print(0, Sink::Out));
                if !(self.is(";") || matches!(self.token, Token::Newline | Token::End)) {
                    return self.unexpected();
                }
            }
            if let Some(skip) = skip {
                let end = self.here();
                self.lead(skip, end);
            }
            let jump = self.emit(Op::Jump(0));
            self.blocks[self.block as usize % 3].push((start, jump));
        }
        match self.functions.iter().find(|function| !function.defined) {
            Some(function) => {
                self.lexer.line += 1;
                Err(format!("function {} never defined", function.name))
            }
            None => Ok(()),
        }
    }

    /// A pattern, or two that begin and end a range; gives the jump of a record that is not meant.
    fn pattern(&mut self) -> Parsed<usize> {
        let start = self.here() as usize;
        self.expr()?;
        if !self.takes(",")? {
            return Ok(self.emit(Op::JumpUnless(0)));
        }
        let range = self.ranges;
        self.ranges += 1;
        // What asks whether the range is open stands before what was read of it.
        let begins = self.code.split_off(start);
        self.emit(Op::Range(range));
        let inside = self.emit(Op::JumpIf(0));
        let moved = self.here() - start as u32;
        self.code.extend(begins.into_iter().map(|op| match op {
            Op::Jump(to) => Op::Jump(to + moved),
            Op::JumpIf(to) => Op::JumpIf(to + moved),
            Op::JumpUnless(to) => Op::JumpUnless(to + moved),
            op => op,
        }));
        let skip = self.emit(Op::JumpUnless(0));
        self.emit(Op::SetRange(range, true));
        let here = self.here();
        self.lead(inside, here);
        self.newlines()?;
        self.expr()?;
        let goes_on = self.emit(Op::JumpUnless(0));
        self.emit(Op::SetRange(range, false));
        let here = self.here();
        self.lead(goes_on, here);
        Ok(skip)
    }

    /// The number of a function, whether it is there yet or not.
    pub(super) fn function_named(&mut self, name: &str) -> u32 {
        let found = self.functions.iter().position(|function| function.name == name);
        let at = found.unwrap_or_else(|| {
            self.functions.push(Function { name: name.into(), params: 0, start: 0, defined: false });
            self.functions.len() - 1
        });
        at as u32
    }

    fn function(&mut self) -> Parsed<()> {
        self.advance()?;
        let (Token::Name(name) | Token::Call(name)) = self.token.clone() else { return self.unexpected() };
        if self.globals.contains(&name) {
            return self.unexpected();
        }
        let at = self.function_named(&name) as usize;
        if self.functions[at].defined {
            return Err(format!("redefinition of {name}"));
        }
        self.advance()?;
        self.expect("(")?;
        self.params.clear();
        while !self.is(")") {
            let Token::Name(param) = self.token.clone() else { return self.unexpected() };
            if param == name {
                return self.unexpected();
            }
            if self.params.contains(&param) {
                return Err(format!("{param} is duplicated in argument list"));
            }
            self.params.push(param);
            self.advance()?;
            if !self.is(")") {
                self.expect(",")?;
                self.newlines()?;
            }
        }
        self.advance()?;
        self.newlines()?;
        let (params, start) = (self.params.len() as u32, self.here());
        self.functions[at] = Function { name, params, start, defined: true };
        self.block = Block::Function;
        if !self.is("{") {
            return self.unexpected();
        }
        self.braces()?;
        self.constant(Value::Null);
        self.emit(Op::Return);
        self.params.clear();
        Ok(())
    }

    /// Joins the blocks and gives the program away.
    fn finished(mut self) -> Parsed<Program> {
        let [begins, mains, ends] = core::mem::take(&mut self.blocks);
        let reads = !(mains.is_empty() && ends.is_empty());
        let start = self.chain(&begins);
        let main = self.here();
        if !reads {
            self.emit(Op::End);
        }
        let record = self.emit(Op::Record(0));
        if mains.is_empty() {
            self.emit(Op::Jump(main));
        } else {
            let first = self.chain(&mains);
            debug_assert_eq!(first as usize, record + 1);
            self.emit(Op::Jump(main));
        }
        let end = self.chain(&ends);
        self.lead(record, end);
        self.emit(Op::End);
        let Self { code, consts, regexes, globals, functions, ranges, .. } = self;
        Ok(Program { code, consts, regexes, globals, functions, ranges, start, main, end, reads })
    }

    /// Leads from one block to the next and from the last one to what comes next; gives where that begins.
    fn chain(&mut self, blocks: &[(u32, usize)]) -> u32 {
        let entry = self.here();
        if let Some((start, _)) = blocks.first() {
            self.emit(Op::Jump(*start));
        }
        let after = self.here();
        for (at, (_, jump)) in blocks.iter().enumerate() {
            let next = blocks.get(at + 1).map_or(after, |(start, _)| *start);
            self.lead(*jump, next);
        }
        entry
    }

    pub(super) fn var(&mut self, name: &str) -> Var {
        if let Some(at) = self.params.iter().position(|param| param == name) {
            return Var { local: true, at: at as u32 };
        }
        let found = self.globals.iter().position(|global| global == name);
        let at = found.unwrap_or_else(|| {
            self.globals.push(name.into());
            self.kinds.push(Kind::Unknown);
            self.globals.len() - 1
        });
        Var { local: false, at: at as u32 }
    }

    pub(super) fn mark(&mut self, var: Var, kind: Kind) -> Parsed<()> {
        if var.local {
            return Ok(());
        }
        let at = var.at as usize;
        let (Some(known), Some(name)) = (self.kinds.get_mut(at), self.globals.get(at)) else { return Ok(()) };
        match (*known, kind) {
            (Kind::Scalar, Kind::Array) => Err(format!("illegal reference to variable {name}")),
            (Kind::Array, Kind::Scalar) => Err(format!("illegal reference to array {name}")),
            _ => {
                *known = kind;
                Ok(())
            }
        }
    }

    pub(super) fn array_named(&mut self, name: &str) -> Parsed<Var> {
        self.named(name, Kind::Array)
    }

    pub(super) fn scalar_named(&mut self, name: &str) -> Parsed<Var> {
        self.named(name, Kind::Scalar)
    }

    fn named(&mut self, name: &str, kind: Kind) -> Parsed<Var> {
        if self.functions.iter().any(|function| function.name == name)
            && !self.params.iter().any(|param| param == name)
        {
            return self.unexpected();
        }
        let var = self.var(name);
        self.mark(var, kind)?;
        Ok(var)
    }

    pub(super) fn constant(&mut self, value: Value) {
        self.consts.push(value);
        let at = self.consts.len() as u32 - 1;
        self.emit(Op::Const(at));
    }

    pub(super) fn pattern_at(&mut self, pattern: Vec<u8>) -> Parsed<u32> {
        self.regexes.push(Ere::new(&pattern)?);
        Ok(self.regexes.len() as u32 - 1)
    }

    /// `getline` with what stands behind it; a command whose output it reads lies on the stack.
    pub(super) fn getline(&mut self, from: From) -> Parsed<()> {
        self.advance()?;
        let place = match &self.token {
            Token::Name(_) => Some(self.place()?),
            Token::Sign("$") => Some(self.place()?),
            _ => None,
        };
        if let Some(Place::Var(var)) = place {
            self.mark(var, Kind::Scalar)?;
        }
        let mut from = from;
        if from == From::Main && self.is("<") {
            self.advance()?;
            self.deeper(Self::operand)?;
            from = From::File;
        }
        self.emit(Op::Getline(from, place));
        Ok(())
    }
}
