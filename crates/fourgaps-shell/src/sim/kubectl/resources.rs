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
use fourgaps_view::kubectl::jsonpath::{Path, shown};
use fourgaps_view::kubectl::{completed, events_of, manifest};
use std::sync::Arc;

/// What the words ask for: a kind, and the names where some are given.
pub(super) struct Wanted {
    pub kind: Kind,
    pub names: Vec<String>,
    /// The names stand behind a slash.
    pub slashed: bool,
    /// The namespace that a manifest says.
    pub namespace: Option<String>,
}

/// What is meant of one kind.
pub(super) struct Group {
    pub kind: Kind,
    /// Every object was named.
    pub named: bool,
    pub objects: Vec<Object>,
}

/// The kinds of the category `all`, in the order in which a server names them; it has further ones that a lab has none of.
const ALL: [Kind; 5] = [Kind::Pod, Kind::Service, Kind::DaemonSet, Kind::Deployment, Kind::ReplicaSet];

/// Resources that a server of 1.34 has and a lab has not, with their short names.
const OTHERS: &str = "apiservices bindings certificatesigningrequests clusterrolebindings clusterroles componentstatuses \
    controllers cronjobs csidrivers csinodes csistoragecapacities customresourcedefinitions deviceclasses \
    endpointslices flowschemas horizontalpodautoscalers ingressclasses ingresses ipaddresses jobs limitranges \
    mutatingwebhookconfigurations networkpolicies persistentvolumeclaims persistentvolumes podtemplates \
    priorityclasses prioritylevelconfigurations replicationcontrollers resourceclaims resourceclaimtemplates \
    resourceslices rolebindings roles secrets serviceaccounts servicecidrs statefulsets storageclasses \
    validatingadmissionpolicies validatingadmissionpolicybindings validatingwebhookconfigurations \
    volumeattachments volumeattributesclasses cj crd crds cs csr hpa ing ip limits netpol pc pv pvc rc sa sc sts vac";

