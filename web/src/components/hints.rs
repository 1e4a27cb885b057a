//! Hints, one at a time.

use crate::components::text::rich;
use crate::i18n::use_words;
use crate::same::Same;
use crate::state::Lab;
use fourgaps_lab::{Action, Texts};
use std::rc::Rc;
use yew::prelude::*;

/// Properties of [`Hints`].
#[derive(Properties, PartialEq)]
pub struct HintsProps {
    /// The lab.
    pub lab: Same<Lab>,
    /// Its texts.
    pub texts: Rc<Texts>,
    /// How many were asked for.
    pub shown: usize,
    /// Does something.
    pub on_do: Callback<Action>,
}

/// The hints asked for so far, and a button for the next.
#[component]
pub fn Hints(props: &HintsProps) -> Html {
    let words = use_words();
    let hints = &props.lab.scenario.hints;
    if hints.is_empty() {
        return html! {};
    }
    let shown = props.shown.min(hints.len());
    let ask = props.on_do.reform(|_: MouseEvent| Action::Hint);
    let figures = [("n", shown.to_string()), ("all", hints.len().to_string())];
    let figures: Vec<(&str, &str)> = figures.iter().map(|(k, v)| (*k, v.as_str())).collect();
    html! {
        <div class="hints">
            <h2 class="label">{ words.t("task.hints") }<span class="figures">{ format!("{shown}/{}", hints.len()) }</span></h2>
            <ol aria-live="polite">
                { for hints.iter().take(shown).filter_map(|hint| props.texts.hints.get(&hint.id)).map(|hint| html! {
                    <li>{ rich(&hint.text) }</li>
                }) }
            </ol>
            if shown < hints.len() {
                <button type="button" class="button" data-do="hint" onclick={ask}>
                    { words.t(if shown == 0 { "hint.first" } else { "hint.next" }) }
                </button>
            } else {
                <p class="pale">{ words.with("hint.all", &figures) }</p>
            }
        </div>
    }
}
