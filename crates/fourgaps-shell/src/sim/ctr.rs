//! `ctr`: the plugins of the running process, and its version.

use super::Machines;
use super::asking::{asked, next_words, stamp};
use super::flags::{Flag, Style, Takes, Words};
use crate::command::{Call, Command};
use fourgaps_view::ctr;

pub(super) struct Ctr;

const NAME: &str = "ctr";
const FLAGS: [Flag; 3] = [
    Flag(&["--address", "-a"], Takes::Value),
    Flag(&["--namespace", "-n"], Takes::Value),
    Flag(&["--help", "-h"], Takes::Nothing),
];
/// Where it looks for containerd.
const SOCKET: &str = "/run/containerd/containerd.sock";
const HELP: &str = "\
Usage: ctr [--address SOCKET] COMMAND

Simulated here:
  plugins ls        the plugins of the running containerd, and how each fared
  version           the versions of ctr and of the running containerd
";

impl Command<Machines> for Ctr {
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
        if let Some(socket) = words.value("--address").filter(|socket| *socket != SOCKET) {
            return call.not_simulated(NAME, &format!("--address {socket}"));
        }
        let printed = match words.rest.as_slice() {
            ["plugins" | "plugin", "ls" | "list"] => ctr::plugins(&asked(node, stamp)),
            ["version"] => ctr::version(&asked(node, stamp), &ctr::root_uuid(node.name())),
            _ => None,
        };
        match printed {
            Some(printed) => call.print(&printed),
            None => call.not_simulated(NAME, &words.rest.join(" ")),
        }
    }

    fn complete(&self, _: &Machines, _: &str, words: &[String]) -> Vec<String> {
        next_words(words, &[("", &["plugins", "version"]), ("plugins", &["ls"])])
    }
}
