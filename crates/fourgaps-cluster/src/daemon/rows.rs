//! What the controller knows of each node: one short row, made anew only where something changed. A sync over
//! thousands of nodes then reads rows and looks at no pod that did not move.

use super::fit::{Fit, fit_with, tolerations};
use crate::daemonset::DaemonSet;
use crate::meta::{Uid, place_print};
use crate::pod::{GENERATION_LABEL, HASH_LABEL, Phase, Pod};
use crate::store::Store;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The pods of a node that are not on their way out, as far as a rolling update tells them apart. Each holds since when
/// it is ready, in seconds, for the API knows no finer moments and rows are read thousands at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Live {
    /// None.
    None,
    /// One with the newest template.
    New(Option<u32>),
    /// One with an older template.
    Old(Option<u32>),
    /// One of each: the new one, the old one.
    Both(Option<u32>, Option<u32>),
    /// Two of one template, or more.
    Excess,
}

impl Live {
    /// With one more pod.
    fn and(self, updated: bool, since: Option<u32>) -> Self {
        match (self, updated) {
            (Self::None, true) => Self::New(since),
            (Self::None, false) => Self::Old(since),
            (Self::Old(old), true) => Self::Both(since, old),
            (Self::New(new), false) => Self::Both(new, since),
            _ => Self::Excess,
        }
    }
}

/// What is known of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The name of the node.
    pub node: Arc<str>,
    /// Whether there is such a node; pods may outlive it.
    pub exists: bool,
    /// Whether it should have a pod and may keep one.
    pub fit: Fit,
    /// Whether there is any pod object but spent ones.
    pub occupied: bool,
    /// Whether `manage` may have something to do for a pod that is there.
    pub untidy: bool,
    /// The live pods.
    pub live: Live,
    /// Since when the oldest pod is ready, in seconds.
    pub oldest_ready: Option<u32>,
    /// Whether the oldest pod has the newest template.
    pub oldest_updated: bool,
}

/// What the rows depend on, beside nodes and pods.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Basis {
    hash: String,
    template_generation: u64,
    surges: bool,
}

/// Places of which a row must be made anew: for their pods alone, or for the node too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stale {
    /// Places where a pod changed.
    pub pods: Vec<Arc<str>>,
    /// Nodes that changed, came or went.
    pub nodes: BTreeSet<Arc<str>>,
}

/// The rows of one DaemonSet in the order of node names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    basis: Basis,
    rows: Vec<Row>,
    /// Where the row of a place is, by the print of its name.
    at: BTreeMap<u64, usize>,
}

impl Rows {
    /// The rows in the order of node names.
    pub fn iter(&self) -> std::slice::Iter<'_, Row> {
        self.rows.iter()
    }

    /// Makes the rows of these nodes anew, or all of them where the DaemonSet looks for something else now.
    pub fn refresh(&mut self, store: &Store, set: &DaemonSet, hash: &str, stale: Stale) {
        let basis = Basis {
            hash: hash.into(),
            template_generation: set.template_generation,
            surges: set.strategy.surges(),
        };
        let tolerations = tolerations(set);
        let row = |place: &Arc<str>| {
            let node = store.node(place);
            let fit = node.map_or(Fit::NEVER, |node| fit_with(set, &tolerations, node));
            row_of(store, set.meta.uid, &basis, place, node.is_some(), fit)
        };
        if self.basis == basis && !self.rows.is_empty() {
            let of_pods = stale.pods.into_iter().filter(|place| !stale.nodes.contains(place));
            for place in of_pods {
                let at = self.search(&place);
                // A node is as good as it was.
                let known = at.ok().map(|at| &self.rows[at]).filter(|row| row.exists);
                let new = match known {
                    Some(known) => row_of(store, set.meta.uid, &basis, &known.node, true, known.fit),
                    None => row(&place),
                };
                self.put(at, new);
            }
            for place in &stale.nodes {
                let at = self.search(place);
                let new = row(place);
                self.put(at, new);
            }
            return;
        }
        let mut places: BTreeSet<Arc<str>> =
            store.nodes().map(|node| node.meta.name.as_str().into()).collect();
        places.extend(store.pods_of(set.meta.uid).map(|(place, _)| place.clone()));
        self.rows = places.iter().filter_map(row).collect();
        self.basis = basis;
        self.index();
    }

    fn index(&mut self) {
        self.at = self.rows.iter().enumerate().map(|(at, row)| (place_print(&row.node), at)).collect();
    }

    /// Where the row of a place is, or where it would be.
    fn search(&self, place: &Arc<str>) -> Result<usize, usize> {
        match self.at.get(&place_print(place)).filter(|at| self.rows[**at].node == *place) {
            Some(at) => Ok(*at),
            None => self.rows.binary_search_by(|row| row.node.cmp(place)),
        }
    }

    /// Puts a row where a search for its place ended; none takes away what is there.
    fn put(&mut self, at: Result<usize, usize>, row: Option<Row>) {
        match (at, row) {
            (Ok(at), Some(row)) => self.rows[at] = row,
            (Err(_), None) => {}
            (Ok(at), None) => {
                self.rows.remove(at);
                self.index();
            }
            (Err(at), Some(row)) => {
                self.rows.insert(at, row);
                self.index();
            }
        }
    }
}

