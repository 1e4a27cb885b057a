//! Questions: one in sight at a time, each answered as often as wanted; then three columns and why.

use crate::components::answer::{AnswerField, answer_field};
use crate::components::case_files::CaseFiles;
use crate::components::load::failed;
use crate::components::outcome::Outcome;
use crate::components::text::rich;
use crate::i18n::{Words, use_words};
use crate::page;
use crate::same::Same;
use crate::state::Lab;
use fourgaps_lab::{Action, Answer, Input, Kind, Marked, Question, Texts};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::prelude::*;

/// Properties of [`Questions`].
#[derive(Properties, PartialEq)]
pub struct QuestionsProps {
    /// The lab.
    pub lab: Same<Lab>,
    /// Its texts.
    pub texts: Rc<Texts>,
    /// What the work amounts to.
    pub outcome: Rc<Outcome>,
    /// The last answer to each question.
    pub answers: BTreeMap<String, Answer>,
    /// Does something.
    pub on_do: Callback<Action>,
}

/// All questions, with a pager.
#[component]
pub fn Questions(props: &QuestionsProps) -> Html {
    let words = use_words();
    let questions = &props.lab.scenario.questions;
    let first_open = questions.iter().position(|q| !props.answers.contains_key(&q.id)).unwrap_or(0);
    let at = use_state(|| first_open);
    let Some(question) = questions.get(*at) else { return html! {} };
    let chip = |(nth, q): (usize, &Question)| {
        let (sign, word) = match (props.outcome.marks.get(&q.id), props.answers.contains_key(&q.id)) {
            (Some(Ok(m)), _) if m.right => ("●", "question.right"),
            (Some(Ok(_)), _) => ("╳", "question.wrong"),
            (_, true) => ("◐", "question.given"),
            _ => ("", "question.open"),
        };
        let onclick = {
            let at = at.setter();
            move |_: MouseEvent| at.set(nth)
        };
        let n = (nth + 1).to_string();
        let label = format!("{} · {}", words.with("question.nth", &[("n", &n)]), words.t(word));
        html! {
            <li><button type="button" class="pip" aria-current={(nth == *at).then_some("true")} aria-label={label} {onclick}>
                <span class="figures">{ n.clone() }</span><span class="pip-sign" aria-hidden="true">{ sign }</span>
            </button></li>
        }
    };
    let locked = question.after_goal.as_deref().filter(|goal| !props.outcome.met(goal));
    let next = (*at + 1 < questions.len()).then(|| {
        let at = at.clone();
        move |_: MouseEvent| at.set(*at + 1)
    });
    html! {
        <div class="questions">
            <ol class="pips">{ for questions.iter().enumerate().map(chip) }</ol>
            if let Some(goal) = locked {
                <p class="pale">{ rich(&words.with("question.locked", &[("goal", &goal_text(props, goal))])) }</p>
            } else {
                <QuestionCard key={question.id.clone()} question={question.clone()} texts={props.texts.clone()} outcome={props.outcome.clone()}
                    given={props.answers.get(&question.id).cloned()} on_do={props.on_do.clone()} />
            }
            if let Some(next) = next {
                <button type="button" class="button quiet next-question" id="next-question" onclick={next}>{ words.t("question.next") }</button>
            }
        </div>
    }
}

fn goal_text(props: &QuestionsProps, goal: &str) -> String {
    props.texts.goals.get(goal).map_or_else(|| goal.to_string(), |t| t.text.clone())
}

/// Properties of [`QuestionCard`].
#[derive(Properties, PartialEq)]
struct QuestionCardProps {
    question: Question,
    texts: Rc<Texts>,
    outcome: Rc<Outcome>,
    given: Option<Answer>,
    on_do: Callback<Action>,
}

/// An answer to begin with: an order stands as it is shown, all else is empty.
fn blank(question: &Question) -> Option<Answer> {
    match question.input() {
        Input::Order => Some(Answer::Choice(question.options.clone())),
        Input::Several => Some(Answer::Choice(Vec::new())),
        _ => None,
    }
}

