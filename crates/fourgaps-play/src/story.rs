//! The story of a run: what happened, in order, as plain events. A view turns them into sentences; technical names stay as they
//! are. What the facts of the list do not tell (pods, kubelets, the API) is told from the whole world.

mod deed;
mod machine;
mod objects;

pub(crate) use deed::host as host_of;

use fourgaps_base::set_of;
use fourgaps_cluster::{Fact, Machines, change};
use fourgaps_lab::{Action, Point};
use fourgaps_node::{Process, Said};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// When, in ms since the scenario began.
    pub at_ms: u64,
    /// The machine; empty for what concerns none.
    pub node: String,
    /// What, as the name of a sentence: the part before the dot says what kind of thing it is.
    pub kind: &'static str,
    /// What the sentence names.
    pub args: Vec<String>,
    /// How often, where it happened again during one action.
    pub count: u32,
    /// The action that it came of, among those that count; nothing for what was before the learner came.
    pub action: Option<u32>,
    /// The moment right after it.
    pub point: Point,
}

/// What an action, or the past, made happen.
#[derive(Debug, Default)]
pub(crate) struct Happened {
    /// Every fact, in order.
    pub facts: Vec<Fact>,
    /// What happened to objects.
    pub changes: Vec<change::Fact>,
    /// What came of each start of containerd, by node and process number.
    pub boots: Boots,
}

/// What came of starts of containerd.
pub(crate) type Boots = BTreeMap<(String, u32), Boot>;

/// What came of a start of containerd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Boot {
    /// It ended at once.
    Refused,
    /// Its CRI plugin is not there.
    NoCri,
    /// It has these handlers.
    Loaded(String),
}

/// What came of those among some facts that start containerd, on machines that have lived through them.
pub(crate) fn boots(facts: &[Fact], machines: &Machines) -> Boots {
    let started = |fact: &Fact| match fact {
        Fact::Node(node, fourgaps_node::Fact::Started { pid, .. }) => Some((node.clone(), *pid)),
        _ => None,
    };
    let wanted = set_of(facts.iter().filter_map(started));
    let mut boots = Boots::new();
    for node in machines.nodes().iter().filter(|_| !wanted.is_empty()) {
        for entry in node.journal() {
            let Said::Boot(process) = &entry.said else { continue };
            let key = (node.name().to_string(), process.pid);
            if wanted.contains(&key) {
                boots.insert(key, boot(&process.forgetting()));
            }
        }
    }
    boots
}

fn boot(process: &Process) -> Boot {
    let run = process.run();
    match &run.handlers {
        _ if run.exit.is_some() => Boot::Refused,
        None => Boot::NoCri,
        Some(handlers) => {
            let names: Vec<&str> = handlers.iter().map(|handler| handler.name.as_str()).collect();
            Boot::Loaded(names.join(", "))
        }
    }
}

/// Events, and what one must remember to tell the next one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Story {
    events: Vec<Event>,
    memory: Memory,
    now_ms: u64,
}

/// What facts name only by a number.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// The containerd process of each node.
    pids: BTreeMap<String, u32>,
    /// Sandboxes by their ids.
    sandboxes: BTreeMap<String, String>,
    /// Nodes whose kubelet says that they are ready.
    ready: BTreeSet<String>,
    /// Pods of the API that were told of.
    pods: BTreeSet<String>,
}

impl Story {
    /// Begins with machines on which something runs already.
    pub fn of(machines: &Machines) -> Self {
        let mut memory = Memory::default();
        for node in machines.nodes() {
            let name = node.name().to_string();
            memory.pids.extend(node.containerd().map(|process| (name.clone(), process.pid)));
            memory.sandboxes.extend(node.sandboxes().iter().map(|made| (made.id.clone(), made.name.clone())));
        }
        Self { events: Vec::new(), memory, now_ms: machines.now_ms() }
    }

    /// What happened so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The machines are again as they were at the end of the past.
    pub fn start_over(&mut self, past: &Self) {
        self.memory = past.memory.clone();
        self.now_ms = past.now_ms;
    }

    /// Forgets what came of the actions from this one on.
    pub fn forget_from(&mut self, action: u32) {
        let keep = self.events.partition_point(|event| event.action.is_none_or(|of| of < action));
        self.events.truncate(keep);
    }

