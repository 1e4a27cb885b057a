//! The ways of work in and out of the page: earlier saves, links, files. Nothing that is there is ever lost.

use crate::components::outcome::Outcome;
use crate::components::toast::{Notice, use_tell};
use crate::components::toolbar::WorkWish;
use crate::i18n::{Words, use_words};
use crate::route::Route;
use crate::same::Same;
use crate::state::{Bench, Lab, Step};
use crate::storage::Progress;
use crate::{page, storage};
use fourgaps_lab::{Action, Refusal, RestoreError, Work};
use gloo_events::EventListener;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use yew::prelude::*;

/// How the work on the bench came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Begin {
    /// The work.
    pub work: Work,
    /// What the reader should know of it.
    pub came: Came,
}

/// Where work came from.
#[derive(Clone, Debug, PartialEq)]
pub enum Came {
    /// From the start of the lab.
    Fresh,
    /// From the browser's storage.
    Saved,
    /// From a link; earlier work was kept under this key.
    Link(Option<String>),
    /// From the storage or the start, because a link cannot be read.
    BadLink(RestoreError),
    /// From the start, because the save cannot be read; it was kept under this key.
    BadSave(RestoreError, Option<String>),
}

/// Takes up the work of a lab: a link first, then what the browser kept, then a fresh start.
pub fn begin(lab: &Lab, link: Option<&str>) -> Begin {
    let slug = &lab.scenario.slug;
    let fresh = || Work::new(&lab.scenario, &lab.start);
    let saved = storage::work(slug).map(|save| Work::restore(&lab.scenario, &lab.start, &save));
    let by_save = |saved: Option<Result<Work, RestoreError>>| match saved {
        None => Begin { work: fresh(), came: Came::Fresh },
        Some(Ok(work)) => Begin { work, came: Came::Saved },
        Some(Err(why)) => Begin { work: fresh(), came: Came::BadSave(why, storage::set_aside(slug)) },
    };
    let Some(link) = link else { return by_save(saved) };
    match Work::from_link(&lab.scenario, &lab.start, link) {
        Ok(work) => {
            let other = saved.is_some_and(|save| save.as_ref() != Ok(&work));
            Begin { work, came: Came::Link(if other { storage::set_aside(slug) } else { None }) }
        }
        Err(why) => match by_save(saved) {
            Begin { came: Came::BadSave(why, key), work } => Begin { work, came: Came::BadSave(why, key) },
            Begin { work, .. } => Begin { work, came: Came::BadLink(why) },
        },
    }
}

/// Keeps the work after every action, and says once how it came about.
#[hook]
pub fn use_saving(
    lab: &Same<Lab>,
    bench: &UseReducerHandle<Bench>,
    save: &Rc<String>,
    outcome: &Rc<Outcome>,
    begin: &Begin,
) {
    let words = use_words();
    let tell = use_tell();
    {
        let (tell, words, came, dispatch, lab) =
            (tell.clone(), words.clone(), begin.came.clone(), bench.dispatcher(), lab.clone());
        use_effect_with((), move |()| {
            let route = Route::Lab { slug: lab.scenario.slug.clone(), link: None };
            page::replace_hash(&route.hash());
            if let Some(notice) = came_notice(&came, &words, &lab, dispatch) {
                tell.emit(notice);
            }
        });
    }
    use_other_tabs(lab, bench.dispatcher());
    let slug = lab.scenario.slug.clone();
    let keep = bench.edition > 0 || matches!(begin.came, Came::Link(_));
    let (save, words) = (save.clone(), words.clone());
    use_effect_with(bench.edition, {
        let (slug, words) = (slug.clone(), words.clone());
        move |_| {
            if keep && !storage::keep_work(&slug, &save) {
                tell.emit(Notice::grave(words.t("save.refused")));
            }
        }
    });
    // How far a lab is done is told by now, not by a moment of the past.
    let progress = bench.shown.is_none().then(|| outcome.progress());
    use_effect_with(progress, move |progress: &Option<Progress>| {
        if let Some(progress) = progress {
            storage::keep_progress(&slug, *progress);
        }
    });
}

/// Another tab with the same lab keeps its work in the same place: says so, and offers to take that over.
#[hook]
fn use_other_tabs(lab: &Same<Lab>, dispatch: UseReducerDispatcher<Bench>) {
    let words = use_words();
    let tell = use_tell();
    let lab = lab.clone();
    use_effect_with(words, move |words| {
        let words = words.clone();
        let listener = web_sys::window().map(|window| {
            EventListener::new(&window, "storage", move |event| {
                let Some(event) = event.dyn_ref::<web_sys::StorageEvent>() else { return };
                let ours = event.key().is_some_and(|key| key == storage::work_key(&lab.scenario.slug));
                let save = event.new_value().filter(|_| ours);
                let work = save.and_then(|save| Work::restore(&lab.scenario, &lab.start, &save).ok());
                let Some(work) = work else { return };
                let dispatch = dispatch.clone();
                let take = Callback::from(move |()| dispatch.dispatch(Step::Take(work.clone())));
                tell.emit(
                    Notice::grave(words.t("save.other_tab")).with_action(words.t("save.take_over"), take),
                );
            })
        });
        move || drop(listener)
    });
}

