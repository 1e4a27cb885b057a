//! Texts: each name of the scenario has its text in every language, and no text is left over.

use super::Lab;
use super::folder::Folder;
use crate::{Kind, Lang, Question, QuestionText, Texts};
use fourgaps_base::Pos;
use std::collections::{BTreeMap, BTreeSet};

/// Checks every language of a lab against its scenario.
pub(super) fn check(folder: &mut Folder<'_>, lab: &Lab) {
    for (lang, texts) in &lab.texts {
        let label = format!("{}{}.toml", lab.home, lang.code());
        let mut said = Said { folder, label };
        said.same_names("goal", lab.scenario.goals.iter().map(|goal| &goal.id), &texts.goals, |t| t.pos);
        said.same_names("hint", lab.scenario.hints.iter().map(|hint| &hint.id), &texts.hints, |t| t.pos);
        said.same_names("grade", lab.scenario.grades.iter().map(|grade| &grade.id), &texts.grades, |t| t.pos);
        said.same_names("question", lab.scenario.questions.iter().map(|q| &q.id), &texts.questions, |t| {
            t.pos
        });
        if texts.story.is_empty() {
            said.fault(Pos::default(), "the story has no paragraph");
        }
        for question in &lab.scenario.questions {
            if let Some(texts) = texts.questions.get(&question.id) {
                said.check_question(question, texts);
            }
        }
    }
    check_same_shape(folder, lab);
}

struct Said<'f, 'a> {
    folder: &'f mut Folder<'a>,
    label: String,
}

impl Said<'_, '_> {
    fn fault(&mut self, pos: Pos, message: impl Into<String>) {
        self.folder.fault(&self.label, pos, message);
    }

    fn same_names<'i, T>(
        &mut self,
        kind: &str,
        ids: impl Iterator<Item = &'i String>,
        texts: &BTreeMap<String, T>,
        pos: impl Fn(&T) -> Pos,
    ) {
        let ids: BTreeSet<&String> = ids.collect();
        for id in &ids {
            if !texts.contains_key(*id) {
                self.fault(Pos::default(), format!("the {kind} `{id}` has no text"));
            }
        }
        for (id, text) in texts {
            if !ids.contains(id) {
                self.fault(pos(text), format!("there is a text for the {kind} `{id}`, but no such {kind}"));
            }
        }
    }

    fn check_question(&mut self, question: &Question, texts: &QuestionText) {
        let id = &question.id;
        self.same_names(&format!("option of `{id}`"), question.options.iter(), &texts.options, |t| t.pos);
        self.check_repeats(texts);
        let chosen = !question.options.is_empty() && question.kind != Kind::Order;
        if chosen {
            if !texts.wrong.is_empty() || texts.otherwise.is_some() {
                self.fault(texts.pos, format!("`{id}` is explained by its options; the rest is never shown"));
            }
            return;
        }
        for (name, option) in &texts.options {
            if option.wrong.is_some() {
                self.fault(
                    option.pos,
                    format!("`wrong` of `{name}` is never shown, because `{id}` is an order"),
                );
            }
        }
        if texts.otherwise.is_none() {
            self.fault(
                texts.pos,
                format!("`{id}` needs `otherwise`, for wrong answers that were not foreseen"),
            );
        }
        if texts.wrong.is_empty() {
            self.fault(
                texts.pos,
                format!("`{id}` foresees no wrong answer; write one `[[questions.{id}.wrong]]`"),
            );
        }
    }

    /// Each wrong answer has an explanation of its own.
    fn check_repeats(&mut self, texts: &QuestionText) {
        let options = texts.options.values().filter_map(|o| o.wrong.as_ref().map(|text| (text, o.pos)));
        let typed = texts.wrong.iter().map(|w| (&w.text, w.pos));
        let rest = texts.otherwise.iter().map(|text| (text, texts.pos));
        let mut seen = BTreeSet::new();
        for (text, pos) in options.chain(typed).chain(rest) {
            if !seen.insert(text) {
                self.fault(pos, "two wrong answers have the same explanation");
            }
        }
    }
}

/// What one language has beyond the named texts, the others have too.
fn check_same_shape(folder: &mut Folder<'_>, lab: &Lab) {
    let shape = |texts: &Texts| {
        let wrong = |q: &QuestionText| q.wrong.iter().map(|w| w.answer.clone()).collect::<BTreeSet<_>>();
        let questions: BTreeMap<String, BTreeSet<String>> =
            texts.questions.iter().map(|(id, q)| (id.clone(), wrong(q))).collect();
        (texts.aside.is_some(), questions)
    };
    let Some((first, model)) = lab.texts.first_key_value().map(|(lang, texts)| (*lang, shape(texts))) else {
        return;
    };
    for (lang, texts) in lab.texts.iter().skip(1) {
        let (aside, questions) = shape(texts);
        let label = format!("{}{}.toml", lab.home, lang.code());
        if aside != model.0 {
            folder.fault(
                &label,
                Pos::default(),
                format!("only one of {} and {} has an aside", code(*lang), code(first)),
            );
        }
        for (id, wrong) in questions {
            if model.1.get(&id).is_some_and(|other| *other != wrong) {
                let text =
                    format!("`{id}` foresees other wrong answers in {} than in {}", code(*lang), code(first));
                folder.fault(&label, texts.questions[&id].pos, text);
            }
        }
    }
}

fn code(lang: Lang) -> &'static str {
    lang.code()
}
