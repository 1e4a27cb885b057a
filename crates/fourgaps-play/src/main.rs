//! The shell as a web worker: what the page's worker script calls. Natively there is nothing to do here.

#[cfg(target_arch = "wasm32")]
mod worker;

fn main() {}
