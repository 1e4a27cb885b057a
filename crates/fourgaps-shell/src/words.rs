//! The interpreter's words about itself, in those of this lab.

use bashkit::Error;

/// Text of standard error without the interpreter's name: what it has not built is not simulated here.
pub(crate) fn plain_words(text: &str) -> String {
    // What programs::guard refused.
    const REFUSED: &str = ": cancelled by before_tool hook";
    const UNKNOWN: &str = ": unrecognized option '";
    const IO: &str = ": io error: ";
    const LACKS: &str = "option(s) not yet implemented in bashkit: ";
    if !text.contains("bashkit")
        && !text.contains(": resource limit exceeded: ")
        && !text.contains(": invalid option")
        && !text.contains(UNKNOWN)
        && !text.contains(IO)
        && !text.contains(REFUSED)
    {
        return text.to_string();
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        let told = match body.split_once(LACKS) {
            Some((head, option)) => format!("{head}{option}: not simulated in this lab"),
            None => match body.split_once(": invalid option -- ").or_else(|| body.split_once(UNKNOWN)) {
                Some((name, option)) if !name.contains(' ') => {
                    let dash = if option.starts_with('-') { "" } else { "-" };
                    format!("{name}: {dash}{}: not simulated in this lab", option.trim_matches('\''))
                }
                _ => body
                    .replace("resource limit exceeded: ", "")
                    .replace("bashkit", "this lab's shell")
                    .replace(IO, ": ")
                    .replace(REFUSED, ": these words: not simulated in this lab"),
            },
        };
        plain.push_str(&told);
        plain.push_str(end);
    }
    plain
}

/// What ended a line before its end, and the status that it leaves.
pub(crate) fn limit_text(error: &Error) -> (String, i32) {
    match error {
        Error::Parse { message, .. } => (message.clone(), 2),
        Error::ResourceLimit(limit) => (format!("the line was stopped: {limit}"), 1),
        error => (error.to_string(), 1),
    }
}
