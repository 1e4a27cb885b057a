//! The switch on whole nodes: what it does to the text, and what the engine then loads.

use super::*;
use crate::{Action, State};
use std::borrow::Cow;
use std::collections::BTreeSet;

const MAIN: &str = "/etc/containerd/config.toml";

fn scenario() -> Scenario {
    let text = "format_version = 1\nslug = 's'\ncontainerd = '1.7.27'\ncount = 'x'\n\
                files = ['/etc/containerd/config.toml']\n";
    Scenario::parse("scenario.toml", text).expect("the scenario is good")
}

/// A node with a main file and three drop-ins; `10-a` imports a file of another folder.
fn node(main: &str) -> State {
    let mut files = FileTree::new();
    files.write(MAIN, main);
    files.write("/etc/containerd/conf.d/10-a.toml", "version = 2\nimports = [\"../extra/x.toml\"]\n");
    files.write("/etc/containerd/conf.d/20-b.toml", "version = 2\n");
    files.write("/etc/containerd/conf.d/30-c.toml", "version = 2\n");
    files.write("/etc/containerd/conf.d/old.bak", "");
    files.write("/etc/containerd/extra/x.toml", "version = 2\n");
    State::start(&scenario(), &scenario().machines_with(&files))
}

fn switch(state: &mut State, path: &str, on: bool) -> Result<(), Refusal> {
    state.apply(&scenario(), &Action::Import { path: format!("/etc/containerd/{path}"), on, node: None })
}

/// Switches files off or on, one after the other (`-name` or `+name`), and compares the main file.
#[track_caller]
fn check(before: &str, switches: &[&str], after: &str) {
    let mut state = node(before);
    for step in switches {
        let (on, path) = (step.starts_with('+'), &step[1..]);
        switch(&mut state, path, on).unwrap_or_else(|refusal| panic!("{refusal}"));
    }
    assert_eq!(state.files().text(MAIN).as_deref(), Some(after));
}

#[track_caller]
fn check_refused(main: &str, step: &str, code: &str) {
    let mut state = node(main);
    let refusal = switch(&mut state, &step[1..], step.starts_with('+')).unwrap_err();
    assert_eq!(refusal.code, code, "{refusal}");
    assert_eq!(state, node(main));
}

const GLOB: &str = "# ours\nversion = 2 # two\nimports = [\"/etc/containerd/conf.d/*.toml\"] # all\n\n[debug]\n  level = \"info\"\n";

#[test]
fn off_and_on_again_gives_the_same_bytes() {
    let a_and_c = GLOB.replace("conf.d/*.toml\"", "conf.d/10-a.toml\", \"/etc/containerd/conf.d/30-c.toml\"");
    check(GLOB, &["-conf.d/20-b.toml"], &a_and_c);
    for name in ["conf.d/10-a.toml", "conf.d/20-b.toml", "conf.d/30-c.toml"] {
        check(GLOB, &[&format!("-{name}"), &format!("+{name}")], GLOB);
    }
    let all = ["-conf.d/20-b.toml", "-conf.d/30-c.toml", "-conf.d/10-a.toml"];
    check(GLOB, &all, &GLOB.replace("\"/etc/containerd/conf.d/*.toml\"", ""));
    let back = ["+conf.d/30-c.toml", "+conf.d/10-a.toml", "+conf.d/20-b.toml"];
    check(GLOB, &[all, back].concat(), GLOB);
}

#[test]
fn what_is_so_already_stays_so() {
    check(GLOB, &["+conf.d/20-b.toml"], GLOB);
    check(GLOB, &["-conf.d/old.bak"], GLOB);
    let other = GLOB.replace("*", "2*");
    check(&other, &["-conf.d/10-a.toml"], &other);
}

#[test]
fn relative_and_plain_entries_are_known() {
    check(
        "imports = [\"conf.d/*.toml\"]\n",
        &["-conf.d/30-c.toml"],
        "imports = [\"/etc/containerd/conf.d/10-a.toml\", \"/etc/containerd/conf.d/20-b.toml\"]\n",
    );
    check(
        "imports = [\"conf.d/20-b.toml\", \"extra//x.toml\"]\n",
        &["-conf.d/20-b.toml"],
        "imports = [\"extra//x.toml\"]\n",
    );
    check(
        "imports = [\"conf.d/30-c.toml\"]\n",
        &["+conf.d/old.bak"],
        "imports = [\"conf.d/30-c.toml\", \"/etc/containerd/conf.d/old.bak\"]\n",
    );
    check("version = 2\n", &["+extra/x.toml"], "version = 2\nimports = [\"/etc/containerd/extra/*.toml\"]\n");
}

#[test]
fn a_file_that_two_entries_name_goes_from_both() {
    check(
        "imports = [\"conf.d/*.toml\", \"conf.d/2?-*.toml\"]\n",
        &["-conf.d/20-b.toml"],
        "imports = [\"/etc/containerd/conf.d/10-a.toml\", \"/etc/containerd/conf.d/30-c.toml\"]\n",
    );
}

#[test]
fn a_plain_path_that_is_missing_can_be_switched_off() {
    check(
        "imports = [\"/etc/containerd/none.toml\", \"conf.d/3*.toml\"]\n",
        &["-none.toml"],
        "imports = [\"conf.d/3*.toml\"]\n",
    );
}

