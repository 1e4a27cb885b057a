//! Tab completion: names of programs at the start of a command, else words of the program, else files.

use crate::command::Caller;
use crate::login::Shared;
use crate::world::World;
use fourgaps_base::{FileTree, Files, Kind, join, sort};

/// What could stand at the cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Where the word at the cursor begins, in bytes.
    pub start: usize,
    /// Whole words that could stand there, in order. A folder ends with `/`.
    pub words: Vec<String>,
}

/// Where a login is and which names it added.
pub(crate) struct Place<'a> {
    pub host: &'a str,
    pub cwd: &'a str,
    pub home: &'a str,
    pub more_names: Vec<String>,
    /// What programs are handed down.
    pub env: &'a dyn Fn(&str) -> Option<String>,
}

pub(crate) fn complete<W: World>(
    shared: &Shared<W>,
    place: Place<'_>,
    line: &str,
    cursor: usize,
) -> Completion {
    let mut cursor = cursor.min(line.len());
    while !line.is_char_boundary(cursor) {
        cursor -= 1;
    }
    let before = &line[..cursor];
    let start =
        before.rfind([' ', '\t', '|', '&', ';', '(', '`', '<', '>', '=', '"', '\'']).map_or(0, |at| at + 1);
    let word = &before[start..];
    let command = before[..start].rsplit(['|', '&', ';', '(', '`', '\n']).next().unwrap_or_default();
    let mut words: Vec<String> = command.split_whitespace().map(String::from).collect();
    let mut host = place.host.to_string();
    let world = shared.world();
    let mut assigned: Vec<(String, String)> = Vec::new();
    // The words behind `sudo` and behind `ssh NODE` are a command of their own.
    loop {
        let first = words.first().map(String::as_str);
        if first.is_some_and(|first| first == "sudo" || first.contains('=')) {
            let word = words.remove(0);
            assigned.extend(word.split_once('=').map(|(name, value)| (name.into(), value.into())));
        } else if first == Some("ssh") && words.get(1).is_some_and(|node| world.machine(node).is_some()) {
            host = words.drain(..2).nth(1).unwrap_or_default();
            assigned.clear();
        } else {
            break;
        }
    }
    let is_redirect = before[..start].trim_end().ends_with(['<', '>']);
    let elsewhere = host != place.host;
    let files = |only_folders: bool| {
        let (cwd, home) = if elsewhere { ("/root", "/root") } else { (place.cwd, place.home) };
        file_words(world.files(&host), cwd, home, word, only_folders)
    };
    let mut found = match words.split_first() {
        _ if is_redirect => files(false),
        None if word.contains('/') => files(false),
        None => shared.names.iter().cloned().chain(place.more_names).collect(),
        Some((program, rest)) if program == "ssh" && rest.iter().all(|word| word.starts_with('-')) => {
            world.hosts()
        }
        Some((program, _)) if program == "cd" || program == "rmdir" => files(true),
        Some((program, rest)) => {
            let program = shared.commands.iter().rev().find(|command| command.name() == program);
            let env = |name: &str| {
                let here = assigned.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value);
                here.cloned().or_else(|| (place.env)(name).filter(|_| !elsewhere))
            };
            let caller = Caller { env: &env, cwd: place.cwd };
            let offered =
                program.map(|command| command.complete_in(&world, &host, rest, caller)).unwrap_or_default();
            if offered.iter().any(|offer| offer.starts_with(word)) { offered } else { files(false) }
        }
    };
    // Options stand back where something else could be meant too.
    let hide = word.is_empty() && found.iter().any(|candidate| !candidate.starts_with('-'));
    found.retain(|candidate| candidate.starts_with(word) && !(hide && candidate.starts_with('-')));
    sort(&mut found);
    found.dedup();
    Completion { start, words: found }
}

/// Paths that begin with a word, written as the word is written.
fn file_words(tree: &FileTree, cwd: &str, home: &str, word: &str, only_folders: bool) -> Vec<String> {
    let (folder, name) = word.rfind('/').map_or(("", word), |at| word.split_at(at + 1));
    let path = match folder.strip_prefix("~/") {
        Some(rest) => join(home, rest),
        None if folder.starts_with('/') => fourgaps_base::clean(folder),
        None => join(cwd, folder),
    };
    let names = tree.list(&path).unwrap_or_default().into_iter();
    let names =
        names.filter(|entry| entry.starts_with(name) && (name.starts_with('.') || !entry.starts_with('.')));
    let shown = names.filter_map(|entry| {
        let real = tree.real(&join(&path, &entry), true).ok()?;
        let is_folder = tree.entry(&real).is_some_and(|entry| entry.kind == Kind::Folder);
        (is_folder || !only_folders).then(|| format!("{folder}{entry}{}", if is_folder { "/" } else { "" }))
    });
    shown.collect()
}
