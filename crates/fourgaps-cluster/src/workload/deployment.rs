//! The Deployment controller: it finds or makes the ReplicaSet of the template, and moves pods from the others to it.

use super::conditions::{self, Progress};
use super::plan::{DESIRED, MOST, proportional, recreating, replicas_of_new, rolling};
use super::view::{Deployment, HASH, REVISION, ReplicaSet, replica_sets_of};
use crate::change::Change;
use crate::cluster::Cluster;
use crate::daemon::hash_of;
use crate::event::{Level, Note};
use crate::manifest::LAST_APPLIED;
use crate::meta::{Key, Labels, Meta, Owner};
use crate::object::{Id, Kind, Object, Plain};
use crate::read::{number, part};
use crate::selector::Selector;
use crate::spec::Template;
use fourgaps_base::sort_by_key;
use serde_json::json;
use std::sync::Arc;

/// How many old ReplicaSets are kept where a manifest says nothing.
const HISTORY: usize = 10;

/// How a ReplicaSet names its Deployment.
fn owner(deployment: &Meta) -> Owner {
    Owner { kind: "Deployment".into(), name: deployment.name.clone(), uid: deployment.uid }
}

impl Cluster {
    pub(super) fn sync_deployment(&mut self, key: &Key) {
        let Some(plain) = self.store().other(Kind::Deployment, key).cloned() else { return };
        let deployment = Deployment::of(&plain);
        self.claim_sets(&plain);
        let before = replica_sets_of(self.store(), plain.meta.uid);
        let scaled = |set: &ReplicaSet| {
            let was = set.plain.meta.annotations.get(DESIRED).and_then(|text| text.parse::<u32>().ok());
            set.replicas > 0 && was.is_some_and(|was| was != deployment.replicas)
        };
        let (steps, all, made) = if deployment.paused || before.iter().any(scaled) {
            let new = newest(&deployment, &before);
            (proportional(&deployment, &before, new), before, false)
        } else {
            let made = newest(&deployment, &before).is_none();
            self.find_or_make(&deployment, before);
            let all = replica_sets_of(self.store(), plain.meta.uid);
            let Some(new) = newest(&deployment, &all) else { return };
            let steps = if deployment.recreates {
                let olds_run = self.olds_run(&all, new);
                recreating(&deployment, &all, new, olds_run)
            } else {
                rolling(&deployment, &all, new)
            };
            (steps, all, made)
        };
        for (at, to) in steps {
            self.scale_set(&deployment, &all[at], to);
        }
        self.write_deployment_status(key, made);
        self.clean_up(key);
    }

    /// ReplicaSets of nobody that match are taken in (`ClaimReplicaSets`).
    fn claim_sets(&mut self, deployment: &Plain) {
        let selector = Selector::of(part(part(&deployment.body, "spec"), "selector"));
        let meta = &deployment.meta;
        let is_free = |set: &&Arc<Plain>| {
            let is_here = set.meta.owner.is_none() && set.meta.namespace == meta.namespace;
            is_here && selector.matches(&set.meta.labels)
        };
        let free: Vec<Arc<Plain>> = self.store().others(Kind::ReplicaSet).filter(is_free).cloned().collect();
        for set in free {
            let mut set = (*set).clone();
            set.meta.owner = Some(owner(meta));
            self.commit(Change::Put(Object::Other(Kind::ReplicaSet, Arc::new(set))));
        }
    }

    /// True while a pod of an old ReplicaSet is there.
    fn olds_run(&self, all: &[ReplicaSet], new: usize) -> bool {
        let old = all.iter().enumerate().filter(|(at, _)| *at != new);
        let old: Vec<_> = old.map(|(_, set)| set.plain.meta.uid).collect();
        self.store()
            .pods_by_age()
            .any(|pod| !pod.status.phase.is_terminal() && old.iter().any(|uid| pod.is_owned_by(*uid)))
    }

    /// The ReplicaSet of the template gets the highest revision; where there is none, it is made.
    fn find_or_make(&mut self, deployment: &Deployment, all: Vec<ReplicaSet>) {
        let new = newest(deployment, &all);
        let old = all.iter().enumerate().filter(|(at, _)| Some(*at) != new);
        let revision = old.map(|(_, set)| set.revision()).max().unwrap_or(0) + 1;
        match new {
            Some(new) if all[new].revision() >= revision => self.number(deployment, all[new].revision()),
            Some(new) => {
                let plain = &all[new].plain;
                let mut set = (**plain).clone();
                set.meta.annotations.insert(REVISION.into(), revision.to_string());
                self.commit(Change::Put(Object::Other(Kind::ReplicaSet, Arc::new(set))));
                self.number(deployment, revision);
            }
            None => {
                self.make_set(deployment, &all, revision);
                self.number(deployment, revision);
            }
        }
    }

    /// Writes the revision into the Deployment.
    fn number(&mut self, deployment: &Deployment, revision: u64) {
        let plain = &deployment.plain;
        if deployment.revision() == revision {
            return;
        }
        let mut new = (**plain).clone();
        new.meta.annotations.insert(REVISION.into(), revision.to_string());
        self.commit(Change::Put(Object::Other(Kind::Deployment, Arc::new(new))));
    }

