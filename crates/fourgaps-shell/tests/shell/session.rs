//! What lives on between lines, and what happens between machines.

use crate::toy::{START_MS, Term};

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

#[test]
fn what_a_name_is_is_told_as_by_bash() {
    let mut term = Term::new();
    term.run("alias ll='ls -l'; f() { :; }");
    assert_eq!(term.run("type -t ll f fc told ssh").out, "alias\nfunction\nbuiltin\nfile\nfile\n");
    assert_eq!(
        term.run("command -v ll told; type ll").out,
        "alias ll='ls -l'\n/usr/bin/told\nll is aliased to `ls -l'\n"
    );
    assert_eq!(term.run("type nope").err, "bash: type: nope: not found\n");
    // What bash has is known by its name, also where nobody simulates it.
    for name in ["fc", "suspend", "ulimit", "help"] {
        assert_eq!(term.run(name).err, format!("{name}: not simulated in this lab\n"));
        assert!(term.run(&format!("builtin {name}")).err.contains("not simulated"), "{name}");
        assert_eq!(term.run(&format!("sudo {name}")).err, format!("sudo: {name}: command not found\n"));
    }
    // Nothing of the questions stays.
    assert_eq!(term.run("type f > /dev/null; echo [$l$f$n]; set -u; command -v f").out, "[]\nf\n");
}

#[test]
fn a_script_runs_as_its_first_line_says() {
    let mut term = Term::new();
    term.run("mkdir -p /usr/local/bin b; cd b; printf '#!/bin/bash -e\\necho $UID $0\\nfalse\\necho no\\n' | tee s > /usr/local/bin/fix");
    assert_eq!(term.run("fix").err, "bash: /usr/local/bin/fix: Permission denied\n");
    term.run("chmod +x s /usr/local/bin/fix");
    for (line, out) in [
        ("fix", "0 /usr/local/bin/fix\n"),
        ("~/b/s", "0 /root/b/s\n"),
        ("\"$HOME/b/s\" x", "0 /root/b/s\n"),
        ("timeout 5 ./s", "0 ./s\n"),
        ("sudo ./s", "0 ./s\n"),
        ("bash -c ./s", "0 ./s\n"),
    ] {
        let answer = term.run(line);
        assert_eq!((answer.out.as_str(), answer.status), (out, 1), "{line}: {}", answer.err);
    }
    assert_eq!(term.run("cp s /usr/local/bin/ls; chmod +x /usr/local/bin/ls; ls -1").out, "s\n");
    term.run(
        "printf '#!/usr/bin/python3\\nprint(1)\\n' > s; printf '#!/bin/sh\\r\\necho\\r\\n' > t; chmod +x t",
    );
    assert_eq!(term.run("./s").err, "python3: not simulated in this lab\n");
    assert_eq!(term.run("./t").err, "bash: ./t: cannot execute: required file not found\n");
    assert_eq!(term.run("rm s; ./s").err, "bash: ./s: No such file or directory\n");
}

#[test]
fn a_login_hands_down_what_a_real_one_does() {
    let mut term = Term::new();
    let names = "HOME LANG LOGNAME PATH PWD SHELL SHLVL TERM USER";
    for line in ["env", "printenv", "ssh omen env"] {
        let out = term.run(line).out;
        let found: Vec<&str> = out.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        assert_eq!(found.join(" "), names, "{line}");
    }
    assert_eq!(term.run("echo $UID $EUID; bash -c 'echo $EUID $SHLVL'").out, "0 0\n0 2\n");
}

#[test]
fn an_older_line_comes_back_by_its_mark() {
    let mut term = Term::new();
    let answer = term.shows(&[
        "told a b",
        "!!",
        "sudo !!",
        "echo !$ !to:1",
        "echo '!!' \"wow!\"",
        "!nope",
        "history 3",
    ]);
    let told = "control [\"a\", \"b\"] \"\"\n";
    assert_eq!(
        answer,
        format!(
            "{told}told a b\n{told}sudo told a b\n{told}echo b a\nb a\n!! wow!\nbash: !nope: event not found\n    4  echo b a\n    5  echo '!!' \"wow!\"\n    6  history 3\n"
        )
    );
    assert_eq!(term.run("set +H").status, 0);
    assert_eq!(term.run("echo !!; set -H").out, "!!\n");
    assert_eq!(term.run("echo a!ec:0").out, "aecho\n");
    assert_eq!(term.run("sudo bash").err, "bash: a shell inside this one: not simulated in this lab\n");
}