#[component]
fn QuestionCard(props: &QuestionCardProps) -> Html {
    let words = use_words();
    let question = &props.question;
    let draft = use_state(|| props.given.clone().or_else(|| blank(question)));
    let asked = use_memo((), |()| Cell::new(false));
    {
        // Undo, redo and a file bring other answers: the field shows the one that counts.
        let (draft, question) = (draft.setter(), question.clone());
        use_effect_with(props.given.clone(), move |given| {
            if given.is_some() {
                draft.set(given.clone().or_else(|| blank(&question)));
            }
        });
    }
    let place = use_node_ref();
    {
        // An answer that was just given brings its verdict into sight; one of an earlier visit does not move the page.
        let (place, asked, marked) =
            (place.clone(), asked.clone(), props.outcome.marks.get(&question.id).cloned());
        use_effect_with(marked, move |marked| {
            if let (Some(marked), true, Some(element)) =
                (marked, asked.replace(false), place.cast::<web_sys::Element>())
            {
                element.scroll_into_view_with_bool(false);
                if marked.as_ref().is_ok_and(|m| m.right) {
                    // The button that was pressed is gone now; the keyboard goes on where the reader does.
                    page::focus("next-question");
                }
            }
        });
    }
    let Some(texts) = props.texts.questions.get(&question.id) else { return html! {} };
    let marked = props.outcome.marks.get(&question.id);
    let stale = draft.is_some() && *draft != props.given;
    let ready = draft.as_ref().is_some_and(|answer| match answer {
        Answer::Choice(names) => !names.is_empty(),
        Answer::Text(text) => !text.trim().is_empty(),
        Answer::Number(_) => true,
    });
    let onsubmit = {
        let (draft, on_do, id, asked) =
            (draft.clone(), props.on_do.clone(), question.id.clone(), asked.clone());
        move |event: SubmitEvent| {
            event.prevent_default();
            if let Some(answer) = (*draft).clone() {
                asked.set(true);
                on_do.emit(Action::Answer { question: id.clone(), answer });
            }
        }
    };
    let on_draft = {
        let draft = draft.setter();
        Callback::from(move |answer: Option<Answer>| draft.set(answer))
    };
    let kind = match question.kind {
        Kind::One => "question.kind_one",
        Kind::Several => "question.kind_several",
        Kind::Number => "question.kind_number",
        Kind::Text => "question.kind_text",
        Kind::Order => "question.kind_order",
        Kind::Predict => "question.kind_predict",
    };
    let again = matches!(marked, Some(Ok(m)) if !m.right);
    html! {
        <form class="question" {onsubmit} data-question={question.id.clone()}>
            <p class="question-text" id="question-text">{ rich(&texts.text) }</p>
            if question.told.is_none() {
                <CaseFiles question={question.clone()} />
            }
            <p class="question-kind">{ words.t(kind) }</p>
            { answer_field(&words, &AnswerField { question, options: option_texts(question, texts), draft: draft.as_ref(), on_draft: &on_draft }) }
            if props.given.is_none() || stale || again {
                <button type="submit" class="button strong" data-do="answer" disabled={!ready || (again && !stale)}>
                    { words.t(if props.given.is_some() { "question.again" } else { "question.answer" }) }
                </button>
            }
            <div class="verdict-place" aria-live="polite" ref={place}>
                if props.given.is_some() {
                    { verdict(&words, marked, &props.outcome, stale) }
                }
            </div>
        </form>
    }
}

fn option_texts(question: &Question, texts: &fourgaps_lab::QuestionText) -> Vec<(String, String)> {
    let text = |id: &String| texts.options.get(id).map_or_else(|| id.clone(), |o| o.text.clone());
    question.options.iter().map(|id| (id.clone(), text(id))).collect()
}

fn verdict(words: &Words, marked: Option<&Result<Marked, String>>, outcome: &Outcome, stale: bool) -> Html {
    match (marked, &outcome.fault) {
        (Some(Ok(marked)), _) => three_columns(words, marked, stale),
        (Some(Err(why)), _) => {
            html! { <p class="verdict">{ words.with("question.no_judge", &[("why", why)]) }</p> }
        }
        (None, Some(fault)) => failed(words, fault, &outcome.retry, true),
        (None, None) => html! { <p class="verdict pale">{ words.t("question.judging") }</p> },
    }
}

/// Your answer, the simulator where it is asked too, the recorded machine; then why.
fn three_columns(words: &Words, marked: &Marked, stale: bool) -> Html {
    let (sign, word) = if marked.right { ("●", "question.right") } else { ("╳", "question.wrong") };
    html! {
        <div class={classes!("verdict", if marked.right { "right" } else { "wrong" }, stale.then_some("stale"))} data-right={marked.right.to_string()}>
            <p class="verdict-word"><span aria-hidden="true">{ sign }</span>{ words.t(word) }</p>
            <table class="columns">
                <thead><tr>
                    <th scope="col">{ words.t("question.yours") }</th>
                    if marked.simulator.is_some() {
                        <th scope="col">{ words.t("question.simulator") }</th>
                    }
                    <th scope="col">{ words.with("question.recorded", &[("version", &marked.version)]) }</th>
                </tr></thead>
                <tbody><tr>
                    <td><code>{ &marked.given }</code></td>
                    if let Some(simulator) = &marked.simulator {
                        <td><code>{ simulator }</code></td>
                    }
                    <td><code>{ &marked.recorded }</code></td>
                </tr></tbody>
            </table>
            { for marked.explanation.lines().map(|line| html! { <p class="because">{ rich(line) }</p> }) }
        </div>
    }
}
