//! Installing what is missing. Everything is looked for first, so that a second run does nothing.

use crate::house::{House, on_path};
use crate::process::{ask, run};
use crate::report::{Failure, Outcome, Report};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const WASM: &str = "wasm32-unknown-unknown";
/// The newest trunk that the toolchain of this workspace compiles.
const TRUNK: [u32; 3] = [0, 21, 14];
const NODE_MAJOR: u32 = 20;
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// What building the page needs, as found or installed.
pub struct Tools {
    /// The trunk program.
    pub trunk: PathBuf,
    /// The `PATH` under which trunk finds the right wasm-bindgen and the npm programs.
    pub path: OsString,
}

/// Brings everything that building the page needs; nothing where a step failed.
pub fn page_tools(house: &House, report: &mut Report) -> Option<Tools> {
    let mut ok = report.step("wasm target", "the standard library for wasm32", || wasm_target(house));
    ok &= report.step("npm packages", "the editor, its bundler and the test driver", || npm(house));
    if !ok {
        // Compiling the others takes minutes, and without these two they are of no use.
        report.not_run("trunk", "an earlier part is missing");
        report.not_run("wasm-bindgen", "an earlier part is missing");
        return None;
    }
    let (mut trunk, mut bindgen) = (None, None);
    ok &= report.step("trunk", "the program that builds the page", || {
        let fits = |have: &str| numbers(have) >= TRUNK.to_vec();
        let want = TRUNK.map(|n| n.to_string()).join(".");
        let tool = Tool { package: "trunk", program: "trunk", want, opt_level: "0", about: "2 to 4 minutes" };
        cargo_tool(house, &tool, fits, &mut trunk)
    });
    ok &= report.step("wasm-bindgen", "the program that makes the page's loader", || {
        let lock = fs::read_to_string(house.root.join("Cargo.lock")).unwrap_or_default();
        let want = locked_version(&lock, "wasm-bindgen")
            .ok_or_else(|| Failure::new("Cargo.lock names no wasm-bindgen, so the page cannot be built"))?;
        let fits = |have: &str| have == want;
        let tool = Tool {
            package: "wasm-bindgen-cli",
            program: "wasm-bindgen",
            want: want.clone(),
            opt_level: "1",
            about: "1 to 3 minutes",
        };
        cargo_tool(house, &tool, fits, &mut bindgen)
    });
    if !ok {
        return None;
    }
    let folders = [bindgen?.parent()?.to_path_buf(), house.root.join("node_modules/.bin")];
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(folders.into_iter().chain(env::split_paths(&path))).ok()?;
    Some(Tools { trunk: trunk?, path })
}

fn wasm_target(house: &House) -> Result<Outcome, Failure> {
    if has_wasm_target(house) {
        return Ok(Outcome::Done("already there".into()));
    }
    if on_path("rustup").is_none() {
        return Err(Failure::new(format!(
            "the Rust target {WASM} is missing, and there is no rustup to add it"
        ))
        .mended_by(format!("rustup target add {WASM}, or your system's package of that target")));
    }
    run(house.command("rustup").args(["target", "add", WASM]), house.verbose)
        .map_err(|failure| failure.mended_by(format!("rustup target add {WASM}")))?;
    if has_wasm_target(house) {
        return Ok(Outcome::Done("installed".into()));
    }
    Err(Failure::new(format!("rustup added {WASM}, but not to the toolchain in use"))
        .mended_by(format!("rustup target add {WASM} --toolchain NAME")))
}

fn has_wasm_target(house: &House) -> bool {
    let folder = ask(house.command("rustc").args(["--print", "target-libdir", "--target", WASM]));
    folder.is_some_and(|folder| Path::new(&folder).is_dir())
}

/// A program that cargo installs.
struct Tool {
    package: &'static str,
    program: &'static str,
    want: String,
    opt_level: &'static str,
    about: &'static str,
}

/// Finds a program of the right version on `PATH`, then in `.tools/`, and installs it there otherwise.
fn cargo_tool(
    house: &House,
    tool: &Tool,
    fits: impl Fn(&str) -> bool,
    found: &mut Option<PathBuf>,
) -> Result<Outcome, Failure> {
    let own = house.tools().join("bin").join(tool.program);
    let places = [(on_path(tool.program), "on PATH"), (Some(own.clone()), "in .tools")];
    for (file, place) in places {
        let Some(file) = file.filter(|file| file.is_file()) else { continue };
        let said = ask(Command::new(&file).arg("--version")).unwrap_or_default();
        let Some(have) = said.split_whitespace().nth(1).filter(|have| fits(have)) else { continue };
        *found = Some(file);
        return Ok(Outcome::Done(format!("{have} {place}")));
    }
    let Tool { package, program, want, opt_level, about } = tool;
    println!("    {program} {want} is missing; cargo compiles it, which takes {about}");
    let built = house.target.join("tools");
    let mut install = house.cargo();
    install.args(["install", "--locked", "--no-default-features", "--force", "--bin", program, "--root"]);
    install.arg(house.tools()).arg("--target-dir").arg(&built).arg(format!("{package}@{want}"));
    // A tool runs for seconds: a quick build of it is worth more than a quick tool.
    install.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", opt_level).env("CARGO_PROFILE_RELEASE_LTO", "off");
    install.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16").env("CARGO_PROFILE_RELEASE_DEBUG", "0");
    run(&mut install, house.verbose).map_err(|failure| {
        failure.mended_by(format!("cargo install --locked --bin {program} {package}@{want}, then once more"))
    })?;
    // An install that was cut short goes on from this folder; a finished one needs it no more.
    let _ = fs::remove_dir_all(&built);
    *found = Some(own);
    Ok(Outcome::Done(format!("{want} installed into .tools")))
}

