//! A part of the page that the late bundle draws, because only the worker knows what it shows. The page gives it a place and
//! words, tells it things, and hears of it.

use crate::i18n::use_words;
use crate::same::Same;
use crate::terminal::{Mounted, View};
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// Properties of [`LateView`].
#[derive(Properties, PartialEq)]
pub struct LateViewProps {
    /// Its name in the bundle, which is also that of its words.
    pub name: &'static str,
    /// The terminal, once it is here.
    pub panel: Option<Same<Mounted>>,
    /// What the page tells it.
    #[prop_or_default]
    pub told: Rc<String>,
    /// What it tells the page.
    pub on_say: Callback<String>,
}

/// The place of such a part; empty until the bundle is here.
#[component]
pub fn LateView(props: &LateViewProps) -> Html {
    let words = use_words();
    let place = use_node_ref();
    let view = use_mut_ref(|| None::<View>);
    {
        let (place, view) = (place.clone(), view.clone());
        let (name, words, on_say) = (props.name, words.clone(), props.on_say.clone());
        use_effect_with(props.panel.clone(), move |panel| {
            if let (Some(panel), Some(place)) = (panel, place.cast::<Element>()) {
                *view.borrow_mut() = panel.view(name, &place, &words.below(name), on_say).ok();
            }
            move || drop(view.borrow_mut().take())
        });
    }
    {
        let view = view.clone();
        use_effect_with((props.panel.clone(), words.lang), {
            let (name, words) = (props.name, words.clone());
            move |_| {
                if let Some(view) = &*view.borrow() {
                    view.speak(&words.below(name));
                }
            }
        });
    }
    use_effect_with((props.panel.clone(), props.told.clone()), move |(_, told)| {
        if let Some(view) = &*view.borrow() {
            view.tell(told);
        }
    });
    html! { <div ref={place} class={format!("late-{}", props.name)}></div> }
}
