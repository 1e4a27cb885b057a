//! Prints how our answers compare with the recorded ones, one line for each kind and version.
//! `cargo xtask conformance` starts it.

use fourgaps_config::Version;
use fourgaps_tests::conformance::{Candidate, Recordings, Tally, toml_verdicts};
use fourgaps_tests::{story, toolkit};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "conformance --oracle DIR [--program FILE] [--toml-test DIR] [--show N]
  without --program our engine answers in this process";

struct Options {
    oracle: PathBuf,
    program: Option<PathBuf>,
    toml_test: Option<PathBuf>,
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
    let (mut oracle, mut program, mut toml_test, mut show) = (None, None, None, 10);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next()?;
        match word.as_str() {
            "--oracle" => oracle = Some(value.into()),
            "--program" => program = Some(value.into()),
            "--toml-test" => toml_test = Some(value.into()),
            "--show" => show = value.parse().ok()?,
            _ => return None,
        }
    }
    Some(Options { oracle: oracle?, program, toml_test, show })
}

/// True where everything is equal.
fn compare(options: &Options) -> io::Result<bool> {
    let recordings = Recordings::made(&options.oracle);
    let candidate = match &options.program {
        Some(program) => Candidate::Program(program),
        None => Candidate::Engine,
    };
    let versions = recordings.versions();
    if versions.is_empty() {
        let why = format!("{}/results has none of the built-in versions", options.oracle.display());
        return Err(io::Error::other(why));
    }
    let mut all_equal = true;
    let mut show = |tally: Tally| {
        print!("{}", tally.shown(options.show));
        all_equal &= tally.passes();
    };
    for version in versions {
        show(recordings.dumps(version, &candidate)?);
        show(recordings.loaded(version, &candidate)?);
        story::stories(&options.oracle, version)?.map(&mut show);
        toolkit::runs(&options.oracle, version)?.map(&mut show);
    }
    if let Some(folder) = &options.toml_test {
        for version in Version::all() {
            toml_verdicts(folder, version)?.into_iter().for_each(&mut show);
        }
    }
    Ok(all_equal)
}
