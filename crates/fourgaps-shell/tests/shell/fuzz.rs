//! Whatever is typed: no panic, and the tab lives.

use crate::toy::Term;
use proptest::prelude::*;

/// Pieces that lines are made of: what a shell takes apart, names that run something, and rubbish.
const PIECES: [&str; 80] = [
    " ",
    " ",
    " ",
    "\n",
    ";",
    "&",
    "&&",
    "||",
    "|",
    "|&",
    "!",
    "(",
    ")",
    "{ ",
    " }",
    "$(",
    "`",
    "'",
    "\"",
    "\\",
    "$",
    "${",
    "}",
    "${#",
    "${x:-",
    "$((",
    "))",
    "[[ ",
    " ]]",
    "[ ",
    " ]",
    "<",
    ">",
    ">>",
    "<<E\n",
    "\nE\n",
    "<<<",
    "2>&1",
    "<(",
    "*",
    "?",
    "[a-z]",
    "{1..3}",
    "~",
    "#",
    "=",
    "+=",
    "x=1",
    "a=(1 2)",
    "for i in ",
    "do ",
    "done",
    "while ",
    "if ",
    "then ",
    "fi",
    "case x in ",
    "esac",
    "f() ",
    "echo ",
    "cat ",
    "sed s/a/b/ ",
    "awk '{print $1}' ",
    "grep -n x ",
    "sort ",
    "jq . ",
    "xargs ",
    "told ",
    "ssh omen ",
    "sudo ",
    "ls -l ",
    "cp ",
    "rm -rf ",
    "/etc/containerd",
    "chmod +x ",
    "find . ",
    "é",
    "\u{0}",
    "\u{1b}[31m",
    "-n ",
];

fn line() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        20 => proptest::sample::select(&PIECES[..]).prop_map(String::from),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z0-9./-]{1,6}",
    ];
    proptest::collection::vec(piece, 1..14).prop_map(|pieces| pieces.concat())
}

#[test]
fn no_line_panics_or_kills_the_tab() {
    let mut term = Term::new();
    term.shell.limit_steps(300);
    assert!(term.shell.open("tab", "control"));
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let term = std::cell::RefCell::new(term);
    let played = runner.run(&line(), |line| {
        let mut term = term.borrow_mut();
        let _ = term.shell.needs_more(&line);
        let _ = term.shell.complete("tab", &line, line.len());
        let answer = term.run(&line);
        prop_assert!(!answer.err.contains("bashkit"), "{}", answer.err);
        prop_assert!(!answer.err.contains("internal error"), "{}", answer.err);
        let alive = term.run("builtin echo alive");
        prop_assert!(alive.out.contains("alive"), "{alive:?}");
        Ok(())
    });
    played.unwrap();
}
