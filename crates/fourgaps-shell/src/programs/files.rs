//! Programs that change files: `cp`, `mv`, `rm`, `rmdir`, `mkdir`, `chmod`, with GNU's words.

use super::ls::capital;
use super::options::{Accepts, Given};
use super::stat::Look;
use crate::command::{Call, Command};
use crate::disk::NOTHING;
use crate::world::World;
use fourgaps_base::{FileEdit, FileError, Files, Kind, join};
use std::sync::Arc;

/// One of these programs.
#[derive(Clone, Copy)]
pub(crate) struct FileProgram(&'static str);

impl FileProgram {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        ["cp", "mv", "rm", "rmdir", "mkdir", "chmod"].into_iter().map(Self)
    }
}

impl<W: World> Command<W> for FileProgram {
    fn name(&self) -> &str {
        self.0
    }

    fn help(&self) -> String {
        super::help::of(self.0).into()
    }

    fn run(&self, call: &mut Call<'_, W>) -> i32 {
        let name = self.0;
        let accepts = match name {
            "cp" => Accepts {
                letters: "rRapfvnTt:d",
                words: &[
                    ("recursive", "r"),
                    ("archive", "a"),
                    ("force", "f"),
                    ("verbose", "v"),
                    ("no-clobber", "n"),
                ],
            },
            "mv" => {
                Accepts { letters: "fvnTt:", words: &[("force", "f"), ("verbose", "v"), ("no-clobber", "n")] }
            }
            "rm" => {
                Accepts { letters: "rRfvd", words: &[("recursive", "r"), ("force", "f"), ("verbose", "v")] }
            }
            "mkdir" => {
                Accepts { letters: "pvm:", words: &[("parents", "p"), ("verbose", "v"), ("mode", "m:")] }
            }
            "rmdir" => Accepts { letters: "v", words: &[] },
            _ => Accepts { letters: "Rf", words: &[("recursive", "R"), ("silent", "f")] },
        };
        // `chmod -x FILE` takes away; it is no option.
        let (args, mode) = if name == "chmod" { split_mode(call.args) } else { (call.args.to_vec(), None) };
        let given = match accepts.parse(&args) {
            Ok(given) => given,
            Err(option) => return call.not_simulated(name, &option),
        };
        let missing = match name {
            "chmod" if mode.is_none() || given.rest.is_empty() => true,
            "cp" | "mv" => given.rest.is_empty(),
            "rm" => given.rest.is_empty() && !given.has('f'),
            _ => given.rest.is_empty(),
        };
        if missing {
            let operand = if name == "cp" || name == "mv" { "file operand" } else { "operand" };
            call.err(format!("{name}: missing {operand}\nTry '{name} --help' for more information.\n"));
            return 1;
        }
        let mut work = Work { call, name, given: &given, failed: false };
        match name {
            "cp" | "mv" => work.move_or_copy(),
            "rm" => given.rest.iter().for_each(|file| work.remove(file)),
            "rmdir" => given.rest.iter().for_each(|folder| work.remove_folder(folder)),
            "mkdir" => given.rest.iter().for_each(|folder| work.make_folder(folder)),
            _ => {
                let mode = mode.unwrap_or_default();
                given.rest.iter().for_each(|file| work.set_mode(file, &mode));
            }
        }
        i32::from(work.failed)
    }
}

/// Takes the mode out of the arguments of `chmod`: the first word that is none of its options.
fn split_mode(args: &[String]) -> (Vec<String>, Option<String>) {
    let is_option = |arg: &String| {
        arg.starts_with("--") || (arg.starts_with('-') && arg[1..].chars().all(|c| "Rfvc".contains(c)))
    };
    let Some(at) = args.iter().position(|arg| !is_option(arg)) else { return (args.to_vec(), None) };
    let mut rest = args.to_vec();
    let mode = rest.remove(at);
    (rest, Some(mode))
}

struct Work<'w, 'c, W> {
    call: &'w mut Call<'c, W>,
    name: &'static str,
    given: &'w Given,
    failed: bool,
}

