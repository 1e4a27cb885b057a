//! Plays a story.

use super::compare::{Heard, Names, compare};
use super::kubelet;
use super::recording::{Step, Story};
use super::setup::Setup;
use super::words::{self, Deed, Difference, PodDeed};
use fourgaps_cluster::Cluster;
use fourgaps_cluster::daemon::{Report, Watch};
use fourgaps_cluster::meta::{Key, Meta};
use fourgaps_cluster::node::Condition;
use fourgaps_cluster::object::{Id, Kind, Plain};
use fourgaps_cluster::pod::{Pod, Shape};
use fourgaps_cluster::spec::Template;
use fourgaps_cluster::taint::{Effect, Taint};
use fourgaps_cluster::{change::Change, object::Object, rollout};
use fourgaps_view::kubectl::rollout as text;
use serde_json::json;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Plays a story to its end.
///
/// # Errors
/// The first difference: the step, what is recorded and what is ours.
pub fn play(story: &Story, watch: Watch) -> Result<(), String> {
    play_showing(story, watch, &mut |_, _| {})
}

/// The same, showing the cluster after every step.
///
/// # Errors
/// The first difference.
pub fn play_showing(
    story: &Story,
    watch: Watch,
    show: &mut dyn FnMut(&Step, &Cluster),
) -> Result<(), String> {
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let mut stage = Stage::new(story, watch)?;
        story.step.iter().try_for_each(|step| {
            stage.step(step).map_err(|why| format!("step {} `{}`: {why}", step.n, step.words))?;
            show(step, &stage.cluster);
            Ok(())
        })
    }));
    caught.unwrap_or_else(|_| Err("the engine panicked".into()))
}

#[derive(Clone)]
struct Stage<'a> {
    story: &'a Story,
    setup: Setup,
    set: Key,
    cluster: Cluster,
    names: Names,
    /// The error of the last sync that failed: the same one again is not recorded.
    last_error: Option<String>,
}

impl<'a> Stage<'a> {
    fn new(story: &'a Story, watch: Watch) -> Result<Self, String> {
        let setup = Setup::of(story)?;
        let cluster = setup.cluster(story, watch);
        let names = Names::new(&setup.template);
        Ok(Self { story, setup, set: Setup::key(story), cluster, names, last_error: None })
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        let deed = words::read(&step.words)?;
        if deed == Deed::Sync {
            let report = Some(self.next_sync()?);
            return self.see(step, Heard { report, ..Heard::default() });
        }
        // A few steps are done before the controller looked at what was done before; nothing says which. Such a step
        // fits only without the controller. What it has not seen stays in its queue, and must be recorded later.
        let before = self.cluster.daemonsets_wait().then(|| self.clone());
        let seen = self.rest().and_then(|()| self.deed(&deed, step));
        match (seen, before) {
            (Err(why), Some(before)) if !matches!(deed, Deed::End | Deed::Wait(_)) => {
                *self = before;
                self.deed(&deed, step).map_err(|_| why)
            }
            (seen, _) => seen,
        }
    }

    fn deed(&mut self, deed: &Deed, step: &Step) -> Result<(), String> {
        let output = self.act(deed, step)?;
        self.see(step, Heard { output, ..Heard::default() })
    }

    fn see(&mut self, step: &Step, mut heard: Heard) -> Result<(), String> {
        heard.queued = self.cluster.daemonsets_wait();
        self.names.learn(&self.cluster);
        compare(&self.cluster, &self.set, &self.names, step, &heard)
    }

    /// The next sync that is worth recording.
    fn next_sync(&mut self) -> Result<Report, String> {
        loop {
            let report = self.cluster.sync_daemonset().ok_or("a sync is recorded, but ours wants none")?;
            if self.counts(&report) {
                return Ok(report);
            }
        }
    }

