//! The bar at the top: which lab, what can be taken back, the work as link or file, language, theme.

use crate::app::use_frame;
use crate::i18n::use_words;
use crate::route::Route;
use fourgaps_config::Version;
use fourgaps_lab::Lang;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement};
use yew::prelude::*;

/// What the reader asks of the work as a whole.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkWish {
    /// One step back.
    Undo,
    /// One step forth.
    Redo,
    /// Start over.
    Reset,
    /// Copy a link with the whole state.
    Share,
    /// Write the work into a file.
    Export,
    /// Take up the work of a file.
    Import(web_sys::File),
}

/// Properties of [`Toolbar`].
#[derive(Properties, PartialEq)]
pub struct ToolbarProps {
    /// The title of the lab; nothing on the list.
    #[prop_or_default]
    pub title: Option<AttrValue>,
    /// The containerd version of the node, and the one that looks at its files.
    #[prop_or_default]
    pub versions: Option<(String, String)>,
    /// Called when the reader chooses another version.
    #[prop_or_default]
    pub on_version: Callback<String>,
    /// Something can be taken back.
    #[prop_or_default]
    pub can_undo: bool,
    /// Something was taken back.
    #[prop_or_default]
    pub can_redo: bool,
    /// Called when the reader asks something of the work; nothing on the list.
    #[prop_or_default]
    pub on_wish: Option<Callback<WorkWish>>,
}

/// The bar.
#[component]
pub fn Toolbar(props: &ToolbarProps) -> Html {
    let words = use_words();
    let open = use_state(|| false);
    let toggle = {
        let open = open.clone();
        move |_: MouseEvent| open.set(!*open)
    };
    html! {
        <header class="bar">
            <a class="brand" href={crate::page::address(&Route::Labs.hash())} title={words.t("bar.labs")}>{ "fourgaps" }</a>
            if let Some(title) = &props.title {
                <h1 class="bar-title">{ title }</h1>
            } else {
                <h1 class="bar-title">{ words.t("labs.title") }</h1>
            }
            if let Some((home, chosen)) = &props.versions {
                <label class="bar-version"><span>{ "containerd" }</span>
                    { version_select("version", (&words.t("version.home"), home, home), &words.t("version.others"), chosen, &props.on_version) }
                </label>
            }
            <button type="button" class="button bar-more" aria-expanded={open.to_string()} aria-controls="bar-tools" onclick={toggle}>
                { words.t("bar.more") }
            </button>
            <div id="bar-tools" class={classes!("bar-tools", open.then_some("open"))}>
                if let Some(on_wish) = &props.on_wish {
                    <WorkTools on_wish={on_wish.clone()} can_undo={props.can_undo} can_redo={props.can_redo} />
                }
                <FrameTools />
            </div>
        </header>
    }
}

/// A native list of versions: one that stands out, by group, name and label; then all others.
pub fn version_select(
    id: &'static str,
    first: (&str, &str, &str),
    others: &str,
    chosen: &str,
    on_version: &Callback<String>,
) -> Html {
    let onchange =
        on_version.reform(|event: Event| event.target_unchecked_into::<web_sys::HtmlSelectElement>().value());
    let option = |name: &'static str| {
        html! { <option value={name} selected={name == chosen}>{ name }</option> }
    };
    let rest = Version::names().filter(|name| *name != first.1);
    html! {
        <select class="field" {id} name={id} {onchange}>
            <optgroup label={first.0.to_string()}>
                <option value={first.1.to_string()} selected={first.1 == chosen}>{ first.2.to_string() }</option>
            </optgroup>
            <optgroup label={others.to_string()}>{ for rest.map(option) }</optgroup>
        </select>
    }
}

/// Properties of [`WorkTools`].
#[derive(Properties, PartialEq)]
struct WorkToolsProps {
    on_wish: Callback<WorkWish>,
    can_undo: bool,
    can_redo: bool,
}

/// Undo, redo, reset, share, export, import.
#[component]
fn WorkTools(props: &WorkToolsProps) -> Html {
    let words = use_words();
    let picker = use_node_ref();
    let wish = |what: WorkWish| props.on_wish.reform(move |_: MouseEvent| what.clone());
    let pick = {
        let picker = picker.clone();
        move |_: MouseEvent| {
            if let Some(input) = picker.cast::<HtmlInputElement>() {
                input.click();
            }
        }
    };
    let picked = {
        let on_wish = props.on_wish.clone();
        move |event: Event| {
            let Some(input) = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok()) else {
                return;
            };
            if let Some(file) = input.files().and_then(|files| files.get(0)) {
                on_wish.emit(WorkWish::Import(file));
            }
            // The same file may be chosen again.
            input.set_value("");
        }
    };
    html! {
        <div class="bar-group" role="group" aria-label={words.t("bar.work")}>
            <button type="button" class="button" data-do="undo" disabled={!props.can_undo} onclick={wish(WorkWish::Undo)}
                title="Ctrl+Z" aria-keyshortcuts="Control+Z">{ words.t("bar.undo") }</button>
            <button type="button" class="button" data-do="redo" disabled={!props.can_redo} onclick={wish(WorkWish::Redo)}
                title="Ctrl+Shift+Z" aria-keyshortcuts="Control+Shift+Z">{ words.t("bar.redo") }</button>
            <button type="button" class="button" data-do="reset" disabled={!props.can_undo}
                onclick={wish(WorkWish::Reset)}>{ words.t("bar.reset") }</button>
            <span class="bar-rule" aria-hidden="true"></span>
            <button type="button" class="button" data-do="share" onclick={wish(WorkWish::Share)}>{ words.t("bar.share") }</button>
            <button type="button" class="button" data-do="export" onclick={wish(WorkWish::Export)}>{ words.t("bar.export") }</button>
            <button type="button" class="button" data-do="import" onclick={pick}>{ words.t("bar.import") }</button>
            <input ref={picker} type="file" accept=".json,application/json" class="hidden" tabindex="-1"
                aria-label={words.t("bar.import")} onchange={picked} />
        </div>
    }
}

/// Language and theme.
#[component]
fn FrameTools() -> Html {
    let words = use_words();
    let Some(frame) = use_frame() else { return html! {} };
    let lang = |lang: Lang| {
        let name = match lang {
            Lang::Ja => "日本語",
            Lang::Ko => "한국어",
            Lang::En => "English",
        };
        let onclick = frame.on_lang.reform(move |_: MouseEvent| lang);
        let pressed = (frame.lang == lang).to_string();
        html! {
            <button type="button" class="button" lang={lang.code()} aria-pressed={pressed} data-lang={lang.code()}
                title={name} {onclick}>{ lang.code() }</button>
        }
    };
    let themes = [
        (None, "bar.theme_system", "◐"),
        (Some("light"), "bar.theme_light", "○"),
        (Some("dark"), "bar.theme_dark", "●"),
    ];
    let at = themes.iter().position(|(name, ..)| name.map(AttrValue::from) == frame.theme).unwrap_or(0);
    let (_, word, sign) = themes[at];
    let next = themes[(at + 1) % themes.len()].0.map(AttrValue::from);
    let turn = frame.on_theme.reform(move |_: MouseEvent| next.clone());
    html! {
        <>
            <div class="bar-group joined" role="group" aria-label={words.t("bar.language")}>
                { for Lang::ALL.into_iter().map(lang) }
            </div>
            <button type="button" class="button" data-do="theme" onclick={turn} title={words.t(word)} aria-label={words.t(word)}>{ sign }</button>
        </>
    }
}
