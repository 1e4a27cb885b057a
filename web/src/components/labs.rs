//! The list of labs, with how far each is done.

use crate::components::load::{Loaded, failed, use_loaded};
use crate::components::toolbar::Toolbar;
use crate::i18n::use_words;
use crate::route::Route;
use crate::{page, shelf, storage};
use fourgaps_lab::{ScenarioIndex, Texts};
use std::rc::Rc;
use yew::prelude::*;

/// Properties of [`Labs`].
#[derive(Properties, PartialEq)]
pub struct LabsProps {
    /// The labs in teaching order.
    pub index: ScenarioIndex,
}

/// The start page.
#[component]
pub fn Labs(props: &LabsProps) -> Html {
    let words = use_words();
    let index = &props.index;
    {
        let title = format!("{} · fourgaps", words.t("labs.title"));
        use_effect_with(title, |title| page::set_title(title));
    }
    html! {
        <div class="page">
            <Toolbar />
            <main class="labs">
                <p class="labs-lead">{ words.t("labs.lead") }</p>
                if index.scenarios.is_empty() {
                    <p>{ words.t("labs.none") }</p>
                }
                <ol class="labs-list">
                    { for index.scenarios.iter().map(|slug| html! {
                        <>
                            { for index.headings.iter().filter(|heading| heading.above == *slug).map(|heading| html! {
                                <li class="labs-heading"><h2>{ heading.in_lang(words.lang) }</h2></li>
                            }) }
                            <LabRow key={slug.clone()} slug={slug.clone()} />
                        </>
                    }) }
                </ol>
            </main>
        </div>
    }
}

/// Properties of [`LabRow`].
#[derive(Properties, PartialEq)]
struct LabRowProps {
    slug: String,
}

#[component]
fn LabRow(props: &LabRowProps) -> Html {
    let words = use_words();
    let (texts, retry) = use_loaded((props.slug.clone(), words.lang), |(slug, lang)| async move {
        shelf::words(&slug, lang).await.map(Rc::<Texts>::new)
    });
    let progress = storage::progress(&props.slug);
    let href = page::address(&Route::Lab { slug: props.slug.clone(), link: None }.hash());
    let (sign, state) = match progress {
        p if p.done() => ("●", "labs.done"),
        p if p.begun() || storage::work(&props.slug).is_some() => ("◐", "labs.begun"),
        _ => ("○", "labs.new"),
    };
    let figures = (progress.goals > 0).then(|| {
        let [met, goals, right, questions] =
            [progress.goals_met, progress.goals, progress.right, progress.questions].map(|n| n.to_string());
        words.with(
            "labs.figures",
            &[("met", &met), ("goals", &goals), ("right", &right), ("questions", &questions)],
        )
    });
    match texts {
        Loaded::Waiting => html! { <li class="labs-row waiting" aria-busy="true"></li> },
        Loaded::Fault(fault) => {
            html! { <li class="labs-row">{ failed(&words, &fault, &retry, true) }</li> }
        }
        Loaded::Here(texts) => html! {
            <li class="labs-row">
                <span class="labs-sign" aria-hidden="true">{ sign }</span>
                <div>
                    <h3><a {href}>{ &texts.title }</a></h3>
                    <p>{ &texts.summary }</p>
                </div>
                <p class="labs-state">
                    <span>{ words.t(state) }</span>
                    if let Some(figures) = figures {
                        <span class="figures">{ figures }</span>
                    }
                </p>
            </li>
        },
    }
}
