//! The frame of the page: language, theme, address, and what to tell the reader. Chooses between the list and a lab.

use crate::components::lab::LabPage;
use crate::components::labs::Labs;
use crate::components::load::{Loaded, failed, outline, use_kept, use_loaded};
use crate::components::toast::{Notice, Toast};
use crate::components::toolbar::Toolbar;
use crate::fetch::{self, FetchFault};
use crate::i18n::{Words, preferred};
use crate::route::Route;
use crate::{page, shelf, storage};
use fourgaps_lab::Lang;
use gloo_events::EventListener;
use std::rc::Rc;
use yew::prelude::*;

/// Language and theme, and how to change them.
#[derive(Clone, PartialEq)]
pub struct Frame {
    /// The language of the page.
    pub lang: Lang,
    /// Changes the language.
    pub on_lang: Callback<Lang>,
    /// `light`, `dark`, or nothing for what the system says.
    pub theme: Option<AttrValue>,
    /// Changes the theme.
    pub on_theme: Callback<Option<AttrValue>>,
}

/// The frame, from anywhere on the page.
#[hook]
pub fn use_frame() -> Option<Frame> {
    use_context::<Frame>()
}

async fn load_words(lang: Lang) -> Result<Rc<Words>, FetchFault> {
    let path = format!("i18n/{}.toml", lang.code());
    let text = fetch::text(&path).await?;
    Words::parse(lang, &text).map(Rc::new).map_err(|why| FetchFault::broken(&path, why))
}

/// The whole page.
#[component]
pub fn App() -> Html {
    let lang = use_state(|| preferred(storage::lang().as_deref(), &page::languages()));
    let theme = use_state(|| storage::theme().map(AttrValue::from));
    // The count tells two visits of one link apart.
    let route = use_state(|| (Route::parse(&page::hash()), 0u32));
    let notice = use_state(|| None::<(u32, Notice)>);
    let told = use_mut_ref(|| 0u32);
    let shown = use_mut_ref(|| None::<(Notice, f64)>);
    let (words, late, retry_words) = use_kept(*lang, load_words);
    let (index, retry_index) = use_loaded((), |()| shelf::index());

    {
        let route = route.setter();
        use_effect_with((), move |()| {
            let mut visits = 0;
            let listener = web_sys::window().map(|window| {
                EventListener::new(&window, "hashchange", move |_| {
                    visits += 1;
                    route.set((Route::parse(&page::hash()), visits));
                })
            });
            move || drop(listener)
        });
    }
    use_effect_with((*theme).clone(), |theme| page::set_root("data-theme", theme.as_deref()));
    {
        let code = match &words {
            Loaded::Here(words) => words.lang.code(),
            _ => lang.code(),
        };
        use_effect_with(code, |code| page::set_root("lang", Some(code)));
    }
    let tell = {
        let notice = notice.setter();
        use_callback((), move |new: Notice, ()| {
            *told.borrow_mut() += 1;
            let mut shown = shown.borrow_mut();
            let hush = new.text.is_empty();
            // What is grave stays, and so does what was told this very moment.
            let keeps =
                shown.as_ref().is_some_and(|(n, born): &(Notice, f64)| n.grave || page::now() - born < 400.0);
            if hush && keeps {
                return;
            }
            *shown = (!hush).then(|| (new.clone(), page::now()));
            notice.set((!hush).then(|| (*told.borrow(), new)));
        })
    };
    {
        // Where a language does not come, the page stays in the one that it has, and says so.
        let (tell, words, retry) = (tell.clone(), words.clone(), retry_words.clone());
        use_effect_with(late, move |late| {
            if let (Some(_), Loaded::Here(words)) = (late, words) {
                tell.emit(
                    Notice::grave(words.t("fault.language")).with_action(words.t("fault.retry"), retry),
                );
            }
        });
    }
    let on_close = {
        let notice = notice.setter();
        use_callback((), move |(), ()| notice.set(None))
    };
    let on_lang = {
        let lang = lang.setter();
        use_callback((), move |new: Lang, ()| {
            storage::keep_lang(new.code());
            lang.set(new);
        })
    };
    let on_theme = {
        let theme = theme.setter();
        use_callback((), move |new: Option<AttrValue>, ()| {
            storage::keep_theme(new.as_deref());
            theme.set(new);
        })
    };

    let words = match words {
        Loaded::Here(words) => words,
        Loaded::Waiting => {
            return html! { <div class="page"><header class="bar"><span class="brand">{ "fourgaps" }</span></header>{ outline() }</div> };
        }
        Loaded::Fault(fault) => return html! { { no_words(&fault, &retry_words) } },
    };
    // The language of the page is that of its texts: one that did not arrive is not pretended.
    let frame = Frame { lang: words.lang, on_lang, theme: (*theme).clone(), on_theme };
    let (route, visit) = &*route;
    let page = match (route, index) {
        (Route::Lab { slug, link }, _) => lab_page(slug, link.as_deref(), *visit),
        (_, Loaded::Waiting) => html! { <div class="page"><Toolbar />{ outline() }</div> },
        (_, Loaded::Fault(fault)) => html! {
            <div class="page"><Toolbar /><main>{ failed(&words, &fault, &retry_index, false) }</main></div>
        },
        (Route::Start, Loaded::Here(index)) if index.scenarios.len() == 1 => {
            lab_page(&index.scenarios[0], None, 0)
        }
        (_, Loaded::Here(index)) => html! { <Labs {index} /> },
    };
    html! {
        <ContextProvider<Rc<Words>> context={words}>
            <ContextProvider<Frame> context={frame}>
                <ContextProvider<Callback<Notice>> context={tell}>
                    { page }
                    <Toast notice={(*notice).clone()} {on_close} />
                </ContextProvider<Callback<Notice>>>
            </ContextProvider<Frame>>
        </ContextProvider<Rc<Words>>>
    }
}

/// A lab; another lab or another link is another page.
fn lab_page(slug: &str, link: Option<&str>, visit: u32) -> Html {
    let key = link.map_or_else(|| slug.to_string(), |link| format!("{slug} {visit} {link}"));
    html! { <LabPage {key} slug={slug.to_string()} link={link.map(str::to_string)} /> }
}

/// The only texts that the program itself knows: what to say when not even the texts arrive.
fn no_words(fault: &FetchFault, on_retry: &Callback<()>) -> Html {
    let onclick = on_retry.reform(|_: MouseEvent| ());
    html! {
        <div class="page">
            <header class="bar"><span class="brand">{ "fourgaps" }</span></header>
            <main>
                <div class="failed" role="alert">
                    <p lang="ja">{ "ページの文章を読み込めませんでした。接続を確かめて、もう一度お試しください。" }</p>
                    <p lang="ko">{ "페이지의 글을 불러오지 못했습니다. 연결을 확인하고 다시 시도해 주세요." }</p>
                    <p lang="en">{ "The texts of this page did not arrive. Check the connection and try again." }</p>
                    <p><code>{ &fault.path }</code></p>
                    <button type="button" class="button strong" {onclick}>{ "再試行 · 다시 시도 · Retry" }</button>
                </div>
            </main>
        </div>
    }
}
