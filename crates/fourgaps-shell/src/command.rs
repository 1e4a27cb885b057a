//! A simulated program: what it is given, and what it gives back.

use crate::world::World;

/// One start of a simulated program.
pub struct Call<'a, W> {
    /// The words after the name.
    pub args: &'a [String],
    /// All of standard input; empty where nothing is piped in.
    pub stdin: &'a [u8],
    /// The folder that the caller is in.
    pub cwd: &'a str,
    /// The machine that it runs on.
    pub host: &'a str,
    /// The machines; the lock is held for this call.
    pub world: &'a mut W,
    pub(crate) env: &'a dyn Fn(&str) -> Option<String>,
    pub(crate) out: Vec<u8>,
    pub(crate) err: Vec<u8>,
}

impl<W> Call<'_, W> {
    /// Writes to standard output.
    pub fn out(&mut self, text: impl AsRef<[u8]>) {
        self.out.extend_from_slice(text.as_ref());
    }

    /// Writes to standard error.
    pub fn err(&mut self, text: impl AsRef<[u8]>) {
        self.err.extend_from_slice(text.as_ref());
    }

    /// The value of an exported variable.
    pub fn env(&self, name: &str) -> Option<String> {
        (self.env)(name)
    }

    /// An absolute clean path for a path as the caller wrote it.
    pub fn path(&self, path: &str) -> String {
        if path.starts_with('/') { fourgaps_base::clean(path) } else { fourgaps_base::join(self.cwd, path) }
    }

    /// Refuses in one clear line what the lab does not know; gives the status 2.
    pub fn not_simulated(&mut self, name: &str, what: &str) -> i32 {
        self.err(format!("{name}: {what}: not simulated in this lab\n"));
        2
    }
}

/// Who asks for words that could stand at the cursor.
#[derive(Clone, Copy)]
pub struct Caller<'a> {
    pub(crate) env: &'a dyn Fn(&str) -> Option<String>,
    pub(crate) cwd: &'a str,
}

/// A simulated program. One file each, which names everything that it accepts.
pub trait Command<W: World>: Send + Sync {
    /// The name that it is called by.
    fn name(&self) -> &str;

    /// Runs it; gives its exit status.
    fn run(&self, call: &mut Call<'_, W>) -> i32;

    /// A script that runs in place of the program, where what is asked for is that it runs other programs.
    fn script(&self, call: &mut Call<'_, W>) -> Option<String> {
        let _ = call;
        None
    }

    /// What `--help` prints: what of it is simulated. Empty where the command answers `--help` itself.
    fn help(&self) -> String {
        String::new()
    }

    /// The folder in which a machine has it; nothing on a machine without it.
    fn folder(&self, world: &W, host: &str) -> Option<&'static str> {
        let _ = (world, host);
        Some("/usr/bin")
    }

    /// As [`Command::complete`], for a command to which it matters what is exported and where the caller is.
    fn complete_in(&self, world: &W, host: &str, words: &[String], caller: Caller<'_>) -> Vec<String> {
        let _ = caller;
        self.complete(world, host, words)
    }

    /// Words that could stand where the cursor is. `words` are those before it, without the name.
    fn complete(&self, world: &W, host: &str, words: &[String]) -> Vec<String> {
        let _ = (world, host, words);
        Vec::new()
    }
}