/// Reads `KIND [NAME…]`, `KIND/NAME…` and `KIND,KIND`.
pub(super) fn wanted(words: &[&str]) -> Result<Vec<Wanted>, Stop> {
    let Some((first, rest)) = words.split_first() else {
        return Stop::error(
            "error: You must provide one or more resources by argument or filename.\nExample resource specifications include:\n   '-f rsrc.yaml'\n   '--filename=rsrc.json'\n   '<resource> <name>'\n   '<resource>'",
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
            if name.contains('/') {
                return Stop::error(
                    "error: arguments in resource/name form may not have more than one slash",
                );
            }
            if kind.is_empty() || name.is_empty() || kind.contains(',') {
                return Stop::error(
                    "error: arguments in resource/name form must have a single resource and name",
                );
            }
            let kind = kind_of(kind)?;
            match all.last_mut().filter(|last| last.kind == kind) {
                Some(last) => last.names.push(name.into()),
                None => {
                    all.push(Wanted { kind, names: vec![name.into()], slashed: true, namespace: None });
                }
            }
        }
        return Ok(all);
    }
    let mut kinds: Vec<Kind> = Vec::new();
    for word in first.split(',').filter(|word| !word.is_empty()) {
        let found = if word == "all" { ALL.to_vec() } else { vec![kind_of(word)?] };
        for kind in found {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    let names: Vec<String> = rest.iter().map(ToString::to_string).collect();
    let one = |kind| Wanted { kind, names: names.clone(), slashed: false, namespace: None };
    Ok(kinds.into_iter().map(one).collect())
}

/// The kind that a word names.
pub(super) fn kind_of(word: &str) -> Result<Kind, Stop> {
    if let Some(kind) = Kind::meant(word) {
        return Ok(kind);
    }
    let name = word.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_it = |known: &str| {
        let singular = |end: &str, instead: &str| {
            known.strip_suffix(end).is_some_and(|head| name.strip_prefix(head) == Some(instead))
        };
        known == name || singular("s", "") || singular("es", "") || singular("ies", "y")
    };
    if OTHERS.split(' ').any(is_it) {
        return Err(Stop::NotSimulated(format!("the resource type {word}")));
    }
    Stop::error(format!("error: the server doesn't have a resource type \"{name}\""))
}

/// Every object of a kind, by namespace and name, as a server shows it.
pub(super) fn all_of(store: &Store, kind: Kind) -> Vec<Object> {
    match kind {
        Kind::Node => store.nodes().cloned().map(Object::Node).collect(),
        Kind::Pod => store.pods().cloned().map(Object::Pod).collect(),
        Kind::DaemonSet => store.daemonsets().cloned().map(Object::DaemonSet).collect(),
        Kind::ControllerRevision => store.revisions().cloned().map(Object::Revision).collect(),
        Kind::Event => events_of(store),
        kind => {
            store.others(kind).cloned().map(|plain| completed(store, Object::Other(kind, plain))).collect()
        }
    }
}

/// One object as a server shows it.
pub(super) fn object_of(store: &Store, id: &Id) -> Option<Object> {
    match id.kind {
        Kind::Event => events_of(store).into_iter().find(|event| event.key() == id.key),
        _ => store.get(id).map(|object| completed(store, object)),
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
    /// The objects that words or files mean, kind by kind; and what is said of names that are not there.
    pub fn groups(&self, words: &[&str]) -> Result<(Vec<Group>, Vec<String>), Stop> {
        let (mut groups, mut missing) = (Vec::new(), Vec::new());
        for wanted in self.wanted(words)? {
            let (objects, gone) = self.find(&wanted)?;
            missing.extend(gone);
            groups.push(Group { kind: wanted.kind, named: !wanted.names.is_empty(), objects });
        }
        Ok((groups, missing))
    }

    /// What words or files ask for.
    pub fn wanted(&self, words: &[&str]) -> Result<Vec<Wanted>, Stop> {
        if self.args.value("-f").is_none() {
            return wanted(words);
        }
        if !words.is_empty() {
            return Stop::error(
                "error: when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well",
            );
        }
        let mut found = Vec::new();
        for file in self.input()? {
            for manifest in file.manifests {
                let kind = fourgaps_cluster::manifest::kind_of(&manifest);
                let kind = kind.ok_or_else(|| super::write::unknown_kind(&manifest, &file.name))?;
                let text = |field: &str| manifest["metadata"][field].as_str().map(String::from);
                let (names, namespace) = (text("name").into_iter().collect(), text("namespace"));
                found.push(Wanted { kind, names, slashed: false, namespace });
            }
        }
        Ok(found)
    }

    /// The namespace of what is asked for; an empty one where its kind has none.
    pub fn namespace_of(&self, wanted: &Wanted) -> String {
        match wanted.kind.is_namespaced() {
            true => wanted.namespace.clone().unwrap_or_else(|| self.namespace()),
            false => String::new(),
        }
    }

    /// The objects that are meant, in order; a name that is not there ends in an error at the end.
    pub fn find(&self, wanted: &Wanted) -> Result<(Vec<Object>, Vec<String>), Stop> {
        let kind = wanted.kind;
        let namespace = self.namespace_of(wanted);
        let everywhere = self.args.has("-A");
        let selects = ["-l", "--field-selector"].iter().any(|flag| self.args.value(flag).is_some());
        if !wanted.names.is_empty() {
            if selects || self.args.has("--all") {
                return Stop::error(match wanted.slashed {
                    true => {
                        "error: selectors and the all flag cannot be used when passing resource/name arguments"
                    }
                    false => "error: name cannot be provided when a selector is specified",
                });
            }
            if everywhere && kind.is_namespaced() {
                return Stop::error("error: a resource cannot be retrieved by name across all namespaces");
            }
            let (mut found, mut missing) = (Vec::new(), Vec::new());
            for name in &wanted.names {
                let id = Id::new(kind, &namespace, name);
                match object_of(&self.store, &id) {
                    Some(object) => found.push(object),
                    None => missing.push(not_found(&id)),
                }
            }
            return Ok((found, missing));
        }
        let choice = Choice::of(self, wanted)?;
        let all = all_of(&self.store, kind).into_iter();
        Ok((all.filter(|object| choice.fits(object)).collect(), Vec::new()))
    }

    /// `--field-selector`: `path=value` and `path!=value`, for the fields that a server knows of a kind.
    fn fields(&self, kind: Kind, text: &str) -> Result<Vec<Field>, Stop> {
        let (own, says_all): (&[&str], bool) = match kind {
            Kind::Pod => (
                &[
                    "spec.hostNetwork",
                    "spec.nodeName",
                    "spec.restartPolicy",
                    "spec.schedulerName",
                    "spec.serviceAccountName",
                    "status.nominatedNodeName",
                    "status.phase",
                    "status.podIP",
                ],
                false,
            ),
            Kind::Node => (&["spec.unschedulable"], false),
            Kind::Namespace => (&["status.phase"], false),
            Kind::Event => (
                &[
                    "involvedObject.apiVersion",
                    "involvedObject.fieldPath",
                    "involvedObject.kind",
                    "involvedObject.name",
                    "involvedObject.namespace",
                    "involvedObject.resourceVersion",
                    "involvedObject.uid",
                    "reason",
                    "reportingComponent",
                    "source",
                    "type",
                ],
                false,
            ),
            _ => (&[], true),
        };
        let mut fields = Vec::new();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let Some((name, wanted)) = part.split_once('=') else {
                return Stop::error(format!(
                    "error: invalid field selector {text:?}: can't understand '{part}'"
                ));
            };
            let (name, equal) = name.strip_suffix('!').map_or((name, true), |name| (name, false));
            let known = name == "metadata.name" || name == "metadata.namespace" || own.contains(&name);
            if !known {
                let why = match says_all {
                    true => format!(
                        "\"{name}\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
                    ),
                    false => format!("field label not supported: {name}"),
                };
                let labels = self.args.value("-l").unwrap_or_default();
                let version = kind.api_version();
                let group = if kind.group().is_empty() { "/v1" } else { version };
                return Stop::error(format!(
                    "Error from server (BadRequest): Unable to find \"{group}, Resource={}\" that match label selector \"{labels}\", field selector \"{text}\": {why}",
                    kind.plural()
                ));
            }
            // The server keeps the source of an event under a shorter name.
            let path = if name == "source" { "source.component" } else { name };
            let path = Path::relaxed(path).map_err(|why| Stop::Error(format!("error: {why}")))?;
            let value = wanted.strip_prefix('=').unwrap_or(wanted).to_string();
            fields.push(Field {
                path,
                is_flag: name == "spec.unschedulable" || name == "spec.hostNetwork",
                equal,
                value,
            });
        }
        Ok(fields)
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

/// A field and the value that it should have or not have.
struct Field {
    path: Path,
    /// What is not written is false.
    is_flag: bool,
    equal: bool,
    value: String,
}

fn fulfils_fields(object: &Object, fields: &[Field]) -> bool {
    let whole = manifest(object);
    fields.iter().all(|field| {
        let found = field.path.find(&whole).first().map(|value| shown(value));
        let found = found.unwrap_or_else(|| if field.is_flag { "false".into() } else { String::new() });
        (found == field.value) == field.equal
    })
}

/// Which objects of a kind a list or a watch is about.
pub(super) struct Choice {
    kind: Kind,
    /// The namespace; nothing where it does not matter.
    namespace: Option<String>,
    names: Vec<String>,
    selector: Vec<Requirement>,
    fields: Vec<Field>,
}

impl Choice {
    /// What words and flags ask for.
    pub fn of(session: &Session<'_, '_>, wanted: &Wanted) -> Result<Self, Stop> {
        let kind = wanted.kind;
        let everywhere = session.args.has("-A") || !kind.is_namespaced();
        let namespace = || wanted.namespace.clone().unwrap_or_else(|| session.namespace());
        Ok(Self {
            kind,
            namespace: (!everywhere).then(namespace),
            names: wanted.names.clone(),
            selector: session.selector()?,
            fields: match session.args.value("--field-selector") {
                Some(text) => session.fields(kind, text)?,
                None => Vec::new(),
            },
        })
    }

    /// True for an object that is meant.
    pub fn fits(&self, object: &Object) -> bool {
        let key = object.key();
        object.kind() == self.kind
            && self.namespace.as_ref().is_none_or(|namespace| **namespace == *key.namespace)
            && (self.names.is_empty() || self.names.iter().any(|name| **name == *key.name))
            && fulfils(object, &self.selector)
            && (self.fields.is_empty() || fulfils_fields(object, &self.fields))
    }
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
