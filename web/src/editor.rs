//! The seam to the JavaScript editor: loaded after the page stands, and told what to show.

use crate::bundle::{self, load_bundle, object};
use js_sys::Array;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    /// The bundle of the editor.
    pub type Bundle;

    #[wasm_bindgen(method, catch, js_name = createEditor)]
    fn create_editor(
        this: &Bundle,
        parent: &Element,
        on_change: &Closure<dyn FnMut(String, String)>,
        on_held: &Closure<dyn FnMut()>,
    ) -> Result<Editor, JsValue>;

    /// One editor in the page.
    #[derive(Clone, Debug)]
    pub type Editor;

    #[wasm_bindgen(method)]
    fn open(this: &Editor, path: &str, text: &str, label: &str);
    #[wasm_bindgen(method, js_name = mark)]
    fn mark_js(this: &Editor, faults: &Array, lost: &Array);
    #[wasm_bindgen(method)]
    fn reveal(this: &Editor, line: u32, column: u32, focus: bool);
    #[wasm_bindgen(method, js_name = speak)]
    fn speak_js(this: &Editor, phrases: JsValue);
    #[wasm_bindgen(method)]
    fn lock(this: &Editor, on: bool);
    #[wasm_bindgen(method)]
    fn destroy(this: &Editor);
}

/// A fault at a place of the shown file.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// The message.
    pub message: String,
}

/// Lines of the shown file that nothing reads.
#[derive(Clone, Debug, PartialEq)]
pub struct LostLines {
    /// First line.
    pub from: u32,
    /// Last line.
    pub to: u32,
    /// A short word behind the first of them.
    pub text: String,
}

/// An editor together with the function that it calls.
pub struct Mounted {
    editor: Editor,
    _on_change: Closure<dyn FnMut(String, String)>,
    _on_held: Closure<dyn FnMut()>,
}

impl Mounted {
    /// Loads the bundle and puts an editor into an element. `on_change` gets the path and the whole text, `on_held` hears of
    /// typing while the editor is locked.
    pub async fn load(
        parent: Element,
        on_change: impl Fn(String, String) + 'static,
        on_held: impl Fn() + 'static,
    ) -> Result<Self, JsValue> {
        let bundle: Bundle = load_bundle("editor").await?.unchecked_into();
        let on_change = Closure::<dyn FnMut(String, String)>::new(on_change);
        let on_held = Closure::<dyn FnMut()>::new(on_held);
        let editor = bundle.create_editor(&parent, &on_change, &on_held)?;
        Ok(Self { editor, _on_change: on_change, _on_held: on_held })
    }

    /// Shows a file.
    pub fn open(&self, path: &str, text: &str, label: &str) {
        self.editor.open(path, text, label);
    }

    /// Marks faults and lines that are not read.
    pub fn mark(&self, faults: &[Mark], lost: &[LostLines]) {
        let fault = |mark: &Mark| {
            object([
                ("line", mark.line.into()),
                ("column", mark.column.into()),
                ("severity", mark.severity.into()),
                ("message", mark.message.as_str().into()),
            ])
        };
        let stretch = |lines: &LostLines| {
            object([
                ("from", lines.from.into()),
                ("to", lines.to.into()),
                ("text", lines.text.as_str().into()),
            ])
        };
        let faults: Array = faults.iter().map(fault).collect();
        let lost: Array = lost.iter().map(stretch).collect();
        self.editor.mark_js(&faults, &lost);
    }

    /// Moves to a place and shows it for a moment.
    pub fn reveal(&self, line: u32, column: u32) {
        self.editor.reveal(line, column, true);
    }

    /// Lets nothing be typed, or lets it again.
    pub fn lock(&self, on: bool) {
        self.editor.lock(on);
    }

    /// Gives the editor's own labels in the reader's language.
    pub fn speak(&self, phrases: &BTreeMap<String, String>) {
        self.editor.speak_js(bundle::phrases(phrases));
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        self.editor.destroy();
    }
}
