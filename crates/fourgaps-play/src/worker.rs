//! The worker's door: plain texts in, JSON out.

use fourgaps_lab::Scenario;
use fourgaps_play::{Play, Sources};
use fourgaps_shell::{Output, StopHandle};
use js_sys::{Array, Function};
use std::cell::RefCell;
use std::pin::Pin;
use std::task::{Context, Poll};
use wasm_bindgen::prelude::*;

thread_local! {
    /// Where the running line prints. A function of the page cannot go through the shell, which may use threads elsewhere.
    static OUT: RefCell<Option<Function>> = const { RefCell::new(None) };
    static STOP: RefCell<Option<StopHandle>> = const { RefCell::new(None) };
}

/// A lab in the worker.
#[wasm_bindgen]
pub struct Bench {
    play: Play,
}

#[wasm_bindgen]
impl Bench {
    /// A lab on arrival, from its own text and from path and text of its files.
    ///
    /// # Errors
    /// Says what is wrong with the scenario.
    #[wasm_bindgen(constructor)]
    pub fn new(scenario: &str, files: &Array) -> Result<Bench, JsError> {
        let scenario = Scenario::parse("scenario.toml", scenario).map_err(|faults| {
            let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
            JsError::new(&lines.join("\n"))
        })?;
        let pair = |entry: JsValue| {
            let entry = Array::from(&entry);
            Some((entry.get(0).as_string()?, entry.get(1).as_string()?.into_bytes()))
        };
        let files: Sources = files.iter().filter_map(pair).collect();
        let mut play = Play::new(scenario, files);
        play.on_pause(|| Box::pin(Turn::default()));
        STOP.with_borrow_mut(|stop| *stop = Some(play.stop_handle()));
        Ok(Self { play })
    }

    /// Follows the list of a save.
    ///
    /// # Errors
    /// Says why the save is none of this lab.
    pub async fn take(&mut self, save: String) -> Result<String, JsError> {
        let taken = self.play.take(&save).await.map_err(|why| JsError::new(&why))?;
        STOP.with_borrow_mut(|stop| *stop = Some(self.play.stop_handle()));
        Ok(json(&taken))
    }

    /// Runs a line; `out` gets what it prints.
    pub async fn run(&mut self, tab: String, line: String, out: Function) -> String {
        OUT.with_borrow_mut(|slot| *slot = Some(out));
        let sink: Output = Box::new(|_, bytes| {
            let text = String::from_utf8_lossy(bytes);
            OUT.with_borrow(|out| {
                if let Some(out) = out {
                    let _ = out.call1(&JsValue::NULL, &text.as_ref().into());
                }
            });
        });
        let ran = self.play.run(&tab, &line, sink).await;
        OUT.with_borrow_mut(Option::take);
        json(&ran)
    }

    /// What Tab makes of a line.
    pub fn complete(&self, tab: &str, line: &str, cursor: u32) -> String {
        json(&self.play.complete(tab, line, cursor))
    }

    /// Answers a view of the page; `progress` is told part and whole of what takes long.
    ///
    /// # Errors
    /// Says why there is no answer.
    pub async fn ask(&mut self, what: String, arg: String, progress: Function) -> Result<String, JsError> {
        let mut tell = |part: u32, whole: u32| {
            let _ = progress.call2(&JsValue::NULL, &part.into(), &whole.into());
        };
        self.play.ask(&what, &arg, &mut tell).await.map_err(|why| JsError::new(&why))
    }
}

/// Stops the running line.
#[wasm_bindgen]
pub fn stop() {
    STOP.with_borrow(|stop| {
        if let Some(stop) = stop {
            stop.stop();
        }
    });
}

/// One turn of the browser's own loop, in which it hands over the messages that wait.
#[derive(Default)]
struct Turn {
    asked: bool,
}

impl Future for Turn {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.asked, true) {
            return Poll::Ready(());
        }
        let waker = context.waker().clone();
        let wake = Closure::once_into_js(move || waker.wake());
        set_timeout(&wake, 0);
        Poll::Pending
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(wake: &JsValue, ms: i32);
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
