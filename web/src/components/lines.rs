//! Lines of a dump. Only those in sight are drawn, so that a long dump costs no more than a short one.

use crate::components::text::{file_line, place_as};
use crate::desk::{Turn, Why};
use crate::i18n::use_words;
use crate::page::SizeWatch;
use crate::same::Same;
use crate::state::Views;
use fourgaps_base::set_of;
use fourgaps_view::{DumpLine, Source};
use std::collections::BTreeSet;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// Height of a line in pixels; the style sheet takes it from here.
const LINE: i32 = 19;
/// Lines drawn above and below what is in sight.
const SPARE: usize = 6;

/// Properties of [`Lines`].
#[derive(Properties, PartialEq)]
pub struct LinesProps {
    /// What is to be seen.
    pub views: Same<Views>,
    /// Tells two lists of lines on one page apart.
    pub id: &'static str,
    /// What the list is, for those who do not see it.
    pub label: AttrValue,
    /// For each line of the dump, whether it is marked as different; nothing where no second dump stands beside.
    pub changed: Option<Rc<Vec<bool>>>,
    /// Numbers of the lines to show.
    pub lines: Rc<Vec<usize>>,
    /// The text that is counted.
    pub counted: String,
    /// What was asked "why?".
    pub why: Option<Why>,
    /// Opens a place in the editor.
    pub on_jump: Callback<Source>,
    /// Changes what lies open.
    pub on_turn: Callback<Turn>,
}

/// The lines in sight, with a cursor that the keyboard moves.
#[component]
pub fn Lines(props: &LinesProps) -> Html {
    let words = use_words();
    let place = use_node_ref();
    let window = use_state_eq(|| (0usize, 24usize));
    let cursor = use_state(|| 0usize);
    let dump = &props.views.next.dump;
    let moved = use_moved(&props.views);

    let look = {
        let (place, window) = (place.clone(), window.setter());
        Callback::from(move |()| {
            let Some(element) = place.cast::<Element>() else { return };
            let first = (element.scroll_top() / LINE) as usize;
            let shown = (element.client_height() / LINE) as usize + 1;
            // Only every few lines, so that scrolling does not draw for every pixel.
            window.set((first - first % 4, shown + 4));
        })
    };
    {
        // On arrival the handlers are in sight, not the first line of a long text.
        let (place, look, mut at) = (place.clone(), look.clone(), first_handler_line(dump, &props.lines));
        let cursor = cursor.setter();
        use_effect_with((), move |()| {
            let element = place.cast::<Element>();
            let watch = element.as_ref().and_then(|element| {
                let inner = element.clone();
                SizeWatch::new(element, move || {
                    if inner.client_height() == 0 {
                        return;
                    }
                    if let Some(at) = at.take() {
                        inner.set_scroll_top(at as i32 * LINE);
                        cursor.set(at);
                    }
                    look.emit(());
                })
            });
            move || drop(watch)
        });
    }
    {
        // Where the text has become shorter than what is in sight, the browser has scrolled. Asking where to makes it lay the
        // page out, so it is asked only then.
        let (look, (first, shown)) = (look.clone(), *window);
        use_effect_with(props.lines.len(), move |total| {
            if *total < first + shown {
                look.emit(());
            }
        });
    }
    let total = props.lines.len();
    let here = (*cursor).min(total.saturating_sub(1));
    let (first, shown) = *window;
    let from = first.saturating_sub(SPARE).min(total);
    let to = (first + shown + SPARE).min(total);
    let widest = dump.iter().map(|line| line.text.chars().count()).max().unwrap_or(0);

    let onkeydown = {
        let (place, cursor, lines, views) =
            (place.clone(), cursor.clone(), props.lines.clone(), props.views.clone());
        let (on_turn, on_jump) = (props.on_turn.clone(), props.on_jump.clone());
        Callback::from(move |event: KeyboardEvent| {
            let page = place.cast::<Element>().map_or(20, |e| (e.client_height() / LINE) as usize);
            let last = lines.len().saturating_sub(1);
            let line = lines.get(here).map(|nth| &views.next.dump[*nth]);
            let to = match event.key().as_str() {
                "ArrowDown" => (here + 1).min(last),
                "ArrowUp" => here.saturating_sub(1),
                "PageDown" => (here + page).min(last),
                "PageUp" => here.saturating_sub(page),
                "Home" => 0,
                "End" => last,
                "Enter" | " " => {
                    event.prevent_default();
                    if let Some(line) = line.filter(|line| !line.key.is_empty()) {
                        on_turn.emit(Turn::Ask(Why::Line(line.key.clone(), line.text.clone())));
                    }
                    return;
                }
                "o" => {
                    if let Some(at) = line.and_then(|line| line.source.clone()) {
                        event.prevent_default();
                        on_jump.emit(at);
                    }
                    return;
                }
                _ => return,
            };
            event.prevent_default();
            cursor.set(to);
            if let Some(element) = place.cast::<Element>() {
                keep_in_sight(&element, to);
            }
        })
    };
    html! {
        <div class="lines" ref={place} role="grid" tabindex="0" aria-label={props.label.clone()} data-lines={props.id} aria-rowcount={total.to_string()}
            aria-activedescendant={(from..to).contains(&here).then(|| format!("{}-{here}", props.id))} {onkeydown} onscroll={let look = look.clone(); move |_: Event| look.emit(())}
            style={format!("--line: {LINE}px")}>
            <div class="lines-all" role="rowgroup" style={format!("height: {}px; min-width: calc({widest}ch + var(--origin) + 2ch)", total as i32 * LINE)}>
                { for (from..to).map(|at| {
                    let line = &dump[props.lines[at]];
                    let asked = matches!(&props.why, Some(Why::Line(key, text)) if *key == line.key && *text == line.text && !key.is_empty());
                    let differs = props.changed.as_ref().is_some_and(|changed| changed.get(props.lines[at]) == Some(&true));
                    let onclick = {
                        let (on_turn, cursor) = (props.on_turn.clone(), cursor.setter());
                        let turn = (!line.key.is_empty()).then(|| (line.key.clone(), line.text.clone()));
                        move |_: MouseEvent| {
                            cursor.set(at);
                            if let Some((key, text)) = &turn {
                                on_turn.emit(Turn::Ask(Why::Line(key.clone(), text.clone())));
                            }
                        }
                    };
                    html! {
                        <div class={classes!("line", line.default.then_some("default"), (at == here).then_some("here"),
                                asked.then_some("asked"), differs.then_some("changed"), moved.contains(&line.key).then_some("moved"))}
                            role="row" id={format!("{}-{at}", props.id)} aria-rowindex={(at + 1).to_string()} key={props.lines[at]}
                            style={format!("top: {}px", at as i32 * LINE)} {onclick}>
                            <span class={if line.default { "origin pale" } else { "origin" }} role="gridcell">{ if props.changed.is_some() { html! { { if differs { "≠" } else { "" } } } } else { origin(line, &words, &props.on_jump) } }</span>
                            <span class="code" role="gridcell">{ text_of(line, &props.counted) }</span>
                        </div>
                    }
                }) }
            </div>
        </div>
    }
}

