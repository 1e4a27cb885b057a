//! Expressions. What binds closer than what is mawk 1.3.4's: `!` and signs closer than arithmetic, a command before
//! `| getline` closer than all but powers. Source: mawk(1), "Expressions and operators".

use super::code::{From, Func, Math, NF, Op, Place, Test};
use super::lex::{Token, name_of};
use super::parse::{Kind, Parsed, Parser};
use super::value::{Value, Var};

/// The levels below which an expression is read on: choice, then these.
const OR: u8 = 1;
const AND: u8 = 2;
const IN: u8 = 3;
const MATCH: u8 = 4;
const COMPARE: u8 = 5;

impl Parser<'_> {
    /// True where an expression may begin.
    pub(super) fn begins_expr(&self) -> bool {
        match &self.token {
            Token::Sign(sign) => ["(", "$", "!", "-", "+", "++", "--", "/", "/=", "getline"].contains(sign),
            Token::Newline | Token::End => false,
            _ => true,
        }
    }

    /// An expression whose value is left on the stack.
    pub(super) fn expr(&mut self) -> Parsed<()> {
        self.deeper(|parser| {
            parser.binary(OR)?;
            if !parser.takes("?")? {
                return Ok(());
            }
            parser.list_may_come = false;
            let no = parser.emit(Op::JumpUnless(0));
            parser.expr()?;
            let over = parser.emit(Op::Jump(0));
            parser.expect(":")?;
            let here = parser.here();
            parser.lead(no, here);
            parser.expr()?;
            let here = parser.here();
            parser.lead(over, here);
            Ok(())
        })
    }

    fn binary(&mut self, least: u8) -> Parsed<()> {
        self.concatenation()?;
        loop {
            let Token::Sign(sign) = self.token else { return Ok(()) };
            let test = match sign {
                "<" => Some(Test::Less),
                "<=" => Some(Test::AtMost),
                "==" => Some(Test::Equal),
                "!=" => Some(Test::Unequal),
                ">" if !self.in_print => Some(Test::Greater),
                ">=" => Some(Test::AtLeast),
                _ => None,
            };
            let level = match sign {
                "||" => OR,
                "&&" => AND,
                "in" => IN,
                "~" | "!~" => MATCH,
                _ if test.is_some() => COMPARE,
                _ => return Ok(()),
            };
            if level < least {
                return Ok(());
            }
            self.advance()?;
            match (level, test) {
                (OR | AND, _) => {
                    self.newlines()?;
                    let decided = self.emit(if level == OR { Op::JumpIf(0) } else { Op::JumpUnless(0) });
                    self.binary(level + 1)?;
                    self.emit(Op::Truth);
                    let over = self.emit(Op::Jump(0));
                    let here = self.here();
                    self.lead(decided, here);
                    self.emit(Op::Number(f64::from(u8::from(level == OR))));
                    let here = self.here();
                    self.lead(over, here);
                }
                (IN, _) => {
                    let Token::Name(name) = self.token.clone() else { return self.unexpected() };
                    let array = self.array_named(&name)?;
                    self.advance()?;
                    self.emit(Op::In(array));
                }
                (_, Some(test)) => {
                    self.binary(COMPARE + 1)?;
                    self.emit(Op::Test(test));
                }
                _ => {
                    let negated = sign == "!~";
                    let start = self.code.len();
                    self.binary(MATCH + 1)?;
                    let op = match self.lone_regex(start, 0)? {
                        Some(at) => Op::MatchText(at, negated),
                        None => Op::Match(negated),
                    };
                    self.emit(op);
                }
            }
        }
    }

    /// Takes back a match of the record, or a constant text of so many bytes, that is all that was read since a place, and
    /// gives its pattern: mawk makes patterns of constants when it reads them.
    fn lone_regex(&mut self, start: usize, least: usize) -> Parsed<Option<u32>> {
        let found = match self.code.get(start..) {
            Some(&[Op::MatchRecord(at)]) => at,
            Some(&[Op::Const(at)]) => match self.consts.get(at as usize) {
                Some(Value::Str(text)) if text.len() >= least => self.pattern_at(text.to_vec())?,
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        self.code.truncate(start);
        Ok(Some(found))
    }

    fn concatenation(&mut self) -> Parsed<()> {
        self.may_assign = true;
        self.sum()?;
        let mut pieces = 1;
        while self.list.is_none() && self.continues() {
            self.sum()?;
            pieces += 1;
        }
        if pieces > 1 {
            self.emit(Op::Concat(pieces));
        }
        Ok(())
    }

    /// True where another piece of a concatenation begins.
    fn continues(&self) -> bool {
        match &self.token {
            Token::Sign(sign) => ["(", "$", "!", "++", "--", "getline"].contains(sign),
            Token::Newline | Token::End => false,
            _ => true,
        }
    }

    fn sum(&mut self) -> Parsed<()> {
        self.product()?;
        loop {
            let math = match self.token {
                Token::Sign("+") => Math::Add,
                Token::Sign("-") => Math::Sub,
                _ => return Ok(()),
            };
            self.advance()?;
            self.product()?;
            self.emit(Op::Math(math));
        }
    }

    fn product(&mut self) -> Parsed<()> {
        self.signed()?;
        loop {
            let math = match self.token {
                Token::Sign("*") => Math::Mul,
                Token::Sign("/") => Math::Div,
                Token::Sign("%") => Math::Mod,
                _ => return Ok(()),
            };
            self.advance()?;
            self.signed()?;
            self.emit(Op::Math(math));
        }
    }

    fn signed(&mut self) -> Parsed<()> {
        let op = match self.token {
            Token::Sign("!") => Op::Not,
            Token::Sign("-") => Op::Negative,
            Token::Sign("+") => Op::Plus,
            _ => return self.piped(),
        };
        (self.may_assign, self.list_may_come) = (false, false);
        self.advance()?;
        self.deeper(Self::signed)?;
        self.emit(op);
        Ok(())
    }

    fn piped(&mut self) -> Parsed<()> {
        self.operand()?;
        while self.is("|") && !self.in_print {
            self.advance()?;
            if !self.is("getline") {
                return self.unexpected();
            }
            self.getline(From::Command)?;
        }
        Ok(())
    }

    /// A power, or less.
    pub(super) fn operand(&mut self) -> Parsed<()> {
        self.stepped()?;
        if !self.takes("^")? {
            return Ok(());
        }
        if ["-", "+", "!"].iter().any(|sign| self.is(sign)) {
            self.signed()?;
        } else {
            self.deeper(Self::operand)?;
        }
        self.emit(Op::Math(Math::Pow));
        Ok(())
    }

    /// A variable with what changes it, or anything that stands alone.
    fn stepped(&mut self) -> Parsed<()> {
        let may_assign = core::mem::take(&mut self.may_assign);
        let Some(place) = self.primary()? else { return Ok(()) };
        let op = match self.token {
            Token::Sign("++") => Op::Step(1, true, place),
            Token::Sign("--") => Op::Step(-1, true, place),
            Token::Sign(sign) if may_assign => {
                let math = match sign {
                    "=" => None,
                    "+=" => Some(Math::Add),
                    "-=" => Some(Math::Sub),
                    "*=" => Some(Math::Mul),
                    "/=" => Some(Math::Div),
                    "%=" => Some(Math::Mod),
                    "^=" => Some(Math::Pow),
                    _ => return self.load(place),
                };
                self.mark_scalar(place)?;
                self.advance()?;
                self.assigned(place)?;
                self.emit(math.map_or(Op::Store(place), |math| Op::Change(math, place)));
                return Ok(());
            }
            _ => return self.load(place),
        };
        self.mark_scalar(place)?;
        self.advance()?;
        self.emit(op);
        Ok(())
    }

    /// What is assigned to a place. An element is there before it is worked out, which matters to what asks for it.
    fn assigned(&mut self, place: Place) -> Parsed<()> {
        let Place::Element(array) = place else { return self.expr() };
        let touch = self.emit(Op::Touch(array));
        self.expr()?;
        let asks = |op: &Op| matches!(op, Op::In(_) | Op::LengthOf(_) | Op::Call(..));
        let jumps = |op: &Op| matches!(op, Op::Jump(_) | Op::JumpIf(_) | Op::JumpUnless(_));
        if !self.code.iter().skip(touch).any(|op| asks(op) || jumps(op)) {
            self.code.remove(touch);
            self.numbered = 0;
        }
        Ok(())
    }

    fn mark_scalar(&mut self, place: Place) -> Parsed<()> {
        match place {
            Place::Var(var) => self.mark(var, Kind::Scalar),
            _ => Ok(()),
        }
    }

    fn load(&mut self, place: Place) -> Parsed<()> {
        // Whether a word of a call is an array is seen later.
        let is_word = self.is(",") || self.is(")");
        if !is_word {
            self.mark_scalar(place)?;
        }
        match (place, self.code.last()) {
            (Place::Field, Some(&Op::Number(at)))
                if self.numbered == self.code.len() && (0.0..100.0).contains(&at) && at.trunc() == at =>
            {
                self.code.pop();
                self.emit(Op::FieldNumber(at as u32));
            }
            _ => {
                self.emit(Op::Load(place));
            }
        }
        Ok(())
    }

    /// What an assignment may go to.
    pub(super) fn place(&mut self) -> Parsed<Place> {
        match self.token.clone() {
            Token::Name(name) => {
                self.advance()?;
                if self.is("[") {
                    let array = self.array_named(&name)?;
                    self.subscript()?;
                    return Ok(Place::Element(array));
                }
                if self.functions.iter().any(|function| function.name == name) && !self.params.contains(&name)
                {
                    return self.unexpected();
                }
                Ok(Place::Var(self.var(&name)))
            }
            Token::Sign("$") => {
                self.advance()?;
                let start = self.code.len();
                if ["-", "+", "!"].iter().any(|sign| self.is(sign)) {
                    self.deeper(Self::signed)?;
                } else if let Some(place) = self.deeper(Self::primary)? {
                    self.mark_scalar(place)?;
                    match self.token {
                        // In `$NF++` it is NF that changes, in `$i++` it is the field.
                        Token::Sign(sign @ ("++" | "--"))
                            if place == Place::Var(Var { local: false, at: NF }) =>
                        {
                            self.advance()?;
                            self.emit(Op::Step(if sign == "++" { 1 } else { -1 }, true, place));
                        }
                        _ => self.load(place)?,
                    }
                }
                if let Some([Op::Number(_)]) = self.code.get(start..) {
                    self.numbered = self.code.len();
                }
                Ok(Place::Field)
            }
            _ => self.unexpected(),
        }
    }

    /// A subscript in brackets.
    pub(super) fn subscript(&mut self) -> Parsed<()> {
        let in_print = core::mem::take(&mut self.in_print);
        self.expect("[")?;
        let parts = self.list_until("]")?;
        self.in_print = in_print;
        if parts == 0 {
            return self.unexpected();
        }
        if parts > 1 {
            self.emit(Op::Subscript(parts));
        }
        self.advance()
    }

    /// Expressions and the commas between them, up to a sign that is not taken yet.
    fn list_until(&mut self, end: &str) -> Parsed<u32> {
        let mut count = 0;
        while !self.is(end) {
            if count > 0 {
                self.expect(",")?;
                self.newlines()?;
            }
            self.expr()?;
            count += 1;
        }
        Ok(count)
    }

    /// Anything that stands alone; what may be assigned to is not loaded yet.
    fn primary(&mut self) -> Parsed<Option<Place>> {
        let list_may_come = core::mem::take(&mut self.list_may_come);
        match self.token.clone() {
            Token::Number(number) => {
                self.emit(Op::Number(number));
                self.advance()?;
            }
            Token::Text(text) => {
                self.constant(Value::Str(text.into()));
                self.advance()?;
            }
            Token::Name(name) => {
                let is_function = self.functions.iter().any(|function| function.name == name);
                if !is_function || self.params.contains(&name) {
                    return self.place().map(Some);
                }
                self.call(&name)?;
            }
            Token::Call(name) => self.call(&name)?,
            Token::Func(func) => self.func(func)?,
            Token::Sign("$") => return self.place().map(Some),
            Token::Sign(sign @ ("++" | "--")) => {
                self.advance()?;
                let place = self.deeper(Self::place)?;
                self.mark_scalar(place)?;
                self.emit(Op::Step(if sign == "++" { 1 } else { -1 }, false, place));
            }
            Token::Sign("/" | "/=") => {
                let pattern = self.lexer.regex(self.from)?;
                let at = self.pattern_at(pattern)?;
                self.emit(Op::MatchRecord(at));
                self.advance()?;
            }
            Token::Sign("getline") => self.deeper(|parser| parser.getline(From::Main))?,
            Token::Sign("(") => self.group(list_may_come)?,
            _ => return self.unexpected(),
        }
        Ok(None)
    }

    /// An expression in parentheses, a subscript of several parts before `in`, or the words of `print`.
    fn group(&mut self, list_may_come: bool) -> Parsed<()> {
        let in_print = core::mem::take(&mut self.in_print);
        self.advance()?;
        let start = self.code.len();
        let count = self.list_until(")")?;
        self.in_print = in_print;
        self.advance()?;
        if let (1, Some(Op::Load(place))) = (count, self.code.get(start)) {
            self.mark_scalar(*place)?;
        }
        if count == 1 {
            return Ok(());
        }
        if count > 1 && self.takes("in")? {
            self.emit(Op::Subscript(count));
            let Token::Name(name) = self.token.clone() else { return self.unexpected() };
            let array = self.array_named(&name)?;
            self.advance()?;
            self.emit(Op::In(array));
            return Ok(());
        }
        let ends = matches!(self.token, Token::Newline | Token::End)
            || [";", "}", ">", ">>", "|"].iter().any(|sign| self.is(sign));
        if !list_may_come || !ends {
            return self.unexpected();
        }
        self.list = Some(count);
        Ok(())
    }

    fn call(&mut self, name: &str) -> Parsed<()> {
        self.advance()?;
        if !self.is("(") || self.globals.iter().any(|global| global == name) {
            return self.unexpected();
        }
        let at = self.function_named(name);
        let in_print = core::mem::take(&mut self.in_print);
        self.advance()?;
        let mut count = 0;
        while !self.is(")") {
            if count > 0 {
                self.expect(",")?;
                self.newlines()?;
            }
            let start = self.code.len();
            self.expr()?;
            if let Some(&[Op::Load(Place::Var(var))]) = self.code.get(start..) {
                self.code.truncate(start);
                self.emit(Op::Arg(var));
            }
            count += 1;
        }
        self.in_print = in_print;
        if self.functions.get(at as usize).is_some_and(|function| function.defined && count > function.params)
        {
            return Err(format!("too many arguments in call to {name}"));
        }
        self.advance()?;
        self.emit(Op::Call(at, count));
        Ok(())
    }

    fn func(&mut self, func: Func) -> Parsed<()> {
        self.advance()?;
        if !self.is("(") {
            if func != Func::Length {
                return self.unexpected();
            }
            self.emit(Op::Func(func, 0));
            // A slash behind it begins a pattern, which is another piece of a text.
            if self.is("/") || self.is("/=") {
                self.primary()?;
                self.emit(Op::Concat(2));
            }
            return Ok(());
        }
        let in_print = core::mem::take(&mut self.in_print);
        self.advance()?;
        let (least, most) = match func {
            Func::Rand | Func::Systime => (0, 0),
            Func::Length | Func::Srand | Func::Fflush => (0, 1),
            Func::Atan2 | Func::Index | Func::Match => (2, 2),
            Func::Substr | Func::Split | Func::Sub | Func::Gsub => (2, 3),
            Func::Strftime => (0, 3),
            Func::Sprintf => (1, u32::MAX),
            _ => (1, 1),
        };
        let (mut count, mut array, mut target) = (0, None, None);
        let first = self.code.len();
        while !self.is(")") {
            if count > 0 {
                self.expect(",")?;
                self.newlines()?;
            }
            let start = self.code.len();
            match (func, count) {
                (Func::Split, 1) => {
                    let Token::Name(name) = self.token.clone() else { return self.unexpected() };
                    array = Some(self.array_named(&name)?);
                    self.advance()?;
                }
                (Func::Sub | Func::Gsub, 2) => {
                    let place = self.place()?;
                    self.mark_scalar(place)?;
                    if !self.is(")") {
                        return self.unexpected();
                    }
                    target = Some(place);
                }
                _ => {
                    self.expr()?;
                    let is_pattern = matches!(
                        (func, count),
                        (Func::Match, 1) | (Func::Split, 2) | (Func::Sub | Func::Gsub, 0)
                    );
                    let least = if func == Func::Split { 2 } else { 0 };
                    if is_pattern && let Some(at) = self.lone_regex(start, least)? {
                        self.emit(Op::Regex(at));
                    }
                }
            }
            count += 1;
        }
        self.in_print = in_print;
        if count < least || count > most {
            return Err(format!("wrong number of arguments in call to {}", name_of(func)));
        }
        self.advance()?;
        match (func, array) {
            (Func::Split, Some(array)) => {
                self.emit(Op::Split(array, count - 1));
            }
            (Func::Sub | Func::Gsub, _) => {
                let place = target.unwrap_or_else(|| {
                    self.emit(Op::Number(0.0));
                    Place::Field
                });
                self.emit(Op::Replace(func == Func::Gsub, place));
            }
            (Func::Length, _) => match self.code.get(first..) {
                Some(&[Op::Load(Place::Var(var))]) => {
                    self.code.truncate(first);
                    self.emit(Op::LengthOf(var));
                }
                _ => {
                    self.emit(Op::Func(func, count));
                }
            },
            _ => {
                self.emit(Op::Func(func, count));
            }
        }
        Ok(())
    }
}
