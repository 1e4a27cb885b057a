//! What the shell needs from outside: machines with files, and one clock.

use fourgaps_base::{FileEdit, FileError, FileTree};

/// What a login on a machine meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The user that a login becomes.
    pub user: String,
    /// The folder that a login starts in.
    pub home: String,
    /// The machine that the tabs start on; its prompt is a bare `$ `.
    pub control: bool,
    /// What `uname -r` prints, where the lab says it.
    pub kernel: Option<String>,
}

/// The simulated machines. The shell holds it behind a lock that it takes for one step at a time.
pub trait World: Send + 'static {
    /// The names that `ssh` reaches, in the order in which they are offered.
    fn hosts(&self) -> Vec<String>;

    /// A machine by its name.
    fn machine(&self, host: &str) -> Option<Machine>;

    /// The files of a machine, which exists.
    fn files(&self, host: &str) -> &FileTree;

    /// Changes a file of a machine, which exists.
    ///
    /// # Errors
    /// Says why the disk refuses; then nothing has changed.
    fn edit(&mut self, host: &str, edit: FileEdit) -> Result<(), FileError>;

    /// The moment at which the times in files begin, in milliseconds since 1970-01-01 UTC.
    fn epoch_ms(&self) -> u64 {
        0
    }

    /// The time now, in milliseconds since 1970-01-01 UTC.
    fn now_ms(&self) -> u64;

    /// Lets virtual time pass.
    fn wait(&mut self, ms: u64);
}
