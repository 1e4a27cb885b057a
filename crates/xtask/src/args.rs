//! The command line: words in, a command out. Refuses every word that it does not know.

use std::path::PathBuf;

/// What `cargo xtask` alone prints.
pub const HELP: &str = "\
cargo xtask COMMAND

  lab [--port 8080] [--dev]   build the lab and serve it on 127.0.0.1
                              (--dev: the quicker build with a slower page)
  test                        every check and every test
  conformance [--oracle DIR] [--toml-test DIR] [--k8s DIR] [--show N]
                              hold our answers against the recorded ones;
                              with --k8s alone only the rollouts
  bench                       measure the engine
  setup                       only install what lab and test need
  help                        this text

Each command first installs what is missing: the wasm32 target, trunk and
wasm-bindgen (into .tools/), the npm packages and, for test, Chromium.
  -v, --verbose               show what every step prints
";

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// Print the help.
    Help,
    /// Build and serve the lab.
    Lab {
        /// The port on 127.0.0.1.
        port: u16,
        /// Build with the dev profile.
        dev: bool,
    },
    /// Run every check and test.
    Test,
    /// Compare with the recordings.
    Conformance(Conformance),
    /// Run the benches.
    Bench,
    /// Install what is missing and stop.
    Setup,
}

/// The options of `conformance`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Conformance {
    /// The folder of recordings, instead of `../shared/oracle`.
    pub oracle: Option<PathBuf>,
    /// The folder of TOML files with their verdicts, instead of `../shared/toml-test`.
    pub toml_test: Option<PathBuf>,
    /// The folder of recorded rollouts, instead of `../shared/k8s`.
    pub k8s: Option<PathBuf>,
    /// How many differing cases are shown for each version.
    pub show: Option<u32>,
}

/// A command and how much is to be shown.
#[derive(Debug, PartialEq, Eq)]
pub struct Args {
    /// What is to be done.
    pub action: Action,
    /// Show what every step prints.
    pub verbose: bool,
}

/// Reads the words after `cargo xtask`.
///
/// # Errors
/// Says which word is wrong, in one sentence.
pub fn parse(words: &[String]) -> Result<Args, String> {
    let mut verbose = false;
    let mut words = words.iter().map(String::as_str).filter(|word| {
        let flag = matches!(*word, "-v" | "--verbose");
        verbose |= flag;
        !flag
    });
    let action = match words.next() {
        None | Some("help" | "-h" | "--help") => Action::Help,
        Some("lab") => lab(&mut words)?,
        Some("test") => Action::Test,
        Some("conformance") => Action::Conformance(conformance(&mut words)?),
        Some("bench") => Action::Bench,
        Some("setup") => Action::Setup,
        Some(word) => return Err(format!("there is no command `{word}`")),
    };
    if let Some(word) = words.next() {
        return Err(format!("`{word}` is not expected here"));
    }
    Ok(Args { action, verbose })
}

fn lab<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Action, String> {
    let (mut port, mut dev) = (8080, false);
    while let Some(word) = words.next() {
        match word {
            "--port" => {
                let given = value(words, word)?;
                port =
                    given.parse().ok().filter(|port| *port != 0).ok_or_else(|| {
                        format!("`--port {given}`: a port is a whole number from 1 to 65535")
                    })?;
            }
            "--dev" => dev = true,
            _ => return Err(format!("`lab` has no option `{word}`")),
        }
    }
    Ok(Action::Lab { port, dev })
}

fn conformance<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Conformance, String> {
    let mut options = Conformance::default();
    while let Some(word) = words.next() {
        match word {
            "--oracle" => options.oracle = Some(value(words, word)?.into()),
            "--toml-test" => options.toml_test = Some(value(words, word)?.into()),
            "--k8s" => options.k8s = Some(value(words, word)?.into()),
            "--show" => {
                let given = value(words, word)?;
                let number = given.parse().map_err(|_| format!("`--show {given}`: not a whole number"))?;
                options.show = Some(number);
            }
            _ => return Err(format!("`conformance` has no option `{word}`")),
        }
    }
    Ok(options)
}

fn value<'a>(words: &mut impl Iterator<Item = &'a str>, option: &str) -> Result<&'a str, String> {
    words.next().ok_or_else(|| format!("`{option}` needs a value after it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, wanted: Result<Args, &str>) {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        assert_eq!(parse(&words), wanted.map_err(String::from), "{line:?}");
    }

    fn quiet(action: Action) -> Result<Args, &'static str> {
        Ok(Args { action, verbose: false })
    }

    #[test]
    fn commands_are_read() {
        check("", quiet(Action::Help));
        check("--help", quiet(Action::Help));
        check("test", quiet(Action::Test));
        check("test -v", Ok(Args { action: Action::Test, verbose: true }));
        check("lab", quiet(Action::Lab { port: 8080, dev: false }));
        check("lab --dev --port 9000", quiet(Action::Lab { port: 9000, dev: true }));
        let options = Conformance {
            oracle: Some("a".into()),
            toml_test: Some("b".into()),
            k8s: Some("c".into()),
            show: Some(3),
        };
        check("conformance --oracle a --toml-test b --k8s c --show 3", quiet(Action::Conformance(options)));
    }

    #[test]
    fn wrong_words_are_named() {
        check("serve", Err("there is no command `serve`"));
        check("test now", Err("`now` is not expected here"));
        check("lab --prot 1", Err("`lab` has no option `--prot`"));
        check("lab --port", Err("`--port` needs a value after it"));
        check("lab --port 0", Err("`--port 0`: a port is a whole number from 1 to 65535"));
        check("lab --port 99999", Err("`--port 99999`: a port is a whole number from 1 to 65535"));
        check("conformance --show x", Err("`--show x`: not a whole number"));
    }
}
