//! What happened on the machines before the learner arrived: wishes, played in order on the world of the first moment.

use super::Scenario;
use crate::Action;
use crate::strict::{Sheet, Table};
use fourgaps_base::{FileEdit, Pos, parent};
use fourgaps_cluster::lifecycle::Health;
use fourgaps_cluster::manifest::{documents, kind_of};
use fourgaps_cluster::object::Kind;
use fourgaps_cluster::{CONTROL, Fact, World};
use fourgaps_node::{Astray, Noticed, Op, Options, Release, SandboxSpec, Verb};

/// The file of the facts that the past came to. A page folds them, since it does not decide; the gate holds them to be true.
pub const FACTS: &str = "past.json";
/// The release of the toolkit that was recorded.
const TOOLKIT: Release = Release(1, 18, 1);
/// When a toolkit notices that it has signalled itself, by the words of the recordings' logs.
const NOTICED: [(&str, Noticed); 3] =
    [("at-once", Noticed::AtOnce), ("after-success", Noticed::AfterSuccess), ("waiting", Noticed::Waiting)];

/// A step of the past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// The machine; empty where time passes, which it does everywhere.
    pub host: String,
    /// What happened.
    pub deed: Deed,
    /// Where it stands in the scenario's file.
    pub pos: Pos,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// A file was written.
    Write {
        /// Absolute path on the machine.
        path: String,
        /// The file in the scenario's folder.
        from: String,
    },
    /// The toolkit was run with these flags; the gate sees that it knows them.
    Toolkit {
        /// Its flags.
        flags: Vec<String>,
        /// Which of its signals went astray.
        astray: Astray,
    },
    /// The objects of a manifest were applied to the cluster.
    Apply {
        /// The manifest in the scenario's folder.
        from: String,
    },
    /// The kubelet of a node that is no machine fell silent, or came back.
    Kubelet {
        /// True where it says nothing any more.
        silent: bool,
    },
    /// Anything that says all by itself.
    Do(Box<Op>),
}

/// Reads `[[past]]`.
pub(super) fn take(sheet: &mut Sheet<'_>, top: &mut Table<'_>, hosts: &[&str], light: &[&str]) -> Vec<Past> {
    let tables = top.tables(sheet, "past").into_iter().enumerate();
    tables.filter_map(|(nth, table)| take_step(sheet, table, nth, hosts, light)).collect()
}

fn take_step(
    sheet: &mut Sheet<'_>,
    mut table: Table<'_>,
    nth: usize,
    hosts: &[&str],
    light: &[&str],
) -> Option<Past> {
    let pos = table.at();
    let mut deeds = Vec::new();
    let mut act = |op: Op| deeds.push(Deed::Do(Box::new(op)));
    if let Some(seconds) = table.number(sheet, "wait_s") {
        act(Op::Wait { ms: u64::try_from(seconds).unwrap_or(0).saturating_mul(1000) });
    }
    if let Some(path) = table.optional_text(sheet, "remove") {
        act(Op::Edit(FileEdit::Remove(path)));
    }
    if let Some(entry) = table.optional("restart")
        && entry.flag(sheet, "restart")
    {
        act(Op::Systemctl(Verb::Restart));
    }
    if let Some(entry) = table.optional("reboot")
        && entry.flag(sheet, "reboot")
    {
        act(Op::Reboot);
    }
    if let Some(mut inner) = table.table(sheet, "sandbox") {
        act(Op::RunSandbox(SandboxSpec {
            name: inner.text(sheet, "name"),
            namespace: inner.optional_text(sheet, "namespace").unwrap_or_else(|| "default".into()),
            uid: format!("6f1d2a90-3b7c-4e58-9a04-{nth:012x}"),
            attempt: 0,
            handler: inner.optional_text(sheet, "handler"),
            log_directory: String::new(),
        }));
        inner.close(sheet);
    }
    if let Some(mut inner) = table.table(sheet, "toolkit") {
        let flags = inner.texts(sheet, "flags");
        let astray = take_astray(sheet, &mut inner);
        inner.close(sheet);
        deeds.push(Deed::Toolkit { flags, astray });
    }
    if let Some(mut inner) = table.table(sheet, "write") {
        deeds.push(Deed::Write { path: inner.text(sheet, "path"), from: inner.text(sheet, "from") });
        inner.close(sheet);
    }
    deeds.extend(table.optional_text(sheet, "apply").map(|from| Deed::Apply { from }));
    let at_kubelet = table.at_key("kubelet");
    if let Some(word) = table.optional_text(sheet, "kubelet") {
        if !["silent", "well"].contains(&word.as_str()) {
            sheet.fault(at_kubelet, "a kubelet is `silent` or `well`");
        }
        deeds.push(Deed::Kubelet { silent: word == "silent" });
    }
    let (everywhere, known) = match &deeds[..] {
        [Deed::Do(op)] if matches!(**op, Op::Wait { .. }) => (true, hosts),
        [Deed::Apply { .. }] => (true, hosts),
        [Deed::Kubelet { .. }] => (false, light),
        _ => (false, hosts),
    };
    let host = if everywhere { String::new() } else { table.text(sheet, "on") };
    if !everywhere && !known.contains(&host.as_str()) {
        sheet.fault(pos, format!("there is no machine `{host}`"));
    }
    table.close(sheet);
    if deeds.len() != 1 {
        let words =
            "`write`, `remove`, `restart`, `reboot`, `sandbox`, `toolkit`, `apply`, `kubelet`, `wait_s`";
        sheet.fault(pos, format!("a step of the past is exactly one of {words}"));
    }
    Some(Past { host, deed: deeds.pop()?, pos })
}

