//! What there is inside of a container: its log, and what a program prints that is run in it. A kubelet of a machine knows what
//! runs there; of a scripted one only the command of the container is known.

use super::super::asking::stamp;
use super::{Session, Stop};
use fourgaps_base::{Files, clean, sort};
use fourgaps_cluster::pod::Pod;
use fourgaps_cluster::read::{items, text, texts};
use fourgaps_cluster::{EPOCH_MS, mounts_of};
use fourgaps_node::{ContainerState, Level, Node, Program};
use fourgaps_view::Stamp;
use serde_json::Value;

/// A container of a pod as the API has it.
pub(super) struct Inside<'p> {
    pub pod: &'p Pod,
    pub container: &'p Value,
}

/// What a program printed, and its exit status.
pub(super) struct Ran {
    pub out: String,
    pub err: String,
    pub status: i32,
}

impl Ran {
    fn well(out: String) -> Self {
        Self { out, err: String::new(), status: 0 }
    }
}

/// The container that is meant: by its name, or the first one. kubectl says which it took where there are several.
pub(super) fn container_of<'p>(
    session: &mut Session<'_, '_>,
    pod: &'p Pod,
    name: Option<&str>,
) -> Result<Inside<'p>, Stop> {
    let given = &pod.shape.spec.given;
    let name_of = |container: &Value| text(container, "name").unwrap_or_default().to_string();
    let all: Vec<&Value> = items(given, "containers").chain(items(given, "initContainers")).collect();
    let init = items(given, "initContainers").map(|one| format!("{} (init)", name_of(one)));
    let told: Vec<String> = items(given, "containers").map(name_of).chain(init).collect();
    let told = told.join(", ");
    let found = match name {
        Some(name) => all.iter().find(|one| text(one, "name") == Some(name)),
        None => all.first(),
    };
    let Some(container) = found.copied() else {
        let name = name.unwrap_or_default();
        return Stop::error(format!(
            "error: container {name} is not valid for pod {} out of: {told}",
            pod.key.name
        ));
    };
    if name.is_none() && all.len() > 1 {
        session.call.err(format!("Defaulted container \"{}\" out of: {told}\n", name_of(container)));
    }
    Ok(Inside { pod, container })
}

