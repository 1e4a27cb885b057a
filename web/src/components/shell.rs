//! The terminal's place on the page. The page draws and answers first; then the panel comes, and last the shell itself.

use crate::desk::named;
use crate::i18n::use_words;
use crate::same::Same;
use crate::state::Lab;
use crate::terminal::{Ears, Mounted};
use fourgaps_lab::Action;
use fourgaps_view::Source;
use gloo_timers::future::TimeoutFuture;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::Closure;
use web_sys::Element;
use yew::prelude::*;

/// Something that the page wants of the terminal; the number tells two equal wishes apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// What.
    pub what: WishKind,
    /// Counts the wishes.
    pub nth: u32,
}

/// The kinds of wish.
#[derive(Clone, Debug, PartialEq)]
pub enum WishKind {
    /// Puts a command on the line, to be run by the reader.
    Put(String),
    /// Runs a command on a machine, as the reader would.
    Run(String, String),
    /// Says as a command what a button has done on a machine.
    Echo(String, String),
    /// Shows the tab of a machine.
    Show(String),
}

/// Properties of [`ShellPart`].
#[derive(Properties, PartialEq)]
pub struct ShellPartProps {
    /// The lab.
    pub lab: Same<Lab>,
    /// Everything that was done, as it is saved.
    pub save: Rc<String>,
    /// What the page wants of the terminal.
    pub wish: Option<Wish>,
    /// Does something.
    pub on_do: Callback<Action>,
    /// Opens a place in the editor.
    pub on_jump: Callback<Source>,
    /// The time of the past, in ms since 1970, where that is shown.
    pub past: Option<u64>,
    /// Called with machine and line where one is typed while the past is shown.
    pub on_held: Callback<(String, String)>,
    /// Hands the terminal to the other parts that come with it.
    pub on_panel: Callback<Same<Mounted>>,
    /// Called with the machine whose tab is shown, or whose place is opened.
    pub on_host: Callback<String>,
}

/// The terminal, or what stands in for it.
#[component]
pub fn ShellPart(props: &ShellPartProps) -> Html {
    let words = use_words();
    let place = use_node_ref();
    let mounted = use_mut_ref(|| None::<Same<Mounted>>);
    // 0: on the way, 1: here, 2: did not arrive.
    let arrived = use_state(|| 0u8);
    {
        let (place, mounted, arrived) = (place.clone(), mounted.clone(), arrived.setter());
        let lab = props.lab.clone();
        let ears = ears(props);
        let (phrases, on_panel) = (words.below("terminal"), props.on_panel.clone());
        use_effect_with((), move |()| {
            let alive = Rc::new(Cell::new(true));
            let still = alive.clone();
            let slot = mounted.clone();
            wasm_bindgen_futures::spawn_local(async move {
                // The editor comes first: it is there at once, and small.
                TimeoutFuture::new(120).await;
                let Some(place) = place.cast::<Element>() else { return };
                let made = Mounted::load(place, &lab, &phrases, ears).await;
                if still.get() {
                    arrived.set(if made.is_ok() { 1 } else { 2 });
                    *slot.borrow_mut() = made.ok().map(Same::new);
                    if let Some(panel) = &*slot.borrow() {
                        on_panel.emit(panel.clone());
                    }
                }
            });
            move || {
                alive.set(false);
                mounted.borrow_mut().take();
            }
        });
    }
    {
        let (mounted, words) = (mounted.clone(), words.clone());
        use_effect_with((words.lang, *arrived), move |_| {
            if let Some(panel) = &*mounted.borrow() {
                panel.speak(&words.below("terminal"));
            }
        });
    }
    {
        let mounted = mounted.clone();
        use_effect_with((props.save.clone(), *arrived), move |(save, _)| {
            if let Some(panel) = &*mounted.borrow() {
                panel.sync(save);
            }
        });
    }
    {
        let (mounted, why) = (mounted.clone(), words.t("timeline.terminal"));
        use_effect_with((props.past, words.lang, *arrived), move |(past, ..)| {
            if let Some(panel) = &*mounted.borrow() {
                panel.hold(if past.is_some() { &why } else { "" }, past.unwrap_or(0) as f64);
            }
        });
    }
    use_effect_with((props.wish.clone(), *arrived), move |(wish, _)| {
        if let (Some(panel), Some(wish)) = (&*mounted.borrow(), wish) {
            match &wish.what {
                WishKind::Put(line) => panel.put(line),
                WishKind::Run(host, line) => panel.run(host, line),
                WishKind::Echo(host, line) => panel.echo(host, line),
                WishKind::Show(host) => panel.show(host),
            }
        }
    });
    html! {
        <section class="shell" id="part-shell" tabindex="-1" aria-label={words.t("part.shell")}>
            <div ref={place} class="shell-place"></div>
            if *arrived == 2 {
                <p class="editor-note" role="alert">{ words.t("terminal.absent") }</p>
            }
        </section>
    }
}

fn ears(props: &ShellPartProps) -> Ears {
    let (on_do, on_jump, on_host) = (props.on_do.clone(), props.on_jump.clone(), props.on_host.clone());
    let (on_shown, on_held) = (on_host.clone(), props.on_held.clone());
    Ears {
        held: Closure::new(move |host: String, line: String| on_held.emit((host, line))),
        act: Closure::new(move |json: String| {
            if let Some(action) = Action::from_text(&json) {
                on_do.emit(action);
            }
        }),
        place: Closure::new(move |host: String, file: String, line: u32, column: u32| {
            on_jump.emit(Source { file: named(&host, file), line, column });
            on_host.emit(host);
        }),
        shown: Closure::new(move |host: String| on_shown.emit(host)),
    }
}
