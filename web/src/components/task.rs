//! The left part: what happened, goals, hints, questions.

use crate::components::goals::{Goals, goals};
use crate::components::hints::hints;
use crate::components::outcome::Outcome;
use crate::components::question::Questions;
use crate::components::text::rich;
use crate::i18n::use_words;
use crate::same::Same;
use crate::state::Lab;
use fourgaps_lab::{Action, Answer, Texts};
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::prelude::*;

/// Properties of [`Task`].
#[derive(Properties, PartialEq)]
pub struct TaskProps {
    /// The lab.
    pub lab: Same<Lab>,
    /// Its texts.
    pub texts: Rc<Texts>,
    /// What the work amounts to.
    pub outcome: Rc<Outcome>,
    /// How many hints were asked for.
    pub hints_shown: usize,
    /// The last answer to each question.
    pub answers: BTreeMap<String, Answer>,
    /// The node's own version.
    pub home: &'static str,
    /// The version that looks at the files, where it is not the node's own.
    pub away: Option<&'static str>,
    /// Does something.
    pub on_do: Callback<Action>,
}

/// What to do: the story with its hints or the questions, and below them the goals, which are always in sight.
#[component]
pub fn Task(props: &TaskProps) -> Html {
    let words = use_words();
    let texts = &props.texts;
    let asking = use_state(|| false);
    let progress = props.outcome.progress();
    let done = format!("{}/{}", progress.right, progress.questions);
    let tab = |questions: bool, word: &str, figures: Option<String>| {
        let chosen = *asking == questions;
        let onclick = {
            let asking = asking.setter();
            move |_: MouseEvent| asking.set(questions)
        };
        html! {
            <button type="button" role="tab" id={if questions { "tab-questions" } else { "tab-story" }} aria-selected={chosen.to_string()}
                aria-controls={if questions { "questions" } else { "story" }} tabindex={if chosen { "0" } else { "-1" }} {onclick}>
                { words.t(word) }<span class="figures">{ figures }</span>
            </button>
        }
    };
    let onkeydown = {
        let asking = asking.clone();
        move |event: KeyboardEvent| {
            if matches!(event.key().as_str(), "ArrowLeft" | "ArrowRight") {
                asking.set(!*asking);
                crate::page::focus(if *asking { "tab-story" } else { "tab-questions" });
            }
        }
    };
    let on_questions = (progress.questions > progress.right).then(|| {
        let asking = asking.setter();
        Callback::from(move |()| {
            asking.set(true);
            crate::page::focus("tab-questions");
        })
    });
    let home = props.home;
    let back = props.on_do.reform(|_: MouseEvent| Action::Version { containerd: String::new() });
    html! {
        <section class="task" id="part-task" tabindex="-1" aria-label={words.t("part.task")}>
            <div class="tabs" role="tablist" aria-label={words.t("part.task")} {onkeydown}>
                { tab(false, "task.story", None) }
                if progress.questions > 0 {
                    { tab(true, "task.questions", Some(done)) }
                }
            </div>
            <div class="task-body" id="story" role="tabpanel" aria-labelledby="tab-story" tabindex="0" hidden={*asking}>
                <div class="story">
                { for texts.story.iter().map(|text| html! { <p>{ rich(text) }</p> }) }
                </div>
                { hints(&words, &props.lab, texts, props.hints_shown, &props.on_do) }
                if let Some(aside) = &texts.aside {
                    <details class="aside">
                        <summary>{ rich(&aside.title) }</summary>
                        { for aside.text.iter().map(|text| html! { <p>{ rich(text) }</p> }) }
                    </details>
                }
            </div>
            <div class="task-body" id="questions" role="tabpanel" aria-labelledby="tab-questions" tabindex="0" hidden={!*asking}>
                <Questions lab={props.lab.clone()} texts={texts.clone()} outcome={props.outcome.clone()} answers={props.answers.clone()}
                    on_do={props.on_do.clone()} />
            </div>
            if let Some(away) = &props.away {
                <p class="away">{ words.with("version.away", &[("version", away), ("home", home)]) }{ " " }
                    <button type="button" class="button" data-do="home" onclick={back}>{ words.with("version.back", &[("home", home)]) }</button>
                </p>
            }
            { goals(&words, &Goals { outcome: &props.outcome, texts, brief: *asking, on_questions }) }
        </section>
    }
}