impl<W: World> Work<'_, '_, W> {
    fn has(&self, letter: char) -> bool {
        self.given.has(letter)
    }

    fn fail(&mut self, text: &str) {
        self.call.err(format!("{}: {text}\n", self.name));
        self.failed = true;
    }

    fn say(&mut self, text: &str) {
        if self.has('v') {
            self.call.out(format!("{text}\n"));
        }
    }

    fn look(&self, path: &str, follow: bool) -> Result<Look, FileError> {
        Look::at(self.call.world.files(self.call.host), path, follow)
    }

    fn edit(&mut self, edit: FileEdit) -> Result<(), FileError> {
        self.call.world.edit(self.call.host, edit)
    }

    fn move_or_copy(&mut self) {
        let mut sources = self.given.rest.clone();
        let target = match self.given.value('t') {
            Some(folder) => folder.to_string(),
            None => sources.pop().unwrap_or_default(),
        };
        if sources.is_empty() {
            self.fail(&format!("missing destination file operand after '{target}'"));
            return self.call.err(format!("Try '{} --help' for more information.\n", self.name));
        }
        let into =
            self.look(&self.call.path(&target), true).is_ok_and(|look| look.is_folder()) && !self.has('T');
        if !into && (sources.len() > 1 || self.given.value('t').is_some()) {
            let text = if self.given.value('t').is_some() { "target directory" } else { "target" };
            let error = self.look(&self.call.path(&target), true).err().unwrap_or(FileError::NotADirectory);
            return self.fail(&format!("{text} '{target}': {}", capital(&error)));
        }
        for source in sources {
            let clean = source.trim_end_matches('/');
            let last = clean.rsplit('/').next().unwrap_or(clean);
            let slash = if target.ends_with('/') { "" } else { "/" };
            let target = if into { format!("{target}{slash}{last}") } else { target.clone() };
            if self.name == "cp" { self.copy(&source, &target) } else { self.rename(&source, &target) }
        }
    }

    fn copy(&mut self, source: &str, target: &str) {
        let (from, to) = (self.call.path(source), self.call.path(target));
        let recursive = self.has('r') || self.has('R') || self.has('a');
        let look = match self.look(&from, !(recursive || self.has('d'))) {
            Ok(look) => look,
            // A device; what comes out of it is nothing.
            Err(_) if from == NOTHING => {
                Look { kind: Kind::File(Arc::default()), mode: 0o644, changed_ms: 0, links: 1 }
            }
            Err(error) => return self.fail(&format!("cannot stat '{source}': {}", capital(&error))),
        };
        if look.is_folder() && !recursive {
            return self.fail(&format!("-r not specified; omitting directory '{source}'"));
        }
        let existing = self.look(&to, true).ok();
        if self.has('n') && existing.is_some() && !look.is_folder() {
            return;
        }
        let tree = self.call.world.files(self.call.host);
        if existing.is_some() && tree.real(&from, true) == tree.real(&to, true) {
            return self.fail(&format!("'{source}' and '{target}' are the same file"));
        }
        if look.is_folder() {
            if to == from || to.starts_with(&format!("{from}/")) {
                return self.fail(&format!("cannot copy a directory, '{source}', into itself, '{target}'"));
            }
            if existing.as_ref().is_some_and(|look| !look.is_folder()) {
                let text = format!("cannot overwrite non-directory '{target}' with directory '{source}'");
                return self.fail(&text);
            }
        } else if existing.as_ref().is_some_and(Look::is_folder) {
            return self.fail(&format!("cannot overwrite directory '{target}' with non-directory"));
        }
        let is_new = existing.is_none();
        let made = match &look.kind {
            Kind::Folder if is_new => self.edit(FileEdit::MakeFolder(to.clone())),
            Kind::Folder => Ok(()),
            Kind::File(bytes) => self.edit(FileEdit::Write(to.clone(), bytes.to_vec())),
            Kind::Link(goal) => {
                if !is_new || self.look(&to, false).is_ok() {
                    let _ = self.edit(FileEdit::Remove(to.clone()));
                }
                self.edit(FileEdit::Link(to.clone(), goal.clone()))
            }
        };
        if let Err(error) = made {
            let kind = if look.is_folder() { "directory" } else { "regular file" };
            return self.fail(&format!("cannot create {kind} '{target}': {}", capital(&error)));
        }
        self.say(&format!("'{source}' -> '{target}'"));
        let keep = self.has('p') || self.has('a');
        if !matches!(look.kind, Kind::Link(_)) && (is_new || keep) {
            let _ = self.edit(FileEdit::Chmod(to.clone(), look.mode));
        }
        if look.is_folder() {
            let names = self.call.world.files(self.call.host).list(&from).unwrap_or_default();
            for name in names {
                self.copy(&format!("{}/{name}", source.trim_end_matches('/')), &format!("{target}/{name}"));
            }
        }
        if keep && !matches!(look.kind, Kind::Link(_)) {
            let _ = self.edit(FileEdit::Touch(to, look.changed_ms));
        }
    }

