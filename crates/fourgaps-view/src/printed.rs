//! What a program printed, and the moment at which it did so.

use crate::moment;
use fourgaps_config::Version;
use fourgaps_config::daemon::{DaemonRun, log_value};
use fourgaps_config::toml::go_quoted;
use fourgaps_config::tools::Tools;

/// What a program gave back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// Standard output, with its line ends.
    pub stdout: String,
    /// Standard error, with its line ends.
    pub stderr: String,
    /// The exit status.
    pub exit: i32,
}

impl Printed {
    /// Standard output alone, and all went well.
    pub fn ok(stdout: impl Into<String>) -> Self {
        Self { stdout: stdout.into(), ..Self::default() }
    }

    /// Standard error alone: one line, without its end.
    pub fn fail(exit: i32, line: &str) -> Self {
        Self { stderr: format!("{line}\n"), exit, ..Self::default() }
    }

    /// An error of `crictl`: its last log line.
    pub fn fatal(stamp: &Stamp, why: &str) -> Self {
        Self { stderr: stamp.log(&format!("level=fatal msg={}", log_value(why))), exit: 1, ..Self::default() }
    }
}

impl Printed {
    /// A call that failed: a line of the client's library with `more` behind the error, and the last log line.
    pub(crate) fn failed_call(stamp: &Stamp, words: &str, why: &str, more: &str, last: &str) -> Self {
        // An error of several lines is set apart.
        let error = if why.contains('\n') {
            let lines: String = why.split('\n').map(|line| format!("\t{line}\n")).collect();
            format!("<\n{lines} >")
        } else {
            go_quoted(why)
        };
        let head = stamp.error_head("log.go:32");
        let fatal = Self::fatal(stamp, last);
        let stderr = format!("{head} {} err={error}{more}\n{}", go_quoted(words), fatal.stderr);
        Self { stderr, ..fatal }
    }
}

/// Who is asked, and when: what every client of the daemon needs.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The version of client and server.
    pub version: &'a Version,
    /// Its words.
    pub tools: &'a Tools,
    /// The process, while one runs.
    pub daemon: Option<&'a DaemonRun>,
    /// What the operating system says of its socket, where none runs: a process that was killed leaves it behind.
    pub dial: &'a str,
    /// When, and as which process.
    pub stamp: Stamp,
}

impl Asked<'_> {
    /// What is said of a socket that is not there.
    pub const NO_SOCKET: &'static str = "no such file or directory";
}

/// When a program ran, and as which process: what its log lines begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Milliseconds since 1970, in UTC.
    pub unix_ms: u64,
    /// The process.
    pub pid: u32,
}

impl Stamp {
    /// The text of a log line of `crictl`: `level=…` behind the time in whole seconds.
    pub fn log(&self, text: &str) -> String {
        format!("time=\"{}\" {text}\n", moment::seconds(self.unix_ms))
    }

    /// The same for the programs of containerd, which write the time in nanoseconds.
    pub fn log_nanos(&self, text: &str) -> String {
        format!("time=\"{}\" {text}\n", moment::nanos(self.unix_ms))
    }

    /// The head of an error line as Kubernetes writes it, for example `E0812 10:11:12.123456    4321 log.go:32]`.
    pub fn error_head(&self, place: &str) -> String {
        format!("E{} {:>7} {place}]", moment::month_day(self.unix_ms), self.pid)
    }
}
