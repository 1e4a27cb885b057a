//! What may come after the picture: a second look at many files, and a second version. Never in the way of typing.

use crate::components::ablate::QUIET;
use crate::same::Same;
use crate::state::{Bench, Beside, Step, Views};
use fourgaps_config::Version;
use fourgaps_view::UpgradeView;
use gloo_timers::future::TimeoutFuture;
use std::cell::Cell;
use std::rc::Rc;
use yew::prelude::*;

/// Works out what the bench still lacks, piece by piece, once the page is drawn.
#[hook]
pub fn use_later(bench: &UseReducerHandle<Bench>, beside: Option<&'static str>) {
    let bench = bench.clone();
    let key = (bench.files_edition, beside);
    use_effect_with(key, move |(edition, _)| {
        let edition = *edition;
        let alive = Rc::new(Cell::new(true));
        let still = alive.clone();
        wasm_bindgen_futures::spawn_local(async move {
            let (main, files) = (&bench.lab.scenario.config, bench.node().files());
            if bench.later_edition != edition {
                TimeoutFuture::new(QUIET / 2).await;
                if !still.get() {
                    return;
                }
                let (home, daemon) = bench.closely();
                bench.dispatch(Step::Later(edition, home, daemon));
            }
            let Some(beside) = beside.and_then(Version::named) else { return };
            TimeoutFuture::new(if edition == 0 { 0 } else { QUIET }).await;
            if !still.get() {
                return;
            }
            let views = Same::new(Views::of(beside, main, files));
            TimeoutFuture::new(0).await;
            if still.get() {
                let upgrade = UpgradeView::of(bench.version(), beside, files, main);
                bench.dispatch(Step::Beside(edition, Same::new(Beside { views, upgrade })));
            }
        });
        move || alive.set(false)
    });
}
