//! How long a large rollout takes, and how much memory it needs. Twice the nodes should take about twice the time.

use divan::Bencher;
use fourgaps_cluster::Cluster;
use fourgaps_cluster::large::{LONG_MS, begin, key, steady};

fn main() {
    divan::main();
}

#[divan::bench(args = [1_000, 5_000, 10_000], sample_count = 5, sample_size = 1)]
fn rollout(bencher: Bencher, nodes: u32) {
    let steady = steady(nodes);
    bencher.with_inputs(|| steady.clone()).bench_refs(|cluster| roll_out(cluster, nodes));
}

/// Rolls the second template out and gives back how many facts that made.
fn roll_out(cluster: &mut Cluster, nodes: u32) -> usize {
    begin(cluster);
    cluster.run_until(2 * LONG_MS);
    let status = cluster.store().daemonset(&key()).expect("it was created with the cluster").status;
    let ends = (status.desired, status.updated, status.available);
    assert_eq!(ends, (nodes, nodes, nodes - 1), "{status:?}");
    cluster.take_facts().len()
}
