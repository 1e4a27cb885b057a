//! How long one load takes: the incident of the first lab, and the dearest recorded case.

use divan::{Bencher, black_box};
use fourgaps_base::FileTree;
use fourgaps_config::{Request, Version, dump};
use fourgaps_tests::conformance::Recordings;
use fourgaps_tests::{answer::MAIN, house};

fn main() {
    divan::main();
}

fn versions() -> Vec<&'static str> {
    Version::names().collect()
}

fn load(bencher: Bencher<'_, '_>, version: &str, files: &FileTree) {
    let version = Version::named(version).expect("the names come from the list of versions");
    let request = Request::new(version, files, MAIN);
    bencher.bench_local(|| dump(black_box(&request)));
}

#[divan::bench(args = versions())]
fn two_drop_ins(bencher: Bencher<'_, '_>, version: &str) {
    let recordings = Recordings::carried(&house::root().join("static/results"));
    let files = recordings.files("gap1-both").unwrap_or_default();
    load(bencher, version, &files);
}

#[divan::bench(args = versions())]
fn a_hundred_drop_ins(bencher: Bencher<'_, '_>, version: &str) {
    let mut files = FileTree::new();
    files.write(MAIN, "version = 2\nimports = [\"/etc/containerd/conf.d/*.toml\"]\n");
    for number in 0..100 {
        let table = format!("plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.handler{number}");
        let text = format!("version = 2\n[{table}]\nruntime_type = \"io.containerd.runc.v2\"\n");
        files.write(&format!("/etc/containerd/conf.d/{number:02}.toml"), text);
    }
    load(bencher, version, &files);
}

/// The dearest of the recorded nodes: fifty drop-ins.
#[divan::bench(args = versions())]
fn the_heaviest_case(bencher: Bencher<'_, '_>, version: &str) {
    let recordings = Recordings::carried(&house::root().join("static/results"));
    let files = recordings.files("imports-fifty-files").unwrap_or_default();
    load(bencher, version, &files);
}

/// Every recorded node with every version, one after the other on one core: the whole set where it is there.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn every_case_with_every_version(bencher: Bencher<'_, '_>) {
    let whole = house::root().join("../shared/oracle");
    let recordings = if whole.is_dir() {
        Recordings::made(&whole)
    } else {
        Recordings::carried(&house::root().join("static/results"))
    };
    let mut nodes = Vec::new();
    for version in recordings.versions() {
        for case in recordings.cases(version).unwrap_or_default() {
            nodes.push((version, recordings.files(&case).unwrap_or_default()));
        }
    }
    bencher.bench_local(|| {
        for (version, files) in &nodes {
            black_box(dump(&Request::new(version, files, MAIN)));
        }
    });
}
