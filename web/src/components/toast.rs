//! The line at the foot of the page: what was just done, with a way back or on. It covers nothing.

use crate::i18n::use_words;
use gloo_timers::callback::Timeout;
use yew::prelude::*;

/// Something to tell the reader.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// The sentence.
    pub text: AttrValue,
    /// True for what needs the reader: it stays until it is closed.
    pub grave: bool,
    /// A text to copy by hand.
    pub field: Option<AttrValue>,
    /// A button: its word, and what it does.
    pub action: Option<(AttrValue, Callback<()>)>,
}

impl Notice {
    /// A plain notice.
    pub fn new(text: impl Into<AttrValue>) -> Self {
        Self { text: text.into(), grave: false, field: None, action: None }
    }

    /// A notice that stays.
    pub fn grave(text: impl Into<AttrValue>) -> Self {
        Self { grave: true, ..Self::new(text) }
    }

    /// Nothing to tell any more: what was told in passing goes.
    pub fn hush() -> Self {
        Self::new("")
    }

    /// With a button.
    pub fn with_action(self, word: AttrValue, action: Callback<()>) -> Self {
        Self { action: Some((word, action)), ..self }
    }

    /// With a text to copy.
    pub fn with_field(self, text: impl Into<AttrValue>) -> Self {
        Self { field: Some(text.into()), ..self }
    }
}

/// Tells the reader something, from anywhere on the page.
#[hook]
pub fn use_tell() -> Callback<Notice> {
    use_context::<Callback<Notice>>().unwrap_or_else(Callback::noop)
}

/// Properties of [`Toast`].
#[derive(Properties, PartialEq)]
pub struct ToastProps {
    /// What to tell, with a number that tells two equal notices apart.
    pub notice: Option<(u32, Notice)>,
    /// Called when it is done.
    pub on_close: Callback<()>,
}

const SECONDS: u32 = 8;

/// The notice, in a live region that is always there.
#[component]
pub fn Toast(props: &ToastProps) -> Html {
    let words = use_words();
    {
        let on_close = props.on_close.clone();
        let passing =
            props.notice.as_ref().filter(|(_, n)| !n.grave && n.field.is_none()).map(|(nth, _)| *nth);
        use_effect_with(passing, move |passing| {
            let timer = passing.map(|_| Timeout::new(SECONDS * 1000, move || on_close.emit(())));
            move || drop(timer)
        });
    }
    let close = props.on_close.reform(|_: MouseEvent| ());
    html! {
        <footer class="foot"><div class="foot-status" role="status">
            if let Some((nth, notice)) = &props.notice {
                <div class={classes!("toast", notice.grave.then_some("grave"))} key={*nth}>
                    <span class="toast-text">{ &notice.text }</span>
                    if let Some(field) = &notice.field {
                        <input class="toast-field" readonly=true value={field.clone()} aria-label={words.t("toast.field")} />
                    }
                    if let Some((word, action)) = &notice.action {
                        <button type="button" class="button" onclick={
                            let (action, close) = (action.clone(), props.on_close.clone());
                            move |_: MouseEvent| { close.emit(()); action.emit(()); }
                        }>{ word }</button>
                    }
                    <button type="button" class="button quiet" onclick={close} aria-label={words.t("toast.close")}>{ "✕" }</button>
                </div>
            } else {
                { words.t("foot.kept") }
            }
        </div></footer>
    }
}
