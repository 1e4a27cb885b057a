//! Prints how our answers compare with the recorded ones, one line for each kind and version.
//! `cargo xtask conformance` starts it.

use fourgaps_config::Version;
use fourgaps_tests::conformance::{Candidate, Recordings, Tally, toml_verdicts};
use fourgaps_tests::{rollouts, story, toolkit};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "conformance [--oracle DIR] [--program FILE] [--toml-test DIR] [--k8s DIR] [--show N]
  without --program our engine answers in this process; at least one DIR is needed";

struct Options {
    oracle: Option<PathBuf>,
    program: Option<PathBuf>,
    toml_test: Option<PathBuf>,
    k8s: Option<PathBuf>,
    show: usize,
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match compare(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("conformance: {error}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Option<Options> {
    let (mut oracle, mut program, mut toml_test, mut k8s, mut show) = (None, None, None, None, 10);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next()?;
        match word.as_str() {
            "--oracle" => oracle = Some(value.into()),
            "--program" => program = Some(value.into()),
            "--toml-test" => toml_test = Some(value.into()),
            "--k8s" => k8s = Some(value.into()),
            "--show" => show = value.parse().ok()?,
            _ => return None,
        }
    }
    let options = Options { oracle, program, toml_test, k8s, show };
    let some = options.oracle.is_some() || options.toml_test.is_some() || options.k8s.is_some();
    some.then_some(options)
}

/// True where everything is equal that has to be.
fn compare(options: &Options) -> io::Result<bool> {
    let mut all_equal = true;
    let mut show = |tally: Tally| {
        print!("{}", tally.shown(options.show));
        all_equal &= tally.passes();
    };
    if let Some(oracle) = &options.oracle {
        compare_daemons(options, oracle, &mut show)?;
    }
    if let Some(folder) = &options.toml_test {
        for version in Version::all() {
            toml_verdicts(folder, version)?.into_iter().for_each(&mut show);
        }
    }
    if let Some(folder) = &options.k8s {
        let tallies = rollouts::tallies(folder)?;
        tallies.iter().for_each(|tally| print!("{}", tally.shown(options.show)));
        // The orders of watch events are both real; a simulator follows one of them.
        all_equal &= tallies.iter().any(Tally::all_equal);
    }
    Ok(all_equal)
}

fn compare_daemons(options: &Options, oracle: &Path, show: &mut impl FnMut(Tally)) -> io::Result<()> {
    let recordings = Recordings::made(oracle);
    let candidate = match &options.program {
        Some(program) => Candidate::Program(program),
        None => Candidate::Engine,
    };
    let versions = recordings.versions();
    if versions.is_empty() {
        let why = format!("{}/results has none of the built-in versions", oracle.display());
        return Err(io::Error::other(why));
    }
    for version in versions {
        show(recordings.dumps(version, &candidate)?);
        show(recordings.loaded(version, &candidate)?);
        story::stories(oracle, version)?.map(&mut *show);
        toolkit::runs(oracle, version)?.map(&mut *show);
    }
    Ok(())
}
