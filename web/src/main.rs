//! The learner's page: a lab on one node, from the files that are written to what the next start would load.
//! Draws views and hands on actions; every rule of the simulation lives in the rooms below.
#![deny(clippy::unwrap_used, clippy::expect_used)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod app;
mod bundle;
mod components;
mod daemon;
mod desk;
mod editor;
mod fetch;
mod gap;
mod i18n;
mod keys;
mod later;
mod marks;
mod meter;
mod page;
mod past;
mod route;
mod running;
mod same;
mod shelf;
mod sign;
mod state;
mod storage;
mod terminal;
mod work_io;
mod written;

fn main() {
    let place = web_sys::window().and_then(|w| w.document()).and_then(|d| d.get_element_by_id("app"));
    match place {
        Some(place) => yew::Renderer::<app::App>::with_root(place).render(),
        None => yew::Renderer::<app::App>::new().render(),
    };
}
