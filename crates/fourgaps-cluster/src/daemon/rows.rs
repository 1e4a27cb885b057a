//! What the controller knows of each node: one short row, made anew only where something changed. A sync over
//! thousands of nodes then reads rows and looks at no pod that did not move.

use super::fit::{Fit, fit_with, tolerations};
use super::marks::Marks;
use crate::daemonset::DaemonSet;
use crate::meta::{Uid, place_print};
use crate::pod::{GENERATION_LABEL, HASH_LABEL, Pod, Shape};
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

impl Row {
    /// Whether `manage` may have something to do.
    pub fn is_busy(&self) -> bool {
        self.fit.run && !self.occupied || self.untidy
    }

    /// Whether a rolling update counts it: the node has a pod, fit or not, or should have one.
    pub fn is_counted(&self) -> bool {
        self.occupied || self.fit.run
    }
}

/// What the rows depend on, beside nodes and pods.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Basis {
    hash: String,
    template_generation: u64,
    surges: bool,
}

/// Whether pods have the newest template, asked of one after the other.
struct Newest<'s> {
    basis: Basis,
    /// The last answer: most pods look like the one before.
    last: Option<(&'s Arc<Shape>, bool)>,
}

impl<'s> Newest<'s> {
    fn has(&mut self, pod: &'s Pod) -> bool {
        match self.last {
            Some((shape, updated)) if Arc::ptr_eq(shape, &pod.shape) => updated,
            _ => {
                let updated = is_updated(pod, &self.basis.hash, self.basis.template_generation);
                self.last = Some((&pod.shape, updated));
                updated
            }
        }
    }
}

/// Places of which a row must be made anew: for their pods alone, or for the node too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stale {
    /// Places where a pod changed.
    pub pods: Vec<Arc<str>>,
    /// Nodes that changed, came or went.
    pub nodes: BTreeSet<Arc<str>>,
}

/// Moments in seconds, and how often each was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moments(BTreeMap<u32, u32>);

impl Moments {
    fn count(&mut self, moment: Option<u32>, add: bool) {
        let Some(moment) = moment else { return };
        let times = self.0.entry(moment).or_default();
        count(times, true, add);
        if *times == 0 {
            self.0.remove(&moment);
        }
    }

    /// How many there are.
    pub fn all(&self) -> u32 {
        self.0.values().sum()
    }

    /// How many are ready for so long.
    pub fn available(&self, min_ready_seconds: u32, now_ms: u64) -> u32 {
        let long = self.0.iter().filter(|(since, _)| is_available(Some(**since), min_ready_seconds, now_ms));
        long.map(|(_, times)| times).sum()
    }
}

/// What the rows come to, kept with each of them, so that no sync has to count thousands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Nodes that should run a pod.
    pub desired: u32,
    /// Of those, nodes with a pod.
    pub current: u32,
    /// Of those, nodes whose oldest pod has the newest template.
    pub updated: u32,
    /// Of those, nodes whose oldest pod is ready.
    pub ready: Moments,
    /// Nodes that should not run a pod and have one.
    pub misscheduled: u32,
    /// Nodes that a rolling update counts and that have a new pod alone.
    pub new: u32,
    /// Those of them whose pod is ready.
    pub new_ready: Moments,
    /// Nodes that a rolling update counts and that have no pod, or more than one.
    pub unsettled: u32,
    /// The rows of nodes that have an old pod alone which is ready.
    pub old_ready: Marks,
    /// The rows of nodes that have an old pod alone which is not.
    pub old_waiting: Marks,
    /// The rows of nodes for which `manage` may have something to do.
    pub busy: Marks,
}

fn count(number: &mut u32, applies: bool, add: bool) {
    *number = if add { *number + u32::from(applies) } else { *number - u32::from(applies) };
}

