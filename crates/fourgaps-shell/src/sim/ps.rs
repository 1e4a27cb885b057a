//! `ps` of processes that are named: a real node has many more than are simulated, so that a list of all would be too short.
//! Source: ps(1) of procps; its widths, with numbers of processes up to seven digits.

use super::Machines;
use super::flags::{Flag, Style, Takes, Words};
use super::processes::{Process, found};
use crate::command::{Call, Command};
use crate::world::World;
use fourgaps_base::{Civil, MONTHS};
use fourgaps_node::Phase;

pub(super) struct Ps;

const FLAGS: [Flag; 4] = [
    Flag(&["-p", "--pid"], Takes::Value),
    Flag(&["-C"], Takes::Value),
    Flag(&["-o", "--format"], Takes::Value),
    Flag(&["--no-headers", "--no-heading"], Takes::Nothing),
];

/// A column: its name, its head, its width, and whether it stands at the right of it.
const COLUMNS: [(&str, &str, usize, bool); 11] = [
    ("pid", "PID", 7, true),
    ("comm", "COMMAND", 15, false),
    ("ucmd", "CMD", 15, false),
    ("args", "COMMAND", 27, false),
    ("command", "COMMAND", 27, false),
    ("cmd", "CMD", 27, false),
    ("lstart", "STARTED", 24, true),
    ("etime", "ELAPSED", 11, true),
    ("etimes", "ELAPSED", 7, true),
    ("user", "USER", 8, false),
    ("uid", "UID", 5, true),
];

impl Command<Machines> for Ps {
    fn name(&self) -> &str {
        "ps"
    }

    fn help(&self) -> String {
        "Usage: ps -o COLUMN,… [-p PID,…] [-C NAME,…]\n\nSimulated here: containerd, and pause of the sandboxes.\n  \
         -o           pid, comm, args, cmd, lstart, etime, etimes, user, uid; with `=` behind it without a head\n  \
         -p, -C       by number, by name\n  --no-headers\nA real node has many more processes, so lists of all of them \
         are refused.\n"
            .into()
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        let words = match Words::read(call.args, &FLAGS, Style::Gnu) {
            Ok(words) => words,
            Err(word) => return call.not_simulated("ps", word),
        };
        if let Some(word) = words.rest.first() {
            return call.not_simulated("ps", word);
        }
        let mut columns = Vec::new();
        for item in words.values("-o").flat_map(|list| list.split([',', ' '])).filter(|item| !item.is_empty())
        {
            let (name, head) = item.split_once('=').map_or((item, None), |(name, head)| (name, Some(head)));
            let Some(column) = COLUMNS.into_iter().find(|column| column.0 == name) else {
                return call.not_simulated("ps", &format!("-o {name}"));
            };
            columns.push((column, head.unwrap_or(column.1).to_string()));
        }
        if columns.is_empty() {
            return call.not_simulated("ps", "without -o, times of the processor");
        }
        let split =
            |flag| words.values(flag).flat_map(|list: &str| list.split([',', ' '])).collect::<Vec<_>>();
        let (pids, names) = (split("-p"), split("-C"));
        if pids.is_empty() && names.is_empty() {
            return call.not_simulated("ps", "without -p or -C, all processes");
        }
        let Some(node) = call.node() else { return call.not_simulated("ps", "processes of this machine") };
        let mut numbers = Vec::new();
        for pid in pids {
            let Ok(pid) = pid.parse::<u32>() else {
                call.err("error: process ID list syntax error\n");
                return 1;
            };
            let toolkit = node.toolkit_of(pid).is_some_and(|run| !matches!(run.phase, Phase::Ended { .. }));
            if pid <= 2 || toolkit {
                return call.not_simulated("ps", &format!("the process {pid}"));
            }
            numbers.push(pid);
        }
        let by_name = match found(node, |name, _| names.contains(&name)) {
            Ok(processes) => processes,
            Err(other) => return call.not_simulated("ps", other),
        };
        numbers.extend(by_name.iter().map(|process| process.pid));
        let all = found(node, |name, _| name == "containerd" || name == "pause").unwrap_or_default();
        let shown: Vec<Process> = all.into_iter().filter(|process| numbers.contains(&process.pid)).collect();
        // The image of pause names a user of its own.
        let asks_user = columns.iter().any(|((column, ..), _)| *column == "user" || *column == "uid");
        if asks_user && shown.iter().any(|process| process.name == "pause") {
            return call.not_simulated("ps", "the user of pause");
        }
        let (now_ms, epoch_ms) = (call.world.now_ms(), call.world.epoch_ms());
        let mut lines = Vec::new();
        if !words.has("--no-headers") && columns.iter().any(|(_, head)| !head.is_empty()) {
            lines.push(columns.iter().map(|(_, head)| head.clone()).collect::<Vec<_>>());
        }
        for process in &shown {
            let text = |column: &str| value(process, column, epoch_ms, now_ms);
            lines.push(columns.iter().map(|((column, ..), _)| text(column)).collect());
        }
        for line in lines {
            let mut row = Vec::new();
            for (at, (text, ((_, _, width, right), head))) in line.iter().zip(&columns).enumerate() {
                let width = (*width).max(head.len());
                row.push(match right {
                    true => format!("{text:>width$}"),
                    false if at + 1 == columns.len() => text.clone(),
                    false => format!("{text:<width$}"),
                });
            }
            call.out(row.join(" ") + "\n");
        }
        i32::from(shown.is_empty())
    }

    fn complete(&self, _: &Machines, _: &str, _: &[String]) -> Vec<String> {
        ["-C", "-o", "-p", "containerd", "pid,lstart,etime,args"].map(String::from).to_vec()
    }
}

fn value(process: &Process, column: &str, epoch_ms: u64, now_ms: u64) -> String {
    let started_ms = epoch_ms + process.started_ms;
    let seconds = now_ms.saturating_sub(started_ms) / 1000;
    match column {
        "pid" => process.pid.to_string(),
        "comm" | "ucmd" => process.name.into(),
        "lstart" => {
            const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
            let Civil { year, month, day, hour, minute, second } = Civil::of_ms(started_ms);
            let (week_day, month) =
                (DAYS[(started_ms / 86_400_000 % 7) as usize], MONTHS[month as usize - 1]);
            format!("{week_day} {month} {day:2} {hour:02}:{minute:02}:{second:02} {year}")
        }
        "etime" => {
            let (days, hours) = (seconds / 86_400, seconds / 3600 % 24);
            let rest = format!("{:02}:{:02}", seconds / 60 % 60, seconds % 60);
            match (days, hours) {
                (0, 0) => rest,
                (0, hours) => format!("{hours:02}:{rest}"),
                (days, hours) => format!("{days}-{hours:02}:{rest}"),
            }
        }
        "etimes" => seconds.to_string(),
        "user" => "root".into(),
        "uid" => "0".into(),
        _ => process.line.into(),
    }
}
