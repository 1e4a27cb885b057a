//! The files of the node that a question is about: a recorded case, to read beside the question.

use crate::components::load::{Loaded, failed, use_loaded};
use crate::i18n::use_words;
use crate::shelf;
use fourgaps_lab::Question;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// Properties of [`CaseFiles`].
#[derive(Properties, PartialEq)]
pub struct CaseFilesProps {
    /// The question.
    pub question: Question,
}

/// A line that opens the files; they are fetched when it is opened.
#[component]
pub fn CaseFiles(props: &CaseFilesProps) -> Html {
    let words = use_words();
    let open = use_state(|| false);
    let ontoggle = {
        let open = open.setter();
        move |event: Event| open.set(event.target_unchecked_into::<Element>().has_attribute("open"))
    };
    html! {
        <details class="case-files" {ontoggle}>
            <summary>{ words.t("question.files") }</summary>
            if *open {
                <Listing question={props.question.clone()} />
            }
        </details>
    }
}

#[component]
fn Listing(props: &CaseFilesProps) -> Html {
    let words = use_words();
    let (files, retry) = use_loaded(props.question.clone(), |question: Question| async move {
        let index = shelf::results().await?;
        shelf::case_files(&index, &question).await.map(Rc::new)
    });
    match files {
        Loaded::Waiting => html! { <p class="pale">{ words.t("question.files_coming") }</p> },
        Loaded::Fault(fault) => failed(&words, &fault, &retry, true),
        Loaded::Here(files) => files
            .iter()
            .map(|(path, bytes)| {
                html! {
                    <div class="case-file" key={path.to_string()}>
                        <h3>{ path.to_string() }</h3>
                        <pre tabindex="0">{ String::from_utf8_lossy(bytes).into_owned() }</pre>
                    </div>
                }
            })
            .collect(),
    }
}
