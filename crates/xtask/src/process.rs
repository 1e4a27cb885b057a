//! Child processes: their output is kept and shown only when it is needed, and a slow one shows that it is alive.

use crate::report::{Failure, Took};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How often a step that takes long says that it goes on.
const BEAT: Duration = Duration::from_secs(15);

/// A child process whose lines arrive one by one.
pub struct Running {
    /// The process.
    pub child: Child,
    /// Its lines from both streams, in order of arrival.
    pub lines: Receiver<String>,
}

/// Starts a command with both streams piped and no input.
///
/// # Errors
/// Names the program that could not be started.
pub fn start(command: &mut Command) -> Result<Running, Failure> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| {
        Failure::new(format!("`{}` cannot be started: {error}", command.get_program().to_string_lossy()))
    })?;
    let (sender, lines) = mpsc::channel();
    if let Some(stream) = child.stdout.take() {
        forward(stream, sender.clone());
    }
    if let Some(stream) = child.stderr.take() {
        forward(stream, sender);
    }
    Ok(Running { child, lines })
}

/// Runs a command to its end and gives back what it printed.
///
/// The output is shown while it comes where `verbose` is set, and otherwise only when the command fails.
///
/// # Errors
/// Names the command and how it ended.
pub fn run(command: &mut Command, verbose: bool) -> Result<String, Failure> {
    let mut output = String::new();
    run_into(command, verbose, &mut output)?;
    Ok(output)
}

/// Like [`run`], but what was printed is kept in `output` also where the command fails.
///
/// # Errors
/// Names the command and how it ended.
pub fn run_into(command: &mut Command, verbose: bool, output: &mut String) -> Result<(), Failure> {
    let began = Instant::now();
    let line = shown(command);
    if verbose {
        println!("    $ {line}");
    }
    let Running { mut child, lines } = start(command)?;
    let mut last = String::new();
    let mut next_beat = began + BEAT;
    loop {
        match lines.recv_timeout(next_beat.saturating_duration_since(Instant::now())) {
            Ok(text) => {
                if verbose {
                    println!("      {text}");
                }
                output.push_str(&text);
                output.push('\n');
                // A closing bracket tells nothing about what goes on.
                if text.chars().filter(|c| c.is_alphanumeric()).count() > 3 {
                    last = text;
                }
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if Instant::now() >= next_beat {
            next_beat += BEAT;
            if !verbose {
                println!("    … {}: {}", Took(began.elapsed()), last.trim());
            }
        }
    }
    let status = child.wait().map_err(|error| Failure::new(format!("`{line}`: {error}")))?;
    if status.success() {
        return Ok(());
    }
    if !verbose {
        for text in output.lines() {
            println!("      {text}");
        }
    }
    Err(Failure::new(format!("`{line}` ended with {status}")))
}

/// The output of a short command, or nothing where it cannot run or fails.
pub fn ask(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// A command as one would type it.
fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = [program].into_iter().chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn forward(stream: impl Read + Send + 'static, to: Sender<String>) {
    thread::spawn(move || {
        for line in BufReader::new(stream).split(b'\n') {
            let Ok(line) = line else { return };
            if to.send(String::from_utf8_lossy(&line).trim_end_matches('\r').to_string()).is_err() {
                return;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_named() {
        let failure = run(&mut Command::new("fourgaps-no-such-program"), false).unwrap_err();
        assert!(failure.what.starts_with("`fourgaps-no-such-program` cannot be started"), "{failure}");
        assert_eq!(ask(&mut Command::new("fourgaps-no-such-program")), None);
    }

    #[test]
    fn output_of_both_streams_is_kept() {
        let mut command = Command::new("rustc");
        let output = run(command.args(["--version", "--verbose"]), false).unwrap();
        assert!(output.contains("release: "), "{output}");
        let failure = run(Command::new("rustc").arg("--no-such-flag"), false).unwrap_err();
        assert!(failure.what.starts_with("`rustc --no-such-flag` ended with"), "{failure}");
    }
}
