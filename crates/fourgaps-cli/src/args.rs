//! The command line: what may be said, and its help.

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// What a fresh containerd would load from a node's files, and why.
#[derive(Parser)]
#[command(
    name = "fourgaps",
    version,
    about,
    after_help = "Example: fourgaps explain --containerd 1.7.27 --root /"
)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Print what `containerd config dump` prints on a node with these files
    #[command(after_help = "Example: fourgaps dump --containerd 1.7.27 --root / | grep -n runtimes")]
    Dump(Node),
    /// Say what a containerd started on these files would be: its handlers, its complaints, its answers to requests
    #[command(after_help = "Example: fourgaps loaded --containerd 1.7.27 --root /")]
    Loaded(Node),
    /// Say where every set value comes from, what it hides, and what would surprise you
    #[command(after_help = "Example: fourgaps explain --containerd 1.7.27 --root / \
        'plugins.\"io.containerd.grpc.v1.cri\".registry'")]
    Explain(Explain),
    /// Leave imported files out one at a time, and show which handlers are left
    #[command(after_help = "Example: fourgaps ablate --containerd 1.7.27 --root / --count runtimes.nvidia")]
    Ablate(Ablate),
    /// Compare what two containerd versions make of the same files; status 1 where a handler would be lost
    #[command(after_help = "Example: fourgaps upgrade --from 1.7.27 --to 2.3.4 --root /")]
    Upgrade(Upgrade),
    /// Check a folder of scenarios, as an author does before sharing one
    #[command(after_help = "Example: fourgaps check static/scenarios")]
    Check(Check),
    /// Print the completions of a shell
    #[command(after_help = "Example: fourgaps completions bash > /etc/bash_completion.d/fourgaps")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// A node: its files, and the containerd that reads them.
#[derive(clap::Args)]
pub struct Node {
    /// The containerd version that reads the files
    #[arg(long, value_name = "VERSION", value_parser = versions())]
    pub containerd: String,
    /// The folder that holds the node's files, with etc/containerd below it; `/` for this machine
    #[arg(long, value_name = "DIR")]
    pub root: PathBuf,
    /// The main file, as the node sees it
    #[arg(long, value_name = "PATH", default_value = "/etc/containerd/config.toml")]
    pub config: String,
}

/// `explain`
#[derive(clap::Args)]
pub struct Explain {
    /// The node
    #[command(flatten)]
    pub node: Node,
    /// How to print it; the JSON is described in the README and stays stable
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Only this key and what lies below it, with its defaults
    pub key: Option<String>,
}

/// `ablate`
#[derive(clap::Args)]
pub struct Ablate {
    /// The node
    #[command(flatten)]
    pub node: Node,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// The text whose lines are counted in each dump
    #[arg(long, value_name = "TEXT", default_value = "runtimes.nvidia")]
    pub count: String,
}

/// `upgrade`
#[derive(clap::Args)]
pub struct Upgrade {
    /// The version that the node has
    #[arg(long, value_name = "VERSION", value_parser = versions())]
    pub from: String,
    /// The version that it would get
    #[arg(long, value_name = "VERSION", value_parser = versions())]
    pub to: String,
    /// The folder that holds the node's files, with etc/containerd below it; `/` for this machine
    #[arg(long, value_name = "DIR")]
    pub root: PathBuf,
    /// The main file, as the node sees it
    #[arg(long, value_name = "PATH", default_value = "/etc/containerd/config.toml")]
    pub config: String,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// `check`
#[derive(clap::Args)]
pub struct Check {
    /// The folder of scenarios; the recordings lie beside it in `results`
    pub scenarios: PathBuf,
    /// First write the file past.json of every scenario that has a past
    #[arg(long)]
    pub write_past: bool,
}

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

fn versions() -> PossibleValuesParser {
    PossibleValuesParser::new(fourgaps_config::Version::names())
}