impl Inside<'_> {
    fn name(&self) -> &str {
        text(self.container, "name").unwrap_or_default()
    }

    /// The log of its run, or of the one before.
    pub fn log(&self, session: &Session<'_, '_>, previous: bool) -> Result<String, Stop> {
        let node = self.pod.node.as_deref().and_then(|node| session.call.world.node(node));
        let Some(node) = node else { return self.by_command(session) };
        let uid = self.pod.uid.to_string();
        let there = node.kubelet().pod(&uid).and_then(|there| {
            let (spec, status) = (&there.spec, &there.status);
            let all =
                spec.init.iter().zip(&status.init).chain(spec.containers.iter().zip(&status.containers));
            all.into_iter().find(|(spec, _)| spec.name == self.name())
        });
        let Some((spec, status)) = there else { return self.by_command(session) };
        // A run is known by when it began.
        let (began_ms, ended_ms) = match (&status.state, &status.last) {
            (_, Some(last)) if previous => (last.started_ms, Some(last.ended_ms)),
            (_, None) if previous => {
                return Stop::error(format!(
                    "Error from server (BadRequest): previous terminated container \"{}\" in pod \"{}\" not found",
                    self.name(),
                    self.pod.key.name
                ));
            }
            (ContainerState::Running(running), _) => (running.since_ms, running.ended.map(|(_, at)| at)),
            (ContainerState::Terminated(end), _) | (_, Some(end)) => (end.started_ms, Some(end.ended_ms)),
            (ContainerState::Waiting { .. }, None) => return Ok(String::new()),
        };
        match &spec.program {
            Program::Toolkit { .. } => toolkit_log(session, node, began_ms),
            Program::WaitsFor { .. } => self.waiting_log(session, began_ms, ended_ms),
            _ => self.by_command(session),
        }
    }

    /// A script of the operator says every five seconds what it waits for.
    fn waiting_log(
        &self,
        session: &Session<'_, '_>,
        began_ms: u64,
        ended_ms: Option<u64>,
    ) -> Result<String, Stop> {
        let words = [texts(self.container, "command"), texts(self.container, "args")].concat();
        let script = words.last().map_or("", String::as_str);
        let said = script.split_once("do echo ").and_then(|(_, rest)| rest.split_once(';'));
        let Some((said, _)) = said else { return self.by_command(session) };
        let looks = match ended_ms {
            Some(ended_ms) => ended_ms.saturating_sub(began_ms) / 5_000,
            None => session.now_ms.saturating_sub(began_ms) / 5_000 + 1,
        };
        Ok(format!("{said}\n").repeat(usize::try_from(looks).unwrap_or(0)))
    }

    fn by_command(&self, session: &Session<'_, '_>) -> Result<String, Stop> {
        let words = [texts(self.container, "command"), texts(self.container, "args")].concat();
        if words.is_empty() {
            let image = text(self.container, "image").unwrap_or_default();
            return Err(Stop::NotSimulated(format!("what the program of {image} prints")));
        }
        self.run(session, &words).map(|ran| ran.out)
    }

    /// What a program prints that is run in it.
    pub fn run(&self, session: &Session<'_, '_>, command: &[String]) -> Result<Ran, Stop> {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let spec = self.pod.node.as_deref().and_then(|node| session.call.world.world.spec(node));
        match (words.as_slice(), spec) {
            (["nvidia-smi", "-L"], Some(spec)) if self.pod.shape.spec.runtime_class.is_some() => {
                let gpus = spec.gpus.iter().enumerate();
                Ok(Ran::well(gpus.map(|(nth, gpu)| format!("GPU {nth}: {gpu}\n")).collect()))
            }
            (["true" | "sleep", ..], _) => Ok(Ran::well(String::new())),
            (["false"], _) => Ok(Ran { out: String::new(), err: String::new(), status: 1 }),
            (["hostname"], _) => Ok(Ran::well(format!("{}\n", self.pod.key.name))),
            (["cat", path], _) => self.cat(session, path),
            (["ls", path], _) => self.ls(session, path),
            _ => Err(Stop::NotSimulated(format!("what `{}` prints in this container", words.join(" ")))),
        }
    }

    /// The path on the node of a path in a folder that the node lends to the container.
    fn on_node<'n>(&self, session: &'n Session<'_, '_>, path: &str) -> Result<(&'n dyn Files, String), Stop> {
        let path = clean(path);
        let mounts = mounts_of(self.container, &self.pod.shape.spec.given);
        let outside = mounts.iter().find_map(|(inside, outside)| {
            let rest = path.strip_prefix(inside.as_str())?;
            (rest.is_empty() || rest.starts_with('/')).then(|| clean(&format!("/{outside}{rest}")))
        });
        let node = self.pod.node.as_deref().and_then(|node| session.call.world.node(node));
        match (outside, node) {
            (Some(outside), Some(node)) => Ok((node.files(), outside)),
            _ => Err(Stop::NotSimulated(format!(
                "{path} in this container: only what the node lends it by a hostPath is"
            ))),
        }
    }

    fn cat(&self, session: &Session<'_, '_>, path: &str) -> Result<Ran, Stop> {
        let (files, outside) = self.on_node(session, path)?;
        Ok(match files.read(&outside) {
            Ok(bytes) => Ran::well(String::from_utf8_lossy(&bytes).into_owned()),
            Err(_) if files.exists(&outside) => {
                Ran { out: String::new(), err: format!("cat: {path}: Is a directory\n"), status: 1 }
            }
            Err(_) => {
                let err = format!("cat: {path}: No such file or directory\n");
                Ran { out: String::new(), err, status: 1 }
            }
        })
    }

    fn ls(&self, session: &Session<'_, '_>, path: &str) -> Result<Ran, Stop> {
        let (files, outside) = self.on_node(session, path)?;
        if files.read(&outside).is_ok() {
            return Ok(Ran::well(format!("{path}\n")));
        }
        if !files.exists(&outside) {
            let err = format!("ls: cannot access '{path}': No such file or directory\n");
            return Ok(Ran { out: String::new(), err, status: 2 });
        }
        let node = self.pod.node.as_deref().and_then(|node| session.call.world.node(node));
        let below = node.map(|node| node.files().below(&outside).map(String::from).collect::<Vec<_>>());
        let head = format!("{}/", outside.trim_end_matches('/'));
        let mut names: Vec<String> = below
            .unwrap_or_default()
            .iter()
            .filter_map(|path| path.strip_prefix(&head)?.split('/').next().map(String::from))
            .filter(|name| !name.starts_with('.'))
            .collect();
        sort(&mut names);
        names.dedup();
        Ok(Ran::well(names.into_iter().map(|name| name + "\n").collect()))
    }
}

fn toolkit_log(session: &Session<'_, '_>, node: &Node, began_ms: u64) -> Result<String, Stop> {
    let run = node.toolkits().iter().rev().find(|run| run.started_ms == began_ms);
    let Some(run) = run else { return Err(Stop::NotSimulated("the log of a run that long ago".into())) };
    let at = stamp(session.call.world);
    let line = |(ms, line): &(u64, fourgaps_node::LogLine)| match line.level {
        Level::Plain => format!("{line}\n"),
        _ => Stamp { unix_ms: EPOCH_MS + ms, ..at }.log(&line.to_string()),
    };
    Ok(run.log.iter().map(line).collect())
}
