//! A rollout as rows of nodes over time: which revision each node had when, and where its pod stood.

use super::card::Revisions;
use fourgaps_base::set_of;
use fourgaps_cluster::Store;
use fourgaps_cluster::daemonset::DaemonSet;
use fourgaps_cluster::meta::{Uid, whole_seconds};
use fourgaps_cluster::trace::{Rung, Step, Trace};
use serde::Serialize;
use std::collections::BTreeMap;

/// So many moments are shown, the latest ones.
const MOMENTS: usize = 40;
/// So many nodes are shown.
const ROWS: usize = 40;

/// What the pods of a DaemonSet went through.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Course {
    /// The seconds in which something changed; one in which the template changed counts twice.
    pub moments: Vec<Moment>,
    /// How many there were before.
    pub earlier: u32,
    /// A row for each node.
    pub rows: Vec<CourseRow>,
    /// How many nodes have no row.
    pub more: u32,
}

/// A moment at which pods changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Moment {
    /// When, in milliseconds, cut to whole seconds.
    pub at_ms: u64,
    /// Which template the DaemonSet had then.
    pub template_generation: u64,
}

impl Moment {
    fn of(step: &Step) -> Self {
        Self { at_ms: whole_seconds(step.at_ms), template_generation: step.template_generation }
    }
}

/// A node over time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CourseRow {
    /// The node.
    pub node: String,
    /// The pods that it had at the end of each moment, oldest first.
    pub cells: Vec<Vec<CoursePod>>,
}

/// A pod at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CoursePod {
    /// The number of its revision; 0 where it is known no more.
    pub revision: u64,
    /// The word for where it stood.
    pub rung: &'static str,
}

impl Course {
    /// What the pods of a DaemonSet went through so far.
    pub fn of(store: &Store, trace: &Trace, set: &DaemonSet) -> Self {
        let uid = set.meta.uid;
        let steps = || trace.steps().iter().filter(move |step| step.set == uid);
        let nodes = set_of(steps().map(|step| &step.node));
        let mut moments: Vec<Moment> = steps().map(Moment::of).collect();
        moments.dedup();
        let earlier = moments.len().saturating_sub(MOMENTS);
        moments.drain(..earlier);
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let mut rows: Vec<CourseRow> = Vec::new();
        for node in nodes.iter().take(ROWS) {
            rows.push(CourseRow { node: node.to_string(), cells: Vec::with_capacity(moments.len()) });
        }
        let revisions = Revisions::of(store, uid);
        let mut there: BTreeMap<(&str, Uid), (u64, Rung)> = BTreeMap::new();
        let mut steps = steps().peekable();
        for moment in &moments {
            while let Some(step) = steps.next_if(|step| Moment::of(step) <= *moment) {
                fold(&mut there, step, &revisions);
            }
            for row in &mut rows {
                let from = (row.node.as_str(), Uid(0));
                let here = there.range(from..).take_while(|((node, _), _)| *node == row.node);
                let pod =
                    |(revision, rung): &(u64, Rung)| CoursePod { revision: *revision, rung: rung.name() };
                row.cells.push(here.map(|(_, there)| pod(there)).collect());
            }
        }
        Self { moments, earlier: count(earlier), rows, more: count(nodes.len().saturating_sub(ROWS)) }
    }
}

fn fold<'a>(there: &mut BTreeMap<(&'a str, Uid), (u64, Rung)>, step: &'a Step, revisions: &Revisions) {
    let at = (&*step.node, step.pod);
    match step.rung {
        Some(rung) => drop(there.insert(at, (revisions.number(step.hash()), rung))),
        None => drop(there.remove(&at)),
    }
}