/// The toolkit's options for flags; the error is the word that is not simulated.
fn toolkit_options(flags: &[String]) -> Result<Options, String> {
    Options::new(TOOLKIT).with_flags(flags.iter().map(String::as_str))
}

/// Reads `signal_astray`: the toolkit's signals hit the toolkit itself, and it notices the first one then.
pub(super) fn take_astray(sheet: &mut Sheet<'_>, table: &mut Table<'_>) -> Astray {
    let at = table.at_key("signal_astray");
    let Some(word) = table.optional_text(sheet, "signal_astray") else { return Astray::default() };
    let setup = NOTICED.iter().find(|(name, _)| *name == word).map(|(_, noticed)| *noticed);
    if setup.is_none() {
        let words = NOTICED.map(|(name, _)| format!("`{name}`")).join(", ");
        sheet.fault(at, format!("`signal_astray` says when the toolkit notices: {words}"));
    }
    Astray { setup, cleanup: true }
}

/// Facts as the text of their file: the action of a line that nobody typed, so that a page reads it as it reads a save.
pub(super) fn written(facts: &[Fact]) -> String {
    let kept = facts.iter().filter(|fact| !matches!(fact, Fact::Node(_, fact) if !fact.is_kept()));
    Action::Ran { tab: String::new(), line: String::new(), did: kept.cloned().collect() }.to_text()
}

/// The facts of a file; the gate has seen that it can be read.
pub(super) fn read(text: &[u8]) -> Vec<Fact> {
    match Action::from_text(&String::from_utf8_lossy(text)) {
        Some(Action::Ran { did, .. }) => did,
        _ => Vec::new(),
    }
}

/// Applies every object of a manifest.
///
/// # Errors
/// Says which one the server refuses; it is the last that was tried.
fn apply(world: &mut World, text: &[u8], facts: &mut Vec<Fact>) -> Result<(), String> {
    let text = String::from_utf8_lossy(text);
    let documents = documents(&text).map_err(|why| format!("line {}: {}", why.line, why.words))?;
    for mut manifest in documents {
        if manifest["metadata"]["namespace"].is_null() && kind_of(&manifest).is_some_and(Kind::is_namespaced)
        {
            manifest["metadata"]["namespace"] = "default".into();
        }
        let applied = world.api(facts, |cluster| cluster.apply(&manifest)).ok_or("there is no cluster")?;
        applied.map_err(|problem| format!("{problem:?}"))?;
    }
    Ok(())
}

impl Scenario {
    /// Lets the past happen; what cannot happen is put behind `faults`. `read` gives a file of the scenario's folder.
    pub(super) fn live_through(
        &self,
        mut world: World,
        read: impl Fn(&str) -> Option<Vec<u8>>,
        facts: &mut Vec<Fact>,
        faults: &mut Vec<(Pos, String)>,
    ) -> World {
        for past in &self.past {
            let host = if past.host.is_empty() { CONTROL } else { &past.host };
            match &past.deed {
                Deed::Do(op) => {
                    world.act(host, op, facts);
                }
                Deed::Toolkit { flags, astray } => match toolkit_options(flags) {
                    Ok(options) => {
                        let op = Op::Toolkit { options: Box::new(options), astray: *astray, in_pod: false };
                        world.act(host, &op, facts);
                    }
                    Err(word) => {
                        faults.push((past.pos, format!("the toolkit's `{word}` is not simulated")));
                    }
                },
                Deed::Apply { from } => {
                    let text = read(from).unwrap_or_default();
                    if let Err(why) = apply(&mut world, &text, facts) {
                        faults.push((past.pos, format!("{from} is refused: {why}")));
                    }
                }
                Deed::Kubelet { silent } => {
                    let health = if *silent { Health::KubeletSilent } else { Health::Well };
                    world.api(facts, |cluster| cluster.set_health(host, health));
                }
                Deed::Write { path, from } => {
                    let mut folders: Vec<&str> = Vec::new();
                    let mut folder = parent(path);
                    while folder.len() > 1 {
                        folders.push(folder);
                        folder = parent(folder);
                    }
                    // A folder that is there already is refused, which is no matter.
                    for folder in folders.into_iter().rev() {
                        world.act(host, &Op::Edit(FileEdit::MakeFolder(folder.into())), facts);
                    }
                    let bytes = read(from).unwrap_or_default();
                    world.act(host, &Op::Edit(FileEdit::Write(path.clone(), bytes)), facts);
                }
            }
        }
        world
    }
}
