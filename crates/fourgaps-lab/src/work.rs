//! A learner's work: a scenario, the list of actions, and how many of them count.
//! Undo moves the count back and replays; a new action cuts what was undone.

use crate::lived::lived;
use crate::{Action, Refusal, RestoreError, Scenario, State, link, save};
use fourgaps_base::set_of;
use fourgaps_cluster::Machines;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A run of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    scenario: Rc<Scenario>,
    actions: Vec<Action>,
    done: usize,
    state: State,
    /// True while the last action is a write that typing may go on with.
    open: bool,
}

impl Work {
    /// Starts a scenario in the world on arrival, as [`Scenario::world`] gives it.
    pub fn new(scenario: &Scenario, world: &Machines) -> Self {
        let state = State::start(scenario, world);
        Self { scenario: Rc::new(scenario.clone()), actions: Vec::new(), done: 0, state, open: false }
    }

    /// Does an action. An action that changes nothing leaves no trace.
    ///
    /// # Errors
    /// Says why the state does not allow the action; nothing is changed then.
    pub fn act(&mut self, mut action: Action) -> Result<(), Refusal> {
        let mut next = self.state.clone();
        next.apply(&self.scenario, &action)?;
        if let Action::Back { to } = action {
            next = self.state_after(to as usize).unwrap_or(next);
        }
        // A line that was typed is a step even where it only looked: the terminal shows it, and it may have moved the shell.
        if !matches!(action, Action::Ran { .. } | Action::Back { .. }) && next == self.state {
            return Ok(());
        }
        let typing = self.goes_on(&action);
        self.open = matches!(action, Action::Write { .. });
        if let Action::Write { part, .. } = &mut action {
            *part = false;
        }
        if typing {
            self.done -= 1;
        }
        self.actions.truncate(self.done);
        self.actions.push(action);
        self.done += 1;
        self.state = next;
        Ok(())
    }

    /// True where an action continues the write before it.
    fn goes_on(&self, action: &Action) -> bool {
        let last = self.done.checked_sub(1).and_then(|at| self.actions.get(at));
        match (last, action) {
            (
                Some(Action::Write { path: last, node: there, .. }),
                Action::Write { path, part: true, node, .. },
            ) => self.open && (last, there) == (path, node),
            _ => false,
        }
    }

    /// Goes on behind so many of the actions that count, with another one where there is one. The later ones are left aside:
    /// that is a step of its own, so undo brings them back.
    ///
    /// # Errors
    /// Says why the state of that moment does not allow the action; nothing is changed then.
    pub fn go_on_from(&mut self, behind: u32, action: Option<Action>) -> Result<(), Refusal> {
        let lived = self.lived();
        let mut next = self.clone();
        if (behind as usize) < lived.len() {
            // What counts after an action is what counted at its end, whatever came between them in the list.
            let to = (behind as usize).checked_sub(1).map_or(0, |last| lived[last] + 1);
            next.act(Action::Back { to: u32::try_from(to).unwrap_or(u32::MAX) })?;
        }
        if let Some(action) = action {
            next.act(action)?;
        }
        *self = next;
        Ok(())
    }

    /// Positions in the list of the actions that count, in order.
    pub fn lived(&self) -> Vec<usize> {
        lived(&self.actions[..self.done])
    }

    /// Takes the last action back; false where there is none.
    pub fn undo(&mut self) -> bool {
        self.can_undo() && self.go_to(self.done - 1)
    }

    /// Does again what was taken back; false where there is nothing.
    pub fn redo(&mut self) -> bool {
        self.can_redo() && self.go_to(self.done + 1)
    }

    /// Starts over. This is an action like any other: undo brings everything back.
    pub fn reset(&mut self) {
        // A reset is never refused.
        let _ = self.act(Action::Reset);
    }

    /// Where the learner is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Every action, also those that were taken back.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// How many of the actions count.
    pub fn done(&self) -> usize {
        self.done
    }

    /// True where something can be taken back.
    pub fn can_undo(&self) -> bool {
        self.done > 0
    }

    /// True where something was taken back.
    pub fn can_redo(&self) -> bool {
        self.done < self.actions.len()
    }

    /// The work as JSON, with the format and the engine that wrote it.
    pub fn save(&self) -> String {
        save::write(self)
    }

    /// Takes up saved work.
    ///
    /// # Errors
    /// Says why the text is not work on this scenario that this program can take up; it never guesses.
    pub fn restore(scenario: &Scenario, world: &Machines, saved: &str) -> Result<Self, RestoreError> {
        save::read(scenario, world, saved)
    }

    /// The work as one word for the part of an address after `#`.
    pub fn to_link(&self) -> String {
        link::pack(&self.save())
    }

    /// Takes up the work of a link.
    ///
    /// # Errors
    /// Says why the link is not work on this scenario that this program can take up; it never guesses.
    pub fn from_link(scenario: &Scenario, world: &Machines, word: &str) -> Result<Self, RestoreError> {
        Self::restore(scenario, world, &link::unpack(word)?)
    }

    /// Replays a list of actions, and stands behind the first `done` of them.
    pub(crate) fn replay(
        scenario: &Scenario,
        world: &Machines,
        actions: Vec<Action>,
        done: usize,
    ) -> Result<Self, RestoreError> {
        let mut state = State::start(scenario, world);
        let mut here = state.clone();
        // Where some action goes back to, so that each action is done once.
        let goals = set_of(actions.iter().filter_map(|action| match action {
            Action::Back { to } => Some(*to as usize),
            _ => None,
        }));
        let mut kept = BTreeMap::new();
        for (nth, action) in actions.iter().enumerate() {
            if goals.contains(&nth) {
                kept.insert(nth, state.clone());
            }
            let refused = |why: String| RestoreError::DoesNotReplay { action: nth + 1, why };
            state.apply(scenario, action).map_err(|why| refused(why.text))?;
            if let Action::Back { to } = action {
                let back =
                    kept.get(&(*to as usize)).ok_or_else(|| refused("it goes back to later".into()))?;
                state = back.clone();
            }
            if nth + 1 == done {
                here = state.clone();
            }
        }
        Ok(Self { scenario: Rc::new(scenario.clone()), actions, done, state: here, open: false })
    }

    fn go_to(&mut self, done: usize) -> bool {
        let Some(state) = self.state_after(done) else { return false };
        self.state = state;
        self.done = done;
        self.open = false;
        true
    }

    /// The state after so many actions of the list; nothing where they cannot be done.
    fn state_after(&self, done: usize) -> Option<State> {
        let mut state = State::start(&self.scenario, self.state.start_world());
        let lived = lived(self.actions.get(..done)?);
        lived.into_iter().all(|at| state.apply(&self.scenario, &self.actions[at]).is_ok()).then_some(state)
    }
}

#[cfg(test)]
mod tests;
