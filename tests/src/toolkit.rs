//! The real toolkit's comings and goings beside containerd: `toolkit/VERSION/RUN` of the recordings.

use crate::conformance::{Tally, names, on_all_cores, read_into};
use crate::story::{Seen, etc, last_words, node, read, signal, unequal};
use fourgaps_base::FileTree;
use fourgaps_config::Version;
use fourgaps_node::{Astray, End, Node, Noticed, Op, Options, Phase, Release, Signal};
use serde::Deserialize;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Longer than the toolkit takes for all its tries, in ms.
const LONG_ENOUGH: u64 = 60_000;

#[derive(Deserialize)]
struct Story {
    options: Vec<String>,
    toolkit: String,
    toolkit_log: Vec<String>,
    #[serde(default)]
    signal_missed_containerd: Vec<String>,
    step: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    #[serde(rename = "do")]
    what: String,
    #[serde(flatten)]
    seen: Seen,
    toolkit: Option<String>,
    #[serde(default)]
    last_words: Vec<String>,
    #[serde(default)]
    log: Vec<String>,
}

/// Plays every run of a version, those whose signal went astray too; nothing where there are none.
///
/// # Errors
/// Names the file that cannot be read.
pub fn runs(oracle: &Path, version: &'static Version) -> io::Result<Option<Tally>> {
    let home = oracle.join("toolkit").join(version.name());
    if !home.is_dir() {
        return Ok(None);
    }
    let mut told = names(&home)?;
    if home.join("missed").is_dir() {
        told.extend(names(&home.join("missed"))?.into_iter().map(|run| format!("missed/{run}")));
    }
    told.retain(|run| home.join(run).join("story.toml").is_file());
    let differs = on_all_cores(&told, |run| {
        let home = home.join(run);
        let story: Story = read(&home.join("story.toml"))?;
        let [before, after_setup, after_cleanup] =
            [files(&home, "before")?, files(&home, "after-setup")?, files(&home, "after-cleanup")?];
        let play = || play(version, &story, before, [&after_setup, &after_cleanup]);
        let why = catch_unwind(AssertUnwindSafe(play)).unwrap_or_else(|_| Some("our node panicked".into()));
        Ok(why.map(|why| (run.clone(), why)))
    })?;
    Ok(Some(Tally { kind: "toolkit", version: version.name().into(), total: told.len(), differs }))
}

/// A recorded state of /etc/containerd; the folder is missing where there was no file.
fn files(home: &Path, folder: &str) -> io::Result<FileTree> {
    let mut files = FileTree::new();
    let disk = home.join(folder);
    if disk.is_dir() {
        read_into(&mut files, &disk, "/etc/containerd")?;
    }
    Ok(files)
}

/// The first difference of a run.
fn play(version: &'static Version, story: &Story, before: FileTree, after: [&FileTree; 2]) -> Option<String> {
    let Some(release) = Release::named(&story.toolkit) else {
        return Some(format!("no such release: {}", story.toolkit));
    };
    let options = match Options::new(release).with_flags(story.options.iter().map(String::as_str)) {
        Ok(mut options) => {
            // Every run was given this option too.
            options.host_root = "/".into();
            options
        }
        Err(word) => return Some(format!("not simulated: {word}")),
    };
    let mut node = node(version, before);
    let mut after = after.into_iter();
    let mut pid = 0;
    for (number, step) in (1..).zip(&story.step) {
        let wish = match step.what.as_str() {
            what if what.starts_with("containerd started") => Op::Start { sighup_ignored: false },
            "the toolkit ran its setup" => {
                Op::Toolkit { options: Box::new(options.clone()), astray: astray(story), in_pod: false }
            }
            "the toolkit got SIGTERM and cleaned up" => Op::Signal { pid, signal: Signal::Term },
            what => return Some(format!("step {number}: no such step: {what:?}")),
        };
        // A daemon that the toolkit left alone was stopped by hand, so that it could be started again.
        if matches!(wish, Op::Start { .. }) {
            node.act(&signal(&node, Signal::Term));
        }
        node.act(&wish);
        let is_of_toolkit = !matches!(wish, Op::Start { .. });
        if is_of_toolkit {
            node.act(&Op::Wait { ms: LONG_ENOUGH });
            pid = node.toolkits().last().map_or(0, |toolkit| toolkit.pid);
        }
        let why = differs(&node, pid, step)
            .or_else(|| if is_of_toolkit { files_differ(&node, after.next()?) } else { None });
        if let Some(why) = why {
            return Some(format!("step {number}, {:?}: {why}", step.what));
        }
    }
    let log: Vec<String> = node.toolkit_of(pid)?.log.iter().map(|(_, line)| line.to_string()).collect();
    log_differs(&log, &story.toolkit_log)
}

/// Which signals went astray, and when the toolkit noticed: a race, so it is read off what was recorded.
fn astray(story: &Story) -> Astray {
    let missed = |step: &str| story.signal_missed_containerd.iter().any(|missed| missed == step);
    let says = |words: &str| story.toolkit_log.iter().any(|line| line.contains(words));
    let noticed = match (says("exiting early"), says("Successfully signaled")) {
        (true, false) => Noticed::AtOnce,
        (true, true) => Noticed::AfterSuccess,
        (false, _) => Noticed::Waiting,
    };
    // A toolkit that took its own signal as an order to end has cleaned up within the step of the set-up.
    let step = story.step.iter().find(|step| step.toolkit.is_some());
    let cleaned_in_vain = step.is_some_and(|step| step.seen.runs());
    match missed("setup") {
        true => Astray { setup: Some(noticed), cleanup: cleaned_in_vain },
        false => Astray { setup: None, cleanup: missed("cleanup") },
    }
}

