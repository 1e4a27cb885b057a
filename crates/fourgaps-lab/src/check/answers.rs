//! Answers: each follows from a recording, exactly the options that claim it are right, every wrong one is
//! explained, and the simulator says what the recording says.

use super::folder::Folder;
use super::{Lab, results};
use crate::mark::{normal, typed};
use crate::{Answer, Input, Kind, Question, QuestionText, Read, Recording, ResultsIndex, mark, right_answer};
use fourgaps_base::{FileTree, Pos};
use fourgaps_config::Version;
use fourgaps_config::daemon::Machine;
use fourgaps_view::{ExplainView, LoadedView, NextStartView};
use std::collections::BTreeSet;

/// Checks every question of a lab.
pub(super) fn check(folder: &mut Folder<'_>, lab: &Lab, index: &ResultsIndex) {
    for question in &lab.scenario.questions {
        if let Err(why) = check_question(folder, lab, index, question) {
            folder.fault(&lab.label, question.pos, format!("question `{}`: {why}", question.id));
        }
    }
}

fn check_question(
    folder: &mut Folder<'_>,
    lab: &Lab,
    index: &ResultsIndex,
    question: &Question,
) -> Result<(), String> {
    let (recording, files) = match &question.told {
        Some(told) => (results::told(folder, index, told, &question.case)?, None),
        None => {
            let (recording, files) = results::recording(folder, index, &question.containerd, &question.case)?;
            (recording, Some(files))
        }
    };
    let right = right_answer(question, &recording)?;
    check_claims(question, &right)?;
    for (lang, texts) in &lab.texts {
        let label = format!("{}{}.toml", lab.home, lang.code());
        if let Some(texts) = texts.questions.get(&question.id) {
            for (pos, message) in explanations(question, texts, &right) {
                folder.fault(&label, pos, message);
            }
        }
    }
    // What the simulated cluster makes of a recording is held where there are shell and controllers: by the tests.
    let simulated = files.map(|files| simulated(question, &recording, &files)).transpose()?;
    let Some(texts) = lab.texts.values().next() else { return Ok(()) };
    let marked = mark(question, texts, &right, simulated.as_ref(), &recording)?;
    match (marked.right, marked.simulator.filter(|said| *said != marked.recorded)) {
        (true, None) => Ok(()),
        (false, _) => Err("the right answer is not marked as right".into()),
        (true, Some(said)) => Err(format!("the simulator says {said}, the recording {}", marked.recorded)),
    }
}

/// What the simulator makes of the files of a case; it must be what was recorded.
fn simulated(question: &Question, recording: &Recording, files: &FileTree) -> Result<Recording, String> {
    let version = Version::named(&question.containerd)
        .ok_or_else(|| format!("containerd {} is not built in", question.containerd))?;
    let simulated = NextStartView::of(version, files, &question.config);
    let mut simulated = Recording::of(&simulated);
    same(&simulated, recording)?;
    if recording.live.is_some() {
        let loaded = LoadedView::of(version, files, &question.config, &Machine::recorded());
        simulated = simulated.with_loaded(&loaded);
    }
    if question.read == Read::LoadOrder {
        same_order(question, version, files, &right_answer(question, recording)?)?;
    }
    Ok(simulated)
}

/// The claims are of the kind that is read, and as many are right as the kind wants.
fn check_claims(question: &Question, right: &Answer) -> Result<(), String> {
    if question.read.is_number() {
        for (option, claim) in &question.option_values {
            claim
                .trim()
                .parse::<i64>()
                .map_err(|_| format!("option `{option}` claims `{claim}`, no number"))?;
        }
    }
    let Answer::Choice(right) = right else { return Ok(()) };
    match question.input() {
        Input::One if right.len() != 1 => {
            Err(format!("{} options are right: {}", right.len(), right.join(", ")))
        }
        Input::Several if right.len() == question.options.len() => Err("every option is right".into()),
        _ => Ok(()),
    }
}

/// What is wrong with the explanations of one language.
fn explanations(question: &Question, texts: &QuestionText, right: &Answer) -> Vec<(Pos, String)> {
    let mut faults = Vec::new();
    if let Answer::Choice(right) = right
        && question.kind != Kind::Order
    {
        for (name, option) in texts.options.iter().filter(|(name, _)| question.options.contains(name)) {
            let shown = question.kind == Kind::Several || !right.contains(name);
            match (&option.wrong, shown) {
                (None, true) => faults.push((option.pos, format!("option `{name}` has no `wrong`"))),
                (Some(_), false) => {
                    faults
                        .push((option.pos, format!("option `{name}` is right; its `wrong` is never shown")));
                }
                _ => {}
            }
        }
        return faults;
    }
    let mut seen = BTreeSet::from([normal(question, &typed(right))]);
    for wrong in &texts.wrong {
        if !seen.insert(normal(question, &wrong.answer)) {
            faults.push((wrong.pos, format!("`{}` is right, or is there twice", wrong.answer)));
        }
        if question.input() == Input::Number && wrong.answer.trim().parse::<i64>().is_err() {
            faults.push((wrong.pos, format!("`{}` is no number, so nobody can answer it", wrong.answer)));
        }
    }
    faults
}

/// The simulator's dump, exit and words are those of the recording. containerd 1.x prints the list of imported
/// files in random order, so that line is compared as a set.
fn same(simulated: &Recording, recorded: &Recording) -> Result<(), String> {
    if simulated.exit != recorded.exit {
        return Err(format!(
            "the simulator ends with {}, the recording with {}",
            simulated.exit, recorded.exit
        ));
    }
    let sorted = |list: &[String]| list.iter().cloned().collect::<BTreeSet<_>>();
    if sorted(&simulated.stderr) != sorted(&recorded.stderr) {
        return Err(format!(
            "the simulator says {:?}, the recording {:?}",
            simulated.stderr, recorded.stderr
        ));
    }
    if sorted(&simulated.imports()) != sorted(&recorded.imports()) {
        return Err("the simulator and the recording load other files".into());
    }
    let (mut mine, mut real) = (simulated.dump.lines(), recorded.dump.lines());
    for nth in 1.. {
        let (mine, real) = (mine.next(), real.next());
        let imports = |line: Option<&str>| line.is_some_and(|line| line.starts_with("imports = "));
        if mine != real && !(imports(mine) && imports(real)) {
            let shown = |line: Option<&str>| match line.map(str::trim) {
                None => "the end".to_string(),
                Some("") => "a blank line".to_string(),
                Some(text) => format!("`{text}`"),
            };
            return Err(format!(
                "line {nth}: the simulator has {}, the recording {}",
                shown(mine),
                shown(real)
            ));
        }
        if real.is_none() {
            break;
        }
    }
    Ok(())
}

/// The order that is read off a recording is the order in which the simulator loads.
fn same_order(
    question: &Question,
    version: &Version,
    files: &FileTree,
    right: &Answer,
) -> Result<(), String> {
    let Answer::Choice(right) = right else { return Ok(()) };
    if question.kind != Kind::Order {
        return Ok(());
    }
    let claims: Vec<&String> = right.iter().filter_map(|option| question.option_values.get(option)).collect();
    let loaded = ExplainView::of(version, files, &question.config).files;
    let loaded: Vec<&String> =
        loaded.iter().map(|file| &file.path).filter(|path| claims.contains(path)).collect();
    match loaded == claims {
        true => Ok(()),
        false => {
            Err("the files of this case are not loaded in byte order, so no recording shows the order".into())
        }
    }
}
