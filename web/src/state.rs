//! The state of a lab being worked on: the work, and every view of it. A pure step from one to the next.

use crate::daemon::{Daemon, Now};
use crate::gap::{Gap, StripRow, gaps, strip_rows};
use crate::same::Same;
use crate::written::written_handlers;
use fourgaps_base::FileTree;
use fourgaps_cluster::Machines;
use fourgaps_config::{Request, Version, dump};
use fourgaps_lab::{Action, Refusal, Scenario, State, Work};
use fourgaps_view::{AblatePlan, AblateView, ExplainView, NextStartView, UpgradeView};
use std::rc::Rc;
use yew::Reducible;

/// A scenario with the files that its node starts with.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The scenario.
    pub scenario: Scenario,
    /// The scenario's own text, and every file of its machines by its path in the scenario's folder: for the worker, which
    /// builds the same world.
    pub parts: (String, Vec<(String, String)>),
    /// The machines on arrival.
    pub start: Machines,
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

/// The same files as another version sees them.
#[derive(Clone, Debug)]
pub struct Beside {
    /// Its views.
    pub views: Same<Views>,
    /// What would change.
    pub upgrade: UpgradeView,
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
    /// What the node's own version makes of the files; goals are judged by it.
    pub home: Same<Views>,
    /// The process that would be started.
    pub daemon: Same<Daemon>,
    /// The edition of the files that the last two belong to. They come after the picture where there are many files.
    pub later_edition: u32,
    /// The same files as a second version sees them, with the edition that it belongs to.
    pub beside: Option<(u32, Same<Beside>)>,
    /// The leave-one-out table, where it is up to date or the last one.
    pub ablate: Option<Same<AblateView>>,
    /// The edition of the files that the table belongs to.
    pub ablate_edition: u32,
    /// Counts changes of any kind.
    pub edition: u32,
    /// Counts changes of the files and of the version.
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
    /// What an edition of the files is at home, and as a process.
    Later(u32, Same<Views>, Same<Daemon>),
    /// An edition of the files as a second version sees it.
    Beside(u32, Same<Beside>),
}

/// More files than this are looked at a second time only after the picture is drawn.
const FEW: usize = 12;
/// And so are more bytes than this.
const SHORT: usize = 64 * 1024;

fn small(files: &FileTree) -> bool {
    files.iter().count() <= FEW && files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() <= SHORT
}

impl Bench {
    /// Puts work on the bench.
    pub fn new(lab: Same<Lab>, work: Work) -> Self {
        let version = version_of(&lab, &work);
        let (main, files) = (&lab.scenario.config, work.state().files());
        let views = Same::new(Views::of(version, main, files));
        let home = look_home(&lab, version, files, &views);
        let daemon = look_daemon(&lab, version, work.state(), &views);
        Self {
            home,
            daemon,
            later_edition: 0,
            beside: None,
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

    /// The version that looks at the files.
    pub fn version(&self) -> &'static Version {
        version_of(&self.lab, &self.work)
    }

    fn moved(&self, step: impl FnOnce(&mut Work) -> Result<(), Refusal>) -> Self {
        let mut next = self.clone();
        next.edition += 1;
        next.refused = step(&mut next.work).err();
        let version = next.version();
        let (files, before) = (next.work.state().files(), self.work.state());
        if next.work.state().world != before.world || version.name() != self.version().name() {
            next.files_edition += 1;
            let views = Same::new(Views::of(version, &self.lab.scenario.config, files));
            if small(files) {
                next.home = look_home(&self.lab, version, files, &views);
                next.daemon = look_daemon(&self.lab, version, next.work.state(), &views);
                next.later_edition = next.files_edition;
            }
            next.views = views;
        }
        next
    }
}

/// The version that looks at the files of a work.
fn version_of(lab: &Lab, work: &Work) -> &'static Version {
    Version::named(&work.state().version).unwrap_or(lab.version)
}

/// What the node's own version makes of the files.
pub fn look_home(lab: &Lab, version: &Version, files: &FileTree, views: &Same<Views>) -> Same<Views> {
    if version.name() == lab.version.name() {
        views.clone()
    } else {
        Same::new(Views::of(lab.version, &lab.scenario.config, files))
    }
}

/// The process that would be started on the files.
pub fn look_daemon(lab: &Lab, version: &Version, state: &State, views: &Views) -> Same<Daemon> {
    let main = &lab.scenario.config;
    let now = (version.name() == lab.version.name()).then(|| Now::of(state.node(None), main)).flatten();
    Same::new(Daemon::of(version, main, state.files(), views, now))
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
            Step::Later(edition, home, daemon) if edition == self.files_edition => {
                Self { home, daemon, later_edition: edition, ..(*self).clone() }
            }
            Step::Beside(edition, beside) if edition == self.files_edition => {
                Self { beside: Some((edition, beside)), ..(*self).clone() }
            }
            Step::Ablated(..) | Step::Later(..) | Step::Beside(..) => return self,
        })
    }
}
