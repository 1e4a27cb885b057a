//! The recordings: every listed case is there with all its files, and can be read.

use super::folder::Folder;
use crate::{Recording, ResultsIndex, Told};
use fourgaps_base::{FileTree, Pos};
use std::collections::BTreeSet;

const INDEX: &str = "results/index.toml";

/// Reads the list of recordings and checks that it is complete.
pub(super) fn check(folder: &mut Folder<'_>) -> Option<ResultsIndex> {
    let Some(text) = folder.text(INDEX) else {
        folder.fault(INDEX, Pos::default(), "the list of recordings is missing");
        return None;
    };
    let index = folder.parsed(ResultsIndex::parse(INDEX, text))?;
    let mut seen = BTreeSet::new();
    for case in &index.cases {
        if !seen.insert(case.name.clone()) {
            folder.fault(INDEX, Pos::default(), format!("the case `{}` is listed twice", case.name));
        }
        let home = format!("results/cases/{}/", case.name);
        let mut wanted = vec![format!("{home}case.toml")];
        wanted.extend(case.files.iter().map(|path| format!("{home}rootfs{path}")));
        for version in index.versions.iter().chain(&case.also) {
            let names = ["dump.toml", "result.toml", "live.toml"];
            let names = if case.live { &names[..] } else { &names[..2] };
            wanted.extend(names.iter().map(|name| format!("results/{version}/{}/{name}", case.name)));
        }
        for path in wanted.iter().filter(|path| folder.bytes(path).is_none()).cloned().collect::<Vec<_>>() {
            folder.fault(INDEX, Pos::default(), format!("the case `{}` has no file {path}", case.name));
        }
        for path in folder.files_below(&home).iter().filter(|path| !wanted.contains(path)) {
            folder.fault(INDEX, Pos::default(), format!("{path} is not listed"));
        }
    }
    let home = "results/kubernetes/";
    let mut wanted = BTreeSet::new();
    for case in &index.kubernetes {
        let path = Told::of(case).map(|told| told.path(case));
        if path.as_ref().is_none_or(|path| folder.bytes(path).is_none()) {
            folder.fault(INDEX, Pos::default(), format!("the recording `{case}` is not below {home}"));
        }
        wanted.extend(path);
    }
    for path in folder.files_below(home).iter().filter(|path| !wanted.contains(*path)) {
        folder.fault(INDEX, Pos::default(), format!("{path} is not listed"));
    }
    Some(index)
}

/// What a recorded cluster told.
pub(super) fn told(
    folder: &mut Folder<'_>,
    index: &ResultsIndex,
    told: &Told,
    case: &str,
) -> Result<Recording, String> {
    if !index.kubernetes.iter().any(|known| known == case) {
        return Err(format!("there is no recording `{case}`"));
    }
    told.read(folder.text(&told.path(case)).ok_or_else(|| format!("the file of `{case}` is missing"))?)
}

/// The recording of a case, with the files of its node.
pub(super) fn recording(
    folder: &mut Folder<'_>,
    index: &ResultsIndex,
    version: &str,
    case: &str,
) -> Result<(Recording, FileTree), String> {
    let entry = index.case(case).ok_or_else(|| format!("there is no recorded case `{case}`"))?;
    let home = format!("results/{version}/{case}/");
    let missing = |name: &str| format!("containerd {version} has no {name} of the case `{case}`");
    let dump = folder.text(&format!("{home}dump.toml")).ok_or_else(|| missing("dump.toml"))?;
    let result = folder.text(&format!("{home}result.toml")).ok_or_else(|| missing("result.toml"))?;
    let mut recording = Recording::parse(dump, result)?;
    if entry.live {
        let live = folder.text(&format!("{home}live.toml")).ok_or_else(|| missing("live.toml"))?;
        recording = recording.with_live(live)?;
    }
    let mut files = FileTree::new();
    for path in &entry.files {
        if let Some(bytes) = folder.bytes(&format!("results/cases/{case}/rootfs{path}")) {
            files.write(path, bytes);
        }
    }
    Ok((recording, files))
}
