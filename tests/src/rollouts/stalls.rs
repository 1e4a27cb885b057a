//! Which recorded rollouts stand still, what holds them up, and which never do. What is expected stands in `stalls.txt`:
//! story, step, the nodes that hold it up with their causes, and behind a bar the nodes that were not touched; `-` where
//! it moves again. Steps are heard at the clock of the story itself, `later` is five minutes after the last of them.

use super::recording::{Step, Story};
use super::{orders, play, setup};
use crate::conformance::names;
use crate::house;
use fourgaps_cluster::Cluster;
use fourgaps_cluster::stall::{AFTER_MS, Stall, stall};

fn shown(stall: &Stall) -> String {
    let blocker =
        |blocker: &fourgaps_cluster::stall::Blocker| format!("{} {}", blocker.node, blocker.cause.name());
    let mut blockers: Vec<String> = stall.blockers.iter().map(blocker).collect();
    blockers.extend(stall.refused.as_ref().map(|_| "refused".to_string()));
    format!("{} | {}", blockers.join(", "), stall.untouched.join(" ")).trim_end().into()
}

/// The nodes whose only pod runs an old template and is ready, as the recording shows them.
fn untouched(step: &Step) -> Vec<String> {
    let newest = step.revisions.last().and_then(|line| line.split_once(' ')).map_or("", |(_, name)| name);
    let left = |line: &String| {
        let (node, pods) = line.split_once(": ")?;
        let wanted = !step.not_eligible.iter().any(|unfit| unfit.split(' ').next() == Some(node));
        let words: Vec<&str> = pods.split(' ').collect();
        let old = words.len() > 3 && words[0] != newest && words[1..4] == ["Running", "ready", "live"];
        (wanted && old && !pods.contains(" + ")).then(|| node.to_string())
    };
    step.pods.iter().filter_map(left).collect()
}

/// Everything that is heard while a story plays.
fn heard(name: &str, story: &Story, order: &super::Order) -> Vec<String> {
    let key = setup::Setup::key(story);
    let (mut lines, mut last, mut end) = (Vec::new(), String::from("-"), None);
    let see = &mut |step: &Step, cluster: &Cluster| {
        let heard = |now_ms| stall(cluster.store(), cluster.trace(), &key, now_ms);
        let now = heard(cluster.now_ms());
        if let Some(stall) = &now {
            assert_ne!(step.rollout_done, Some(true), "{name}: heard where kubectl says that all is done");
            assert_eq!(stall.untouched.join(" "), untouched(step).join(" "), "{name}: step {}", step.n);
        }
        let now = now.as_ref().map_or("-".into(), shown);
        if now != last {
            lines.push(format!("{name}: {}: {now}", step.words));
            last = now;
        }
        end = Some((heard(cluster.now_ms() + AFTER_MS), untouched(step)));
    };
    play::play_showing(story, story.watch().unwrap_or(order.watch), see).unwrap();
    if let Some((Some(stall), left)) = end {
        assert_eq!(stall.untouched.join(" "), left.join(" "), "{name}: at its end");
        lines.push(format!("{name}: later: {}", shown(&stall)));
    }
    lines
}

#[test]
fn rollouts_that_stand_still_are_named_with_their_node_and_cause() {
    let Some(folder) = house::shared("k8s") else { return };
    for order in orders(&folder).unwrap() {
        let mut lines = Vec::new();
        let mut still = 0;
        for file in names(&order.folder).unwrap() {
            let story = Story::read(&order.folder.join(&file)).unwrap();
            let heard = heard(file.trim_end_matches(".toml"), &story, &order);
            let ends_still = heard.last().is_some_and(|line| line.contains(": later: "));
            let done = story.step.last().and_then(|step| step.rollout_done);
            assert_eq!(ends_still, done == Some(false), "{file}: {heard:?}");
            still += usize::from(ends_still);
            lines.extend(heard);
        }
        assert!(still > 20, "{still} stories end before their rollout is done");
        let table: Vec<&str> = include_str!("stalls.txt").lines().collect();
        let named = |line: &str| table.iter().any(|known| known.split(':').next() == line.split(':').next());
        lines.retain(|line| named(line));
        assert_eq!(lines.join("\n"), table.join("\n"), "{}", order.name);
    }
}
