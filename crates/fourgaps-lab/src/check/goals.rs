//! Goals: not met on arrival, met after the solution.

use super::Lab;
use super::folder::Folder;
use crate::{Action, Lang, Player, State, Step, goals};
use fourgaps_base::Pos;
use fourgaps_config::Version;
use fourgaps_view::{ExplainView, NextStartView};

/// Plays a lab's start and its solution.
pub(super) fn check(folder: &mut Folder<'_>, lab: &Lab, player: &mut Option<&mut dyn Player>) {
    let scenario = &lab.scenario;
    let Some(version) = Version::named(&scenario.containerd) else {
        let text = format!("containerd {} is not built in", scenario.containerd);
        folder.fault(&lab.label, scenario.places["containerd"], text);
        return;
    };
    if scenario.goals.is_empty() {
        folder.fault(&lab.label, scenario.places["goals"], "there is no goal");
        return;
    }
    let read = |source: &str| folder.bytes(&format!("{}{source}", lab.home)).map(<[u8]>::to_vec);
    let mut faults = scenario.cannot_be(read);
    let told = read(crate::PAST_FACTS).unwrap_or_default();
    if !scenario.past.is_empty() && told != scenario.past_facts(read).into_bytes() {
        let text = "is not what the past came to; `fourgaps check --write-past` writes it";
        faults.push((scenario.past[0].pos, format!("{} {text}", crate::PAST_FACTS)));
    }
    let world = scenario.machines(read);
    if let Some(player) = player {
        player.begin(scenario, &read);
        // The page has asked no line before the learner types one.
        for ((host, line), _) in scenario.lines().into_iter().zip(player.held()).filter(|(_, holds)| *holds) {
            let text = format!("this line of a goal ends well on arrival already, on {host}: {line}");
            faults.push((scenario.places["goals"], text));
        }
    }
    for (pos, why) in faults {
        folder.fault(&lab.label, pos, why);
    }
    let mut state = State::start(scenario, &world);
    if not_met(lab, version, &state).is_empty() {
        folder.fault(&lab.label, scenario.places["goals"], "every goal is met on arrival");
    }
    if scenario.solution.is_empty() {
        folder.fault(&lab.label, scenario.places["solution"], "there is no solution");
        return;
    }
    for step in &scenario.solution {
        if let Err((pos, why)) = play(folder, lab, &mut state, step, player) {
            folder.fault(&lab.label, pos, format!("this step of the solution cannot be done: {why}"));
            return;
        }
    }
    for id in not_met(lab, version, &state) {
        let pos = scenario.goals.iter().find(|goal| goal.id == id).map_or(Pos::default(), |goal| goal.pos);
        folder.fault(&lab.label, pos, format!("the solution does not meet the goal `{id}`"));
    }
}

fn play(
    folder: &mut Folder<'_>,
    lab: &Lab,
    state: &mut State,
    step: &Step,
    player: &mut Option<&mut dyn Player>,
) -> Result<(), (Pos, String)> {
    let (action, pos) = match step {
        Step::Do { action, pos } => (action.clone(), *pos),
        Step::Run { host, line, pos } => {
            let Some(player) = player else {
                return Err((*pos, "there is no shell to run it".into()));
            };
            (player.run(host, line).map_err(|said| (*pos, said))?, *pos)
        }
        Step::Write { path, from, pos } => {
            let text = folder.text(&format!("{}{from}", lab.home)).unwrap_or_default();
            (Action::Write { path: path.clone(), text: text.into(), part: false, node: None }, *pos)
        }
    };
    state.apply(&lab.scenario, &action).map_err(|why| (pos, why.to_string()))?;
    if let (Some(player), false) = (player, matches!(action, Action::Ran { .. })) {
        player.follow(&action);
    }
    Ok(())
}

/// The names of the goals that a state does not meet.
fn not_met(lab: &Lab, version: &Version, state: &State) -> Vec<String> {
    let scenario = &lab.scenario;
    // The words do not matter here; any language will do.
    let Some(texts) = Lang::ALL.iter().find_map(|lang| lab.texts.get(lang)) else { return Vec::new() };
    let next_start = NextStartView::of(version, state.files(), &scenario.config);
    let explain = ExplainView::of(version, state.files(), &scenario.config);
    let views = goals(scenario, texts, state, &next_start, &explain);
    views.into_iter().filter(|goal| !goal.met).map(|goal| goal.id).collect()
}
