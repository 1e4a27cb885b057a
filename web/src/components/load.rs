//! Waiting and failing: a hook that loads something once, and the faces of "not yet" and "did not work".

use crate::fetch::{FaultKind, FetchFault};
use crate::i18n::Words;
use std::cell::Cell;
use std::future::Future;
use std::rc::Rc;
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

/// Loads a value for a key, again when the key changes or the reader asks.
#[hook]
pub fn use_loaded<K, T, F, Fut>(key: K, load: F) -> (Loaded<T>, Callback<()>)
where
    K: PartialEq + Clone + 'static,
    T: Clone + 'static,
    F: Fn(K) -> Fut + 'static,
    Fut: Future<Output = Result<T, FetchFault>> + 'static,
{
    let (now, _, retry) = use_kept(key, load);
    (now, retry)
}

/// Like [`use_loaded`]. An old value stays until a new one is here, and also where the new one does not come: the fault
/// is then given beside it.
#[hook]
pub fn use_kept<K, T, F, Fut>(key: K, load: F) -> (Loaded<T>, Option<FetchFault>, Callback<()>)
where
    K: PartialEq + Clone + 'static,
    T: Clone + 'static,
    F: Fn(K) -> Fut + 'static,
    Fut: Future<Output = Result<T, FetchFault>> + 'static,
{
    let state = use_state(|| Loaded::Waiting);
    let late = use_state(|| None::<FetchFault>);
    let here = use_mut_ref(|| false);
    let tries = use_state(|| 0u32);
    {
        let (state, late) = (state.setter(), late.setter());
        use_effect_with((key, *tries), move |(key, _)| {
            let alive = Rc::new(Cell::new(true));
            let still = alive.clone();
            if !*here.borrow() {
                state.set(Loaded::Waiting);
            }
            let wanted = load(key.clone());
            wasm_bindgen_futures::spawn_local(async move {
                let found = wanted.await;
                if !still.get() {
                    return;
                }
                let had = here.replace_with(|had| *had || found.is_ok());
                match found {
                    Ok(value) => {
                        state.set(Loaded::Here(value));
                        late.set(None);
                    }
                    Err(fault) if had => late.set(Some(fault)),
                    Err(fault) => state.set(Loaded::Fault(fault)),
                }
            });
            move || alive.set(false)
        });
    }
    let retry = {
        let now = *tries;
        let tries = tries.setter();
        use_callback(now, move |(), now| tries.set(*now + 1))
    };
    ((*state).clone(), (*late).clone(), retry)
}

/// A calm outline of the page while its texts are on the way.
pub fn outline() -> Html {
    html! {
        <main class="outline" aria-busy="true">
            <div class="outline-part"></div><div class="outline-part"></div><div class="outline-part"></div>
        </main>
    }
}

/// What did not arrive, why, and a button to try again; small where it stands inside a part of the page.
pub fn failed(words: &Words, fault: &FetchFault, on_retry: &Callback<()>, inline: bool) -> Html {
    let why = match &fault.kind {
        FaultKind::NoAnswer => words.t("fault.no_answer"),
        FaultKind::Status(status) => words.with("fault.status", &[("status", &status.to_string())]),
        FaultKind::Broken(_) => words.t("fault.broken"),
    };
    let detail = match &fault.kind {
        FaultKind::Broken(detail) => detail.clone(),
        _ => String::new(),
    };
    let onclick = on_retry.reform(|_: MouseEvent| ());
    html! {
        <div class={classes!("failed", inline.then_some("failed-inline"))} role="alert">
            <h2>{ words.t("fault.title") }</h2>
            <p>{ why }</p>
            <p><code>{ &fault.path }</code></p>
            if !detail.is_empty() {
                <pre>{ detail }</pre>
            }
            <p>{ words.t("fault.kept") }</p>
            <button type="button" class="button strong" {onclick}>{ words.t("fault.retry") }</button>
        </div>
    }
}
