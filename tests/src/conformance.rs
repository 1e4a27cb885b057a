//! Conformance: our answers beside the recorded ones, case by case and version by version.

use crate::answer::{Answer, MAIN};
use crate::live::Live;
use fourgaps_base::FileTree;
use fourgaps_config::Version;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

/// A folder of recordings.
pub struct Recordings {
    cases: PathBuf,
    results: PathBuf,
}

/// Who is to answer.
pub enum Candidate<'a> {
    /// Our engine, in this process, on the files as values.
    Engine,
    /// Our program, on the files of the disk.
    Program(&'a Path),
}

/// How one version did.
pub struct Tally {
    /// What was compared: `dump`, `loaded`, `stories`, `toolkit`, `rollouts`, `toml verdicts` or `toml messages`.
    pub kind: &'static str,
    /// The containerd version, or the order of events of a Kubernetes version.
    pub version: Cow<'static, str>,
    /// How many cases there are.
    pub total: usize,
    /// The cases that differ, and where.
    pub differs: Vec<(String, String)>,
}

impl Recordings {
    /// Recordings as they were made: `cases/CASE/rootfs` and `results/VERSION/CASE`.
    pub fn made(folder: &Path) -> Self {
        Self { cases: folder.join("cases"), results: folder.join("results") }
    }

    /// Recordings as the page carries them: `cases/CASE/rootfs` and `VERSION/CASE`.
    pub fn carried(folder: &Path) -> Self {
        Self { cases: folder.join("cases"), results: folder.to_path_buf() }
    }

    /// The built-in versions that have recordings here.
    pub fn versions(&self) -> Vec<&'static Version> {
        Version::all().into_iter().filter(|version| self.results.join(version.name()).is_dir()).collect()
    }

    /// The cases of a version that have a recorded dump, in name order.
    ///
    /// # Errors
    /// Names the folder that cannot be read.
    pub fn cases(&self, version: &Version) -> io::Result<Vec<String>> {
        self.cases_with(version, "dump.toml")
    }

    fn cases_with(&self, version: &Version, file: &str) -> io::Result<Vec<String>> {
        let names = names(&self.results.join(version.name()))?;
        Ok(names.into_iter().filter(|name| self.result(version, name).join(file).is_file()).collect())
    }

    /// The files of a case as a node's disk.
    ///
    /// # Errors
    /// Names the file that cannot be read.
    pub fn files(&self, case: &str) -> io::Result<FileTree> {
        let mut tree = FileTree::new();
        let rootfs = self.rootfs(case);
        if rootfs.is_dir() {
            read_into(&mut tree, &rootfs, "")?;
        }
        Ok(tree)
    }

    /// Compares every dump of a version.
    ///
    /// # Errors
    /// Says which recording cannot be read, or that the program cannot be started.
    pub fn dumps(&self, version: &'static Version, candidate: &Candidate<'_>) -> io::Result<Tally> {
        let cases = self.cases(version)?;
        let total = cases.len();
        let differs = on_all_cores(&cases, |case| {
            let real = Answer::recorded(&self.result(version, case))?;
            let ours = match candidate {
                Candidate::Engine => Answer::of_engine(version, &self.files(case)?),
                Candidate::Program(program) => Answer::of_program(program, version, &self.rootfs(case))?,
            };
            Ok(ours.differs(&real, version.name()).map(|why| (case.clone(), why)))
        })?;
        Ok(Tally { kind: "dump", version: version.name().into(), total, differs })
    }

    /// Compares every started daemon of a version.
    ///
    /// # Errors
    /// Says which recording cannot be read, or that the program cannot be started.
    pub fn loaded(&self, version: &'static Version, candidate: &Candidate<'_>) -> io::Result<Tally> {
        let cases = self.cases_with(version, "live.toml")?;
        let total = cases.len();
        let differs = on_all_cores(&cases, |case| {
            let real = Live::recorded(&self.result(version, case))?;
            let ours = match candidate {
                Candidate::Engine => Live::of_engine(version, &self.files(case)?),
                Candidate::Program(program) => Live::of_program(program, version, &self.rootfs(case))?,
            };
            Ok(ours.differs(&real).map(|why| (case.clone(), why)))
        })?;
        Ok(Tally { kind: "loaded", version: version.name().into(), total, differs })
    }

    fn rootfs(&self, case: &str) -> PathBuf {
        self.cases.join(case).join("rootfs")
    }

    fn result(&self, version: &Version, case: &str) -> PathBuf {
        self.results.join(version.name()).join(case)
    }
}

