//! `systemctl status`: the unit, its process, its control group, and the end of its journal.

use super::span::{ago, span};
use super::{
    Changes, DESCRIPTION, DOCUMENTATION, Form, PROGRAM, UNIT, UNIT_FILE, active_state, ended, journal,
    journal_text, result, sub_state,
};
use crate::{Printed, moment};
use fourgaps_base::sort;
use fourgaps_config::tools::Tools;
use fourgaps_node::{Node, UnitState};

/// `systemctl status` of the unit with the last `lines` lines of its journal.
/// `epoch_ms` is when the scenario began, in ms since 1970.
pub fn status(node: &Node, tools: &Tools, epoch_ms: u64, lines: u32) -> Printed {
    let at = Changes::of(node);
    let state = &node.unit().state;
    let (glyph, since) = match state {
        UnitState::Running => ("●", at.active_enter),
        UnitState::AutoRestart { .. } => ("●", at.inactive_exit),
        UnitState::Dead => ("○", at.inactive_enter),
        UnitState::Failed(_) => ("×", at.inactive_enter),
    };
    let (active, sub) = (active_state(node), sub_state(node));
    let mut out = format!("{glyph} {UNIT} - {DESCRIPTION}\n");
    out += &format!("     Loaded: loaded ({UNIT_FILE}; enabled; preset: enabled)\n");
    out += &format!("     Active: {active}");
    if active != sub {
        out += &format!(" ({sub})");
    }
    if result(node) != "success" {
        out += &format!(" (Result: {})", result(node));
    }
    if let Some(ms) = since {
        out += &format!(" since {}; {}", moment::with_weekday(epoch_ms + ms), ago(node.now_ms() - ms));
    }
    out.push('\n');
    let is_down = matches!(state, UnitState::Dead | UnitState::Failed(_));
    if let (true, Some(enter), Some(exit)) = (is_down, at.active_enter, at.active_exit)
        && exit >= enter
    {
        out += &format!("   Duration: {}\n", span(exit - enter));
    }
    out += &format!("       Docs: {DOCUMENTATION}\n");
    let running = node.containerd().filter(|_| *state == UnitState::Running);
    match (running, node.last_end()) {
        (Some(process), _) => out += &format!("   Main PID: {} (containerd)\n", process.pid),
        (None, Some(last)) => {
            let (pid, how) = (last.pid, ended(last.end));
            out += &format!("    Process: {pid} ExecStart={PROGRAM} (code={how})\n");
            out += &format!("   Main PID: {pid} (code={how})\n");
        }
        (None, None) => {}
    }
    out += &control_group(node, running.map(|process| process.pid));
    let journal = journal(node, tools, epoch_ms);
    // Only what the unit logged since it was last started.
    let start = epoch_ms + at.inactive_exit.unwrap_or(0);
    let told = journal.iter().filter(|line| line.unix_ms >= start).count().min(lines as usize);
    if told > 0 {
        out.push('\n');
        out += &journal_text(&journal[journal.len() - told..], node.name(), Form::Short);
    }
    let exit = if *state == UnitState::Running { 0 } else { 3 };
    Printed { stdout: out, stderr: String::new(), exit }
}

/// The processes of the unit: its own, and the shims, which outlive it.
fn control_group(node: &Node, main: Option<u32>) -> String {
    let own = main.map(|pid| (pid, PROGRAM.to_string()));
    let shims = node.sandboxes().iter().filter_map(|sandbox| {
        let id = &sandbox.id;
        let shim = "/usr/bin/containerd-shim-runc-v2 -namespace k8s.io -id";
        Some((sandbox.pid?, format!("{shim} {id} -address /run/containerd/containerd.sock")))
    });
    let mut all: Vec<(u32, String)> = own.into_iter().chain(shims).collect();
    sort(&mut all);
    let Some((highest, _)) = all.last() else { return String::new() };
    let (width, last) = (highest.to_string().len(), all.len() - 1);
    let mut out = format!("     CGroup: /system.slice/{UNIT}\n");
    for (nth, (pid, line)) in all.iter().enumerate() {
        let branch = if nth == last { "└─" } else { "├─" };
        out += &format!("             {branch}{pid:>width$} {line}\n");
    }
    out
}
