//! Hints: a ladder that leads, and that never holds the command or the text of the solution.

use super::Lab;
use super::folder::Folder;
use crate::{Action, Step, pieces};
use std::collections::BTreeSet;

/// How many hints a ladder has.
const LADDER: std::ops::RangeInclusive<usize> = 3..=4;
/// Lines of a solution that are shorter say nothing by themselves.
const SHORTEST: usize = 8;
/// Words that begin a command when something follows them.
const COMMANDS: [&str; 18] = [
    "cat",
    "containerd",
    "cp",
    "crictl",
    "ctr",
    "echo",
    "grep",
    "kubectl",
    "ln",
    "mv",
    "nano",
    "printf",
    "rm",
    "sed",
    "sudo",
    "systemctl",
    "tee",
    "vi",
];

/// Checks the hints of a lab in every language.
pub(super) fn check(folder: &mut Folder<'_>, lab: &Lab) {
    let number = lab.scenario.hints.len();
    if !LADDER.contains(&number) {
        let text =
            format!("a ladder has {} to {} hints, but this has {number}", LADDER.start(), LADDER.end());
        folder.fault(&lab.label, lab.scenario.places["hints"], text);
    }
    let secrets = secrets(folder, lab);
    for (lang, texts) in &lab.texts {
        let label = format!("{}{}.toml", lab.home, lang.code());
        for (id, hint) in &texts.hints {
            for secret in secrets.iter().filter(|secret| hint.text.contains(secret.as_str())) {
                folder.fault(
                    &label,
                    hint.pos,
                    format!("the hint `{id}` gives the solution away: `{secret}`"),
                );
            }
            for piece in pieces(&hint.text).iter().filter(|piece| piece.code && is_command(piece.text)) {
                let text = format!("the hint `{id}` holds a command to paste: `{}`", piece.text);
                folder.fault(&label, hint.pos, text);
            }
        }
    }
}

/// What a hint must not hold: lines that the solution writes, and names that it gives.
fn secrets(folder: &mut Folder<'_>, lab: &Lab) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for step in &lab.scenario.solution {
        match step {
            Step::Write { from, .. } => {
                let text = folder.text(&format!("{}{from}", lab.home)).unwrap_or_default();
                let lines = text.lines().map(str::trim).filter(|line| line.chars().count() >= SHORTEST);
                found.extend(lines.map(String::from));
            }
            Step::Do { action: Action::Rename { to, .. }, .. } => {
                found.extend(to.rsplit('/').next().map(String::from));
            }
            Step::Do { .. } | Step::Run { .. } => {}
        }
    }
    // A name that the learner sees on arrival is no secret.
    found.retain(|secret| !lab.scenario.sources().iter().any(|source| source.ends_with(secret)));
    found
}

fn is_command(code: &str) -> bool {
    let mut words = code.split_whitespace();
    let first = words.next().unwrap_or_default().trim_start_matches('$');
    COMMANDS.contains(&first) && words.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::is_command;

    #[test]
    fn a_command_has_something_to_do() {
        for (code, wanted) in [
            ("mv a b", true),
            ("sudo mv a b", true),
            ("containerd", false),
            ("conf.d", false),
            ("config dump", false),
        ] {
            assert_eq!(is_command(code), wanted, "{code}");
        }
    }
}
