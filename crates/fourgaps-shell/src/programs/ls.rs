//! `ls` as GNU prints it where standard output is no terminal: one name a line.

use super::options::{Accepts, Given};
use crate::command::{Call, Command};
use crate::programs::stat::{Look, mode_text};
use crate::world::World;
use fourgaps_base::{Civil, MONTHS, sort, sort_by, sort_by_key};
use fourgaps_base::{FileError, FileTree, Files, Kind, join};

pub(crate) struct Ls;

const ACCEPTS: Accepts<'_> = Accepts {
    letters: "1aAdlrtSRhFpnU",
    words: &[
        ("all", "a"),
        ("almost-all", "A"),
        ("directory", "d"),
        ("reverse", "r"),
        ("recursive", "R"),
        ("human-readable", "h"),
        ("classify", "F"),
        ("color", "c?"),
        ("full-time", "T"),
        ("time-style", "s:"),
        ("group-directories-first", "D"),
    ],
};

impl<W: World> Command<W> for Ls {
    fn name(&self) -> &str {
        "ls"
    }

    fn help(&self) -> String {
        super::help::of("ls").into()
    }

    fn run(&self, call: &mut Call<'_, W>) -> i32 {
        let given = match ACCEPTS.parse(call.args) {
            Ok(given) => given,
            Err(option) => return call.not_simulated("ls", &option),
        };
        if let Some(style) = given.value('s').filter(|style| !["full-iso", "long-iso", "iso"].contains(style))
        {
            let style = format!("--time-style={style}");
            return call.not_simulated("ls", &style);
        }
        if given.value('c').is_some_and(|when| when == "always") {
            return call.not_simulated("ls", "--color=always");
        }
        let (now_ms, epoch_ms) = (call.world.now_ms(), call.world.epoch_ms());
        let here = [String::from(".")];
        let named = if given.rest.is_empty() { &here[..] } else { &given.rest };
        let mut listing = Listing { given: &given, now_ms, epoch_ms, text: String::new() };
        let (mut missing, mut files, mut folders) = (Vec::new(), Vec::new(), Vec::new());
        let tree = call.world.files(call.host);
        for name in named {
            let path = call.path(name);
            // A link that is named is shown itself only in the long form.
            let long = given.has('l') || given.has('d') || given.has('F');
            match Look::at(tree, &path, !long || name.ends_with('/')) {
                Ok(look) if look.is_folder() && !given.has('d') => folders.push((name.clone(), path)),
                Ok(look) => files.push((name.clone(), look)),
                // A link to nowhere is still something.
                Err(error) => match Look::at(tree, &path, false) {
                    Ok(look) if !name.ends_with('/') => files.push((name.clone(), look)),
                    _ => missing.push((name.clone(), error)),
                },
            }
        }
        listing.sort(&mut files);
        sort(&mut folders);
        if given.has('r') {
            folders.reverse();
        }
        listing.entries(&files);
        let several = named.len() > 1 || given.has('R');
        let mut at_start = files.is_empty();
        for (name, path) in folders {
            listing.folder(tree, &name, &path, several, &mut at_start);
        }
        let text = std::mem::take(&mut listing.text);
        let failed = !missing.is_empty();
        for (name, error) in missing {
            call.err(format!("ls: cannot access '{name}': {}\n", capital(&error)));
        }
        call.out(text);
        if failed { 2 } else { 0 }
    }
}

/// The words of `strerror`: Go's with a capital letter.
pub(crate) fn capital(error: &FileError) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
        .unwrap_or_default()
}

struct Listing<'a> {
    given: &'a Given,
    now_ms: u64,
    /// Where the times of files begin.
    epoch_ms: u64,
    text: String,
}

