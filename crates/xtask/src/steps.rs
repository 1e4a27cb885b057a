//! The steps of `cargo xtask test`, `conformance` and `bench`.

use crate::args;
use crate::house::{House, on_path};
use crate::page;
use crate::process::{ask, run, run_into};
use crate::report::{Failure, Outcome, Report, done};
use crate::setup;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Every check and every test. A step that fails does not hold up those that can do without it.
pub fn test(house: &House, report: &mut Report) {
    let tools = setup::page_tools(house, report);
    let mut browser = None;
    let has_browser = report
        .step("chromium", "the browser of the end-to-end tests", || setup::chromium(house, &mut browser));

    checks(house, report, tools.is_some());
    native_tests(house, report);
    oracle(house, report);
    scenarios(house, report);

    let Some(tools) = tools else {
        for name in ["release build", "size budget", "end-to-end tests"] {
            report.not_run(name, "the tools for the page are missing");
        }
        return;
    };
    if !report.step("release build", "the page as it is published", || page::release(house, &tools)) {
        report.not_run("size budget", "there is no page");
        report.not_run("end-to-end tests", "there is no page");
        return;
    }
    report.step("size budget", "what a first visit loads, with brotli", || {
        let output = run(house.command("node").arg("tests/e2e/size.mjs"), house.verbose)?;
        Ok(Outcome::Done(output.lines().last().unwrap_or_default().trim().to_string()))
    });
    match browser {
        Some(browser) if has_browser => end_to_end(house, report, &browser),
        _ => report.not_run("end-to-end tests", "there is no Chromium"),
    }
}

/// Format, lints, and the proof that the pure crates are pure.
fn checks(house: &House, report: &mut Report, has_wasm: bool) {
    report.step("format", "cargo fmt --check", || {
        run(house.cargo().args(["fmt", "--all", "--check"]), house.verbose)
            .map_err(|failure| failure.mended_by("cargo fmt --all"))?;
        done()
    });
    report.step("clippy", "lints of every native crate and its tests", || {
        let words = ["clippy", "--locked", "--workspace", "--exclude", "web", "--all-targets"];
        run(house.cargo().args(words).args(["--", "-D", "warnings"]), house.verbose)?;
        done()
    });
    if !has_wasm {
        report.not_run("clippy of the page", "the tools for the page are missing");
        report.not_run("pure crates", "the tools for the page are missing");
        return;
    }
    report.step("clippy of the page", "lints of web for wasm32", || {
        let words = ["clippy", "--locked", "--package", "web", "--target", "wasm32-unknown-unknown"];
        run(house.cargo().args(words).args(["--", "-D", "warnings"]), house.verbose)?;
        done()
    });
    report.step("pure crates", "they compile for wasm32 without the page", || {
        let mut cargo = house.cargo();
        cargo.args(["check", "--locked", "--target", "wasm32-unknown-unknown"]);
        // The worker's crate comes along: it alone tells the interpreter's libraries that a browser is around them.
        for name in house.pure_crates().into_iter().chain(["fourgaps-play"]) {
            cargo.args(["--package", name]);
        }
        run(&mut cargo, house.verbose)?;
        Ok(Outcome::Done(house.pure_crates().join(", ")))
    });
}

fn native_tests(house: &House, report: &mut Report) {
    let (mut passed, mut failed) = (0, 0);
    report.step("tests", "cargo test of every crate", || {
        let words = ["test", "--locked", "--workspace", "--no-fail-fast"];
        let mut output = String::new();
        let ended = run_into(house.cargo().args(words), house.verbose, &mut output);
        (passed, failed) = cargo_counts(&output);
        ended?;
        Ok(Outcome::Done(format!("{passed} passed")))
    });
    report.count(passed, failed);
}

fn end_to_end(house: &House, report: &mut Report, browser: &Path) {
    let (mut passed, mut failed) = (0, 0);
    report.step("end-to-end tests", "the page in a browser", || {
        let files = test_files(&house.root.join("tests/e2e"));
        if files.is_empty() {
            return Err(Failure::new("tests/e2e holds no *.test.mjs"));
        }
        let mut node = house.command("node");
        node.args(["--test", "--test-reporter=spec"]).args(files).env("CHROMIUM", browser);
        let mut output = String::new();
        let ended = run_into(&mut node, house.verbose, &mut output);
        (passed, failed) = node_counts(&output);
        ended?;
        Ok(Outcome::Done(format!("{passed} passed, screenshots in target/e2e/")))
    });
    report.count(passed, failed);
}

