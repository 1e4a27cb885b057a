//! How long a change takes to be seen: from the event to the drawn page, and to the next frame.

use crate::page;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Holds the moment at which the reader changed something.
#[derive(Clone, Debug, Default)]
pub struct Meter(Rc<Cell<Option<f64>>>);

impl PartialEq for Meter {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Meter {
    /// The reader changes something now.
    pub fn begin(&self) {
        self.0.set(Some(page::now()));
    }

    /// The page is drawn. Says how many milliseconds that took, laying out included, and notes them on the root:
    /// `data-edit-ms` for this, `data-paint-ms` for the next frame.
    pub fn drawn(&self) -> Option<f64> {
        let begun = self.0.take()?;
        let root = page::root()?;
        // Asking for a size makes the browser lay the page out now, so that the figure is the whole work.
        let _ = root.offset_height();
        let took = page::now() - begun;
        page::set_root("data-edit-ms", Some(&tenths(took)));
        let frame = Closure::once_into_js(move || {
            let painted = page::now() - begun;
            page::set_root("data-paint-ms", Some(&tenths(painted)));
        });
        let _ = web_sys::window()?.request_animation_frame(frame.unchecked_ref());
        Some(took)
    }
}

/// A number with one digit behind its point.
fn tenths(number: f64) -> String {
    let tenths = (number * 10.0).round() as u32;
    format!("{}.{}", tenths / 10, tenths % 10)
}
