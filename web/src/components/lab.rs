//! A lab by its name: loads it with its texts, takes up earlier work, and puts it on the bench.

use crate::components::load::{Loaded, failed, outline, use_kept, use_loaded};
use crate::components::toolbar::Toolbar;
use crate::components::workbench::Workbench;
use crate::i18n::use_words;
use crate::same::Same;
use crate::shelf;
use crate::work_io::begin;
use std::rc::Rc;
use yew::prelude::*;

/// Properties of [`LabPage`].
#[derive(Properties, PartialEq)]
pub struct LabPageProps {
    /// The lab.
    pub slug: String,
    /// The packed work of a link.
    pub link: Option<String>,
}

/// A lab while it is loading, and then.
#[component]
pub fn LabPage(props: &LabPageProps) -> Html {
    let words = use_words();
    let (lab, retry_lab) =
        use_loaded(props.slug.clone(), |slug| async move { shelf::lab(&slug).await.map(Same::new) });
    let (texts, _, retry_texts) = use_kept((props.slug.clone(), words.lang), |(slug, lang)| async move {
        shelf::words(&slug, lang).await.map(Rc::new)
    });
    let begun = {
        let lab = match &lab {
            Loaded::Here(lab) => Some(lab.clone()),
            _ => None,
        };
        use_memo((lab, props.link.clone()), |(lab, link)| lab.as_ref().map(|lab| begin(lab, link.as_deref())))
    };
    match (lab, texts) {
        (Loaded::Fault(fault), _) => {
            html! { <div class="page"><Toolbar /><main>{ failed(&words, &fault, &retry_lab, false) }</main></div> }
        }
        (_, Loaded::Fault(fault)) => {
            html! { <div class="page"><Toolbar /><main>{ failed(&words, &fault, &retry_texts, false) }</main></div> }
        }
        (Loaded::Here(lab), Loaded::Here(texts)) => match &*begun {
            Some(begin) => html! { <Workbench {lab} {texts} begin={begin.clone()} /> },
            None => outline(),
        },
        _ => html! { <div class="page"><Toolbar />{ outline() }</div> },
    }
}
