//! Small calls to the browser that several parts need: the window, the address, the theme, files in and out.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Blob, Element, HtmlAnchorElement, HtmlElement, ResizeObserver, Url};

/// Milliseconds since the page began, with fractions.
pub fn now() -> f64 {
    web_sys::window().and_then(|w| w.performance()).map_or(0.0, |p| p.now())
}

/// The part of the address from `#` on.
pub fn hash() -> String {
    web_sys::window().and_then(|w| w.location().hash().ok()).unwrap_or_default()
}

/// Changes the address without leaving a step to go back to.
pub fn replace_hash(hash: &str) {
    if let Some(history) = web_sys::window().and_then(|w| w.history().ok()) {
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address(hash)));
    }
}

/// The whole address with another part from `#` on. The page has a base, so a bare `#` would not do.
pub fn address(hash: &str) -> String {
    let href = web_sys::window().and_then(|w| w.location().href().ok()).unwrap_or_default();
    format!("{}{hash}", href.split('#').next().unwrap_or_default())
}

/// The languages that the browser asks for, best first.
pub fn languages() -> Vec<String> {
    let Some(window) = web_sys::window() else { return Vec::new() };
    window.navigator().languages().iter().filter_map(|code| code.as_string()).collect()
}

/// The root element of the page.
pub fn root() -> Option<HtmlElement> {
    web_sys::window()?.document()?.document_element()?.dyn_into().ok()
}

/// Sets or removes an attribute of the root element.
pub fn set_root(name: &str, value: Option<&str>) {
    let Some(root) = root() else { return };
    let _ = match value {
        Some(value) => root.set_attribute(name, value),
        None => root.remove_attribute(name),
    };
}

/// Sets the title of the window.
pub fn set_title(title: &str) {
    if let Some(document) = web_sys::window().and_then(|w| w.document()) {
        document.set_title(title);
    }
}

/// Chooses an entry of a native list. Undo and links choose too, and an attribute would not move a list that was used.
pub fn choose(id: &str, value: &str) {
    let element = web_sys::window().and_then(|w| w.document()).and_then(|d| d.get_element_by_id(id));
    if let Some(list) = element.and_then(|e| e.dyn_into::<web_sys::HtmlSelectElement>().ok()) {
        list.set_value(value);
    }
}

/// Moves the keyboard to the element of an id.
pub fn focus(id: &str) {
    let element = web_sys::window().and_then(|w| w.document()).and_then(|d| d.get_element_by_id(id));
    if let Some(element) = element.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Copies a text; false where the browser refuses.
pub async fn copy(text: &str) -> bool {
    let Some(window) = web_sys::window() else { return false };
    let navigator = window.navigator();
    // Without a secure origin there is no clipboard at all, and asking it would throw.
    let has = js_sys::Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|c| c.is_object());
    has && wasm_bindgen_futures::JsFuture::from(navigator.clipboard().write_text(text)).await.is_ok()
}

/// Lets the page be kept for the time without a network. Where the browser does not do that, nothing is lost.
pub fn keep_for_offline() {
    let Some(window) = web_sys::window() else { return };
    let navigator = window.navigator();
    if js_sys::Reflect::get(&navigator, &"serviceWorker".into()).is_ok_and(|c| c.is_object()) {
        let registered = navigator.service_worker().register("sw.js");
        wasm_bindgen_futures::spawn_local(async move {
            let _ = wasm_bindgen_futures::JsFuture::from(registered).await;
        });
    }
}

/// Hands a text to the reader as a file.
pub fn download(name: &str, text: &str) -> Option<()> {
    let document = web_sys::window()?.document()?;
    let parts = js_sys::Array::of1(&text.into());
    let blob = Blob::new_with_str_sequence(&parts).ok()?;
    let url = Url::create_object_url_with_blob(&blob).ok()?;
    let link: HtmlAnchorElement = document.create_element("a").ok()?.dyn_into().ok()?;
    link.set_href(&url);
    link.set_download(name);
    link.click();
    Url::revoke_object_url(&url).ok()
}

/// Calls a function whenever an element gets another size, from the first time it has one.
pub struct SizeWatch {
    observer: ResizeObserver,
    _on_size: Closure<dyn FnMut()>,
}

impl SizeWatch {
    /// Begins to watch.
    pub fn new(element: &Element, on_size: impl FnMut() + 'static) -> Option<Self> {
        let on_size = Closure::<dyn FnMut()>::new(on_size);
        let observer = ResizeObserver::new(on_size.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(Self { observer, _on_size: on_size })
    }
}

impl Drop for SizeWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
