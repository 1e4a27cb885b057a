//! Which files the next start reads, in which order, and one switch for each: in `imports` or out.

use crate::desk::Turn;
use crate::gap::short;
use crate::i18n::{Words, use_words};
use crate::same::Same;
use crate::state::{Lab, Views};
use fourgaps_base::in_order;
use fourgaps_lab::Action;
use fourgaps_view::FileRow;
use yew::prelude::*;

/// Properties of [`Switches`].
#[derive(Properties, PartialEq)]
pub struct SwitchesProps {
    /// The lab.
    pub lab: Same<Lab>,
    /// What is to be seen.
    pub views: Same<Views>,
    /// The files in the order of the tabs.
    pub tabs: Vec<String>,
    /// Does something.
    pub on_do: Callback<Action>,
    /// Changes what lies open.
    pub on_turn: Callback<Turn>,
}

/// The list of switches.
#[component]
pub fn Switches(props: &SwitchesProps) -> Html {
    let words = use_words();
    let main = &props.lab.scenario.config;
    // A main file that cannot be read says nothing of imports, so there is nothing to switch.
    let stuck = props.views.next.fault.as_ref().is_some_and(|fault| fault.file == *main);
    let each = |path: &String| {
        let at = props.views.explain.files.iter().position(|file| file.path == *path);
        let file = at.map(|at| &props.views.explain.files[at]);
        let place = props.views.imported.iter().position(|imported| imported == path);
        let order = if path == main { Some(1) } else { place.map(|at| at + 2) };
        let says = says(&words, order.is_some(), file, &props.views);
        row(&words, props, &Row { path, order, main: path == main, stuck, says })
    };
    html! {
        <div class="switches">
            <h2 class="label">{ words.t("switch.title") }</h2>
            <ul>{ for props.tabs.iter().map(each) }</ul>
        </div>
    }
}

/// One file of the list.
struct Row<'a> {
    path: &'a String,
    /// The place in the order of reading; nothing where the file is not read.
    order: Option<usize>,
    main: bool,
    /// The switch cannot be used now.
    stuck: bool,
    /// What becomes of it: each with true for a loss.
    says: Vec<(bool, AttrValue)>,
}

fn row(words: &Words, list: &SwitchesProps, row: &Row<'_>) -> Html {
    let path = row.path;
    let on = row.order.is_some();
    let name = short(path).to_string();
    let open = {
        let path = path.clone();
        list.on_turn.reform(move |_: MouseEvent| Turn::Open(path.clone()))
    };
    let flip = {
        let path = path.clone();
        list.on_do.reform(move |_: MouseEvent| Action::Import { path: path.clone(), on: !on, node: None })
    };
    html! {
        <li key={path.clone()} class={classes!("switch-row", (!on).then_some("out"))}>
            <span class="switch-order" title={words.t("switch.order")}>{ row.order.map_or_else(|| "–".to_string(), |n| n.to_string()) }</span>
            if row.main {
                <span class="switch-main">{ words.t("switch.main") }</span>
            } else {
                <button type="button" role="switch" class="switch" aria-checked={on.to_string()} disabled={row.stuck} data-file={name.clone()} onclick={flip}
                    aria-label={words.with("switch.label", &[("file", &name)])}><i aria-hidden="true"></i></button>
            }
            <button type="button" class="ask switch-name" onclick={open} title={path.clone()} tabindex="-1">{ name }</button>
            <span class="switch-state">
                { for row.says.iter().map(|(lost, text)| if *lost {
                    html! { <b><span class="mark" aria-hidden="true">{ "╳ " }</span>{ text }</b> }
                } else {
                    html! { <span>{ text }</span> }
                }) }
            </span>
        </li>
    }
}

/// What becomes of a file, in a few words; true for what it loses.
fn says(words: &Words, imported: bool, file: Option<&FileRow>, views: &Views) -> Vec<(bool, AttrValue)> {
    let Some(file) = file else {
        let unread = imported || views.next.fault.is_some();
        return vec![(false, words.t(if unread { "switch.unread" } else { "switch.out" }))];
    };
    if views.next.fault.as_ref().is_some_and(|fault| fault.file == file.path) {
        return vec![(true, words.t("switch.fault"))];
    }
    if views.next.fault.is_some() {
        return vec![(false, words.t("switch.read"))];
    }
    if file.plugins.is_empty() {
        return vec![(false, words.t("switch.no_plugin"))];
    }
    let each = file.plugins.iter().map(|plugin| {
        let lost = plugin.replaced_by.is_some();
        let key = if lost { "switch.replaced" } else { "switch.counts" };
        (lost, words.with(key, &[("plugin", plugin_short(&plugin.plugin))]))
    });
    // The row may be too short for all of it.
    in_order(each.collect(), |a, b| b.0.cmp(&a.0))
}

/// `io.containerd.grpc.v1.cri` is long; its end is what people say.
fn plugin_short(plugin: &str) -> &str {
    plugin.strip_prefix("io.containerd.").unwrap_or(plugin)
}