/// Holds the program against the recordings beside the checkout, where they are there.
fn oracle(house: &House, report: &mut Report) {
    report.step("conformance", "the program against ../shared/oracle", || {
        if !house.shared("oracle").is_dir() {
            let why = "../shared/oracle is not there; the copied recordings in static/results were tested";
            return Ok(Outcome::Skipped(why.into()));
        }
        let output = compare(house, "dev", &args::Conformance::default())?;
        for line in output.lines().filter(|_| !house.verbose) {
            println!("      {line}");
        }
        let compared = output.lines().filter(|line| line.ends_with(" equal")).count();
        Ok(Outcome::Done(format!("{compared} comparisons passed")))
    });
}

fn scenarios(house: &House, report: &mut Report) {
    report.step("scenarios", "fourgaps check static/scenarios", || {
        if !house.root.join("static/scenarios").is_dir() {
            return Ok(Outcome::Skipped("there is no static/scenarios".into()));
        }
        let words =
            ["run", "--locked", "--quiet", "--package", "fourgaps-cli", "--", "check", "static/scenarios"];
        run(house.cargo().args(words), house.verbose)?;
        done()
    });
}

/// `cargo xtask conformance`: builds the quick program and prints what is equal and what is not.
pub fn conformance(house: &House, report: &mut Report, options: &args::Conformance) {
    report.step("conformance", "the program against the recordings", || {
        let output = compare(house, "native", options);
        if let (Ok(output), false) = (&output, house.verbose) {
            print!("{output}");
        }
        output.map(|_| Outcome::Done(String::new()))
    });
}

/// Builds the program and the judge with a profile, and runs the judge.
fn compare(house: &House, profile: &str, options: &args::Conformance) -> Result<String, Failure> {
    // The judge runs at the top of the checkout, and a given path counts from where it was typed.
    let absolute = |given: &PathBuf| std::path::absolute(given).unwrap_or_else(|_| given.clone());
    let rollouts_alone = options.k8s.is_some() && options.oracle.is_none() && options.toml_test.is_none();
    let oracle = options.oracle.as_ref().map_or_else(|| house.shared("oracle"), absolute);
    if !rollouts_alone && !oracle.join("results").is_dir() {
        return Err(Failure::new(format!("there are no recordings in {}", oracle.display())).mended_by(
            "cargo xtask conformance --oracle DIR with the folder that holds cases/ and results/",
        ));
    }
    let packages: &[&str] =
        if rollouts_alone { &["fourgaps-tests"] } else { &["fourgaps-cli", "fourgaps-tests"] };
    build(house, profile, packages)?;
    let folder = built(house, profile);
    let mut judge = house.command(folder.join("conformance"));
    let toml_test = options.toml_test.as_ref().map_or_else(|| house.shared("toml-test"), absolute);
    if !rollouts_alone {
        judge.arg("--program").arg(folder.join("fourgaps")).arg("--oracle").arg(oracle);
        if options.toml_test.is_some() || toml_test.is_dir() {
            judge.arg("--toml-test").arg(toml_test);
        }
    }
    let k8s = options.k8s.as_ref().map_or_else(|| house.shared("k8s"), absolute);
    if options.k8s.is_some() || k8s.is_dir() {
        judge.arg("--k8s").arg(k8s);
    }
    if let Some(show) = options.show {
        judge.arg("--show").arg(show.to_string());
    }
    run(&mut judge, house.verbose)
}

/// `cargo xtask bench`: the benches, and the real tool beside ours where this machine has it.
pub fn bench(house: &House, report: &mut Report) {
    report.step("benches", "cargo bench", || {
        let words = ["bench", "--locked", "--profile", "native", "--package", "fourgaps-tests", "--benches"];
        let output = run(house.cargo().args(words), house.verbose)?;
        if !house.verbose {
            // The table alone, without what cargo compiled before it.
            let table = output.find("Timer precision").map_or(output.as_str(), |at| &output[at..]);
            print!("{table}");
        }
        done()
    });
    in_browser(house, report, "edit", "a letter in the editor with 50 drop-ins");
    in_browser(house, report, "terminal", "typed lines in a browser, on the page that was built last");
    in_browser(house, report, "timeline", "the past of 10,000 events scrubbed in a browser");
    in_browser(house, report, "cluster", "a rollout on 5,000 nodes in a browser");
    report.step("real containerd", "our dump beside `containerd config dump` of this machine", || {
        if on_path("containerd").is_none() {
            return Ok(Outcome::Skipped("no containerd is on PATH".into()));
        }
        beside_the_real_one(house)
    });
}

