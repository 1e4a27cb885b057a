//! The dump of the next start, line by line, each with where it was written; and a box that counts like `grep -c`.
//! A second version may stand beside it.

use crate::components::compare::{Difference, upgrade_list};
use crate::components::lines::Lines;
use crate::components::toolbar::version_select;
use crate::desk::{Turn, Why};
use crate::i18n::{Words, use_words};
use crate::same::Same;
use crate::state::{Beside, Views};
use fourgaps_base::FileTree;
use fourgaps_config::Version;
use fourgaps_view::{DumpLine, Source};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Properties of [`Dump`].
#[derive(Properties, PartialEq)]
pub struct DumpProps {
    /// What is to be seen.
    pub views: Same<Views>,
    /// The node's files.
    pub files: Rc<FileTree>,
    /// The text in the count box.
    pub counted: AttrValue,
    /// The second version.
    pub beside: Option<&'static str>,
    /// What it makes of the files, and whether that is up to date; nothing while it is being worked out.
    pub compared: Option<(bool, Same<Beside>)>,
    /// What was asked "why?".
    pub why: Option<Why>,
    /// Opens a place in the editor.
    pub on_jump: Callback<Source>,
    /// Changes what lies open.
    pub on_turn: Callback<Turn>,
}

/// Which lines are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sieve {
    All,
    Written,
    Counted,
    Changed,
}

/// How many lines of the files on the disk contain a text.
pub fn count_in_files(files: &FileTree, text: &str) -> usize {
    let lines =
        |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().filter(|line| line.contains(text)).count();
    files.iter().map(|(_, bytes)| lines(bytes)).sum()
}

/// The dump with its count box.
#[component]
pub fn Dump(props: &DumpProps) -> Html {
    let words = use_words();
    let sieve = use_state(|| Sieve::All);
    let next = &props.views.next;
    let counted = props.counted.trim().to_string();
    let count = if counted.is_empty() { 0 } else { next.count(&counted) };
    let in_files = if counted.is_empty() { 0 } else { count_in_files(&props.files, &counted) };
    let beside = props.compared.as_ref().map(|(_, beside)| beside.clone());
    let shown = use_memo(
        (props.views.clone(), beside.clone(), *sieve, counted.clone()),
        |(views, beside, sieve, counted)| Shown::of(views, beside.as_deref(), *sieve, counted),
    );
    let oninput = props.on_turn.reform(|event: InputEvent| {
        Turn::Count(event.target_unchecked_into::<HtmlInputElement>().value().into())
    });
    let ask = props.on_turn.reform(|_: MouseEvent| Turn::Ask(Why::Count));
    let written = next.dump.iter().filter(|line| line.source.is_some()).count();
    let sieves = [
        (Sieve::All, "dump.all", next.dump.len()),
        (Sieve::Written, "dump.written", written),
        (Sieve::Counted, "dump.counted", count),
        (
            Sieve::Changed,
            "compare.changed_lines",
            shown.here.changed.iter().flat_map(|c| c.iter()).filter(|c| **c).count(),
        ),
    ];
    let sieves = sieves.into_iter().filter(|(which, ..)| *which != Sieve::Changed || beside.is_some());
    let on_beside = {
        let (on_turn, sieve) = (props.on_turn.clone(), sieve.setter());
        Callback::from(move |name: String| {
            let version = Version::names().find(|known| *known == name);
            sieve.set(if version.is_some() { Sieve::Changed } else { Sieve::All });
            on_turn.emit(Turn::Beside(version));
        })
    };
    html! {
        <section class="dump" aria-label={words.t("dump.title")}>
            <div class="dump-head">
                <label class="grep">
                    <span class="grep-command">{ "containerd config dump | grep -c" }</span>
                    <input class="field mono" type="search" value={props.counted.clone()} {oninput} spellcheck="false"
                        autocapitalize="off" aria-label={words.t("dump.count_label")} />
                </label>
                <button type="button" class="ask count" onclick={ask} aria-expanded={(props.why == Some(Why::Count)).to_string()}
                    title={words.with("why.ask", &[("what", &words.t("dump.count_result"))])}>
                    <span class="hidden">{ words.t("dump.count_result") }</span><output data-count={count.to_string()}>{ count }</output>
                </button>
                <span class="count-files">{ words.with("dump.in_files", &[("n", &in_files.to_string())]) }</span>
            </div>
            <div class="dump-sieve" role="group" aria-label={words.t("dump.sieve")}>
                { for sieves.map(|(which, word, n)| {
                    let onclick = { let sieve = sieve.setter(); move |_: MouseEvent| sieve.set(which) };
                    html! {
                        <button type="button" class="chip" aria-pressed={(*sieve == which).to_string()} {onclick}>
                            { words.t(word) }<span class="figures">{ n }</span>
                        </button>
                    }
                }) }
                <label class="beside"><span>{ words.t("compare.with") }</span>
                    { version_select("beside", (&words.t("compare.none_group"), "", &words.t("compare.none")), &words.t("compare.versions"),
                        props.beside.unwrap_or_default(), &on_beside) }
                </label>
            </div>
            if let (Some(name), None) = (props.beside, &beside) {
                <p class="empty" data-beside={name}>{ words.t("ablate.coming") }</p>
            } else if let (Some(beside), Some((fresh, _))) = (&beside, &props.compared) {
                <div class={classes!("compare", (!fresh).then_some("late"))} data-beside={beside.upgrade.to.clone()} aria-busy={(!fresh).to_string()}>
                    { upgrade_list(&words, &beside.upgrade, &props.on_jump) }
                    <div class="twins">
                        { pane(props, &words, "line", &props.views, &shown.here, &counted) }
                        { pane(props, &words, "beside", &beside.views, &shown.there, &counted) }
                    </div>
                </div>
            } else {
                { pane(props, &words, "line", &props.views, &shown.here, &counted) }
            }
        </section>
    }
}

