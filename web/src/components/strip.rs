//! The heart of the page: written → next start → loaded, a row per handler, and each gap in one sentence.

use crate::components::text::{Place, rich, rich_linked};
use crate::daemon::{Against, Behind, Daemon, Note, more_rows};
use crate::desk::{Turn, Why};
use crate::gap::{Cause, Gap, Link, StripRow, short};
use crate::i18n::{Words, use_words};
use crate::same::Same;
use crate::state::Views;
use fourgaps_view::Source;
use yew::prelude::*;

/// Properties of [`Strip`].
#[derive(Properties, PartialEq)]
pub struct StripProps {
    /// What is to be seen.
    pub views: Same<Views>,
    /// The process that would be started.
    pub daemon: Same<Daemon>,
    /// The process is not yet that of the files as they are.
    pub late: bool,
    /// What was asked "why?".
    pub asked: Option<Why>,
    /// Opens a place in the editor.
    pub on_jump: Callback<Source>,
    /// Changes what lies open.
    pub on_turn: Callback<Turn>,
    /// Runs a command on the node.
    pub on_run: Callback<&'static str>,
}

/// The command that brings the files into force.
const RESTART: &str = "systemctl restart containerd";

/// Rows that are in sight at once; more than these are scrolled.
const IN_SIGHT: usize = 7;

/// The strip.
#[component]
pub fn Strip(props: &StripProps) -> Html {
    let words = use_words();
    let views = &props.views;
    let written = views.rows.iter().filter(|r| !r.written.is_empty()).count().to_string();
    let loaded = views.next.handlers.len().to_string();
    let daemon = &props.daemon;
    let rows: Vec<StripRow> = views.rows.iter().cloned().chain(more_rows(daemon, &views.rows)).collect();
    let many = rows.len() > IN_SIGHT;
    let (view, up) = daemon.shown();
    let state = match (up, &view.handlers) {
        (false, _) if view.booted => words.t("strip.stopped"),
        (false, _) => words.t("strip.not_started"),
        (true, None) => words.t("strip.no_cri"),
        (true, Some(handlers)) => handlers.len().to_string().into(),
    };
    html! {
        <section class={classes!("strip", props.late.then_some("late"))} aria-label={words.t("strip.title")}>
            <div class="strip-table" role="table" aria-label={words.t("strip.title")} tabindex={many.then_some("0")}>
                <div class="strip-head" role="row">
                    <span role="columnheader">{ words.t("strip.handler") }</span>
                    <span role="columnheader">{ words.t("strip.written") }<span class="strip-sum">{ written }</span></span>
                    <span role="columnheader"><span class="hidden">{ words.t("strip.link") }</span></span>
                    <span role="columnheader">{ words.t("strip.next") }<span class="strip-sum">{ loaded }</span></span>
                    <span role="columnheader" data-loaded={daemon.handlers().len().to_string()}>{ words.t("strip.loaded") }<span class="strip-sum">{ state }</span></span>
                </div>
                { for rows.iter().map(|row| html! {
                    <Row key={row.name.clone()} name={row.name.clone()} written={row.written.first().cloned()} more={row.written.len().saturating_sub(1)}
                        way={way(row)} next={next_word(&words, row)} loaded={loaded_word(&words, row, daemon)} asked={props.asked == Some(Why::Handler(row.name.clone()))}
                        on_jump={props.on_jump.clone()} on_turn={props.on_turn.clone()} />
                }) }
            </div>
            if rows.is_empty() {
                <p class="strip-empty">{ words.t("strip.empty") }</p>
            }
            { sentences(props, &words) }
        </section>
    }
}

/// Properties of [`Row`].
#[derive(Properties, PartialEq)]
struct RowProps {
    name: String,
    /// The place that counts, or would.
    written: Option<Source>,
    /// How many other places write it.
    more: usize,
    way: &'static str,
    /// What stands in the next start; true for a default that nobody wrote.
    next: Option<(bool, AttrValue)>,
    /// What a started process has: how it stands to the dump, and a word where it differs.
    loaded: (&'static str, Option<AttrValue>),
    asked: bool,
    on_jump: Callback<Source>,
    on_turn: Callback<Turn>,
}

/// The way of a handler in one word, for the style sheet.
fn way(row: &StripRow) -> &'static str {
    match &row.link {
        Link::Joined => "joined",
        Link::BuiltIn => "builtin",
        Link::Broken(_) => "broken",
    }
}

/// What the next start has for a handler, in a word.
fn next_word(words: &Words, row: &StripRow) -> Option<(bool, AttrValue)> {
    let handler = row.next.as_ref()?;
    let stands_in = row.link != Link::Joined;
    let what = match handler.binary_name.as_str() {
        "" if stands_in => words.t("strip.default"),
        "" => AttrValue::from(handler.runtime_type.clone()),
        binary => AttrValue::from(short(binary).to_string()),
    };
    Some((stands_in, what))
}

