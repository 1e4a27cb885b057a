//! `pidof`: the numbers of the processes of a program.

use super::Machines;
use super::flags::{Flag, Style, Takes, Words};
use super::processes::found;
use crate::command::{Call, Command};

pub(super) struct Pidof;

impl Command<Machines> for Pidof {
    fn name(&self) -> &str {
        "pidof"
    }

    fn help(&self) -> String {
        "Usage: pidof [-s] PROGRAM...\n\nSimulated here: containerd, and pause of the sandboxes.\n".into()
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        let words = match Words::read(call.args, &[Flag(&["-s"], Takes::Nothing)], Style::Gnu) {
            Ok(words) => words,
            Err(word) => return call.not_simulated("pidof", word),
        };
        let Some(node) = call.node() else { return call.not_simulated("pidof", "processes of this machine") };
        let mut pids = Vec::new();
        for program in &words.rest {
            let base = program.rsplit('/').next().unwrap_or(program);
            // The shim's name is cut by the kernel, its program is not.
            match found(node, |name, line| name == base || line.split(' ').next() == Some(*program)) {
                Ok(processes) => pids.extend(processes.iter().map(|process| process.pid)),
                Err(other) => return call.not_simulated("pidof", other),
            }
        }
        // The newest first.
        pids.reverse();
        pids.truncate(if words.has("-s") { 1 } else { usize::MAX });
        if pids.is_empty() {
            return 1;
        }
        let text: Vec<String> = pids.iter().map(u32::to_string).collect();
        call.out(text.join(" ") + "\n");
        0
    }

    fn complete(&self, _: &Machines, _: &str, _: &[String]) -> Vec<String> {
        vec!["containerd".into()]
    }
}
