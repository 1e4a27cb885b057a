//! `nvidia-ctk runtime configure`: the toolkit's editing from the command line, for one handler.
//! Source: the recordings' `stories/`, and `cmd/nvidia-ctk/runtime/configure` of the public repository.

use super::editing::{Runtime, Settings, Trouble};
use super::files::{Desk, Source};
use super::{LogLine, Release};
use crate::act::Deciding;
use crate::node::MAIN;
use crate::op::Answer;
use fourgaps_base::parent;

/// What it is told.
struct Flags {
    config: String,
    drop_in: String,
    executable: String,
    source: String,
    name: String,
    path: String,
    as_default: bool,
    cdi: bool,
    dry_run: bool,
}

/// What `nvidia-ctk` answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CtkAnswer {
    /// Its log, on standard error.
    pub log: Vec<LogLine>,
    /// Its standard output.
    pub stdout: String,
    /// Why it failed; its status is 1 then.
    pub error: Option<String>,
}

impl Flags {
    /// Reads the words after `runtime configure`.
    ///
    /// # Errors
    /// Names the word that is not simulated.
    fn read(release: Release, words: &[String]) -> Result<Self, String> {
        let mut flags = Self {
            config: MAIN.into(),
            drop_in: if release.has_drop_in() {
                "/etc/containerd/conf.d/99-nvidia.toml".into()
            } else {
                String::new()
            },
            executable: String::new(),
            source: "file".into(),
            name: "nvidia".into(),
            path: "/usr/bin/nvidia-container-runtime".into(),
            as_default: false,
            cdi: false,
            dry_run: false,
        };
        let mut runtime = String::from("docker");
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let flag = word.strip_prefix("--").ok_or(word.as_str())?;
            let (name, value) =
                flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
            let switch = match name {
                "dry-run" => Some(&mut flags.dry_run),
                "nvidia-set-as-default" | "set-as-default" => Some(&mut flags.as_default),
                "cdi.enabled" | "cdi.enable" | "enable-cdi" => Some(&mut flags.cdi),
                _ => None,
            };
            if let Some(switch) = switch {
                *switch = match value {
                    None | Some("true") => true,
                    Some("false") => false,
                    Some(_) => return Err(word.clone()),
                };
                continue;
            }
            let place = match name {
                "runtime" => &mut runtime,
                "config" => &mut flags.config,
                "drop-in-config" if release.has_drop_in() => &mut flags.drop_in,
                "executable-path" => &mut flags.executable,
                "config-source" => &mut flags.source,
                "nvidia-runtime-name" => &mut flags.name,
                "nvidia-runtime-path" | "runtime-path" => &mut flags.path,
                _ => return Err(word.clone()),
            };
            *place = match value {
                Some(value) => value.into(),
                None => words.next().ok_or(word.as_str())?.clone(),
            };
        }
        if runtime != "containerd" {
            return Err(format!("--runtime={runtime}"));
        }
        if flags.path == "nvidia-container-runtime" {
            flags.path = "/usr/bin/nvidia-container-runtime".into();
        }
        Ok(flags)
    }

    /// The refusal of values that it checks before it does anything.
    fn refusal(&self) -> Option<String> {
        if !self.path.starts_with('/') {
            Some(format!("the NVIDIA runtime path {:?} is not an absolute path", self.path))
        } else if !["command", "file"].contains(&self.source.as_str()) {
            Some(format!("unrecognized Config Source: {}", self.source))
        } else if !self.drop_in.is_empty() && !self.drop_in.starts_with('/') {
            Some(format!("the drop-in-config path {:?} is not an absolute path", self.drop_in))
        } else {
            None
        }
    }
}

impl Deciding<'_> {
    /// `nvidia-ctk runtime configure WORDS`.
    pub(crate) fn configure_by_ctk(&mut self, release: Release, words: &[String]) -> Answer {
        let flags = match Flags::read(release, words) {
            Ok(flags) => flags,
            Err(word) => return Answer::NotSimulated(format!("nvidia-ctk runtime configure {word}")),
        };
        let mut desk = Desk::of(self.node);
        let result = match flags.refusal() {
            Some(why) => Err(Trouble::Error(why)),
            None => configure(&mut desk, release, &flags),
        };
        let Desk { log, edits, .. } = desk;
        self.edits(edits);
        match result {
            Ok(stdout) => Answer::Ctk(CtkAnswer { log, stdout, error: None }),
            Err(Trouble::Error(error)) => {
                Answer::Ctk(CtkAnswer { log, stdout: String::new(), error: Some(error) })
            }
            Err(Trouble::Panic) => Answer::NotSimulated("nvidia-ctk panics on this configuration".into()),
        }
    }
}

fn configure(desk: &mut Desk<'_>, release: Release, flags: &Flags) -> Result<String, Trouble> {
    let in_drop_in = release.has_drop_in() && !flags.drop_in.is_empty();
    let target = if in_drop_in { &flags.drop_in } else { &flags.config };
    let folder = if flags.dry_run { "/etc/containerd/conf.d" } else { parent(target) };
    let settings = Settings {
        release,
        runtime_type: "io.containerd.runc.v2".into(),
        legacy: false,
        annotations: Vec::new(),
        import: format!("{folder}/*.toml"),
    };
    let source = Source {
        from: vec![&flags.source],
        main: &flags.config,
        host_root: "",
        executable: &flags.executable,
    };
    let mut editing = desk
        .load(&source, settings)
        .map_err(|why| why.after("unable to load config for runtime containerd: "))?;
    let runtime =
        Runtime { name: flags.name.clone(), path: flags.path.clone(), is_default: flags.as_default };
    let added = editing.add(&runtime);
    for warning in std::mem::take(&mut editing.warnings) {
        desk.warn(warning);
    }
    added.map_err(|why| why.after("unable to update config: "))?;
    if flags.cdi {
        editing.enable_cdi();
    }
    if flags.dry_run {
        return dry_run(desk, &mut editing);
    }
    let bytes = desk
        .save(&mut editing, target, &flags.config)
        .map_err(|why| why.after("unable to flush config: "))?;
    desk.info(match bytes {
        0 => format!("Removed empty config from {target}"),
        _ => format!("Wrote updated config to {target}"),
    });
    desk.info("It is recommended that containerd daemon be restarted.");
    Ok(String::new())
}

/// Prints what would be written.
fn dry_run(desk: &mut Desk<'_>, editing: &mut super::editing::Editing) -> Result<String, Trouble> {
    let first = editing.written().unwrap_or_default() + "\n";
    let Some(main) = editing.main_written() else { return Ok(first) };
    desk.info("Drop-in config:");
    desk.info("Top-level config:");
    Ok(first + &main?.unwrap_or_default() + "\n")
}
