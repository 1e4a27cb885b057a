//! The state of a lab being worked on: the work, and every view of it. A pure step from one to the next.

use crate::daemon::Daemon;
use crate::gap::{Gap, StripRow, gaps, strip_rows};
use crate::past::{Held, Shown};
use crate::same::Same;
use crate::sign::{Sign, signs};
use crate::written::written_handlers;
use fourgaps_base::FileTree;
use fourgaps_cluster::Machines;
use fourgaps_config::{Request, Version, dump};
use fourgaps_lab::{Action, Before, Moments, NodeEntry, Point, Refusal, Scenario, State, Work};
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
    /// How the machines came to be what they are on arrival.
    pub before: Rc<Before>,
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
    pub work: Same<Work>,
    /// The moment that is shown in place of now.
    pub shown: Option<Shown>,
    /// The moments of the work, once one of them was shown.
    moments: Option<Same<Moments>>,
    /// The name of the chosen node: the one that everything on the page is about, but for goals and answers.
    pub chosen: String,
    /// The first gap of each node, where there are several.
    pub signs: Same<Vec<Sign>>,
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
    /// A moment of the past is shown, or now.
    Show(Option<Point>),
    /// The reader wants to do something while the past is shown, or not any more.
    Hold(Option<Held>),
    /// The reader goes on from the moment that is shown.
    GoOn(Option<Action>),
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
        let (chosen, version) = (node.name().to_string(), version_of(work.state(), node));
        let views = Same::new(Views::of(version, &lab.scenario.config, node.files()));
        let (home, daemon) = look_closely(&lab, work.state(), &chosen, &views);
        Self {
            signs: Same::new(signs(work.state(), &lab.scenario.config, None)),
            home,
            daemon,
            later_edition: 0,
            beside: None,
            lab,
            work: Same::new(work),
            shown: None,
            moments: None,
            chosen,
            views,
            ablate: None,
            ablate_edition: 0,
            edition: 0,
            files_edition: 0,
            refused: None,
        }
    }

    /// What the page is about: where the learner is, or the moment of the past that is shown.
    pub fn state(&self) -> &State {
        self.shown.as_ref().map_or_else(|| self.work.state(), |shown| &shown.state)
    }

    /// The chosen node.
    pub fn node(&self) -> &Node {
        self.state().node(Some(&self.chosen))
    }

    /// The version that looks at the files.
    pub fn version(&self) -> &'static Version {
        version_of(self.state(), self.node())
    }

    fn moved(&self, step: impl FnOnce(&mut Work) -> Result<(), Refusal>) -> Self {
        let mut next = self.clone();
        let mut work = (*self.work).clone();
        next.edition += 1;
        next.refused = step(&mut work).err();
        // What was refused is wanted no more; what is shown stays.
        if let (Some(_), Some(shown)) = (&next.refused, &mut next.shown) {
            shown.held = None;
            return next;
        }
        (next.work, next.shown, next.moments) = (Same::new(work), None, None);
        next.seen_after(self)
    }

    /// Shows a moment, or now.
    fn showing(&self, point: Option<Point>) -> Self {
        let mut next = self.clone();
        next.shown = point.map(|point| {
            let moments = || Same::new(Moments::of(self.work.rc(), &self.lab.before));
            let moments = next.moments.get_or_insert_with(moments);
            Shown::of(moments, point, self.shown.as_ref())
        });
        next.seen_after(self)
    }

    /// Looks anew where something is otherwise than it was.
    fn seen_after(mut self, old: &Self) -> Self {
        let same = self.state().world == old.state().world;
        if !same || self.version().name() != old.version().name() {
            self.look(old);
        }
        self
    }

    /// Looks anew at the chosen node; closely now or, where there is much to see, after the picture is drawn. What would look
    /// as it did is kept, so that it is not drawn again.
    fn look(&mut self, old: &Self) {
        self.files_edition += 1;
        let (files, version) = (self.node().files(), self.version());
        let few = small(files);
        if version.name() != old.version().name() || files != old.node().files() {
            self.views = Same::new(Views::of(version, &self.lab.scenario.config, files));
        }
        if few {
            let daemon;
            (self.home, daemon) = self.closely();
            if *daemon != *self.daemon {
                self.daemon = daemon;
            }
            self.later_edition = self.files_edition;
        }
        let signs = signs(self.state(), &self.lab.scenario.config, Some((old.state(), &old.signs)));
        if signs != *self.signs {
            self.signs = Same::new(signs);
        }
    }

    /// What the goals see, and the process of the chosen node.
    pub fn closely(&self) -> (Same<Views>, Same<Daemon>) {
        look_closely(&self.lab, self.state(), &self.chosen, &self.views)
    }
}

/// The version that looks at the files of a node: its own, until another one is chosen.
fn version_of(state: &State, node: &Node) -> &'static Version {
    Version::named(&state.version).unwrap_or_else(|| node.version())
}

fn look_closely(lab: &Lab, state: &State, chosen: &str, views: &Same<Views>) -> (Same<Views>, Same<Daemon>) {
    let main = &lab.scenario.config;
    let (node, first) = (state.node(Some(chosen)), state.node(None));
    let version = version_of(state, node);
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
                next.look(&self);
                next
            }
            Step::Show(point) if point != self.shown.as_ref().map(|shown| shown.point) => self.showing(point),
            Step::Hold(held) => {
                let shown = self.shown.clone().map(|shown| Shown { held, ..shown });
                Self { shown, ..(*self).clone() }
            }
            Step::GoOn(action) => {
                let behind = self.shown.as_ref().map_or(u32::MAX, |shown| shown.behind);
                self.moved(|work| work.go_on_from(behind, action))
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
            Step::Choose(..) | Step::Show(..) | Step::Ablated(..) | Step::Later(..) | Step::Beside(..) => {
                return self;
            }
        })
    }
}
