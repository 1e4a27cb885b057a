//! Grading: a learner's script is run on every hidden state of the scenario's node, and its exit status is its verdict.

use crate::play::{Sources, lock, open_tabs, plain};
use fourgaps_cluster::{CONTROL, Fact, Verdict, World};
use fourgaps_lab::{Grade, Scenario};
use fourgaps_shell::{Machines, Output, Shell, Stream, commands};
use std::sync::{Arc, Mutex};

/// The name of the command that grades.
pub(crate) const NAME: &str = "grade";

const HELP: &str = "Usage: grade SCRIPT\n\nRuns SCRIPT with bash on the control host, once for every hidden node of this lab, \
with the name of the node as its argument.\nIts exit status is its verdict: 0 says that the node is fine, anything else that it is not.\n";

/// The words after the name where a line is this command, on the control host of a lab that grades.
pub(crate) fn words<'l>(scenario: &Scenario, host: &str, line: &'l str) -> Option<Vec<&'l str>> {
    let mut words = line.split_whitespace();
    let graded = host == CONTROL && !scenario.grades.is_empty() && words.next() == Some(NAME);
    graded.then(|| words.collect())
}

/// Tries a script; says each verdict as it falls. Gives what happened and the exit status.
pub(crate) async fn grade(
    scenario: &Scenario,
    sources: &Sources,
    machines: &Mutex<Machines>,
    words: &[&str],
    cwd: &str,
    out: &mut Output,
) -> (Vec<Fact>, i32) {
    let [script] = words else {
        out(Stream::Err, HELP.as_bytes());
        return (Vec::new(), 2);
    };
    if *script == "--help" {
        out(Stream::Out, HELP.as_bytes());
        return (Vec::new(), 0);
    }
    let path = if script.starts_with('/') { script.to_string() } else { fourgaps_base::join(cwd, script) };
    let control = lock(machines).world.control().files.clone();
    if let Err(why) = fourgaps_base::Files::read(&control, &path) {
        out(Stream::Err, format!("grade: {script}: {why}\n").as_bytes());
        return (Vec::new(), 1);
    }
    let mut verdicts = Vec::new();
    for (nth, grade) in (1..).zip(&scenario.grades) {
        let world = scenario.graded_world(grade, &control, |source| sources.get(source).cloned());
        let said_fine = try_on(world, grade, &path).await == 0;
        let verdict = Verdict { id: grade.id.clone(), said_fine, right: said_fine == grade.fine };
        let said = if said_fine { "fine" } else { "broken" };
        let mark = if verdict.right { "right" } else { "wrong" };
        let all = scenario.grades.len();
        out(Stream::Out, format!("node {nth} of {all}: your checker said {said}: {mark}\n").as_bytes());
        verdicts.push(verdict);
    }
    let right = verdicts.iter().filter(|verdict| verdict.right).count();
    out(Stream::Out, format!("{right} of {} right\n", verdicts.len()).as_bytes());
    let status = i32::from(right < verdicts.len());
    (vec![Fact::Graded(verdicts)], status)
}

/// The exit status of the script on one hidden node.
async fn try_on(world: World, grade: &Grade, path: &str) -> i32 {
    let node = grade.node.spec.name.clone();
    let mut lines: Vec<(&str, &str)> =
        grade.before.iter().map(|line| (node.as_str(), line.as_str())).collect();
    let line = format!("bash {path} {node}");
    lines.push((CONTROL, &line));
    typed(world, &lines).await
}

/// The exit status of the last of some lines, typed by somebody else in a world of their own.
pub(crate) async fn typed(world: World, lines: &[(&str, &str)]) -> i32 {
    let machines = Arc::new(Mutex::new(Machines::new(world.clone())));
    let mut shell = Shell::new(machines, commands());
    open_tabs(&mut shell, &world);
    let mut status = 0;
    for (host, line) in lines {
        status = shell.run(host, line, plain()).await;
    }
    status
}
