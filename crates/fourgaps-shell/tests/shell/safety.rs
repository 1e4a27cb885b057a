//! What must end: every runaway line is stopped with a clear message, keeps what it printed, and leaves a usable tab.

use crate::term::Answer;
use crate::toy::Term;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs a line that must be stopped or end by itself with a message, and then asks the tab for a sign of life.
#[track_caller]
fn stopped(term: &mut Term, line: &str) -> Answer {
    let answer = term.run(line);
    let shown = &line[..line.len().min(60)];
    assert!(!answer.err.is_empty(), "{shown}: no message");
    assert!(!answer.err.contains("bashkit"), "{shown}: {:.300}", answer.err);
    assert!(answer.shown.len() < 12_000_000, "{shown}: {} bytes shown", answer.shown.len());
    assert_eq!(term.run("echo alive").out, "alive\n", "after {shown}");
    answer
}

/// A terminal whose lines may run fewer commands: without optimisation the usual number takes seconds.
fn hasty() -> Term {
    let mut term = Term::new();
    term.shell.limit_steps(2_000);
    assert!(term.shell.open("tab", "control"));
    term
}

#[test]
fn endless_loops_are_stopped() {
    let mut term = hasty();
    for line in [
        "while true; do :; done",
        "while :; do echo x; done > /dev/null",
        "for ((;;)); do :; done",
        "until false; do x=1; done",
        "while true; do true | true; done",
        "f() { f; }; f",
        "f() { f | f & }; f",
        ":(){ :|:& };:",
        "f() { (f); }; f",
        "f() { $(f); }; f",
        "eval 'while :; do :; done'",
        "bash -c 'while :; do :; done'",
        "ssh omen 'while :; do :; done'",
        "echo 'bash s' > s; bash s",
        "echo '. ./s' > s; . ./s",
        "while :; do ssh omen 'while :; do :; done'; done",
        "x=1; while [ $x -gt 0 ]; do x=$((x+1)); done",
    ] {
        stopped(&mut term, line);
    }
}

#[test]
fn endless_programs_are_stopped() {
    let mut term = hasty();
    for line in [
        "yes",
        "yes | cat",
        "awk 'BEGIN{while(1){}}'",
        "awk 'BEGIN{for(;;) print \"x\"}'",
        "sed ':a;ba' /etc/containerd/config.toml",
        "jq -n 'def f: f; f'",
        "jq -n '[range(1e12)]'",
        "jq -n 'last(repeat(1))'",
        "jq -n '1 | until(false; . + 1)'",
        "seq 1 1000000000",
        "for i in $(seq 1000); do printf '%9000d\\n' $i; done",
        "echo {1..100000000}",
        "printf '%1000000000d' 1",
        "cat /dev/zero",
        "awk 'function f(){f()} BEGIN{f()}'",
        "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; while :; do x=$x$x; done",
        "a=(); while :; do a+=(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx); done",
    ] {
        stopped(&mut term, line);
    }
}

#[test]
fn what_was_printed_before_stays() {
    let mut term = hasty();
    let answer = stopped(&mut term, "echo first; while true; do :; done");
    assert_eq!(answer.out, "first\n");
    let answer = stopped(&mut term, "i=0; while true; do echo line $i; i=$((i+1)); done");
    assert!(answer.out.starts_with("line 0\nline 1\n"), "{:.100}", answer.out);
}

#[test]
fn huge_lines_and_deep_nesting_are_refused() {
    let mut term = Term::new();
    let deep = |open: &str, close: &str, n: usize| format!("{}echo{}", open.repeat(n), close.repeat(n));
    for line in [
        format!("echo {}", "x".repeat(1_000_000)),
        deep("(", ")", 5_000),
        deep("$(", ")", 5_000),
        deep("{ ", ";}", 5_000),
        deep("if ", "; then :; fi", 5_000),
        format!("echo $(({}1{}))", "(".repeat(5_000), ")".repeat(5_000)),
        format!("[[ {}a{} ]]", "( ".repeat(5_000), " )".repeat(5_000)),
        format!("echo {}", "${x:-".repeat(5_000)),
        "|".repeat(100_000),
    ] {
        stopped(&mut term, &line);
    }
    assert!(!term.shell.needs_more(&"(".repeat(150_000)) || term.shell.needs_more("("));
}

#[test]
fn patterns_that_explode_end() {
    let mut term = Term::new();
    for line in [
        "[[ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa =~ ^(a+)+$b ]]; true",
        "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | grep -E '(a*)*b'; true",
        "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | grep -P '(a*)*b'; true",
        "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | sed -E 's/(a|aa)+$/x/'; true",
        "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; [[ $x == *a*a*a*a*a*a*a*a*a*b ]]; true",
        "echo a | grep -E 'a{1,100000}'; true",
        "shopt -s extglob; true",
        "[[ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa == +(a|aa|aaa)b ]]; true",
    ] {
        term.run(line);
        assert_eq!(term.run("echo alive").out, "alive\n", "after {line}");
    }
}

#[test]
fn honest_work_is_not_stopped() {
    let mut term = Term::new();
    assert_eq!(term.run("for i in $(seq 10000); do :; done; echo $i").out, "10000\n");
    assert_eq!(term.run("i=0; while [ $i -lt 10000 ]; do i=$((i+1)); done; echo $i").out, "10000\n");
    assert_eq!(term.run("seq 100000 | sort -rn | head -1").out, "100000\n");
    assert_eq!(term.run("for i in $(seq 2000); do echo $i | cat; done | tail -1").out, "2000\n");
    assert_eq!(term.run("f() { [ $1 -gt 0 ] && f $(($1-1)) || echo bottom; }; f 10").out, "bottom\n");
}

#[test]
fn ctrl_c_stops_a_line() {
    let mut term = Term::new();
    let handle = term.shell.stop_handle();
    handle.stop();
    assert_eq!(term.run("echo not stopped by an older mark").out, "not stopped by an older mark\n");
    term.stop_after_output(handle);
    let answer = term.run("echo started; while true; do :; done; echo never");
    assert_eq!((answer.status, answer.out.as_str()), (130, "started\n"));
    assert_eq!(term.run("echo $?").out, "130\n");
}

#[test]
fn the_host_gets_its_turn_and_may_stop_the_line_in_it() {
    let mut term = Term::new();
    let handle = term.shell.stop_handle();
    let turns = Arc::new(AtomicUsize::new(0));
    let counted = turns.clone();
    term.shell.on_pause(Arc::new(move || {
        if counted.fetch_add(1, Ordering::Relaxed) == 3 {
            handle.stop();
        }
        Box::pin(async {})
    }));
    let answer = term.run("while :; do true; done");
    assert_eq!((answer.status, turns.load(Ordering::Relaxed)), (130, 4));
}
