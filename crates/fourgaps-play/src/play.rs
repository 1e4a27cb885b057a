//! Playing: lines in, output and actions out; and following the list of actions wherever undo, links and the editor lead.

mod complete;
mod take;

pub use complete::Completed;
pub use take::{Gone, Replayed, Taken};

use crate::grade;
use crate::large::Large;
use crate::story::{Event, Happened, Story, boots, host_of};
use fourgaps_cluster::{CONTROL, Fact, World};
use fourgaps_lab::{Action, Scenario, State};
use fourgaps_shell::{Machines, Output, Shell, StopHandle, commands, kept};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A machine with a tab.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HostState {
    /// Its name, which is also that of its tab.
    pub host: String,
    /// The prompt of the tab now.
    pub prompt: String,
}

/// What came of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ran {
    /// The line is not whole: nothing was run, and more of it is wanted.
    pub more: bool,
    /// The screen is to be emptied.
    pub clear: bool,
    /// The exit status.
    pub status: i32,
    /// The prompt now.
    pub prompt: String,
    /// The action that the line was, as JSON.
    pub action: Option<String>,
}

/// Room for what a line prints that nobody watches.
const MOST_KEPT: usize = 200_000;

/// A lab in its terminals.
pub struct Play {
    scenario: Scenario,
    sources: Sources,
    start: World,
    /// The actions that the sessions have followed.
    list: Vec<Action>,
    /// What the last line printed.
    printed: String,
    state: State,
    /// Where the machines are at the end of the list, with everything that the page does not hold.
    world: World,
    /// Where they were before its last action, where that was no line: typing in the editor replaces it again and again.
    before: Option<World>,
    /// What happened before the learner came, and what happened so far.
    past: Story,
    story: Story,
    /// Counts how often the story was not only longer.
    retold: u32,
    machines: Arc<Mutex<Machines>>,
    shell: Shell<Machines>,
    pause: Option<fn() -> Turn>,
    large: Option<Large>,
}

/// A turn of the host.
pub type Turn = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

/// The files of a scenario's folder by their paths in it.
pub type Sources = BTreeMap<String, Vec<u8>>;

