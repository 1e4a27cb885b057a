//! The `fourgaps` program: the engine on a real node's own files. The only room with disk, arguments and output.

mod args;
mod cmd;
mod disk;
mod paint;

use args::{Args, Command};
use clap::Parser;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let ended = match &args.command {
        Command::Dump(given) => cmd::dump::run(given, &mut out),
        Command::Loaded(given) => cmd::loaded::run(given, &mut out),
        Command::Explain(given) => cmd::explain::run(given, &mut out),
        Command::Ablate(given) => cmd::ablate::run(given, &mut out),
        Command::Upgrade(given) => cmd::upgrade::run(given, &mut out),
        Command::Check(given) => cmd::check::run(given, &mut out),
        Command::Completions { shell } => cmd::completions::run(*shell, &mut out),
    };
    match ended.and_then(|code| out.flush().map(|()| code).map_err(cmd::Trouble::from)) {
        Ok(code) => ExitCode::from(code),
        // A reader that went away, such as `head`, is no fault.
        Err(cmd::Trouble::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("fourgaps: {trouble}");
            ExitCode::from(2)
        }
    }
}
