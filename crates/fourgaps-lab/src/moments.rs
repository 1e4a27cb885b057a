//! The moments of a run: what was the case after so many actions, and within one. States are folded anew from the nearest one
//! that was kept; nothing is decided.

use crate::{Action, State, Work};
use fourgaps_cluster::{Fact, Machines};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A moment of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Point {
    /// Before the learner came, after so many facts of the past.
    Past(u32),
    /// After so many actions that count, and so many facts of the next one.
    Run(u32, u32),
}

/// What happened before the learner came: the machines as they were, and the facts from there to the arrival.
#[derive(Clone, Debug, PartialEq)]
pub struct Before {
    /// The machines before the past.
    pub machines: Machines,
    /// The past.
    pub facts: Vec<Fact>,
}

/// Most states that are kept of one run. Each holds the journals of its nodes, so many would be large.
const MOST_KEPT: usize = 24;
/// Fewer facts than this are folded in no time.
const NEAR: usize = 256;

impl Before {
    /// The machines on arrival.
    pub fn arrival(&self) -> Machines {
        let mut machines = self.machines.clone();
        self.facts.iter().for_each(|fact| machines.apply(fact));
        machines
    }
}

/// The moments of a run.
#[derive(Clone, Debug)]
pub struct Moments {
    work: Rc<Work>,
    before: Rc<Before>,
    /// Where the actions that count stand in the list.
    lived: Vec<usize>,
    /// After how many steps each action is done. A step is a fact, or an action that is no list of facts.
    ends: Vec<usize>,
    /// States and how many steps lead to them, in order.
    kept: Vec<(usize, State)>,
}

impl Moments {
    /// The moments of work up to where it stands.
    pub fn of(work: &Rc<Work>, before: &Rc<Before>) -> Self {
        let lived = work.lived();
        let mut at = before.facts.len();
        let mut ends = Vec::with_capacity(lived.len());
        for nth in &lived {
            at += steps(&work.actions()[*nth]);
            ends.push(at);
        }
        let mut here = State::start(work.scenario(), work.state().start_world());
        here.world = before.machines.clone();
        let mut moments = Self { work: work.clone(), before: before.clone(), lived, ends, kept: Vec::new() };
        let every = (at / MOST_KEPT).max(NEAR);
        for step in 0..=at {
            if step % every == 0 {
                moments.kept.push((step, here.clone()));
            }
            if step < at {
                moments.fold(&mut here, step);
            }
        }
        moments
    }

    /// How many actions count.
    pub fn actions(&self) -> u32 {
        u32::try_from(self.lived.len()).unwrap_or(u32::MAX)
    }

    fn action(&self, nth: usize) -> Option<&Action> {
        self.lived.get(nth).and_then(|at| self.work.actions().get(*at))
    }

    /// The last moment: now.
    pub fn now(&self) -> Point {
        Point::Run(self.actions(), 0)
    }

    /// Every moment, in order.
    pub fn all(&self) -> impl Iterator<Item = Point> {
        let past = (0..self.before.facts.len()).map(|facts| Point::Past(facts as u32));
        let within = |nth: usize| {
            let facts = self.action(nth).map_or(0, steps).max(1);
            (0..facts).map(move |facts| Point::Run(nth as u32, facts as u32))
        };
        past.chain((0..self.lived.len()).flat_map(within)).chain([self.now()])
    }

    /// Behind how many actions one goes on from a moment. What an action had only half done is done; from the past, everything
    /// begins anew.
    pub fn goes_on_behind(&self, point: Point) -> u32 {
        match point {
            Point::Past(_) => 0,
            Point::Run(done, 0) => done.min(self.actions()),
            Point::Run(done, _) => (done.saturating_add(1)).min(self.actions()),
        }
    }

    /// What was the case at a moment; at one that is not there, at the nearest before it. `near` is a state of the same run that
    /// is at hand, and its moment.
    pub fn state(&self, point: Point, near: Option<(Point, &State)>) -> State {
        let to = self.step(point);
        let kept = self.kept.iter().rev().find(|(step, _)| *step <= to);
        let near = near.map(|(point, state)| (self.step(point), state)).filter(|(step, _)| *step <= to);
        let from = match (kept, near) {
            (Some((step, _)), Some((close, state))) if close >= *step => Some((close, state)),
            (kept, _) => kept.map(|(step, state)| (*step, state)),
        };
        // There always is one: the first is that of no step at all.
        let Some((from, state)) = from else { return self.kept[0].1.clone() };
        let mut state = state.clone();
        (from..to).for_each(|step| self.fold(&mut state, step));
        state
    }

    /// How many steps lead to a moment.
    fn step(&self, point: Point) -> usize {
        match point {
            Point::Past(facts) => (facts as usize).min(self.before.facts.len()),
            Point::Run(done, facts) => {
                let done = done as usize;
                let end = |done: usize| {
                    done.checked_sub(1)
                        .and_then(|last| self.ends.get(last))
                        .copied()
                        .unwrap_or_else(|| if done == 0 { self.before.facts.len() } else { self.last() })
                };
                (end(done) + facts as usize).min(end(done.saturating_add(1)))
            }
        }
    }

    fn last(&self) -> usize {
        self.ends.last().copied().unwrap_or(self.before.facts.len())
    }

    /// Does one step.
    fn fold(&self, state: &mut State, step: usize) {
        if let Some(fact) = self.before.facts.get(step) {
            state.world.apply(fact);
            return;
        }
        let nth = self.ends.partition_point(|end| *end <= step);
        match self.action(nth) {
            Some(Action::Ran { did, .. }) => {
                let start = self.ends[nth] - did.len();
                if let Some(fact) = did.get(step - start) {
                    state.world.apply(fact);
                }
            }
            // A list that leads to a state replays.
            Some(action) => drop(state.apply(self.work.scenario(), action)),
            None => {}
        }
    }
}

/// How many steps an action has.
fn steps(action: &Action) -> usize {
    match action {
        Action::Ran { did, .. } => did.len(),
        _ => 1,
    }
}

#[cfg(test)]
mod tests;
