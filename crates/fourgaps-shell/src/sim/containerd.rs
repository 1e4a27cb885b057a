//! `containerd`: its configuration commands, which read the node's files and never ask the process.

use super::Machines;
use crate::command::{Call, Command};
use fourgaps_config::{Request, Version, dump};
use fourgaps_node::MAIN;

pub(super) struct Containerd;

impl Command<Machines> for Containerd {
    fn name(&self) -> &str {
        "containerd"
    }

    fn help(&self) -> String {
        "Usage: containerd [--config FILE] COMMAND\n\nSimulated here:\n  \
         config dump       what a start on the files as they are would load\n"
            .into()
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        let mut config = MAIN.to_string();
        let mut words = Vec::new();
        let mut args = call.args.iter();
        while let Some(arg) = args.next() {
            match arg.split_once('=') {
                Some(("--config" | "-config" | "-c", path)) => config = call.path(path),
                _ if ["--config", "-config", "-c"].contains(&arg.as_str()) => match args.next() {
                    Some(path) => config = call.path(path),
                    None => return call.not_simulated("containerd", arg),
                },
                _ => words.push(arg.as_str()),
            }
        }
        let Some(node) = call.world.node(call.host) else {
            call.err("bash: containerd: command not found\n");
            return 127;
        };
        match words.as_slice() {
            ["config", "dump"] => {
                let (version, files) = (node.version(), node.files().clone());
                print_dump(call, version, &files, &config)
            }
            other => {
                let what = other.join(" ");
                call.not_simulated("containerd", &what)
            }
        }
    }
}

fn print_dump(
    call: &mut Call<'_, Machines>,
    version: &'static Version,
    files: &fourgaps_base::FileTree,
    config: &str,
) -> i32 {
    let run = dump(&Request::new(version, files, config));
    for line in &run.lines {
        call.out(&line.text);
        call.out("\n");
    }
    for line in &run.stderr {
        call.err(line);
        call.err("\n");
    }
    run.exit
}