/// A poisoned lock only means that a command failed half-way; the list decides what is true.
pub(crate) fn lock(machines: &Mutex<Machines>) -> MutexGuard<'_, Machines> {
    machines.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Play {
    /// A lab on arrival.
    pub fn new(scenario: Scenario, sources: Sources) -> Self {
        let read = |source: &str| sources.get(source).cloned();
        let mut facts = Vec::new();
        let mut start = scenario.arrive(read, &mut facts);
        let before = scenario.before(read);
        let mut past = Story::of(&before.machines);
        let (boots, changes) = (boots(&facts, &start), start.take_changes());
        past.tell_past(&Happened { facts, changes, boots }, &before.facts);
        let state = State::start(&scenario, &before.arrival());
        let world = start.clone();
        let machines = Arc::new(Mutex::new(Machines::new(start.clone())));
        let shell = fresh(&machines, &start);
        Self {
            scenario,
            sources,
            start,
            list: Vec::new(),
            printed: String::new(),
            state,
            world,
            before: None,
            story: past.clone(),
            past,
            retold: 0,
            machines,
            shell,
            pause: None,
            large: None,
        }
    }

    /// Where the learner is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Where the machines are, with everything that the page does not hold.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What happened so far, also before the learner came.
    pub fn story(&self) -> &[Event] {
        self.story.events()
    }

    /// The large rollout that somebody looks at, which is no part of the lab.
    pub(crate) fn large(&mut self) -> &mut Option<Large> {
        &mut self.large
    }

    /// How often the story was not only longer.
    pub(crate) fn retold(&self) -> u32 {
        self.retold
    }

    /// Does an action that is no line; false where the state does not allow it.
    pub(crate) fn stand_at(&mut self, action: &Action) -> bool {
        if self.state.clone().apply(&self.scenario, action).is_err() {
            return false;
        }
        if *action == Action::Reset {
            self.fresh_sessions();
        }
        self.follow(action, Happened::default());
        self.list.push(action.clone());
        lock(&self.machines).world = self.world.clone();
        true
    }

    /// The actions that count.
    pub(crate) fn list(&self) -> &[Action] {
        &self.list
    }

    /// The same lab on arrival, with a stop and a pause of its own.
    pub(crate) fn anew(&self) -> Self {
        let mut other = Self::new(self.scenario.clone(), self.sources.clone());
        other.pause = self.pause;
        other.pause_shell();
        other
    }

    /// Gives the host a turn.
    pub(crate) async fn turn(&self) {
        if let Some(pause) = self.pause {
            pause().await;
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    /// What the last line printed.
    pub(crate) fn last_output(&self) -> &str {
        &self.printed
    }

    /// Sets what gives the host a turn while a line runs, so that it hears of a stop.
    pub fn on_pause(&mut self, pause: fn() -> Turn) {
        self.pause = Some(pause);
        self.pause_shell();
    }

    fn pause_shell(&mut self) {
        if let Some(pause) = self.pause {
            self.shell.on_pause(Arc::new(move || pause()));
        }
    }

    /// Stops a running line.
    pub fn stop_handle(&self) -> StopHandle {
        self.shell.stop_handle()
    }

    /// The tabs: every node, then the control host.
    pub fn hosts(&self) -> Vec<HostState> {
        let names = tabs(&self.start).into_iter();
        names.map(|host| HostState { prompt: self.shell.prompt(&host), host }).collect()
    }

    /// The tab to show first: the only node, or the control host where there are several.
    fn first(&self) -> String {
        match self.start.nodes() {
            [only] => only.name().into(),
            _ => CONTROL.into(),
        }
    }

    fn fresh_sessions(&mut self) {
        self.shell = fresh(&self.machines, &self.start);
        self.pause_shell();
    }

    /// Does an action to state and world; a save that restores replays, so none is refused. What a line did to the world is
    /// what it did just now.
    fn follow(&mut self, action: &Action, happened: Happened) {
        let did = match action {
            Action::Ran { did, .. } => did.as_slice(),
            _ => &[],
        };
        let host = host_of(action, self.start.nodes().first().map_or(CONTROL, |node| node.name()));
        self.story.tell_action(self.list.len() as u32, action, host, &happened, did);
        if *action == Action::Reset {
            self.story.start_over(&self.past);
        }
        self.before = None;
        let mut world = match action {
            Action::Ran { .. } => lock(&self.machines).world.clone(),
            Action::Reset => self.start.clone(),
            _ => {
                self.before = Some(self.world.clone());
                self.world.clone()
            }
        };
        let is_line = matches!(action, Action::Ran { .. });
        let _ = self.state.apply_telling(&self.scenario, action, &mut |fact| {
            if !is_line {
                world.apply(fact);
            }
        });
        self.world = world;
    }

    /// What a line made happen; `more` is what is not folded yet.
    fn happened(&self, more: Vec<Fact>) -> Happened {
        let mut machines = lock(&self.machines);
        more.iter().for_each(|fact| machines.world.apply(fact));
        let (mut facts, changes) = machines.take_all();
        facts.extend(more);
        let boots = boots(&facts, &machines.world);
        Happened { facts, changes, boots }
    }

    /// Runs a line: in its session, or by grading where it asks for that.
    async fn run_line(&mut self, tab: &str, line: &str, out: &mut Output) -> (Vec<Fact>, i32) {
        let (host, cwd) = self.shell.place(tab).unwrap_or_default();
        if let Some(words) = grade::words(&self.scenario, &host, line) {
            return grade::grade(&self.scenario, &self.sources, &self.machines, &words, &cwd, out).await;
        }
        let sink = std::mem::replace(out, plain());
        let status = self.shell.run(tab, line, sink).await;
        (Vec::new(), status)
    }

    /// Runs a line that was typed. Its output goes to `out` as it comes.
    pub async fn run(&mut self, tab: &str, line: &str, mut out: Output) -> Ran {
        let prompt = || self.shell.prompt(tab);
        if line.trim().is_empty() {
            return Ran { prompt: prompt(), ..Ran::default() };
        }
        if self.shell.needs_more(line) {
            return Ran { more: true, prompt: prompt(), ..Ran::default() };
        }
        if line.trim() == "clear" {
            return Ran { clear: true, prompt: prompt(), ..Ran::default() };
        }
        let heard = Arc::new(Mutex::new(String::new()));
        let mut also = keep(heard.clone());
        let mut both: Output = Box::new(move |stream, bytes| {
            also(stream, bytes);
            out(stream, bytes);
        });
        let (more, status) = self.run_line(tab, line, &mut both).await;
        let happened = self.happened(more);
        let mut did = kept(&happened.facts);
        let held = self.held().await;
        if held != self.state.world.held() {
            did.push(Fact::Held(held));
        }
        let action = Action::Ran { tab: tab.into(), line: line.into(), did };
        let json = action.to_text();
        // The list holds what a save keeps: what a toolkit was told is more, and would look like another list when it comes back.
        let action = Action::from_text(&json).unwrap_or(action);
        self.follow(&action, happened);
        self.printed = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
        self.list.push(action);
        Ran { status, prompt: self.shell.prompt(tab), action: Some(json), ..Ran::default() }
    }

    /// Which of the lines of the goals end well now. Each is typed in a world of its own, so that it leaves nothing behind.
    pub async fn held(&self) -> Vec<bool> {
        let world = lock(&self.machines).world.clone();
        let mut held = Vec::new();
        for (host, line) in self.scenario.lines() {
            held.push(grade::typed(world.clone(), &[(host, line)]).await == 0);
        }
        held
    }
}

/// The tabs of a world: every node, then the control host.
fn tabs(world: &World) -> Vec<String> {
    world.nodes().iter().map(|node| node.name().to_string()).chain([CONTROL.to_string()]).collect()
}

/// A shell with a fresh tab on every machine.
fn fresh(machines: &Arc<Mutex<Machines>>, start: &World) -> Shell<Machines> {
    lock(machines).world = start.clone();
    let mut shell = Shell::new(machines.clone(), commands());
    open_tabs(&mut shell, start);
    shell
}

/// Opens a fresh tab on every machine.
pub(crate) fn open_tabs(shell: &mut Shell<Machines>, world: &World) {
    for tab in tabs(world) {
        shell.open(&tab, &tab);
    }
}

/// Output that nobody wants.
pub(crate) fn plain() -> Output {
    Box::new(|_, _| {})
}

/// Keeps what is printed, up to a bound.
fn keep(kept: Arc<Mutex<String>>) -> Output {
    Box::new(move |_, bytes| {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MOST_KEPT {
            kept.push_str(&String::from_utf8_lossy(bytes));
        }
    })
}
