//! The cluster's place on the page, and the tabs by which a wide page chooses between it and the next start.

use crate::components::late::LateView;
use crate::desk::{Part, Turn};
use crate::i18n::{Words, use_words};
use crate::same::Same;
use crate::terminal::Mounted;
use std::rc::Rc;
use yew::prelude::*;

/// Properties of [`ClusterPart`].
#[derive(Properties, PartialEq)]
pub struct ClusterPartProps {
    /// The terminal, once it is here.
    pub panel: Option<Same<Mounted>>,
    /// The chosen node.
    pub node: String,
    /// True while the page shows an earlier moment; of the cluster only the present one is known.
    pub past: bool,
    /// Chooses a node.
    pub on_choose: Callback<String>,
    /// Hears whether a rollout stands still.
    pub on_stalled: Callback<bool>,
}

/// The cluster, or what stands in for it.
#[component]
pub fn ClusterPart(props: &ClusterPartProps) -> Html {
    let words = use_words();
    let on_say = {
        let callbacks = (props.on_choose.clone(), props.on_stalled.clone());
        use_callback(callbacks, |said: String, (on_choose, on_stalled)| match said.strip_prefix("node ") {
            Some(name) => on_choose.emit(name.into()),
            None => on_stalled.emit(said == "stalled"),
        })
    };
    html! {
        <section class="cluster" id="part-cluster" tabindex="-1" aria-label={words.t("part.cluster")}>
            if props.past {
                <p class="empty">{ words.t("cluster.present") }</p>
            }
            <LateView name="cluster" panel={props.panel.clone()} told={Rc::new(props.node.clone())} {on_say} />
            <p class="empty">{ words.t("cluster.coming") }</p>
        </section>
    }
}

/// The name of a part in a tab, with a mark where it wants to be looked at.
pub fn part_name(words: &Words, part: Part, name: &str, stalled: bool) -> Html {
    html! {
        <>
            { words.t(&format!("part.{name}")) }
            if stalled && part == Part::Cluster {
                <span class="mark" title={words.t("part.stalled")} aria-label={words.t("part.stalled")} role="img">{ " !" }</span>
            }
        </>
    }
}

/// Properties of [`SideTabs`].
#[derive(Properties, PartialEq)]
pub struct SideTabsProps {
    /// The part that is shown.
    pub side: Part,
    /// Whether a rollout stands still.
    pub stalled: bool,
    /// Shows another one.
    pub on_turn: Callback<Turn>,
}

/// What the right side of a wide page shows.
#[component]
pub fn SideTabs(props: &SideTabsProps) -> Html {
    const SIDES: [(Part, &str); 2] = [(Part::Next, "next"), (Part::Cluster, "cluster")];
    let words = use_words();
    let other = SIDES[usize::from(props.side == SIDES[0].0)];
    let onkeydown = {
        let on_turn = props.on_turn.clone();
        move |event: KeyboardEvent| {
            if matches!(event.key().as_str(), "ArrowRight" | "ArrowLeft") {
                on_turn.emit(Turn::Show(other.0));
                crate::page::focus(&format!("side-{}", other.1));
            }
        }
    };
    html! {
        <div class="sides" role="tablist" aria-label={words.t("part.label")} {onkeydown}>
            { for SIDES.into_iter().map(|(part, name)| {
                let chosen = part == props.side;
                let onclick = props.on_turn.reform(move |_: MouseEvent| Turn::Show(part));
                html! {
                    <button type="button" role="tab" id={format!("side-{name}")} aria-controls={format!("part-{name}")}
                        aria-selected={chosen.to_string()} tabindex={if chosen { "0" } else { "-1" }} {onclick}>
                        { part_name(&words, part, name, props.stalled) }
                    </button>
                }
            }) }
        </div>
    }
}
