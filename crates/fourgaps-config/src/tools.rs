//! What the tools of a version print beside its configuration: `versions/NAME/tools.toml`.
//! Read apart from the version, so that a program which asks for no tool does not carry its words.

use crate::read::read_toml;
use crate::readable;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// `tools.toml`.
#[derive(Clone, Debug)]
pub struct Tools {
    /// The module that `containerd --version` names.
    pub module: String,
    /// The compiler.
    pub go: String,
    /// What `ctr` says where nobody listens; a line that begins with `level=` is a log line.
    pub ctr_alone: Vec<String>,
    /// What the log tells of a process that ends, where its CRI service ran.
    pub stopped: Vec<String>,
    /// The last lines that the log tells of a sandbox that is removed: `{id}`.
    pub removed: Vec<String>,
    /// `crictl info`.
    pub info: InfoRules,
    /// `crictl inspectp` and `statsp`.
    pub sandbox: SandboxTexts,
    /// What a deprecated thing that was met is told as, by its name.
    pub deprecations: BTreeMap<String, String>,
}
readable!(Tools { module, go, ctr_alone, stopped, removed, info, sandbox, deprecations });

/// How `crictl info` tells the configuration that the CRI plugin holds.
#[derive(Clone, Debug)]
pub struct InfoRules {
    /// The CRI plugin's folder below those of the process.
    pub folder: String,
    /// The key of the folders with network plugins.
    pub bin_dirs: Vec<String>,
    /// True where the built-in loopback network tells an empty `dns`.
    pub loopback_dns: bool,
    /// True where it tells what the runtimes can do.
    pub features: bool,
    /// The runtime types that are asked what they can do; every one where none is named.
    pub introspected: Vec<String>,
    /// JSON names of keys, where they are not the key in camel case.
    pub names: BTreeMap<String, String>,
}
readable!(InfoRules { folder, bin_dirs, loopback_dns, features, introspected, names });

/// What differs between versions in what they tell of a sandbox.
#[derive(Clone, Debug)]
pub struct SandboxTexts {
    /// The version of the container specification.
    pub oci: String,
    /// True where the handler is told beside the status.
    pub handler_told: bool,
    /// True where the sandbox's own record is told, and the image's name is an annotation.
    pub metadata_told: bool,
    /// True where the default `/dev/shm` stays beside the bound one.
    pub own_shm: bool,
    /// True where what is bound in is `nosuid`, `nodev` and `noexec`.
    pub strict_binds: bool,
    /// True where only the first sandbox without metrics is told of.
    pub one_failure: bool,
    /// What is said of a sandbox without metrics: `{id}`.
    pub no_metrics: String,
}
readable!(SandboxTexts { oci, handler_told, metadata_told, own_shm, strict_binds, one_failure, no_metrics });

macro_rules! built_in {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../versions/", $name, "/tools.toml")))),*]
    };
}

impl Tools {
    /// The tools of a built-in version, for example `1.7.27`; they are read when they are first asked for.
    pub fn of(version: &str) -> Option<&'static Self> {
        const TEXTS: &[(&str, &str)] = &with_versions!(built_in);
        static READ: [OnceLock<Tools>; TEXTS.len()] = [const { OnceLock::new() }; TEXTS.len()];
        let at = TEXTS.iter().position(|(name, _)| *name == version)?;
        Some(READ[at].get_or_init(|| Self::from_text(TEXTS[at].1).expect("a test reads every text of tools")))
    }

    /// Reads the text of a `tools.toml`.
    ///
    /// # Errors
    /// Says what is wrong, with line and column.
    pub fn from_text(text: &str) -> Result<Self, String> {
        read_toml(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Version;

    #[test]
    fn every_version_has_its_tools_and_words_for_its_deprecations() {
        for version in Version::all() {
            let tools = Tools::of(version.name()).unwrap_or_else(|| panic!("{}: no tools", version.name()));
            for name in version.deprecations() {
                assert!(tools.deprecations.contains_key(name), "{}: no words for {name}", version.name());
            }
        }
    }
}
