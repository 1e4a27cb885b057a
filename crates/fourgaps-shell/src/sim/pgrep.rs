//! `pgrep` and `pkill`: processes by a pattern of their names.
//! Source: pgrep(1) of procps.

use super::Machines;
use super::flags::{Flag, Style, Takes, Words};
use super::processes::{Process, deliver, found, signal_named};
use crate::command::{Call, Command};
use regex::Regex;

/// `pgrep`, and `pkill`, which sends a signal to what the other one finds.
pub(super) struct Pgrep {
    /// Whether this is `pkill`.
    pub kills: bool,
}

const PGREP: [Flag; 9] = [
    Flag(&["-x", "--exact"], Takes::Nothing),
    Flag(&["-f", "--full"], Takes::Nothing),
    Flag(&["-a", "--list-full"], Takes::Nothing),
    Flag(&["-l", "--list-name"], Takes::Nothing),
    Flag(&["-c", "--count"], Takes::Nothing),
    Flag(&["-o", "--oldest"], Takes::Nothing),
    Flag(&["-n", "--newest"], Takes::Nothing),
    Flag(&["-e", "--echo"], Takes::Nothing),
    Flag(&["--signal"], Takes::Value),
];

impl Command<Machines> for Pgrep {
    fn name(&self) -> &str {
        if self.kills { "pkill" } else { "pgrep" }
    }

    fn help(&self) -> String {
        let (usage, more) = match self.kills {
            true => ("pkill [-SIGNAL]", "  -e           says whom it signalled\n"),
            false => ("pgrep", "  -a, -l, -c   with command lines, with names, or only how many\n"),
        };
        format!(
            "Usage: {usage} [-x] [-f] [-o | -n] PATTERN\n\nSimulated here: containerd, and pause of the sandboxes.\n  \
             -x, -f       the whole name, the command line\n  -o, -n       the oldest, the newest\n{more}\
             A pattern that finds other processes of a node too is refused; while sandboxes run, `containerd` without\n\
             -x finds their shims.\n"
        )
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        let name = if self.kills { "pkill" } else { "pgrep" };
        let mut args = call.args.to_vec();
        let mut signal = "TERM".to_string();
        if self.kills {
            let at = args.iter().position(|arg| {
                arg.strip_prefix('-').is_some_and(|rest| rest == "0" || signal_named(rest).is_some())
            });
            if let Some(at) = at {
                signal = args.remove(at)[1..].to_string();
            }
        }
        let words = match Words::read(&args, &PGREP, Style::Gnu) {
            Ok(words) => words,
            Err(word) => return call.not_simulated(name, word),
        };
        let odd: &[&str] = if self.kills { &["-a", "-l", "-c"] } else { &["-e", "--signal"] };
        if let Some(flag) = odd.iter().find(|flag| words.has(flag)) {
            return call.not_simulated(name, flag);
        }
        let [pattern] = words.rest[..] else {
            let why = if words.rest.is_empty() {
                "no matching criteria specified"
            } else {
                "only one pattern can be provided"
            };
            call.err(format!("{name}: {why}\nTry `{name} --help' for more information.\n"));
            return 2;
        };
        let Some(node) = call.node() else { return call.not_simulated(name, "processes of this machine") };
        let whole = if words.has("-x") { format!("^(?:{pattern})$") } else { pattern.to_string() };
        let Ok(regex) = Regex::new(&whole) else { return call.not_simulated(name, pattern) };
        let full = words.has("-f");
        let mut processes = match found(node, |name, line| regex.is_match(if full { line } else { name })) {
            Ok(processes) => processes,
            Err(other) => {
                return call.not_simulated(name, &format!("{pattern}, which finds {other} too"));
            }
        };
        if words.has("-o") {
            processes.truncate(1);
        }
        if words.has("-n") {
            processes.drain(..processes.len().saturating_sub(1));
        }
        if self.kills {
            return kill_all(call, &processes, words.value("--signal").unwrap_or(&signal), words.has("-e"));
        }
        let line = |process: &Process| match (words.has("-a"), words.has("-l")) {
            (true, _) => format!("{} {}\n", process.pid, process.line),
            (_, true) => format!("{} {}\n", process.pid, process.name),
            _ => format!("{}\n", process.pid),
        };
        let text = match words.has("-c") {
            true => format!("{}\n", processes.len()),
            false => processes.iter().map(line).collect(),
        };
        call.out(text);
        i32::from(processes.is_empty())
    }

    fn complete(&self, _: &Machines, _: &str, _: &[String]) -> Vec<String> {
        let signals: &[&str] = if self.kills { &["-HUP", "-TERM", "-KILL"] } else { &[] };
        signals.iter().chain(&["-x", "containerd"]).map(|word| (*word).to_string()).collect()
    }
}

fn kill_all(call: &mut Call<'_, Machines>, processes: &[Process], name: &str, told: bool) -> i32 {
    let signal = signal_named(name);
    if signal.is_none() && name != "0" {
        return call.not_simulated("pkill", &format!("the signal {name}"));
    }
    for process in processes {
        deliver(call, process.pid, signal);
        if told {
            call.out(format!("{} killed (pid {})\n", process.name, process.pid));
        }
    }
    i32::from(processes.is_empty())
}