/// A bench of the page that was built last: `tests/e2e/NAME.bench.mjs`.
fn in_browser(house: &House, report: &mut Report, name: &'static str, what: &str) {
    report.step(name, what, || {
        if !house.root.join("dist/index.html").is_file() {
            return Ok(Outcome::Skipped("there is no dist/: `cargo xtask test` builds it".into()));
        }
        let mut browser = None;
        setup::chromium(house, &mut browser)?;
        let mut node = house.command("node");
        let browser = browser.map(|browser| ("CHROMIUM", browser));
        node.arg(format!("tests/e2e/{name}.bench.mjs")).envs(browser);
        print!("{}", run(&mut node, house.verbose)?);
        done()
    });
}

/// Runs both programs on this machine's own configuration: are they equal, and how long do they take?
fn beside_the_real_one(house: &House) -> Result<Outcome, Failure> {
    let said = ask(house.command("containerd").arg("--version")).unwrap_or_default();
    let Some(version) = said.split_whitespace().nth(2).map(|word| word.trim_start_matches('v').to_string())
    else {
        return Ok(Outcome::Skipped(format!("`containerd --version` says {said:?}")));
    };
    build(house, "native", &["fourgaps-cli"])?;
    let ours = built(house, "native").join("fourgaps");
    let mut took = Vec::new();
    let mut dumps = Vec::new();
    let commands: [(&Path, &[&str]); 2] =
        [(&ours, &["dump", "--containerd", &version]), (Path::new("containerd"), &["config", "dump"])];
    for (program, words) in commands {
        let mut times = Vec::new();
        for _ in 0..20 {
            let began = Instant::now();
            let output = house.command(program).args(words).output();
            times.push(began.elapsed());
            dumps.push(output.map(|output| output.stdout).unwrap_or_default());
        }
        times.sort_unstable();
        took.push(times[times.len() / 2]);
    }
    let equal = if dumps[0] == dumps[20] { "equal" } else { "DIFFERENT" };
    Ok(Outcome::Done(format!("{version}: {equal}; median of 20 runs {:?}, real {:?}", took[0], took[1])))
}

fn build(house: &House, profile: &str, packages: &[&str]) -> Result<(), Failure> {
    let mut cargo = house.cargo();
    cargo.args(["build", "--locked", "--bins", "--profile", profile]);
    for package in packages {
        cargo.args(["--package", package]);
    }
    run(&mut cargo, house.verbose).map(|_| ())
}

/// The folder into which cargo puts the programs of a profile.
fn built(house: &House, profile: &str) -> PathBuf {
    house.target.join(if profile == "dev" { "debug" } else { profile })
}

/// The `*.test.mjs` files of a folder in name order.
fn test_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
    files.sort_unstable();
    files
}

/// Passed and failed tests in the output of `cargo test`.
fn cargo_counts(output: &str) -> (u64, u64) {
    let results = output.lines().filter(|line| line.starts_with("test result: "));
    results.fold((0, 0), |(passed, failed), line| {
        (passed + number_before(line, " passed"), failed + number_before(line, " failed"))
    })
}

/// Passed and failed tests in what `node --test` prints at its end.
fn node_counts(output: &str) -> (u64, u64) {
    let count = |name: &str| {
        let line =
            output.lines().rev().find(|line| line.trim_start_matches(['ℹ', '#', ' ']).starts_with(name));
        line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or(0)
    };
    (count("pass "), count("fail "))
}

fn number_before(line: &str, word: &str) -> u64 {
    let before = line.split(word).next().unwrap_or_default();
    before.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_counted() {
        let output = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured\n\
                      test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured\n";
        assert_eq!(cargo_counts(output), (5, 1));
        assert_eq!(node_counts("ℹ tests 5\nℹ pass 4\nℹ fail 1\nℹ cancelled 0\n"), (4, 1));
        assert_eq!(node_counts("# pass 4\n# fail 0\n"), (4, 0));
    }
}