    fn make_set(&mut self, deployment: &Deployment, all: &[ReplicaSet], revision: u64) {
        let (plain, spec) = (&deployment.plain, deployment.spec());
        let mut template = part(spec, "template").clone();
        let hash = hash_of(&Template::of(&template), 0);
        template["metadata"]["labels"][HASH] = hash.clone().into();
        let mut selector = part(spec, "selector").clone();
        selector["matchLabels"][HASH] = hash.clone().into();
        let replicas = replicas_of_new(deployment, all, 0);
        let mut body = json!({
            "spec": { "replicas": replicas, "selector": selector, "template": template },
            "status": { "replicas": 0 },
        });
        if deployment.min_ready_seconds > 0 {
            body["spec"]["minReadySeconds"] = deployment.min_ready_seconds.into();
        }
        let mut annotations = own_annotations(plain);
        annotations.extend(numbers(deployment));
        annotations.insert(REVISION.into(), revision.to_string());
        let owner = owner(&plain.meta);
        let name = format!("{}-{hash}", plain.meta.name);
        let meta = Meta {
            labels: crate::read::labels(part(&template, "metadata"), "labels"),
            annotations,
            owner: Some(owner),
            ..Meta::new(&plain.meta.namespace, &name)
        };
        self.put_plain(Kind::ReplicaSet, Plain { meta, body });
        let message = format!("Scaled up replica set {name} from 0 to {replicas}");
        self.told_of_deployment(plain, message);
    }

    fn scale_set(&mut self, deployment: &Deployment, set: &ReplicaSet, to: u32) {
        let mut new = (*set.plain).clone();
        new.body["spec"]["replicas"] = to.into();
        new.meta.annotations.extend(numbers(deployment));
        if new == *set.plain {
            return;
        }
        self.put_plain(Kind::ReplicaSet, new);
        if to == set.replicas {
            return;
        }
        let way = if to > set.replicas { "up" } else { "down" };
        let message = format!("Scaled {way} replica set {} from {} to {to}", set.name(), set.replicas);
        self.told_of_deployment(&deployment.plain, message);
    }

    fn told_of_deployment(&mut self, plain: &Plain, message: String) {
        self.tell(Note {
            about: Id { kind: Kind::Deployment, key: plain.meta.key() },
            uid: Some(plain.meta.uid),
            level: Level::Normal,
            reason: "ScalingReplicaSet".into(),
            message,
            source: "deployment-controller".into(),
        });
    }

    fn write_deployment_status(&mut self, key: &Key, made: bool) {
        let Some(plain) = self.store().other(Kind::Deployment, key).cloned() else { return };
        let (deployment, now_ms) = (Deployment::of(&plain), self.now_ms());
        let all = replica_sets_of(self.store(), plain.meta.uid);
        let new = newest(&deployment, &all).map(|at| &all[at]);
        let progress = Progress { deployment: &deployment, all: &all, new, made, now_ms };
        let (status, due_ms) = conditions::status(&progress);
        if let Some(due_ms) = due_ms {
            self.workloads.deployments.add_at(key.clone(), due_ms);
        }
        if status != *deployment.status() {
            self.write_status(Kind::Deployment, &plain, status);
        }
    }

    /// Old ReplicaSets without pods go, the oldest revisions first, where there are more than are to be kept; not before the
    /// Deployment is complete (`cleanupDeployment`).
    fn clean_up(&mut self, key: &Key) {
        let Some(plain) = self.store().other(Kind::Deployment, key).cloned() else { return };
        let deployment = Deployment::of(&plain);
        if !conditions::is_complete(&deployment, deployment.status()) {
            return;
        }
        let all = replica_sets_of(self.store(), plain.meta.uid);
        let new = newest(&deployment, &all);
        let limit = number(deployment.spec(), "revisionHistoryLimit");
        let limit = limit.map_or(HISTORY, |limit| usize::try_from(limit).unwrap_or(0));
        let old = all.iter().enumerate().filter(|(at, _)| Some(*at) != new).map(|(_, set)| set);
        let mut old: Vec<&ReplicaSet> = old.collect();
        sort_by_key(&mut old, |set| set.revision());
        let surplus = old.len().saturating_sub(limit);
        let spent = old.into_iter().take(surplus).filter(|set| set.replicas == 0 && set.status.replicas == 0);
        let keys: Vec<Key> = spent.map(|set| set.plain.meta.key()).collect();
        for key in keys {
            self.remove(Id { kind: Kind::ReplicaSet, key });
        }
    }
}

/// Where the ReplicaSet of the Deployment's template is in a list; of several the oldest.
pub(super) fn newest(deployment: &Deployment, all: &[ReplicaSet]) -> Option<usize> {
    let template = part(deployment.spec(), "template");
    all.iter().position(|set| set.template() == *template)
}

/// What a ReplicaSet has from its Deployment's annotations.
fn own_annotations(plain: &Plain) -> Labels {
    let own = |key: &str| key != LAST_APPLIED && !key.starts_with("deployment.kubernetes.io/");
    let annotations = plain.meta.annotations.iter().filter(|(key, _)| own(key));
    annotations.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn numbers(deployment: &Deployment) -> [(String, String); 2] {
    [(DESIRED, deployment.replicas), (MOST, deployment.most())]
        .map(|(key, number)| (key.to_string(), number.to_string()))
}
