//! The authoring gate with a shell: solutions that run lines are played.

use crate::play::{Play, Sources, plain};
use fourgaps_lab::{Action, CheckReport, Player, Scenario, check_with};
use std::collections::BTreeMap;

/// Checks the content of a folder as [`fourgaps_lab::check`] does, and plays the solutions that run lines.
pub fn check(files: &BTreeMap<String, Vec<u8>>) -> CheckReport {
    check_with(files, &mut Lines::default())
}

/// Runs the lines of one lab after the other.
#[derive(Default)]
struct Lines {
    play: Option<Play>,
}

impl Player for Lines {
    fn begin(&mut self, scenario: &Scenario, read: &dyn Fn(&str) -> Option<Vec<u8>>) {
        let sources: Sources = scenario
            .sources()
            .into_iter()
            .filter_map(|source| Some((source.clone(), read(&source)?)))
            .collect();
        self.play = Some(Play::new(scenario.clone(), sources));
    }

    fn held(&mut self) -> Vec<bool> {
        let Some(play) = &self.play else { return Vec::new() };
        waiter().map_or_else(|_| Vec::new(), |wait| wait.block_on(play.held()))
    }

    fn follow(&mut self, action: &Action) {
        if let Some(play) = &mut self.play {
            play.stand_at(action);
        }
    }

    fn run(&mut self, host: &str, line: &str) -> Result<Action, String> {
        let Some(play) = &mut self.play else { return Err("no lab has begun".into()) };
        let wait = waiter().map_err(|why| why.to_string())?;
        let ran = wait.block_on(play.run(host, line, plain()));
        match ran.action.as_deref().and_then(Action::from_text) {
            Some(action) if ran.status == 0 => Ok(action),
            _ => Err(format!("it ended with status {}: {}", ran.status, play.last_output())),
        }
    }
}

fn waiter() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_time().build()
}
