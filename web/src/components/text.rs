//! Texts with code in them, and places that can be opened.

use crate::gap::short;
use crate::i18n::Words;
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
pub fn rich_linked(words: &Words, text: &str, places: &[Source], on_jump: &Callback<Source>) -> Html {
    let piece = |p: &fourgaps_lab::Piece<'_>| {
        if !p.code {
            return html! { p.text };
        }
        let named = |s: &&Source| p.text == short(&s.file) || p.text == file_line(s);
        match places.iter().find(named) {
            Some(at) => place_as(words, at, on_jump, p.text.to_string(), 0),
            None => html! { <code>{ p.text }</code> },
        }
    };
    pieces(text).iter().map(piece).collect()
}

/// `FILE:LINE` as a button that opens the editor there.
pub fn place(words: &Words, at: &Source, on_jump: &Callback<Source>) -> Html {
    place_as(words, at, on_jump, file_line(at), 0)
}

/// `FILE:LINE`, the file without its folder.
pub fn file_line(at: &Source) -> String {
    format!("{}:{}", short(&at.file), at.line)
}

/// The same with another text; a `tabindex` of -1 is for lists that move the keyboard themselves.
pub fn place_as(words: &Words, at: &Source, on_jump: &Callback<Source>, label: String, tabindex: i8) -> Html {
    let onclick = {
        let (at, on_jump) = (at.clone(), on_jump.clone());
        Callback::from(move |e: MouseEvent| {
            e.stop_propagation();
            on_jump.emit(at.clone());
        })
    };
    let title = words.with("place.open", &[("file", &at.file), ("line", &at.line.to_string())]);
    html! {
        <button type="button" class="place" {onclick} {title} tabindex={tabindex.to_string()}><bdi>{ label }</bdi></button>
    }
}