#[test]
fn complaints_name_files_as_they_were_given() {
    let mut term = Term::new();
    term.run("cd /etc");
    for (line, err) in [
        ("sort nope", "sort: cannot read: nope: No such file or directory\n"),
        ("wc nope", "wc: nope: No such file or directory\n"),
        ("head nope", "head: cannot open 'nope' for reading: No such file or directory\n"),
        ("tail containerd", "tail: error reading 'containerd': Is a directory\n"),
        ("comm /nope containerd/config.toml", "comm: /nope: No such file or directory\n"),
        ("cat -@", "cat: -@: not simulated in this lab\n"),
        ("[ 1 -eq 1", "bash: [: missing `]'\n"),
        ("getopts a o -q", "bash: illegal option -- q\n"),
    ] {
        assert_eq!(term.run(line).err, err, "{line}");
    }
}

#[test]
fn a_script_is_refused_what_a_line_is() {
    let mut term = Term::new();
    term.run("printf 'time ls\\n' > t; printf 'exec > >(cat)\\necho a\\n' > e; printf '[%s\\n' '[ a -nt b ]]' > n; chmod +x t e n");
    for (line, what) in [
        ("./t", "bash: ./t: time"),
        ("bash t", "bash: t: time"),
        ("bash e; :", "bash: e: exec with a program behind it"),
        ("source n", "bash: n: -nt and -ot within [[ ]] (those of [ ] are there)"),
        ("ssh omen true; ~/e", "bash: /root/e: exec with a program behind it"),
        ("ssh omen 'cd /; time ls'", "bash: time"),
        ("exec 2> >(cat)", "bash: exec with a program behind it"),
    ] {
        let answer = term.run(line);
        assert_eq!(
            (answer.err, answer.status),
            (format!("{what}: not simulated in this lab\n"), 2),
            "{line}"
        );
    }
    // A strict script that asks for the command that failed goes on.
    term.run("printf '#!/bin/bash\\nset -eu\\ntrap \"echo failed: \\$BASH_COMMAND\" ERR\\nfalse\\n' > s; chmod +x s");
    let said = "failed: (which command it is: not simulated in this lab)\n";
    assert_eq!(term.run("./s").out, said);
    assert_eq!(term.run("set -u; trap 'echo failed: $BASH_COMMAND' ERR; false").out, said);
}

#[test]
fn what_a_function_or_a_script_has_read_is_gone_for_its_loop() {
    let mut term = Term::new();
    term.run("cd /tmp; printf 'omen\\nrem\\n' > hosts; printf 'cat\\n' > c; printf '#!/bin/bash\\nssh omen ls\\n' > s; chmod +x s");
    term.run("up() { ssh $1 hostname; }; ask() { read -r answer; echo \"$1: $answer\"; }; plain() { echo $1 | cat; }");
    for (line, out) in [
        ("while read h; do up $h; done < hosts", "omen\n"),
        ("while read h; do plain $h; done < hosts", "omen\nrem\n"),
        ("while read h; do echo $h; bash c; done < hosts", "omen\nrem\n"),
        ("while read h; do echo $h; . ./c; done < hosts", "omen\nrem\n"),
        ("while read h; do echo $h; ./s; done < hosts", "omen\n"),
        ("while read h; do up $h < /dev/null; done < hosts", "omen\nrem\n"),
    ] {
        let answer = term.run(line);
        assert_eq!((answer.out.as_str(), answer.err.as_str()), (out, ""), "{line}");
    }
    assert_eq!(
        term.run("while read h; do ask $h; done < hosts").err,
        "bash: a function or shell that reads some of the input of a loop around it: not simulated in this lab\n"
    );
}

