//! The seam to the terminal: loaded after the page stands. It gets the list of actions, and gives back what a line was.

use crate::bundle::{self, load_bundle, object};
use crate::state::Lab;
use js_sys::{Array, Object};
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    type Bundle;

    #[wasm_bindgen(method, catch, js_name = createPanel)]
    fn create_panel(
        this: &Bundle,
        parent: &Element,
        lab: &Object,
        phrases: JsValue,
        on_act: &Closure<dyn FnMut(String)>,
        on_place: &Closure<dyn FnMut(String, String, u32, u32)>,
        on_shown: &Closure<dyn FnMut(String)>,
        on_held: &Closure<dyn FnMut(String, String)>,
    ) -> Result<Panel, JsValue>;

    /// The panel in the page.
    #[derive(Clone, Debug)]
    type Panel;

    #[wasm_bindgen(method)]
    fn sync(this: &Panel, save: &str);
    #[wasm_bindgen(method)]
    fn echo(this: &Panel, host: &str, line: &str);
    #[wasm_bindgen(method)]
    fn put(this: &Panel, line: &str);
    #[wasm_bindgen(method)]
    fn run(this: &Panel, host: &str, line: &str);
    #[wasm_bindgen(method)]
    fn show(this: &Panel, host: &str);
    #[wasm_bindgen(method)]
    fn hold(this: &Panel, why: &str, time: f64);
    #[wasm_bindgen(method)]
    fn speak(this: &Panel, phrases: JsValue);
    #[wasm_bindgen(method)]
    fn destroy(this: &Panel);
    #[wasm_bindgen(method, catch)]
    fn view(
        this: &Panel,
        name: &str,
        place: &Element,
        phrases: JsValue,
        on: &Closure<dyn FnMut(String)>,
    ) -> Result<LateJs, JsValue>;

    /// Another part of the page that the bundle draws.
    type LateJs;

    #[wasm_bindgen(method, js_name = tell)]
    fn tell_js(this: &LateJs, text: &str);
    #[wasm_bindgen(method, js_name = speak)]
    fn speak_js(this: &LateJs, phrases: JsValue);
    #[wasm_bindgen(method, js_name = destroy)]
    fn destroy_js(this: &LateJs);
}

/// Another part of the page that the bundle draws, together with the function that it calls.
pub struct View {
    view: LateJs,
    _on: Closure<dyn FnMut(String)>,
}

impl View {
    /// Tells it something.
    pub fn tell(&self, text: &str) {
        self.view.tell_js(text);
    }

    /// Gives it its words in the reader's language.
    pub fn speak(&self, phrases: &BTreeMap<String, String>) {
        self.view.speak_js(bundle::phrases(phrases));
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.view.destroy_js();
    }
}

/// What the panel tells the page.
#[derive(Debug)]
pub struct Ears {
    /// A line was typed: the action that it was, as JSON.
    pub act: Closure<dyn FnMut(String)>,
    /// A place was clicked: machine, file, line, column; 0 where the text names none.
    pub place: Closure<dyn FnMut(String, String, u32, u32)>,
    /// The tab of this machine is shown.
    pub shown: Closure<dyn FnMut(String)>,
    /// A line was typed on this machine while lines are held.
    pub held: Closure<dyn FnMut(String, String)>,
}

/// A panel together with the functions that it calls.
#[derive(Debug)]
pub struct Mounted {
    panel: Panel,
    _ears: Ears,
}

impl Mounted {
    /// Loads the bundle and puts a panel into an element. The shell itself arrives later and says how far it is.
    pub async fn load(
        parent: Element,
        lab: &Lab,
        phrases: &BTreeMap<String, String>,
        ears: Ears,
    ) -> Result<Self, JsValue> {
        let bundle: Bundle = load_bundle("terminal").await?.unchecked_into();
        let panel = bundle.create_panel(
            &parent,
            &parts_of(lab),
            bundle::phrases(phrases),
            &ears.act,
            &ears.place,
            &ears.shown,
            &ears.held,
        )?;
        Ok(Self { panel, _ears: ears })
    }

    /// The list of actions as it is now.
    pub fn sync(&self, save: &str) {
        self.panel.sync(save);
    }

    /// What a button did, as a command.
    pub fn echo(&self, host: &str, line: &str) {
        self.panel.echo(host, line);
    }

    /// Puts a command on the line, to be run by the reader.
    pub fn put(&self, line: &str) {
        self.panel.put(line);
    }

    /// Holds lines back while the past is shown, and says why; the clock shows this time, in ms since 1970. An empty text lets
    /// them run again.
    pub fn hold(&self, why: &str, time: f64) {
        self.panel.hold(why, time);
    }

    /// Runs a command on a machine, as the reader would.
    pub fn run(&self, host: &str, line: &str) {
        self.panel.run(host, line);
    }

    /// Draws another late part into an element; `on_say` gets what it tells the page.
    ///
    /// # Errors
    /// What the bundle throws where it has no such part.
    pub fn view(
        &self,
        name: &str,
        place: &Element,
        phrases: &BTreeMap<String, String>,
        on_say: yew::Callback<String>,
    ) -> Result<View, JsValue> {
        let on = Closure::<dyn FnMut(String)>::new(move |text| on_say.emit(text));
        let view = self.panel.view(name, place, bundle::phrases(phrases), &on)?;
        Ok(View { view, _on: on })
    }

    /// Shows the tab of a machine.
    pub fn show(&self, host: &str) {
        self.panel.show(host);
    }

    /// Gives the panel's own words in the reader's language.
    pub fn speak(&self, phrases: &BTreeMap<String, String>) {
        self.panel.speak(bundle::phrases(phrases));
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        self.panel.destroy();
    }
}

/// A lab as the worker takes it: the scenario's text, and path and text of its files.
fn parts_of(lab: &Lab) -> Object {
    let files: Array =
        lab.parts.1.iter().map(|(path, text)| Array::of2(&path.into(), &text.into())).collect();
    object([("scenario", lab.parts.0.as_str().into()), ("files", files.into())])
}
