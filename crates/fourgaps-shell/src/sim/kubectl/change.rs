//! What verbs that change objects have in common: a dry run, and what is told of each object.

use super::output::Format;
use super::resources::{Group, not_found, object_of};
use super::write::told;
use super::{Session, Stop};
use fourgaps_cluster::api::Refusal;
use fourgaps_cluster::manifest::{Problem, as_written};
use fourgaps_cluster::object::{Id, Kind, Object};
use fourgaps_cluster::{Cluster, Store};
use fourgaps_view::kubectl::manifest;
use serde_json::Value;

/// How much of a change is only tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dry {
    /// It happens.
    No,
    /// The program itself says what would become of it.
    Client,
    /// The server does.
    Server,
}

impl Dry {
    /// What stands behind the word of a verb.
    pub fn words(self) -> &'static str {
        match self {
            Self::No => "",
            Self::Client => " (dry run)",
            Self::Server => " (server dry run)",
        }
    }
}

/// Several errors: one alone has its `error: ` in front, several stand in lines without it (`checkErr`).
pub(super) fn several(mut errors: Vec<String>) -> Result<(), Stop> {
    if errors.len() > 1 {
        for error in &mut errors {
            *error = error.strip_prefix("error: ").unwrap_or(error).to_string();
        }
    }
    if errors.is_empty() { Ok(()) } else { Stop::error(errors.join("\n")) }
}

impl Session<'_, '_> {
    /// What `--dry-run` says.
    pub fn dry(&self) -> Result<Dry, Stop> {
        match self.args.value("--dry-run") {
            None | Some("none" | "false") => Ok(Dry::No),
            Some("client") => Ok(Dry::Client),
            Some("server") => Ok(Dry::Server),
            Some("" | "true") => Err(Stop::NotSimulated("--dry-run without client or server".into())),
            Some(other) => Stop::error(format!(
                "error: Invalid dry-run value ({other}). Must be \"none\", \"server\", or \"client\"."
            )),
        }
    }

    /// Asks the API server for a change, or tries it on a copy; gives the objects as they are then.
    pub fn try_api<T>(&mut self, wish: impl FnOnce(&mut Cluster) -> T) -> Result<(T, Store), Stop> {
        if self.dry()? == Dry::No {
            let answer = self.api(wish)?;
            return Ok((answer, self.store.clone()));
        }
        let mut copy = self.copy()?;
        let answer = wish(&mut copy);
        Ok((answer, copy.store().clone()))
    }

    /// Tells what became of an object: in a word, or in the form that `-o` wants.
    pub fn report(&mut self, store: &Store, id: &Id, word: &str) -> Result<(), Stop> {
        let text = match Format::read(self, false)? {
            Format::Table { .. } => {
                format!("{}/{} {word}{}\n", id.kind.told(), id.key.name, self.dry()?.words())
            }
            Format::Name => format!("{}/{}\n", id.kind.told(), id.key.name),
            form => match object_of(store, id) {
                Some(object) => form.text(vec![manifest(&object)], true, true),
                None => String::new(),
            },
        };
        self.call.out(text);
        Ok(())
    }

    /// The objects that a verb changes, which needs names, a selector or `--all`; and what is said of those that are not there.
    pub fn meant(&self, words: &[&str]) -> Result<(Vec<Object>, Vec<String>), Stop> {
        let all = self.args.has("--all")
            || ["-l", "--field-selector"].iter().any(|flag| self.args.value(flag).is_some());
        let (groups, missing) = self.groups(words)?;
        if groups.iter().any(|group: &Group| !group.named && !all) {
            return Stop::error("error: resource(s) were provided, but no name was specified");
        }
        Ok((groups.into_iter().flat_map(|group| group.objects).collect(), missing))
    }

    /// Merges a patch into a live object; gives whether it changed, and the objects then.
    pub fn merge(&mut self, object: &Object, patch: &Value) -> Result<(bool, Store), Stop> {
        self.rewrite(object, |live| Ok(fourgaps_cluster::manifest::patched(live, patch)))
    }

    /// Makes another object of a live one; gives whether it is another one, and the objects then.
    pub fn rewrite(
        &mut self,
        object: &Object,
        edit: impl FnOnce(&Value) -> Result<Value, Stop>,
    ) -> Result<(bool, Store), Stop> {
        let id = Id { kind: object.kind(), key: object.key() };
        if id.kind == Kind::Event {
            return Err(Stop::NotSimulated("a change of an event".into()));
        }
        // What a server fills in is not written.
        let Some(live) = self.store.get(&id) else { return Stop::error(not_found(&id)) };
        let before = as_written(&live);
        let after = edit(&before)?;
        if before == after {
            return Ok((false, self.store.clone()));
        }
        let (done, store) = self.try_api(|cluster| cluster.replace(id.kind, &live, &after).map(drop))?;
        match done {
            Ok(()) => Ok((true, store)),
            Err(Problem::Undecodable(why)) => Err(Stop::Undecodable(why)),
            Err(Problem::Refused(Refusal::NotFound(id))) => Stop::error(not_found(&id)),
            Err(problem) => Err(told(problem, id.kind, &id.key.name, "")),
        }
    }
}
