//! What the cluster's part of the page asks: how everything is, what a rollout went through, what an alert would have seen, and
//! a large rollout to look at.

use crate::large::Large;
use crate::play::Play;
use fourgaps_cluster::daemonset::DaemonSet;
use fourgaps_cluster::meta::Key;
use fourgaps_cluster::trace::Trace;
use fourgaps_cluster::{Store, World};
use fourgaps_view::cluster::{Alert, ClusterView, Course, Rule};
use serde::Deserialize;
use std::sync::Arc;

/// A rule, and the DaemonSet that it is for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFor {
    namespace: String,
    name: String,
    rule: Rule,
}

/// A DaemonSet.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    namespace: String,
    name: String,
}

/// What to do with the large rollout.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum OfLarge {
    /// Begin one on so many nodes.
    Begin(u32),
    /// Let so many milliseconds pass.
    Step(u64),
    /// Forget it.
    End,
}

fn read<'a, T: Deserialize<'a>>(arg: &'a str) -> Result<T, String> {
    serde_json::from_str(arg).map_err(|why| why.to_string())
}

/// The whole cluster; nothing where the lab has none.
pub fn cluster(world: &World) -> Option<ClusterView> {
    ClusterView::of(world)
}

/// What the pods of a DaemonSet went through.
pub fn course(world: &World, arg: &str) -> Result<Course, String> {
    let Named { namespace, name } = read(arg)?;
    let (store, trace, set) = find(world, &namespace, &name)?;
    Ok(Course::of(store, trace, set))
}

/// What a rule would have seen of a DaemonSet.
pub fn alert(world: &World, arg: &str) -> Result<Alert, String> {
    let RuleFor { namespace, name, rule } = read(arg)?;
    let (_, trace, set) = find(world, &namespace, &name)?;
    Ok(rule.over(trace, set, world.now_ms()))
}

fn find<'w>(
    world: &'w World,
    namespace: &str,
    name: &str,
) -> Result<(&'w Store, &'w Trace, &'w Arc<DaemonSet>), String> {
    let found = world.store().zip(world.trace());
    let set =
        found.and_then(|(store, trace)| Some((store, trace, store.daemonset(&Key::new(namespace, name))?)));
    set.ok_or_else(|| format!("no DaemonSet {namespace}/{name}"))
}

/// The large rollout.
pub fn large(play: &mut Play, arg: &str) -> Result<String, String> {
    let slot = play.large();
    match read(arg)? {
        OfLarge::Begin(nodes) => {
            // The one before goes first: two of them need not be held at once.
            *slot = None;
            let (large, start) = Large::begin(nodes)?;
            *slot = Some(large);
            Ok(crate::ask::json(&start))
        }
        OfLarge::Step(ms) => {
            let large = slot.as_mut().ok_or("no large rollout was begun")?;
            Ok(crate::ask::json(&large.step(ms)))
        }
        OfLarge::End => {
            *slot = None;
            Ok("null".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sources;
    use fourgaps_lab::Scenario;
    use serde_json::{Value, json};
    use std::path::Path;

    /// A shipped lab on arrival.
    fn arrived(slug: &str) -> Play {
        let home = Path::new("../../static/scenarios").join(slug);
        let text = std::fs::read_to_string(home.join("scenario.toml")).unwrap();
        let scenario = Scenario::parse("scenario.toml", &text).unwrap();
        let read = |source: String| (source.clone(), std::fs::read(home.join(source)).unwrap());
        let sources: Sources = scenario.sources().into_iter().map(read).collect();
        Play::new(scenario, sources)
    }

    fn ask(play: &mut Play, what: &str, arg: &Value) -> Result<Value, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let answer = runtime.block_on(play.ask(what, &arg.to_string(), &mut |_, _| {}))?;
        Ok(serde_json::from_str(&answer).unwrap())
    }

    #[test]
    fn a_lab_of_four_nodes_shows_their_cards_and_what_their_alerts_saw() {
        let mut play = arrived("four-gpus");
        let view = ask(&mut play, "cluster", &Value::Null).unwrap();
        let names: Vec<&Value> = view["nodes"].as_array().unwrap().iter().map(|node| &node["name"]).collect();
        assert_eq!(names.len(), 4);
        assert!(
            view["nodes"][0]["handlers"]["names"].as_array().is_some_and(|names| !names.is_empty()),
            "{view}"
        );
        let set = &view["sets"][0];
        let named = json!({ "namespace": set["namespace"], "name": set["name"] });
        let course = ask(&mut play, "course", &named).unwrap();
        assert_eq!(course["rows"].as_array().unwrap().len(), 4);
        let rule = json!({ "expression": "not-ready", "above": 0, "for_ms": 0 });
        let asked = json!({ "namespace": set["namespace"], "name": set["name"], "rule": rule });
        let alert = ask(&mut play, "alert", &asked).unwrap();
        assert!(alert["points"].as_array().is_some_and(|points| !points.is_empty()), "{alert}");
    }

    #[test]
    fn where_there_is_no_cluster_there_is_nothing_to_show() {
        let mut play = arrived("dump-that-lied");
        assert_eq!(ask(&mut play, "cluster", &Value::Null), Ok(Value::Null));
        assert!(ask(&mut play, "course", &json!({ "namespace": "a", "name": "b" })).is_err());
        assert!(ask(&mut play, "alert", &json!("what?")).is_err());
        assert!(ask(&mut play, "large", &json!({ "step": 1 })).is_err());
    }
}
