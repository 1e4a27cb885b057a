//! How long a large rollout takes, and how much memory it needs. Twice the nodes should take about twice the time.

use divan::Bencher;
use fourgaps_tests::scale;

fn main() {
    divan::main();
}

#[divan::bench(args = [1_000, 5_000, 10_000], sample_count = 5, sample_size = 1)]
fn rollout(bencher: Bencher, nodes: u32) {
    let steady = scale::steady(nodes);
    bencher.with_inputs(|| steady.clone()).bench_refs(scale::roll_out);
}
