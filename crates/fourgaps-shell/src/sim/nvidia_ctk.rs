//! `nvidia-ctk runtime configure`: the toolkit's editing of containerd's files.
//! Source: the recordings, and the public source of the toolkit.

use super::Machines;
use super::asking::{next_words, stamp};
use crate::command::{Call, Command};
use fourgaps_node::{Answer, Level, LogLine, Op, Release};

pub(super) struct NvidiaCtk;

const NAME: &str = "nvidia-ctk";
/// The release that was recorded.
const RELEASE: Release = Release(1, 18, 1);
const HELP: &str = "\
Usage: nvidia-ctk runtime configure --runtime=containerd [OPTIONS]

Simulated here, as of release 1.18.1:
  --config=FILE                 the main file
  --drop-in-config=FILE         the file that the handler goes into; empty for the main file
  --config-source=command|file  what is edited: what a dump says, or the file
  --executable-path=FILE        the containerd that is asked for a dump
  --nvidia-runtime-name=NAME    the handler
  --nvidia-runtime-path=FILE    its program
  --nvidia-set-as-default       makes it the default handler
  --cdi.enabled                 lets containerd use CDI
  --dry-run                     prints, and writes nothing
containerd is not restarted.
";

impl Command<Machines> for NvidiaCtk {
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
        if call.node().is_none() {
            return call.not_installed(NAME);
        }
        if call.wants_help() {
            call.out(HELP);
            return 0;
        }
        let words = match call.args {
            [runtime, configure, words @ ..] if runtime == "runtime" && configure == "configure" => {
                words.to_vec()
            }
            other => {
                let what = other.join(" ");
                return call.not_simulated(NAME, &what);
            }
        };
        let (host, stamp) = (call.host, stamp(call.world));
        match call.world.act(host, &Op::Ctk { release: RELEASE, words }) {
            Answer::Ctk(answer) => {
                let failed = answer.error.map(|msg| LogLine { level: Level::Error, msg });
                let status = i32::from(failed.is_some());
                for line in answer.log.into_iter().chain(failed) {
                    call.err(stamp.log(&line.to_string()));
                }
                call.out(answer.stdout);
                status
            }
            Answer::NotSimulated(what) => {
                let what = what.strip_prefix(NAME).unwrap_or(&what).trim_start().to_string();
                call.not_simulated(NAME, &what)
            }
            _ => call.not_simulated(NAME, "runtime configure"),
        }
    }

    fn complete(&self, _: &Machines, _: &str, words: &[String]) -> Vec<String> {
        let flags = [
            "--runtime=containerd",
            "--config=",
            "--drop-in-config=",
            "--config-source=",
            "--nvidia-runtime-name=",
            "--nvidia-runtime-path=",
            "--nvidia-set-as-default",
            "--cdi.enabled",
            "--dry-run",
        ];
        next_words(words, &[("", &["runtime"]), ("runtime", &["configure"]), ("runtime configure", &flags)])
    }
}
