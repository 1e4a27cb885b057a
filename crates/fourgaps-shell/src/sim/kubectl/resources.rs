//! Which objects are meant: kinds and names on the command line, and selectors.

use super::{Session, Stop};
use fourgaps_cluster::Store;
use fourgaps_cluster::api::Refusal;
use fourgaps_cluster::meta::Uid;
use fourgaps_cluster::object::{Id, Kind, Object};
use fourgaps_cluster::pod::Pod;
use fourgaps_cluster::selector::{Operator, Requirement};
use fourgaps_cluster::store::labels_of;
use fourgaps_cluster::workload::replica_sets_of;
use std::sync::Arc;

/// What the words ask for: a kind, and the names where some are given.
pub(super) struct Wanted {
    pub kind: Kind,
    pub names: Vec<String>,
}

/// Reads `KIND [NAME…]`, `KIND/NAME…` and `KIND,KIND`.
pub(super) fn wanted(words: &[&str]) -> Result<Vec<Wanted>, Stop> {
    let Some((first, rest)) = words.split_first() else {
        return Stop::error(
            "You must specify the type of resource to get. Use \"kubectl api-resources\" for a complete list of supported resources.\n\nerror: Required resource not specified.\nUse \"kubectl explain <resource>\" for a detailed description of that resource (e.g. kubectl explain pods).\nSee 'kubectl get -h' for help and examples",
        );
    };
    if words.iter().any(|word| word.contains('/')) {
        let mut all: Vec<Wanted> = Vec::new();
        for word in words {
            let Some((kind, name)) = word.split_once('/') else {
                return Stop::error(
                    "error: there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'",
                );
            };
            let kind = kind_of(kind)?;
            match all.last_mut().filter(|last| last.kind == kind) {
                Some(last) => last.names.push(name.into()),
                None => all.push(Wanted { kind, names: vec![name.into()] }),
            }
        }
        return Ok(all);
    }
    let kinds: Vec<Kind> = first.split(',').map(kind_of).collect::<Result<_, _>>()?;
    Ok(kinds
        .into_iter()
        .map(|kind| Wanted { kind, names: rest.iter().map(ToString::to_string).collect() })
        .collect())
}

/// The kind that a word names.
pub(super) fn kind_of(word: &str) -> Result<Kind, Stop> {
    Kind::meant(word)
        .ok_or_else(|| Stop::Error(format!("error: the server doesn't have a resource type \"{word}\"")))
}

/// Every object of a kind, by namespace and name.
pub(super) fn all_of(store: &Store, kind: Kind) -> Vec<Object> {
    match kind {
        Kind::Node => store.nodes().cloned().map(Object::Node).collect(),
        Kind::Pod => store.pods().cloned().map(Object::Pod).collect(),
        Kind::DaemonSet => store.daemonsets().cloned().map(Object::DaemonSet).collect(),
        Kind::ControllerRevision => store.revisions().cloned().map(Object::Revision).collect(),
        kind => store.others(kind).cloned().map(|plain| Object::Other(kind, plain)).collect(),
    }
}

/// The pods of a workload.
pub(super) fn pods_behind(store: &Store, object: &Object) -> Vec<Arc<Pod>> {
    let owners: Vec<Uid> = match object {
        Object::DaemonSet(set) => vec![set.meta.uid],
        Object::Other(Kind::Deployment, plain) => {
            replica_sets_of(store, plain.meta.uid).iter().map(|set| set.plain.meta.uid).collect()
        }
        Object::Other(Kind::ReplicaSet, plain) => vec![plain.meta.uid],
        _ => Vec::new(),
    };
    store.pods().filter(|pod| owners.iter().any(|uid| pod.is_owned_by(*uid))).cloned().collect()
}

impl Session<'_, '_> {
    /// The objects that are meant, in order; a name that is not there ends in an error at the end.
    pub fn find(&self, wanted: &Wanted) -> Result<(Vec<Object>, Vec<String>), Stop> {
        self.find_in(wanted, None)
    }

    /// The same in a namespace, or in the one that is meant.
    pub fn find_in(
        &self,
        wanted: &Wanted,
        namespace: Option<String>,
    ) -> Result<(Vec<Object>, Vec<String>), Stop> {
        let kind = wanted.kind;
        let namespace = match kind.is_namespaced() {
            true => namespace.unwrap_or_else(|| self.namespace()),
            false => String::new(),
        };
        let everywhere = self.args.has("-A");
        if !wanted.names.is_empty() {
            if everywhere {
                return Stop::error("error: a resource cannot be retrieved by name across all namespaces");
            }
            let (mut found, mut missing) = (Vec::new(), Vec::new());
            for name in &wanted.names {
                let id = Id::new(kind, &namespace, name);
                match self.store.get(&id) {
                    Some(object) => found.push(object),
                    None => missing.push(not_found(&id)),
                }
            }
            return Ok((found, missing));
        }
        let selector = self.selector()?;
        let is_in =
            |object: &Object| everywhere || !kind.is_namespaced() || *object.key().namespace == *namespace;
        let fits = |object: &Object| is_in(object) && fulfils(object, &selector);
        Ok((all_of(&self.store, kind).into_iter().filter(fits).collect(), Vec::new()))
    }

