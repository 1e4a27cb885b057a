//! Marking: what was answered, what the simulator says, what the real containerd said.

use crate::goal::Scalar;
use crate::{Answer, Kind, Live, LiveRecording, Question, QuestionText, Read, Recording, Texts};
use fourgaps_base::{in_order, set_of};
use std::collections::BTreeSet;

/// A marked answer: three columns, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// True where the answer agrees with the recording.
    pub right: bool,
    /// What was answered.
    pub given: String,
    /// What the simulator says, or [`NOT_SIMULATED`]; nothing where it is not asked beside the recording.
    pub simulator: Option<String>,
    /// What the real one said.
    pub recorded: String,
    /// The real one, with its version.
    pub version: String,
    /// Why the answer is right, or what is wrong with it.
    pub explanation: String,
}

/// The simulator's column of a question about the daemon, where no simulated daemon was started beside the dump.
pub const NOT_SIMULATED: &str = "(not simulated yet)";

/// What was read from a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
    /// Names whose order says nothing.
    Set(BTreeSet<String>),
    /// Names in order.
    List(Vec<String>),
}

/// The right answer to a question, read from a recording.
///
/// # Errors
/// Says what the recording does not have, or that no option claims what it has.
pub fn right_answer(question: &Question, recording: &Recording) -> Result<Answer, String> {
    let found = find(question, recording)?;
    if question.options.is_empty() {
        return Ok(match found {
            Found::Number(number) => Answer::Number(number),
            Found::Text(text) => Answer::Text(text),
            Found::Set(names) => Answer::Text(names.into_iter().collect::<Vec<_>>().join(" ")),
            Found::List(names) => Answer::Text(names.join(" ")),
        });
    }
    if question.kind == Kind::Order {
        return order(question, &found).map(Answer::Choice);
    }
    let right: Vec<String> =
        question.options.iter().filter(|o| holds(question, o, &found)).cloned().collect();
    if right.is_empty() {
        return Err(format!("no option claims `{}`", found.shown()));
    }
    Ok(Answer::Choice(right))
}

/// Marks an answer. The recording decides; the simulator's answer, in the form of a recording, stands beside it where it is asked.
///
/// # Errors
/// Says why the question cannot be judged.
pub fn mark(
    question: &Question,
    texts: &Texts,
    given: &Answer,
    simulated: Option<&Recording>,
    recorded: &Recording,
) -> Result<Marked, String> {
    let words = texts.questions.get(&question.id).ok_or_else(|| format!("no text for `{}`", question.id))?;
    let wanted = right_answer(question, recorded)?;
    let found = find(question, recorded)?;
    let right = agrees(question, given, &wanted, &found);
    let explanation = if right { words.right.clone() } else { explain(question, words, given, &wanted) };
    let simulator = simulated.map(|simulated| match (&question.read, &simulated.live) {
        (Read::Live(_), None) => NOT_SIMULATED.into(),
        _ => shown_by(question, simulated).unwrap_or_else(|why| format!("({why})")),
    });
    Ok(Marked {
        right,
        given: shown_answer(question, given),
        simulator,
        recorded: shown_by(question, recorded)?,
        version: question.recorded(),
        explanation,
    })
}

