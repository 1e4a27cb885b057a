//! A cluster as the page shows it: nodes as cards, the numbers of its DaemonSets, a rollout over time, and what an alert would
//! have seen of it.

mod alert;
mod card;
mod course;
mod set;
#[cfg(test)]
mod tests;

pub use alert::{Alert, AlertSpan, Expression, Rule};
pub use card::{Gpus, Handlers, NodeCard, PodMark};
pub use course::{Course, CoursePod, CourseRow, Moment};
pub use set::{BlockerView, SetView, StallView};

use fourgaps_cluster::World;
use serde::Serialize;

/// A cluster at a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClusterView {
    /// The moment, in milliseconds.
    pub now_ms: u64,
    /// The DaemonSets, by namespace and name.
    pub sets: Vec<SetView>,
    /// The nodes, by name.
    pub nodes: Vec<NodeCard>,
}

impl ClusterView {
    /// What is there now; nothing where the world has no cluster.
    pub fn of(world: &World) -> Option<Self> {
        let (store, trace, now_ms) = (world.store()?, world.trace()?, world.now_ms());
        let sets: Vec<SetView> =
            store.daemonsets().map(|set| SetView::of(store, trace, set, now_ms)).collect();
        let revisions = card::Sets::of(store);
        let nodes = store.nodes().map(|node| NodeCard::of(world, store, &revisions, node)).collect();
        Some(Self { now_ms, sets, nodes })
    }
}
