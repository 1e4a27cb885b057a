//! The simulated cluster as the shell sees it: machines with files and one clock. It keeps what every step made happen.

use crate::world::{Machine, World};
use fourgaps_base::{FileEdit, FileError, FileTree};
use fourgaps_cluster::{CONTROL, EPOCH_MS, Fact, change};
use fourgaps_node::{Answer, Node, Op};
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

/// The world, and the facts since somebody last took them.
#[derive(Clone, Debug)]
pub struct Machines {
    /// The world as it is.
    pub world: fourgaps_cluster::World,
    facts: Vec<Fact>,
    /// What happened to objects meanwhile.
    changes: Vec<change::Fact>,
    elsewhere: VecDeque<Elsewhere>,
    empty: FileTree,
}

/// What another terminal does at a moment, in ms of the world.
#[derive(Clone)]
struct Elsewhere {
    at_ms: u64,
    act: Arc<dyn Fn(&mut Machines) + Send + Sync>,
}

impl fmt::Debug for Elsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Elsewhere at {} ms", self.at_ms)
    }
}

impl Machines {
    /// A world that nothing has happened in yet.
    pub fn new(world: fourgaps_cluster::World) -> Self {
        Self {
            world,
            facts: Vec::new(),
            changes: Vec::new(),
            elsewhere: VecDeque::new(),
            empty: FileTree::new(),
        }
    }

    /// A node by its host name.
    pub fn node(&self, host: &str) -> Option<&Node> {
        self.world.node(host)
    }

    /// What a wish makes happen on a machine, and what it answers.
    pub fn act(&mut self, host: &str, op: &Op) -> Answer {
        self.world.act(host, op, &mut self.facts)
    }

    /// Asks the API server for something; nothing where there is no cluster.
    pub fn api<T>(&mut self, wish: impl FnOnce(&mut fourgaps_cluster::Cluster) -> T) -> Option<T> {
        self.world.api(&mut self.facts, wish)
    }

    /// Lets time pass.
    pub fn pass(&mut self, ms: u64) {
        self.act(CONTROL, &Op::Wait { ms });
    }

    /// Lets time pass up to the next moment at which something happens, and not beyond this one; gives what happened to objects.
    pub fn step(&mut self, until_ms: u64) -> Vec<change::Fact> {
        self.changes.extend(self.world.take_changes());
        let now_ms = self.world.now_ms();
        let other_ms = self.elsewhere.front().map_or(until_ms, |other| other.at_ms.clamp(now_ms, until_ms));
        let next = self.world.next_due_ms().map_or(other_ms, |due| due.clamp(now_ms, other_ms));
        self.pass(next - now_ms);
        while let Some(other) = self.elsewhere.pop_front_if(|other| other.at_ms <= next) {
            (other.act)(self);
        }
        let changes = self.world.take_changes();
        self.changes.extend(changes.iter().cloned());
        changes
    }

    /// Has another terminal do something so many ms from now, while a program here waits for what happens: after what was
    /// asked for before.
    pub fn do_elsewhere(&mut self, in_ms: u64, act: impl Fn(&mut Self) + Send + Sync + 'static) {
        let at_ms = self.world.now_ms().saturating_add(in_ms);
        self.elsewhere.push_back(Elsewhere { at_ms, act: Arc::new(act) });
    }

    /// The same; true where something happened that can be seen, not only time passed.
    pub(super) fn step_happens(&mut self, until_ms: u64) -> bool {
        let known = self.facts.len();
        let changed = !self.step(until_ms).is_empty();
        changed || self.facts[known..].iter().any(|fact| is_kept(fact) && !matches!(fact, Fact::Clock(_)))
    }

    /// What has happened since the last call, as a save keeps it.
    pub fn take_facts(&mut self) -> Vec<Fact> {
        kept(&self.take_all().0)
    }

    /// Everything that has happened since the last call: to machines, and to objects.
    pub fn take_all(&mut self) -> (Vec<Fact>, Vec<change::Fact>) {
        self.changes.extend(self.world.take_changes());
        (std::mem::take(&mut self.facts), std::mem::take(&mut self.changes))
    }
}

/// Those of some facts that a save keeps. Of several changes of one file in a row only the last counts.
pub fn kept(facts: &[Fact]) -> Vec<Fact> {
    let mut kept: Vec<Fact> = Vec::new();
    for fact in facts.iter().filter(|fact| is_kept(fact)) {
        if let Some(path) = written(fact) {
            // Back over changes of other files of machines; anything else might have looked at the file.
            let back = kept.iter().rposition(|old| written(old).is_none_or(|of| of == path));
            if let Some(at) = back.filter(|at| written(&kept[*at]).is_some()) {
                kept.remove(at);
            }
        }
        kept.push(fact.clone());
    }
    kept.shrink_to_fit();
    kept
}

/// True where a save keeps it.
fn is_kept(fact: &Fact) -> bool {
    !matches!(fact, Fact::Node(_, fact) if !fact.is_kept())
}

/// The machine and the file of a fact that gives a file new bytes.
fn written(fact: &Fact) -> Option<(&str, &str)> {
    match fact {
        Fact::Node(host, fourgaps_node::Fact::Edited(FileEdit::Write(path, _))) => Some((host, path)),
        Fact::Control(FileEdit::Write(path, _)) => Some((CONTROL, path)),
        _ => None,
    }
}

impl World for Machines {
    fn hosts(&self) -> Vec<String> {
        self.world.nodes().iter().map(|node| node.name().to_string()).collect()
    }

    fn machine(&self, host: &str) -> Option<Machine> {
        let control = host == CONTROL;
        if !control && self.world.node(host).is_none() {
            return None;
        }
        Some(Machine { user: "root".into(), home: "/root".into(), control, kernel: None })
    }

    fn files(&self, host: &str) -> &FileTree {
        self.world.files(host).unwrap_or(&self.empty)
    }

    fn edit(&mut self, host: &str, edit: FileEdit) -> Result<(), FileError> {
        // A file that grows is told as a whole, so that several changes of it are one.
        let edit = match edit {
            FileEdit::Append(path, more) => {
                let mut bytes =
                    fourgaps_base::Files::read(self.files(host), &path).unwrap_or_default().into_owned();
                bytes.extend(more);
                FileEdit::Write(path, bytes)
            }
            edit => edit,
        };
        match self.act(host, &Op::Edit(edit)) {
            Answer::File(why) => Err(why),
            _ => Ok(()),
        }
    }

    fn epoch_ms(&self) -> u64 {
        EPOCH_MS
    }

    fn now_ms(&self) -> u64 {
        EPOCH_MS + self.world.now_ms()
    }

    fn wait(&mut self, ms: u64) {
        self.act(CONTROL, &Op::Wait { ms });
    }
}
