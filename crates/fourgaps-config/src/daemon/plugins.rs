//! The plugins that a process has met so far, and how one plugin finds another.
//! Source of the rules: `plugin/context.go` of 1.6 and 1.7, and the plugin library of 2.x.

use super::data::{Lookup, Seen};
use super::fill;

/// A plugin that was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Met {
    pub uri: String,
    pub state: State,
    /// True where it is another process, which is only called when something is asked of it.
    pub proxy: bool,
    /// Its root folder, where it says so.
    pub root: Option<String>,
    /// The platforms that it says it is for.
    pub platforms: Vec<String>,
}

/// How a plugin fared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Working,
    Skipped(String),
    Failed(Failed),
    /// It took the whole process down.
    Crashed(String),
}

/// Why a plugin, or a step of it, failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failed {
    /// The error in the process's own words.
    pub why: String,
    /// True where it comes down to a plugin that is not there: whoever can do without that plugin can do
    /// without this one too.
    pub not_found: bool,
}

impl State {
    /// The error, if it does not work.
    pub fn error(&self) -> Option<&str> {
        match self {
            Self::Working => None,
            Self::Skipped(why) | Self::Failed(Failed { why, .. }) | Self::Crashed(why) => Some(why),
        }
    }
}

/// Why a plugin cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// It is not there.
    Absent(Failed),
    /// It is there and does not work.
    Broken(Failed),
}

impl Lost {
    fn absent(why: String) -> Self {
        Self::Absent(Failed { why, not_found: true })
    }

    pub fn failed(self) -> Failed {
        match self {
            Self::Absent(failed) | Self::Broken(failed) => failed,
        }
    }
}

/// The plugins of a process, in the order in which they were met.
#[derive(Clone, Debug)]
pub(crate) struct Plugins<'d> {
    lookup: &'d Lookup,
    met: Vec<Met>,
}

impl<'d> Plugins<'d> {
    pub fn new(lookup: &'d Lookup) -> Self {
        Self { lookup, met: Vec::new() }
    }

    pub fn add(&mut self, met: Met) {
        self.met.push(met);
    }

    /// All of them, in the order in which they were met.
    pub fn iter(&self) -> impl Iterator<Item = &Met> {
        self.met.iter()
    }

    /// Those of a type that failed: their names, and why.
    pub fn failed<'p>(&'p self, of: &'p str) -> impl Iterator<Item = (&'p str, &'p str)> {
        self.of(of).filter_map(move |met| match &met.state {
            State::Failed(failed) => Some((id_in(&met.uri, of)?, failed.why.as_str())),
            _ => None,
        })
    }

    /// The plugin of this full name.
    pub fn named(&self, uri: &str) -> Option<&Met> {
        self.met.iter().find(|met| met.uri == uri)
    }

    /// Those of a type. A name has no dots, a type has.
    fn of<'p>(&'p self, of: &'p str) -> impl Iterator<Item = &'p Met> {
        self.met.iter().filter(move |met| id_in(&met.uri, of).is_some())
    }

    fn none(&self, of: &str) -> Lost {
        Lost::absent(fill(&self.lookup.none, &[("type", of)]))
    }

    /// Takes one plugin of a type.
    pub fn one(&self, of: &str) -> Result<(), Lost> {
        let seen = |met: &&Met| self.lookup.all == Seen::Met || !matches!(met.state, State::Skipped(_));
        let met = self.of(of).find(seen).ok_or_else(|| self.none(of))?;
        working(met)
    }

    /// Takes the plugin of a type and name.
    pub fn by_id(&self, of: &str, id: &str, absent: Option<&str>) -> Result<(), Lost> {
        if let Some(met) = self.of(of).find(|met| id_in(&met.uri, of) == Some(id)) {
            return working(met);
        }
        if self.lookup.all == Seen::Met && self.of(of).next().is_none() {
            return Err(self.none(of));
        }
        let words = absent.unwrap_or(&self.lookup.no_id);
        Err(Lost::absent(fill(words, &[("type", of), ("id", id)])))
    }

    /// Takes all plugins of a type; those that work are counted.
    pub fn every(&self, of: &str) -> Result<usize, Lost> {
        let working = self.of(of).filter(|met| met.state == State::Working).count();
        match self.lookup.all {
            Seen::Met if self.of(of).next().is_none() => Err(self.none(of)),
            Seen::Met => Ok(working),
            Seen::Working => {
                for met in self.of(of) {
                    if let State::Failed(failed) = &met.state {
                        return Err(Lost::Broken(failed.clone()));
                    }
                }
                if working == 0 { Err(self.none(of)) } else { Ok(working) }
            }
        }
    }
}

fn working(met: &Met) -> Result<(), Lost> {
    match &met.state {
        State::Working => Ok(()),
        State::Skipped(why) | State::Crashed(why) => {
            Err(Lost::Broken(Failed { why: why.clone(), not_found: false }))
        }
        State::Failed(failed) => Err(Lost::Broken(failed.clone())),
    }
}

/// The name of a plugin among those of a type; `None` where it is of another type.
fn id_in<'u>(uri: &'u str, of: &str) -> Option<&'u str> {
    uri.strip_prefix(of)?.strip_prefix('.').filter(|id| !id.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(all: Seen, wanted_one: &str, wanted_all: &str, wanted_id: &str) {
        let words = Lookup {
            all,
            none: "no plugins registered for {type}: not found".into(),
            no_id: "no {type} plugins with id {id}: not found".into(),
        };
        let mut plugins = Plugins::new(&words);
        let mut add = |uri: &str, state| {
            plugins.add(Met { uri: uri.into(), state, proxy: false, root: None, platforms: Vec::new() });
        };
        add("io.a.v1.skipped", State::Skipped("skip plugin".into()));
        add("io.a.v1.failed", State::Failed(Failed { why: "broken".into(), not_found: false }));
        add("io.a.v1.fine", State::Working);
        assert_eq!(plugins.failed("io.a.v1").collect::<Vec<_>>(), [("failed", "broken")]);
        let why = |lost: Lost| lost.failed().why;
        assert_eq!(plugins.one("io.a.v1").map_err(why).unwrap_err(), wanted_one);
        assert_eq!(plugins.every("io.a.v1").map_or_else(why, |n| n.to_string()), wanted_all);
        assert_eq!(plugins.by_id("io.b.v1", "x", None).map_err(why).unwrap_err(), wanted_id);
        assert_eq!(plugins.by_id("io.a.v1", "fine", None), Ok(()));
    }

    #[test]
    fn plugins_find_each_other() {
        let none = "no plugins registered for io.b.v1: not found";
        check(Seen::Met, "skip plugin", "1", none);
        check(Seen::Working, "broken", "broken", "no io.b.v1 plugins with id x: not found");
    }
}