fn came_notice(
    came: &Came,
    words: &Rc<Words>,
    lab: &Same<Lab>,
    dispatch: UseReducerDispatcher<Bench>,
) -> Option<Notice> {
    let save_back = |key: &str| {
        let (lab, key) = (lab.clone(), key.to_string());
        Callback::from(move |()| {
            let kept = storage::kept(&key).and_then(|s| Work::restore(&lab.scenario, &lab.start, &s).ok());
            if let Some(work) = kept {
                dispatch.dispatch(Step::Take(work));
            }
        })
    };
    match came {
        Came::Fresh | Came::Saved => None,
        Came::Link(None) => Some(Notice::new(words.t("link.opened"))),
        Came::Link(Some(key)) => Some(
            Notice::grave(words.with("link.opened_kept", &[("key", key)]))
                .with_action(words.t("link.back"), save_back(key)),
        ),
        Came::BadLink(why) => {
            Some(Notice::grave(words.with("link.bad", &[("why", &restore_text(words, why))])))
        }
        Came::BadSave(why, key) => {
            let key = key.as_deref().unwrap_or("–");
            Some(Notice::grave(words.with("save.bad", &[("why", &restore_text(words, why)), ("key", key)])))
        }
    }
}

/// Why work cannot be taken up, in the reader's language where there is a sentence for it.
fn restore_text(words: &Words, why: &RestoreError) -> String {
    let key = format!("restore.{}", why.code());
    if words.has(&key) { words.t(&key).to_string() } else { why.to_string() }
}

/// Why an action was not possible.
pub fn refusal_notice(words: &Words, refused: &Refusal) -> Notice {
    let key = format!("refused.{}", refused.code);
    if !words.has(&key) {
        return Notice::new(refused.text.clone());
    }
    let args: Vec<(&str, &str)> = refused.args.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    Notice::new(words.with(&key, &args))
}

/// Does what the reader asks of the work as a whole.
pub fn carry_out(
    wish: WorkWish,
    bench: &UseReducerHandle<Bench>,
    words: &Rc<Words>,
    tell: &Callback<Notice>,
) {
    let slug = bench.lab.scenario.slug.clone();
    match wish {
        WorkWish::Undo => bench.dispatch(Step::Undo),
        WorkWish::Redo => bench.dispatch(Step::Redo),
        WorkWish::Reset => {
            bench.dispatch(Step::Do(Action::Reset));
            let back = bench.dispatcher();
            let undo = Callback::from(move |()| back.dispatch(Step::Undo));
            tell.emit(Notice::new(words.t("reset.done")).with_action(words.t("bar.undo"), undo));
        }
        WorkWish::Share => {
            let route = Route::Lab { slug, link: Some(bench.work.to_link()) };
            let (link, words, tell) = (page::address(&route.hash()), words.clone(), tell.clone());
            wasm_bindgen_futures::spawn_local(async move {
                tell.emit(if page::copy(&link).await {
                    Notice::new(words.t("share.copied"))
                } else {
                    Notice::new(words.t("share.by_hand")).with_field(link)
                });
            });
        }
        WorkWish::Export => {
            let name = format!("fourgaps-{slug}.json");
            tell.emit(match page::download(&name, &bench.work.save()) {
                Some(()) => Notice::new(words.with("export.done", &[("file", &name)])),
                None => Notice::grave(words.t("export.failed")),
            });
        }
        WorkWish::Import(file) => {
            let (bench, words, tell) = (bench.clone(), words.clone(), tell.clone());
            wasm_bindgen_futures::spawn_local(async move { take_file(file, &bench, &words, &tell).await });
        }
    }
}

async fn take_file(
    file: web_sys::File,
    bench: &UseReducerHandle<Bench>,
    words: &Words,
    tell: &Callback<Notice>,
) {
    let name = file.name();
    let lab = &bench.lab;
    let work = match gloo_file::futures::read_as_text(&gloo_file::Blob::from(file)).await {
        Ok(text) => Work::restore(&lab.scenario, &lab.start, &text).map_err(|why| restore_text(words, &why)),
        Err(_) => Err(words.t("import.unreadable").to_string()),
    };
    tell.emit(match work {
        Ok(work) => {
            let before = (*bench.work).clone();
            let dispatch = bench.dispatcher();
            bench.dispatch(Step::Take(work));
            let back = Callback::from(move |()| dispatch.dispatch(Step::Take(before.clone())));
            Notice::new(words.with("import.done", &[("file", &name)]))
                .with_action(words.t("import.back"), back)
        }
        Err(why) => Notice::grave(words.with("import.bad", &[("file", &name), ("why", &why)])),
    });
}
