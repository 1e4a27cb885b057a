//! The state of a lab being worked on: the work, and every view of it. A pure step from one to the next.

use crate::gap::{Gap, StripRow, gaps, strip_rows};
use crate::same::Same;
use crate::written::written_handlers;
use fourgaps_base::FileTree;
use fourgaps_config::{Request, Version, dump};
use fourgaps_lab::{Action, Refusal, Scenario, Work};
use fourgaps_view::{AblatePlan, AblateView, ExplainView, NextStartView};
use std::rc::Rc;
use yew::Reducible;

/// A scenario with the files that its node starts with.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The scenario.
    pub scenario: Scenario,
    /// The node's files at the start.
    pub start: FileTree,
    /// The containerd of the node.
    pub version: &'static Version,
}

/// What can be seen of the node's files.
#[derive(Clone, Debug)]
pub struct Views {
    /// What the next start would load.
    pub next: NextStartView,
    /// Why.
    pub explain: ExplainView,
    /// The imported files in load order, also those that a load which stops does not come to.
    pub imported: Vec<String>,
    /// Written against next start, row by row.
    pub rows: Vec<StripRow>,
    /// What stands between.
    pub gaps: Vec<Gap>,
}

impl Views {
    /// Loads the files once and looks at the result from every side.
    pub fn of(version: &Version, main: &str, files: &FileTree) -> Self {
        let request = Request::new(version, files, main);
        let run = dump(&request);
        let next = NextStartView::from_run(&request, &run);
        let explain = ExplainView::from_run(&request, &run);
        let rows = strip_rows(&written_handlers(files), &next, &explain);
        let gaps = gaps(&rows, &next, &explain);
        let imported = if next.fault.is_some() {
            AblatePlan::of(version, files, main).files().map(String::from).collect()
        } else {
            explain.files.iter().skip(1).map(|file| file.path.clone()).collect()
        };
        Self { next, explain, imported, rows, gaps }
    }
}

/// A lab on the bench.
#[derive(Clone, Debug, PartialEq)]
pub struct Bench {
    /// The lab.
    pub lab: Same<Lab>,
    /// Everything that was done.
    pub work: Work,
    /// What is to be seen now.
    pub views: Same<Views>,
    /// The leave-one-out table, where it is up to date or the last one.
    pub ablate: Option<Same<AblateView>>,
    /// The edition of the files that the table belongs to.
    pub ablate_edition: u32,
    /// Counts changes of any kind.
    pub edition: u32,
    /// Counts changes of the files.
    pub files_edition: u32,
    /// Why the last step was not possible.
    pub refused: Option<Refusal>,
}

/// A step on the bench.
pub enum Step {
    /// Something was done.
    Do(Action),
    /// One step back.
    Undo,
    /// One step forth.
    Redo,
    /// Other work takes the place: from a file, a link or an earlier save.
    Take(Work),
    /// The leave-one-out table of an edition of the files.
    Ablated(u32, AblateView),
}

impl Bench {
    /// Puts work on the bench.
    pub fn new(lab: Same<Lab>, work: Work) -> Self {
        let views = Same::new(Views::of(lab.version, &lab.scenario.config, &work.state().files));
        Self {
            lab,
            work,
            views,
            ablate: None,
            ablate_edition: 0,
            edition: 0,
            files_edition: 0,
            refused: None,
        }
    }

    fn moved(&self, step: impl FnOnce(&mut Work) -> Result<(), Refusal>) -> Self {
        let mut next = self.clone();
        next.edition += 1;
        next.refused = step(&mut next.work).err();
        if next.work.state().files != self.work.state().files {
            next.files_edition += 1;
            let main = &self.lab.scenario.config;
            next.views = Same::new(Views::of(self.lab.version, main, &next.work.state().files));
        }
        next
    }
}

impl Reducible for Bench {
    type Action = Step;

    fn reduce(self: Rc<Self>, step: Step) -> Rc<Self> {
        Rc::new(match step {
            Step::Do(action) => self.moved(|work| work.act(action)),
            Step::Undo => self.moved(|work| {
                work.undo();
                Ok(())
            }),
            Step::Redo => self.moved(|work| {
                work.redo();
                Ok(())
            }),
            Step::Take(other) => self.moved(|work| {
                *work = other;
                Ok(())
            }),
            Step::Ablated(edition, view) if edition == self.files_edition => {
                Self { ablate: Some(Same::new(view)), ablate_edition: edition, ..(*self).clone() }
            }
            Step::Ablated(..) => return self,
        })
    }
}
