//! The bundles of JavaScript that come after the page stands. The page names each by its content, so that a new release is
//! never mixed with an old one.

use js_sys::{Object, Reflect};
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

/// A JavaScript object with these properties.
pub fn object<'a>(entries: impl IntoIterator<Item = (&'a str, JsValue)>) -> Object {
    let object = Object::new();
    for (key, value) in entries {
        // A new object takes every property.
        let _ = Reflect::set(&object, &key.into(), &value);
    }
    object
}

/// The words of a bundle, by their keys.
pub fn phrases(words: &BTreeMap<String, String>) -> JsValue {
    object(words.iter().map(|(key, text)| (key.as_str(), text.as_str().into()))).into()
}

#[wasm_bindgen(
    inline_js = "export const loadBundle = (name) => { const file = document.querySelector(`meta[name=${name}]`)?.content; \
    return import(new URL(file, document.baseURI).href); };"
)]
extern "C" {
    /// Fetches the bundle that the page knows by this name: `editor`, `terminal`.
    ///
    /// # Errors
    /// What the browser says where it does not arrive.
    #[wasm_bindgen(js_name = loadBundle, catch)]
    pub async fn load_bundle(name: &str) -> Result<JsValue, JsValue>;
}
