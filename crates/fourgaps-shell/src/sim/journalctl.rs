//! `journalctl -u containerd`: the journal of containerd's unit.
//! Source: the public source of systemd 252.

use super::Machines;
use super::asking::{QUIET_MS, STOPPED, next_words, tools};
use super::flags::{Flag, Style, Takes, Words};
use super::when;
use crate::command::{Call, Command};
use crate::world::World;
use fourgaps_view::systemd::{Form, Line, boot_line, has_unit, journal, journal_text};
use regex::{Regex, RegexBuilder};

pub(super) struct Journalctl;

const NAME: &str = "journalctl";
const FLAGS: [Flag; 14] = [
    Flag(&["--unit", "-u"], Takes::Value),
    Flag(&["--lines", "-n"], Takes::Perhaps),
    Flag(&["--follow", "-f"], Takes::Nothing),
    Flag(&["--no-pager"], Takes::Nothing),
    Flag(&["--boot", "-b"], Takes::Perhaps),
    Flag(&["--pager-end", "-e"], Takes::Nothing),
    Flag(&["--reverse", "-r"], Takes::Nothing),
    Flag(&["--output", "-o"], Takes::Value),
    Flag(&["--since", "-S"], Takes::Value),
    Flag(&["--until", "-U"], Takes::Value),
    Flag(&["--grep", "-g"], Takes::Value),
    Flag(&["--quiet", "-q"], Takes::Nothing),
    Flag(&["--no-hostname"], Takes::Nothing),
    Flag(&["--help", "-h"], Takes::Nothing),
];
const HELP: &str = "\
Usage: journalctl -u containerd [OPTIONS]

Simulated here:
  -n N, --lines=N         the last N lines (10 where N is left out)
  -b                      of this boot; -b -1 of the one before
  -f                      the last 10 lines, and then what comes, until nothing does for ten minutes
  -e                      at most the last 1000 lines
  -r                      the newest first
  -o FORM                 short, short-iso, short-precise, short-full, cat
  -S TIME, -U TIME        since and until: '2026-03-02 00:00:05', '00:00', today, -5min, '5 min ago'
  -g PATTERN              lines that match; small letters match capitals too
  -q                      without lines between boots
The log of a containerd that was started by hand is not in the journal.
";

impl Command<Machines> for Journalctl {
    fn name(&self) -> &str {
        NAME
    }

    fn help(&self) -> String {
        HELP.into()
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        let args = joined(call.args);
        let words = match Words::read(&args, &FLAGS, Style::Gnu) {
            Ok(words) if words.rest.is_empty() => words,
            Ok(words) => {
                let what = words.rest.join(" ");
                return call.not_simulated(NAME, &what);
            }
            Err(word) => return call.not_simulated(NAME, word),
        };
        if words.has("--help") {
            call.out(HELP);
            return 0;
        }
        if call.node().is_none() {
            return call.not_simulated(NAME, "the journal of this machine");
        }
        let units: Vec<&str> = words.values("--unit").collect();
        let is_ours = |unit: &&str| ["containerd", "containerd.service"].contains(unit);
        if units.is_empty() || !units.iter().all(is_ours) {
            return call.not_simulated(NAME, "another journal than that of -u containerd");
        }
        let wanted = match Wanted::read(&words, call.world.now_ms()) {
            Ok(wanted) => wanted,
            Err(what) => return call.not_simulated(NAME, &what),
        };
        let lines = lines(call);
        let last_boot = lines.last().map_or(0, |line| line.boot);
        if let Some(back) = wanted.boots_back.filter(|back| *back > last_boot) {
            call.err(format!(
                "Data from the specified boot (-{back}) is not available: No such boot ID in journal\n"
            ));
            return 1;
        }
        let shown = wanted.choose(&lines, last_boot);
        let mut text = wanted.text(&shown, call.host);
        if wanted.follow {
            call.out(text);
            return follow(call, &wanted, lines.len());
        }
        let none = shown.iter().all(|(_, fits)| !fits);
        if none && !wanted.quiet {
            text += "-- No entries --\n";
        }
        call.out(text);
        i32::from(none && wanted.pattern.is_some())
    }

    fn complete(&self, _: &Machines, _: &str, words: &[String]) -> Vec<String> {
        match words.last().map(String::as_str) {
            Some("-u" | "--unit") => vec!["containerd".into()],
            Some("-o" | "--output") => {
                ["short", "short-iso", "short-precise", "short-full", "cat"].map(String::from).to_vec()
            }
            _ => next_words(&[], &[("", &["-u", "--no-pager", "--since", "--until", "--lines"])]),
        }
    }
}

/// The journal of the node, as far as it has come.
fn lines(call: &Call<'_, Machines>) -> Vec<Line> {
    let node = call.node().filter(|node| has_unit(node));
    node.map_or_else(Vec::new, |node| journal(node, tools(node), call.world.epoch_ms()))
}

/// Shows what comes after the first lines, in the time of the lab.
fn follow(call: &mut Call<'_, Machines>, wanted: &Wanted, mut seen: usize) -> i32 {
    let mut quiet_since_ms = call.world.world.now_ms();
    while call.world.world.now_ms() < quiet_since_ms + QUIET_MS {
        call.world.step(quiet_since_ms + QUIET_MS);
        let lines = lines(call);
        let new = lines.get(seen..).unwrap_or_default();
        if !new.is_empty() {
            quiet_since_ms = call.world.world.now_ms();
            seen = lines.len();
            let shown: Vec<(&Line, bool)> = new.iter().map(|line| (line, wanted.fits(line))).collect();
            call.out(wanted.text(&shown, call.host));
        }
    }
    call.err(format!("{NAME}: {STOPPED}\n"));
    130
}

