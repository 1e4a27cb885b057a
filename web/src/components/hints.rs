//! Hints, one at a time.

use crate::components::text::rich;
use crate::i18n::Words;
use crate::state::Lab;
use fourgaps_lab::{Action, Texts};
use yew::prelude::*;

/// The hints asked for so far, and a button for the next.
pub fn hints(words: &Words, lab: &Lab, texts: &Texts, shown: usize, on_do: &Callback<Action>) -> Html {
    let hints = &lab.scenario.hints;
    if hints.is_empty() {
        return html! {};
    }
    let shown = shown.min(hints.len());
    let ask = on_do.reform(|_: MouseEvent| Action::Hint);
    let figures = [("n", shown.to_string()), ("all", hints.len().to_string())];
    let figures: Vec<(&str, &str)> = figures.iter().map(|(k, v)| (*k, v.as_str())).collect();
    html! {
        <div class="hints">
            <h2 class="label">{ words.t("task.hints") }<span class="figures">{ format!("{shown}/{}", hints.len()) }</span></h2>
            <ol aria-live="polite">
                { for hints.iter().take(shown).filter_map(|hint| texts.hints.get(&hint.id)).map(|hint| html! {
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
