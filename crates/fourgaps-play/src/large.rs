//! A large rollout, step by step: the same controller, scheduler and kubelets as in a lab, on thousands of nodes. What a step
//! gives is what changed in it, so that a page can follow.

use fourgaps_cluster::daemonset::DaemonSet;
use fourgaps_cluster::{Cluster, large};
use fourgaps_view::cluster::SetView;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many nodes at most.
const MOST: u32 = 10_000;

/// A large rollout on its way.
pub struct Large {
    cluster: Cluster,
    /// The number of each node in the list of names.
    at: BTreeMap<Arc<str>, u32>,
    /// How many steps of the trace were told.
    told: usize,
}

/// A large rollout as it begins.
#[derive(Serialize)]
pub struct Start {
    /// The nodes, in order.
    pub nodes: Vec<String>,
    /// The DaemonSet.
    pub set: Option<SetView>,
}

/// What a step changed.
#[derive(Serialize)]
pub struct Frame {
    /// How long the rollout runs, in milliseconds.
    pub since_ms: u64,
    /// The DaemonSet.
    pub set: Option<SetView>,
    /// The number of a node, the number of its pod's revision, and the word for where the pod stands; revision 0 for none.
    pub changes: Vec<(u32, u64, &'static str)>,
    /// True where nothing will happen but tries that were made before.
    pub still: bool,
}

impl Large {
    /// All nodes run the first template; the second one was just given.
    ///
    /// # Errors
    /// So many nodes are too many, or none.
    pub fn begin(nodes: u32) -> Result<(Self, Start), String> {
        if nodes == 0 || nodes > MOST {
            return Err(format!("1 to {MOST} nodes"));
        }
        let mut cluster = large::steady(nodes);
        let names = cluster.store().nodes().map(|node| node.meta.name.clone()).collect::<Vec<_>>();
        let at = names.iter().zip(0u32..).map(|(name, at)| (name.as_str().into(), at)).collect();
        let set = view(&cluster);
        large::begin(&mut cluster);
        let told = cluster.trace().steps().len();
        Ok((Self { cluster, at, told }, Start { nodes: names, set }))
    }

    /// Lets time pass.
    pub fn step(&mut self, ms: u64) -> Frame {
        let cluster = &mut self.cluster;
        cluster.run_until(cluster.now_ms() + ms);
        // Nobody folds them here, and thousands of nodes make many.
        cluster.take_facts();
        let cluster = &self.cluster;
        let Some(set) = found(cluster) else {
            return Frame { since_ms: 0, set: None, changes: Vec::new(), still: true };
        };
        let revisions = cluster.store().revisions_of(set.meta.uid);
        let number = |hash: &str| {
            revisions.iter().find(|revision| revision.hash() == hash).map_or(0, |revision| revision.number)
        };
        let mut changes: BTreeMap<u32, (u64, &'static str)> = BTreeMap::new();
        let steps = cluster.trace().steps();
        // The trace forgets its older half where it grows too long; what is left of it is told.
        let new = steps.get(self.told..).unwrap_or(steps);
        for step in new.iter().filter(|step| step.set == set.meta.uid) {
            let Some(at) = self.at.get(&step.node) else { continue };
            let now = step.rung.map_or((0, "none"), |rung| (number(step.hash()), rung.name()));
            changes.insert(*at, now);
        }
        self.told = steps.len();
        let view = view(cluster);
        let begun_ms = view.as_ref().map_or(0, |view| view.begun_ms);
        Frame {
            since_ms: cluster.now_ms().saturating_sub(begun_ms),
            still: view.as_ref().is_none_or(|view| !view.rolling || view.stall.is_some()),
            set: view,
            changes: changes.into_iter().map(|(at, (revision, rung))| (at, revision, rung)).collect(),
        }
    }
}

fn found(cluster: &Cluster) -> Option<&Arc<DaemonSet>> {
    cluster.store().daemonset(&large::key())
}

fn view(cluster: &Cluster) -> Option<SetView> {
    let set = found(cluster)?;
    Some(SetView::of(cluster.store(), cluster.trace(), set, cluster.now_ms()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_to_the_end_and_tell_every_node() {
        let (mut large, start) = Large::begin(60).unwrap();
        assert_eq!((start.nodes.len(), start.set.map(|set| set.revision)), (60, Some(1)));
        let mut marks = vec![(1, "ready"); 60];
        let frame = loop {
            let frame = large.step(500);
            for (at, revision, rung) in &frame.changes {
                marks[*at as usize] = (*revision, *rung);
            }
            if frame.still {
                break frame;
            }
        };
        let set = frame.set.unwrap();
        assert_eq!((set.updated, set.available), (60, 59));
        let stall = set.stall.unwrap();
        assert_eq!((stall.blockers[0].node.as_str(), stall.blockers[0].cause), ("node-7", "image"));
        assert!(frame.since_ms > 300_000);
        let odd: Vec<&String> = start
            .nodes
            .iter()
            .zip(&marks)
            .filter(|(_, mark)| **mark != (2, "ready"))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(odd, ["node-7"]);
    }

    #[test]
    fn too_many_nodes_are_refused() {
        assert!(Large::begin(0).is_err());
        assert!(Large::begin(MOST + 1).is_err());
    }
}