impl Tally {
    /// Adds a row, or takes it away.
    fn count(&mut self, at: usize, row: &Row, add: bool) {
        let runs = row.exists && row.fit.run;
        count(&mut self.desired, runs, add);
        count(&mut self.misscheduled, row.exists && !row.fit.run && row.occupied, add);
        if runs && row.occupied {
            count(&mut self.current, true, add);
            count(&mut self.updated, row.oldest_updated, add);
            self.ready.count(row.oldest_ready, add);
        }
        if row.is_busy() {
            self.busy.set(at, add);
        }
        if row.is_counted() {
            match row.live {
                Live::Old(Some(_)) => self.old_ready.set(at, add),
                Live::Old(None) => self.old_waiting.set(at, add),
                Live::New(since) => {
                    count(&mut self.new, true, add);
                    self.new_ready.count(since, add);
                }
                Live::None | Live::Both(..) | Live::Excess => count(&mut self.unsettled, true, add),
            }
        }
    }
}

/// The rows of one DaemonSet in the order of node names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    basis: Basis,
    rows: Vec<Row>,
    /// Where the row of a place is: the prints of their names in order, each with its row.
    at: Vec<(u64, usize)>,
    tally: Tally,
}

impl Rows {
    /// The rows in the order of node names.
    pub fn iter(&self) -> std::slice::Iter<'_, Row> {
        self.rows.iter()
    }

    /// A row by its place in that order.
    pub fn row(&self, at: usize) -> &Row {
        &self.rows[at]
    }

    /// What they come to.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Makes the rows of these nodes anew, or all of them where the DaemonSet looks for something else now.
    pub fn refresh(&mut self, store: &Store, set: &DaemonSet, hash: &str, stale: Stale) {
        let same = self.basis.hash == hash
            && self.basis.template_generation == set.template_generation
            && self.basis.surges == set.strategy.surges()
            && !self.rows.is_empty();
        if same && stale.nodes.is_empty() && stale.pods.is_empty() {
            return;
        }
        if !same {
            self.basis = Basis {
                hash: hash.into(),
                template_generation: set.template_generation,
                surges: set.strategy.surges(),
            };
        }
        let tolerations = tolerations(set);
        let mut newest = Newest { basis: self.basis.clone(), last: None };
        let mut row = |place: &Arc<str>, known: Option<Fit>| {
            // A node is as good as it was where only its pods changed.
            let fit = known.or_else(|| store.node(place).map(|node| fit_with(set, &tolerations, node)));
            row_of(store, set.meta.uid, &mut newest, place, fit)
        };
        if same {
            let of_pods = stale.pods.into_iter().filter(|place| !stale.nodes.contains(place));
            for place in of_pods {
                let at = self.search(&place);
                let known = at.ok().map(|at| &self.rows[at]).filter(|row| row.exists).map(|row| row.fit);
                let new = row(&place, known);
                self.put(at, new);
            }
            for place in &stale.nodes {
                let at = self.search(place);
                let new = row(place, None);
                self.put(at, new);
            }
            return;
        }
        let mut places: BTreeSet<Arc<str>> =
            store.nodes().map(|node| node.meta.name.as_str().into()).collect();
        places.extend(store.pods_of(set.meta.uid).filter_map(|pod| pod.place_name()).cloned());
        self.rows = places.iter().filter_map(|place| row(place, None)).collect();
        self.index();
    }

    fn index(&mut self) {
        self.at = self.rows.iter().enumerate().map(|(at, row)| (place_print(&row.node), at)).collect();
        self.at.sort_unstable();
        self.tally = Tally::default();
        for (at, row) in self.rows.iter().enumerate() {
            self.tally.count(at, row, true);
        }
    }

    /// Where the row of a place is, or where it would be.
    fn search(&self, place: &Arc<str>) -> Result<usize, usize> {
        let found = self.at.binary_search_by_key(&place_print(place), |(print, _)| *print);
        let found = found.ok().map(|at| self.at[at].1).filter(|at| self.rows[*at].node == *place);
        // Another name of the same print may stand there.
        found.map_or_else(|| self.rows.binary_search_by(|row| row.node.cmp(place)), Ok)
    }

    /// Puts a row where a search for its place ended; none takes away what is there.
    fn put(&mut self, at: Result<usize, usize>, row: Option<Row>) {
        match (at, row) {
            (Ok(at), Some(row)) => {
                if self.rows[at] != row {
                    self.tally.count(at, &self.rows[at], false);
                    self.tally.count(at, &row, true);
                    self.rows[at] = row;
                }
            }
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

/// A row, or none where there is neither a node, of which this is known, nor a pod.
fn row_of<'s>(
    store: &'s Store,
    owner: Uid,
    newest: &mut Newest<'s>,
    place: &Arc<str>,
    node: Option<Fit>,
) -> Option<Row> {
    let (exists, fit) = (node.is_some(), node.unwrap_or(Fit::NEVER));
    let mut oldest: Option<(&Arc<Pod>, bool, Option<u32>)> = None;
    let (mut live, mut running) = (Live::None, 0);
    let (mut unbound, mut lives, mut ended) = (false, false, false);
    for pod in store.placed_of(owner, place).filter(|pod| !pod.is_spent()) {
        let updated = newest.has(pod);
        let since = ready_since(pod);
        if oldest.is_none_or(|(oldest, ..)| pod.rank() < oldest.rank()) {
            oldest = Some((pod, updated, since));
        }
        unbound |= pod.node.is_none();
        if pod.deleting.is_none() {
            live = live.and(updated, since);
            lives = true;
            ended |= pod.status.phase.is_terminal();
            running += u32::from(!pod.status.phase.is_terminal());
        }
    }
    if !exists && oldest.is_none() {
        return None;
    }
    let untidy = if !exists {
        unbound
    } else if fit.keep {
        ended || running > 1 || newest.basis.surges && fit.run && running == 0
    } else {
        lives
    };
    Some(Row {
        node: place.clone(),
        exists,
        fit,
        occupied: oldest.is_some(),
        untidy,
        live,
        oldest_ready: oldest.and_then(|(_, _, since)| since),
        oldest_updated: oldest.is_some_and(|(_, updated, _)| updated),
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
    use crate::Cluster;
    use crate::large::{LONG_MS, begin, key, steady};
    use crate::meta::Labels;

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

    /// What is known of all rows, with the sums that were kept and with those that a count gives.
    fn sums(tally: &Tally) -> impl PartialEq + std::fmt::Debug {
        let marks = [&tally.old_ready, &tally.old_waiting, &tally.busy].map(|m| m.iter().collect::<Vec<_>>());
        let counts =
            [tally.desired, tally.current, tally.updated, tally.misscheduled, tally.new, tally.unsettled];
        (counts, tally.ready.clone(), tally.new_ready.clone(), marks)
    }

    #[track_caller]
    fn check(cluster: &Cluster) {
        let set = cluster.store().daemonset(&key()).unwrap();
        let revisions = cluster.store().revisions_of(set.meta.uid);
        let hash = revisions.last().unwrap().hash();
        let mut kept = cluster.daemon.rows[&set.meta.uid].clone();
        // Not every change wakes the controller.
        let stale = cluster.daemon.stale.get(&set.meta.uid).cloned().unwrap_or_default();
        kept.refresh(cluster.store(), set, hash, stale);
        let mut anew = Rows::default();
        anew.refresh(cluster.store(), set, hash, Stale::default());
        for (kept, anew) in kept.rows.iter().zip(&anew.rows) {
            assert_eq!(kept, anew);
        }
        assert_eq!(kept.rows.len(), anew.rows.len());
        assert_eq!(sums(&kept.tally), sums(&anew.tally));
        for row in &anew.rows {
            assert_eq!(kept.search(&row.node), anew.search(&row.node));
        }
    }

    #[test]
    fn rows_that_are_kept_are_as_if_made_anew() {
        let mut cluster = steady(40);
        check(&cluster);
        begin(&mut cluster);
        for step in 0..60 {
            match step {
                4 => drop(cluster.cordon("node-3", true)),
                8 => cluster.remove(crate::object::Id::new(crate::object::Kind::Node, "", "node-5")),
                12 => cluster.create_node(crate::node::Node::new("node-99")),
                16 => cluster.set_health("node-9", crate::lifecycle::Health::KubeletSilent),
                20 => drop(cluster.edit_node("node-8", |node| drop(node.meta.labels.remove("gpu")))),
                24 => drop(cluster.edit_daemonset(&key(), |set| set.min_ready_seconds = 7)),
                _ => {}
            }
            cluster.run_until(cluster.now_ms() + 700);
            check(&cluster);
        }
        cluster.run_until(3 * LONG_MS);
        check(&cluster);
    }
}
