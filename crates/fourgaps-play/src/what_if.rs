//! "What if": the same run with one action left out, or swapped with the next. Every line decides anew; what the list says it did
//! is not used. Then the two stories are held against each other.

use crate::ask::Progress;
use crate::play::plain;
use crate::{Event, Play};
use fourgaps_lab::Action;
use fourgaps_node::Node;
use serde::{Deserialize, Serialize};

/// What is otherwise in the other run. The number is that of an action, among those that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Changed {
    /// One action is left out.
    Without(u32),
    /// One action comes after the next one.
    Swapped(u32),
}

/// How another run differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WhatIf {
    /// The first difference in what the other actions made happen.
    pub apart: Option<Apart>,
    /// Where each node stands at the end.
    pub ends: Vec<(Ended, Ended)>,
    /// The actions that were not possible any more.
    pub refused: Vec<u32>,
}

/// Where two runs part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Apart {
    /// The action that made something else happen, by its number in the run as it was.
    pub action: u32,
    /// What happened in the run as it was, where the other has nothing or something else.
    pub was: Option<Event>,
    /// What would have happened.
    pub would: Option<Event>,
}

/// Where a node stands at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// Its name.
    pub node: String,
    /// The handlers that its containerd has loaded; nothing where its CRI service does not answer.
    pub loaded: Option<Vec<String>>,
    /// True where its containerd runs.
    pub up: bool,
    /// Its sandboxes that are alive, each with its handler.
    pub sandboxes: Vec<String>,
}

impl Ended {
    fn of(node: &Node) -> Self {
        let process = node.containerd();
        let handlers = process.and_then(|process| process.run().handlers.as_ref());
        let alive = node.sandboxes().iter().filter(|sandbox| sandbox.is_ready());
        Self {
            node: node.name().into(),
            loaded: handlers.map(|handlers| handlers.iter().map(|handler| handler.name.clone()).collect()),
            up: process.is_some(),
            sandboxes: alive.map(|sandbox| format!("{} ({})", sandbox.name, sandbox.handler)).collect(),
        }
    }
}

impl Play {
    /// Plays the run so far once more, with something changed.
    ///
    /// # Errors
    /// Where the run has no such action.
    pub async fn what_if(&self, changed: Changed, progress: Progress<'_>) -> Result<WhatIf, String> {
        let mut order: Vec<u32> = (0..self.list().len() as u32).collect();
        match changed {
            Changed::Without(nth) if (nth as usize) < order.len() => drop(order.remove(nth as usize)),
            Changed::Swapped(nth) if (nth as usize) + 1 < order.len() => {
                order.swap(nth as usize, nth as usize + 1);
            }
            _ => return Err("the run has no such action".into()),
        }
        let mut other = self.anew();
        let mut refused = Vec::new();
        for (done, nth) in order.iter().enumerate() {
            progress(done as u32, order.len() as u32);
            match &self.list()[*nth as usize] {
                Action::Ran { tab, line, .. } => drop(other.run(tab, line, plain()).await),
                action => {
                    if !other.stand_at(action) {
                        refused.push(*nth);
                    }
                }
            }
            other.turn().await;
        }
        let ends = self.world().nodes().iter().zip(other.world().nodes());
        Ok(WhatIf {
            apart: first_apart(self.story(), other.story(), &order, &refused),
            ends: ends.map(|(was, would)| (Ended::of(was), Ended::of(would))).collect(),
            refused,
        })
    }
}

/// The first difference, going through the actions of the other run in their order.
fn first_apart(was: &[Event], would: &[Event], order: &[u32], refused: &[u32]) -> Option<Apart> {
    // One that was refused has no place in the list of the other run.
    let played = order.iter().filter(|nth| !refused.contains(nth));
    for (here, nth) in (0..).zip(played) {
        let mut was = of(was, *nth);
        let mut would = of(would, here);
        loop {
            match (was.next(), would.next()) {
                (None, None) => break,
                (Some(a), Some(b)) if same(a, b) => {}
                (a, b) => return Some(Apart { action: *nth, was: a.cloned(), would: b.cloned() }),
            }
        }
    }
    None
}

/// What an action made happen.
fn of(events: &[Event], nth: u32) -> impl Iterator<Item = &Event> {
    let start = events.partition_point(|event| event.action < Some(nth));
    events[start..].iter().take_while(move |event| event.action == Some(nth))
}

