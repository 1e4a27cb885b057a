//! Texts with code in them, and places that can be opened.

use crate::gap::short;
use crate::i18n::use_words;
use fourgaps_lab::pieces;
use fourgaps_view::Source;
use yew::prelude::*;

/// A text whose backticks become code. Code that begins with `$ ` is a command: a click puts it on the terminal's line.
pub fn rich(text: &str) -> Html {
    let piece = |p: &fourgaps_lab::Piece<'_>| match p.text.strip_prefix("$ ") {
        Some(line) if p.code => {
            html! { <button type="button" class="command" data-put={line.to_string()}>{ line }</button> }
        }
        _ if p.code => html! { <code>{ p.text }</code> },
        _ => html! { p.text },
    };
    pieces(text).iter().map(piece).collect()
}

/// Like [`rich`], but code that names one of the places opens it.
pub fn rich_linked(text: &str, places: &[Source], on_jump: &Callback<Source>) -> Html {
    let piece = |p: &fourgaps_lab::Piece<'_>| {
        if !p.code {
            return html! { p.text };
        }
        let named =
            |s: &&Source| p.text == short(&s.file) || p.text == format!("{}:{}", short(&s.file), s.line);
        match places.iter().find(named) {
            Some(at) => {
                html! { <Place at={at.clone()} on_jump={on_jump.clone()} label={p.text.to_string()} /> }
            }
            None => html! { <code>{ p.text }</code> },
        }
    };
    pieces(text).iter().map(piece).collect()
}

/// Properties of [`Place`].
#[derive(Properties, PartialEq)]
pub struct PlaceProps {
    /// The place.
    pub at: Source,
    /// Called when the reader opens it.
    pub on_jump: Callback<Source>,
    /// Another text than `FILE:LINE`.
    #[prop_or_default]
    pub label: Option<AttrValue>,
    /// The place in the row of keys; -1 where a list moves the keyboard itself.
    #[prop_or(0)]
    pub tabindex: i8,
}

/// `FILE:LINE` as a button that opens the editor there.
#[component]
pub fn Place(props: &PlaceProps) -> Html {
    let words = use_words();
    let onclick = {
        let (at, on_jump) = (props.at.clone(), props.on_jump.clone());
        Callback::from(move |e: MouseEvent| {
            e.stop_propagation();
            on_jump.emit(at.clone());
        })
    };
    let file = short(&props.at.file).to_string();
    let line = props.at.line.to_string();
    let title = words.with("place.open", &[("file", &props.at.file), ("line", &line)]);
    html! {
        <button type="button" class="place" {onclick} {title} tabindex={props.tabindex.to_string()}>
            <bdi>{ props.label.clone().unwrap_or_else(|| format!("{file}:{line}").into()) }</bdi>
        </button>
    }
}
