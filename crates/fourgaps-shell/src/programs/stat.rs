//! What is known of a file besides its bytes, and `stat -c` that prints it.

use super::ls::capital;
use super::options::Accepts;
use crate::command::{Call, Command};
use crate::world::World;
use fourgaps_base::Civil;
use fourgaps_base::{FileError, FileTree, Files, Kind};

/// One look at a file, a folder or a link.
pub(crate) struct Look {
    pub kind: Kind,
    pub mode: u32,
    /// When its bytes changed last, in the time of the world's files.
    pub changed_ms: i64,
    /// Names of it: 1, or for a folder 2 and one for each folder in it.
    pub links: u64,
}

impl Look {
    pub(crate) fn at(tree: &FileTree, path: &str, follow: bool) -> Result<Self, FileError> {
        let path = tree.real(path, follow)?;
        let folders = |path: &str| {
            let names = tree.list(path).unwrap_or_default();
            let inner = names.iter().map(|name| fourgaps_base::join(path, name));
            let is_folder =
                |path: &String| matches!(tree.entry(path), Some(entry) if entry.kind == Kind::Folder);
            inner.filter(is_folder).count() as u64
        };
        let (kind, mode, changed_ms) = match tree.entry(&path) {
            Some(entry) => (entry.kind.clone(), entry.mode, entry.changed_ms),
            None if path == "/" => (Kind::Folder, 0o755, 0),
            None => return Err(FileError::NotFound),
        };
        let links = if kind == Kind::Folder { 2 + folders(&path) } else { 1 };
        Ok(Self { kind, mode, changed_ms, links })
    }

    pub(crate) fn is_folder(&self) -> bool {
        self.kind == Kind::Folder
    }

    /// Bytes: of a folder those of one block of the disk, of a link those of its target.
    pub(crate) fn size(&self) -> u64 {
        match &self.kind {
            Kind::File(bytes) => bytes.len() as u64,
            Kind::Folder => 4096,
            Kind::Link(target) => target.len() as u64,
        }
    }
}

/// `drwxr-xr-x`.
pub(crate) fn mode_text(look: &Look) -> String {
    let first = match look.kind {
        Kind::File(_) => '-',
        Kind::Folder => 'd',
        Kind::Link(_) => 'l',
    };
    let mut text = String::from(first);
    for (shift, special, letter) in [(6, 0o4000, 's'), (3, 0o2000, 's'), (0, 0o1000, 't')] {
        let bits = look.mode >> shift;
        text.push(if bits & 4 != 0 { 'r' } else { '-' });
        text.push(if bits & 2 != 0 { 'w' } else { '-' });
        text.push(match (look.mode & special != 0, bits & 1 != 0) {
            (true, true) => letter,
            (true, false) => letter.to_ascii_uppercase(),
            (false, true) => 'x',
            (false, false) => '-',
        });
    }
    text
}

pub(crate) struct Stat;

impl<W: World> Command<W> for Stat {
    fn name(&self) -> &str {
        "stat"
    }

    fn help(&self) -> String {
        super::help::of("stat").into()
    }

    fn run(&self, call: &mut Call<'_, W>) -> i32 {
        let accepts =
            Accepts { letters: "Lc:", words: &[("format", "c:"), ("dereference", "L"), ("printf", "p:")] };
        let given = match accepts.parse(call.args) {
            Ok(given) => given,
            Err(option) => return call.not_simulated("stat", &option),
        };
        let plain = given.value('p').map(|format| {
            let parts = format.split("\\\\").map(|part| part.replace("\\n", "\n").replace("\\t", "\t"));
            parts.collect::<Vec<_>>()
        });
        let (format, end) = match (given.value('c'), &plain) {
            (Some(format), _) => (format.to_string(), "\n"),
            (None, Some(parts)) if !parts.iter().any(|part| part.contains('\\')) => (parts.join("\\"), ""),
            (None, Some(_)) => return call.not_simulated("stat", "--printf with \\"),
            // The whole answer tells of inodes and devices, which a tree of files does not have.
            (None, None) => return call.not_simulated("stat", "without -c FORMAT"),
        };
        let mut status = 0;
        for name in &given.rest {
            match Look::at(call.world.files(call.host), &call.path(name), given.has('L')) {
                Ok(look) => match filled(
                    &format,
                    name,
                    &look,
                    call.world.epoch_ms().saturating_add_signed(look.changed_ms),
                ) {
                    Ok(text) => call.out(text + end),
                    Err(directive) => return call.not_simulated("stat", &format!("-c %{directive}")),
                },
                Err(error) => {
                    call.err(format!("stat: cannot statx '{name}': {}\n", capital(&error)));
                    status = 1;
                }
            }
        }
        status
    }
}

/// `changed_ms` is the time of its last change since 1970.
fn filled(format: &str, name: &str, look: &Look, changed_ms: u64) -> Result<String, char> {
    let mut text = String::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        let piece = match letters.next().unwrap_or('%') {
            '%' => "%".into(),
            'n' => name.to_string(),
            'N' => match &look.kind {
                Kind::Link(target) => format!("'{name}' -> '{target}'"),
                _ => format!("'{name}'"),
            },
            's' => look.size().to_string(),
            'a' => format!("{:o}", look.mode),
            'A' => mode_text(look),
            'F' => match &look.kind {
                Kind::File(bytes) if bytes.is_empty() => "regular empty file".into(),
                Kind::File(_) => "regular file".into(),
                Kind::Folder => "directory".into(),
                Kind::Link(_) => "symbolic link".into(),
            },
            'h' => look.links.to_string(),
            'U' | 'G' => "root".into(),
            'u' | 'g' => "0".into(),
            'Y' | 'Z' => (changed_ms / 1000).to_string(),
            'y' | 'z' => {
                let Civil { year, month, day, hour, minute, second, .. } = Civil::of_ms(changed_ms);
                let nanos = changed_ms % 1000 * 1_000_000;
                format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{nanos:09} +0000")
            }
            other => return Err(other),
        };
        text.push_str(&piece);
    }
    Ok(text)
}
