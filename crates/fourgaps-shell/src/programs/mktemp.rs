//! `mktemp` without chance: the letters follow from the virtual time, and from what is there already.

use super::ls::capital;
use super::options::Accepts;
use crate::command::{Call, Command};
use crate::world::World;
use fourgaps_base::{FileEdit, Files};

pub(crate) struct Mktemp;

impl<W: World> Command<W> for Mktemp {
    fn name(&self) -> &str {
        "mktemp"
    }

    fn help(&self) -> String {
        super::help::of("mktemp").into()
    }

    fn run(&self, call: &mut Call<'_, W>) -> i32 {
        let accepts = Accepts { letters: "dp:", words: &[("directory", "d"), ("tmpdir", "p:")] };
        let given = match accepts.parse(call.args) {
            Ok(given) if given.rest.len() <= 1 => given,
            Ok(given) => return call.not_simulated("mktemp", &given.rest[1]),
            Err(option) => return call.not_simulated("mktemp", &option),
        };
        let template = match (given.rest.first(), given.value('p')) {
            (Some(template), None) => template.clone(),
            (Some(template), Some(folder)) => format!("{folder}/{template}"),
            (None, folder) => format!("{}/tmp.XXXXXXXXXX", folder.unwrap_or("/tmp")),
        };
        let head = template.trim_end_matches('X');
        let letters = template.len() - head.len();
        if letters < 3 {
            call.err(format!("mktemp: too few X's in template ‘{template}’\n"));
            return 1;
        }
        let mut seed = call.world.now_ms();
        let name = loop {
            let name = format!("{head}{}", word(&mut seed, letters));
            if !call.world.files(call.host).exists(&call.path(&name)) {
                break name;
            }
        };
        let (path, is_folder) = (call.path(&name), given.has('d'));
        let made = match is_folder {
            true => FileEdit::MakeFolder(path.clone()),
            false => FileEdit::Write(path.clone(), Vec::new()),
        };
        let mode = FileEdit::Chmod(path, if is_folder { 0o700 } else { 0o600 });
        let done = call.world.edit(call.host, made).and_then(|()| call.world.edit(call.host, mode));
        match done {
            Ok(()) => {
                call.out(name + "\n");
                0
            }
            Err(error) => {
                let kind = if is_folder { "directory" } else { "file" };
                call.err(format!(
                    "mktemp: failed to create {kind} via template ‘{template}’: {}\n",
                    capital(&error)
                ));
                1
            }
        }
    }
}

/// Letters and digits from a linear congruential generator.
fn word(seed: &mut u64, letters: usize) -> String {
    const ALPHABET: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut letter = || {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(ALPHABET[(*seed >> 33) as usize % ALPHABET.len()])
    };
    (0..letters).map(|_| letter()).collect()
}
