//! A stage with one DaemonSet, as upstream's own tests have it: pods stay without a node, so that a deleted one is gone at
//! once, and the controller sees at once what it does.
#![allow(dead_code, reason = "each test program uses a part of it")]

use fourgaps_cluster::Cluster;
use fourgaps_cluster::change::Change;
use fourgaps_cluster::daemon::{Report, Watch, What};
use fourgaps_cluster::daemonset::{DaemonSet, DaemonStatus, Share, Strategy};
use fourgaps_cluster::meta::{Key, Labels, Meta, Owner};
use fourgaps_cluster::node::{Node, Truth};
use fourgaps_cluster::object::Object;
use fourgaps_cluster::pod::{HASH_LABEL, Phase, Pod, Shape};
use fourgaps_cluster::selector::Selector;
use fourgaps_cluster::spec::{PodSpec, Template};
use fourgaps_cluster::taint::Taint;
use serde_json::{Value, json};
use std::sync::Arc;

pub struct Stage {
    pub cluster: Cluster,
    pub key: Key,
    version: u32,
}

/// So many may be unavailable, or surge.
pub fn rolling(max_unavailable: &str, max_surge: &str) -> Strategy {
    let share = |text| Share::read(text).unwrap();
    Strategy::RollingUpdate { max_unavailable: share(max_unavailable), max_surge: share(max_surge) }
}

pub fn template(version: u32, more: &Value) -> Template {
    let mut spec = json!({ "containers": [{ "name": "main", "image": format!("app:{version}") }] });
    for (name, value) in more.as_object().into_iter().flatten() {
        spec[name] = value.clone();
    }
    Template::of(&json!({ "metadata": { "labels": { "app": "ds" } }, "spec": spec }))
}

impl Stage {
    /// Nodes `node-0` and so on.
    pub fn new(nodes: usize, strategy: Strategy) -> Self {
        Self::with(nodes, strategy, &json!({}))
    }

    pub fn with(nodes: usize, strategy: Strategy, more: &Value) -> Self {
        let mut cluster = Cluster::new(1, Watch::AtOnce);
        for n in 0..nodes {
            cluster.create_node(Node::new(&format!("node-{n}")));
        }
        let template = template(1, more);
        cluster.create_daemonset(DaemonSet {
            meta: Meta::new("gpu", "ds"),
            selector: Selector::of_labels(template.labels.clone()),
            template: Arc::new(template),
            strategy,
            revision_history_limit: 10,
            ..DaemonSet::default()
        });
        Self { cluster, key: Key::new("gpu", "ds"), version: 1 }
    }

    /// One sync: pods created and pods deleted.
    pub fn sync(&mut self) -> (usize, usize) {
        let report = self.report();
        let count = |what| report.actions.iter().filter(|action| action.what == what).count();
        (count(What::Created), count(What::Deleted))
    }

    /// One sync, and all that came of it.
    pub fn report(&mut self) -> Report {
        self.cluster.look_at_daemonset(&self.key);
        self.cluster.sync_daemonset().unwrap()
    }

    /// Syncs in a row.
    #[track_caller]
    pub fn check(&mut self, wanted: &[(usize, usize)]) {
        for (n, wanted) in wanted.iter().enumerate() {
            assert_eq!(self.sync(), *wanted, "sync {n}");
        }
    }

    pub fn update(&mut self, more: &Value) {
        self.version += 1;
        let template = Arc::new(template(self.version, more));
        self.edit(|set| set.template = template);
    }

    pub fn edit(&mut self, edit: impl FnOnce(&mut DaemonSet)) {
        self.cluster.edit_daemonset(&self.key, edit).unwrap();
    }

    pub fn status(&self) -> DaemonStatus {
        self.set().status
    }

    pub fn set(&self) -> &DaemonSet {
        self.cluster.store().daemonset(&self.key).unwrap()
    }

    pub fn hash(&self) -> String {
        let revisions = self.cluster.store().revisions_of(self.set().meta.uid);
        revisions.last().unwrap().hash().to_string()
    }

    pub fn ready(&mut self, pods: impl Fn(&Pod) -> bool) {
        self.say(pods, |status, now_ms| status.set_condition("Ready", Truth::True, now_ms));
    }

    pub fn all_ready(&mut self) {
        self.ready(|_| true);
    }

    pub fn phase(&mut self, phase: Phase, pods: impl Fn(&Pod) -> bool) {
        self.say(pods, |status, _| status.phase = phase);
    }

    pub fn say(
        &mut self,
        pods: impl Fn(&Pod) -> bool,
        what: impl Fn(&mut fourgaps_cluster::pod::PodStatus, u64),
    ) {
        let chosen: Vec<Arc<Pod>> = self.cluster.store().pods().filter(|pod| pods(pod)).cloned().collect();
        let now_ms = self.cluster.now_ms();
        for pod in chosen {
            let mut status = (*pod.status).clone();
            what(&mut status, now_ms);
            self.cluster.commit(Change::PodStatus { uid: pod.uid, status: Arc::new(status) });
        }
    }

    /// A pod of the DaemonSet that was there before, created at so many seconds.
    pub fn place(&mut self, node: &str, name: &str, hash: &str, at_seconds: u64) {
        let set = self.set();
        let owner = Owner { kind: "DaemonSet".into(), name: set.meta.name.clone(), uid: set.meta.uid };
        let labels = Labels::from([("app".into(), "ds".into()), (HASH_LABEL.into(), hash.into())]);
        let spec = PodSpec::of(&json!({}));
        self.put(node, name, at_seconds, Shape { labels, owner: Some(owner), spec, ..Shape::default() });
    }

    /// A pod that nobody controls.
    pub fn place_foreign(&mut self, node: &str, name: &str, labels: Labels, spec: PodSpec) {
        self.put(node, name, 0, Shape { labels, spec, ..Shape::default() });
    }

    fn put(&mut self, node: &str, name: &str, at_seconds: u64, shape: Shape) {
        let pod = Pod {
            key: Key::new("gpu", name),
            uid: self.cluster.store().next_uid(),
            created_ms: at_seconds * 1000,
            shape: Arc::new(shape),
            target: Some(node.into()),
            node: Some(node.into()),
            ..Pod::default()
        };
        self.cluster.commit(Change::Put(Object::Pod(Arc::new(pod))));
    }

    pub fn taint(&mut self, node: &str, taint: &str) {
        let taint = Taint::read(taint).unwrap();
        self.cluster.edit_node(node, |node| node.add_taint(taint)).unwrap();
    }

    pub fn label(&mut self, node: &str, key: &str, value: &str) {
        let set = |node: &mut Node| drop(node.meta.labels.insert(key.into(), value.into()));
        self.cluster.edit_node(node, set).unwrap();
    }
}
