//! The field of an answer: a choice, several, an order, a number, a text.

use crate::components::text::rich;
use crate::i18n::Words;
use crate::page;
use fourgaps_lab::{Answer, Input, Question};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What a field needs.
pub struct AnswerField<'a> {
    /// The question.
    pub question: &'a Question,
    /// Its options with their texts.
    pub options: Vec<(String, String)>,
    /// What is filled in so far.
    pub draft: Option<&'a Answer>,
    /// Called with every change.
    pub on_draft: &'a Callback<Option<Answer>>,
}

/// The field that fits the question.
pub fn answer_field(words: &Words, props: &AnswerField<'_>) -> Html {
    let chosen: &[String] = match props.draft {
        Some(Answer::Choice(names)) => names,
        _ => &[],
    };
    match props.question.input() {
        Input::One => {
            html! { <fieldset aria-labelledby="question-text">{ for props.options.iter().map(|o| choice(props, o, chosen, false)) }</fieldset> }
        }
        Input::Several => {
            html! { <fieldset aria-labelledby="question-text">{ for props.options.iter().map(|o| choice(props, o, chosen, true)) }</fieldset> }
        }
        Input::Order => order(words, props, chosen),
        Input::Number => {
            let value = match props.draft {
                Some(Answer::Number(n)) => n.to_string(),
                _ => String::new(),
            };
            let oninput = props.on_draft.reform(|event: InputEvent| {
                event
                    .target_unchecked_into::<HtmlInputElement>()
                    .value()
                    .trim()
                    .parse()
                    .ok()
                    .map(Answer::Number)
            });
            html! {
                <input class="field mono answer-number" type="number" step="1" inputmode="numeric" {value} {oninput} aria-labelledby="question-text" />
            }
        }
        Input::Text => {
            let value = match props.draft {
                Some(Answer::Text(text)) => text.clone(),
                _ => String::new(),
            };
            let oninput = props.on_draft.reform(|event: InputEvent| {
                Some(Answer::Text(event.target_unchecked_into::<HtmlInputElement>().value()))
            });
            html! {
                <input class="field mono answer-text" type="text" spellcheck="false" autocapitalize="off" autocomplete="off" {value} {oninput}
                    aria-labelledby="question-text" placeholder={words.t("question.placeholder")} />
            }
        }
    }
}

fn choice(props: &AnswerField<'_>, (id, text): &(String, String), chosen: &[String], several: bool) -> Html {
    let onchange = {
        let (id, chosen, order) = (id.clone(), chosen.to_vec(), props.question.options.clone());
        props.on_draft.reform(move |event: Event| {
            let on = event.target_unchecked_into::<HtmlInputElement>().checked();
            let wanted = |option: &&String| {
                if **option == id { on } else { several && chosen.contains(option) }
            };
            Some(Answer::Choice(order.iter().filter(wanted).cloned().collect()))
        })
    };
    html! {
        <label class="option" key={id.clone()}>
            <input type={if several { "checkbox" } else { "radio" }} name={props.question.id.clone()} value={id.clone()}
                checked={chosen.contains(id)} {onchange} />
            <span>{ rich(text) }</span>
        </label>
    }
}

/// A list that is put in order with two buttons, or with Alt and the arrow keys.
fn order(words: &Words, props: &AnswerField<'_>, chosen: &[String]) -> Html {
    let last = chosen.len().saturating_sub(1);
    let shift = {
        let (chosen, on_draft) = (chosen.to_vec(), props.on_draft.clone());
        move |from: usize, to: usize, button: &str| {
            if to > last {
                return;
            }
            let mut next = chosen.clone();
            next.swap(from, to);
            on_draft.emit(Some(Answer::Choice(next)));
            // The keyboard follows the item, so that it can be moved on.
            let id = format!("order-{to}-{button}");
            gloo_timers::callback::Timeout::new(0, move || page::focus(&id)).forget();
        }
    };
    html! {
        <ol class="order" aria-labelledby="question-text">
            { for chosen.iter().enumerate().map(|(at, id)| {
                let text = props.options.iter().find(|(o, _)| o == id).map_or(id.as_str(), |(_, t)| t);
                let plain = text.replace('`', "");
                let up = { let shift = shift.clone(); move |_: MouseEvent| shift(at, at.wrapping_sub(1), if at == 1 { "down" } else { "up" }) };
                let down = { let shift = shift.clone(); move |_: MouseEvent| shift(at, at + 1, if at + 1 == last { "up" } else { "down" }) };
                let onkeydown = {
                    let shift = shift.clone();
                    move |event: KeyboardEvent| {
                        let to = match event.key().as_str() {
                            "ArrowUp" => at.wrapping_sub(1),
                            "ArrowDown" => at + 1,
                            _ => return,
                        };
                        event.prevent_default();
                        shift(at, to, if to == 0 { "down" } else { "up" });
                    }
                };
                html! {
                    <li class="order-item" key={id.clone()} {onkeydown}>
                        <span class="figures order-nth">{ at + 1 }</span><span class="order-text">{ rich(text) }</span>
                        <button type="button" class="button" id={format!("order-{at}-up")} disabled={at == 0} onclick={up}
                            aria-label={words.with("question.up", &[("what", &plain)])}>{ "↑" }</button>
                        <button type="button" class="button" id={format!("order-{at}-down")} disabled={at == last} onclick={down}
                            aria-label={words.with("question.down", &[("what", &plain)])}>{ "↓" }</button>
                    </li>
                }
            }) }
        </ol>
    }
}
