//! `kubectl` on the control host: a file for each verb, which names everything that it accepts.

mod change;
mod complete;
mod create;
mod delete;
mod describe;
mod diff;
mod drain;
mod edit;
mod editor;
mod exec;
mod explain;
mod get;
mod input;
mod inside;
mod labels;
mod logs;
mod output;
mod real;
mod resources;
mod rollout;
mod rollout_deployment;
mod taint;
mod wait;
mod watch;
mod write;

use super::Machines;
use super::flags::{Flag, Style, Takes, Words};
use crate::command::{Call, Caller, Command};
use fourgaps_cluster::{CONTROL, Cluster, Store};

/// The program.
pub(super) struct Kubectl;

/// A verb: its name, its flags, what it does, and a line of help.
struct Verb {
    name: &'static str,
    flags: &'static [Flag],
    run: fn(&mut Session<'_, '_>) -> Result<(), Stop>,
    help: &'static str,
}

const fn verb(
    name: &'static str,
    flags: &'static [Flag],
    run: fn(&mut Session<'_, '_>) -> Result<(), Stop>,
    help: &'static str,
) -> Verb {
    Verb { name, flags, run, help }
}

const VERBS: [Verb; 23] = [
    verb("annotate", &labels::FLAGS, labels::annotate, "KIND NAME KEY=VALUE… KEY-… [--overwrite]"),
    verb("apply", &write::FLAGS, write::apply, "-f FILE [--dry-run=server]"),
    verb("cordon", &taint::CORDON_FLAGS, taint::cordon, "NODE…"),
    verb(
        "create",
        &create::FLAGS,
        create::create,
        "-f FILE | configmap|deployment|namespace|poddisruptionbudget|quota NAME [--from-literal=KEY=VALUE] [--image=IMAGE] …",
    ),
    verb(
        "delete",
        &delete::FLAGS,
        delete::run,
        "KIND NAME… | -f FILE [-l SELECTOR | --all] [--force] [--grace-period=N] [--wait=false]",
    ),
    verb("describe", &describe::FLAGS, describe::run, "KIND [NAME…]"),
    verb("diff", &diff::DIFF_FLAGS, diff::diff, "-f FILE"),
    verb(
        "drain",
        &drain::FLAGS,
        drain::run,
        "NODE… [--ignore-daemonsets] [--delete-emptydir-data] [--force] [--timeout=…]",
    ),
    verb("exec", &exec::EXEC_FLAGS, exec::exec, "POD [-c CONTAINER] -- nvidia-smi -L | cat FILE | ls FOLDER"),
    verb(
        "edit",
        &editor::FLAGS,
        editor::edit,
        "KIND NAME, with the editor of $KUBE_EDITOR or $EDITOR, else into a file",
    ),
    verb("explain", &explain::FLAGS, explain::run, "KIND.FIELD.FIELD"),
    verb(
        "get",
        &get::FLAGS,
        get::run,
        "KIND [NAME…] [-A] [-l SELECTOR] [-o wide|name|json|yaml|jsonpath=…|custom-columns=…] [--no-headers] [--sort-by=…] [-w]",
    ),
    verb("label", &labels::FLAGS, labels::label, "KIND NAME KEY=VALUE… KEY-… [--overwrite]"),
    verb("logs", &logs::FLAGS, logs::run, "POD | KIND/NAME [-c CONTAINER] [-p] [-f] [--tail=N]"),
    verb("patch", &edit::PATCH_FLAGS, edit::patch, "KIND NAME -p PATCH"),
    verb("replace", &write::FLAGS, write::replace, "-f FILE"),
    verb(
        "rollout",
        &rollout::FLAGS,
        rollout::run,
        "status|history|undo|restart|pause|resume KIND/NAME [--timeout=…] [--watch=false] [--to-revision=N] [--revision=N]",
    ),
    verb(
        "run",
        &create::RUN_FLAGS,
        create::run,
        "NAME --image=IMAGE [--restart=…] [--overrides=JSON] [-- ARG…]",
    ),
    verb("scale", &edit::SCALE_FLAGS, edit::scale, "KIND NAME --replicas=N"),
    verb(
        "set",
        &edit::SET_FLAGS,
        edit::set,
        "image|env KIND/NAME CONTAINER=IMAGE… | KEY=VALUE… KEY-… [-c CONTAINER] [--list]",
    ),
    verb("taint", &taint::FLAGS, taint::taint, "nodes NAME KEY[=VALUE]:EFFECT… KEY-…"),
    verb("uncordon", &taint::CORDON_FLAGS, taint::uncordon, "NODE…"),
    verb(
        "wait",
        &wait::FLAGS,
        wait::wait,
        "KIND/NAME… | KIND -l SELECTOR | --all --for=condition=NAME[=STATUS] | --for=jsonpath=PATH[=VALUE] | --for=create | --for=delete [--timeout=30s]",
    ),
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

/// Where a namespace may be written, below the home of the user, unless the variable of this name says otherwise.
const KUBECONFIG: &str = ".kube/config";

fn no_cluster() -> Stop {
    Stop::NotSimulated("a cluster of these machines".into())
}

/// Why a call ends before its end.
enum Stop {
    /// A line of the real program on standard error; the status is 1.
    Error(String),
    /// The server cannot read what it was given: what its decoder says.
    Undecodable(String),
    /// Not simulated here.
    NotSimulated(String),
    /// It ends with this status and has said all.
    Status(i32),
    /// A program in a container ended with this status.
    Exited(i32),
    /// It would go on for ever; the status is that of Ctrl+C.
    Interrupted(String),
}

impl Stop {
    fn error<T>(text: impl Into<String>) -> Result<T, Self> {
        Err(Self::Error(text.into()))
    }
}

/// What the kubeconfig says; nothing where the variable names files and none of them is there, so that nobody knows a server.
/// Without the variable a lab needs no file.
/// Source: the kubeconfig documentation of Kubernetes, "The KUBECONFIG environment variable".
fn kubeconfig(
    machines: &Machines,
    host: &str,
    env: &dyn Fn(&str) -> Option<String>,
    cwd: &str,
) -> Option<serde_json::Value> {
    let named = env("KUBECONFIG").filter(|paths| !paths.is_empty());
    let home = crate::world::World::machine(machines, host)?.home;
    let paths = named.clone().unwrap_or_else(|| fourgaps_base::join(&home, KUBECONFIG));
    let read = |path: &str| {
        let path = fourgaps_base::join(if path.starts_with('/') { "/" } else { cwd }, path);
        Some(fourgaps_base::Files::read(machines.world.files(host)?, &path).ok()?.into_owned())
    };
    match paths.split(':').find_map(read) {
        Some(text) => Some(serde_norway::from_slice(&text).unwrap_or_default()),
        None if named.is_some() => None,
        None => Some(serde_json::Value::Null),
    }
}

/// The namespace of the current context of a kubeconfig.
fn current_namespace(config: &serde_json::Value) -> Option<String> {
    let current = config.get("current-context")?;
    let mut contexts = config.get("contexts")?.as_array()?.iter();
    let context = contexts.find(|context| context.get("name") == Some(current))?;
    context.get("context")?.get("namespace")?.as_str().map(String::from)
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

    /// The namespace that is meant where none is said: that of the kubeconfig, or `default`.
    fn namespace(&self) -> String {
        self.args.value("-n").map_or_else(|| self.of_kubeconfig().unwrap_or("default".into()), String::from)
    }

    fn of_kubeconfig(&self) -> Option<String> {
        let config = kubeconfig(self.call.world, self.call.host, self.call.env, self.call.cwd)?;
        current_namespace(&config)
    }

    /// Asks the API server for something, and looks at its objects again.
    fn api<T>(&mut self, wish: impl FnOnce(&mut Cluster) -> T) -> Result<T, Stop> {
        let answer = self.call.world.api(wish).ok_or_else(no_cluster)?;
        self.look()?;
        Ok(answer)
    }

    /// Looks at the objects again.
    fn look(&mut self) -> Result<&Store, Stop> {
        self.store = self.call.world.world.store().cloned().ok_or_else(no_cluster)?;
        self.now_ms = self.call.world.world.now_ms();
        Ok(&self.store)
    }

    /// A copy of the cluster, for trying something.
    fn copy(&self) -> Result<Cluster, Stop> {
        self.call.world.world.cluster().ok_or_else(no_cluster)
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
            let Some(text) = real::unknown(call.args) else {
                return call.not_simulated("kubectl", &call.args.join(" "));
            };
            call.err(text);
            return 1;
        };
        let asks_for_help = |arg: &String| arg == "--help" || arg == "-h";
        if call.args.iter().take_while(|arg| *arg != "--").any(asks_for_help) {
            call.out(format!("Usage: kubectl {} {}\n", verb.name, verb.help));
            return 0;
        }
        let args = match Words::read(call.args, verb.flags, Style::Pflag) {
            Ok(args) => args,
            Err(word) => {
                let Some(text) = real::wrong_flag(call.args, verb, word) else {
                    return call.not_simulated("kubectl", word);
                };
                call.err(text);
                return 1;
            }
        };
        let world = &call.world.world;
        let Some(store) = world.store().cloned() else {
            return call.not_simulated("kubectl", "a cluster of these machines");
        };
        let now_ms = world.now_ms();
        if kubeconfig(call.world, call.host, call.env, call.cwd).is_none() {
            call.err("The connection to the server localhost:8080 was refused - did you specify the right host or port?\n");
            return 1;
        }
        let mut session = Session { call, args, store, now_ms };
        // Before anything is changed, it must be known how to tell of it.
        let form = match verb.name {
            "get" | "delete" => Ok(()),
            _ => output::Format::read(&session, false).map(drop),
        };
        match form.and_then(|()| (verb.run)(&mut session)) {
            Ok(()) => 0,
            Err(Stop::Error(text)) => {
                call.err(format!("{}\n", text.trim_end_matches('\n')));
                1
            }
            Err(Stop::Undecodable(why)) => {
                call.err(format!("Error from server (BadRequest): {why}\n"));
                1
            }
            Err(Stop::Status(status)) => status,
            Err(Stop::Exited(status)) => {
                call.err(format!("command terminated with exit code {status}\n"));
                status
            }
            Err(Stop::NotSimulated(what)) => call.not_simulated("kubectl", &what),
            Err(Stop::Interrupted(text)) => {
                call.err(format!("kubectl: {text}\n"));
                130
            }
        }
    }

    fn script(&self, call: &mut Call<'_, Machines>) -> Option<String> {
        let verb = verb_of(call.args).filter(|verb| verb.name == "edit" && call.host == CONTROL)?;
        let args = Words::read(call.args, verb.flags, Style::Pflag).ok()?;
        kubeconfig(call.world, call.host, call.env, call.cwd)?;
        let (store, now_ms) = (call.world.world.store().cloned()?, call.world.world.now_ms());
        editor::script(&mut Session { call, args, store, now_ms })
    }

    fn complete_in(
        &self,
        machines: &Machines,
        host: &str,
        words: &[String],
        caller: Caller<'_>,
    ) -> Vec<String> {
        let Some(store) = machines.world.store().filter(|_| host == CONTROL) else { return Vec::new() };
        let config = kubeconfig(machines, host, caller.env, caller.cwd);
        let namespace = config.as_ref().and_then(current_namespace).unwrap_or("default".into());
        complete::words(config.map(|_| store), words, &namespace)
    }
}