    /// What `-l` asks for.
    pub fn selector(&self) -> Result<Vec<Requirement>, Stop> {
        Ok(self.args.value("-l").map(selector).transpose()?.unwrap_or_default())
    }
}

fn fulfils(object: &Object, selector: &[Requirement]) -> bool {
    let labels = labels_of(object);
    selector.iter().all(|wanted| wanted.matches(labels.get(&wanted.key)))
}

/// True for an object of the namespace that is meant and with the labels that are asked for.
pub(super) fn is_meant(session: &Session<'_, '_>, object: &Object, selector: &[Requirement]) -> bool {
    let everywhere = session.args.has("-A") || !object.kind().is_namespaced();
    (everywhere || *object.key().namespace == *session.namespace()) && fulfils(object, selector)
}

/// The words of the server where an object is not there.
pub(super) fn not_found(id: &Id) -> String {
    refused(&Refusal::NotFound(id.clone()), "")
}

/// The words of the server's refusal; `doing` says what failed, where kubectl says so.
pub(super) fn refused(refusal: &Refusal, doing: &str) -> String {
    let word = match refusal {
        Refusal::Forbidden(_) => "Forbidden",
        Refusal::NotFound(_) => "NotFound",
        Refusal::AlreadyExists(_) => "AlreadyExists",
        Refusal::TooManyRequests(_) => "TooManyRequests",
    };
    format!("Error from server ({word}): {doing}{refusal}")
}

/// Reads `-l`: `a=b,c!=d,e,!f,g in (x,y),h notin (z)`.
pub(super) fn selector(text: &str) -> Result<Vec<Requirement>, Stop> {
    let mut requirements = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        // A comma inside brackets belongs to a set.
        let mut depth = 0;
        let end = rest.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ',' && depth == 0
        });
        let (one, next) = end.map_or((rest, ""), |at| (&rest[..at], &rest[at + 1..]));
        let read = requirement(one.trim());
        requirements.push(read.ok_or_else(|| Stop::NotSimulated(format!("the selector `{text}`")))?);
        rest = next.trim_start();
    }
    Ok(requirements)
}

fn requirement(text: &str) -> Option<Requirement> {
    let make = |key: &str, operator, values: Vec<String>| {
        let key = key.trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        (!key.is_empty() && key.chars().all(plain)).then(|| Requirement { key: key.into(), operator, values })
    };
    let one = |value: &str| vec![value.trim().to_string()];
    if let Some((key, set)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        let values = set.split(',').map(|value| value.trim().to_string()).collect();
        let (key, word) = key.trim().rsplit_once(' ')?;
        return match word {
            "in" => make(key, Operator::In, values),
            "notin" => make(key, Operator::NotIn, values),
            _ => None,
        };
    }
    if let Some((key, value)) = text.split_once("!=") {
        make(key, Operator::NotIn, one(value))
    } else if let Some((key, value)) = text.split_once("==").or_else(|| text.split_once('=')) {
        make(key, Operator::In, one(value))
    } else if let Some(key) = text.strip_prefix('!') {
        make(key, Operator::DoesNotExist, Vec::new())
    } else {
        make(text, Operator::Exists, Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourgaps_cluster::meta::Labels;

    fn holds(text: &str, labels: &Labels) -> bool {
        let Ok(wanted) = selector(text) else { panic!("{text}") };
        wanted.iter().all(|wanted| wanted.matches(labels.get(&wanted.key)))
    }

    #[test]
    fn selectors_are_read_in_all_their_forms() {
        let labels = Labels::from([("app".to_string(), "gpu".to_string()), ("x.io/y".into(), "1".into())]);
        for yes in ["app=gpu", "app==gpu,x.io/y", "app in (a, gpu)", "app notin (a,b),!zone", "zone!=a", ""] {
            assert!(holds(yes, &labels), "{yes}");
        }
        for no in ["app=web", "!app", "zone", "app notin (gpu)", "app=gpu,zone in (a)"] {
            assert!(!holds(no, &labels), "{no}");
        }
        assert!(selector("a b").is_err() && selector("=x").is_err());
    }
}