#[test]
fn status_options_and_traps_live_on() {
    let mut term = Term::new();
    assert_eq!(term.shows(&["false", "echo $?", "echo $?"]), "1\n0\n");
    assert_eq!(term.shows(&["(exit 42)", "", "echo $?"]), "42\n");
    assert_eq!(term.shows(&["nope", "echo $?"]), "bash: nope: command not found\n127\n");
    assert_eq!(term.shows(&["f() { return 3; }; f", "echo $?"]), "3\n");
    term.run("set -uo pipefail");
    assert_eq!(term.shows(&["false | true", "echo $? ${x:-unset}"]), "1 unset\n");
    assert_eq!(term.run("echo $nothing").err, "bash: nothing: unbound variable\n");
    term.run("set +u +o pipefail");
    assert_eq!(term.shows(&["echo $nothing", "false | true; echo $?"]), "\n0\n");
    assert_eq!(term.shows(&["trap 'echo trapped' ERR", "false", "trap - ERR", "false"]), "trapped\n");
    assert_eq!(term.shows(&["set -e", "true && echo a; false; echo b", "echo still $?"]), "a\nstill 1\n");
    term.run("set +e");
    assert_eq!(term.shows(&["shopt -s nullglob", "echo *.none", "shopt -u nullglob"]), "\n");
    // What a shell cannot take never stands in the way of the next line.
    for line in [
        "set -n",
        "set '-;'",
        "SHOPT_a=1",
        "SHOPT_zz=1",
        "PATH=",
        "IFS=x",
        "trap 'echo x' ';;'",
        "trap 'echo x' 'E'\\''X'",
        "set -o nosuch",
        "__at_exit=';'",
        "__at_exit='trap -- ('",
        "trap ')' USR1",
    ] {
        term.run(line);
        assert_eq!(term.run("echo alive").out, "alive\n", "after {line}");
    }
}

#[test]
fn a_trap_on_exit_waits_for_the_end_of_the_shell() {
    let mut term = Term::new();
    assert_eq!(term.shows(&["trap 'echo bye' EXIT", "echo hi", "false", "echo $?"]), "hi\n1\n");
    assert_eq!(term.run("trap -p").out, "trap -- 'echo bye' EXIT\n");
    assert_eq!(term.run("(trap 'echo inner' EXIT; echo sub)").out, "sub\ninner\n");
    assert_eq!(term.run("exit 3").out, "bye\n");
    assert_eq!(term.shows(&["echo fresh", "trap 'echo gone' EXIT", "trap - EXIT"]), "fresh\n");
    assert_eq!(term.run("trap 'echo at once' EXIT; exit 4").out, "at once\n");
    assert_eq!(term.run("bash -c 'trap \"echo of the script\" EXIT; echo a'").out, "a\nof the script\n");
}

#[test]
fn times_of_files_are_compared_where_they_are_found() {
    let mut term = Term::new();
    term.run("cd /tmp; touch old; sleep 5; touch new");
    assert_eq!(term.run("[ new -nt old ] && [ old -ot new ] && test new -nt none && echo yes").out, "yes\n");
    assert!(term.run("if [[ -f new && new -nt old ]]; then echo no; fi").err.contains("not simulated"));
    assert_eq!(term.run("[[ -n x ]] && echo -nt").out, "-nt\n");
}

#[test]
fn every_program_of_ours_says_what_is_simulated() {
    let mut term = Term::new();
    let ours = "ls stat mktemp sleep cp mv rm rmdir mkdir chmod jq id whoami groups logname hostname uname clear ssh sudo \
                logout nohup watch history touch which xargs date timeout tee cut tr diff";
    for name in ours.split_whitespace() {
        let help = term.run(&format!("{name} --help")).out;
        assert!(
            help.starts_with(&format!("Usage: {name}")) && help.contains("imulated here:"),
            "{name}: {help}"
        );
        // What it names, it takes.
        let options = help
            .split([' ', ',', '[', ']', '\n', ';'])
            .filter(|word| word.len() == 2 && word.starts_with('-'));
        for option in options {
            let answer = term.run(&format!("{name} {option} root omen true"));
            let refusal = format!("{name}: {option}: not simulated");
            assert!(!answer.err.contains(&refusal), "{name} {option}: {}", answer.err);
        }
    }
}

#[test]
fn variables_of_every_kind_live_on() {
    let mut term = Term::new();
    term.run("a=(1 2); declare -A m=([k]=v); export E=x; readonly R=1; IFS=,");
    assert_eq!(
        term.run("echo \"${a[1]} ${m[k]}\"; bash -c 'echo $E'; echo \"${a[*]}\"").out,
        "2 v\nx\n1,2\n"
    );
    assert_eq!(term.run("R=2").status, 1);
    assert_eq!(term.run("unset 'a[0]'; echo ${#a[@]}").out, "1\n");
    term.run("shopt -s expand_aliases; alias ll='ls -1'");
    term.run("cd /etc/containerd");
    assert_eq!(term.run("ll").out, "config.toml\n");
}