/// Compares what a version says to every TOML file of `folder`, each as a main configuration file: first whether it is
/// accepted, then, of those that are refused, the message.
/// `verdicts-VERSION.toml` has the real answers: file to message, empty where the file is accepted.
///
/// # Errors
/// Names the file that cannot be read.
pub fn toml_verdicts(folder: &Path, version: &'static Version) -> io::Result<Vec<Tally>> {
    let verdicts = folder.join(format!("verdicts-{}.toml", version.name()));
    if !verdicts.is_file() {
        return Ok(Vec::new());
    }
    let verdicts: BTreeMap<String, String> = toml::from_str(&fs::read_to_string(&verdicts)?)
        .map_err(|error| io::Error::other(format!("{}: {error}", verdicts.display())))?;
    let verdicts: Vec<(String, String)> = verdicts.into_iter().collect();
    let mut messages = on_all_cores(&verdicts, |(name, real)| {
        let mut tree = FileTree::new();
        tree.write(MAIN, fs::read(folder.join(format!("{name}.toml")))?);
        let answer = Answer::of_engine(version, &tree);
        let last = answer.stderr.iter().find(|line| !line.starts_with("level="));
        let ours = last.filter(|_| answer.exit != 0).map_or("", |line| first_line(line));
        Ok((ours != real).then(|| (name.clone(), ours.to_string(), real.clone())))
    })?;
    let show = |(name, ours, real): (String, String, String)| (name, format!("{ours:?}, real {real:?}"));
    let verdict_differs: Vec<_> =
        messages.extract_if(.., |(_, a, b)| a.is_empty() != b.is_empty()).map(show).collect();
    let refused = verdicts.iter().filter(|(_, real)| !real.is_empty()).count();
    let (version, total) = (Cow::from(version.name()), verdicts.len());
    Ok(vec![
        Tally { kind: "toml verdicts", version: version.clone(), total, differs: verdict_differs },
        Tally {
            kind: "toml messages",
            version,
            total: refused,
            differs: messages.into_iter().map(show).collect(),
        },
    ])
}

/// The verdicts were cut at the first break of a line, of which the recorder knows more kinds than one.
fn first_line(text: &str) -> &str {
    let breaks =
        ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];
    text.split(breaks).next().unwrap_or(text)
}

impl Tally {
    /// True where every case is equal.
    pub fn all_equal(&self) -> bool {
        self.differs.is_empty()
    }

    /// True where the version is good enough: every case is equal; of messages to files that no containerd meets, which
    /// may name an address in memory that no second run has, 99 of 100.
    pub fn passes(&self) -> bool {
        self.all_equal() || (self.kind == "toml messages" && self.differs.len() * 100 <= self.total)
    }

    /// The tally with at most so many of the cases that differ.
    pub fn shown(&self, most: usize) -> String {
        let mut text = format!("{self}\n");
        for (case, why) in self.differs.iter().take(most) {
            text.push_str(&format!("  {case}: {why}\n"));
        }
        match self.differs.len().saturating_sub(most) {
            0 => text,
            more => format!("{text}  and {more} more\n"),
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let equal = self.total - self.differs.len();
        write!(f, "{} {}: {equal} of {} equal", self.kind, self.version, self.total)
    }
}

/// Judges every item on all cores and gives back what was found, in the order of the items.
pub(crate) fn on_all_cores<T: Sync, R: Send>(
    items: &[T],
    judge: impl Fn(&T) -> io::Result<Option<R>> + Sync,
) -> io::Result<Vec<R>> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let part = items.len().div_ceil(cores).max(1);
    thread::scope(|scope| {
        let judge = &judge;
        let parts = items.chunks(part);
        let running: Vec<_> = parts
            .map(|part| scope.spawn(move || part.iter().filter_map(|i| judge(i).transpose()).collect()))
            .collect();
        let mut all = Vec::new();
        for thread in running {
            let found: io::Result<Vec<R>> = thread.join().expect("a judge catches the panics of the engine");
            all.extend(found?);
        }
        Ok(all)
    })
}

/// Reads a folder into a tree, below a path.
pub(crate) fn read_into(tree: &mut FileTree, folder: &Path, path: &str) -> io::Result<()> {
    for name in names(folder)? {
        let (file, path) = (folder.join(&name), format!("{path}/{name}"));
        if file.is_dir() {
            tree.make_folder(&path);
            read_into(tree, &file, &path)?;
        } else {
            tree.write(&path, fs::read(&file)?);
        }
    }
    Ok(())
}

/// The names in a folder, in byte order.
pub(crate) fn names(folder: &Path) -> io::Result<Vec<String>> {
    let name_it = |error| io::Error::other(format!("{}: {error}", folder.display()));
    let entries = fs::read_dir(folder).map_err(name_it)?;
    let mut names = entries
        .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
        .collect::<io::Result<Vec<_>>>()?;
    names.sort_unstable();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_shows_the_first_that_differ() {
        let differs = ["a", "b", "c"].map(|case| (case.to_string(), "line 1".to_string())).to_vec();
        let tally = Tally { kind: "dump", version: "1.7.27".into(), total: 5, differs };
        assert_eq!(tally.shown(1), "dump 1.7.27: 2 of 5 equal\n  a: line 1\n  and 2 more\n");
        assert_eq!(tally.shown(9), "dump 1.7.27: 2 of 5 equal\n  a: line 1\n  b: line 1\n  c: line 1\n");
    }
}
