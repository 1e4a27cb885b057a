//! The parts of the page as tabs, for a phone, and the links that skip to them.

use crate::components::cluster::part_name;
use crate::desk::{Part, Turn};
use crate::i18n::use_words;
use crate::page;
use std::rc::Rc;
use yew::prelude::*;

/// Takes the keyboard to a part.
pub fn skip_to(part: Part, on_turn: &Callback<Turn>) -> Callback<MouseEvent> {
    let on_turn = on_turn.clone();
    Callback::from(move |event: MouseEvent| {
        event.prevent_default();
        on_turn.emit(Turn::Show(part));
        page::focus(&format!("part-{}", part.name()));
    })
}

/// Properties of [`PartTabs`].
#[derive(Properties, PartialEq)]
pub struct PartTabsProps {
    /// The parts with their names.
    pub parts: Rc<Vec<(Part, &'static str)>>,
    /// The one in front.
    pub part: Part,
    /// A rollout stands still.
    pub stalled: bool,
    /// Changes what lies open.
    pub on_turn: Callback<Turn>,
}

/// The parts as tabs, for a phone.
#[component]
pub fn PartTabs(props: &PartTabsProps) -> Html {
    let words = use_words();
    let on_turn = props.on_turn.clone();
    let parts = props.parts.clone();
    let here = parts.iter().position(|(part, _)| *part == props.part).unwrap_or(0);
    let onkeydown = move |event: KeyboardEvent| {
        let step = match event.key().as_str() {
            "ArrowRight" => 1,
            "ArrowLeft" => parts.len() - 1,
            _ => return,
        };
        let (part, name) = parts[(here + step) % parts.len()];
        on_turn.emit(Turn::Show(part));
        page::focus(&format!("tab-{name}"));
    };
    html! {
        <div class="parts" role="tablist" aria-label={words.t("part.label")} {onkeydown}>
            { for props.parts.iter().map(|&(part, name)| {
                let chosen = part == props.part;
                let onclick = props.on_turn.reform(move |_: MouseEvent| Turn::Show(part));
                html! {
                    <button type="button" role="tab" id={format!("tab-{name}")} aria-controls={format!("part-{name}")}
                        aria-selected={chosen.to_string()} tabindex={if chosen { "0" } else { "-1" }} {onclick}>
                        { part_name(&words, part, name, props.stalled) }
                    </button>
                }
            }) }
        </div>
    }
}