#[test]
fn a_failing_line_never_kills_the_tab() {
    let mut term = Term::new();
    for line in
        ["(", "echo 'a", "fi", "echo $((1/0))", "${x!}", "cd /nope", "exec 9<nope", "[[ a", "<<", "\u{7f}"]
    {
        assert_ne!(term.run(line).status, 0, "{line:?}");
        assert_eq!(term.run("echo alive").out, "alive\n", "after {line:?}");
    }
    assert_eq!(term.run("echo )").err, "bash: syntax error near unexpected token `)'\n");
    assert_eq!(term.run("echo )").status, 2);
}

#[test]
fn exit_ends_a_login_and_never_the_tab() {
    let mut term = Term::new();
    term.run("x=1; cd /etc");
    let answer = term.run("exit 3");
    assert_eq!((answer.status, answer.err.contains("a fresh one starts")), (3, true));
    assert_eq!(term.run("echo [$x]; pwd").out, "[]\n/root\n");
    term.shows(&["ssh omen", "ssh rem"]);
    assert_eq!(term.shell.prompt("tab"), "root@rem:~# ");
    assert_eq!(term.run("hostname").out, "rem\n");
    term.run("exit");
    assert_eq!(term.shell.prompt("tab"), "root@omen:~# ");
    assert_eq!(term.run("logout").shown, "logout\nConnection to omen closed.\n");
    assert_eq!(term.shell.prompt("tab"), "$ ");
    assert_eq!(term.run_in("none", "echo").status, 127);
    assert!(!term.shell.open("other", "nowhere"));
}

#[test]
fn tabs_are_apart() {
    let mut term = Term::new();
    assert!(term.shell.open("node", "omen"));
    term.run("x=1");
    assert_eq!(term.run_in("node", "echo [$x]; hostname; echo n > /tmp/n").out, "[]\nomen\n");
    assert_eq!(term.run("ssh omen cat /tmp/n").out, "n\n");
    assert_eq!(term.shell.place("node"), Some(("omen".into(), "/root".into())));
}

#[test]
fn ssh_takes_a_script_on_its_input() {
    let mut term = Term::new();
    assert_eq!(term.run("ssh omen <<'E'\nx=5\necho $x $(hostname)\nE").out, "5 omen\n");
    assert_eq!(term.run("ssh omen bash -s <<'E'\necho on $(hostname)\nE").out, "on omen\n");
    assert_eq!(term.run("echo 'told 4' | ssh root@omen; echo $?").out, "omen [\"4\"] \"\"\n4\n");
    assert_eq!(term.run("for n in omen rem; do ssh $n hostname; done").out, "omen\nrem\n");
    assert_eq!(term.run("ssh omen ssh rem hostname").out, "rem\n");
    assert_eq!(term.run("ssh omen 'exit 9'; echo $?").out, "9\n");
    assert_eq!(term.run("ssh omen; echo after").status, 0);
    assert_eq!(term.shell.prompt("tab"), "$ ");
    assert!(term.run("ssh -J jump omen true").err.contains("not simulated"));
}

#[test]
fn ssh_in_a_read_loop_eats_the_input_of_the_loop() {
    let mut term = Term::new();
    let script =
        |flag: &str| format!("printf 'omen\\nrem\\n' | while read n; do ssh {flag} $n hostname; done");
    assert_eq!(term.run(&script("-n")).out, "omen\nrem\n");
    let answer = term.run(&script(""));
    assert_eq!((answer.out.as_str(), answer.err.as_str()), ("omen\n", ""));
    // Where it cannot be taken away, the second one says so.
    let answer = term.run("printf 'omen\\nrem\\n' | while read n; do h=$(ssh $n hostname); echo $h; done");
    assert_eq!(answer.out.lines().next(), Some("omen"));
    assert!(answer.err.contains("not simulated"), "{answer:?}");
    for line in
        ["{ head -1; cat; } < /etc/containerd/config.toml", "while read x; do (ssh omen ls); done <<< a"]
    {
        assert!(term.run(line).err.contains("not simulated"), "{line}");
    }
    assert_eq!(term.run("for n in omen rem; do echo $n | ssh $n cat; done").out, "omen\nrem\n");
}