#[test]
fn comments_among_the_entries_stay() {
    let list = "imports = [\n  # vendor\n  \"conf.d/10-a.toml\", # first\n  \"conf.d/20-b.toml\",\n]\n";
    check(
        list,
        &["+conf.d/30-c.toml"],
        "imports = [\n  # vendor\n  \"conf.d/10-a.toml\", # first\n  \"conf.d/20-b.toml\",\n  \"/etc/containerd/conf.d/30-c.toml\",\n]\n",
    );
    check(list, &["-conf.d/10-a.toml"], "imports = [\n  # vendor\n  # first\n  \"conf.d/20-b.toml\",\n]\n");
}

#[test]
fn what_cannot_be_done_is_said() {
    check_refused(GLOB, "-extra/x.toml", "imported-elsewhere");
    check_refused(GLOB, "+conf.d/none.toml", "no-such-file");
    check_refused(GLOB, "+config.toml", "is-main");
    check_refused("version = 2\nversion = 2\n", "+conf.d/20-b.toml", "main-unreadable");
    check_refused("imports = \"conf.d/*.toml\"\n", "-conf.d/20-b.toml", "main-unreadable");
    let mut state = node(GLOB);
    state.apply(&scenario(), &Action::Remove { path: MAIN.into(), node: None }).unwrap();
    assert_eq!(switch(&mut state, "conf.d/20-b.toml", true).unwrap_err().code, "no-main");
}

#[test]
fn the_engine_loads_what_the_switch_says() {
    for (step, loaded) in [("-conf.d/20-b.toml", false), ("-conf.d/10-a.toml", true)] {
        let mut state = node(GLOB);
        switch(&mut state, &step[1..], false).unwrap();
        let version = Version::named("1.7.27").unwrap();
        let request = Request::new(version, state.files(), MAIN);
        let paths: Vec<String> = dump(&request).files.into_iter().map(|file| file.path).collect();
        assert_eq!(paths.contains(&"/etc/containerd/conf.d/20-b.toml".to_string()), loaded, "{paths:?}");
    }
}

/// A small generator with a seed, so that a failing text comes back on every machine.
struct Dice(u64);

impl Dice {
    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        from[usize::try_from((self.0 >> 33) % from.len() as u64).expect("a small number")]
    }

    fn main_file(&mut self) -> String {
        let mut text = self.pick(&["", "version = 2\n", "# é日\nversion = 2 # two\n"]).to_string();
        text.push_str(self.pick(&["imports = [", "imports=[ ", "imports = [\n", "\"imports\" = [ # all\n"]));
        for _ in 0..self.pick(&["", "x", "xx", "xxx"]).len() {
            text.push_str(self.pick(&["", "  ", "\n", "  # note, é\n", "\n\n\t"]));
            text.push_str(self.pick(&[
                "\"/etc/containerd/conf.d/*.toml\"",
                "'conf.d/20-b.toml'",
                "\"conf.d/[12]*\"",
                "\"\"\"/etc/containerd/extra/x.toml\"\"\"",
                "\"/etc/containerd/none.toml\"",
                "\"conf.d/[*\"",
            ]));
            text.push_str(self.pick(&["", "  ", " # a, b\n", "\n"]));
            text.push_str(self.pick(&[",", ", ", ",\n", ", # \"c\"\n"]));
        }
        text.push_str(self.pick(&["]", " ]\n", "\n]\n[debug]\n  level = 'é'\n"]));
        text
    }
}

/// The files that the entries of a main file stand for.
fn named(state: &State) -> BTreeSet<String> {
    let text = state.files().text(MAIN).expect("the main file is there").into_owned();
    let list = ImportList::find(&text).unwrap_or_else(|| panic!("no list in {text}"));
    let version = Version::named("1.7.27").expect("the version is built in");
    let node = Node { version, files: state.files(), main: MAIN };
    list.entries.iter().flat_map(|entry| node.expand(&entry.text)).collect()
}

#[test]
fn any_list_can_be_switched() {
    for seed in 0..400 {
        let mut dice = Dice(seed);
        let main = dice.main_file();
        let mut state = node(&main);
        let comments = main.matches('#').count();
        for _ in 0..4 {
            let name =
                dice.pick(&["conf.d/10-a.toml", "conf.d/20-b.toml", "conf.d/30-c.toml", "extra/x.toml"]);
            let on = dice.pick(&["+", "-"]) == "+";
            let mut wanted = named(&state);
            let before = state.files().text(MAIN).map(Cow::into_owned);
            let Ok(()) = switch(&mut state, name, on) else {
                assert_eq!(state.files().text(MAIN).map(Cow::into_owned), before);
                continue;
            };
            let path = format!("/etc/containerd/{name}");
            if on {
                wanted.insert(path)
            } else {
                wanted.remove(&path)
            };
            let after = state.files().text(MAIN).expect("the main file is there").into_owned();
            assert_eq!(named(&state), wanted, "seed {seed}: {before:?} became {after:?}");
            assert_eq!(after.matches('#').count(), comments, "seed {seed}: {before:?} became {after:?}");
            assert_eq!(main.contains("level = 'é'"), after.contains("level = 'é'"), "seed {seed}");
        }
    }
}
