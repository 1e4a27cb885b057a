//! Keys that work anywhere on the page, except where the reader is typing.

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyWish {
    /// One step back.
    Undo,
    /// One step forth.
    Redo,
    /// Close what was opened.
    Close,
}

/// Listens to the whole page.
#[hook]
pub fn use_keys(on_wish: Callback<KeyWish>) {
    use_effect_with(on_wish, |on_wish| {
        let on_wish = on_wish.clone();
        let listener = web_sys::window().and_then(|w| w.document()).map(|document| {
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&document, "keydown", options, move |event| {
                let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
                if event.default_prevented() {
                    return;
                }
                if let Some(wish) = wish(event) {
                    if wish != KeyWish::Close {
                        event.prevent_default();
                    }
                    on_wish.emit(wish);
                }
            })
        });
        move || drop(listener)
    });
}

fn wish(event: &KeyboardEvent) -> Option<KeyWish> {
    let key = event.key().to_ascii_lowercase();
    if key == "escape" {
        return Some(KeyWish::Close);
    }
    let command = (event.ctrl_key() || event.meta_key()) && !event.alt_key();
    if !command || types_text(event) {
        return None;
    }
    match (key.as_str(), event.shift_key()) {
        ("z", false) => Some(KeyWish::Undo),
        ("z", true) | ("y", false) => Some(KeyWish::Redo),
        _ => None,
    }
}

/// True where the key belongs to a field or the editor, which have an undo of their own.
fn types_text(event: &KeyboardEvent) -> bool {
    let Some(element) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else { return false };
    let field = "textarea, input:not([type=checkbox]):not([type=radio]), [contenteditable=true], .cm-editor";
    element.closest(field).ok().flatten().is_some()
}
