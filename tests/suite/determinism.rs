//! The same files give the same bytes, every time.

use fourgaps_tests::answer::Answer;
use fourgaps_tests::conformance::Recordings;
use fourgaps_tests::house;

#[test]
fn every_carried_case_is_answered_the_same_twice() {
    let recordings = Recordings::carried(&house::root().join("static/results"));
    for version in recordings.versions() {
        for case in recordings.cases(version).unwrap() {
            let answer = || Answer::of_engine(version, &recordings.files(&case).unwrap());
            assert_eq!(answer(), answer(), "{} {case}", version.name());
        }
    }
}
