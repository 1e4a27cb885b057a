//! Who and where: `id`, `whoami`, `groups`, `hostname`, `uname`, and `clear`. Only what the lab says of a machine is answered.

use super::options::Accepts;
use crate::command::{Call, Command};
use crate::world::World;

/// One of these programs.
#[derive(Clone, Copy)]
pub(crate) struct Identity(&'static str);

impl Identity {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        ["id", "whoami", "groups", "logname", "hostname", "uname", "clear"].into_iter().map(Self)
    }
}

impl<W: World> Command<W> for Identity {
    fn name(&self) -> &str {
        self.0
    }

    fn help(&self) -> String {
        super::help::of(self.0).into()
    }

    fn run(&self, call: &mut Call<'_, W>) -> i32 {
        let letters = match self.0 {
            "id" => "ugnG",
            "hostname" => "sf",
            "uname" => "asnrmo",
            _ => "",
        };
        let given = match (Accepts { letters, words: &[] }).parse(call.args) {
            Ok(given) if given.rest.is_empty() => given,
            Ok(given) => return call.not_simulated(self.0, &given.rest[0]),
            Err(option) => return call.not_simulated(self.0, &option),
        };
        let Some(machine) = call.world.machine(call.host) else { return 1 };
        let text = match self.0 {
            // What xterm's entry in the terminal database sends.
            "clear" => {
                call.out("\x1b[H\x1b[2J\x1b[3J");
                return 0;
            }
            "hostname" => call.host.to_string(),
            "uname" => {
                let options: Vec<char> = given.options.iter().map(|(letter, _)| *letter).collect();
                return uname(call, &options, machine.kernel.as_deref());
            }
            "id" if machine.user != "root" => {
                return call.not_simulated("id", &machine.user);
            }
            "id" if given.has('n') => machine.user,
            "id" if given.has('u') || given.has('g') || given.has('G') => "0".into(),
            "id" => "uid=0(root) gid=0(root) groups=0(root)".into(),
            _ => machine.user,
        };
        call.out(text + "\n");
        0
    }
}

fn uname<W: World>(call: &mut Call<'_, W>, options: &[char], kernel: Option<&str>) -> i32 {
    let mut words = Vec::new();
    for part in "snrmo".chars() {
        let is_asked = options.contains(&part) || options.is_empty() && part == 's';
        if !is_asked {
            continue;
        }
        words.push(match (part, kernel) {
            ('s', _) => "Linux",
            ('n', _) => call.host,
            ('r', Some(kernel)) => kernel,
            ('m', _) => "x86_64",
            ('o', _) => "GNU/Linux",
            (part, _) => return call.not_simulated("uname", &format!("-{part}")),
        });
    }
    if options.contains(&'a') {
        return call.not_simulated("uname", "-a");
    }
    let text = words.join(" ") + "\n";
    call.out(text);
    0
}
