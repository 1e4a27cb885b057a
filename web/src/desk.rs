//! What lies open in front of the reader: the file, the question "why?", the counted text, the part on a phone.
//! None of this is work: it is not saved in links, and it cannot be undone.

use fourgaps_cluster::CONTROL;
use fourgaps_view::{LeaveOut, Source};
use std::rc::Rc;
use yew::prelude::*;

/// The parts of the page, which are tabs on a phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Story, goals, hints, questions.
    Task,
    /// Switches and editor.
    Files,
    /// Dump and leave-one-out.
    Next,
    /// The terminal.
    Shell,
    /// The cluster, in labs that have one.
    Cluster,
}

impl Part {
    /// All parts in order, with the word that names them in texts and styles.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Task, "task"),
        (Self::Files, "files"),
        (Self::Shell, "shell"),
        (Self::Next, "next"),
        (Self::Cluster, "cluster"),
    ];

    /// The parts of a lab: without machines there is no next start, and no file but of the control host; a cluster is not in
    /// every lab.
    pub fn of(has_machines: bool, has_files: bool, has_cluster: bool) -> Vec<(Self, &'static str)> {
        let there = |part: Self| match part {
            Self::Files => has_files,
            Self::Next => has_machines,
            Self::Cluster => has_cluster,
            Self::Task | Self::Shell => true,
        };
        Self::ALL.into_iter().filter(|(part, _)| there(*part)).collect()
    }

    /// The word that names the part.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(part, _)| *part == self).map_or("task", |(_, name)| name)
    }
}

/// What stands in front of the path of a file that lies on the control host.
const ON_CONTROL: &str = "control:";

/// The name of a file on a machine, as the desk has it: a path of the chosen node, or one of the control host.
pub fn named(host: &str, path: String) -> String {
    if host == CONTROL { ON_CONTROL.to_string() + &path } else { path }
}

/// The path of a file of the control host; nothing for one of a node.
pub fn on_control(file: &str) -> Option<&str> {
    file.strip_prefix(ON_CONTROL)
}

/// Something on the page that was asked "why?".
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// A line of the dump: its key and its text.
    Line(String, String),
    /// A handler of the strip.
    Handler(String),
    /// The number of counted lines.
    Count,
    /// A row of the leave-one-out table.
    Row(LeaveOut),
}

/// A place that the editor is to show; the number tells two equal wishes apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Reveal {
    /// The place.
    pub at: Source,
    /// Counts the wishes.
    pub nth: u32,
}

/// What lies open.
#[derive(Clone, Debug, PartialEq)]
pub struct Desk {
    /// The file in the editor.
    pub file: String,
    /// The place to show.
    pub reveal: Option<Reveal>,
    /// What was asked "why?".
    pub why: Option<Why>,
    /// The text in the count box.
    pub counted: AttrValue,
    /// The part that a phone shows.
    pub part: Part,
    /// The part that stands on the right of a wide page: the next start or the cluster.
    pub side: Part,
    /// A second version, beside the chosen one.
    pub beside: Option<&'static str>,
}

/// A change of what lies open.
pub enum Turn {
    /// Another file.
    Open(String),
    /// A place in a file.
    Jump(Source),
    /// A question "why?".
    Ask(Why),
    /// The answer is closed.
    Close,
    /// Another text is counted.
    Count(AttrValue),
    /// Another part on a phone.
    Show(Part),
    /// Another second version, or none.
    Beside(Option<&'static str>),
}

impl Desk {
    /// The desk on arrival.
    pub fn new(file: String, counted: String) -> Self {
        Self {
            file,
            reveal: None,
            why: None,
            counted: counted.into(),
            part: Part::Task,
            side: Part::Next,
            beside: None,
        }
    }
}

impl Reducible for Desk {
    type Action = Turn;

    fn reduce(self: Rc<Self>, turn: Turn) -> Rc<Self> {
        let mut next = (*self).clone();
        match turn {
            Turn::Open(file) => next.file = file,
            Turn::Jump(at) => {
                let nth = next.reveal.map_or(0, |r| r.nth) + 1;
                next.file.clone_from(&at.file);
                next.reveal = Some(Reveal { at, nth });
                next.part = Part::Files;
            }
            Turn::Ask(why) => {
                next.why = (next.why.as_ref() != Some(&why)).then_some(why);
                (next.part, next.side) = (Part::Next, Part::Next);
            }
            Turn::Close => next.why = None,
            Turn::Count(text) => next.counted = text,
            Turn::Show(part) => {
                next.part = part;
                if matches!(part, Part::Next | Part::Cluster) {
                    next.side = part;
                }
            }
            Turn::Beside(version) => next.beside = version,
        }
        Rc::new(next)
    }
}
