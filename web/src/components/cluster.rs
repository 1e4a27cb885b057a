//! The cluster's place on the page.

use crate::components::late::LateView;
use crate::i18n::use_words;
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