/// True where the same happened. The time may be another one, and so may be the number of a process.
fn same(a: &Event, b: &Event) -> bool {
    let numbered = ["process.", "toolkit."].iter().any(|kind| a.kind.starts_with(kind));
    let named = |event: &Event| event.args.iter().skip(usize::from(numbered)).cloned().collect::<Vec<_>>();
    (&a.node, a.kind, named(a)) == (&b.node, b.kind, named(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::tests::{play, run, told, wait};

    fn ask(play: &Play, changed: Changed) -> WhatIf {
        let mut seen = Vec::new();
        let found = wait(play.what_if(changed, &mut |part, whole| seen.push((part, whole)))).unwrap();
        assert!(
            seen.iter()
                .enumerate()
                .all(|(nth, (part, whole))| (*part as usize, *whole) == (nth, seen.len() as u32))
        );
        found
    }

    /// The handlers of the first node at the end, as it was and as it would be.
    fn loaded(found: &WhatIf) -> (String, String) {
        let names = |ended: &Ended| ended.loaded.as_ref().map(|names| names.join(" ")).unwrap_or_default();
        (names(&found.ends[0].0), names(&found.ends[0].1))
    }

    const KILL: &str = "kill $(cat /run/nvidia/toolkit/toolkit.pid)";
    const RESTART: &str = "systemctl restart containerd";
    const ANEW: &str = "nvidia-ctk-installer --runtime=containerd --host-root=/ --restart-mode=none";

    #[test]
    fn without_the_reflex_the_restart_finds_the_file() {
        let (.., mut at) = play("delete-the-pod-first");
        run(&mut at, "omen", &[KILL, "sleep 2", RESTART]);
        let found = ask(&at, Changed::Without(0));
        assert_eq!(loaded(&found), ("runc".into(), "nvidia nvidia-cdi nvidia-legacy runc".into()));
        let apart = found.apart.unwrap();
        assert_eq!(apart.action, 2);
        let (was, would) = (told(apart.was.as_slice()), told(apart.would.as_slice()));
        assert!(was[0].starts_with("omen process.loaded ") && was[0].ends_with(" runc"), "{was:?}");
        assert!(would[0].contains(" nvidia, nvidia-cdi,"), "{would:?}");
        // The other node and the run itself are as they were.
        assert_eq!(found.ends[1].0, found.ends[1].1);
        assert_eq!(at.story().iter().filter(|event| event.kind == "did.line").count(), 3);
    }

    #[test]
    fn the_right_order_is_the_wrong_one_swapped() {
        let (.., mut at) = play("delete-the-pod-first");
        run(&mut at, "omen", &[KILL, RESTART, ANEW]);
        let found = ask(&at, Changed::Swapped(1));
        assert_eq!(loaded(&found), ("runc".into(), "nvidia nvidia-cdi nvidia-legacy runc".into()));
        assert_eq!(found.apart.map(|apart| apart.action), Some(1));
    }

    #[test]
    fn no_difference_is_an_answer() {
        let (.., mut at) = play("delete-the-pod-first");
        run(&mut at, "omen", &["true", RESTART, "ls /etc"]);
        for changed in [Changed::Without(0), Changed::Without(2), Changed::Swapped(0)] {
            let found = ask(&at, changed);
            assert_eq!(found.apart, None);
            assert!(found.ends.iter().all(|(was, would)| was == would));
        }
        let mut quiet = |_, _| {};
        assert!(wait(at.what_if(Changed::Swapped(2), &mut quiet)).is_err());
        assert!(wait(at.what_if(Changed::Without(3), &mut quiet)).is_err());
    }

    #[test]
    fn what_is_not_possible_any_more_is_said() {
        let (.., mut at) = play("dump-that-lied");
        let write = Action::Write { path: "/tmp/a".into(), text: "x".into(), part: false, node: None };
        let remove = Action::Remove { path: "/tmp/a".into(), node: None };
        assert!(at.stand_at(&write) && at.stand_at(&remove));
        let found = ask(&at, Changed::Without(0));
        assert_eq!((found.refused, found.apart), (vec![1], None));
        assert!(!at.stand_at(&remove));
    }
}
