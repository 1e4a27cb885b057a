//! Recorded rollouts: the same words are played against our DaemonSet controller, and after every step everything that
//! was recorded is compared.
//!
//! The player is the scripted scheduler and kubelet of the recording; the controller, its queue, the API server's
//! counting and refusals, and the texts are ours. A step `sync` is not done because the recording has it: our
//! controller decides when and how often it syncs, and both must agree.

mod compare;
mod kubelet;
mod play;
mod recording;
mod setup;
#[cfg(test)]
mod stalls;
mod words;

use crate::conformance::{Tally, names, on_all_cores};
use fourgaps_cluster::daemon::Watch;
use std::io;
use std::path::{Path, PathBuf};

/// One order of watch events: its name, which is that of its folder, and what it means.
struct Order {
    name: String,
    folder: PathBuf,
    watch: Watch,
}

/// Plays every story of every order below `folder/stories`.
///
/// # Errors
/// Names what cannot be read, or says that there are no stories.
pub fn tallies(folder: &Path) -> io::Result<Vec<Tally>> {
    let orders = orders(folder)?;
    orders.iter().map(tally).collect()
}

fn orders(folder: &Path) -> io::Result<Vec<Order>> {
    let stories = folder.join("stories");
    let mut orders = Vec::new();
    for name in names(&stories)? {
        let folder = stories.join(&name);
        if !folder.is_dir() {
            continue;
        }
        let watch = if name.ends_with("-fast-watch") { Watch::AtOnce } else { Watch::AfterSync };
        orders.push(Order { name, folder, watch });
    }
    if orders.is_empty() {
        return Err(io::Error::other(format!("{} has no folder of stories", stories.display())));
    }
    Ok(orders)
}

fn tally(order: &Order) -> io::Result<Tally> {
    let mut stories = names(&order.folder)?;
    stories.retain(|name| name.ends_with(".toml"));
    let differs = on_all_cores(&stories, |name| {
        let story = recording::Story::read(&order.folder.join(name))?;
        let watch = story.watch().unwrap_or(order.watch);
        let why = play::play(&story, watch).err();
        Ok(why.map(|why| (name.trim_end_matches(".toml").to_string(), why)))
    })?;
    Ok(Tally { kind: "rollouts", version: order.name.clone().into(), total: stories.len(), differs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house;

    /// A judge that finds everything equal is none: played in the order of the other folder, stories must differ, and so
    /// must a story of which one number was changed.
    #[test]
    fn differences_are_found() {
        let Some(folder) = house::shared("k8s/stories/1.34.9") else { return };
        let mut story = recording::Story::read(&folder.join("clean-rollout-three-nodes.toml")).unwrap();
        assert_eq!(play::play(&story, Watch::AfterSync), Ok(()));
        assert!(play::play(&story, Watch::AtOnce).is_err());
        story.step[5].updated = story.step[5].updated.map(|updated| updated + 1);
        assert!(play::play(&story, Watch::AfterSync).unwrap_err().starts_with("step 5 `sync`: numbers"));
        story.step[5].words = "paint node-1 red".into();
        assert!(play::play(&story, Watch::AfterSync).unwrap_err().contains("not a word of the stories"));
    }
}