    /// Tells the past. `kept` are those of the facts that a page folds.
    pub fn tell_past(&mut self, happened: &Happened, kept: &[Fact]) {
        let all = kept.len();
        self.tell(None, happened, kept, |facts| {
            if facts < all { Point::Past(facts as u32) } else { Point::Run(0, 0) }
        });
    }

    /// Tells an action. `kept` are those of the facts that a page folds for it.
    pub fn tell_action(&mut self, nth: u32, action: &Action, host: &str, happened: &Happened, kept: &[Fact]) {
        let all = if matches!(action, Action::Ran { .. }) { kept.len() } else { 0 };
        let point = |facts| if facts < all { Point::Run(nth, facts as u32) } else { Point::Run(nth + 1, 0) };
        if let Some((kind, args)) = deed::told(action) {
            let (node, at_ms) = (host.to_string(), self.now_ms);
            self.events.push(Event { at_ms, node, kind, args, count: 1, action: Some(nth), point: point(0) });
        }
        if matches!(action, Action::Ran { .. }) {
            self.tell(Some(nth), happened, kept, point);
        }
    }

    fn tell(
        &mut self,
        action: Option<u32>,
        happened: &Happened,
        kept: &[Fact],
        point: impl Fn(usize) -> Point,
    ) {
        // A list that was made by another program may have done otherwise; then it is right.
        let ours = follows(&happened.facts, kept);
        let facts = if ours { happened.facts.as_slice() } else { kept };
        let mut changes = happened.changes.iter().filter(|_| ours).peekable();
        let mut again = BTreeMap::new();
        let mut folded = 0;
        // At one moment the API is first: it asks, and the machines do. But what is gone there was gone on its machine before.
        let (mut asked, mut gone) = (Vec::new(), Vec::new());
        for fact in facts.iter().map(Some).chain([None]) {
            if matches!(fact, None | Some(Fact::Clock(_))) {
                for told in gone.drain(..) {
                    self.push(told, action, point(folded), &mut again);
                }
            }
            if let (Some(next), Some(fact)) = (kept.get(folded), fact)
                && next.is_kept_like(fact)
            {
                folded += 1;
            }
            if let Some(Fact::Clock(ms)) = fact {
                self.now_ms = *ms;
            }
            while let Some(change) = changes.next_if(|change| fact.is_none() || change.at_ms <= self.now_ms) {
                let Some(told) = objects::told(change, &mut self.memory) else { continue };
                if matches!(change.change, fourgaps_cluster::Change::Gone(_)) {
                    gone.push((change.at_ms, told));
                } else {
                    asked.push((change.at_ms, told));
                }
            }
            for told in asked.drain(..) {
                self.push(told, action, point(folded), &mut again);
            }
            if let Some(told) = fact.and_then(|fact| machine::told(fact, &happened.boots, &mut self.memory)) {
                self.push((self.now_ms, told), action, point(folded), &mut again);
            }
        }
        for told in gone {
            self.push(told, action, point(folded), &mut again);
        }
    }

    /// Adds an event, or counts it where the same was told of the same action already.
    fn push(&mut self, (at_ms, told): (u64, Told), action: Option<u32>, point: Point, again: &mut Again) {
        if told.repeats {
            let key = (told.node.clone(), told.args.clone());
            if let Some(event) = again.get(&key).and_then(|at: &usize| self.events.get_mut(*at)) {
                event.count += 1;
                return;
            }
            again.insert(key, self.events.len());
        }
        let Told { node, kind, args, .. } = told;
        self.events.push(Event { at_ms, node, kind, args, count: 1, action, point });
    }
}

/// Where an event that may happen again was told.
type Again = BTreeMap<(String, Vec<String>), usize>;

/// An event without its moment.
struct Told {
    node: String,
    kind: &'static str,
    args: Vec<String>,
    /// True for what is told again and again.
    repeats: bool,
}

impl Told {
    fn new(node: &str, kind: &'static str, args: &[&str]) -> Self {
        let args = args.iter().map(|arg| (*arg).to_string()).collect();
        Self { node: node.into(), kind, args, repeats: false }
    }
}

/// True where the second list is the first with some left out.
fn follows(all: &[Fact], kept: &[Fact]) -> bool {
    let mut all = all.iter();
    kept.iter().all(|fact| all.any(|other| other.is_kept_like(fact)))
}

#[cfg(test)]
pub(crate) mod tests;
