//! The parts of the page as tabs: all of them on a phone, two on a wide page; and the links that skip to them.

use crate::desk::{Part, Turn};
use crate::i18n::Words;
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

/// What the right side of a wide page shows.
pub const SIDES: [(Part, &str); 2] = [(Part::Next, "next"), (Part::Cluster, "cluster")];

/// Parts with their names.
pub type Parts = Rc<[(Part, &'static str)]>;

/// A row of tabs; `class` is its place on the page, `tab` begins the id of each.
pub struct Tabs {
    /// Its class.
    pub class: &'static str,
    /// How the id of a tab begins.
    pub tab: &'static str,
    /// The parts.
    pub parts: Parts,
    /// The one in front.
    pub part: Part,
    /// A rollout stands still.
    pub stalled: bool,
}

/// Parts as tabs.
pub fn tabs(words: &Words, row: Tabs, on_turn: &Callback<Turn>) -> Html {
    let Tabs { class, tab, parts, part: in_front, stalled } = row;
    let here = parts.iter().position(|(part, _)| *part == in_front).unwrap_or(0);
    let onkeydown = {
        let (parts, on_turn) = (parts.clone(), on_turn.clone());
        move |event: KeyboardEvent| {
            let step = match event.key().as_str() {
                "ArrowRight" => 1,
                "ArrowLeft" => parts.len() - 1,
                _ => return,
            };
            let (part, name) = parts[(here + step) % parts.len()];
            on_turn.emit(Turn::Show(part));
            page::focus(&format!("{tab}-{name}"));
        }
    };
    html! {
        <div {class} role="tablist" aria-label={words.t("part.label")} {onkeydown}>
            { for parts.iter().map(|&(part, name)| {
                let chosen = part == in_front;
                let onclick = on_turn.reform(move |_: MouseEvent| Turn::Show(part));
                html! {
                    <button type="button" role="tab" id={format!("{tab}-{name}")} aria-controls={format!("part-{name}")}
                        aria-selected={chosen.to_string()} tabindex={if chosen { "0" } else { "-1" }} {onclick}>
                        { words.t(&format!("part.{name}")) }
                        // What wants to be looked at has a mark.
                        if stalled && part == Part::Cluster {
                            <span class="mark" title={words.t("part.stalled")} aria-label={words.t("part.stalled")} role="img">{ " !" }</span>
                        }
                    </button>
                }
            }) }
        </div>
    }
}