impl Listing<'_> {
    fn folder(&mut self, tree: &FileTree, name: &str, path: &str, titled: bool, at_start: &mut bool) {
        let has = |letter| self.given.has(letter);
        let mut found: Vec<(String, Look)> = Vec::new();
        let dots = if has('a') { &[".", ".."][..] } else { &[] };
        let names = tree.list(path).unwrap_or_default();
        let names =
            names.iter().map(String::as_str).filter(|name| has('a') || has('A') || !name.starts_with('.'));
        for name in dots.iter().copied().chain(names) {
            found.extend(Look::at(tree, &join(path, name), false).ok().map(|look| (name.to_string(), look)));
        }
        self.sort(&mut found);
        if titled {
            let gap = if *at_start { "" } else { "\n" };
            self.text.push_str(&format!("{gap}{name}:\n"));
        }
        *at_start = false;
        if self.is_long() {
            let blocks: u64 = found.iter().map(|(_, look)| look.size().div_ceil(4096) * 4).sum();
            let total = if has('h') { human(blocks * 1024) } else { blocks.to_string() };
            self.text.push_str(&format!("total {total}\n"));
        }
        self.entries(&found);
        if self.given.has('R') {
            let inner = found.iter().filter(|(name, look)| look.is_folder() && name != "." && name != "..");
            for (below, _) in inner {
                self.folder(tree, &format!("{name}/{below}"), &join(path, below), true, at_start);
            }
        }
    }

    fn is_long(&self) -> bool {
        ['l', 'n', 'T'].into_iter().any(|letter| self.given.has(letter))
    }

    fn sort(&self, entries: &mut [(String, Look)]) {
        if !self.given.has('U') {
            sort_by(entries, |(a, _), (b, _)| a.cmp(b));
        }
        if self.given.has('t') {
            sort_by_key(entries, |(_, look)| std::cmp::Reverse(look.changed_ms));
        } else if self.given.has('S') {
            sort_by_key(entries, |(_, look)| std::cmp::Reverse(look.size()));
        }
        if self.given.has('r') {
            entries.reverse();
        }
        if self.given.has('D') {
            sort_by_key(entries, |(_, look)| !look.is_folder());
        }
    }

    fn entries(&mut self, entries: &[(String, Look)]) {
        if !self.is_long() {
            let lines: String = entries.iter().map(|(name, look)| self.shown(name, look) + "\n").collect();
            self.text.push_str(&lines);
            return;
        }
        let rows: Vec<[String; 6]> = entries.iter().map(|(name, look)| self.row(name, look)).collect();
        let width = |at: usize| rows.iter().map(|row| row[at].len()).max().unwrap_or(0);
        let (links, owner, size, time) = (width(1), width(2), width(3), width(4));
        for [mode, link, who, bytes, at, name] in &rows {
            let line = format!("{mode} {link:>links$} {who:<owner$} {bytes:>size$} {at:>time$} {name}\n");
            self.text.push_str(&line);
        }
    }

    fn row(&self, name: &str, look: &Look) -> [String; 6] {
        let owner = if self.given.has('n') { "0" } else { "root" };
        let who = format!("{owner} {owner}");
        let size = if self.given.has('h') { human(look.size()) } else { look.size().to_string() };
        let name = match &look.kind {
            Kind::Link(target) => format!("{name} -> {target}"),
            _ => self.shown(name, look),
        };
        [
            mode_text(look),
            look.links.to_string(),
            who,
            size,
            self.time(self.epoch_ms.saturating_add_signed(look.changed_ms)),
            name,
        ]
    }

    fn time(&self, at_ms: u64) -> String {
        let civil = Civil::of_ms(at_ms);
        let Civil { year, month, day, hour, minute, second, .. } = civil;
        let style = if self.given.has('T') { Some("full-iso") } else { self.given.value('s') };
        match style {
            Some("full-iso") => format!(
                "{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{:09} +0000",
                at_ms % 1000 * 1_000_000
            ),
            Some("long-iso") => format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}"),
            iso => {
                // The time of day is shown for the last half year, as GNU counts it; else the year.
                let half_year_ms = 31_556_952_000 / 2;
                let recent = at_ms <= self.now_ms && self.now_ms - at_ms < half_year_ms;
                match (iso, recent) {
                    (Some(_), true) => format!("{month:02}-{day:02} {hour:02}:{minute:02}"),
                    (Some(_), false) => format!("{year}-{month:02}-{day:02} "),
                    (None, true) => format!("{} {day:>2} {hour:02}:{minute:02}", MONTHS[month as usize - 1]),
                    (None, false) => format!("{} {day:>2}  {year}", MONTHS[month as usize - 1]),
                }
            }
        }
    }

    /// A name with the sign that `-F` or `-p` puts behind it.
    fn shown(&self, name: &str, look: &Look) -> String {
        let sign = match &look.kind {
            Kind::Folder if self.given.has('F') || self.given.has('p') => "/",
            Kind::Link(_) if self.given.has('F') && !self.given.has('l') => "@",
            Kind::File(_) if self.given.has('F') && look.mode & 0o111 != 0 => "*",
            _ => "",
        };
        format!("{name}{sign}")
    }
}

/// Sizes as `-h` rounds them: up, with one digit behind the point below ten.
fn human(bytes: u64) -> String {
    let (mut unit, mut scale) = (0, 1u64);
    while bytes.div_ceil(scale) >= 1024 && unit < 5 {
        scale *= 1024;
        unit += 1;
    }
    let tenths = (bytes * 10).div_ceil(scale);
    match unit {
        0 => bytes.to_string(),
        _ if tenths < 100 => {
            format!("{}.{}{}", tenths / 10, tenths % 10, ["", "K", "M", "G", "T", "P"][unit])
        }
        _ => format!("{}{}", bytes.div_ceil(scale), ["", "K", "M", "G", "T", "P"][unit]),
    }
}