/// The words, with the value of `-n` and `-b` written together with them: it may stand apart only where it is one.
fn joined(args: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for arg in args {
        let is_number = arg.strip_prefix(['-', '+']).unwrap_or(arg).bytes().all(|byte| byte.is_ascii_digit());
        let is_number = is_number && arg.bytes().any(|byte| byte.is_ascii_digit());
        match joined.last_mut() {
            Some(last) if last == "-n" && (is_number || arg == "all") => last.push_str(arg),
            Some(last) if last == "--lines" && (is_number || arg == "all") => {
                *last = format!("--lines={arg}")
            }
            Some(last) if (last == "-b" || last == "--boot") && is_number => {
                *last = format!("--boot={arg}");
            }
            _ => joined.push(arg.clone()),
        }
    }
    joined
}

/// What is asked for.
struct Wanted {
    lines: Option<usize>,
    reverse: bool,
    boots_back: Option<u32>,
    since: Option<u64>,
    until: Option<u64>,
    pattern: Option<Regex>,
    form: Form,
    quiet: bool,
    no_host: bool,
    follow: bool,
}

impl Wanted {
    /// # Errors
    /// What is not simulated.
    fn read(words: &Words<'_>, now_ms: u64) -> Result<Self, String> {
        let moment = |flag: &str| match words.value(flag) {
            None => Ok(None),
            Some(text) => when::read(text, now_ms).map(Some).ok_or_else(|| format!("{flag} {text}")),
        };
        let lines = match words.value("--lines") {
            None if words.has("--follow") && !words.has("--since") => Some(10),
            None => words.has("--pager-end").then_some(1000),
            Some("") => Some(10),
            Some("all") => None,
            Some(text) => Some(text.parse().map_err(|_| format!("--lines {text}"))?),
        };
        let boots_back = match words.value("--boot") {
            None if words.has("--pager-end") => Some(0),
            None => None,
            Some("" | "0" | "-0") => Some(0),
            Some(text) => {
                let back = text.strip_prefix('-').and_then(|text| text.parse().ok());
                Some(back.ok_or_else(|| format!("-b {text}"))?)
            }
        };
        let pattern = match words.value("--grep") {
            None => None,
            Some(text) => {
                let insensitive = !text.chars().any(char::is_uppercase);
                let built = RegexBuilder::new(text).case_insensitive(insensitive).build();
                Some(built.map_err(|_| format!("--grep {text}"))?)
            }
        };
        if let Some(other) =
            ["--reverse", "--until"].iter().find(|other| words.has("--follow") && words.has(other))
        {
            return Err(format!("--follow {other}"));
        }
        let form = words.value("--output").unwrap_or("short");
        Ok(Self {
            lines,
            reverse: words.has("--reverse"),
            boots_back,
            since: moment("--since")?,
            until: moment("--until")?,
            pattern,
            form: Form::named(form).ok_or_else(|| format!("--output {form}"))?,
            quiet: words.has("--quiet"),
            no_host: words.has("--no-hostname"),
            follow: words.has("--follow"),
        })
    }

    fn fits(&self, line: &Line) -> bool {
        self.pattern.as_ref().is_none_or(|pattern| pattern.is_match(&line.text))
    }

    /// Lines as they are printed, with a line between two boots.
    fn text(&self, shown: &[(&Line, bool)], host: &str) -> String {
        let mut text = String::new();
        let mut boot = None;
        for (line, fits) in shown {
            if boot.is_some_and(|boot| boot != line.boot) && !self.quiet {
                text += &boot_line(host, line.boot);
            }
            boot = Some(line.boot);
            if *fits {
                text += &journal_text([*line], if self.no_host { "" } else { host }, self.form);
            }
        }
        text
    }

    /// The lines in the order in which they are shown, and whether each fits the pattern.
    fn choose<'l>(&self, lines: &'l [Line], last_boot: u32) -> Vec<(&'l Line, bool)> {
        let of_boot = self.boots_back.map(|back| last_boot - back);
        let mut kept: Vec<&Line> =
            lines.iter().filter(|line| of_boot.is_none_or(|boot| line.boot == boot)).collect();
        kept.retain(|line| self.until.is_none_or(|until| line.unix_ms <= until));
        // So many lines from the end are gone back before anything else is looked at.
        if let Some(lines) = self.lines.filter(|_| !self.reverse) {
            kept.drain(..kept.len().saturating_sub(lines));
        }
        kept.retain(|line| self.since.is_none_or(|since| line.unix_ms >= since));
        if self.reverse {
            kept.reverse();
        }
        let mut shown: Vec<(&Line, bool)> = Vec::new();
        let mut n_fitting = 0;
        for line in kept {
            if self.lines.is_some_and(|lines| n_fitting >= lines) {
                break;
            }
            let fits = self.fits(line);
            n_fitting += usize::from(fits);
            shown.push((line, fits));
        }
        shown
    }
}
