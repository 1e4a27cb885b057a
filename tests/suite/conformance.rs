//! The recordings judge: every answer of the engine equals what real containerd binaries said.

use fourgaps_config::Version;
use fourgaps_tests::conformance::{Candidate, Recordings, Tally};
use fourgaps_tests::{house, rollouts, story, toolkit};
use std::io::{self, Write};
use std::path::Path;

#[track_caller]
fn check(recordings: &Recordings) {
    let versions = recordings.versions();
    assert!(!versions.is_empty(), "there are recordings of at least one built-in version");
    let mut told = String::new();
    for version in versions {
        let dumps = recordings.dumps(version, &Candidate::Engine).unwrap();
        let loaded = recordings.loaded(version, &Candidate::Engine).unwrap();
        for tally in [dumps, loaded] {
            assert!(tally.total > 0, "{tally}");
            if !tally.all_equal() {
                told.push_str(&tally.shown(10));
            }
        }
    }
    assert!(told.is_empty(), "\n{told}");
}

#[test]
fn answers_equal_the_recordings_that_the_page_carries() {
    check(&Recordings::carried(&house::root().join("static/results")));
}

#[test]
fn answers_equal_every_recording() {
    let Some(folder) = house::shared("oracle") else {
        // Written past the capture of the test harness, so that the gap is seen also where all is well.
        let notice =
            "note: ../shared/oracle is not there; only the recordings in static/results were compared";
        writeln!(std::io::stderr(), "{notice}").unwrap();
        return;
    };
    check(&Recordings::made(&folder));
}

/// The tallies of a kind of recordings, over all versions.
#[track_caller]
fn all_equal(judge: fn(&Path, &'static Version) -> io::Result<Option<Tally>>) {
    let Some(folder) = house::shared("oracle") else { return };
    let tallies = Version::all().into_iter().filter_map(|version| judge(&folder, version).unwrap());
    let told: String = tallies.filter(|tally| !tally.all_equal()).map(|tally| tally.shown(10)).collect();
    assert!(told.is_empty(), "\n{told}");
}

#[test]
fn stories_equal_every_recording() {
    all_equal(story::stories);
}

#[test]
fn runs_of_the_toolkit_equal_every_recording() {
    all_equal(toolkit::runs);
}

#[test]
fn rollouts_equal_the_recordings_that_the_page_carries() {
    rollouts_equal(&house::root().join("static/results/kubernetes"));
}

/// The two orders of watch events are both played; each is wholly equal.
#[test]
fn rollouts_equal_every_recording() {
    let Some(folder) = house::shared("k8s") else { return };
    rollouts_equal(&folder);
}

#[track_caller]
fn rollouts_equal(folder: &Path) {
    let tallies = rollouts::tallies(folder).unwrap();
    assert!(tallies.iter().all(|tally| tally.total > 0));
    let told: String =
        tallies.iter().filter(|tally| !tally.all_equal()).map(|tally| tally.shown(10)).collect();
    assert!(told.is_empty(), "\n{told}");
}
