//! The goals with their live state.

use crate::components::outcome::Outcome;
use crate::components::text::rich;
use crate::i18n::Words;
use fourgaps_lab::Texts;
use yew::prelude::*;

/// What the list of goals shows.
pub struct Goals<'a> {
    /// What the work amounts to.
    pub outcome: &'a Outcome,
    /// The texts of the lab.
    pub texts: &'a Texts,
    /// Only the signs, to leave room for something else.
    pub brief: bool,
    /// Called when the reader goes on to the questions; nothing where there are none.
    pub on_questions: Option<Callback<()>>,
}

/// The list of goals.
pub fn goals(words: &Words, props: &Goals<'_>) -> Html {
    let goals = &props.outcome.goals;
    let met = goals.iter().filter(|g| g.met).count();
    if props.brief {
        return html! {
            <div class="goals brief">
                <h2 class="label">{ words.t("task.goals") }<span class="figures">{ format!("{met}/{}", goals.len()) }</span></h2>
                { for goals.iter().map(|goal| html! {
                    <span class="box" title={goal.text.replace('`', "")} aria-hidden="true">{ if goal.met { "☑" } else { "☐" } }</span>
                }) }
            </div>
        };
    }
    html! {
        <div class="goals" role="group" aria-label={words.t("task.goals")} tabindex="0">
            <h2 class="label">{ words.t("task.goals") }<span class="figures">{ format!("{met}/{}", goals.len()) }</span></h2>
            <ul>
                { for goals.iter().map(|goal| html! {
                    <li class={if goal.met { "goal met" } else { "goal" }} key={goal.id.clone()} data-goal={goal.id.clone()} data-met={goal.met.to_string()}>
                        <span class="box" aria-hidden="true">{ if goal.met { "☑" } else { "☐" } }</span>
                        <div>
                            <p><span class="hidden">{ words.t(if goal.met { "goal.met" } else { "goal.open" }) }</span>{ rich(&goal.text) }</p>
                            <p class="goal-state">{ rich(&goal.message) }</p>
                        </div>
                    </li>
                }) }
            </ul>
            if !props.outcome.wrong.is_empty() {
                <ul class="verdicts">
                    { for props.outcome.wrong.iter().map(|verdict| {
                        let node = props.texts.grades.get(&verdict.id).map_or("", |grade| grade.text.as_str());
                        let key = if verdict.said_fine { "grade.said_fine" } else { "grade.said_broken" };
                        html! { <li data-verdict={verdict.id.clone()}>{ rich(&words.with(key, &[("node", node)])) }</li> }
                    }) }
                </ul>
            }
            if met == goals.len() && met > 0 {
                <p class="all-met">
                    { words.t("goal.all") }
                    if let Some(on_questions) = &props.on_questions {
                        <button type="button" class="button strong" onclick={on_questions.reform(|_: MouseEvent| ())}>{ words.t("goal.questions") }</button>
                    }
                </p>
            }
        </div>
    }
}
