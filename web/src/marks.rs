//! What the editor marks in a file: where the process stops, what surprises, and lines that nothing reads.

use crate::editor::{LostLines, Mark};
use crate::gap::short;
use crate::i18n::Words;
use crate::state::Views;
use fourgaps_view::HiddenRow;

/// Faults and surprises in a file.
pub fn faults_of(path: &str, views: &Views, words: &Words) -> Vec<Mark> {
    let fault = views.next.fault.iter().filter(|f| f.file == path).map(|f| Mark {
        line: f.line.unwrap_or(1),
        column: f.column.unwrap_or(1),
        severity: "error",
        message: f.message.clone(),
    });
    // What became of whole sections is shown at their lines already, and a refusal is the fault itself.
    let shown_else = ["section-replaced", "refused"];
    let surprises = views.explain.surprises.iter().filter_map(|s| {
        let at = s.source.as_ref().filter(|at| at.file == path && !shown_else.contains(&s.code.as_str()))?;
        let args: Vec<(&str, &str)> = s.args.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        let key = format!("surprise.{}", s.code);
        let message = if words.has(&key) { words.with(&key, &args).to_string() } else { s.text.clone() };
        Some(Mark { line: at.line, column: at.column, severity: "warning", message })
    });
    fault.chain(surprises).collect()
}

/// Runs of lines in a file that are written and not read, each with a word on who took them.
pub fn lost_of(path: &str, text: &str, views: &Views, words: &Words) -> Vec<LostLines> {
    let lost: Vec<&HiddenRow> = views.explain.lost.iter().filter(|row| row.source.file == path).collect();
    let lost = fourgaps_base::in_order(lost, |a, b| a.source.line.cmp(&b.source.line));
    let mut runs: Vec<LostLines> = Vec::new();
    for row in lost {
        let line = row.source.line;
        let key = if row.rule_code == "section-replaced" { "lost.by" } else { "lost.later" };
        let place = row.by.as_ref().map(|by| format!("{}:{}", short(&by.file), by.line));
        let text = match place {
            Some(place) => words.with(key, &[("place", &place)]).to_string(),
            None => words.t("lost.nobody").to_string(),
        };
        match runs.last_mut() {
            Some(run) if run.to + 3 >= line && run.text == text => run.to = run.to.max(line),
            _ => runs.push(LostLines { from: line, to: line, text }),
        }
    }
    // A header belongs to the lines below it.
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    for run in &mut runs {
        let above = |line: u32| lines.get(line.wrapping_sub(2) as usize).is_some_and(|l| l.starts_with('['));
        while above(run.from) {
            run.from -= 1;
        }
    }
    runs
}