    fn rename(&mut self, source: &str, target: &str) {
        let (from, to) = (self.call.path(source), self.call.path(target));
        if let Err(error) = self.look(&from, false) {
            return self.fail(&format!("cannot stat '{source}': {}", capital(&error)));
        }
        if self.has('n') && self.look(&to, false).is_ok() {
            return;
        }
        if from == to {
            return self.fail(&format!("'{source}' and '{target}' are the same file"));
        }
        if to.starts_with(&format!("{from}/")) {
            return self.fail(&format!("cannot move '{source}' to a subdirectory of itself, '{target}'"));
        }
        match self.edit(FileEdit::Rename(from, to)) {
            Ok(()) => self.say(&format!("renamed '{source}' -> '{target}'")),
            Err(FileError::IsDirectory) => {
                self.fail(&format!("cannot overwrite directory '{target}' with non-directory"));
            }
            Err(FileError::NotADirectory) if self.look(&self.call.path(target), false).is_ok() => {
                self.fail(&format!("cannot overwrite non-directory '{target}' with directory '{source}'"));
            }
            Err(error) => self.fail(&format!("cannot move '{source}' to '{target}': {}", capital(&error))),
        }
    }

    fn remove(&mut self, name: &str) {
        let path = self.call.path(name);
        let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or(name);
        if last == "." || last == ".." {
            return self.fail(&format!("refusing to remove '.' or '..' directory: skipping '{name}'"));
        }
        if path == "/" {
            self.fail("it is dangerous to operate recursively on '/'");
            return self.call.err("rm: use --no-preserve-root to override this failsafe\n");
        }
        match self.look(&path, false) {
            Err(FileError::NotFound | FileError::NotADirectory) if self.has('f') => {}
            Err(error) => self.fail(&format!("cannot remove '{name}': {}", capital(&error))),
            Ok(look) if look.is_folder() && (self.has('r') || self.has('R')) => {
                for below in self.call.world.files(self.call.host).list(&path).unwrap_or_default() {
                    self.remove(&format!("{}/{below}", name.trim_end_matches('/')));
                }
                self.take_away(name, path, "removed directory");
            }
            Ok(look) if look.is_folder() && self.has('d') => self.take_away(name, path, "removed directory"),
            Ok(look) if look.is_folder() => self.fail(&format!("cannot remove '{name}': Is a directory")),
            Ok(_) => self.take_away(name, path, "removed"),
        }
    }

    fn take_away(&mut self, name: &str, path: String, said: &str) {
        match self.edit(FileEdit::Remove(path)) {
            Ok(()) => self.say(&format!("{said} '{name}'")),
            Err(error) => self.fail(&format!("cannot remove '{name}': {}", capital(&error))),
        }
    }

    fn remove_folder(&mut self, name: &str) {
        let path = self.call.path(name);
        let done = match self.look(&path, false) {
            Ok(look) if !look.is_folder() => Err(FileError::NotADirectory),
            Ok(_) => self.edit(FileEdit::Remove(path)),
            Err(error) => Err(error),
        };
        match done {
            Ok(()) => self.say(&format!("rmdir: removing directory, '{name}'")),
            Err(error) => self.fail(&format!("failed to remove '{name}': {}", capital(&error))),
        }
    }