fn npm(house: &House) -> Result<Outcome, Failure> {
    node(house)?;
    let stamp = house.root.join("node_modules/.fourgaps-lock");
    let lock = fs::read(house.root.join("package-lock.json"))
        .map_err(|error| Failure::new(format!("package-lock.json cannot be read: {error}")))?;
    if fs::read(&stamp).is_ok_and(|stamp| stamp == lock) {
        return Ok(Outcome::Done("already there".into()));
    }
    let again = "npm ci --ignore-scripts";
    run(house.command("npm").args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]), house.verbose)
        .map_err(|failure| failure.mended_by(format!("{again} (it needs the npm registry)")))?;
    fs::write(&stamp, lock).map_err(|error| Failure::new(format!("{}: {error}", stamp.display())))?;
    Ok(Outcome::Done("installed".into()))
}

/// Checks that Node and npm are there and new enough.
fn node(house: &House) -> Result<(), Failure> {
    let mend = format!("install Node.js {NODE_MAJOR} or newer with npm (Debian: apt-get install nodejs npm)");
    for program in ["node", "npm"] {
        if on_path(program).is_none() {
            return Err(Failure::new(format!("`{program}` is missing")).mended_by(mend));
        }
    }
    let said = ask(house.command("node").arg("--version")).unwrap_or_default();
    match numbers(&said).first() {
        Some(major) if *major >= NODE_MAJOR => Ok(()),
        _ => Err(Failure::new(format!("Node.js {said} is too old")).mended_by(mend)),
    }
}

/// Brings a Chromium for the end-to-end tests.
pub fn chromium(house: &House, found: &mut Option<PathBuf>) -> Result<Outcome, Failure> {
    if let Some(named) = env::var_os("CHROMIUM").map(PathBuf::from) {
        if !named.is_file() {
            return Err(Failure::new(format!("CHROMIUM names {}, which is not there", named.display()))
                .mended_by("set CHROMIUM to the browser's program, or unset it"));
        }
        *found = Some(named);
        return Ok(Outcome::Done("as CHROMIUM says".into()));
    }
    if let Some(file) = BROWSERS.into_iter().find_map(on_path) {
        let note = file.display().to_string();
        *found = Some(file);
        return Ok(Outcome::Done(note));
    }
    let mend = "apt-get install chromium as root, or set CHROMIUM to a browser's program";
    let root = ask(Command::new("id").arg("-u")).is_some_and(|id| id == "0");
    if !root || on_path("apt-get").is_none() {
        return Err(Failure::new("no Chromium was found").mended_by(mend));
    }
    println!("    no Chromium was found; apt-get installs it, which takes about a minute");
    let apt = |words: &[&str]| {
        let mut command = house.command("apt-get");
        command.args(words).env("DEBIAN_FRONTEND", "noninteractive");
        run(&mut command, house.verbose).map_err(|failure| failure.mended_by(mend))
    };
    apt(&["update"])?;
    apt(&["install", "-y", "--no-install-recommends", "chromium"])?;
    *found = on_path("chromium");
    match found {
        Some(_) => Ok(Outcome::Done("installed".into())),
        None => Err(Failure::new("apt-get brought no `chromium` onto PATH").mended_by(mend)),
    }
}

/// The version of a package in the text of a Cargo.lock.
fn locked_version(lock: &str, package: &str) -> Option<String> {
    let (_, after) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    after.split('"').next().map(String::from)
}

/// The leading numbers of a version: `v20.20.2` is 20, 20, 2.
fn numbers(version: &str) -> Vec<u32> {
    let version = version.trim_start_matches('v');
    version.split(['.', '-', '+']).map_while(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(numbers("v20.20.2"), [20, 20, 2]);
        assert_eq!(numbers("0.22.0-beta.1"), [0, 22, 0]);
        assert!(numbers("0.21.9") < TRUNK.to_vec());
        assert!(numbers("0.22.1") >= TRUNK.to_vec());
        assert!(numbers("unknown") < TRUNK.to_vec());
    }

    #[test]
    fn the_lock_file_names_a_version() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"1\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.129\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").as_deref(), Some("0.2.129"));
        assert_eq!(locked_version(lock, "wasm"), None);
    }
}
