//! The heart of the page: written → next start → loaded → running, a row per handler, the way through it drawn as a line that
//! holds or does not.

use crate::components::gaps::sentences;
use crate::components::text::place;
use crate::daemon::{Against, Daemon, more_rows};
use crate::desk::{Turn, Why};
use crate::gap::{Link, StripRow, short};
use crate::i18n::{Words, use_words};
use crate::same::Same;
use crate::sign::Sign;
use crate::state::{Lab, Views};
use fourgaps_view::Source;
use yew::prelude::*;

/// Properties of [`Strip`].
#[derive(Properties, PartialEq)]
pub struct StripProps {
    /// The lab.
    pub lab: Same<Lab>,
    /// The name of the chosen node.
    pub node: AttrValue,
    /// The first gap of each node.
    pub signs: Same<Vec<Sign>>,
    /// What is to be seen.
    pub views: Same<Views>,
    /// The process of the node, and what runs there.
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
    /// Chooses another node.
    pub on_choose: Callback<String>,
}

/// Rows that are in sight at once; more than these are scrolled.
const IN_SIGHT: usize = 7;

/// The strip.
#[component]
pub fn Strip(props: &StripProps) -> Html {
    let words = use_words();
    let (views, daemon) = (&props.views, &props.daemon);
    let rows: Vec<StripRow> = views.rows.iter().cloned().chain(more_rows(daemon, &views.rows)).collect();
    let many = rows.len() > IN_SIGHT;
    let (view, up) = daemon.shown();
    let loaded = match (up, &view.handlers) {
        (false, _) if view.booted => words.t("strip.stopped"),
        (false, _) => words.t("strip.not_started"),
        (true, None) => words.t("strip.no_cri"),
        (true, Some(handlers)) => handlers.len().to_string().into(),
    };
    let written = rows.iter().filter(|r| !r.written.is_empty()).count();
    let alive: usize = daemon.pods.values().map(|pods| pods.alive.len()).sum();
    let column = |key: &str, sum: AttrValue| {
        html! { <span role="columnheader">{ words.t(key) }<span class="strip-sum">{ sum }</span></span> }
    };
    html! {
        <section class={classes!("strip", props.late.then_some("late"))} aria-label={words.t("strip.title")} data-loaded={daemon.handlers().len().to_string()}>
            { nodes(props, &words) }
            <div class="strip-table" role="table" aria-label={words.t("strip.title")} tabindex={many.then_some("0")}>
                <div class="strip-head" role="row">
                    <span role="columnheader">{ words.t("strip.handler") }</span>
                    { column("strip.written", written.to_string().into()) }
                    { column("strip.next", views.next.handlers.len().to_string().into()) }
                    { column("strip.loaded", loaded) }
                    { column("strip.running", alive.to_string().into()) }
                </div>
                { for rows.iter().map(|one| row(props, &words, one)) }
            </div>
            if rows.is_empty() {
                <p class="strip-empty">{ words.t("strip.empty") }</p>
            }
            { sentences(&words, props) }
        </section>
    }
}

/// Which node the page is about, where there are several.
fn nodes(props: &StripProps, words: &Words) -> Html {
    let nodes = &props.lab.scenario.nodes;
    if nodes.len() < 2 {
        return html! {};
    }
    html! {
        <div class="nodes" role="group" aria-label={words.t("strip.node")}>
            <span class="nodes-word" aria-hidden="true">{ words.t("strip.node") }</span>
            { for nodes.iter().enumerate().map(|(at, entry)| {
                let name = entry.spec.name.clone();
                let chosen = (props.node == name).to_string();
                let onclick = props.on_choose.reform(move |_: MouseEvent| name.clone());
                let sign = props.signs.get(at).copied().flatten();
                html! {
                    <button type="button" class="button" data-node={entry.spec.name.clone()} data-gap={sign} aria-pressed={chosen} {onclick}>
                        { &entry.spec.name }
                        if let Some(sign) = sign {
                            { " " }<span class="node-gap">{ words.t(sign) }</span>
                        }
                    </button>
                }
            }) }
        </div>
    }
}

/// A row: the handler, and what each layer has of it.
fn row(props: &StripProps, words: &Words, row: &StripRow) -> Html {
    let name = &row.name;
    let is_asked = matches!(&props.asked, Some(Why::Handler(asked)) if asked == name);
    let known = props.views.rows.iter().any(|row| row.name == *name);
    let ask = {
        let name = name.clone();
        props.on_turn.reform(move |_: MouseEvent| Turn::Ask(Why::Handler(name.clone())))
    };
    html! {
        <div class="strip-row" role="row" key={name.clone()} data-handler={name.clone()} data-link={way(row)}>
            <span role="rowheader" class="strip-name">
                if known {
                    <button type="button" class="ask" onclick={ask} aria-expanded={is_asked.to_string()}
                        title={words.with("why.ask", &[("what", name)])}>{ name }</button>
                } else {
                    <b>{ name }</b>
                }
            </span>
            { written(props, words, row) }
            { next(words, row) }
            { loaded(words, row, &props.daemon) }
            { running(words, row, &props.daemon) }
        </div>
    }
}

