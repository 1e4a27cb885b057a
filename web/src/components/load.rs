//! Waiting and failing: a hook that loads something once, and the faces of "not yet" and "did not work".

use crate::fetch::{FaultKind, FetchFault};
use crate::i18n::use_words;
use std::future::Future;
use yew::prelude::*;

/// Something that is being loaded.
#[derive(Clone, Debug, PartialEq)]
pub enum Loaded<T> {
    /// Not yet here.
    Waiting,
    /// Here.
    Here(T),
    /// Did not arrive.
    Fault(FetchFault),
}

/// Loads a value for a key, again when the key changes or the reader asks. An old value stays until the new one is here.
#[hook]
pub fn use_loaded<K, T, F, Fut>(key: K, load: F) -> (Loaded<T>, Callback<()>)
where
    K: PartialEq + Clone + 'static,
    T: Clone + 'static,
    F: Fn(K) -> Fut + 'static,
    Fut: Future<Output = Result<T, FetchFault>> + 'static,
{
    let state = use_state(|| Loaded::Waiting);
    let tries = use_state(|| 0u32);
    {
        let state = state.clone();
        use_effect_with((key, *tries), move |(key, tries)| {
            let alive = std::rc::Rc::new(std::cell::Cell::new(true));
            let (still, key, again) = (alive.clone(), key.clone(), *tries > 0);
            if again && matches!(*state, Loaded::Fault(_)) {
                state.set(Loaded::Waiting);
            }
            let wanted = load(key);
            wasm_bindgen_futures::spawn_local(async move {
                let found = wanted.await;
                if still.get() {
                    state.set(match found {
                        Ok(value) => Loaded::Here(value),
                        Err(fault) => Loaded::Fault(fault),
                    });
                }
            });
            move || alive.set(false)
        });
    }
    let retry = Callback::from(move |()| tries.set(*tries + 1));
    ((*state).clone(), retry)
}

/// A calm outline of the page while its texts are on the way.
#[component]
pub fn Outline() -> Html {
    html! {
        <main class="outline" aria-busy="true">
            <div class="outline-part"></div><div class="outline-part"></div><div class="outline-part"></div>
        </main>
    }
}

/// Properties of [`Failed`].
#[derive(Properties, PartialEq)]
pub struct FailedProps {
    /// What did not arrive.
    pub fault: FetchFault,
    /// Called when the reader tries again.
    pub on_retry: Callback<()>,
    /// Small, inside a part of the page.
    #[prop_or_default]
    pub inline: bool,
}

/// What did not arrive, why, and a button to try again.
#[component]
pub fn Failed(props: &FailedProps) -> Html {
    let words = use_words();
    let why = match &props.fault.kind {
        FaultKind::NoAnswer => words.t("fault.no_answer"),
        FaultKind::Status(status) => words.with("fault.status", &[("status", &status.to_string())]),
        FaultKind::Broken(_) => words.t("fault.broken"),
    };
    let detail = match &props.fault.kind {
        FaultKind::Broken(detail) => detail.clone(),
        _ => String::new(),
    };
    let onclick = props.on_retry.reform(|_: MouseEvent| ());
    html! {
        <div class={classes!("failed", props.inline.then_some("failed-inline"))} role="alert">
            <h2>{ words.t("fault.title") }</h2>
            <p>{ why }</p>
            <p><code>{ &props.fault.path }</code></p>
            if !detail.is_empty() {
                <pre>{ detail }</pre>
            }
            <p>{ words.t("fault.kept") }</p>
            <button type="button" class="button strong" {onclick}>{ words.t("fault.retry") }</button>
        </div>
    }
}
