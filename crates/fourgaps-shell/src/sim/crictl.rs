//! `crictl`: what the CRI service of the running containerd answers.
//! Source: the recordings, and the public source of cri-tools.

mod lists;
mod sandboxes;

use super::Machines;
use super::asking::{asked, next_words, stamp};
use super::flags::{Flag, Style, Takes, Words};
use crate::command::{Call, Command};
use fourgaps_view::crictl;

pub(super) struct Crictl;

const NAME: &str = "crictl";
const FLAGS: [Flag; 4] = [
    Flag(&["--runtime-endpoint", "-r"], Takes::Value),
    Flag(&["--image-endpoint", "-i"], Takes::Value),
    Flag(&["--timeout", "-t"], Takes::Value),
    Flag(&["--help", "-h"], Takes::Nothing),
];
const SOCKET: &str = "/run/containerd/containerd.sock";
const HELP: &str = "\
Usage: crictl [--runtime-endpoint unix:///run/containerd/containerd.sock] COMMAND

Simulated here:
  info                                 what the running containerd holds; its handlers are under config
  pods [-q] [--no-trunc] [-l] [-n N] [--name REGEX] [--namespace REGEX] [-s ready|notready] [--id ID]
  ps [-a] [-q]                         containers; this lab makes sandboxes only
  images [-q]                          the images of the node
  runp [-r HANDLER] POD.json           makes a sandbox
  inspectp ID                          a running sandbox
  stopp ID...                          ends the process of a sandbox
  rmp [-f] [-a] ID...                  removes a sandbox
  statsp                               metrics of sandboxes
  version
";

impl Command<Machines> for Crictl {
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
        if call.wants_help() {
            call.out(HELP);
            return 0;
        }
        let words = match Words::read(call.args, &FLAGS, Style::Go) {
            Ok(words) => words,
            Err(word) => return call.not_simulated(NAME, word),
        };
        for flag in ["--runtime-endpoint", "--image-endpoint"] {
            let other = words.value(flag).filter(|end| end.strip_prefix("unix://").unwrap_or(end) != SOCKET);
            if let Some(other) = other {
                return call.not_simulated(NAME, &format!("{flag} {other}"));
            }
        }
        let Some((command, rest)) = words.rest.split_first() else {
            call.out(HELP);
            return 0;
        };
        match (*command, rest) {
            ("info", [] | ["-o", "json"] | ["-o=json"] | ["--output", "json"] | ["--output=json"]) => {
                let printed = crictl::info(&asked(node, stamp));
                call.print(&printed)
            }
            ("version", []) => {
                let printed = crictl::version(&asked(node, stamp));
                call.print(&printed)
            }
            ("pods", rest) => lists::pods(call, rest),
            ("ps", rest) => lists::ps(call, rest),
            ("images" | "image" | "img", rest) => lists::images(call, rest),
            ("runp", rest) => sandboxes::runp(call, rest),
            ("inspectp", rest) => sandboxes::inspectp(call, rest),
            ("stopp", rest) => sandboxes::stopp(call, rest),
            ("rmp", rest) => sandboxes::rmp(call, rest),
            ("statsp", []) => sandboxes::statsp(call),
            (command, rest) => {
                let what = [&[command], rest].concat().join(" ");
                call.not_simulated(NAME, &what)
            }
        }
    }

    fn complete(&self, world: &Machines, host: &str, words: &[String]) -> Vec<String> {
        let takes_id =
            words.first().is_some_and(|word| ["inspectp", "stopp", "rmp"].contains(&word.as_str()));
        if takes_id {
            let pods = world.node(host).map(|node| node.sandboxes()).unwrap_or_default();
            return pods.iter().map(|pod| pod.id.chars().take(13).collect()).collect();
        }
        let all = ["info", "pods", "ps", "images", "runp", "inspectp", "stopp", "rmp", "statsp", "version"];
        next_words(words, &[("", &all)])
    }
}
