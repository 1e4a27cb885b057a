//! The bundles of JavaScript that come after the page stands. The page names each by its content, so that a new release is
//! never mixed with an old one.

use wasm_bindgen::prelude::*;

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
