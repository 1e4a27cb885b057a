//! Playing: lines in, output and actions out; and following the list of actions wherever undo, links and the editor lead.

use crate::grade;
use crate::large::Large;
use crate::story::{Event, Happened, Story, boots, host_of};
use fourgaps_cluster::{CONTROL, EPOCH_MS, Fact, World};
use fourgaps_lab::{Action, Scenario, State, Work};
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
    pub gone: Vec<Replayed>,
    /// Lines that are in the list again, or for the first time.
    pub back: Vec<Replayed>,
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

/// A line with what Tab makes of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Completed {
    /// The line now.
    pub text: String,
    /// Where the cursor stands in it, in characters.
    pub cursor: u32,
    /// What there is to choose from, where the line alone does not decide.
    pub choices: Option<String>,
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
    /// What the lines among them printed.
    replayed: Vec<(usize, Replayed)>,
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
            replayed: Vec::new(),
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
        self.replayed.last().map_or("", |(_, ran)| ran.out.as_str())
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
        let gone = self.replayed.iter().filter(|(at, _)| *at >= same).map(|(_, ran)| ran.clone()).collect();
        self.replayed.retain(|(at, _)| *at < same);
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
        for (at, action) in list.into_iter().enumerate().skip(from) {
            let mut happened = Happened::default();
            match &action {
                Action::Ran { tab, line, .. } => {
                    let (ran, did) = self.run_again(tab, line).await;
                    happened = did;
                    if at >= same {
                        self.replayed.push((at, ran));
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
        let back = self.replayed.iter().filter(|(at, _)| *at >= same).map(|(_, ran)| ran.clone()).collect();
        Ok(Taken { now_ms, hosts: self.hosts(), first: self.first(), gone, back })
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
        let prompt = self.shell.prompt(tab);
        if line.trim().is_empty() {
            return Ran { prompt, ..Ran::default() };
        }
        if self.shell.needs_more(line) {
            return Ran { more: true, prompt, ..Ran::default() };
        }
        if line.trim() == "clear" {
            return Ran { clear: true, prompt, ..Ran::default() };
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
        self.follow(&action, happened);
        let json = action.to_text();
        let out = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
        let ran = Replayed { tab: tab.into(), prompt, line: line.into(), out };
        self.replayed.push((self.list.len(), ran));
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

    /// What Tab makes of a line with the cursor after so many characters.
    pub fn complete(&self, tab: &str, line: &str, cursor: u32) -> Completed {
        let at = line.char_indices().nth(cursor as usize).map_or(line.len(), |(at, _)| at);
        let found = self.shell.complete(tab, line, at);
        let typed = &line[found.start..at];
        let mut word = match found.words.split_first() {
            None => typed.to_string(),
            Some((first, rest)) => rest.iter().fold(first.clone(), |head, word| common(&head, word)),
        };
        if found.words.len() == 1 && !word.ends_with('/') {
            word.push(' ');
        }
        let decided = found.words.len() < 2 || word.len() > typed.len();
        let choices = (!decided).then(|| found.words.join("  "));
        let text = format!("{}{word}{}", &line[..found.start], &line[at..]);
        let cursor = text[..found.start + word.len()].chars().count() as u32;
        Completed { text, cursor, choices }
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

/// The longest text that both begin with.
fn common(a: &str, b: &str) -> String {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}
