//! How long a large rollout takes, and how much memory it needs. Twice the nodes should take about twice the time; after the table
//! the bars are held, and the bench fails where one is not.

use divan::Bencher;
use fourgaps_cluster::Cluster;
use fourgaps_cluster::large::{LONG_MS, begin, key, steady};
use std::time::{Duration, Instant};

/// 5,000 nodes take at most this long.
const LONGEST: Duration = Duration::from_secs(1);
/// 10,000 nodes take at most so many times as long.
const GROWTH: f64 = 2.3;
/// The most memory at any time, in MB.
const MEMORY: u64 = 300;
/// So often both are measured, one after the other, so that whatever else the machine does meets both.
const RUNS: usize = 15;

fn main() {
    divan::main();
    // `cargo test --benches` runs each bench once and measures nothing.
    if std::env::args().any(|word| word == "--bench") {
        hold_the_bars();
    }
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

fn hold_the_bars() {
    let sizes = [5_000, 10_000];
    let (clusters, mut took) = (sizes.map(steady), [Vec::new(), Vec::new()]);
    for _ in 0..RUNS {
        for ((nodes, steady), took) in sizes.into_iter().zip(&clusters).zip(&mut took) {
            let mut cluster = steady.clone();
            let (began, before) = (Instant::now(), on_processor());
            roll_out(&mut cluster, nodes);
            let spent = before.zip(on_processor()).map(|(before, after)| after - before);
            took.push(spent.unwrap_or_else(|| began.elapsed()));
        }
    }
    let [half, whole] = took.map(|mut took| {
        took.sort_unstable();
        took[RUNS / 2]
    });
    let growth = whole.as_secs_f64() / half.as_secs_f64();
    let memory = peak_memory().unwrap_or(0);
    println!(
        "medians of {RUNS}: 5,000 nodes {half:.1?}, 10,000 nodes {whole:.1?}, growth {growth:.2}; memory {memory} MB at most"
    );
    assert!(half <= LONGEST, "5,000 nodes take longer than {LONGEST:?}");
    assert!(growth <= GROWTH, "10,000 nodes take more than {GROWTH} times as long as 5,000");
    assert!(memory <= MEMORY, "more than {MEMORY} MB are needed");
}

/// How long this thread has been on a processor, where the machine tells it: what other programs take does not count then.
fn on_processor() -> Option<Duration> {
    let spent = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    spent.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// The most memory that this process has had, in MB, where the machine tells it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}