/// How a started process stands to the dump, for the style sheet, and a word where the two differ.
fn loaded_word(words: &Words, row: &StripRow, daemon: &Daemon) -> (&'static str, Option<AttrValue>) {
    let shown = |h: &fourgaps_view::HandlerRow| AttrValue::from(short(&h.binary_name).to_string());
    match daemon.against(&row.name, row.next.as_ref()) {
        Against::Same => ("same", None),
        Against::Neither => ("neither", None),
        Against::Gained => ("gained", Some(words.t("strip.there"))),
        Against::Lost => ("lost", Some(words.t("strip.missing"))),
        Against::Other => ("other", daemon.handler(&row.name).map(shown)),
    }
}

#[component]
fn Row(props: &RowProps) -> Html {
    let words = use_words();
    let written = match &props.written {
        None => html! { <span class="pale">{ words.t("strip.nobody") }</span> },
        Some(first) => html! {
            <>
                <span class="dot full" aria-hidden="true"></span>
                <Place at={first.clone()} on_jump={props.on_jump.clone()} />
                if props.more > 0 {
                    <span class="pale strip-more">{ format!("+{}", props.more) }</span>
                }
            </>
        },
    };
    let next = match &props.next {
        Some((stands_in, what)) => html! {
            <>
                <span class={if *stands_in { "dot half" } else { "dot full" }} aria-hidden="true"></span>
                <span class={classes!("strip-what", stands_in.then_some("pale"))} title={what.clone()}>{ what }</span>
            </>
        },
        None => html! {
            <><span class="dot hollow" aria-hidden="true"></span><strong>{ words.t("strip.missing") }</strong></>
        },
    };
    let (against, what) = &props.loaded;
    let dot = match *against {
        "lost" | "neither" => "dot hollow",
        "same" if props.next.as_ref().is_some_and(|(stands_in, _)| *stands_in) => "dot half",
        _ => "dot full",
    };
    let loaded = html! {
        <>
            <span class="strip-sign" aria-hidden="true">{ if what.is_some() { "≠" } else { "=" } }</span>
            <span class={dot} aria-hidden="true"></span>
            if let Some(what) = what {
                <strong class="strip-what" title={what.clone()}>{ what }</strong>
            } else {
                <span class="hidden">{ words.t(if *against == "same" { "strip.same" } else { "strip.missing" }) }</span>
            }
        </>
    };
    let ask = {
        let name = props.name.clone();
        props.on_turn.reform(move |_: MouseEvent| Turn::Ask(Why::Handler(name.clone())))
    };
    html! {
        <div class={classes!("strip-row", props.way)} role="row" data-handler={props.name.clone()} data-link={props.way}>
            <span role="rowheader" class="strip-name">
                <button type="button" class="ask" onclick={ask} aria-expanded={props.asked.to_string()}
                    title={words.with("why.ask", &[("what", &props.name)])}>{ &props.name }</button>
            </span>
            <span role="cell" class="strip-written">{ written }</span>
            <span role="cell" class="strip-link">
                <span class="link" aria-hidden="true"><i></i><b></b><i></i></span>
                <span class="hidden">{ words.t(&format!("strip.{}", props.way)) }</span>
            </span>
            <span role="cell" class="strip-next">{ next }</span>
            <span role="cell" class="strip-loaded" data-loaded={props.loaded.0}>{ loaded }</span>
        </div>
    }
}

/// How many gaps are named before the rest is only counted.
const MOST: usize = 2;

/// The gap, and what would close it.
fn sentences(props: &StripProps, words: &Words) -> Html {
    let daemon = &props.daemon;
    let gaps = daemon.gaps_left(&props.views.gaps);
    let version = &props.views.next.containerd;
    let behind = daemon.behind();
    if gaps.is_empty() && daemon.notes.is_empty() && behind == Behind::No {
        return html! { <p class="gap closed"><span class="gap-sign" aria-hidden="true">{ "●—●" }</span>{ words.t("strip.none") }</p> };
    }
    let one = |gap: &Gap| {
        let places = places_of(gap);
        html! {
            <div class="gap open">
                <p class="gap-what"><b class="gap-name">{ words.t("strip.gap1") }</b>
                    { rich_linked(&gap_sentence(words, gap, version), &places, &props.on_jump) }</p>
                if gap.cause == Cause::Refused {
                    <pre class="gap-error">{ props.views.next.stderr.last().cloned().unwrap_or_default() }</pre>
                }
                <p class="gap-close"><span class="gap-arrow">{ words.t("strip.closes") }</span>
                    { rich_linked(&gap_close(words, gap), &places, &props.on_jump) }</p>
            </div>
        }
    };
    html! {
        <div class="gaps">
            { for gaps.iter().take(MOST).map(|gap| one(gap)) }
            if gaps.len() > MOST {
                <p class="gap-rest">{ words.count("strip.rest", gaps.len() - MOST) }</p>
            }
            if behind != Behind::No {
                <div class="gap open" data-behind={behind_key(&behind)}>
                    <p class="gap-what"><b class="gap-name">{ words.t("strip.gap2") }</b>{ rich(&behind_sentence(words, &behind)) }</p>
                    <p class="gap-close"><span class="gap-arrow">{ words.t("strip.closes") }</span>
                        <button type="button" class="command" data-do="restart" onclick={props.on_run.reform(|_: MouseEvent| RESTART)}>{ RESTART }</button></p>
                </div>
            }
            { for daemon.notes.iter().map(|note| {
                let ends = matches!(note, Note::Ends(_) | Note::NoCri);
                // A gap may have said the same of the CRI plugin already; then only its last words are new.
                let said = *note == Note::NoCri && gaps.iter().any(|gap| gap.cause == Cause::DefaultMissing);
                html! {
                    <div class={classes!("gap", "note", ends.then_some("open"))} data-note={note_key(note)}>
                        if !said {
                            <p><b class="gap-name">{ words.t("strip.differs") }</b>{ rich(&note_sentence(words, note, version)) }</p>
                        }
                        if ends {
                            <pre class="gap-error">{ daemon.last_words().to_string() }</pre>
                        }
                    </div>
                }
            }) }
        </div>
    }
}