/// Where a line was written, or that it is a default.
fn origin(line: &DumpLine, words: &crate::i18n::Words, on_jump: &Callback<Source>) -> Html {
    match &line.source {
        Some(at) => html! {
            <><span class="hidden">{ words.t("dump.from") }</span>{ place_as(words, at, on_jump, file_line(at), -1) }</>
        },
        None if line.default => html! { { words.t("dump.default") } },
        None => html! {},
    }
}

/// The line byte for byte; its indent is drawn at half width, so that the deepest lines fit.
fn text_of(line: &DumpLine, counted: &str) -> Html {
    let code = line.text.trim_start_matches(' ');
    let indent = &line.text[..line.text.len() - code.len()];
    html! { <><span class="indent">{ indent.to_string() }</span>{ marked(code, counted) }</> }
}

/// The text with what is counted marked.
fn marked(text: &str, counted: &str) -> Html {
    match (counted.is_empty(), text.find(counted)) {
        (false, Some(at)) => {
            let (before, rest) = text.split_at(at);
            let (hit, after) = rest.split_at(counted.len());
            html! { <>{ before.to_string() }<mark>{ hit.to_string() }</mark>{ after.to_string() }</> }
        }
        _ => html! { { text.to_string() } },
    }
}

fn keep_in_sight(element: &Element, at: usize) {
    let (top, height) = (element.scroll_top(), element.client_height());
    let line = at as i32 * LINE;
    if line < top {
        element.set_scroll_top(line);
    } else if line + LINE > top + height {
        element.set_scroll_top(line + LINE - height);
    }
}

/// The place in the shown lines where the handlers begin.
fn first_handler_line(dump: &[DumpLine], lines: &[usize]) -> Option<usize> {
    let at = dump.iter().position(|line| line.key.ends_with(".containerd.runtimes"))?;
    lines.iter().position(|nth| *nth == at)
}

/// Keys of lines that are new or say something else than before the last change.
#[hook]
fn use_moved(views: &Same<Views>) -> Rc<BTreeSet<String>> {
    let before = use_mut_ref(|| None::<(Same<Views>, Rc<BTreeSet<String>>)>);
    let mut before = before.borrow_mut();
    if let Some((seen, moved)) = &*before
        && seen == views
    {
        return moved.clone();
    }
    let moved = match &*before {
        None => BTreeSet::new(),
        Some((seen, _)) => {
            let old = set_of(seen.next.dump.iter().map(|l| (l.key.as_str(), l.text.as_str())));
            let new = views.next.dump.iter().filter(|l| !old.contains(&(l.key.as_str(), l.text.as_str())));
            set_of(new.map(|l| l.key.clone()).filter(|key| !key.is_empty()))
        }
    };
    let moved = Rc::new(moved);
    *before = Some((views.clone(), moved.clone()));
    moved
}
