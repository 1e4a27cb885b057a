//! The files of one machine as the interpreter's file system. Links are followed by the interpreter's own layer.

use crate::login::Shared;
use crate::programs;
use crate::world::World;
use bashkit::time::{SystemTime, UNIX_EPOCH};
use bashkit::{DirEntry, FileType, FsBackend, Metadata, Result, async_trait};
use core::time::Duration;
use fourgaps_base::{Entry, FileEdit, FileError, FileTree, Files, Kind};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The device that no tree of files has, but every machine.
pub(crate) const NOTHING: &str = "/dev/null";
/// Where it lies.
const DEVICES: &str = "/dev";

pub(crate) struct Disk<W> {
    pub shared: Arc<Shared<W>>,
    pub host: String,
}

impl<W: World> Disk<W> {
    fn read_with<T>(&self, look: impl FnOnce(&FileTree) -> std::result::Result<T, FileError>) -> Result<T> {
        look(self.shared.world().files(&self.host)).map_err(refusal)
    }

    fn edit(&self, edit: FileEdit) -> Result<()> {
        self.shared.world().edit(&self.host, edit).map_err(refusal)
    }
}

impl<W: World> Disk<W> {
    /// What stands for a program of the machine, or for the folder of programs.
    fn program(&self, path: &str) -> Option<Entry> {
        match programs::is_folder(path) {
            true => Some(root()),
            false if self.shared.has_program(&self.host, path) => {
                Some(Entry { kind: Kind::File(Arc::default()), mode: 0o755, changed_ms: 0 })
            }
            false => None,
        }
    }
}

/// The words come from the system in small letters; the interpreter's programs print them as C does.
fn refusal(error: FileError) -> bashkit::Error {
    let kind = match error {
        FileError::NotFound => ErrorKind::NotFound,
        FileError::IsDirectory => ErrorKind::IsADirectory,
        FileError::NotADirectory => ErrorKind::NotADirectory,
        FileError::PermissionDenied => ErrorKind::PermissionDenied,
        FileError::Exists => ErrorKind::AlreadyExists,
        FileError::NotEmpty => ErrorKind::DirectoryNotEmpty,
        FileError::TooManyLinks | FileError::Other(_) => ErrorKind::Other,
    };
    let text = error.to_string();
    let text = text[..1].to_uppercase() + &text[1..];
    Error::new(kind, text).into()
}