fn behind_key(behind: &Behind) -> &'static str {
    match behind {
        Behind::No => "no",
        Behind::Lacks(_) => "lacks",
        Behind::Keeps(_) => "keeps",
        Behind::Down => "down",
        Behind::Dead => "dead",
    }
}

/// The second gap in one sentence.
pub fn behind_sentence(words: &Words, behind: &Behind) -> String {
    let names = match behind {
        Behind::Lacks(names) | Behind::Keeps(names) => names.as_slice(),
        _ => &[],
    };
    let names = words.list(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>());
    words.with(&format!("behind.{}", behind_key(behind)), &[("names", &names)]).to_string()
}

fn note_key(note: &Note) -> &'static str {
    match note {
        Note::Ends(true) => "ends_absent",
        Note::Ends(false) => "ends",
        Note::NoCri => "no_cri",
        Note::Untranslated(_) => "untranslated",
        Note::OldWords(_) => "old_words",
        Note::Differs(_) => "differs",
        Note::PrintedImports(_) => "printed_imports",
    }
}

/// Where dump and daemon do not agree, in one sentence.
pub fn note_sentence(words: &Words, note: &Note, version: &str) -> String {
    let (names, line) = match note {
        Note::Untranslated(names) | Note::OldWords(names) | Note::Differs(names) => (names.as_slice(), ""),
        Note::PrintedImports(line) => (&[][..], line.as_str()),
        _ => (&[][..], ""),
    };
    let names = words.list(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>());
    let args = [("version", version), ("names", &names), ("line", line)];
    words.with(&format!("note.{}", note_key(note)), &args).to_string()
}

fn places_of(gap: &Gap) -> Vec<Source> {
    let owner = match &gap.cause {
        Cause::SectionOwned(by) => Some(by.clone()),
        _ => None,
    };
    owner.into_iter().chain(gap.places.first().cloned()).collect()
}

fn gap_key(gap: &Gap) -> &'static str {
    match gap.cause {
        Cause::Refused => "refused",
        Cause::SectionOwned(_) => "owned",
        Cause::NotImported => "not_imported",
        Cause::PassedOver => "passed_over",
        Cause::DefaultMissing => "default_missing",
    }
}

/// The gap in one sentence.
pub fn gap_sentence(words: &Words, gap: &Gap, version: &str) -> String {
    gap_words(words, gap, version, "")
}

/// What would close the gap.
fn gap_close(words: &Words, gap: &Gap) -> String {
    gap_words(words, gap, "", ".close")
}

fn gap_words(words: &Words, gap: &Gap, version: &str, end: &str) -> String {
    let at = gap.places.first();
    let file = at.map(|at| short(&at.file)).unwrap_or_default();
    let more = gap.places.len().saturating_sub(1);
    let files = match more {
        0 => words.with("gap.file", &[("file", file)]),
        n => words.count_with("gap.files", n, &[("file", file)]),
    };
    let owner = match &gap.cause {
        Cause::SectionOwned(by) => short(&by.file),
        _ => "",
    };
    let place =
        at.filter(|at| at.line > 0).map_or_else(|| file.to_string(), |at| format!("{file}:{}", at.line));
    let names = words.list(&gap.handlers.iter().map(|h| format!("`{h}`")).collect::<Vec<_>>());
    let args =
        [("files", &*files), ("owner", owner), ("place", &place), ("version", version), ("names", &names)];
    let key = format!("gap.{}", gap_key(gap));
    match end {
        "" => words.count_with(&key, gap.handlers.len(), &args).to_string(),
        end => words.with(&format!("{key}{end}"), &args).to_string(),
    }
}
