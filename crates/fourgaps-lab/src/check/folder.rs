//! The content as a list of files, and the faults that were found in it.

use crate::Fault;
use fourgaps_base::Pos;
use std::collections::{BTreeMap, BTreeSet};

/// The content under check.
pub(super) struct Folder<'a> {
    files: &'a BTreeMap<String, Vec<u8>>,
    faults: Vec<Fault>,
}

impl<'a> Folder<'a> {
    pub fn new(files: &'a BTreeMap<String, Vec<u8>>) -> Self {
        Self { files, faults: Vec::new() }
    }

    /// The bytes of a file.
    pub fn bytes(&self, path: &str) -> Option<&'a [u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// The text of a file; bytes that are no text are a fault.
    pub fn text(&mut self, path: &str) -> Option<&'a str> {
        let bytes = self.bytes(path)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Some(text),
            Err(_) => {
                self.fault(path, Pos::default(), "this is not UTF-8 text");
                Some("")
            }
        }
    }

    /// Keeps the value, or notes the faults.
    pub fn parsed<T>(&mut self, result: Result<T, Vec<Fault>>) -> Option<T> {
        result.map_err(|faults| self.faults.extend(faults)).ok()
    }

    /// Notes a fault.
    pub fn fault(&mut self, path: &str, pos: Pos, message: impl Into<String>) {
        self.faults.push(Fault::at(path, pos, message));
    }

    /// Every file below a folder.
    pub fn files_below(&self, folder: &str) -> Vec<String> {
        self.files.keys().filter(|path| path.starts_with(folder)).cloned().collect()
    }

    /// The names of the folders right below a folder.
    pub fn folders_below(&self, folder: &str) -> BTreeSet<String> {
        let rest = self.files.keys().filter_map(|path| path.strip_prefix(folder));
        rest.filter_map(|rest| rest.split_once('/')).map(|(name, _)| name.to_string()).collect()
    }

    /// All faults in the order of files and places.
    pub fn into_faults(mut self) -> Vec<Fault> {
        self.faults.sort();
        self.faults.dedup();
        self.faults
    }
}
