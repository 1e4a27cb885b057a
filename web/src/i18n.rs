//! The words of the page in the reader's language: fetched as a file, looked up by key.
//! Knows no sentence itself, so that a translation never needs a build.

use fourgaps_config::toml::v2::document;
use fourgaps_config::toml::{Kind, Node};
use fourgaps_lab::Lang;
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::prelude::*;

/// All texts of one language, by dotted key.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// The language.
    pub lang: Lang,
    table: BTreeMap<String, AttrValue>,
}

impl Words {
    /// Reads a language file: tables become dotted keys.
    ///
    /// # Errors
    /// Gives the words of the TOML reader where the file is broken.
    pub fn parse(lang: Lang, text: &str) -> Result<Self, String> {
        let root = document::tree(text).map_err(|fault| format!("{}: {}", fault.at, fault.message))?;
        let mut table = BTreeMap::new();
        flatten("", &root, &mut table);
        Ok(Self { lang, table })
    }

    /// The text under a key; the key itself where a translation is missing, so that the gap is seen.
    pub fn t(&self, key: &str) -> AttrValue {
        self.table.get(key).cloned().unwrap_or_else(|| AttrValue::from(key.to_owned()))
    }

    /// True where this language has a text for the key.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The text under a key with `{name}` filled in.
    pub fn with(&self, key: &str, args: &[(&str, &str)]) -> AttrValue {
        fill(&self.t(key), args).into()
    }

    /// The text for a number: `key.one` for exactly one where the language has it, else `key.other`.
    pub fn count(&self, key: &str, n: usize) -> AttrValue {
        self.count_with(key, n, &[])
    }

    /// Like [`Words::count`], with more names filled in.
    pub fn count_with(&self, key: &str, n: usize, args: &[(&str, &str)]) -> AttrValue {
        let one = format!("{key}.one");
        let key = if n == 1 && self.has(&one) { one } else { format!("{key}.other") };
        let n = n.to_string();
        let mut all = vec![("n", n.as_str())];
        all.extend_from_slice(args);
        self.with(&key, &all)
    }

    /// A list as this language writes it.
    pub fn list(&self, items: &[impl AsRef<str>]) -> String {
        let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
        items.join(&self.t("list.comma"))
    }

    /// Every entry below a table, for handing on to the editor.
    pub fn below(&self, prefix: &str) -> BTreeMap<String, String> {
        let head = format!("{prefix}.");
        let below = |(k, v): (&String, &AttrValue)| Some((k.strip_prefix(&head)?.to_string(), v.to_string()));
        fourgaps_base::map_of(self.table.iter().filter_map(below))
    }
}

fn flatten(key: &str, value: &Node, into: &mut BTreeMap<String, AttrValue>) {
    match &value.kind {
        Kind::Table(table) => {
            for (name, value) in &table.entries {
                let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                flatten(&key, value, into);
            }
        }
        Kind::String(text) => {
            into.insert(key.into(), AttrValue::from(text.clone()));
        }
        _ => {}
    }
}

/// Fills `{name}` in a text; what has no value stays as it is.
fn fill(text: &str, args: &[(&str, &str)]) -> String {
    let mut out = text.to_string();
    for (name, value) in args {
        out = out.replace(&format!("{{{name}}}"), value);
    }
    out
}

/// The words of the page, from the context that the app provides.
#[hook]
pub fn use_words() -> Rc<Words> {
    use_context::<Rc<Words>>().unwrap_or_else(|| Rc::new(Words { lang: Lang::En, table: BTreeMap::new() }))
}

/// The reader's language: the stored choice, else the first of the browser's that we speak, else English.
pub fn preferred(stored: Option<&str>, browser: &[String]) -> Lang {
    stored
        .and_then(Lang::from_code)
        .or_else(|| browser.iter().find_map(|code| Lang::from_code(code)))
        .unwrap_or(Lang::En)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_dotted_key_and_filled() {
        let words = Words::parse(
            Lang::En,
            "[goal]\nmet = \"{n} met\"\n[file.read]\none = \"one {x}\"\nother = \"{n} {x}\"\n[list]\ncomma = \", \"",
        )
        .unwrap();
        assert_eq!(words.with("goal.met", &[("n", "3")]), "3 met");
        assert_eq!(words.count_with("file.read", 1, &[("x", "file")]), "one file");
        assert_eq!(words.count_with("file.read", 2, &[("x", "files")]), "2 files");
        assert_eq!(words.t("none.such"), "none.such");
        assert_eq!(words.list(&["a", "b"]), "a, b");
    }

    fn file(lang: Lang) -> Words {
        let path = format!("{}/../static/i18n/{}.toml", env!("CARGO_MANIFEST_DIR"), lang.code());
        Words::parse(lang, &std::fs::read_to_string(path).unwrap()).unwrap()
    }

    /// The names between braces, in order.
    fn holes(text: &str) -> Vec<&str> {
        let mut found: Vec<&str> =
            text.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn every_language_says_everything_with_the_same_names() {
        let english = file(Lang::En);
        for lang in [Lang::Ja, Lang::Ko] {
            let words = file(lang);
            // The form for one thing is English alone.
            let wanted = english.table.keys().filter(|key| !key.ends_with(".one"));
            assert_eq!(words.table.keys().collect::<Vec<_>>(), wanted.collect::<Vec<_>>(), "{}", lang.code());
            for (key, text) in &words.table {
                // A number may be said in other words, a name may not be left out.
                let names =
                    |text| holes(text).into_iter().filter(|name| *name != "names").collect::<Vec<_>>();
                assert_eq!(names(text), names(&english.table[key]), "{} {key}", lang.code());
            }
        }
    }

    #[test]
    fn every_text_that_the_page_asks_for_is_there() {
        let english = file(Lang::En);
        let sections: std::collections::BTreeSet<&str> =
            english.table.keys().filter_map(|key| key.split('.').next()).collect();
        let mut asked = 0;
        let folder = format!("{}/src", env!("CARGO_MANIFEST_DIR"));
        for folder in [folder.clone(), format!("{folder}/components")] {
            for entry in std::fs::read_dir(folder).unwrap() {
                let Ok(source) = std::fs::read_to_string(entry.unwrap().path()) else { continue };
                let source = source.split("#[cfg(test)]").next().unwrap();
                for text in source.split('"').skip(1).step_by(2) {
                    let is_key = text.chars().all(|c| c.is_ascii_lowercase() || "._0123456789".contains(c));
                    let head = text.split('.').next().unwrap();
                    if !is_key || !text.contains('.') || text.ends_with('.') || !sections.contains(head) {
                        continue;
                    }
                    asked += 1;
                    let there = |end: &str| english.has(&format!("{text}{end}"));
                    let table = english.table.keys().any(|key| key.starts_with(&format!("{text}.")));
                    assert!(there("") || there(".other") || table, "no text `{text}`");
                }
            }
        }
        assert!(asked > 100, "{asked}");
    }

    #[test]
    fn the_stored_choice_wins_then_the_browser() {
        let browser = ["fr-FR".to_string(), "ko-KR".to_string(), "en".to_string()];
        assert_eq!(preferred(Some("ja"), &browser), Lang::Ja);
        assert_eq!(preferred(None, &browser), Lang::Ko);
        assert_eq!(preferred(None, &["de".to_string()]), Lang::En);
    }
}