fn differs(node: &Node, pid: u32, step: &Step) -> Option<String> {
    let words = step.last_words.iter().chain(&step.log).cloned().collect::<Vec<_>>();
    step.seen
        .differs(node)
        .or_else(|| unequal("toolkit", &state(node, pid), step.toolkit.as_ref()?))
        .or_else(|| unequal("last words", &last_words(node, words.len()), &words))
}

fn state(node: &Node, pid: u32) -> String {
    match node.toolkit_of(pid).map(|toolkit| toolkit.phase) {
        Some(Phase::Waiting) => "waiting".into(),
        Some(Phase::Ended { end: End::Exited(status), .. }) => format!("exited {status}"),
        other => format!("{other:?}"),
    }
}

/// Byte for byte.
fn files_differ(node: &Node, real: &FileTree) -> Option<String> {
    etc(node).find_map(|(path, bytes)| {
        let (ours, real) = (String::from_utf8_lossy(bytes), real.text(path)?);
        let mut real = real.split('\n');
        let line = ours.split('\n').find_map(|ours| {
            let real = real.next();
            (real != Some(ours)).then(|| format!("{path}: {ours:?}, real {real:?}"))
        });
        line.or_else(|| real.next().map(|real| format!("{path}: the end, real {real:?}")))
    })
}

/// Line by line, without the lines about the toolkit's own installation, which the recordings leave out.
///
/// The toolkit takes its three handlers in the random order of a Go map. Once the default one is made, it no longer
/// counts the default of before among those that it may copy: of the warnings about that only the first is certain.
fn log_differs(ours: &[String], real: &[String]) -> Option<String> {
    let left_out = ["nvidia-ctk-installer", "Resolved source root", "NVIDIA container toolkit"];
    let kept = |line: &&String| !left_out.iter().any(|words| line.contains(words));
    let ours: Vec<String> = ours.iter().filter(kept).cloned().collect();
    let warns = |line: &str| line.contains("Could not infer options");
    let (ours, real) = without_race(&ours, real);
    for at in 0..ours.len().max(real.len()) {
        let (ours_now, real_now) = (ours.get(at).map(|line| line.as_str()), real.get(at).map(String::as_str));
        let repeated =
            at > 0 && [ours_now, real_now].iter().all(|line| line.is_some_and(warns)) && warns(&real[at - 1]);
        if ours_now != real_now && !repeated {
            return Some(format!("toolkit_log line {}: {ours_now:?}, real {real_now:?}", at + 1));
        }
    }
    None
}

/// A toolkit that is ended by its own signal logs from two threads at once: the one that was signalled says its two
/// lines, and meanwhile the other comes as far as it comes. Of that one only the order is certain, so what the real one
/// did not come to say is left out of ours.
fn without_race(ours: &[String], real: &[String]) -> (Vec<String>, Vec<String>) {
    let parts = |lines: &[String]| -> [Vec<String>; 3] {
        let early = lines.iter().any(|line| line.contains("exiting early"));
        let sent = lines.iter().position(|line| early && line.contains("Sending SIGHUP"));
        let (before, after) = lines.split_at(sent.map_or(lines.len(), |at| at + 1));
        let of_signalled = |line: &String| line.contains("exiting early") || line.contains("Shutting Down");
        let (signalled, other) = after.iter().cloned().partition(of_signalled);
        [before.to_vec(), signalled, other]
    };
    let ([ours, our_end, mut our_other], [real, real_end, real_other]) = (parts(ours), parts(real));
    our_other.truncate(real_other.len());
    let (ours, real) = ([ours, our_end, our_other].concat(), [real, real_end, real_other].concat());
    (ours, real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_by_chance_may_differ() {
        let lines = |texts: &[&str]| texts.iter().map(|text| (*text).to_string()).collect::<Vec<_>>();
        let a = "msg=\"Could not infer options from runtimes [runc runc crun]\"";
        let b = "msg=\"Could not infer options from runtimes [runc crun]\"";
        assert_eq!(log_differs(&lines(&["x", a, b, b]), &lines(&["x", a, a, b])), None);
        assert!(log_differs(&lines(&["x", b, b]), &lines(&["x", a, b])).is_some());
        assert!(log_differs(&lines(&["x", a, b]), &lines(&["x", a])).is_some());
        let [sent, ok, early, down] =
            ["Sending SIGHUP", "Successfully signaled", "exiting early", "Shutting Down"];
        assert_eq!(log_differs(&lines(&[sent, ok, early, down]), &lines(&[sent, early, ok, down])), None);
        assert_eq!(log_differs(&lines(&[sent, ok, early, down]), &lines(&[sent, early, down])), None);
        assert!(log_differs(&lines(&[sent, early, down]), &lines(&[sent, ok, early, down])).is_some());
        assert!(log_differs(&lines(&[sent, ok, down]), &lines(&[sent, down, ok])).is_some());
        assert_eq!(log_differs(&lines(&["Starting nvidia-ctk-installer", "x"]), &lines(&["x"])), None);
    }
}
