//! The page: the release build that is tested and published, and the lab that is served to a learner.

use crate::house::House;
use crate::process::{Running, run, start};
use crate::report::{Failure, Outcome, Report, Took};
use crate::setup::Tools;
use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// Builds the page into `dist/` as it is published.
pub fn release(house: &House, tools: &Tools) -> Result<Outcome, Failure> {
    // Trunk never empties this folder, and what an older build left there would be copied into the page.
    let _ = fs::remove_dir_all(house.target.join("wasm-bindgen"));
    let mut command = trunk(house, tools);
    run(command.args(["build", "--release"]), house.verbose)?;
    Ok(Outcome::Done("in dist/".into()))
}

/// Builds and serves the lab until it is stopped; gives back false where it could not.
pub fn lab(house: &House, tools: &Tools, report: &mut Report, port: u16, dev: bool) -> bool {
    let mut served = None;
    let about = if dev { "a quick build" } else { "the build that is also published" };
    let ok = report.step("lab", about, || {
        free(port)?;
        served = Some(until_it_answers(house, tools, port, dev)?);
        Ok(Outcome::Done(String::new()))
    });
    let Some(Running { mut child, lines }) = served else { return ok };
    println!("\nfourgaps is at http://127.0.0.1:{port}/ (Ctrl+C ends it)\n");
    for line in lines {
        println!("{line}");
    }
    match child.wait() {
        Ok(status) if status.success() => true,
        _ => {
            println!("xtask: the server ended");
            false
        }
    }
}

fn trunk(house: &House, tools: &Tools) -> Command {
    let mut command = house.command(&tools.trunk);
    // Trunk reads NO_COLOR as a truth value and refuses the usual `1`.
    command.env("PATH", &tools.path).env("NO_COLOR", "true").env("RUST_BACKTRACE", "0");
    command
}

fn free(port: u16) -> Result<(), Failure> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::new(format!("port {port} cannot be used: {error}"))
            .mended_by("cargo xtask lab --port NUMBER with another one")),
    }
}

/// Starts trunk and waits for the first answer.
fn until_it_answers(house: &House, tools: &Tools, port: u16, dev: bool) -> Result<Running, Failure> {
    let mut command = trunk(house, tools);
    command.args(["serve", "--port", &port.to_string(), "--dist"]).arg(house.target.join("lab"));
    if !dev {
        command.arg("--release");
    }
    let began = Instant::now();
    let mut next_beat = Duration::from_secs(15);
    let mut running = start(&mut command)?;
    let mut output = Vec::new();
    loop {
        match running.lines.recv_timeout(Duration::from_millis(250)) {
            Ok(line) => {
                if house.verbose {
                    println!("      {line}");
                }
                output.push(line);
            }
            Err(RecvTimeoutError::Timeout) if answers(port) => return Ok(running),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if began.elapsed() >= next_beat {
            next_beat += Duration::from_secs(15);
            let last = output.last().map_or("", |line| line.trim());
            if !house.verbose {
                println!("    … {}: {last}", Took(began.elapsed()));
            }
        }
        if output.iter().any(|line| line.contains("error from build pipeline") || line.contains(" ERROR ")) {
            let _ = running.child.kill();
            break;
        }
    }
    let _ = running.child.wait();
    output.extend(running.lines.iter());
    if !house.verbose {
        for line in &output {
            println!("      {line}");
        }
    }
    Err(Failure::new("trunk could not build or serve the page"))
}

/// True where the server gives the page.
fn answers(port: u16) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        stream.write_all(b"GET / HTTP/1.0\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n\r\n")?;
        let mut head = [0; 12];
        stream.read_exact(&mut head)?;
        Ok(head.ends_with(b" 200"))
    };
    ask().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_told() {
        let held = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = held.local_addr().unwrap().port();
        assert!(free(port).unwrap_err().what.starts_with(&format!("port {port} cannot be used")));
        drop(held);
        assert!(!answers(port));
    }
}