/// What is shown of a dump: which lines, and which of all lines differ from the dump beside it.
#[derive(Default)]
struct Side {
    lines: Rc<Vec<usize>>,
    changed: Option<Rc<Vec<bool>>>,
}

/// What is shown of the dump, and of the one beside it.
struct Shown {
    here: Side,
    there: Side,
}

impl Shown {
    fn of(views: &Views, beside: Option<&Beside>, sieve: Sieve, counted: &str) -> Self {
        let side = |views: &Views, changed: Option<Vec<bool>>| Side {
            lines: Rc::new(sifted(views, sieve, counted, changed.as_deref())),
            changed: changed.map(Rc::new),
        };
        let Some(beside) = beside else { return Self { here: side(views, None), there: Side::default() } };
        let Difference { here, there } = Difference::of(views, &beside.views);
        Self { here: side(views, Some(here)), there: side(&beside.views, Some(there)) }
    }
}

/// The numbers of the lines that a sieve lets through.
fn sifted(views: &Views, sieve: Sieve, counted: &str, changed: Option<&[bool]>) -> Vec<usize> {
    let wanted = |nth: usize, line: &DumpLine| match sieve {
        Sieve::All => true,
        Sieve::Written => line.source.is_some(),
        Sieve::Counted => !counted.is_empty() && line.text.contains(counted),
        Sieve::Changed => changed.is_none_or(|changed| changed.get(nth) == Some(&true)),
    };
    let dump = views.next.dump.iter().enumerate();
    dump.filter(|(nth, line)| wanted(*nth, line)).map(|(nth, _)| nth).collect()
}

/// A dump, or why there is none; with its version above it where it is one of two.
fn pane(
    props: &DumpProps,
    words: &Words,
    id: &'static str,
    views: &Same<Views>,
    shown: &Side,
    counted: &str,
) -> Html {
    let next = &views.next;
    let title = (props.beside.is_some()).then(|| format!("containerd {}", next.containerd));
    let body = if next.exit != 0 {
        html! {
            <div class="refused">
                <p>{ words.with("dump.refused", &[("exit", &next.exit.to_string())]) }</p>
                <pre>{ next.stderr.join("\n") }</pre>
            </div>
        }
    } else if shown.lines.is_empty() {
        let written = next.dump.iter().any(|line| line.source.is_some());
        let why = match (&title, written) {
            (Some(_), _) => "compare.no_lines",
            (None, true) => "dump.none_counted",
            (None, false) => "dump.none_written",
        };
        html! { <p class="empty">{ words.t(why) }</p> }
    } else {
        // Only the chosen version can be asked "why?".
        let on_turn = if id == "line" { props.on_turn.clone() } else { Callback::noop() };
        let label = match &title {
            Some(title) => title.clone().into(),
            None => words.t("dump.lines_label"),
        };
        html! {
            <Lines {id} {label} changed={shown.changed.clone()} views={views.clone()} lines={shown.lines.clone()} counted={counted.to_string()} why={props.why.clone()}
                on_jump={props.on_jump.clone()} {on_turn} />
        }
    };
    match title {
        Some(title) => html! { <div class="twin"><h2 class="label">{ title }</h2>{ body }</div> },
        None => body,
    }
}
