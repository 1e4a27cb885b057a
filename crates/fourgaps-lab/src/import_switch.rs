//! The one-click switch: takes a file in or out of the main file's `imports`, in the text itself.
//! Only entries that speak of the file change; every other byte, comments too, stays as it is.

use crate::import_list::{ImportList, quoted};
use crate::{Refusal, Scenario};
use fourgaps_base::{FileTree, Files, clean, join, parent};
use fourgaps_config::{Request, Version, dump};

/// The text of the main file with the import of a file switched on or off.
pub(crate) fn switched(
    scenario: &Scenario,
    files: &FileTree,
    path: &str,
    on: bool,
) -> Result<String, Refusal> {
    let main = &scenario.config;
    let refuse = |code, text| Refusal::of_path(code, main, text);
    let Some(version) = Version::named(&scenario.containerd) else {
        let text = format!("containerd {} is not built in", scenario.containerd);
        return Err(Refusal::new("no-such-version", &[("version", &scenario.containerd)], text));
    };
    let bytes = files.read(main).map_err(|_| refuse("no-main", "there is no main file {path}"))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| refuse("main-unreadable", UNREADABLE))?;
    let list = ImportList::find(text).ok_or_else(|| refuse("main-unreadable", UNREADABLE))?;
    let node = Node { version, files, main };
    if on { node.switch_on(text, &list, path) } else { node.switch_off(text, list, path) }
}

const UNREADABLE: &str =
    "the text of {path} cannot be read as TOML with a list of imports; mend it by hand first";

struct Node<'a> {
    version: &'static Version,
    files: &'a FileTree,
    main: &'a str,
}

impl Node<'_> {
    fn switch_on(&self, text: &str, list: &ImportList, path: &str) -> Result<String, Refusal> {
        if clean(path) == self.main {
            return Err(Refusal::of_path("is-main", path, "{path} is the main file itself"));
        }
        if self.files.read(path).is_err() {
            return Err(Refusal::of_path("no-such-file", path, "there is no file {path}"));
        }
        let loaded: Vec<Vec<String>> = list.entries.iter().map(|entry| self.expand(&entry.text)).collect();
        if loaded.iter().flatten().any(|file| file == path) {
            return Ok(text.to_string());
        }
        let at = loaded.iter().position(|files| files.first().is_some_and(|first| first.as_str() > path));
        let at = at.unwrap_or(loaded.len());
        let mut wanted: Vec<String> = loaded[..at].concat();
        wanted.push(path.to_string());
        wanted.extend(loaded[at..].concat());
        if let Some(pattern) = self.pattern_of(&wanted)
            && let Some(text) = list.replace_all(text, &pattern)
        {
            return Ok(text);
        }
        Ok(list.insert(text, at, path))
    }

    fn switch_off(&self, text: &str, mut list: ImportList, path: &str) -> Result<String, Refusal> {
        let mut text = text.to_string();
        let mut touched = false;
        while let Some((nth, mut rest)) = self.entry_with(&list, path) {
            rest.retain(|file| file != path);
            text = list.replace(&text, nth, &rest);
            touched = true;
            match ImportList::find(&text) {
                Some(found) => list = found,
                None => break,
            }
        }
        if !touched && let Some(by) = self.other_importer(path) {
            let text = format!("{path} is imported by {by}, not by {}", self.main);
            return Err(Refusal::new("imported-elsewhere", &[("path", path), ("by", &by)], text));
        }
        Ok(text)
    }

    /// The first entry that stands for a file, and all files that it stands for.
    fn entry_with(&self, list: &ImportList, path: &str) -> Option<(usize, Vec<String>)> {
        let loaded = list.entries.iter().map(|entry| self.expand(&entry.text));
        loaded.enumerate().find(|(_, files)| files.iter().any(|file| file == path))
    }

    /// The files that one entry of `imports` stands for. The engine itself expands it, on a disk where every
    /// file is empty, so that no file can fail and none can import another.
    fn expand(&self, entry: &str) -> Vec<String> {
        let mut path = clean(entry);
        if !path.starts_with('/') {
            path = join(parent(self.main), &path);
        }
        if !path.contains('*') {
            return vec![path];
        }
        let mut disk = FileTree::new();
        for (path, _) in self.files.iter() {
            disk.write(path, "");
        }
        disk.write(self.main, format!("version = 2\nimports = [{}]\n", quoted(entry)));
        let request = Request::new(self.version, &disk, self.main);
        let loaded = dump(&request).files.into_iter().map(|file| file.path);
        loaded.filter(|path| path != self.main).collect()
    }

    /// The pattern `FOLDER/*.toml` that stands for exactly these files in this order, if there is one.
    fn pattern_of(&self, wanted: &[String]) -> Option<String> {
        let folder = parent(wanted.first()?);
        let pattern = join(folder, "*.toml");
        (self.expand(&pattern) == wanted).then_some(pattern)
    }

    /// The file that imports this one, where it is not the main file.
    fn other_importer(&self, path: &str) -> Option<String> {
        let request = Request::new(self.version, self.files, self.main);
        let run = dump(&request);
        let (by, _) = run.files.iter().find(|file| file.path == path)?.imported_by.as_ref()?;
        run.files.iter().find(|file| file.id == *by).map(|file| file.path.clone())
    }
}

#[cfg(test)]
mod tests;
