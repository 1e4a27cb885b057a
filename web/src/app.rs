//! The frame of the page: language, theme, address, and what to tell the reader. Chooses between the list and a lab.

use crate::components::labs::Labs;
use crate::components::load::{Failed, Loaded, Outline, use_loaded};
use crate::components::toast::{Notice, Toast};
use crate::components::workbench::LabPage;
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
    /// True where there is more than one lab.
    pub many: bool,
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
    let route = use_state(|| Route::parse(&page::hash()));
    let notice = use_state(|| None::<(u32, Notice)>);
    let told = use_mut_ref(|| 0u32);
    let (words, retry_words) = use_loaded(*lang, load_words);
    let (index, retry_index) = use_loaded((), |()| shelf::index());

    {
        let route = route.clone();
        use_effect_with((), move |()| {
            let listener = web_sys::window().map(|window| {
                EventListener::new(&window, "hashchange", move |_| route.set(Route::parse(&page::hash())))
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
            notice.set(Some((*told.borrow(), new)));
        })
    };
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
            return html! { <><header class="bar"><span class="brand">{ "fourgaps" }</span></header><Outline /></> };
        }
        Loaded::Fault(fault) => return html! { <NoWords {fault} on_retry={retry_words} /> },
    };
    let many = matches!(&index, Loaded::Here(labs) if labs.len() > 1);
    let frame = Frame { lang: *lang, on_lang, theme: (*theme).clone(), on_theme, many };
    let page = match (&*route, index) {
        (Route::Lab { slug, link }, _) => lab_page(slug, link.as_deref()),
        (_, Loaded::Waiting) => html! { <Outline /> },
        (_, Loaded::Fault(fault)) => html! { <main><Failed {fault} on_retry={retry_index} /></main> },
        (Route::Start, Loaded::Here(labs)) if labs.len() == 1 => lab_page(&labs[0], None),
        (_, Loaded::Here(labs)) => html! { <Labs slugs={labs} /> },
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
fn lab_page(slug: &str, link: Option<&str>) -> Html {
    let key = format!("{slug} {}", link.unwrap_or_default());
    html! { <LabPage {key} slug={slug.to_string()} link={link.map(str::to_string)} /> }
}

/// Properties of [`NoWords`].
#[derive(Properties, PartialEq)]
struct NoWordsProps {
    fault: FetchFault,
    on_retry: Callback<()>,
}

/// The only texts that the program itself knows: what to say when not even the texts arrive.
#[component]
fn NoWords(props: &NoWordsProps) -> Html {
    let onclick = props.on_retry.reform(|_: MouseEvent| ());
    html! {
        <>
            <header class="bar"><span class="brand">{ "fourgaps" }</span></header>
            <main>
                <div class="failed" role="alert">
                    <p lang="ja">{ "ページの文章を読み込めませんでした。接続を確かめて、もう一度お試しください。" }</p>
                    <p lang="ko">{ "페이지의 글을 불러오지 못했습니다. 연결을 확인하고 다시 시도해 주세요." }</p>
                    <p lang="en">{ "The texts of this page did not arrive. Check the connection and try again." }</p>
                    <p><code>{ &props.fault.path }</code></p>
                    <button type="button" class="button strong" {onclick}>{ "再試行 · 다시 시도 · Retry" }</button>
                </div>
            </main>
        </>
    }
}
