//! `kubectl diff`. Source: `pkg/cmd/diff` of kubectl.

use super::super::flags::{Flag, Takes};
use super::write::told;
use super::{NAMESPACE, Session, Stop};
use fourgaps_cluster::manifest::{Applied, kind_of};
use fourgaps_cluster::object::Id;
use fourgaps_view::kubectl::{self, manifest, yaml};
use serde_json::Value;

pub(super) const DIFF_FLAGS: [Flag; 2] = [NAMESPACE, Flag(&["-f", "--filename"], Takes::Value)];

/// The folders of the two sides; the real ones end in numbers drawn at random.
const SIDES: [&str; 2] = ["/tmp/LIVE-1", "/tmp/MERGED-2"];

/// Says what an apply would change. The status is 1 where it would change something.
pub(super) fn diff(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let mut differs = false;
    for file in session.input()? {
        for manifest in file.manifests {
            differs |= one(session, manifest)?;
        }
    }
    if differs { Err(Stop::Status(1)) } else { Ok(()) }
}

fn one(session: &mut Session<'_, '_>, mut written: Value) -> Result<bool, Stop> {
    let kind = kind_of(&written).ok_or_else(|| Stop::NotSimulated("this kind of object".into()))?;
    if kind.is_namespaced() && written["metadata"]["namespace"].is_null() {
        written["metadata"]["namespace"] = session.namespace().into();
    }
    let text = |field: &str| written["metadata"][field].as_str().unwrap_or_default().to_string();
    let (name, namespace) = (text("name"), text("namespace"));
    let id = Id::new(kind, &namespace, &name);
    let mut copy = session.copy()?;
    match copy.apply(&written) {
        Ok((Applied::Unchanged, _)) => return Ok(false),
        Ok(_) => {}
        Err(problem) => return Err(told(problem, kind, &name, "")),
    }
    let live = session.store.get(&id).map(|object| manifest(&object));
    let mut merged = copy.store().get(&id).map(|object| manifest(&object)).unwrap_or_default();
    if let Some(live) = &live {
        // What is only tried is no new version.
        merged["metadata"]["resourceVersion"] = live["metadata"]["resourceVersion"].clone();
    }
    let texts = [live.as_ref().map(yaml).unwrap_or_default(), yaml(&merged)];
    let group = if kind.group().is_empty() { String::new() } else { format!("{}.", kind.group()) };
    let version = kind.api_version().rsplit('/').next().unwrap_or_default();
    let file = format!("{group}{version}.{}.{namespace}.{name}", kind.name());
    let [live, merged] = SIDES.map(|side| format!("{side}/{file}"));
    session.call.out(kubectl::diff([&live, &merged], &texts[0], &texts[1], session.now_ms));
    Ok(true)
}
