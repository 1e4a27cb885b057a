//! The conditions of checks: what is looked at, and what is found.

use super::data::{Keys, When};
use super::go_net;
use super::machine::Machine;
use super::plugins::{Lost, Plugins};
use super::spec;
use crate::duration;
use crate::load::open_error;
use crate::merge::is_zero;
use crate::toml::go_text::quote;
use crate::toml::v1::show;
use crate::toml::{Kind, Node};
use fourgaps_base::Files;

/// What conditions may ask beside the configuration itself.
pub(crate) struct World<'w> {
    pub plugins: &'w Plugins<'w>,
    pub files: &'w dyn Files,
    pub machine: &'w Machine,
}

/// What a condition that holds has found, for the texts of the check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub value: String,
    pub why: String,
    /// Numbers beside it, by their keys.
    pub numbers: Vec<(String, String)>,
}

impl Found {
    /// The names that a text may hold.
    pub fn names(&self) -> [(&'static str, String); 3] {
        [("value", self.value.clone()), ("quoted", quote(&self.value)), ("why", self.why.clone())]
    }
}

/// Looks at every condition in turn; `None` as soon as one does not hold.
pub(crate) fn all_hold(when: &[When], at: &Node, entry: &str, world: &World<'_>) -> Option<Found> {
    let mut found = Found::default();
    for condition in when {
        let new = holds(condition, at, entry, world)?;
        // A condition on the machine or on a plugin that works finds nothing in the configuration.
        if !matches!(condition, When::Cgroups { .. } | When::Works { .. } | When::NoInotifyInstance) {
            let numbers = std::mem::take(&mut found.numbers);
            found = new;
            found.numbers.extend(numbers);
        }
    }
    Some(found)
}

fn holds(when: &When, at: &Node, entry: &str, world: &World<'_>) -> Option<Found> {
    let (key, bad) = match when {
        When::Set { key } => (key, is_set(at, key).then(String::new)),
        When::Unset { key } => (key, (!is_set(at, key)).then(String::new)),
        When::Present { key } => (key, value_at(at, key).map(|_| String::new())),
        When::Text { key, text } => (key, (text_at(at, key) == *text).then(String::new)),
        When::OtherText { key, text } => (key, (text_at(at, key) != *text).then(String::new)),
        When::OtherNumber { key, number } => (key, (number_at(at, key) != *number).then(String::new)),
        When::Outside { key, least, most } => {
            (key, (!(*least..=*most).contains(&number_at(at, key))).then(String::new))
        }
        When::Same { key, other } => (key, (text_at(at, key) == text_at(at, other)).then(String::new)),
        When::NoneOf { key, texts } => (key, (!texts.contains(&text_at(at, key))).then(String::new)),
        When::NoEntry { key, of } => (key, (!has_entry(at, of, &text_at(at, key))).then(String::new)),
        When::AnyEntry { of, key } => (of, any_entry(at, of, key).then(String::new)),
        When::NoDuration { key } => (key, text(at, key).and_then(|t| duration::parse(&t).err())),
        When::NoLogLevel { key } => (key, text(at, key).filter(|t| super::log::Level::named(t).is_none())),
        When::NoUrlAsName => {
            return go_net::url_fault(entry).map(|why| Found {
                why,
                value: entry.into(),
                ..Found::default()
            });
        }
        When::NoTcpAddress { key, or_path } => {
            let address = text(at, key).filter(|address| !(*or_path && address.starts_with('/')));
            (key, address.and_then(|address| go_net::listen_fault(&address)))
        }
        When::NoFile { key } => {
            let path = text_at(at, key);
            (key, world.files.read(&path).err().map(|error| open_error(&path, &error)))
        }
        When::NoSpec { key } => (key, spec::fault(world.files, &text_at(at, key))),
        When::NoPlugin { key, of } => {
            (key, world.plugins.by_id(of, &text_at(at, key), None).err().map(|lost| lost.failed().why))
        }
        When::FailedPlugin { key, of } => {
            let why = match world.plugins.by_id(of, &text_at(at, key), None) {
                Err(Lost::Broken(failed)) => Some(failed.why),
                Err(Lost::Absent(_)) | Ok(()) => None,
            };
            (key, why)
        }
        When::NoRoot { key, of } => {
            let met = world.plugins.named(&format!("{of}.{}", text_at(at, key)));
            (key, met.filter(|met| met.root.is_none()).map(|_| String::new()))
        }
        When::Root { key, of } => {
            let met = world.plugins.named(&format!("{of}.{}", text_at(at, key)));
            (key, met.and_then(|met| met.root.clone()))
        }
        When::Relative { key } => (key, text(at, key).filter(|path| !path.starts_with('/'))),
        When::Gone { of, id } => {
            let lost = world.plugins.by_id(of, id, None).err()?;
            return Some(Found { why: lost.failed().why, value: id.clone(), ..Found::default() });
        }
        When::Works { of, id } => {
            return world.plugins.by_id(of, id, None).is_ok().then(Found::default);
        }
        When::Numbers { keys } => {
            let number = |key: &String| (key.clone(), number_at(at, &vec![key.clone()]).to_string());
            return Some(Found { numbers: keys.iter().map(number).collect(), ..Found::default() });
        }
        When::Cgroups { generation } => {
            return (world.machine.cgroups == *generation).then(Found::default);
        }
        When::NoInotifyInstance => {
            return (world.machine.inotify_instances <= 0).then(Found::default);
        }
    };
    Some(Found { why: bad?, value: text_at(at, key), ..Found::default() })
}

/// The value at some keys. A part in braces stands for the text at the keys between them.
pub(crate) fn value_at<'n>(at: &'n Node, keys: &Keys) -> Option<&'n Node> {
    keys.iter().try_fold(at, |node, key| {
        match key.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            None => node.table()?.get(key),
            Some(named) => node.table()?.get(&text_at(at, &named.split('.').map(String::from).collect())),
        }
    })
}

/// The text at some keys; numbers and lists as Go prints them, empty where nothing is there.
pub(crate) fn text_at(at: &Node, keys: &Keys) -> String {
    value_at(at, keys).map(show::value).unwrap_or_default()
}

/// The text at some keys where it is not empty.
fn text(at: &Node, keys: &Keys) -> Option<String> {
    Some(text_at(at, keys)).filter(|text| !text.is_empty())
}

fn number_at(at: &Node, keys: &Keys) -> i64 {
    match value_at(at, keys) {
        Some(Node { kind: Kind::Int(number), .. }) => *number,
        _ => 0,
    }
}

pub(crate) fn is_set(at: &Node, keys: &Keys) -> bool {
    value_at(at, keys).is_some_and(|node| !is_zero(&node.kind))
}

fn has_entry(at: &Node, of: &Keys, name: &str) -> bool {
    value_at(at, of).and_then(Node::table).is_some_and(|table| table.get(name).is_some())
}

fn any_entry(at: &Node, of: &Keys, key: &Keys) -> bool {
    let table = value_at(at, of).and_then(Node::table);
    table.is_some_and(|table| table.entries.values().any(|entry| value_at(entry, key).is_some()))
}
