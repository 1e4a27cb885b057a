//! The interpreter's words about itself, in those of this lab.

use bashkit::Error;

/// Text of standard error without the interpreter's name: what it has not built is not simulated here, and what it says of a
/// file it says as the program of that name does, with the path as it was given in the folder `cwd`.
pub(crate) fn plain_words(text: &str, cwd: &str) -> String {
    // What programs::guard refused.
    const REFUSED: &str = ": cancelled by before_tool hook";
    const UNKNOWN: &str = ": unrecognized option '";
    const IO: &str = ": io error: ";
    const LACKS: &str = "option(s) not yet implemented in bashkit: ";
    // A library that some of its programs read their options with.
    const ODD: &str = "error: unexpected argument '";
    let mut plain = String::with_capacity(text.len());
    let mut odd = None;
    for line in text.split_inclusive('\n') {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        let told =
            match (body.split_once(LACKS), body.strip_prefix(ODD).and_then(|rest| rest.split('\'').next())) {
                (Some((head, option)), _) => format!("{head}{option}: not simulated in this lab"),
                (None, Some(option)) => {
                    odd = Some(option);
                    continue;
                }
                _ => match (odd, body.strip_prefix("Usage: ")) {
                    (Some(option), Some(usage)) => {
                        let name = usage.split(' ').next().unwrap_or_default();
                        format!("{name}: {option}: not simulated in this lab")
                    }
                    (Some(_), None) => {
                        odd = odd.filter(|_| !body.starts_with("For more information"));
                        continue;
                    }
                    _ => match body.split_once(": invalid option -- ").or_else(|| body.split_once(UNKNOWN)) {
                        Some((name, option)) if !name.contains(' ') => {
                            let dash = if option.starts_with('-') { "" } else { "-" };
                            format!("{name}: {dash}{}: not simulated in this lab", option.trim_matches('\''))
                        }
                        // bash does not name the program, and quotes nothing.
                        _ if body.contains("getopts: ") && body.contains(" -- '") => {
                            body.replace("getopts: ", "").replace('\'', "")
                        }
                        _ if body == "missing ]" => "bash: [: missing `]'".into(),
                        _ => of_a_file(body, cwd).unwrap_or_else(|| {
                            body.replace(": resource limit exceeded: ", ": ")
                                .replace("bashkit", "this lab's shell")
                                .replace(IO, ": ")
                                .replace(REFUSED, ": these words: not simulated in this lab")
                        }),
                    },
                },
            };
        plain.push_str(&told);
        plain.push_str(end);
    }
    plain
}

/// What a program says of a file that it cannot read, in the words of the GNU programs.
fn of_a_file(line: &str, cwd: &str) -> Option<String> {
    const MISSING: &str = "No such file or directory";
    let (name, rest) = line.split_once(": ")?;
    let (file, why) = rest.rsplit_once(": ").filter(|(_, why)| [MISSING, "Is a directory"].contains(why))?;
    let programs =
        ["column", "comm", "diff", "head", "nl", "paste", "rev", "sort", "tac", "tail", "uniq", "wc"];
    // Some have said it in their own words already.
    if !programs.contains(&name) || file.starts_with("cannot ") || file.starts_with("error ") {
        return None;
    }
    let file = file.strip_prefix(cwd).and_then(|file| file.strip_prefix('/')).unwrap_or(file);
    Some(match (name, why) {
        ("head" | "tail", MISSING) => format!("{name}: cannot open '{file}' for reading: {why}"),
        ("head" | "tail", _) => format!("{name}: error reading '{file}': {why}"),
        ("sort", MISSING) => format!("sort: cannot read: {file}: {why}"),
        ("sort", _) => format!("sort: read failed: {file}: {why}"),
        ("tac", MISSING) => format!("tac: failed to open '{file}' for reading: {why}"),
        ("rev", MISSING) => format!("rev: cannot open {file}: {why}"),
        _ => format!("{name}: {file}: {why}"),
    })
}

/// What ended a line before its end, and the status that it leaves.
pub(crate) fn limit_text(error: &Error) -> (String, i32) {
    match error {
        Error::Parse { message, .. } => (message.clone(), 2),
        Error::ResourceLimit(limit) => (format!("the line was stopped: {limit}"), 1),
        error => (error.to_string(), 1),
    }
}

/// A text as one word of a script, whatever stands in it.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
