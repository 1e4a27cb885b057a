//! What the API server makes of a manifest: it creates an object, changes one, or says what is wrong.

use super::{
    as_written, daemonset_of, defaults, kind_of, merge, meta_of, plain_of, schema, shape_of, validate,
};
use crate::api::{NewPod, Refusal};
use crate::change::Change;
use crate::cluster::Cluster;
use crate::meta::Key;
use crate::object::{Id, Kind, Object};
use crate::pod::{Pod, Shape};
use crate::read::{flag, items, part, text};
use crate::taint::{Effect, Taint};
use serde_json::{Value, json};
use std::sync::Arc;

/// The annotation in which `kubectl apply` keeps what it applied last.
pub const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// What became of a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// There is a new object.
    Created,
    /// An object changed.
    Configured,
    /// The object was so already.
    Unchanged,
}

/// Why nothing became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The server cannot make an object of it (400); the message.
    Undecodable(String),
    /// The object is invalid (422); every fault, `PLACE: WHAT`.
    Invalid(Vec<String>),
    /// The server refuses.
    Refused(Refusal),
    /// What the real server does is not known here.
    NotSimulated(String),
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// A manifest whose types are right, with its defaults and what the server warns of.
fn checked(kind: Kind, value: &Value) -> Result<(Value, Vec<String>), Problem> {
    let name = kind.name();
    let version = kind.api_version().rsplit('/').next().unwrap_or_default();
    schema::check(kind, value).map_err(|why| {
        Problem::Undecodable(format!("{name} in version \"{version}\" cannot be handled as a {name}: {why}"))
    })?;
    let mut whole = value.clone();
    defaults::fill(kind, &mut whole);
    let faults = validate::faults(kind, &whole);
    if !faults.is_empty() {
        return Err(Problem::Invalid(faults));
    }
    let warnings = validate::warnings(kind, &whole);
    Ok((whole, warnings))
}

impl Cluster {
    /// Creates the object of a manifest; gives what the server warns of.
    ///
    /// # Errors
    /// Says why there is none.
    pub fn create(&mut self, value: &Value) -> Result<Vec<String>, Problem> {
        let kind = kind_of(value).ok_or_else(|| Problem::NotSimulated("this kind of object".into()))?;
        let key = meta_of(kind, value).key();
        if !key.namespace.is_empty() {
            let namespace = Key::new("", &key.namespace);
            if self.store().other(Kind::Namespace, &namespace).is_none() {
                return Err(Refusal::NotFound(Id { kind: Kind::Namespace, key: namespace }).into());
            }
        }
        let (whole, warnings) = checked(kind, value)?;
        let id = Id { kind, key };
        if self.store().get(&id).is_some() {
            return Err(Refusal::AlreadyExists(id).into());
        }
        match kind {
            Kind::DaemonSet => self.create_daemonset(daemonset_of(&whole)),
            Kind::Pod => {
                let shape = Arc::new(shape_of(&whole));
                let (namespace, name) = (id.key.namespace.to_string(), id.key.name.to_string());
                self.create_pod(NewPod { namespace, name, shape, target: None }).map_err(Problem::Refused)?;
            }
            Kind::Event | Kind::Node | Kind::ControllerRevision => {
                return Err(Problem::NotSimulated(format!("a {} by hand", kind.singular())));
            }
            kind => {
                let mut plain = plain_of(kind, &whole);
                if kind == Kind::Service {
                    self.give_address(&mut plain.body["spec"]);
                }
                self.put_plain(kind, plain);
            }
        }
        Ok(warnings)
    }

    /// A Service gets an address of its own. A free choice: they are given out one after the other.
    fn give_address(&self, spec: &mut Value) {
        if spec.get("clusterIP").is_none() {
            let nth = self.next_uid().0;
            spec["clusterIP"] = format!("10.96.{}.{}", nth / 250 % 256, nth % 250 + 1).into();
        }
        spec["clusterIPs"] = json!([spec["clusterIP"]]);
        for (field, value) in [
            ("ipFamilies", json!(["IPv4"])),
            ("ipFamilyPolicy", json!("SingleStack")),
            ("internalTrafficPolicy", json!("Cluster")),
        ] {
            if spec.get(field).is_none() {
                spec[field] = value;
            }
        }
    }

