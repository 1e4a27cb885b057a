//! Tab: the usage line of a verb says what may stand where.

use super::resources::all_of;
use super::{NAMESPACE, VERBS, Verb, verb_of};
use crate::sim::flags::Takes;
use fourgaps_base::set_of;
use fourgaps_cluster::Store;
use fourgaps_cluster::object::Kind;

/// Words that could stand behind these; `current` is the namespace that is meant where none is written. Without a store no
/// server is known, and only what the program itself knows is offered.
pub(super) fn words(store: Option<&Store>, before: &[String], current: &str) -> Vec<String> {
    let Some(verb) = verb_of(before) else {
        return match before.last() {
            Some(last) if NAMESPACE.0.contains(&last.as_str()) => namespaces(store),
            _ => VERBS.iter().map(|verb| verb.name.to_string()).collect(),
        };
    };
    let given = Given::read(verb, before, current);
    match given.open {
        Some(flag) if NAMESPACE.0.contains(&flag) => namespaces(store),
        Some("-o") => ["json", "jsonpath=", "name", "wide", "yaml"].map(String::from).to_vec(),
        Some(_) => Vec::new(),
        None => {
            let mut found = given.positional(store, verb);
            let flags = verb.flags.iter().flat_map(|flag| flag.0.iter().map(ToString::to_string));
            // How a script of ours calls the program is nobody's business.
            found.extend(flags.filter(|flag| !flag.starts_with("--edited")));
            found
        }
    }
}

/// What stands there already.
#[derive(Default)]
struct Given<'a> {
    /// The words that belong to no flag, from the verb on.
    plain: Vec<&'a str>,
    namespace: &'a str,
    /// A flag whose value comes next, by its first name.
    open: Option<&'static str>,
}

impl<'a> Given<'a> {
    fn read(verb: &Verb, before: &'a [String], current: &'a str) -> Self {
        let mut given = Self { namespace: current, ..Self::default() };
        for word in before {
            if let Some(flag) = given.open.take() {
                given.namespace = if NAMESPACE.0.contains(&flag) { word } else { given.namespace };
            } else if word.starts_with('-') {
                let known = verb.flags.iter().find(|flag| flag.0.contains(&word.as_str()));
                given.open = known.filter(|flag| flag.1 == Takes::Value).map(|flag| flag.0[0]);
            } else {
                given.plain.push(word);
            }
        }
        given
    }

    /// What the usage line wants at the next place: `KIND`, `NAME`, `NODE`, `POD`, or one of the words `a|b`.
    fn positional(&self, store: Option<&Store>, verb: &Verb) -> Vec<String> {
        let usage: Vec<&str> =
            verb.help.split(' ').take_while(|word| !word.starts_with(['-', '|'])).collect();
        let at = self.plain.len() - 1;
        let wanted = usage.get(at).or_else(|| usage.last().filter(|word| word.contains('…')));
        let Some(wanted) = wanted.map(|word| word.trim_matches(['[', ']', '…'])) else { return Vec::new() };
        let names = |kind| self.names(store, kind);
        match wanted {
            "KIND" | "KIND.FIELD.FIELD" if store.is_none() => Vec::new(),
            "KIND" | "KIND.FIELD.FIELD" => Kind::all().map(|kind| kind.plural().to_string()).collect(),
            "NAME" => self.plain.iter().rev().find_map(|word| Kind::meant(word)).map_or_else(Vec::new, names),
            "NODE" => names(Kind::Node),
            "POD" => names(Kind::Pod),
            "KIND/NAME" => {
                let rolled = [Kind::DaemonSet, Kind::Deployment].into_iter();
                let with_kind = |kind: Kind| {
                    names(kind).into_iter().map(move |name| format!("{}/{name}", kind.singular()))
                };
                rolled.flat_map(with_kind).collect()
            }
            words if words.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'|') => {
                words.split('|').map(String::from).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The names of a kind, in the namespace that is written or meant.
    fn names(&self, store: Option<&Store>, kind: Kind) -> Vec<String> {
        let Some(store) = store else { return Vec::new() };
        let wanted = if kind.is_namespaced() { self.namespace } else { "" };
        let objects = all_of(store, kind).into_iter().map(|object| object.key().clone());
        objects.filter(|key| *key.namespace == *wanted).map(|key| key.name.to_string()).collect()
    }
}

/// Every namespace that something is in.
fn namespaces(store: Option<&Store>) -> Vec<String> {
    let Some(store) = store else { return Vec::new() };
    // Events are about objects, and live where those do.
    let kinds = Kind::all().filter(|kind| *kind != Kind::Event);
    let objects = kinds.flat_map(|kind| all_of(store, kind));
    let mut found = set_of(objects.map(|object| object.key().namespace.to_string()));
    found.remove("");
    found.into_iter().collect()
}
