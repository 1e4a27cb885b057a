//! Where things lie in the checkout, and how its commands are started.

use crate::args::Args;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates that know neither a browser nor a disk and must compile for both.
pub const PURE: [&str; 7] = [
    "fourgaps-base",
    "fourgaps-config",
    "fourgaps-node",
    "fourgaps-cluster",
    "fourgaps-view",
    "fourgaps-shell",
    "fourgaps-lab",
];

/// The checkout.
pub struct House {
    /// Its top folder.
    pub root: PathBuf,
    /// Cargo's folder for what it builds.
    pub target: PathBuf,
    /// Show what every step prints.
    pub verbose: bool,
}

impl House {
    /// Finds the checkout in which this command runs.
    pub fn find(args: &Args) -> Option<Self> {
        let start =
            env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).or_else(|| env::current_dir().ok())?;
        let root = start.ancestors().find(|folder| folder.join("crates/xtask/Cargo.toml").is_file())?;
        let target =
            env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
        Some(Self { root: root.to_path_buf(), target, verbose: args.verbose })
    }

    /// The folder into which trunk and wasm-bindgen are installed.
    pub fn tools(&self) -> PathBuf {
        self.root.join(".tools")
    }

    /// A command that runs at the top of the checkout.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(&self.root);
        command
    }

    /// The cargo that started this program.
    pub fn cargo(&self) -> Command {
        let mut cargo = self.command(env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from));
        // What `cargo run` tells about xtask itself must not reach the crates that are built now.
        for name in ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_PKG_NAME", "CARGO_PKG_VERSION"] {
            cargo.env_remove(name);
        }
        cargo
    }

    /// The pure crates that this checkout has.
    pub fn pure_crates(&self) -> Vec<&'static str> {
        let has = |name: &&str| self.root.join("crates").join(name).join("Cargo.toml").is_file();
        PURE.into_iter().filter(has).collect()
    }

    /// A folder beside the checkout that its tests read where it is there.
    pub fn shared(&self, name: &str) -> PathBuf {
        self.root.join("../shared").join(name)
    }
}

/// Finds a program in the folders of `PATH`.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
