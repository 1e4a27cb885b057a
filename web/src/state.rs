//! The state of a lab being worked on: the work, and every view of it. A pure step from one to the next.

use crate::daemon::Daemon;
use crate::gap::{Gap, StripRow, gaps, strip_rows};
use crate::same::Same;
use crate::written::written_handlers;
use fourgaps_base::FileTree;
use fourgaps_cluster::Machines;
use fourgaps_config::{Request, Version, dump};
use fourgaps_lab::{Action, NodeEntry, Refusal, Scenario, Work};
use fourgaps_node::Node;
use fourgaps_view::{AblatePlan, AblateView, ExplainView, NextStartView, UpgradeView};
use std::rc::Rc;
use yew::Reducible;

/// A scenario with the files that its nodes start with.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The scenario.
    pub scenario: Scenario,
    /// The scenario's own text, and every file of its machines by its path in the scenario's folder: for the worker, which
    /// builds the same world.
    pub parts: (String, Vec<(String, String)>),
    /// The machines on arrival.
    pub start: Machines,
}

impl Lab {
    /// The files of a node at the start, in the order of the tabs.
    pub fn listed(&self, node: &str) -> &[String] {
        let found = self.scenario.nodes.iter().find(|entry: &&NodeEntry| entry.spec.name == node);
        found.map_or(&self.scenario.files, |entry| &entry.files)
    }
}

/// What can be seen of a node's files.
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
    /// The name of the chosen node: the one that everything on the page is about, but for goals and answers.
    pub chosen: String,
    /// What is to be seen now.
    pub views: Same<Views>,
    /// What the first node's own version makes of its files; goals are judged by it.
    pub home: Same<Views>,
    /// The process of the node, and what runs there.
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
    /// Counts changes of the machines, of the version and of the chosen node.
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
    /// Another node is chosen.
    Choose(String),
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
    /// Puts work on the bench, and chooses a node; the first one where there is none of this name.
    pub fn new(lab: Same<Lab>, work: Work, chosen: Option<&str>) -> Self {
        let node = work.state().node(chosen);
        let (chosen, version) = (node.name().to_string(), version_of(&lab, &work, node));
        let views = Same::new(Views::of(version, &lab.scenario.config, node.files()));
        let (home, daemon) = look_closely(&lab, &work, &chosen, &views);
        Self {
            home,
            daemon,
            later_edition: 0,
            beside: None,
            lab,
            work,
            chosen,
            views,
            ablate: None,
            ablate_edition: 0,
            edition: 0,
            files_edition: 0,
            refused: None,
        }
    }

    /// The chosen node.
    pub fn node(&self) -> &Node {
        self.work.state().node(Some(&self.chosen))
    }

    /// The version that looks at the files.
    pub fn version(&self) -> &'static Version {
        version_of(&self.lab, &self.work, self.node())
    }

    fn moved(&self, step: impl FnOnce(&mut Work) -> Result<(), Refusal>) -> Self {
        let mut next = self.clone();
        next.edition += 1;
        next.refused = step(&mut next.work).err();
        let same = next.work.state().world == self.work.state().world;
        if !same || next.version().name() != self.version().name() {
            next.look();
        }
        next
    }

    /// Looks anew at the chosen node; closely now or, where there is much to see, after the picture is drawn.
    fn look(&mut self) {
        self.files_edition += 1;
        let files = self.node().files();
        let (few, version) = (small(files), self.version());
        self.views = Same::new(Views::of(version, &self.lab.scenario.config, files));
        if few {
            (self.home, self.daemon) = self.closely();
            self.later_edition = self.files_edition;
        }
    }

    /// What the goals see, and the process of the chosen node.
    pub fn closely(&self) -> (Same<Views>, Same<Daemon>) {
        look_closely(&self.lab, &self.work, &self.chosen, &self.views)
    }
}

/// The version that looks at the files of a node: its own, until another one is chosen.
fn version_of(lab: &Lab, work: &Work, node: &Node) -> &'static Version {
    let said = &work.state().version;
    Version::named(said).filter(|_| *said != lab.scenario.containerd).unwrap_or_else(|| node.version())
}

fn look_closely(lab: &Lab, work: &Work, chosen: &str, views: &Same<Views>) -> (Same<Views>, Same<Daemon>) {
    let (main, state) = (&lab.scenario.config, work.state());
    let (node, first) = (state.node(Some(chosen)), state.node(None));
    let version = version_of(lab, work, node);
    let home = if node.name() == first.name() && version.name() == first.version().name() {
        views.clone()
    } else {
        Same::new(Views::of(first.version(), main, first.files()))
    };
    (home, Same::new(Daemon::of(version, main, node, views)))
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
            Step::Choose(node) if node != self.chosen && self.work.state().world.node(&node).is_some() => {
                let mut next = Self { chosen: node, ..(*self).clone() };
                next.look();
                next
            }
            Step::Ablated(edition, view) if edition == self.files_edition => {
                Self { ablate: Some(Same::new(view)), ablate_edition: edition, ..(*self).clone() }
            }
            Step::Later(edition, home, daemon) if edition == self.files_edition => {
                Self { home, daemon, later_edition: edition, ..(*self).clone() }
            }
            Step::Beside(edition, beside) if edition == self.files_edition => {
                Self { beside: Some((edition, beside)), ..(*self).clone() }
            }
            Step::Choose(..) | Step::Ablated(..) | Step::Later(..) | Step::Beside(..) => return self,
        })
    }
}