#[test]
fn sudo_runs_programs_but_nothing_of_the_shell() {
    let mut term = Term::new();
    assert_eq!(term.run("sudo told 5 a").out, "control [\"5\", \"a\"] \"\"\n");
    assert_eq!(term.run("sudo -n -u root sh -c 'echo $1' x y").out, "y\n");
    assert_eq!(term.run("echo text | sudo tee /etc/t > /dev/null; sudo cat /etc/t").out, "text\n");
    assert_eq!(term.run("sudo cd /etc").err, "sudo: cd: command not found\n");
    assert_eq!(term.run("sudo nope; echo $?").out, "1\n");
    assert_eq!(term.run("sudo A=1 env | grep ^A=").out, "A=1\n");
    assert_eq!(term.run("sudo sh -c 'echo a > /etc/a; exit 6'; echo $?; cat /etc/a").out, "6\na\n");
    assert!(term.run("sudo -i").err.contains("not simulated"));
    assert_eq!(term.run("ssh omen 'sudo hostname'").out, "omen\n");
}

#[test]
fn time_is_virtual_everywhere() {
    let mut term = Term::new();
    assert_eq!(term.run("date -u").out, "Sun Mar  1 00:00:00 UTC 2026\n");
    term.run("sleep 1h");
    assert_eq!(
        term.run("date '+%F %T'; date +%s; date -d yesterday +%F").out,
        "2026-03-01 01:00:00\n1772326800\n2026-02-28\n"
    );
    assert_eq!(term.run("echo $EPOCHSECONDS $SECONDS").out, "1772326800 3600\n");
    term.run("echo x > /tmp/new");
    assert_eq!(term.run("ls -l /tmp/new").out, "-rw-r--r-- 1 root root 2 Mar  1 01:00 /tmp/new\n");
    assert_eq!(term.run("stat -c '%Y %y' /tmp/new").out, "1772326800 2026-03-01 01:00:00.000000000 +0000\n");
    let answer = term.run("watch -n 60 date +%T");
    let round =
        |n, at| format!("watch: every 60s: date +%T (round {n} of the 3 that this lab shows)\n{at}\n");
    let rounds = [round(1, "01:00:00"), round(2, "01:01:00"), round(3, "01:02:00")];
    assert_eq!(answer.out, rounds.concat());
    assert_eq!(term.run("sleep x").status, 1);
    assert_eq!(term.run("for i in 1 2; do date +%T; sleep 30; done").out, "01:02:00\n01:02:30\n");
}

#[test]
fn chance_is_the_same_every_time() {
    let one = Term::new().run("echo $RANDOM $RANDOM").out;
    assert_eq!(one, Term::new().run("echo $RANDOM $RANDOM").out);
    assert_eq!(Term::new().run("echo $$ $PPID").out, Term::new().run("echo $$ $PPID").out);
}

#[test]
fn temporary_files_have_new_names_without_chance() {
    let mut term = Term::new();
    let script = "f=$(mktemp); g=$(mktemp); d=$(mktemp -d); [ $f != $g ] && stat -c '%a %F' $f $d; echo $f; mktemp x.XXX";
    let answer = term.run(script);
    assert_eq!(answer.out.lines().next(), Some("600 regular empty file"), "{answer:?}");
    assert_eq!(answer, Term::new().run(script));
    assert!(term.run("time ls").err.contains("not simulated"));
    assert_eq!(term.run("clear").out, "\u{1b}[H\u{1b}[2J\u{1b}[3J");
}

#[test]
fn history_counts_what_was_typed() {
    let mut term = Term::new();
    term.shows(&["echo a", "false", "  ", "for i in 1; do\n:\ndone"]);
    assert_eq!(
        term.run("history").out,
        "    1  echo a\n    2  false\n    3  for i in 1; do\n:\ndone\n    4  history\n"
    );
    assert_eq!(term.run("history 1").out, "    5  history 1\n");
    assert_eq!(term.run("!3").err, "for i in 1; do\n:\ndone\n");
    assert_eq!(term.run("history -c; history").out, "");
}