/// A row, or none where there is neither a node nor a pod.
fn row_of(store: &Store, owner: Uid, basis: &Basis, place: &Arc<str>, exists: bool, fit: Fit) -> Option<Row> {
    let mut pods = store.pods_at(owner, place);
    pods.retain(|pod| !pod.is_spent());
    if !exists && pods.is_empty() {
        return None;
    }
    let updated = |pod: &Pod| is_updated(pod, &basis.hash, basis.template_generation);
    let oldest = pods.first();
    let living = || pods.iter().filter(|pod| pod.deleting.is_none());
    let live = living().fold(Live::None, |live, pod| live.and(updated(pod), ready_since(pod)));
    let running = living().filter(|pod| !pod.status.phase.is_terminal()).count();
    let untidy = if !exists {
        pods.iter().any(|pod| pod.node.is_none())
    } else if fit.keep {
        let ended = living().any(|pod| matches!(pod.status.phase, Phase::Failed | Phase::Succeeded));
        ended || running > 1 || basis.surges && fit.run && running == 0
    } else {
        living().next().is_some()
    };
    Some(Row {
        node: place.clone(),
        exists,
        fit,
        occupied: !pods.is_empty(),
        untidy,
        live,
        oldest_ready: oldest.and_then(|pod| ready_since(pod)),
        oldest_updated: oldest.is_some_and(|pod| updated(pod)),
    })
}

/// `IsPodUpdated`: the label of the revision, or the older one of the template's generation, is that of the newest.
pub fn is_updated(pod: &Pod, hash: &str, template_generation: u64) -> bool {
    let labels = &pod.shape.labels;
    let by_hash = !hash.is_empty() && labels.get(HASH_LABEL).is_some_and(|label| label == hash);
    let by_generation =
        || labels.get(GENERATION_LABEL).is_some_and(|label| label.parse() == Ok(template_generation));
    by_hash || by_generation()
}

/// Since when a pod is ready, in seconds.
pub fn ready_since(pod: &Pod) -> Option<u32> {
    pod.ready_since_ms().map(|ms| u32::try_from(ms / 1000).unwrap_or(u32::MAX))
}

/// `IsPodAvailable`: ready for so long.
pub fn is_available(ready_since: Option<u32>, min_ready_seconds: u32, now_ms: u64) -> bool {
    let long_enough = |since: u32| (u64::from(since) + u64::from(min_ready_seconds)) * 1000 <= now_ms;
    ready_since.is_some_and(|since| min_ready_seconds == 0 || long_enough(since))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta::Labels;
    use crate::pod::Shape;

    /// `TestIsPodUpdated` of upstream's `util/daemonset_util_test.go`.
    #[test]
    fn a_pod_is_new_by_its_hash_or_by_its_generation() {
        let pod = |generation: &str, hash: &str| {
            let mut labels = Labels::new();
            for (key, value) in [(GENERATION_LABEL, generation), (HASH_LABEL, hash)] {
                if !value.is_empty() {
                    labels.insert(key.into(), value.into());
                }
            }
            Pod { shape: Arc::new(Shape { labels, ..Shape::default() }), ..Pod::default() }
        };
        for (label, hash_label, hash, generation, wanted) in [
            ("12345", "55555", "55555", 12345, true),
            ("12345", "55555", "55555123", 12345, true),
            ("12345", "", "55555", 12345, true),
            ("12345", "", "", 12345, true),
            ("12345", "55555", "", 12345, true),
            ("12345", "55555", "55555", 12350, true),
            ("12345", "55555", "55555123", 12350, false),
            ("", "", "", 12345, false),
            ("", "", "55555", 12345, false),
            ("", "55555", "", 12345, false),
        ] {
            let told = format!("{label} {hash_label} {hash} {generation}");
            assert_eq!(is_updated(&pod(label, hash_label), hash, generation), wanted, "{told}");
        }
    }
}
