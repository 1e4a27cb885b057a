//! Following the list of a save, wherever undo, links and the editor lead.

use super::{HostState, Play, keep, lock};
use crate::story::Happened;
use fourgaps_cluster::EPOCH_MS;
use fourgaps_lab::{Action, State, Work};
use serde::Serialize;
use std::sync::{Arc, Mutex, PoisonError};

/// A line that is in the list no more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gone {
    /// The tab.
    pub tab: String,
    /// The line.
    pub line: String,
}

/// A line that was run to follow the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Replayed {
    /// The tab.
    pub tab: String,
    /// The prompt that stood before it.
    pub prompt: String,
    /// The line.
    pub line: String,
    /// What it printed.
    pub out: String,
}

/// What following a list changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Taken {
    /// The time now, in ms since 1970-01-01 UTC.
    pub now_ms: u64,
    /// Every machine with its prompt.
    pub hosts: Vec<HostState>,
    /// The tab to show first.
    pub first: String,
    /// Lines that are in the list no more.
    pub gone: Vec<Gone>,
    /// Lines that are in the list again, or for the first time.
    pub back: Vec<Replayed>,
}

impl Play {
    /// Follows the list of a save.
    ///
    /// # Errors
    /// Says why the save is none of this lab.
    pub async fn take(&mut self, save: &str) -> Result<Taken, String> {
        let work =
            Work::restore(&self.scenario, self.state.start_world(), save).map_err(|why| why.to_string())?;
        // Who goes back to an earlier moment has the sessions of that moment.
        let list: Vec<Action> = work.lived().into_iter().map(|at| work.actions()[at].clone()).collect();
        let same = self.list.iter().zip(&list).take_while(|(a, b)| a == b).count();
        let gone = self.list[same..].iter().filter_map(gone).collect();
        // Lines decide for themselves what becomes of the cluster, so what is not only longer is played from the start, but
        // for the one step that an editor takes back.
        let last = self.before.take().filter(|_| same + 1 == self.list.len());
        let from = if same == self.list.len() || last.is_some() { same } else { 0 };
        if from == 0 {
            self.world = self.start.clone();
            self.story = self.past.clone();
            self.fresh_sessions();
        } else if let Some(before) = last {
            self.world = before;
        }
        self.retold += u32::from(from < self.list.len());
        self.list.truncate(from);
        self.story.forget_from(from as u32);
        self.state = State::start(&self.scenario, &self.state.start_world().clone());
        for action in &list[..from] {
            // A save that restores replays.
            let _ = self.state.apply(&self.scenario, action);
        }
        let mut back = Vec::new();
        for (at, action) in list.into_iter().enumerate().skip(from) {
            let mut happened = Happened::default();
            match &action {
                Action::Ran { tab, line, .. } => {
                    let (ran, did) = self.run_again(tab, line).await;
                    happened = did;
                    if at >= same {
                        back.push(ran);
                    }
                }
                Action::Reset => self.fresh_sessions(),
                _ => {}
            }
            self.follow(&action, happened);
            self.list.push(action);
        }
        lock(&self.machines).world = self.world.clone();
        let now_ms = EPOCH_MS + self.world.now_ms();
        Ok(Taken { now_ms, hosts: self.hosts(), first: self.first(), gone, back })
    }

    /// Runs a line of the list once more, for its output and for what it leaves in its session. What it did is in the list, but
    /// for what only the whole world knows.
    async fn run_again(&mut self, tab: &str, line: &str) -> (Replayed, Happened) {
        lock(&self.machines).world = self.world.clone();
        let prompt = self.shell.prompt(tab);
        let heard = Arc::new(Mutex::new(String::new()));
        let sink = heard.clone();
        let (more, _) = self.run_line(tab, line, &mut keep(sink)).await;
        let happened = self.happened(more);
        let out = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
        (Replayed { tab: tab.into(), prompt, line: line.into(), out }, happened)
    }
}

/// A line of the list, for one that is in it no more.
fn gone(action: &Action) -> Option<Gone> {
    match action {
        Action::Ran { tab, line, .. } => Some(Gone { tab: tab.clone(), line: line.clone() }),
        _ => None,
    }
}
