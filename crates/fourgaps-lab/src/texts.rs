//! All texts of a scenario in one language, read from `en.toml`, `ja.toml` or `ko.toml`.

use crate::Fault;
use crate::strict::{Entry, Sheet, Table, read};
use fourgaps_base::Pos;
use std::collections::BTreeMap;

/// The texts of one language. Code in a text stands between backticks, see [`crate::pieces`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// The title of the lab.
    pub title: String,
    /// One sentence for the list of labs.
    pub summary: String,
    /// What happened, in short paragraphs.
    pub story: Vec<String>,
    /// A box beside the story, for example about where a text of the course was loose.
    pub aside: Option<Aside>,
    /// Texts of the goals, by their names.
    pub goals: BTreeMap<String, GoalText>,
    /// Texts of the hints, by their names.
    pub hints: BTreeMap<String, HintText>,
    /// What each hidden node was, by its name.
    pub grades: BTreeMap<String, HintText>,
    /// Texts of the questions, by their names.
    pub questions: BTreeMap<String, QuestionText>,
}

/// A box with a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// The title.
    pub title: String,
    /// The paragraphs.
    pub text: Vec<String>,
}

/// The texts of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalText {
    /// What is wanted.
    pub text: String,
    /// What to say where it is met.
    pub met: String,
    /// What to say where it is not met.
    pub not_met: String,
    /// Where it stands in the file.
    pub pos: Pos,
}

/// The text of a hint, or of a hidden node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HintText {
    /// The hint.
    pub text: String,
    /// Where it stands in the file.
    pub pos: Pos,
}

/// The texts of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionText {
    /// The question.
    pub text: String,
    /// Why the right answer is right.
    pub right: String,
    /// Texts of the options, by their names.
    pub options: BTreeMap<String, OptionText>,
    /// Explanations of wrong answers that were foreseen, where there are no options to choose from.
    pub wrong: Vec<WrongText>,
    /// The explanation of every other wrong answer.
    pub otherwise: Option<String>,
    /// Where it stands in the file.
    pub pos: Pos,
}

/// The texts of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionText {
    /// The option.
    pub text: String,
    /// Why it was wrong to choose it; for a right option of several, why it was wrong to leave it out.
    pub wrong: Option<String>,
    /// Where it stands in the file.
    pub pos: Pos,
}

/// The explanation of one wrong answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongText {
    /// The answer as it would be typed.
    pub answer: String,
    /// Why it is wrong.
    pub text: String,
    /// Where it stands in the file.
    pub pos: Pos,
}

impl Texts {
    /// Reads the texts of one language. The label names the file in faults.
    ///
    /// # Errors
    /// Gives every fault of the file.
    pub fn parse(label: &str, text: &str) -> Result<Self, Vec<Fault>> {
        read(label, text, take)
    }
}

fn take(sheet: &mut Sheet<'_>, top: &mut Table<'_>) -> Texts {
    top.format_version(sheet);
    let title = top.text(sheet, "title");
    let summary = top.text(sheet, "summary");
    let story = top.required(sheet, "story").map(|e| e.texts(sheet, "story")).unwrap_or_default();
    let aside = top.table(sheet, "aside").map(|mut table| {
        let title = table.text(sheet, "title");
        let text = table.required(sheet, "text").map(|e| e.texts(sheet, "text")).unwrap_or_default();
        table.close(sheet);
        Aside { title, text }
    });
    Texts {
        title,
        summary,
        story,
        aside,
        goals: named(sheet, top, "goals", |sheet, table, pos| GoalText {
            text: table.text(sheet, "text"),
            met: table.text(sheet, "met"),
            not_met: table.text(sheet, "not_met"),
            pos,
        }),
        hints: named(sheet, top, "hints", |sheet, table, pos| HintText {
            text: table.text(sheet, "text"),
            pos,
        }),
        grades: named(sheet, top, "grades", |sheet, table, pos| HintText {
            text: table.text(sheet, "text"),
            pos,
        }),
        questions: named(sheet, top, "questions", take_question),
    }
}

fn take_question(sheet: &mut Sheet<'_>, table: &mut Table<'_>, pos: Pos) -> QuestionText {
    QuestionText {
        text: table.text(sheet, "text"),
        right: table.text(sheet, "right"),
        options: named(sheet, table, "options", |sheet, table, pos| OptionText {
            text: table.text(sheet, "text"),
            wrong: table.optional_text(sheet, "wrong"),
            pos,
        }),
        wrong: table.tables(sheet, "wrong").into_iter().map(|t| take_wrong(sheet, t)).collect(),
        otherwise: table.optional_text(sheet, "otherwise"),
        pos,
    }
}

fn take_wrong(sheet: &mut Sheet<'_>, mut table: Table<'_>) -> WrongText {
    let pos = table.at();
    let made = WrongText { answer: table.text(sheet, "answer"), text: table.text(sheet, "text"), pos };
    table.close(sheet);
    made
}

/// Reads `[key.<name>]` tables, each through one function.
fn named<T>(
    sheet: &mut Sheet<'_>,
    parent: &mut Table<'_>,
    key: &'static str,
    take: impl Fn(&mut Sheet<'_>, &mut Table<'_>, Pos) -> T,
) -> BTreeMap<String, T> {
    let Some(table) = parent.table(sheet, key) else { return BTreeMap::new() };
    let mut found = BTreeMap::new();
    for (name, entry) in table.into_entries() {
        let pos = Entry::at(&entry);
        if let Some(mut inner) = entry.table(sheet, name) {
            found.insert(name.to_string(), take(sheet, &mut inner, pos));
            inner.close(sheet);
        }
    }
    found
}
