//! What a course needs over one node: scenarios, goals, hints, questions, recorded answers, and a learner's work.
//! Knows no page, no terminal and no disk; content comes in as text and leaves as plain values.

mod action;
mod check;
mod fault;
mod goal;
mod import_list;
mod import_switch;
mod index;
mod key_path;
mod lang;
mod link;
mod lived;
mod mark;
mod moments;
mod nearest;
mod pieces;
mod question;
mod recording;
mod refusal;
mod save;
mod scenario;
mod state;
mod strict;
mod texts;
mod told;
mod work;

pub use action::{Action, Answer};
pub use check::{CheckReport, Player, ScenarioSummary, check, check_with};
pub use fault::Fault;
pub use goal::{Goal, GoalView, Predicate, Scalar, goals};
pub use index::{CaseEntry, Heading, ResultsIndex, ScenarioIndex};
pub use lang::Lang;
pub use mark::{Marked, NOT_SIMULATED, mark, right_answer};
pub use moments::{Before, Moments, Point};
pub use pieces::{Piece, pieces};
pub use question::{Input, Kind, Live, Question, Read};
pub use recording::{LiveRecording, Recording};
pub use refusal::Refusal;
pub use save::RestoreError;
pub use scenario::{Deed, Grade, Hint, LightEntry, NodeEntry, PAST_FACTS, Past, Scenario, Step};
pub use state::State;
pub use texts::{Aside, GoalText, HintText, OptionText, QuestionText, Texts, WrongText};
pub use told::{KUBERNETES, Told};
pub use work::Work;
