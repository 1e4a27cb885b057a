//! Moments: each is what folding from the start gives, whatever is at hand.

use super::*;
use crate::Scenario;
use fourgaps_base::FileEdit;
use fourgaps_node::{Op, Signal};

const SCENARIO: &str = r#"
format_version = 1
slug = "small"
containerd = "1.7.27"
count = "nvidia"
files = ["/etc/containerd/config.toml"]
hints = [{ id = "one" }]
[[past]]
on = "omen"
sandbox = { name = "web" }
[[past]]
wait_s = 600
[[past]]
on = "omen"
restart = true
"#;

fn scenario() -> Scenario {
    Scenario::parse("scenario.toml", SCENARIO).unwrap()
}

fn before() -> Rc<Before> {
    let read = |source: &str| (!source.ends_with(".json")).then(|| b"version = 2\n".to_vec());
    let told = scenario().past_facts(read);
    Rc::new(
        scenario().before(
            |source| if source.ends_with(".json") { Some(told.clone().into()) } else { read(source) },
        ),
    )
}

/// A run with lines that did much, lines that did nothing, an editor, and a moment that was gone back to.
fn run(rounds: usize) -> (Rc<Work>, Rc<Before>) {
    let before = before();
    let mut world = scenario().world(|_| Some(b"version = 2\n".to_vec()));
    let mut work = Work::new(&scenario(), &before.arrival());
    for round in 0..rounds {
        let mut did = Vec::new();
        let pid = world.node("omen").unwrap().containerd().map(|process| process.pid);
        world.act("omen", &Op::Edit(FileEdit::write("/tmp/a", format!("{round}"))), &mut did);
        if let Some(pid) = pid {
            world.act("omen", &Op::Signal { pid, signal: Signal::Hup }, &mut did);
        }
        world.act("omen", &Op::Wait { ms: 20_000 }, &mut did);
        work.act(Action::Ran { tab: "omen".into(), line: "pkill -HUP containerd".into(), did }).unwrap();
        work.act(Action::Ran { tab: "omen".into(), line: "true".into(), did: Vec::new() }).unwrap();
        if round == 1 {
            work.act(Action::Hint).unwrap();
            work.act(Action::Hint).unwrap_err();
            work.go_on_from(
                2,
                Some(Action::Write { path: "/b/c".into(), text: "x".into(), part: false, node: None }),
            )
            .unwrap();
        }
    }
    (Rc::new(work), before)
}

/// Folded step by step, without anything that was kept.
fn folded(work: &Work, before: &Before) -> Vec<(Point, State)> {
    let mut state = State::start(work.scenario(), &before.arrival());
    state.world = before.machines.clone();
    let mut all = Vec::new();
    for (nth, fact) in before.facts.iter().enumerate() {
        all.push((Point::Past(nth as u32), state.clone()));
        state.world.apply(fact);
    }
    for (nth, at) in work.lived().into_iter().enumerate() {
        let nth = nth as u32;
        match &work.actions()[at] {
            Action::Ran { did, .. } if !did.is_empty() => {
                for (step, fact) in did.iter().enumerate() {
                    all.push((Point::Run(nth, step as u32), state.clone()));
                    state.world.apply(fact);
                }
            }
            action => {
                all.push((Point::Run(nth, 0), state.clone()));
                state.apply(work.scenario(), action).unwrap();
            }
        }
    }
    all.push((Point::Run(work.lived().len() as u32, 0), state));
    all
}

#[test]
fn every_moment_is_what_folding_from_the_start_gives() {
    let (work, before) = run(3);
    let moments = Moments::of(&work, &before);
    let all = folded(&work, &before);
    assert_eq!(moments.all().collect::<Vec<_>>(), all.iter().map(|(point, _)| *point).collect::<Vec<_>>());
    assert!(all.len() > 40 && matches!(all[5].0, Point::Past(5)), "{}", all.len());
    let mut last: Option<(Point, State)> = None;
    for (point, wanted) in &all {
        let near = last.as_ref().map(|(point, state)| (*point, state));
        let state = moments.state(*point, near);
        assert!(state == *wanted, "{point:?}");
        assert!(moments.state(*point, None) == *wanted, "{point:?}");
        if let Some((before, earlier)) = &last {
            assert!(before < point && earlier.world.now_ms() <= state.world.now_ms(), "{point:?}");
        }
        last = Some((*point, state));
    }
    assert!(moments.state(moments.now(), None) == *work.state());
    // A state at hand that is later is of no use, and one of another moment is.
    let (late, state) = all.last().unwrap();
    assert!(moments.state(all[3].0, Some((*late, state))) == all[3].1);
}

#[test]
fn a_long_run_keeps_few_states() {
    let (work, before) = run(120);
    let moments = Moments::of(&work, &before);
    assert!(moments.last() > 1000 && moments.kept.len() > 2 && moments.kept.len() <= MOST_KEPT + 1);
    assert!(moments.state(moments.now(), None) == *work.state());
    let all = folded(&work, &before);
    for (point, wanted) in all.iter().step_by(97) {
        assert!(moments.state(*point, None) == *wanted, "{point:?}");
    }
}

#[test]
fn one_goes_on_behind_whole_actions() {
    let (work, before) = run(3);
    let moments = Moments::of(&work, &before);
    let behind = |point| moments.goes_on_behind(point);
    assert_eq!((behind(Point::Past(3)), behind(Point::Run(0, 0)), behind(Point::Run(0, 4))), (0, 0, 1));
    assert_eq!((behind(moments.now()), behind(Point::Run(99, 9))), (moments.actions(), moments.actions()));
    // A moment that is not there is the nearest before it.
    assert!(moments.state(Point::Run(99, 9), None) == *work.state());
    assert!(moments.state(Point::Past(9999), None) == moments.state(Point::Run(0, 0), None));
}
