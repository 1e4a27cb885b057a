//! `containerd`: its version and its configuration commands, which read the node's files and never ask the process.

use super::Machines;
use super::asking::{next_words, stamp, tools};
use super::flags::{Flag, Style, Takes, Words};
use crate::command::{Call, Command};
use crate::programs::SIGHUP_IGNORED;
use fourgaps_config::Request;
use fourgaps_node::{Answer, MAIN, Node, Op};
use fourgaps_view::containerd::{Took, config_default, config_dump, config_migrate, version, written};

pub(super) struct Containerd;

const NAME: &str = "containerd";
const FLAGS: [Flag; 3] = [
    Flag(&["--config", "-c"], Takes::Value),
    Flag(&["--version", "-v"], Takes::Nothing),
    Flag(&["--help", "-h"], Takes::Nothing),
];
const HELP: &str = "\
Usage: containerd [--config FILE] COMMAND

Simulated here:
  --version         the version of the program on this node's disk
  config dump       what a start on the files as they are would load
  config default    the built-in configuration
  config migrate    the configuration in the newest version that the program knows; not in 1.x
  --config FILE     instead of /etc/containerd/config.toml

A daemon is started with `systemctl start containerd`, or by hand with `nohup containerd &`, which gives the prompt
back without the `&` too. The log of one that was started by hand goes to standard error.
";

impl Command<Machines> for Containerd {
    fn name(&self) -> &str {
        NAME
    }

    fn help(&self) -> String {
        HELP.into()
    }

    fn folder(&self, world: &Machines, host: &str) -> Option<&'static str> {
        world.node(host).map(|_| "/usr/bin")
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        let stamp = stamp(call.world);
        let Some(node) = call.node() else { return call.not_installed(NAME) };
        let words = match Words::read(call.args, &FLAGS, Style::Go) {
            Ok(words) => words,
            Err(word) => return call.not_simulated(NAME, word),
        };
        if words.has("--help") {
            call.out(HELP);
            return 0;
        }
        if words.has("--version") {
            let printed = version(node.version(), tools(node));
            return call.print(&printed);
        }
        let config = words.value("--config").map_or_else(|| MAIN.to_string(), |path| call.path(path));
        let request = Request::new(node.version(), node.files(), &config);
        let printed = match words.rest.as_slice() {
            ["config", "dump"] => config_dump(&request, &stamp, Took::USUAL),
            ["config", "default"] => config_default(node.version()),
            ["config", "migrate"] => config_migrate(&request, &stamp, Took::USUAL),
            [] if call.env(SIGHUP_IGNORED).is_some() && !words.has("--config") => return start(call),
            [] => return call.not_simulated(NAME, "a daemon in the foreground"),
            other => {
                let what = other.join(" ");
                return call.not_simulated(NAME, &what);
            }
        };
        call.print(&printed)
    }

    fn complete(&self, _: &Machines, _: &str, words: &[String]) -> Vec<String> {
        let words: Vec<String> = match words.iter().position(|word| word == "--config" || word == "-c") {
            Some(at) if at + 1 < words.len() => [&words[..at], &words[at + 2..]].concat(),
            Some(_) => return Vec::new(),
            None => words.to_vec(),
        };
        next_words(
            &words,
            &[("", &["config", "--config", "--version"]), ("config", &["dump", "default", "migrate"])],
        )
    }
}

/// A daemon that somebody starts by hand, with SIGHUP ignored.
fn start(call: &mut Call<'_, Machines>) -> i32 {
    let host = call.host;
    if let Answer::NotSimulated(why) = call.world.act(host, &Op::Start { sighup_ignored: true }) {
        return call.not_simulated(NAME, &why);
    }
    let stamp = stamp(call.world);
    let Some(started) = call.node().and_then(Node::last_boot) else { return 1 };
    let log: String = started.run().log.iter().map(|line| written(line, &stamp, Took::USUAL)).collect();
    let status = started.run().exit.unwrap_or(0);
    call.err(log);
    status
}
