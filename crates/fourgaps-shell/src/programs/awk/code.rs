//! What a program is made of after it was read: steps of a machine with a stack.

use super::ere::Ere;
use super::value::{Value, Var};

/// Where an assignment goes. The subscript, or the number of the field, lies on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Var(Var),
    Element(Var),
    Field,
}

impl Place {
    /// Cells of the stack that tell which one is meant.
    pub(super) fn cells(place: Option<Self>) -> usize {
        usize::from(!matches!(place, None | Some(Self::Var(_))))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Math {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Pow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Less,
    AtMost,
    Equal,
    Unequal,
    Greater,
    AtLeast,
}

/// Where output goes; for all but the first the name lies on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sink {
    Out,
    File,
    Append,
    Pipe,
}

/// What `getline` reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Main,
    File,
    Command,
}

/// The functions that awk brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Func {
    Atan2,
    Close,
    Cos,
    Exp,
    Fflush,
    Gsub,
    Index,
    Int,
    Length,
    Log,
    Match,
    Mktime,
    Rand,
    Sin,
    Split,
    Sprintf,
    Sqrt,
    Srand,
    Strftime,
    Sub,
    Substr,
    System,
    Systime,
    Tolower,
    Toupper,
}

/// One step. A target is a place in the code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Const(u32),
    Number(f64),
    Load(Place),
    /// Makes an element whose subscript lies on the stack.
    Touch(Var),
    /// Keeps the value on the stack, as all assignments do.
    Store(Place),
    Change(Math, Place),
    /// By how much, and whether the value before is meant.
    Step(i8, bool, Place),
    /// A word of a call: a variable that may become an array there.
    Arg(Var),
    FieldNumber(u32),
    Subscript(u32),
    In(Var),
    Delete(Var),
    DeleteAll(Var),
    Math(Math),
    Test(Test),
    Concat(u32),
    Not,
    Negative,
    Plus,
    Truth,
    /// The record against a regular expression of the program.
    MatchRecord(u32),
    /// A text against one of the program; whether it must not match.
    MatchText(u32, bool),
    /// A text against a text.
    Match(bool),
    /// A regular expression of the program as a word of a function.
    Regex(u32),
    Jump(u32),
    JumpIf(u32),
    JumpUnless(u32),
    Pop,
    Call(u32, u32),
    Return,
    Func(Func, u32),
    LengthOf(Var),
    /// `split` into an array; the number of words is that of the text and the separator.
    Split(Var, u32),
    /// `sub`, or `gsub` where true, in a place; the pattern and what comes instead lie below its subscript.
    Replace(bool, Place),
    Print(u32, Sink),
    Printf(u32, Sink),
    Getline(From, Option<Place>),
    /// Begins to walk through the subscripts of an array.
    Walk(Var),
    /// The next subscript, or on to the target.
    WalkOn(u32),
    EndWalk,
    /// The next record, or on to the target.
    Record(u32),
    NextRecord,
    NextFile,
    /// Whether the range with this number is open.
    Range(u32),
    SetRange(u32, bool),
    /// With a status on the stack or without.
    Exit(bool),
    End,
}

pub(super) struct Function {
    pub name: String,
    pub params: u32,
    pub start: u32,
    pub defined: bool,
}

/// A program that was read.
pub(super) struct Program {
    pub code: Vec<Op>,
    pub consts: Vec<Value>,
    pub regexes: Vec<Ere>,
    pub globals: Vec<String>,
    pub functions: Vec<Function>,
    pub ranges: u32,
    /// Where it starts, asks for a record, and ends its input.
    pub start: u32,
    pub main: u32,
    pub end: u32,
    /// It reads its input: it has more than BEGIN.
    pub reads: bool,
}

/// The variables that awk itself looks at, by their number among the global ones.
pub(super) const SPECIAL: [&str; 16] = [
    "NF", "NR", "FNR", "FS", "OFS", "ORS", "RS", "FILENAME", "RSTART", "RLENGTH", "CONVFMT", "OFMT",
    "SUBSEP", "ENVIRON", "ARGC", "ARGV",
];
pub(super) const NF: u32 = 0;
pub(super) const NR: u32 = 1;
pub(super) const FNR: u32 = 2;
pub(super) const FS: u32 = 3;
pub(super) const OFS: u32 = 4;
pub(super) const ORS: u32 = 5;
pub(super) const RS: u32 = 6;
pub(super) const FILENAME: u32 = 7;
pub(super) const RSTART: u32 = 8;
pub(super) const RLENGTH: u32 = 9;
pub(super) const CONVFMT: u32 = 10;
pub(super) const OFMT: u32 = 11;
pub(super) const SUBSEP: u32 = 12;
pub(super) const ENVIRON: u32 = 13;
pub(super) const ARGC: u32 = 14;
pub(super) const ARGV: u32 = 15;