/// Reads what a question asks for.
pub(crate) fn find(question: &Question, recording: &Recording) -> Result<Found, String> {
    let number = |n: usize| Found::Number(i64::try_from(n).unwrap_or(i64::MAX));
    let missing = |text: &str| format!("no line of the dump contains `{text}`");
    Ok(match &question.read {
        Read::Count(text) => number(recording.count(text)),
        Read::LineNumber(text) => number(recording.line(text).ok_or_else(|| missing(text))?.0),
        Read::Line(text) => Found::Text(recording.line(text).ok_or_else(|| missing(text))?.1.to_string()),
        Read::Lines => Found::Set(set_of(recording.dump.lines().map(|line| line.trim().to_string()))),
        Read::Handlers => Found::Set(recording.handlers()),
        Read::Value(key) => {
            match recording.value(key).ok_or_else(|| format!("the dump has no value `{key}`"))? {
                Scalar::Text(text) => Found::Text(text),
                Scalar::Number(number) => Found::Text(number.to_string()),
                Scalar::Flag(flag) => Found::Text(flag.to_string()),
            }
        }
        Read::Exit => Found::Number(recording.exit.into()),
        Read::Stderr => {
            Found::Text(recording.last_error().ok_or("there is nothing on standard error")?.to_string())
        }
        Read::Cell { row, column, is_number } => {
            let cell = recording.cell(row, column);
            let cell = cell.ok_or_else(|| format!("there is no row `{row}` with a column `{column}`"))?;
            match is_number {
                true => Found::Number(cell.parse().map_err(|_| format!("`{cell}` is no number"))?),
                false => Found::Text(cell.into()),
            }
        }
        Read::LoadOrder => Found::List(load_order(question, recording)?),
        Read::Live(what) => {
            find_live(what, recording.live.as_ref().ok_or("nothing is recorded of the daemon here")?)?
        }
    })
}

fn find_live(what: &Live, live: &LiveRecording) -> Result<Found, String> {
    let text = |found: Option<&str>, missing: &str| {
        found.map(|text| Found::Text(text.to_string())).ok_or_else(|| missing.to_string())
    };
    let no_answer = "the CRI service of the daemon did not answer";
    match what {
        Live::Handlers => live.handlers.clone().map(Found::Set).ok_or_else(|| no_answer.to_string()),
        Live::Booted => Ok(Found::Text(live.booted.to_string())),
        Live::Cri => text(live.cri(), "the daemon did not start"),
        Live::DefaultRuntimeName => text(live.default_runtime_name.as_deref(), no_answer),
        Live::Complaints => Ok(Found::Text(live.last_complaint().to_string())),
        Live::Sandbox(handler) => {
            text(live.sandbox(handler), &format!("no answer to a sandbox with `{handler}` can be judged"))
        }
    }
}

/// The files in load order. containerd 1.x prints them in random order, so that only the *set* is recorded;
/// the order is the rule's: the main file, then byte order.
fn load_order(question: &Question, recording: &Recording) -> Result<Vec<String>, String> {
    let files = recording.imports();
    if !files.contains(&question.config) {
        return Err(format!("the dump's imports do not name {}", question.config));
    }
    let files = in_order(files, |a, b| (*a != question.config, a).cmp(&(*b != question.config, b)));
    Ok(files)
}

fn order(question: &Question, found: &Found) -> Result<Vec<String>, String> {
    let Found::List(files) = found else { return Err("an order needs a list".into()) };
    let place = |option: &String| {
        let claim = question.option_values.get(option);
        files.iter().position(|file| Some(file) == claim).ok_or_else(|| format!("{claim:?} is not loaded"))
    };
    let mut placed = Vec::new();
    for option in &question.options {
        placed.push((place(option)?, option.clone()));
    }
    let placed = in_order(placed, Ord::cmp);
    Ok(placed.into_iter().map(|(_, option)| option).collect())
}

/// True where an option's claim is what was found.
pub(crate) fn holds(question: &Question, option: &str, found: &Found) -> bool {
    let Some(claim) = question.option_values.get(option) else { return false };
    match found {
        Found::Number(number) => claim.trim().parse() == Ok(*number),
        Found::Text(text) => plain(claim) == plain(text),
        Found::Set(names) if question.kind == Kind::Several => names.contains(claim.trim()),
        Found::List(names) if question.kind == Kind::Several => names.iter().any(|name| name == claim.trim()),
        Found::Set(names) => words(claim) == *names,
        Found::List(names) => claim.split_whitespace().eq(names.iter().map(String::as_str)),
    }
}

fn agrees(question: &Question, given: &Answer, wanted: &Answer, found: &Found) -> bool {
    match (given, wanted) {
        (Answer::Choice(given), Answer::Choice(wanted)) if question.kind == Kind::Order => given == wanted,
        (Answer::Choice(given), Answer::Choice(wanted)) => set_of(given) == set_of(wanted),
        (Answer::Number(given), Answer::Number(wanted)) => given == wanted,
        (Answer::Text(given), Answer::Text(wanted)) => match found {
            Found::Set(names) => words(given) == *names,
            _ => plain(given) == plain(wanted),
        },
        _ => false,
    }
}

