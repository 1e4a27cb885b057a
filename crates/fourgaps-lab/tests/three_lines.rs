//! The incident as a learner may play it: half a repair does not pass for a whole one.

mod shared;

use fourgaps_config::Version;
use fourgaps_lab::{Action, Scenario, Texts, Work, goals};
use fourgaps_view::{ExplainView, NextStartView};

const HOME: &str = "scenarios/three-lines/";
const NVIDIA: &str = "/etc/containerd/conf.d/99-nvidia.toml";
const REGISTRY: &str = "/etc/containerd/conf.d/zz-labhub-registry.toml";

struct Lab {
    texts: Texts,
    work: Work,
}

fn text_of(path: &str) -> String {
    let bytes = shared::content().remove(&format!("{HOME}{path}")).unwrap_or_else(|| panic!("no {path}"));
    String::from_utf8(bytes).expect("the file is text")
}

fn arrive() -> Lab {
    let scenario = Scenario::parse("scenario.toml", &text_of("scenario.toml")).expect("the scenario is good");
    let texts = Texts::parse("en.toml", &text_of("en.toml")).expect("the texts are good");
    let world = scenario.machines(|source| Some(text_of(source).into_bytes()));
    Lab { texts, work: Work::new(&scenario, &world) }
}

/// Plays a list of actions and names the goals that are met then.
#[track_caller]
fn check(actions: &[Action], met: &[&str]) {
    let Lab { texts, mut work } = arrive();
    for action in actions {
        work.act(action.clone()).unwrap_or_else(|refusal| panic!("{refusal}"));
    }
    let version = Version::named(&work.scenario().containerd).expect("the version is built in");
    let (files, main) = (work.state().files(), &work.scenario().config);
    let (next_start, explain) =
        (NextStartView::of(version, files, main), ExplainView::of(version, files, main));
    let views = goals(work.scenario(), &texts, work.state(), &next_start, &explain);
    let found: Vec<&str> = views.iter().filter(|goal| goal.met).map(|goal| goal.id.as_str()).collect();
    assert_eq!(found, met);
}

fn import(path: &str, on: bool) -> Action {
    Action::Import { path: path.into(), on, node: None }
}

fn rename(from: &str, to: &str) -> Action {
    Action::Rename { from: from.into(), to: format!("/etc/containerd/conf.d/{to}"), node: None }
}

fn write(path: &str, text: String) -> Action {
    Action::Write { path: path.into(), text, part: false, node: None }
}

/// The drop-in of the handlers with the registry's lines behind it.
fn both_in_one() -> String {
    text_of(&format!("rootfs{NVIDIA}")) + &text_of(&format!("rootfs{REGISTRY}"))
}

#[test]
fn on_arrival_the_registry_has_taken_everything() {
    check(&[], &["registry-stays", "starts"]);
}

#[test]
fn one_switch_brings_the_handlers_back_and_loses_the_registry() {
    check(&[import(REGISTRY, false)], &["handlers-back", "starts"]);
    check(&[import(REGISTRY, false), import(REGISTRY, true)], &["registry-stays", "starts"]);
    check(&[import(NVIDIA, false)], &["registry-stays", "starts"]);
}

#[test]
fn another_name_only_changes_sides() {
    check(&[rename(REGISTRY, "10-registry.toml")], &["handlers-back", "starts"]);
    check(&[rename(NVIDIA, "zzz-nvidia.toml")], &["handlers-back", "starts"]);
}

#[test]
fn one_owner_of_the_drop_ins_still_hides_the_main_file() {
    let moved = write(NVIDIA, both_in_one());
    let met = ["handlers-back", "registry-stays", "starts"];
    check(&[moved.clone(), Action::Remove { path: REGISTRY.into(), node: None }], &met);
    check(&[moved.clone(), write(REGISTRY, String::new())], &met);
    check(&[moved.clone(), import(REGISTRY, false)], &met);
    // Left where it is, the second file still comes last.
    check(&[moved], &["registry-stays", "starts"]);
}

#[test]
fn twice_pasted_is_no_start() {
    let twice = both_in_one().repeat(2);
    check(&[write(NVIDIA, twice)], &[]);
}

#[test]
fn every_way_to_one_owner_is_a_solution() {
    let all = ["handlers-back", "registry-stays", "main-file-counts", "starts"];
    let whole = text_of("solution/99-nvidia.toml");
    check(&[write(NVIDIA, whole.clone()), Action::Remove { path: REGISTRY.into(), node: None }], &all);
    check(&[write(REGISTRY, whole.clone())], &all);
    let main = format!("imports = []\n{whole}");
    check(&[write("/etc/containerd/config.toml", main)], &all);
}