    /// The controller runs until it wants nothing more; what it does then is not recorded, so it must do nothing.
    fn rest(&mut self) -> Result<(), String> {
        while let Some(report) = self.cluster.sync_daemonset() {
            if self.counts(&report) {
                let actions = self.names.actions(&report);
                return Err(format!("before this step ours did a sync that is not recorded: {actions:?}"));
            }
        }
        Ok(())
    }

    fn counts(&mut self, report: &Report) -> bool {
        let error = report.error.as_ref().map(|error| self.names.text(error, &report.key.name));
        let news = error.is_some() && error != self.last_error;
        if news {
            self.last_error = error;
        }
        report.changed || news
    }

    /// Time goes by; the controller may look, but does nothing before the end.
    fn wait_until(&mut self, then_ms: u64) -> Result<(), String> {
        while let Some(due_ms) = self.cluster.daemonsets_due_ms().filter(|due| *due < then_ms) {
            self.cluster.set_clock(due_ms);
            self.rest()?;
        }
        self.cluster.set_clock(then_ms);
        Ok(())
    }

    fn act(&mut self, deed: &Deed, step: &Step) -> Result<Option<String>, String> {
        let cluster = &mut self.cluster;
        match deed {
            Deed::Sync | Deed::End => {}
            Deed::Create => cluster.create_daemonset(self.setup.daemonset(self.story)?),
            Deed::Steady => self.steady(step.at_ms)?,
            Deed::Wait(ms) => self.wait_until(self.cluster.now_ms() + *ms)?,
            Deed::Template(name, differences) => self.template(name, differences)?,
            Deed::Strategy(strategy) => self.edit(|set| set.strategy = *strategy)?,
            Deed::MinReadySeconds(seconds) => self.edit(|set| set.min_ready_seconds = *seconds)?,
            Deed::Restart(name) => self.restart(name.as_deref())?,
            Deed::Undo(revision) => {
                let undo =
                    rollout::undo(cluster, &self.set, *revision).map_err(|refusal| refusal.to_string())?;
                return Ok(Some(text::undone(&self.set.name, &undo).0));
            }
            Deed::History => {
                let set = cluster.store().daemonset(&self.set).ok_or("there is no DaemonSet")?;
                let revisions = cluster.store().revisions_of(set.meta.uid);
                return Ok(Some(text::history(&self.set.name, &revisions)));
            }
            Deed::CreateClass(name) => {
                let body = json!({ "handler": name });
                cluster.put_plain(Kind::RuntimeClass, Plain { meta: Meta::new("", name), body });
            }
            Deed::DeleteClass(name) => cluster.remove(Id::new(Kind::RuntimeClass, "", name)),
            Deed::DeleteSet { foreground, orphan } => {
                if *orphan {
                    self.orphan()?;
                }
                let gone = self.cluster.delete_daemonset(&self.set, *foreground);
                gone.map_err(|refusal| refusal.to_string())?;
            }
            Deed::SetGone => cluster.remove(Id { kind: Kind::DaemonSet, key: self.set.clone() }),
            Deed::Pod(node, deed) => self.pod(node, deed)?,
            deed => self.node(deed)?,
        }
        Ok(None)
    }

    fn pod(&mut self, node: &str, deed: &PodDeed) -> Result<(), String> {
        kubelet::happen(&mut self.cluster, node, deed)
    }