    /// Changes a live object to what is written.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn replace(&mut self, kind: Kind, old: &Object, new: &Value) -> Result<Vec<String>, Problem> {
        let (whole, warnings) = checked(kind, new)?;
        let faults = validate::update_faults(kind, &as_written(old), &whole);
        if !faults.is_empty() {
            return Err(Problem::Invalid(faults));
        }
        let key = old.key();
        match kind {
            Kind::DaemonSet => {
                let new = daemonset_of(&whole);
                self.edit_daemonset(&key, |set| {
                    (set.meta.labels, set.meta.annotations) = (new.meta.labels, new.meta.annotations);
                    set.template = new.template;
                    (set.strategy, set.min_ready_seconds) = (new.strategy, new.min_ready_seconds);
                    set.revision_history_limit = new.revision_history_limit;
                })?;
            }
            Kind::Pod if part(&as_written(old), "spec") == part(new, "spec") => {
                let meta = meta_of(kind, &whole);
                let pod = self.store().pod(&key).cloned();
                let pod = pod.ok_or(Refusal::NotFound(Id { kind, key }))?;
                let (labels, annotations) = (meta.labels, meta.annotations);
                let shape = Arc::new(Shape { labels, annotations, ..(*pod.shape).clone() });
                self.commit(Change::Put(Object::Pod(Arc::new(Pod { shape, ..(*pod).clone() }))));
            }
            Kind::Node => {
                let (meta, spec) = (meta_of(kind, &whole), part(&whole, "spec"));
                let mut taints = Vec::new();
                for given in items(spec, "taints") {
                    let effect = text(given, "effect").and_then(Effect::read);
                    let effect = effect.ok_or_else(|| {
                        Problem::NotSimulated("a taint with an effect that there is not".into())
                    })?;
                    let value = text(given, "value").unwrap_or_default().to_string();
                    let key = text(given, "key").unwrap_or_default();
                    taints.push(Taint { value, ..Taint::new(key, effect) });
                }
                let (now_ms, on) = (self.now_ms(), flag(spec, "unschedulable"));
                let changes = self.store().node(&key.name).is_some_and(|node| node.unschedulable != on);
                self.edit_node(&key.name, |node| {
                    for taint in &mut taints {
                        let old = node.taints.iter().find(|old| {
                            (&old.key, old.effect, &old.value) == (&taint.key, taint.effect, &taint.value)
                        });
                        let added = || (taint.effect == Effect::NoExecute).then_some(now_ms);
                        taint.added_ms = old.map_or_else(added, |old| old.added_ms);
                    }
                    (node.meta.labels, node.meta.annotations) = (meta.labels, meta.annotations);
                    node.taints = taints;
                })?;
                if changes {
                    self.cordon(&key.name, on)?;
                }
            }
            Kind::Event | Kind::Pod | Kind::ControllerRevision => {
                return Err(Problem::NotSimulated(format!("a change of this part of a {}", kind.singular())));
            }
            kind => self.put_plain(kind, plain_of(kind, &whole)),
        }
        Ok(warnings)
    }

    /// `kubectl apply` of one manifest, whose namespace is written into it; gives what the server warns of.
    ///
    /// # Errors
    /// Says why nothing became of it.
    pub fn apply(&mut self, value: &Value) -> Result<(Applied, Vec<String>), Problem> {
        let kind = kind_of(value).ok_or_else(|| Problem::NotSimulated("this kind of object".into()))?;
        let id = Id { kind, key: meta_of(kind, value).key() };
        let mut written = value.clone();
        if part(&written, "metadata").get("annotations").is_none() {
            written["metadata"]["annotations"] = json!({});
        }
        if let Some(annotations) = written["metadata"]["annotations"].as_object_mut() {
            annotations.remove(LAST_APPLIED);
        }
        let last = format!("{written}\n");
        let mut new = written;
        new["metadata"]["annotations"][LAST_APPLIED] = last.into();
        let Some(old) = self.store().get(&id) else {
            return self.create(&new).map(|warnings| (Applied::Created, warnings));
        };
        let live = as_written(&old);
        let before = text(part(part(&live, "metadata"), "annotations"), LAST_APPLIED);
        let before = before.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null);
        let merged = merge::merged(&live, &before, &new);
        if merged == live {
            return Ok((Applied::Unchanged, Vec::new()));
        }
        let warnings = self.replace(kind, &old, &merged)?;
        Ok((Applied::Configured, warnings))
    }

    /// Merges a patch into a live object; false where nothing changed.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn patch(&mut self, kind: Kind, old: &Object, patch: &Value) -> Result<bool, Problem> {
        let live = as_written(old);
        let merged = merge::patched(&live, patch);
        if merged == live {
            return Ok(false);
        }
        self.replace(kind, old, &merged).map(|_| true)
    }
}