/// The way of a handler from the files to the next start in one word, for the style sheet.
fn way(row: &StripRow) -> &'static str {
    match &row.link {
        Link::Joined => "joined",
        Link::BuiltIn if row.next.is_none() => "none",
        Link::BuiltIn => "builtin",
        Link::Broken(_) => "broken",
    }
}

/// A cell behind the way that leads to it.
#[derive(Default)]
struct Cell {
    /// The way, for the style sheet.
    way: &'static str,
    /// Full, half or hollow; nothing where there is nothing to tell.
    dot: &'static str,
    /// What stands there.
    what: Option<AttrValue>,
    /// True where that is news.
    strong: bool,
    /// How a handler in the process stands to the dump, and pods to the process.
    is: Option<&'static str>,
    /// What else stands there.
    more: Html,
}

fn cell(cell: Cell) -> Html {
    let Cell { way, dot, what, strong, is, more } = cell;
    html! {
        <span role="cell" class={classes!("strip-cell", way)} data-loaded={is}>
            <span class="link" aria-hidden="true"><i></i><b></b><i></i></span>
            if !dot.is_empty() {
                <span class={classes!("dot", dot)} aria-hidden="true"></span>
            }
            if let Some(what) = what {
                <span class={classes!("strip-what", strong.then_some("strong"))} title={what.clone()}>{ what }</span>
            }
            { more }
        </span>
    }
}

fn hidden(text: AttrValue) -> Html {
    html! { <span class="hidden">{ text }</span> }
}

fn written(props: &StripProps, words: &Words, row: &StripRow) -> Html {
    let more = row.written.len().saturating_sub(1);
    html! {
        <span role="cell" class="strip-written">
            if let Some(first) = row.written.first() {
                <span class="dot full" aria-hidden="true"></span>
                { place(words, first, &props.on_jump) }
                if more > 0 {
                    <span class="pale strip-more">{ format!("+{more}") }</span>
                }
            } else {
                <span class="pale">{ words.t("strip.nobody") }</span>
            }
        </span>
    }
}

fn next(words: &Words, row: &StripRow) -> Html {
    let way = way(row);
    let more = if way == "none" {
        html! {}
    } else {
        hidden(words.t(&format!("strip.{way}")))
    };
    let Some(handler) = &row.next else {
        let what = Some(words.t("strip.missing"));
        return cell(Cell { way, dot: "hollow", what, strong: true, more, ..Cell::default() });
    };
    let stands_in = row.link != Link::Joined;
    let what = stands_in.then(|| match handler.binary_name.as_str() {
        "" => words.t("strip.default"),
        binary => AttrValue::from(short(binary).to_string()),
    });
    let dot = if stands_in { "half" } else { "full" };
    cell(Cell { way, dot, what, more, ..Cell::default() })
}

fn loaded(words: &Words, row: &StripRow, daemon: &Daemon) -> Html {
    let stands_in = row.next.is_some() && row.link != Link::Joined;
    let binary = || daemon.handler(&row.name).map(|h| AttrValue::from(short(&h.binary_name).to_string()));
    let same = if stands_in { ("builtin", "half") } else { ("joined", "full") };
    let (is, (way, dot), what, more) = match daemon.against(&row.name, row.next.as_ref()) {
        Against::Same => ("same", same, None, Some("strip.same")),
        Against::Neither => ("neither", ("none", "hollow pale"), None, Some("strip.missing")),
        Against::Gained => ("gained", ("broken", "full"), Some(words.t("strip.there")), None),
        Against::Lost => ("lost", ("broken", "hollow"), Some(words.t("strip.missing")), None),
        Against::Other => ("other", ("broken", "full"), binary(), None),
    };
    let more = more.map_or_else(Html::default, |key| hidden(words.t(key)));
    cell(Cell { way, dot, what, strong: true, is: Some(is), more })
}

fn running(words: &Words, row: &StripRow, daemon: &Daemon) -> Html {
    let Some(pods) = daemon.pods.get(&row.name) else {
        return cell(Cell { way: "none", more: hidden(words.t("strip.nobody")), ..Cell::default() });
    };
    let is_loaded = daemon.handler(&row.name).is_some();
    let ended = pods.alive.is_empty();
    let way = match (is_loaded, ended) {
        (true, false) => "joined",
        (true, true) => "none",
        (false, _) => "broken",
    };
    let all: Vec<&str> = pods.alive.iter().chain(&pods.ended).map(String::as_str).collect();
    let more = html! {
        <>
            if all.len() > 1 {
                <span class="strip-more" title={all.join(" ")}>{ format!("+{}", all.len() - 1) }</span>
            }
            if ended {
                <span class="strip-ended">{ words.t("strip.ended") }</span>
            }
            if !is_loaded {
                { hidden(words.t("strip.unloaded")) }
            }
        </>
    };
    let (dot, is) = if ended { ("hollow", "ended") } else { ("full", "alive") };
    let what = all.first().map(|name| AttrValue::from((*name).to_string()));
    cell(Cell { way, dot, what, is: Some(is), more, ..Cell::default() })
}
