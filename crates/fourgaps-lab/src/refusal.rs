//! Why an action cannot be done: a code for translation, what it speaks of, and the sentence in English.

use std::collections::BTreeMap;
use std::fmt;

/// An action that the state does not allow. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Its name, for translation, for example `no-such-file`.
    pub code: &'static str,
    /// What the sentence speaks of, by name.
    pub args: BTreeMap<String, String>,
    /// The sentence in English.
    pub text: String,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, args: &[(&str, &str)], text: String) -> Self {
        let args = fourgaps_base::map_of(
            args.iter().map(|(name, value)| ((*name).to_string(), (*value).to_string())),
        );
        Self { code, args, text }
    }

    pub(crate) fn of_path(code: &'static str, path: &str, text: &str) -> Self {
        Self::new(code, &[("path", path)], text.replace("{path}", path))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Refusal {}
