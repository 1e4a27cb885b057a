//! What was worked out before: a containerd that reads the same becomes the same.
//!
//! A start is by far the dearest thing that a node does, and a unit that keeps failing makes one every five seconds. So
//! every question that a start asks of the disk is kept with its answers. A later one that would be answered the same is
//! not worked out again. Nothing that can be seen depends on it.

use fourgaps_base::{FileError, FileTree, Files};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many are kept; the oldest goes first.
const MOST: usize = 128;

/// Results by what they depend on. Clones share it.
pub(crate) struct Memo<K, T>(Arc<Mutex<Vec<Known<K, T>>>>);

struct Known<K, T> {
    /// What the result depends on beside the disk.
    key: K,
    asked: Vec<Asked>,
    result: Arc<T>,
}

/// A question to the disk, and its answer.
enum Asked {
    Read(String, Result<Vec<u8>, FileError>),
    List(String, Option<Vec<String>>),
    Exists(String, bool),
}

impl Asked {
    fn still_holds(&self, files: &FileTree) -> bool {
        match self {
            Self::Read(path, Ok(bytes)) => files.read(path).is_ok_and(|now| *now == **bytes),
            Self::Read(path, Err(why)) => files.read(path).is_err_and(|now| now == *why),
            Self::List(path, names) => files.list(path) == *names,
            Self::Exists(path, exists) => files.exists(path) == *exists,
        }
    }
}

/// A disk that keeps what it is asked.
struct Listener<'f> {
    files: &'f FileTree,
    asked: RefCell<Vec<Asked>>,
}

impl Files for Listener<'_> {
    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, FileError> {
        let answer = self.files.read(path);
        let kept = answer.as_ref().map(|bytes| bytes.to_vec()).map_err(Clone::clone);
        self.asked.borrow_mut().push(Asked::Read(path.into(), kept));
        answer
    }

    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let answer = self.files.list(folder);
        self.asked.borrow_mut().push(Asked::List(folder.into(), answer.clone()));
        answer
    }

    fn exists(&self, path: &str) -> bool {
        let answer = self.files.exists(path);
        self.asked.borrow_mut().push(Asked::Exists(path.into(), answer));
        answer
    }
}

impl<K: PartialEq, T> Memo<K, T> {
    /// The result for this key and disk: a known one, or what `make` makes of the disk.
    pub fn get(&self, key: K, files: &FileTree, make: impl FnOnce(&K, &dyn Files) -> T) -> Arc<T> {
        let known = self.lock().iter().rev().find_map(|known| {
            let holds = known.key == key && known.asked.iter().all(|asked| asked.still_holds(files));
            holds.then(|| Arc::clone(&known.result))
        });
        known.unwrap_or_else(|| {
            let listener = Listener { files, asked: RefCell::default() };
            let result = Arc::new(make(&key, &listener));
            let mut all = self.lock();
            if all.len() == MOST {
                all.remove(0);
            }
            all.push(Known { key, asked: listener.asked.into_inner(), result: Arc::clone(&result) });
            result
        })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Known<K, T>>> {
        // Nothing is left half done in it by one that panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K, T> Default for Memo<K, T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K, T> Clone for Memo<K, T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// What is remembered is no part of a state.
impl<K, T> PartialEq for Memo<K, T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<K, T> fmt::Debug for Memo<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memo")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_asked_counts() {
        let memo = Memo::default();
        let mut files = FileTree::new();
        files.write("/a", "1");
        let mut made = 0;
        let mut number = |files: &FileTree| {
            *memo.get("key", files, |_, files| {
                made += 1;
                let _ = (files.read("/a").is_ok(), files.exists("/b"), files.list("/c"));
                made
            })
        };
        assert_eq!((number(&files), number(&files)), (1, 1));
        files.write("/x", "");
        assert_eq!(number(&files), 1);
        for (path, wanted) in [("/b", 2), ("/c/d", 3), ("/a", 4)] {
            files.write(path, "2");
            assert_eq!(number(&files), wanted);
        }
        files.write("/a", "1");
        assert_eq!(number(&files), 3, "it was so before");
    }
}
