//! The saved form of a learner's work. A form that is newer or broken is refused with a reason, never guessed at.

use crate::{Action, Scenario, Work};
use fourgaps_base::{Held, Json, Kept, kept};
use fourgaps_cluster::{CONTROL, Machines};

/// The newest format that this program reads.
const FORMAT: u32 = 6;
/// The first format. Format 2 adds the action that looks with another version, format 3 lines of the terminal and other
/// nodes, format 4 going on from an earlier moment, format 5 going back to the version of each node, format 6 files of the
/// control host; work without them is still written in the older format, so that an older page can take it up.
const FIRST_FORMAT: u32 = 1;
/// Most actions of a save, so that a made-up link cannot keep a page busy.
const MAX_ACTIONS: usize = 10_000;

/// Why saved work cannot be taken up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// A newer program wrote it.
    #[error(
        "this work was saved in format {format} by fourgaps {engine}; this program reads format {FORMAT}. \
         Reload the page to get the newer program. The saved work was left as it is"
    )]
    Newer {
        /// Its format.
        format: u32,
        /// The program that wrote it.
        engine: String,
    },
    /// It is no saved work.
    #[error("this is not saved work: {0}")]
    Broken(String),
    /// It belongs to another scenario.
    #[error("this work belongs to the lab `{found}`, not to `{wanted}`")]
    OtherScenario {
        /// The scenario that was opened.
        wanted: String,
        /// The scenario of the saved work.
        found: String,
    },
    /// The scenario's files at the start are not those that the work began with.
    #[error("the lab `{0}` has changed since this work was saved, so its steps may mean something else now")]
    ScenarioChanged(String),
    /// An action is not possible.
    #[error("step {action} of the saved work cannot be done again: {why}")]
    DoesNotReplay {
        /// The number of the action, from 1.
        action: usize,
        /// The reason.
        why: String,
    },
}

impl RestoreError {
    /// Its name, for translation.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Newer { .. } => "newer",
            Self::Broken(_) => "broken",
            Self::OtherScenario { .. } => "other-scenario",
            Self::ScenarioChanged(_) => "scenario-changed",
            Self::DoesNotReplay { .. } => "does-not-replay",
        }
    }
}

struct Saved {
    format: u32,
    engine: String,
    scenario: String,
    start: String,
    done: usize,
    actions: Vec<Action>,
}
kept!(Saved { format, engine, scenario, start, done, actions });

/// Writes a work as JSON, action by action: as one tree, a long list would need ten times its text.
pub(crate) fn write(work: &Work) -> String {
    let head = Saved {
        format: work.actions().iter().map(format_of).fold(FIRST_FORMAT, u32::max),
        engine: env!("CARGO_PKG_VERSION").into(),
        scenario: work.scenario().slug.clone(),
        start: fingerprint(work.scenario(), work.state().start_world()),
        done: work.done(),
        actions: Vec::new(),
    };
    let mut text = head.to_json().write();
    let end = "]}";
    text.truncate(text.len() - end.len());
    for (nth, action) in work.actions().iter().enumerate() {
        text.push_str(if nth > 0 { "," } else { "" });
        action.to_json().write_to(&mut text);
    }
    text + end
}

/// The first format that has an action.
fn format_of(action: &Action) -> u32 {
    match action {
        // An older page would write the file on a node.
        Action::Write { node: Some(host), .. }
        | Action::Remove { node: Some(host), .. }
        | Action::Rename { node: Some(host), .. }
            if host == CONTROL =>
        {
            FORMAT
        }
        Action::Version { containerd } if containerd.is_empty() => 5,
        Action::Back { .. } => 4,
        Action::Ran { .. }
        | Action::Write { node: Some(_), .. }
        | Action::Remove { node: Some(_), .. }
        | Action::Rename { node: Some(_), .. }
        | Action::Import { node: Some(_), .. } => 3,
        Action::Version { .. } => 2,
        _ => FIRST_FORMAT,
    }
}

/// Reads a work from JSON.
pub(crate) fn read(scenario: &Scenario, world: &Machines, text: &str) -> Result<Work, RestoreError> {
    let json = Json::read(text).map_err(RestoreError::Broken)?;
    // Whatever a newer program writes, it says its format.
    let mut head = Held::of(&json);
    let format: u32 = head.get("format").map_err(RestoreError::Broken)?;
    if format > FORMAT {
        return Err(RestoreError::Newer { format, engine: head.get("engine").unwrap_or_default() });
    }
    if format < FIRST_FORMAT {
        return Err(RestoreError::Broken(format!("there never was a format {format}")));
    }
    let saved = Saved::from_json(&json).map_err(RestoreError::Broken)?;
    if saved.scenario != scenario.slug {
        return Err(RestoreError::OtherScenario { wanted: scenario.slug.clone(), found: saved.scenario });
    }
    if saved.start != fingerprint(scenario, world) {
        return Err(RestoreError::ScenarioChanged(saved.scenario));
    }
    if saved.done > saved.actions.len() || saved.actions.len() > MAX_ACTIONS {
        return Err(RestoreError::Broken("the number of steps does not fit".into()));
    }
    Work::replay(scenario, world, saved.actions, saved.done)
}

/// A short word for the files and the versions at the start (FNV-1a, 64 bits).
fn fingerprint(scenario: &Scenario, world: &Machines) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |bytes: &[u8]| {
        let length = (bytes.len() as u64).to_le_bytes();
        for byte in length.iter().chain(bytes) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    add(scenario.containerd.as_bytes());
    add(scenario.config.as_bytes());
    for (nth, node) in world.nodes().iter().enumerate() {
        // A lab with one node has the word that it had before there were others.
        if nth > 0 {
            add(node.name().as_bytes());
            add(node.version().name().as_bytes());
        }
        for (path, bytes) in node.files().iter().chain(world.control().files.iter().filter(|_| nth == 0)) {
            add(path.as_bytes());
            add(bytes);
        }
    }
    format!("{hash:016x}")
}