/// The explanation of a wrong answer.
fn explain(question: &Question, texts: &QuestionText, given: &Answer, wanted: &Answer) -> String {
    let mut found: Vec<&str> = Vec::new();
    match (given, wanted) {
        (Answer::Choice(given), Answer::Choice(wanted)) if question.kind != Kind::Order => {
            // Chosen and not right, or right and not chosen; where one is right, only the chosen one speaks.
            let differs = |o: &&String| match question.kind {
                Kind::Several => given.contains(o) != wanted.contains(o),
                _ => given.contains(o) && !wanted.contains(o),
            };
            let wrong = question.options.iter().filter(differs).filter_map(|o| texts.options.get(o));
            found.extend(wrong.filter_map(|option| option.wrong.as_deref()));
        }
        _ => {
            let said = normal(question, &typed(given));
            let foreseen = texts.wrong.iter().find(|wrong| normal(question, &wrong.answer) == said);
            found.extend(foreseen.map(|wrong| wrong.text.as_str()));
        }
    }
    if found.is_empty() {
        found.extend(texts.otherwise.as_deref());
    }
    found.join("\n")
}

/// An answer as it would be typed.
pub(crate) fn typed(answer: &Answer) -> String {
    match answer {
        Answer::Choice(names) => names.join(" "),
        Answer::Number(number) => number.to_string(),
        Answer::Text(text) => text.clone(),
    }
}

/// A typed answer without the differences that do not matter: spaces, commas, quotes, and the order of a set.
pub(crate) fn normal(question: &Question, text: &str) -> String {
    let mut names: Vec<&str> = plain(text).split([',', ' ']).filter(|word| !word.is_empty()).collect();
    if question.read.is_handlers() {
        names = set_of(names).into_iter().collect();
    }
    names.join(" ")
}

fn shown_answer(question: &Question, given: &Answer) -> String {
    match given {
        Answer::Choice(names) => claims(question, names.iter()),
        other => typed(other),
    }
}

/// A column: what a run says, in the words of the options where there are some.
fn shown_by(question: &Question, recording: &Recording) -> Result<String, String> {
    let found = find(question, recording)?;
    if question.kind == Kind::Several {
        return Ok(claims(question, question.options.iter().filter(|o| holds(question, o, &found))));
    }
    Ok(found.shown())
}

fn claims<'q>(question: &'q Question, options: impl Iterator<Item = &'q String>) -> String {
    let claim = |option: &'q String| {
        let claim = question.option_values.get(option).unwrap_or(option);
        match claim.as_str() {
            "" if question.read.is_list() => NO_NAMES,
            "" => NO_TEXT,
            claim => claim,
        }
    };
    let claims: Vec<&str> = options.map(claim).collect();
    if claims.is_empty() { NO_NAMES.into() } else { claims.join(", ") }
}

/// How an empty text and an empty list look in a column; a blank column would look like a fault of the page.
const NO_TEXT: &str = "\"\"";
const NO_NAMES: &str = "[]";

impl Found {
    /// What was found, for showing.
    pub fn shown(&self) -> String {
        let names = |names: Vec<&str>| if names.is_empty() { NO_NAMES.into() } else { names.join(", ") };
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) if text.is_empty() => NO_TEXT.into(),
            Self::Text(text) => text.clone(),
            Self::Set(set) => names(set.iter().map(String::as_str).collect()),
            Self::List(list) => names(list.iter().map(String::as_str).collect()),
        }
    }
}

/// A text without the spaces and one pair of quotes around it.
fn plain(text: &str) -> &str {
    let text = text.trim();
    ['"', '\'', '`']
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(text)
}

fn words(text: &str) -> BTreeSet<String> {
    set_of(text.split(|c: char| c == ',' || c.is_whitespace()).filter(|w| !w.is_empty()).map(String::from))
}

#[cfg(test)]
mod tests;
