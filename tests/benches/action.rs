//! What one action costs in a lab with four nodes and a cluster, and the memory of a long run: the page's half folds, the
//! worker's half decides. The bars: an action at most 5 ms, a run of 10,000 actions at most 100 MB.

use divan::{Bencher, black_box};
use fourgaps_config::Request;
use fourgaps_lab::{Action, Scenario, Work};
use fourgaps_node::MAIN;
use fourgaps_play::{Play, Sources};
use fourgaps_tests::house;
use fourgaps_view::{ExplainView, LoadedView, NextStartView};
use std::cell::RefCell;
use std::fs;
use std::path::Path;

/// Four nodes and a cluster.
const LAB: &str = "four-gpus";
/// How long the long run is.
const LONG: usize = 10_000;
/// What it may need, in bytes.
const MOST_BYTES: u64 = 100_000_000;

fn main() {
    divan::main();
    // Asked for one bench, or tested whether it compiles: then nobody wants to wait for this one.
    if std::env::args().len() <= 2 && !std::env::args().any(|word| word == "--test") {
        memory();
    }
}

/// The lab with its files, as the page fetches them.
fn lab() -> (Scenario, Sources) {
    let folder = house::root().join("static/scenarios").join(LAB);
    let text = fs::read_to_string(folder.join("scenario.toml")).expect("the lab is shipped");
    let scenario = Scenario::parse(LAB, &text).expect("it was checked");
    let read = |source: String| fs::read(folder.join(Path::new(&source))).ok().map(|bytes| (source, bytes));
    let sources = scenario.sources().into_iter().filter_map(read).collect();
    (scenario, sources)
}

fn page() -> Work {
    let (scenario, sources) = lab();
    let start = scenario.machines(|source| sources.get(source).cloned());
    Work::new(&scenario, &start)
}

/// A write of the main file that moves the text by one comment, and everything that the page shows of the node.
#[divan::bench(sample_count = 50, sample_size = 1)]
fn a_file_is_written_and_looked_at(bencher: Bencher<'_, '_>) {
    let work = page();
    let before = work.state().node(None).files().text(MAIN).expect("the node has one").into_owned();
    let text = format!("# once more\n{before}");
    let input = || {
        let action = Action::Write { path: MAIN.into(), text: text.clone(), part: false, node: None };
        (work.clone(), action)
    };
    bencher.with_inputs(input).bench_local_values(|(mut work, action)| {
        work.act(action).expect("the file may be written");
        let node = work.state().node(None);
        let request = Request::new(node.version(), node.files(), MAIN);
        let run = node.next_start();
        black_box(NextStartView::from_run(&request, &run));
        black_box(ExplainView::from_run(&request, &run));
        black_box(LoadedView::from_run(&request, node.fresh_process().run()));
        work
    });
}

/// Types lines into a terminal.
struct Typing {
    play: Play,
    runtime: tokio::runtime::Runtime,
}

impl Typing {
    fn new() -> Self {
        let (scenario, sources) = lab();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        Self { play: Play::new(scenario, sources), runtime: runtime.expect("a thread is enough") }
    }

    fn type_line(&mut self, line: &str) -> Action {
        let ran = self.runtime.block_on(self.play.run("omen", line, Box::new(|_, _| {})));
        assert_eq!(ran.status, 0, "{line}");
        ran.action.as_deref().and_then(Action::from_text).expect("a line is an action")
    }
}

/// A restart in the terminal: the worker decides, the page folds.
#[divan::bench(sample_count = 50, sample_size = 1)]
fn containerd_is_restarted_in_the_terminal(bencher: Bencher<'_, '_>) {
    let (typing, mut work) = (RefCell::new(Typing::new()), page());
    // The unit may be started five times in ten seconds.
    let pause = || typing.borrow_mut().type_line("sleep 11");
    bencher.with_inputs(pause).bench_local_values(|_| {
        let action = typing.borrow_mut().type_line("systemctl restart containerd");
        work.act(action).expect("what happened may happen");
    });
    assert!(work.state().node(None).journal().len() > 50, "it was restarted each time");
}

/// Lines that look, write, restart and let time pass.
const LINES: [&str; 5] = [
    "cat /etc/containerd/config.toml",
    "date | sed 's/^/# /' > /etc/containerd/conf.d/50-note.toml",
    "systemctl restart containerd",
    "sleep 10",
    "crictl pods",
];

fn memory() {
    let Some(before) = peak_bytes() else { return println!("memory: this machine does not tell") };
    let (mut typing, mut work) = (Typing::new(), page());
    let begun = std::time::Instant::now();
    for line in LINES.iter().cycle().take(LONG) {
        let action = typing.type_line(line);
        work.act(action).expect("what happened may happen");
    }
    let (save, took) = (work.save().len() as u64, begun.elapsed());
    let used = peak_bytes().unwrap_or_default() - before;
    println!(
        "memory: {LONG} lines on four nodes, page and worker together: {} MB at most, {:.1} ms each, a save of {} kB",
        used / 1_000_000,
        took.as_secs_f64() * 1000.0 / LONG as f64,
        save / 1000
    );
    assert!(used <= MOST_BYTES, "{used} bytes are more than {MOST_BYTES}");
}

/// The most that this process has held at once, as Linux counts it.
fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kb| kb * 1024)
}