    fn make_folder(&mut self, name: &str) {
        let path = self.call.path(name);
        let mode = self.given.value('m').map(String::from);
        if self.has('p') {
            if self.look(&path, true).is_ok_and(|look| look.is_folder()) {
                return;
            }
            for head in name.match_indices('/').map(|(at, _)| &name[..at]).filter(|head| !head.is_empty()) {
                let path = self.call.path(head);
                let missing = matches!(self.look(&path, true), Err(FileError::NotFound));
                if missing && self.edit(FileEdit::MakeFolder(path)).is_ok() {
                    self.say(&format!("mkdir: created directory '{head}'"));
                }
            }
        }
        if let Err(error) = self.edit(FileEdit::MakeFolder(path.clone())) {
            return self.fail(&format!("cannot create directory '{name}': {}", capital(&error)));
        }
        self.say(&format!("mkdir: created directory '{name}'"));
        if let Some(mode) = mode {
            self.chmod(path, &mode);
        }
    }

    fn set_mode(&mut self, name: &str, mode: &str) {
        let path = self.call.path(name);
        match self.look(&path, true) {
            Err(error) => return self.fail(&format!("cannot access '{name}': {}", capital(&error))),
            Ok(look) => {
                self.chmod(path.clone(), mode);
                if !look.is_folder() || !self.has('R') || self.failed {
                    return;
                }
            }
        }
        for below in self.call.world.files(self.call.host).list(&path).unwrap_or_default() {
            let inner = join(&path, &below);
            if self.look(&inner, false).is_ok_and(|look| !matches!(look.kind, Kind::Link(_))) {
                self.set_mode(&format!("{}/{below}", name.trim_end_matches('/')), mode);
            }
        }
    }

    fn chmod(&mut self, path: String, mode: &str) {
        let Ok(look) = self.look(&path, true) else { return };
        match changed_mode(look.mode, look.is_folder(), mode) {
            Some(mode) => {
                let _ = self.edit(FileEdit::Chmod(path, mode));
            }
            None => {
                self.fail(&format!("invalid mode: ‘{mode}’"));
                self.call.err(format!("Try '{} --help' for more information.\n", self.name));
            }
        }
    }
}

/// The bits after `755` or `u+x,go-w` with the usual umask 022; `None` where that is no mode.
fn changed_mode(old: u32, is_folder: bool, mode: &str) -> Option<u32> {
    if !mode.is_empty() && mode.len() <= 5 && mode.bytes().all(|byte| (b'0'..b'8').contains(&byte)) {
        return u32::from_str_radix(mode, 8).ok().filter(|mode| *mode <= 0o7777);
    }
    let mut new = old;
    for clause in mode.split(',') {
        let at = clause.find(['+', '-', '='])?;
        let (who, mut rest) = clause.split_at(at);
        let all = who.is_empty() || who.contains('a');
        let mut mask = 0;
        for letter in who.chars() {
            mask |= match letter {
                'u' => 0o4700,
                'g' => 0o2070,
                'o' => 0o1007,
                'a' => 0o7777,
                _ => return None,
            };
        }
        // Without a letter the umask keeps its bits.
        let mask = if who.is_empty() {
            0o7777 & !0o022
        } else if all {
            0o7777
        } else {
            mask
        };
        while let Some(sign) = rest.chars().next() {
            let end = rest[1..].find(['+', '-', '=']).map_or(rest.len(), |at| at + 1);
            let mut bits = 0;
            for letter in rest[1..end].chars() {
                bits |= match letter {
                    'r' => 0o444,
                    'w' => 0o222,
                    'x' => 0o111,
                    'X' if is_folder || old & 0o111 != 0 => 0o111,
                    'X' => 0,
                    's' => 0o6000,
                    't' => 0o1000,
                    _ => return None,
                };
            }
            new = match sign {
                '+' => new | bits & mask,
                '-' => new & !(bits & mask),
                _ => new & !(mask & 0o777) | bits & mask,
            };
            rest = &rest[end..];
        }
    }
    Some(new)
}