fn not_simulated() -> bashkit::Error {
    Error::other("not simulated in this lab").into()
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn metadata(entry: &Entry, epoch_ms: u64) -> Metadata {
    let (file_type, size) = match &entry.kind {
        Kind::File(bytes) => (FileType::File, bytes.len()),
        Kind::Folder => (FileType::Directory, 4096),
        Kind::Link(target) => (FileType::Symlink, target.len()),
    };
    let at = UNIX_EPOCH + Duration::from_millis(epoch_ms.saturating_add_signed(entry.changed_ms));
    Metadata { file_type, size: size as u64, mode: entry.mode, modified: at, created: at }
}

fn root() -> Entry {
    Entry { kind: Kind::Folder, mode: 0o755, changed_ms: 0 }
}

#[async_trait]
impl<W: World> FsBackend for Disk<W> {
    async fn read(&self, path: &Path) -> Result<Vec<u8>> {
        if path == Path::new(NOTHING) {
            return Ok(Vec::new());
        }
        let read = self.read_with(|files| Ok(files.read(&text(path))?.into_owned()));
        match read {
            Err(_) if self.program(&text(path)).is_some() => Err(not_simulated()),
            read => read,
        }
    }

    async fn write(&self, path: &Path, content: &[u8]) -> Result<()> {
        if path == Path::new(NOTHING) {
            return Ok(());
        }
        self.edit(FileEdit::Write(text(path), content.to_vec()))
    }

    async fn append(&self, path: &Path, content: &[u8]) -> Result<()> {
        if path == Path::new(NOTHING) {
            return Ok(());
        }
        self.edit(FileEdit::Append(text(path), content.to_vec()))
    }

    async fn mkdir(&self, path: &Path, recursive: bool) -> Result<()> {
        let path = text(path);
        let missing: Vec<String> = self.read_with(|files| {
            let heads = path.match_indices('/').skip(1).map(|(at, _)| &path[..at]);
            let missing = heads.filter(|head| recursive && !files.exists(head));
            Ok(missing.map(String::from).collect())
        })?;
        for path in missing.into_iter().chain([path]) {
            self.edit(FileEdit::MakeFolder(path))?;
        }
        Ok(())
    }

    async fn remove(&self, path: &Path, recursive: bool) -> Result<()> {
        let path = text(path);
        if recursive {
            let below =
                self.read_with(|files| Ok(files.below(&path).map(String::from).collect::<Vec<_>>()))?;
            for path in below.into_iter().rev() {
                self.edit(FileEdit::Remove(path))?;
            }
        }
        self.edit(FileEdit::Remove(path))
    }

    async fn stat(&self, path: &Path) -> Result<Metadata> {
        let (path, epoch) = (text(path), self.shared.world().epoch_ms());
        self.read_with(|files| match files.entry(&path) {
            Some(entry) => Ok(metadata(entry, epoch)),
            None if path == "/" || path == DEVICES => Ok(metadata(&root(), epoch)),
            None if path == NOTHING => {
                Ok(Metadata { size: 0, file_type: FileType::File, mode: 0o666, ..metadata(&root(), epoch) })
            }
            None => Err(files.real(&path, false).err().unwrap_or(FileError::NotFound)),
        })
        .or_else(|why| self.program(&path).map(|entry| metadata(&entry, epoch)).ok_or(why))
    }

    async fn read_dir(&self, path: &Path) -> Result<Vec<DirEntry>> {
        let (path, epoch) = (text(path), self.shared.world().epoch_ms());
        self.read_with(|files| {
            let names = files.list(&path).ok_or(FileError::NotFound)?;
            let entry = |name: String| {
                let entry = files.entry(&fourgaps_base::join(&path, &name))?;
                Some(DirEntry { metadata: metadata(entry, epoch), name })
            };
            Ok(names.into_iter().filter_map(entry).collect())
        })
        .map_err(|why| if programs::is_folder(&path) { not_simulated() } else { why })
    }

    async fn exists(&self, path: &Path) -> Result<bool> {
        let path = text(path);
        let is_there = self.read_with(|files| {
            Ok(["/", DEVICES, NOTHING].contains(&&*path) || files.entry(&path).is_some())
        })?;
        Ok(is_there || self.program(&path).is_some())
    }

    async fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.edit(FileEdit::Rename(text(from), text(to)))
    }

    async fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        let (from, to) = (text(from), text(to));
        let (bytes, mode, is_new) = self.read_with(|files| {
            let bytes = files.read(&from)?.into_owned();
            let mode = files.entry(&files.real(&from, true)?).map_or(0o644, |entry| entry.mode);
            Ok((bytes, mode, !files.exists(&to)))
        })?;
        self.edit(FileEdit::Write(to.clone(), bytes))?;
        if is_new { self.edit(FileEdit::Chmod(to, mode)) } else { Ok(()) }
    }

    async fn symlink(&self, target: &Path, link: &Path) -> Result<()> {
        self.edit(FileEdit::Link(text(link), text(target)))
    }

    async fn read_link(&self, path: &Path) -> Result<PathBuf> {
        let path = text(path);
        self.read_with(|files| match files.entry(&path) {
            Some(Entry { kind: Kind::Link(target), .. }) => Ok(PathBuf::from(target)),
            Some(_) => Err(FileError::Other("invalid argument".into())),
            None => Err(FileError::NotFound),
        })
    }

    async fn chmod(&self, path: &Path, mode: u32) -> Result<()> {
        self.edit(FileEdit::Chmod(text(path), mode))
    }

    async fn set_modified_time(&self, path: &Path, time: SystemTime) -> Result<()> {
        let whole = |ms: u64| i64::try_from(ms).unwrap_or(i64::MAX);
        let since = whole(time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64);
        // One look: a second one in the same statement would wait for the first for ever.
        let (epoch, now) = {
            let world = self.shared.world();
            (whole(world.epoch_ms()), whole(world.now_ms()))
        };
        // A program of the interpreter takes the time of the host's clock, which is none of this world's: nothing is later
        // than now.
        let since = since.min(now);
        self.edit(FileEdit::Touch(text(path), since - epoch))
    }
}
