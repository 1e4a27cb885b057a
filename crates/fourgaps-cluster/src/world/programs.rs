//! What runs in the containers of pods on machines: some programs are known by their command or image, all others just stay.
//! Sources: `assets/` of `NVIDIA/gpu-operator`, `../shared/facts/nvidia-toolkit.md` 5.

use super::NodeSpec;
use crate::kubelet::Behaviour;
use crate::read::{items, part, text, texts};
use fourgaps_base::sort_by_key;
use fourgaps_node::{Astray, ContainerSpec, Options, Program, Pull, Release};
use serde_json::Value;

/// The image of the operator's device plugin.
pub(super) const DEVICE_PLUGIN: &str = "nvcr.io/nvidia/k8s-device-plugin:v0.17.1";
/// The resource under which it offers GPUs.
pub const GPU: &str = "nvidia.com/gpu";
/// How long `nvidia-smi` takes, in milliseconds.
const SMI_MS: u64 = 500;
/// Where the operator's validator says what it found, on the node.
const VALIDATIONS: &str = "/run/nvidia/validations";
/// What it says of a driver that was installed on the host.
const HOST_DRIVER: &str = "IS_HOST_DRIVER=true\nNVIDIA_DRIVER_ROOT=/\nDRIVER_ROOT_CTR_PATH=/host\nNVIDIA_DEV_ROOT=/\n\
                           DEV_ROOT_CTR_PATH=/host\n";
/// The script that the operator puts before the toolkit and the device plugin.
const ENTRYPOINT: &str = "/bin/entrypoint.sh";

/// Where a container is to run.
pub(super) struct Place<'p> {
    /// The machine.
    pub spec: &'p NodeSpec,
    /// Which signals of a toolkit go astray there.
    pub astray: Astray,
    /// The specification of its pod.
    pub pod: &'p Value,
    /// How its image is said to behave there, where it is said.
    pub behaviour: Option<&'p Behaviour>,
}

/// A container as a kubelet is given it.
pub(super) fn container_of(container: &Value, place: &Place<'_>) -> ContainerSpec {
    let (name, image) = (text(container, "name"), text(container, "image"));
    let program = program_of(container, place);
    let spec = ContainerSpec::new(name.unwrap_or_default(), image.unwrap_or_default(), program);
    let Some(said) = place.behaviour else { return spec };
    ContainerSpec {
        pull: Some(Pull { ms: said.pull_ms, missing: said.missing }),
        ready_ms: said.ready_ms,
        program: match (spec.program, said.ends) {
            (_, Some((after_ms, status))) => Program::Ends { after_ms, status },
            (Program::Stays { .. }, None) => Program::Stays { ends_after_ms: said.stop_ms },
            (program, None) => program,
        },
        ..spec
    }
}

fn program_of(container: &Value, place: &Place<'_>) -> Program {
    let words = [texts(container, "command"), texts(container, "args")].concat();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let image = text(container, "image").unwrap_or_default();
    let (repository, tag) = image.rsplit_once(':').unwrap_or((image, ""));
    let has_gpus = !place.spec.gpus.is_empty();
    match (words.as_slice(), repository.rsplit('/').next().unwrap_or_default()) {
        (["nvidia-smi", ..], _) => Program::Ends { after_ms: SMI_MS, status: 0 },
        (["sleep", seconds], _) if seconds.parse::<u32>().is_ok() => {
            Program::Ends { after_ms: seconds.parse().unwrap_or(0) * 1000, status: 0 }
        }
        (["true"], _) => Program::Ends { after_ms: 0, status: 0 },
        (["false"], _) => Program::Ends { after_ms: 0, status: 1 },
        ([.., script], _) if waited_for(script).is_some() => {
            Program::WaitsFor { path: waited_for(script).unwrap_or_default().into() }
        }
        ([.., "nvidia-validator"], _) => validator(container, place),
        ([] | ["nvidia-toolkit", ..] | [.., ENTRYPOINT], "container-toolkit") => {
            toolkit(container, place, &words, tag)
        }
        (_, "k8s-device-plugin") if has_gpus => {
            let count = u32::try_from(place.spec.gpus.len()).unwrap_or(0);
            Program::DevicePlugin { resource: GPU.into(), count }
        }
        _ => Program::Stays { ends_after_ms: 0 },
    }
}

/// The file for which a script of the operator waits: `until [ -f FILE ]; do …`.
fn waited_for(script: &str) -> Option<&str> {
    let (path, _) = script.strip_prefix("until [ -f ")?.split_once(" ]")?;
    Some(path)
}

/// The operator's validator looks at one component, and says in a file that it is well.
fn validator(container: &Value, place: &Place<'_>) -> Program {
    let env = env_of(container);
    let component = env.iter().find(|(name, _)| name == "COMPONENT").map_or("", |(_, value)| value);
    let waits = env.iter().any(|(name, value)| name == "WITH_WAIT" && value == "true");
    let shows_gpus = text(place.pod, "runtimeClassName").is_some();
    let (file, said, works) = match component {
        "driver" => ("driver-ready", HOST_DRIVER, true),
        "toolkit" => ("toolkit-ready", "", shows_gpus),
        other => return Program::NotSimulated { why: format!("the validation of {other}") },
    };
    match works && !place.spec.gpus.is_empty() {
        true => Program::Writes { path: format!("{VALIDATIONS}/{file}"), text: said.into() },
        false if waits => Program::Stays { ends_after_ms: 0 },
        false => Program::Ends { after_ms: 0, status: 1 },
    }
}

/// The toolkit is told by its environment and by flags, and sees folders of the node by its mounts.
fn toolkit(container: &Value, place: &Place<'_>, words: &[&str], tag: &str) -> Program {
    let not_simulated = |what: &str| Program::NotSimulated { why: format!("the toolkit with {what}") };
    let version = tag.trim_start_matches('v').split('-').next().unwrap_or_default();
    let Some(release) = Release::named(version) else { return not_simulated(tag) };
    let entrypoint = words.last() == Some(&ENTRYPOINT);
    let flags = if entrypoint { &[] } else { words.get(1..).unwrap_or_default() };
    let mounts = mounts_of(container, place.pod);
    let mounts = mounts.iter().map(|(inside, outside)| (inside.as_str(), outside.as_str()));
    let options = Options::new(release).mounted(mounts).with_env(&env_of(container));
    match options.and_then(|options| options.with_flags(flags.iter().copied())) {
        Ok(options) => Program::Toolkit { options: Box::new(options), astray: place.astray, entrypoint },
        Err(what) => not_simulated(&what),
    }
}

/// The variables whose values are written out.
fn env_of(container: &Value) -> Vec<(String, String)> {
    let pair = |one: &Value| Some((text(one, "name")?.to_string(), text(one, "value")?.to_string()));
    items(container, "env").filter_map(pair).collect()
}

/// Folders of the node in a container: each inside, then outside; the deepest first, since it hides what is above.
pub fn mounts_of(container: &Value, pod: &Value) -> Vec<(String, String)> {
    let outside = |name: &str| {
        let mut volumes = items(pod, "volumes");
        let volume = volumes.find(|volume| text(volume, "name") == Some(name))?;
        text(part(volume, "hostPath"), "path")
    };
    let pair = |mount: &Value| {
        let outside = outside(text(mount, "name")?)?.trim_end_matches('/');
        Some((text(mount, "mountPath")?.trim_end_matches('/').to_string(), outside.to_string()))
    };
    let mut mounts: Vec<_> = items(container, "volumeMounts").filter_map(pair).collect();
    sort_by_key(&mut mounts, |(inside, _)| std::cmp::Reverse(inside.len()));
    mounts
}