    fn node(&mut self, deed: &Deed) -> Result<(), String> {
        let now_ms = self.cluster.now_ms();
        let cluster = &mut self.cluster;
        let edited = match deed {
            Deed::AddNode(name, taints) => {
                cluster.create_node(self.setup.node(name, taints.clone()));
                return Ok(());
            }
            Deed::DeleteNode(name) => {
                cluster.remove(Id::new(Kind::Node, "", name));
                return Ok(());
            }
            Deed::NodeReady(name, status) => cluster.edit_node(name, |node| {
                let (kind, status) = ("Ready".into(), *status);
                node.set_condition(Condition { kind, status, since_ms: now_ms, ..Condition::default() });
            }),
            Deed::Taint(name, taint) => cluster.edit_node(name, |node| node.add_taint(taint.clone())),
            Deed::Untaint(name, key, effect) => cluster.edit_node(name, |node| {
                let of_effect = |taint: &Taint| effect.is_none_or(|effect| taint.effect == effect);
                node.taints.retain(|taint| taint.key != *key || !of_effect(taint));
            }),
            Deed::Label(name, key, value) => cluster.edit_node(name, |node| match value {
                Some(value) => drop(node.meta.labels.insert(key.clone(), value.clone())),
                None => drop(node.meta.labels.remove(key)),
            }),
            Deed::Cordon(name, on) => cluster.edit_node(name, |node| {
                node.unschedulable = *on;
                let taint = Taint::new("node.kubernetes.io/unschedulable", Effect::NoSchedule);
                node.taints.retain(|old| old.key != taint.key);
                node.taints.extend(on.then_some(taint));
            }),
            other => return Err(format!("{other:?} is not played")),
        };
        edited.map(|_| ()).map_err(|refusal| refusal.to_string())
    }

    fn edit(&mut self, edit: impl FnOnce(&mut fourgaps_cluster::daemonset::DaemonSet)) -> Result<(), String> {
        self.cluster.edit_daemonset(&self.set, edit).map(|_| ()).map_err(|refusal| refusal.to_string())
    }

    fn template(&mut self, name: &str, differences: &[Difference]) -> Result<(), String> {
        let template = self.setup.template_with(differences);
        self.names.name_template(&template.given, name);
        let seconds = differences.iter().find_map(|difference| match difference {
            Difference::MinReadySeconds(seconds) => Some(*seconds),
            _ => None,
        });
        self.edit(|set| {
            set.template = Arc::new(template);
            set.min_ready_seconds = seconds.unwrap_or(set.min_ready_seconds);
        })
    }

    fn restart(&mut self, name: Option<&str>) -> Result<(), String> {
        let set = self.cluster.store().daemonset(&self.set).ok_or("there is no DaemonSet")?;
        let mut given = set.template.given.clone();
        let moment = self.cluster.now_ms().to_string();
        given["metadata"]["annotations"]["kubectl.kubernetes.io/restartedAt"] = json!(moment);
        if let Some(name) = name {
            self.names.name_template(&given, name);
        }
        self.edit(|set| set.template = Arc::new(Template::of(&given)))
    }

    /// The DaemonSet was created at moment 0 and all went well at once.
    fn steady(&mut self, at_ms: u64) -> Result<(), String> {
        self.cluster.create_daemonset(self.setup.daemonset(self.story)?);
        self.cluster.settle_daemonsets();
        let nodes: Vec<String> = self.cluster.store().nodes().map(|node| node.meta.name.clone()).collect();
        for node in nodes {
            let waits = |pod: &&Arc<Pod>| pod.place() == Some(&node) && pod.node.is_none();
            if self.cluster.store().pods().any(|pod| waits(&pod)) {
                self.pod(&node, &PodDeed::Bind)?;
                self.pod(&node, &PodDeed::Ready)?;
            }
        }
        self.cluster.settle_daemonsets();
        while let Some(due_ms) = self.cluster.daemonsets_due_ms().filter(|due| *due <= at_ms) {
            self.cluster.set_clock(due_ms);
            self.cluster.settle_daemonsets();
        }
        self.cluster.set_clock(at_ms);
        Ok(())
    }

    /// The pods lose their owner.
    fn orphan(&mut self) -> Result<(), String> {
        let uid = self.cluster.store().daemonset(&self.set).ok_or("there is no DaemonSet")?.meta.uid;
        let owned: Vec<Arc<Pod>> =
            self.cluster.store().pods().filter(|pod| pod.is_owned_by(uid)).cloned().collect();
        for pod in owned {
            let shape = Shape { owner: None, ..(*pod.shape).clone() };
            let pod = Pod { shape: Arc::new(shape), ..(*pod).clone() };
            self.cluster.commit(Change::Put(Object::Pod(Arc::new(pod))));
        }
        Ok(())
    }
}
