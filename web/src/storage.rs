//! What the browser keeps for the reader: the work of each lab, progress marks, language, theme.
//! A save that cannot be read is moved aside, never overwritten.

use fourgaps_base::{Json, Kept, kept};

const LANG: &str = "fourgaps.lang";
const THEME: &str = "fourgaps.theme";

/// How far a lab is done, for the list of labs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Goals that hold now.
    pub goals_met: usize,
    /// Goals in all.
    pub goals: usize,
    /// Questions whose last answer is right.
    pub right: usize,
    /// Questions in all.
    pub questions: usize,
}
kept!(Progress { goals_met, goals, right, questions });

impl Progress {
    /// True where nothing is left.
    pub fn done(self) -> bool {
        self.goals > 0 && self.goals_met == self.goals && self.right == self.questions
    }

    /// True where something has been done.
    pub fn begun(self) -> bool {
        self.goals_met + self.right > 0
    }
}

/// Where the work of a lab is kept.
pub fn work_key(slug: &str) -> String {
    format!("fourgaps.work.{slug}")
}

/// The saved work of a lab, as it was written.
pub fn work(slug: &str) -> Option<String> {
    raw(&work_key(slug))
}

/// Keeps the work of a lab; false where the browser refuses (full, or forbidden).
pub fn keep_work(slug: &str, save: &str) -> bool {
    put(&work_key(slug), save)
}

/// Moves a save aside under a key of its own and names that key, so that nothing is lost.
pub fn set_aside(slug: &str) -> Option<String> {
    let save = work(slug)?;
    let key = (1..).map(|n| format!("{}.kept-{n}", work_key(slug))).find(|key| {
        let there = raw(key);
        there.is_none() || there.as_deref() == Some(&save)
    })?;
    put(&key, &save).then_some(key)
}

/// A save that was moved aside.
pub fn kept(key: &str) -> Option<String> {
    raw(key)
}

/// The node that was last chosen in a lab.
pub fn node(slug: &str) -> Option<String> {
    raw(&format!("fourgaps.node.{slug}"))
}

/// Keeps the chosen node of a lab.
pub fn keep_node(slug: &str, node: &str) {
    // Where it cannot be kept, the first node comes up again.
    put(&format!("fourgaps.node.{slug}"), node);
}

/// Progress of a lab; nothing where it was never opened.
pub fn progress(slug: &str) -> Progress {
    get(&format!("fourgaps.progress.{slug}")).unwrap_or_default()
}

/// Keeps the progress of a lab.
pub fn keep_progress(slug: &str, progress: Progress) {
    // A mark that cannot be kept costs nothing: it is counted again when the lab is opened.
    set(&format!("fourgaps.progress.{slug}"), &progress);
}

/// The language chosen by the reader.
pub fn lang() -> Option<String> {
    get(LANG)
}

/// Keeps the language.
pub fn keep_lang(code: &str) {
    set(LANG, &code.to_string());
}

/// The theme chosen by the reader: `light` or `dark`; nothing means as the system says.
pub fn theme() -> Option<String> {
    get(THEME)
}

/// Keeps the theme, or forgets it.
pub fn keep_theme(theme: Option<&str>) {
    match theme {
        Some(theme) => {
            set(THEME, &theme.to_string());
        }
        None => {
            local().map(|storage| storage.remove_item(THEME));
        }
    }
}

fn get<T: Kept>(key: &str) -> Option<T> {
    T::from_json(&Json::read(&raw(key)?).ok()?).ok()
}

fn set(key: &str, value: &impl Kept) -> bool {
    put(key, &value.to_json().write())
}

// Saves are kept as they are, not wrapped once more: a reader who looks finds the same text as in an exported file.
fn local() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

fn raw(key: &str) -> Option<String> {
    local()?.get_item(key).ok()?
}

fn put(key: &str, text: &str) -> bool {
    local().is_some_and(|storage| storage.set_item(key, text).is_ok())
}
