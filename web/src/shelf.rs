//! What lies beside the page on the server: labs, their texts, recorded cases. Loaded piece by piece, when wanted.

use crate::fetch::{FetchFault, text, texts};
use crate::state::Lab;
use fourgaps_base::FileTree;
use fourgaps_config::Version;
use fourgaps_lab::{Fault, Lang, Question, Recording, ResultsIndex, Scenario, ScenarioIndex, Texts};
use futures_util::future::try_join;
use std::rc::Rc;

/// A recorded case.
#[derive(Clone, Debug)]
pub struct Case {
    /// The node's files, and the containerd that was asked about them; nothing where a cluster was recorded.
    pub node: Option<(FileTree, &'static Version)>,
    /// The recording.
    pub recording: Recording,
}

fn faulty(path: &str, faults: &[Fault]) -> FetchFault {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    FetchFault::broken(path, lines.join("\n"))
}

fn version(path: &str, name: &str) -> Result<&'static Version, FetchFault> {
    Version::named(name)
        .ok_or_else(|| FetchFault::broken(path, format!("containerd {name} is not simulated")))
}

/// The labs in teaching order.
pub async fn index() -> Result<ScenarioIndex, FetchFault> {
    let path = "scenarios/index.toml";
    ScenarioIndex::parse(path, &text(path).await?).map_err(|f| faulty(path, &f))
}

/// A lab with its node's files.
pub async fn lab(slug: &str) -> Result<Lab, FetchFault> {
    let path = format!("scenarios/{slug}/scenario.toml");
    let told = text(&path).await?;
    let scenario = Scenario::parse(&path, &told).map_err(|f| faulty(&path, &f))?;
    for node in &scenario.nodes {
        version(&path, &node.spec.containerd)?;
    }
    let sources = scenario.sources();
    let paths: Vec<String> = sources.iter().map(|source| format!("scenarios/{slug}/{source}")).collect();
    let files: Vec<(String, String)> = sources.into_iter().zip(texts(&paths).await?).collect();
    let read = |source: &str| {
        let found = files.iter().find(|(path, _)| path == source);
        found.map(|(_, text)| text.clone().into_bytes())
    };
    let before = scenario.before(read);
    let start = before.arrival();
    Ok(Lab { scenario, parts: (told, files), before: Rc::new(before), start })
}

/// The texts of a lab in one language.
pub async fn words(slug: &str, lang: Lang) -> Result<Texts, FetchFault> {
    let path = format!("scenarios/{slug}/{}.toml", lang.code());
    Texts::parse(&path, &text(&path).await?).map_err(|f| faulty(&path, &f))
}

const RESULTS: &str = "results/index.toml";

/// The list of recorded cases.
pub async fn results() -> Result<ResultsIndex, FetchFault> {
    ResultsIndex::parse(RESULTS, &text(RESULTS).await?).map_err(|f| faulty(RESULTS, &f))
}

/// The files of the node in the recorded case that a question is about.
pub async fn case_files(index: &ResultsIndex, question: &Question) -> Result<FileTree, FetchFault> {
    let Some(entry) = index.case(&question.case) else {
        return Err(FetchFault::broken(RESULTS, format!("no case `{}`", question.case)));
    };
    let sources: Vec<String> =
        entry.files.iter().map(|file| format!("results/cases/{}/rootfs{file}", entry.name)).collect();
    Ok(tree(&entry.files, texts(&sources).await?))
}

/// The recorded case that a question is about.
pub async fn case(index: &ResultsIndex, question: &Question) -> Result<Case, FetchFault> {
    if let Some(told) = &question.told {
        let path = told.path(&question.case);
        let recording = told.read(&text(&path).await?).map_err(|why| FetchFault::broken(&path, why))?;
        return Ok(Case { node: None, recording });
    }
    let version = version(RESULTS, &question.containerd)?;
    let said = format!("results/{}/{}", question.containerd, question.case);
    let mut heard = vec![format!("{said}/dump.toml"), format!("{said}/result.toml")];
    if question.read.is_live() {
        heard.push(format!("{said}/live.toml"));
    }
    let (files, heard) = try_join(case_files(index, question), texts(&heard)).await?;
    let recording = match heard.as_slice() {
        [dump, result] => Recording::parse(dump, result),
        [dump, result, live] => Recording::parse(dump, result).and_then(|found| found.with_live(live)),
        _ => Err("files are missing".into()),
    };
    let recording = recording.map_err(|why| FetchFault::broken(&said, why))?;
    Ok(Case { node: Some((files, version)), recording })
}

fn tree(paths: &[String], texts: Vec<String>) -> FileTree {
    let mut tree = FileTree::new();
    for (path, text) in paths.iter().zip(texts) {
        tree.write(path, text);
    }
    tree
}
