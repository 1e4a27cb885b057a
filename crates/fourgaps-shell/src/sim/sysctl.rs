//! `sysctl`: the settings of the node's kernel that something here runs out of.
//! Source: sysctl(8) of procps, whose words the tests hold against the program itself.

use super::Machines;
use super::flags::{Flag, Style, Takes, Words};
use crate::command::{Call, Command};
use fourgaps_node::{Answer, Op, Sysctl as Wish, SysctlLine};

pub(super) struct Sysctl;

const NAME: &str = "sysctl";
const FLAGS: [Flag; 6] = [
    Flag(&["-n", "--values"], Takes::Nothing),
    Flag(&["-w", "--write"], Takes::Nothing),
    Flag(&["-q", "--quiet"], Takes::Nothing),
    Flag(&["-p", "--load"], Takes::Perhaps),
    Flag(&["-a", "--all"], Takes::Nothing),
    Flag(&["--system"], Takes::Nothing),
];
const HELP: &str = "\
Usage: sysctl [-n] KEY... | sysctl [-w] KEY=VALUE... | sysctl -p [FILE] | sysctl --system

Simulated here: fs.inotify.max_user_instances, fs.inotify.max_user_watches, fs.inotify.max_queued_events.
  -n           values without their names
  -q           says nothing of what it sets
  -p [FILE]    takes the settings of a file, of /etc/sysctl.conf where none is named
  --system     takes those of all files that a boot reads
";

impl Command<Machines> for Sysctl {
    fn name(&self) -> &str {
        NAME
    }

    fn help(&self) -> String {
        HELP.into()
    }

    fn folder(&self, _: &Machines, _: &str) -> Option<&'static str> {
        Some("/usr/sbin")
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        let words = match Words::read(call.args, &FLAGS, Style::Gnu) {
            Ok(words) if !words.has("-a") => words,
            Ok(_) => return call.not_simulated(NAME, "-a"),
            Err(word) => return call.not_simulated(NAME, word),
        };
        if call.node().is_none() {
            return call.not_simulated(NAME, "settings of this machine");
        }
        let say = Say { values: words.has("-n"), quiet: words.has("-q") };
        if words.has("--system") {
            return set(call, &Wish::System, &say);
        }
        if let Some(together) = words.value("-p") {
            let together = Some(together).filter(|path| !path.is_empty());
            let mut paths: Vec<&str> = together.into_iter().chain(words.rest.iter().copied()).collect();
            if paths.is_empty() {
                paths.push("/etc/sysctl.conf");
            }
            let mut status = 0;
            for path in paths {
                let path = call.path(path);
                status = status.max(set(call, &Wish::Load { path }, &say));
            }
            return status;
        }
        if words.rest.is_empty() {
            return call.not_simulated(NAME, "a call without settings");
        }
        let mut status = 0;
        for word in &words.rest {
            let one = match word.contains('=') {
                true => set(call, &Wish::Set { setting: (*word).into() }, &say),
                false => show(call, word, &say),
            };
            status = status.max(one);
        }
        status
    }

    fn complete(&self, world: &Machines, host: &str, _: &[String]) -> Vec<String> {
        let kernel = world.node(host).map(|node| node.kernel());
        let keys = kernel.into_iter().flat_map(|kernel| kernel.settings().map(|(key, _)| key.to_string()));
        keys.chain(["-n", "-p", "-w", "--system"].map(String::from)).collect()
    }
}

/// What is said of a setting.
struct Say {
    values: bool,
    quiet: bool,
}

impl Say {
    fn line(&self, key: &str, value: i64) -> String {
        if self.values { format!("{value}\n") } else { format!("{key} = {value}\n") }
    }
}

fn show(call: &mut Call<'_, Machines>, key: &str, say: &Say) -> i32 {
    let key = key.replace('/', ".");
    let Some(value) = call.node().and_then(|node| node.kernel().setting(&key)) else {
        return call.not_simulated(NAME, &key);
    };
    let line = say.line(&key, value);
    call.out(line);
    0
}

fn set(call: &mut Call<'_, Machines>, wish: &Wish, say: &Say) -> i32 {
    let host = call.host;
    let Answer::Sysctl(lines) = call.world.act(host, &Op::Sysctl(wish.clone())) else {
        return call.not_simulated(NAME, "settings now");
    };
    let mut status = 0;
    for line in lines {
        match line {
            SysctlLine::Applying(path) => call.out(format!("* Applying {path} ...\n")),
            SysctlLine::Set { key, value } if !say.quiet => {
                let line = say.line(&key, value);
                call.out(line);
            }
            SysctlLine::Set { .. } => {}
            SysctlLine::NoFile(path) => {
                call.err(format!("sysctl: cannot open \"{path}\": No such file or directory\n"));
                status = status.max(1);
            }
            SysctlLine::NotSimulated(what) => status = call.not_simulated(NAME, &what),
        }
    }
    status
}
