//! `cargo xtask`: sets up, serves, tests and measures fourgaps. Nothing of the product needs it at run time.

mod args;
mod house;
mod page;
mod process;
mod report;
mod setup;
mod steps;

use args::Action;
use report::Report;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let args = match args::parse(&words) {
        Ok(args) => args,
        Err(wrong) => {
            eprintln!("xtask: {wrong}; `cargo xtask` alone prints what there is");
            return ExitCode::from(2);
        }
    };
    let Some(house) = house::House::find(&args) else {
        eprintln!("xtask: this is no checkout of fourgaps; run it by `cargo xtask` inside one");
        return ExitCode::from(2);
    };
    let mut report = Report::new();
    match &args.action {
        Action::Help => {
            print!("{}", args::HELP);
            return ExitCode::SUCCESS;
        }
        Action::Lab { port, dev } => {
            let served = setup::page_tools(&house, &mut report)
                .is_some_and(|tools| page::lab(&house, &tools, &mut report, *port, *dev));
            if served {
                return ExitCode::SUCCESS;
            }
        }
        Action::Test => steps::test(&house, &mut report),
        Action::Conformance(options) => steps::conformance(&house, &mut report, options),
        Action::Bench => steps::bench(&house, &mut report),
        Action::Setup => {
            setup::page_tools(&house, &mut report);
            report.step("chromium", "the browser of the end-to-end tests", || {
                setup::chromium(&house, &mut None)
            });
        }
    }
    report.summary();
    if report.all_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
