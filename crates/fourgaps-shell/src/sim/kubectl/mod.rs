//! `kubectl` on the control host: a file for each verb, which names everything that it accepts.

mod describe;
mod get;
mod logs;
mod output;
mod resources;

use super::Machines;
use super::flags::{Flag, Style, Takes, Words};
use crate::command::{Call, Command};
use fourgaps_cluster::{CONTROL, Store};

/// The program.
pub(super) struct Kubectl;

/// A verb: its name, its flags, what it does, and a line of help.
struct Verb {
    name: &'static str,
    flags: &'static [Flag],
    run: fn(&mut Session<'_, '_>) -> Result<(), Stop>,
    help: &'static str,
}

const VERBS: [Verb; 3] = [
    Verb { name: "describe", flags: &describe::FLAGS, run: describe::run, help: "node NAME" },
    Verb {
        name: "get",
        flags: &get::FLAGS,
        run: get::run,
        help: "KIND [NAME…] [-n NAMESPACE | -A] [-l SELECTOR] [-o wide|name|json|yaml|jsonpath=…|custom-columns=…] [--no-headers]",
    },
    Verb { name: "logs", flags: &logs::FLAGS, run: logs::run, help: "POD [-n NAMESPACE]" },
];

/// `-n`, which every verb takes and which may stand before it.
const NAMESPACE: Flag = Flag(&["-n", "--namespace"], Takes::Value);

/// The verb: the first word that is none of the flag's.
fn verb_of(args: &[String]) -> Option<&'static Verb> {
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-n" | "--namespace" => drop(args.next()),
            flag if flag.starts_with('-') => {}
            name => return VERBS.iter().find(|verb| verb.name == name),
        }
    }
    None
}

/// Why a call ends before its end.
enum Stop {
    /// A line of the real program on standard error; the status is 1.
    Error(String),
    /// Not simulated here.
    NotSimulated(String),
}

impl Stop {
    fn error<T>(text: impl Into<String>) -> Result<T, Self> {
        Err(Self::Error(text.into()))
    }
}

/// One call of the program.
struct Session<'s, 'c> {
    call: &'s mut Call<'c, Machines>,
    args: Words<'c>,
    store: Store,
    now_ms: u64,
}

impl<'c> Session<'_, 'c> {
    /// The words after the verb.
    fn words(&self) -> &[&'c str] {
        self.args.rest.get(1..).unwrap_or_default()
    }

    /// The namespace that is meant where none is said.
    fn namespace(&self) -> String {
        self.args.value("-n").unwrap_or("default").into()
    }
}

impl Command<Machines> for Kubectl {
    fn name(&self) -> &str {
        "kubectl"
    }

    fn help(&self) -> String {
        let lines = VERBS.iter().map(|verb| format!("  {:10}{}\n", verb.name, verb.help));
        format!("Usage: kubectl VERB …\n\nSimulated here:\n{}", lines.collect::<String>())
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        if call.host != CONTROL {
            return call.not_simulated("kubectl", "without a kubeconfig, as on this machine");
        }
        if call.args.is_empty() {
            call.out(self.help());
            return 0;
        }
        let Some(verb) = verb_of(call.args) else {
            return call.not_simulated("kubectl", &call.args.join(" "));
        };
        let args = match Words::read(call.args, verb.flags, Style::Pflag) {
            Ok(args) => args,
            Err(word) => return call.not_simulated("kubectl", word),
        };
        let world = &call.world.world;
        let Some(store) = world.store().cloned() else {
            return call.not_simulated("kubectl", "a cluster of these machines");
        };
        let now_ms = world.now_ms();
        let mut session = Session { call, args, store, now_ms };
        match (verb.run)(&mut session) {
            Ok(()) => 0,
            Err(Stop::Error(text)) => {
                call.err(format!("{text}\n"));
                1
            }
            Err(Stop::NotSimulated(what)) => call.not_simulated("kubectl", &what),
        }
    }

    fn complete(&self, machines: &Machines, host: &str, words: &[String]) -> Vec<String> {
        if host != CONTROL {
            return Vec::new();
        }
        match words {
            [] => VERBS.iter().map(|verb| verb.name.to_string()).collect(),
            [.., kind] => machines.world.store().map_or_else(Vec::new, |store| resources::names(store, kind)),
        }
    }
}
