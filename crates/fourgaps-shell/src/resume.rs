//! What an interactive shell carries from line to line and the interpreter forgets: `$?`, `set -e` and its kin, traps.

use crate::line::COMMAND;
use crate::words::quoted;
use bashkit::Bash;
use bashkit::parser::Parser;
use fourgaps_base::sort;

/// The state after the last line.
#[derive(Default)]
pub(crate) struct Resume {
    status: i32,
    /// Lines that set the options and traps again.
    lines: Vec<String>,
    /// The line that sets the trap on EXIT again; empty where there is none.
    at_exit: String,
}

/// The interpreter runs the trap on EXIT at the end of every line, a shell at its own end. So it is put away behind a line,
/// which `exit` never reaches. The list hides a failure from `set -e`.
const PUT_AWAY: &str = "\n{ __status=$?; __at_exit=$(trap -p EXIT); trap - EXIT; (exit $__status) && :; }";
const KEPT: &str = "__at_exit";

impl Resume {
    /// The line with what must be restored in front of it; line numbers stay.
    pub(crate) fn before(&self, line: &str, clock: Vec<String>) -> String {
        let mut parts = clock;
        parts.extend(self.lines.iter().cloned());
        if self.status != 0 {
            // A list hides the failure from `set -e`, which may be on already.
            parts.push(format!("(exit {}) && :", self.status));
        }
        if !self.at_exit.is_empty() {
            parts.insert(0, format!("unset -v {KEPT} __status; {}", self.at_exit));
        }
        let end = if !self.at_exit.is_empty() || line.contains("trap") { PUT_AWAY } else { "" };
        let head = if parts.is_empty() { String::new() } else { format!("{}; ", parts.join("; ")) };
        format!("{head}{line}{end}")
    }

    pub(crate) fn after(&mut self, bash: &Bash, status: i32) {
        let state = bash.shell_state_view();
        self.status = status;
        // The interpreter keeps each option as a variable: `SHOPT_e`, `SHOPT_pipefail`.
        let is_on = |(name, value): (&String, &String)| {
            let name = name.strip_prefix("SHOPT_").filter(|_| value == "1")?;
            // A shell that somebody types into ignores `set -n`, or it would run nothing more.
            let is_letter =
                name.len() == 1 && name != "n" && name.bytes().all(|byte| byte.is_ascii_alphabetic());
            let of_set = is_letter || name == "pipefail";
            of_set.then(|| if name.len() == 1 { format!("set -{name}") } else { format!("set -o {name}") })
        };
        let mut lines: Vec<String> = state.variables.iter().filter_map(is_on).collect();
        // Anybody may write to the variable.
        let is_trap = |text: &&String| text.starts_with("trap -- ") && Parser::new(text).parse().is_ok();
        self.at_exit = state.variables.get(KEPT).filter(is_trap).cloned().unwrap_or_default();
        let traps = state.traps.iter().filter(|(signal, _)| *signal != "EXIT");
        lines.extend(traps.map(|(signal, action)| format!("trap -- {} {}", quoted(action), quoted(signal))));
        sort(&mut lines);
        self.lines = lines;
    }
}

/// Sets the variables that follow a clock, chance or the running command, where a line reads them: the interpreter has only
/// real ones, or none.
pub(crate) fn clock_lines(line: &str, since_ms: u64, now_ms: u64) -> Vec<String> {
    let values = [
        ("EPOCHSECONDS", (now_ms / 1000).to_string()),
        ("EPOCHREALTIME", format!("{}.{:03}000", now_ms / 1000, now_ms % 1000)),
        ("SECONDS", (now_ms.saturating_sub(since_ms) / 1000).to_string()),
        ("RANDOM", (now_ms % 32_768).to_string()),
        (COMMAND.0, format!("'{}'", COMMAND.1)),
    ];
    let read = values.into_iter().filter(|(name, _)| line.contains(name));
    read.map(|(name, value)| format!("{name}={value}")).collect()
}
