//! What lives on between lines, and what happens between machines.

use crate::term::Term;
use crate::toy::START_MS;

#[test]
fn a_simulated_command_gets_its_words_and_its_input() {
    let mut term = Term::new();
    let answer = term.run("printf 'a\\nb\\n' | told 3 'two words'");
    assert_eq!(answer.out, "control [\"3\", \"two words\"] \"a\\nb\\n\"\n");
    assert_eq!(answer.status, 3);
    assert_eq!(term.run("told --help").out, "told: says what it is given\n");
}

#[test]
fn ssh_runs_a_command_on_the_other_machine() {
    let mut term = Term::new();
    let answer = term.run("echo in | ssh omen 'told 7'");
    assert_eq!((answer.out.as_str(), answer.status), ("omen [\"7\"] \"in\\n\"\n", 7));
    assert_eq!(term.run("ssh omen \"echo 'a  b'\"").out, "a  b\n");
    assert_eq!(term.run("ssh omen echo 'a  b'").out, "a b\n");
    term.run("ssh omen 'echo new > /etc/containerd/new'; ");
    assert_eq!(term.run("ssh omen cat /etc/containerd/new; cat /etc/containerd/new").status, 1);
    let answer = term.run("ssh nowhere true");
    assert_eq!(answer.err, "ssh: Could not resolve hostname nowhere: Name or service not known\n");
    assert_eq!(answer.status, 255);
}

#[test]
fn a_login_changes_the_prompt_until_exit() {
    let mut term = Term::new();
    assert_eq!(term.shell.prompt("tab"), "$ ");
    term.run("ssh omen");
    assert_eq!(term.shell.prompt("tab"), "root@omen:~# ");
    term.run("cd /etc/containerd");
    assert_eq!(term.shell.prompt("tab"), "root@omen:/etc/containerd# ");
    assert_eq!(term.run("exit").shown, "logout\nConnection to omen closed.\n");
    assert_eq!(term.shell.prompt("tab"), "$ ");
}

#[test]
fn a_line_leaves_its_state_to_the_next() {
    let mut term = Term::new();
    let shown = term.shows(&["x=1; f() { echo f$1; }; cd /etc", "echo $x; f 2; pwd"]);
    assert_eq!(shown, "1\nf2\n/etc\n");
}

#[test]
fn sleep_is_virtual() {
    let mut term = Term::new();
    term.run("sleep 1.5; sleep 2m 1h");
    assert_eq!(term.world.lock().unwrap().now_ms - START_MS, 1_500 + 120_000 + 3_600_000);
}

#[test]
fn an_unknown_name_is_answered_plainly() {
    let answer = Term::new().run("kubctl get pods");
    assert_eq!((answer.err.as_str(), answer.status), ("bash: kubctl: command not found\n", 127));
    let answer = Term::new().run("kubectl get pods");
    assert_eq!((answer.err.as_str(), answer.status), ("kubectl: not simulated in this lab\n", 127));
}
