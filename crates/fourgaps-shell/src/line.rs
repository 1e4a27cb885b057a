//! Questions about a line before it runs: is it whole, is it plain, does it ask for something that is not there.

use crate::login::MOST_LINE;
use bashkit::parser::Parser;

/// True for a line that is one command without pipes, lists, quotes or redirections.
pub(crate) fn is_plain(line: &str) -> bool {
    !line.contains(['|', '&', ';', '<', '>', '(', ')', '`', '\n', '"', '\'', '$', '{', '}', '*', '?', '\\'])
}

/// True for a line that starts a shell to type into: there is none inside another here.
pub(crate) fn starts_a_shell(line: &str) -> bool {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let is_before = |word: &str| ["sudo", "exec", "-E", "-H"].contains(&word);
    while words.first().is_some_and(|word| is_before(word)) {
        words.remove(0);
    }
    match words.split_first() {
        Some((&("bash" | "sh"), rest)) => {
            rest.iter().all(|word| ["-", "-i", "-l", "-il", "--login"].contains(word))
        }
        _ => false,
    }
}

/// What is refused of a line, or of a script.
pub(crate) fn refused(text: &str) -> Option<&'static str> {
    match text {
        text if measures_time(text) => Some("time"),
        text if times_itself(text) => Some("SECONDS and EPOCHSECONDS in a line in which time may pass"),
        text if compares_times(text) => Some("-nt and -ot within [[ ]] (those of [ ] are there)"),
        text if prints_through_a_program(text) => Some("exec with a program behind it"),
        _ => None,
    }
}

/// True where `time` is to measure a command: the interpreter would measure the machine that we run on.
fn measures_time(line: &str) -> bool {
    let mut commands = line.split(['\n', ';', '|', '&', '(', '{']);
    commands.any(|command| command.split_whitespace().next() == Some("time"))
}

/// True where a line asks for how long it takes: those variables stand while a line runs.
fn times_itself(line: &str) -> bool {
    let passes = [
        "sleep",
        "watch",
        "wait",
        "next-event",
        "rollout",
        "reboot",
        "drain",
        "journalctl",
        "ssh",
        "bash",
        "sh ",
    ];
    let read = ["$SECONDS", "{SECONDS", "SECONDS-", "SECONDS -", "- SECONDS", "-SECONDS", "$EPOCH", "{EPOCH"];
    read.iter().any(|name| line.contains(name)) && passes.iter().any(|word| line.contains(word))
}

/// True where a shell sends what it prints through a program, as in `exec > >(tee log)`: the interpreter prints past it.
fn prints_through_a_program(text: &str) -> bool {
    let mut commands = text.split(['\n', ';']).map(str::trim_start);
    commands.any(|command| command.starts_with("exec ") && command.contains(">("))
}

/// What is said where a text asks which command runs.
pub(crate) const COMMAND: (&str, &str) = ("BASH_COMMAND", "(which command it is: not simulated in this lab)");

/// True where `[[` compares the times of two files: the interpreter looks for them in the root folder.
fn compares_times(line: &str) -> bool {
    let mut tests = line.split("[[").skip(1).map(|rest| rest.split("]]").next().unwrap_or(rest));
    tests.any(|test| test.split_whitespace().any(|word| word == "-nt" || word == "-ot"))
}

/// True where bash would ask for another line with its second prompt: an open quote, loop or here-document, or
/// a line that ends in `\`, `|`, `&&` or `||`.
pub(crate) fn needs_more(line: &str) -> bool {
    if line.len() > MOST_LINE {
        return false;
    }
    match Parser::new(line).parse() {
        Err(error) => ends_too_early(&error.to_string()),
        // A bracket that nothing opened is an error, unless a here-document swallows it.
        Ok(_) => Parser::new(&format!("{line}\n)")).parse().is_ok() || goes_on(line) || is_open(line),
    }
}

/// True where an array, `$(`, `$((` or `${` is still open: the interpreter's parser lets some of them pass.
fn is_open(line: &str) -> bool {
    let mut open: Vec<char> = Vec::new();
    let (mut letters, mut before) = (line.chars().peekable(), ' ');
    while let Some(letter) = letters.next() {
        let quoted = open.last() == Some(&'"');
        match letter {
            '\\' => drop(letters.next()),
            '\'' if !quoted => drop(letters.by_ref().find(|letter| *letter == '\'')),
            '#' if !quoted && before.is_whitespace() => drop(letters.by_ref().find(|letter| *letter == '\n')),
            '"' if quoted => drop(open.pop()),
            '"' => open.push('"'),
            '(' if before == '$' || !quoted && (before == '=' || open.last() == Some(&')')) => open.push(')'),
            '{' if before == '$' => open.push('}'),
            close if open.last() == Some(&close) => drop(open.pop()),
            _ => {}
        }
        before = letter;
    }
    !open.is_empty()
}

fn ends_too_early(error: &str) -> bool {
    ["unexpected end of", "unexpected EOF", "unterminated"].iter().any(|words| error.contains(words))
}

fn goes_on(line: &str) -> bool {
    let backslashes = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
    let trimmed = line.trim_end();
    let joins = trimmed.ends_with("&&") || trimmed.ends_with('|');
    // In a comment the same letters join nothing: there a `;` behind them is no error.
    backslashes % 2 == 1 || joins && Parser::new(&format!("{trimmed} ;")).parse().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_lines_are_known() {
        for more in [
            "for i in 1 2",
            "for i in 1 2; do",
            "if true; then",
            "while :",
            "case a in",
            "f() {",
            "echo 'a",
            "echo \"a",
            "echo $(",
            "echo `a",
            "cat <<E",
            "cat <<E\nline",
            "cat <<'E' | sort\nx",
            "echo a &&",
            "echo a ||",
            "echo a |",
            "echo a \\",
            "{ echo",
            "( echo a",
            "[[ a ==",
            "x=(1 2",
            "cat <<A <<B\na\nA\nb",
            "echo a && ",
            "if a; then\nb\nelse",
        ] {
            assert!(needs_more(more), "{more:?}");
        }
        for whole in [
            "",
            "echo a",
            "echo 'a'",
            "for i in 1; do echo; done",
            "cat <<E\nx\nE",
            "echo a # b &&",
            "echo a \\\\",
            "echo )",
            "cat <<< x",
            "echo $((1<<2))",
            "a & ",
            "f() { :; }",
            "echo '<<E'",
            "# for",
            "echo \"a\nb\"",
            "fi",
            ";;",
            "echo a;",
            "echo \\&\\&",
            "x=(1 2)",
            "x=(a $(b) \")\")",
            "echo $(case x in a) echo y;; esac)",
            "echo ${a#(} it\\'s # (",
            "echo $'('",
        ] {
            assert!(!needs_more(whole), "{whole:?}");
        }
    }

    #[test]
    fn a_shell_inside_a_shell_is_known() {
        for starts in ["bash", " sh ", "sudo bash", "exec bash -l", "sudo -E bash -i"] {
            assert!(starts_a_shell(starts), "{starts:?}");
        }
        for starts_not in
            ["bash -c ls", "sh x", "bash < f", "echo x | bash", "sudo", "bashful", "exec 3> bash"]
        {
            assert!(!starts_a_shell(starts_not), "{starts_not:?}");
        }
    }
}
