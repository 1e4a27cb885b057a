//! Statements. Source: POSIX awk, "Grammar".

use super::code::{Op, Place, Sink};
use super::lex::Token;
use super::parse::{Block, Loop, Parsed, Parser};
use super::value::Value;

impl Parser<'_> {
    /// Statements in braces.
    pub(super) fn braces(&mut self) -> Parsed<()> {
        self.deeper(|parser| {
            parser.expect("{")?;
            loop {
                parser.newlines()?;
                if parser.is("}") {
                    return Ok(());
                }
                parser.statement()?;
            }
        })?;
        self.advance()
    }

    /// A statement that may stand on a line of its own.
    fn body(&mut self) -> Parsed<()> {
        self.newlines()?;
        self.deeper(Self::statement)
    }

    fn statement(&mut self) -> Parsed<()> {
        let Token::Sign(sign) = self.token else { return self.simple() };
        match sign {
            "{" => {
                self.braces()?;
                // An `else` may stand on the next line.
                self.newlines()
            }
            ";" => self.advance(),
            "if" => self.choice(),
            "while" => self.while_loop(),
            "do" => self.do_loop(),
            "for" => self.for_loop(),
            _ => self.simple(),
        }
    }

    /// A statement that needs an end.
    fn simple(&mut self) -> Parsed<()> {
        self.simple_alone()?;
        if matches!(self.token, Token::Newline) || self.is(";") {
            self.advance()
        } else if self.is("}") {
            Ok(())
        } else {
            self.unexpected()
        }
    }

    fn simple_alone(&mut self) -> Parsed<()> {
        let Token::Sign(sign) = self.token else { return self.expr_alone() };
        match sign {
            "print" | "printf" => self.print(sign == "printf"),
            "next" | "nextfile" => {
                if self.block != Block::Main {
                    return Err(format!("improper use of {sign}"));
                }
                self.advance()?;
                self.emit(if sign == "next" { Op::NextRecord } else { Op::NextFile });
                Ok(())
            }
            "break" | "continue" => {
                self.advance()?;
                let jump = self.emit(Op::Jump(0));
                match self.loops.last_mut() {
                    None => return Err(format!("{sign} statement outside of loop")),
                    Some(inner) if sign == "break" => inner.breaks.push(jump),
                    Some(inner) => inner.continues.push(jump),
                }
                Ok(())
            }
            "exit" => {
                self.advance()?;
                let given = self.begins_expr();
                if given {
                    self.expr()?;
                }
                self.emit(Op::Exit(given));
                Ok(())
            }
            "return" => {
                if self.block != Block::Function {
                    return Err("return outside function body".into());
                }
                self.advance()?;
                if self.begins_expr() {
                    self.expr()?;
                } else {
                    self.constant(Value::Null);
                }
                self.emit(Op::Return);
                Ok(())
            }
            "delete" => self.delete(),
            _ => self.expr_alone(),
        }
    }

    fn expr_alone(&mut self) -> Parsed<()> {
        self.expr()?;
        self.emit(Op::Pop);
        Ok(())
    }

    fn delete(&mut self) -> Parsed<()> {
        self.advance()?;
        let Token::Name(name) = self.token.clone() else { return self.unexpected() };
        let array = self.array_named(&name)?;
        self.advance()?;
        if self.is("[") {
            self.subscript()?;
            self.emit(Op::Delete(array));
        } else {
            self.emit(Op::DeleteAll(array));
        }
        Ok(())
    }

    fn print(&mut self, formatted: bool) -> Parsed<()> {
        self.advance()?;
        let ends = |parser: &Self| {
            matches!(parser.token, Token::Newline | Token::End)
                || [";", "}", ">", ">>", "|"].iter().any(|sign| parser.is(sign))
        };
        let mut words = 0;
        self.in_print = true;
        self.list = None;
        if !ends(self) {
            self.list_may_come = true;
            self.expr()?;
            self.list_may_come = false;
            words = 1;
            while self.list.is_none() && self.takes(",")? {
                self.newlines()?;
                self.expr()?;
                words += 1;
            }
            words = self.list.take().unwrap_or(words);
        }
        self.in_print = false;
        if formatted && words == 0 {
            return Err("no arguments in call to printf".into());
        }
        let sink = match self.token {
            Token::Sign(">") => Sink::File,
            Token::Sign(">>") => Sink::Append,
            Token::Sign("|") => Sink::Pipe,
            _ => Sink::Out,
        };
        if sink != Sink::Out {
            self.advance()?;
            self.expr()?;
        }
        self.emit(if formatted { Op::Printf(words, sink) } else { Op::Print(words, sink) });
        Ok(())
    }

    fn condition(&mut self) -> Parsed<()> {
        self.expect("(")?;
        self.expr()?;
        self.expect(")")
    }

    fn choice(&mut self) -> Parsed<()> {
        self.advance()?;
        self.condition()?;
        let skip = self.emit(Op::JumpUnless(0));
        self.body()?;
        self.newlines_before_else()?;
        if self.takes("else")? {
            let over = self.emit(Op::Jump(0));
            let here = self.here();
            self.lead(skip, here);
            self.body()?;
            let here = self.here();
            self.lead(over, here);
        } else {
            let here = self.here();
            self.lead(skip, here);
        }
        Ok(())
    }

    /// Passes over newlines where an `else` follows them.
    fn newlines_before_else(&mut self) -> Parsed<()> {
        if self.token != Token::Newline {
            return Ok(());
        }
        let (lexer, token, from) = (self.lexer.clone(), self.token.clone(), self.from);
        self.newlines()?;
        if !self.is("else") {
            (self.lexer, self.token, self.from) = (lexer, token, from);
        }
        Ok(())
    }

    /// The body of a loop, whose `continue` and `break` lead to places that are known later.
    fn loop_body(&mut self) -> Parsed<Loop> {
        self.loops.push(Loop::default());
        self.body()?;
        Ok(self.loops.pop().unwrap_or_default())
    }

    fn close_loop(&mut self, inner: Loop, again: u32) {
        let end = self.here();
        for jump in inner.breaks {
            self.lead(jump, end);
        }
        for jump in inner.continues {
            self.lead(jump, again);
        }
    }

    fn while_loop(&mut self) -> Parsed<()> {
        self.advance()?;
        let start = self.here();
        self.condition()?;
        let out = self.emit(Op::JumpUnless(0));
        let inner = self.loop_body()?;
        self.emit(Op::Jump(start));
        let end = self.here();
        self.lead(out, end);
        self.close_loop(inner, start);
        Ok(())
    }

    fn do_loop(&mut self) -> Parsed<()> {
        self.advance()?;
        let start = self.here();
        let inner = self.loop_body()?;
        self.newlines()?;
        if !self.is("while") {
            return self.unexpected();
        }
        self.advance()?;
        let again = self.here();
        self.condition()?;
        self.emit(Op::JumpIf(start));
        self.close_loop(inner, again);
        if matches!(self.token, Token::Newline) || self.is(";") { self.advance() } else { Ok(()) }
    }

    fn for_loop(&mut self) -> Parsed<()> {
        self.advance()?;
        self.expect("(")?;
        if self.walks()? {
            return Ok(());
        }
        if !self.is(";") {
            self.expr_alone()?;
        }
        self.expect(";")?;
        self.newlines()?;
        let start = self.here();
        let mut out = None;
        if !self.is(";") {
            self.expr()?;
            out = Some(self.emit(Op::JumpUnless(0)));
        }
        self.expect(";")?;
        self.newlines()?;
        // The step stands before the body and is jumped over the first time.
        let first = self.emit(Op::Jump(0));
        let again = self.here();
        if !self.is(")") {
            self.expr_alone()?;
        }
        self.emit(Op::Jump(start));
        self.expect(")")?;
        let body = self.here();
        self.lead(first, body);
        let inner = self.loop_body()?;
        self.emit(Op::Jump(again));
        let end = self.here();
        if let Some(out) = out {
            self.lead(out, end);
        }
        self.close_loop(inner, again);
        Ok(())
    }

    /// `for (KEY in ARRAY)`; false where it is another loop.
    fn walks(&mut self) -> Parsed<bool> {
        let Token::Name(key) = self.token.clone() else { return Ok(false) };
        let (lexer, token, from) = (self.lexer.clone(), self.token.clone(), self.from);
        self.advance()?;
        let mut array = None;
        if self.takes("in")?
            && let Token::Name(name) = self.token.clone()
        {
            self.advance()?;
            array = self.is(")").then_some(name);
        }
        let Some(array) = array else {
            (self.lexer, self.token, self.from) = (lexer, token, from);
            return Ok(false);
        };
        self.advance()?;
        let array = self.array_named(&array)?;
        let key = self.scalar_named(&key)?;
        self.emit(Op::Walk(array));
        let again = self.here();
        let out = self.emit(Op::WalkOn(0));
        self.emit(Op::Store(Place::Var(key)));
        self.emit(Op::Pop);
        let inner = self.loop_body()?;
        self.emit(Op::Jump(again));
        let end = self.here();
        self.lead(out, end);
        self.close_loop(inner, again);
        self.emit(Op::EndWalk);
        Ok(true)
    }
}
