//! What programs find on a machine: files with their modes and times, names of programs, and the clock.

use crate::toy::Term;

#[test]
fn links_and_modes_work_as_on_a_disk() {
    let mut term = Term::new();
    term.shows(&[
        "cd /tmp",
        "printf '#!/bin/bash\\necho run $1\\n' > s",
        "ln -s s l",
        "ln -s /etc/containerd d",
    ]);
    assert_eq!(term.run("./s").status, 126);
    assert_eq!(term.run("chmod +x l; ./l a; ls -l s | cut -c1-10").out, "run a\n-rwxr-xr-x\n");
    assert_eq!(
        term.run("cat d/config.toml; ls d; echo w > d/new; ls /etc/containerd").out,
        "version = 2\nconfig.toml\nconfig.toml\nnew\n"
    );
    assert_eq!(
        term.run("rm d; ls /etc/containerd; ln -s a b; ln -s b a; cat a").err,
        "cat: a: Too many levels of symbolic links\n"
    );
}

#[test]
fn completion_knows_programs_files_and_words() {
    let term = Term::new();
    let words = |line: &str| {
        let found = term.shell.complete("tab", line, line.len());
        (found.start, found.words)
    };
    assert_eq!(words("tol"), (0, vec!["told".into()]));
    assert_eq!(words("echo a | tol").1, ["told"]);
    assert_eq!(words("told o").1, ["omen"]);
    assert_eq!(words("ssh ").1, ["control", "omen", "rem"]);
    assert_eq!(words("cat /etc/con"), (4, vec!["/etc/containerd/".into()]));
    assert_eq!(words("cat /etc/containerd/").1, ["/etc/containerd/config.toml"]);
    assert_eq!(words("ssh omen cat /etc/containerd/c").1, ["/etc/containerd/config.toml"]);
    assert_eq!(words("sudo told r").1, ["rem"]);
    assert_eq!(words("echo x > /tm").1, ["/tmp/"]);
    assert_eq!(words("cd /etc/containerd/").1, Vec::<String>::new());
    assert_eq!(term.shell.complete("tab", "é", 1).words, term.shell.complete("tab", "", 0).words);
    assert_eq!(term.shell.complete("none", "e", 1).words, Vec::<String>::new());
}

#[test]
fn programs_are_found_where_a_machine_has_them() {
    let mut term = Term::new();
    let check = |term: &mut Term, line: &str, out: &str, status: i32| {
        let answer = term.run(line);
        assert_eq!((answer.out.as_str(), answer.status), (out, status), "{line}: {}", answer.err);
    };
    check(
        &mut term,
        "type told cat cd",
        "told is /usr/bin/told\ncat is /usr/bin/cat\ncd is a shell builtin\n",
        0,
    );
    check(&mut term, "type -t told cd if nosuch", "file\nbuiltin\nkeyword\n", 1);
    check(
        &mut term,
        "type -a printf",
        "printf is a shell builtin\nprintf is /usr/bin/printf\nprintf is /bin/printf\n",
        0,
    );
    check(&mut term, "which told nosuch ssh", "/usr/bin/told\n/usr/bin/ssh\n", 1);
    check(&mut term, "which -a jq; which cd", "/usr/bin/jq\n/bin/jq\n", 1);
    check(
        &mut term,
        "command -v told cd nosuch; command -V told",
        "/usr/bin/told\ncd\ntold is /usr/bin/told\n",
        0,
    );
    check(
        &mut term,
        "command -v nosuch || hash nosuch 2> /dev/null || hash told && echo found",
        "found\n",
        0,
    );
    check(
        &mut term,
        "[ -x /usr/bin/told ] && [ -f /bin/cat ] && [ ! -e /usr/bin/nosuch ] && echo there",
        "there\n",
        0,
    );
    check(
        &mut term,
        "/usr/bin/told a; echo in | /bin/cat; /bin/sh -c 'echo $0' x",
        "control [\"a\"] \"\"\nin\nx\n",
        0,
    );
    check(
        &mut term,
        "told() { echo mine; }; told; /usr/bin/told; command -v told",
        "mine\ncontrol [] \"\"\ntold\n",
        0,
    );
    check(&mut term, "sudo /usr/bin/told; ssh omen /usr/bin/told", "control [] \"\"\nomen [] \"\"\n", 0);
    check(&mut term, "/usr/bin/nosuch", "", 127);
    // Their bytes and their neighbours are not there.
    for line in
        ["ls /usr/bin", "cd /bin && ls -l", "ls -l /usr/bin/told", "cat /usr/bin/told", "sha256sum /bin/ls"]
    {
        let answer = term.run(line);
        assert!(answer.err.contains("not simulated in this lab") && answer.status != 0, "{line}: {answer:?}");
        assert_eq!(answer.out, "", "{line}");
    }
}

#[test]
fn times_of_files_may_lie_before_and_after_the_time_of_the_lab() {
    let mut term = Term::new();
    let line = "touch -d '2020-02-03 04:05:06' old; touch -d 2030-01-01 new; touch -r old same; touch now; stat -c %y old new same now";
    let at = |text: &str| format!("{text}.000000000 +0000\n");
    let times = ["2020-02-03 04:05:06", "2030-01-01 00:00:00", "2020-02-03 04:05:06", "2026-03-01 00:00:00"];
    assert_eq!(term.run(line).out, times.map(at).concat());
    assert_eq!(
        term.run("ls -t old new now; [ old -ot now ] && find . -newer now -name new").out,
        "new\nnow\nold\n./new\n"
    );
    assert_eq!(
        term.run("touch -t 199912312359.58 old; stat -c %Y old; cp -p old copy; stat -c %y copy").out,
        "946684798\n1999-12-31 23:59:58.000000000 +0000\n"
    );
    assert_eq!(
        term.run("touch -c none; ls none; touch no/x; touch -d soon x").err,
        "ls: cannot access 'none': No such file or directory\ntouch: cannot touch 'no/x': No such file or directory\ntouch: invalid date format ‘soon’\n"
    );
}

#[test]
fn age_is_counted_from_now() {
    let mut term = Term::new();
    term.run("mkdir d; cd d; touch a; sleep 2h; touch b");
    let mut check = |line: &str, out: &str| assert_eq!(term.run(line).out, out, "{line}");
    check("find . -type f -mmin +60; find . -type f -mmin -5", "./a\n./b\n");
    check("find . -type f -mtime 0 | wc -l; find . -type f -mtime +0", "2\n");
    check("awk 'BEGIN { print systime(), strftime(\"%H:%M\") }'", "1772330400 02:00\n");
    check("sleep 1d; find . -type f -mtime +0 -exec basename {} \\; ; find . -type f -mtime -1", "a\nb\n");
    check(
        "find . -type f -mtime 1 -name a; find . -newermt yesterday -name b; find . -name a -mmin -2000 ! -mmin -1500",
        "./a\n./b\n./a\n",
    );
    for line in [
        "find . -mmin 1.5",
        "printf '%(%T)T' -1",
        "bash -s a <<< 'echo $1'",
        "umask 077",
        "expr '(' 1 + 2 ')' '*' 3",
        "diff --color=always a b",
        "s=$SECONDS; sleep 1; echo $((SECONDS-s))",
    ] {
        let answer = term.run(line);
        assert!(answer.err.contains("not simulated in this lab") && answer.status != 0, "{line}: {answer:?}");
    }
    assert_eq!(term.run("echo $UID $EUID $((SECONDS)); bash -c 'echo $EUID'").out, "0 0 93600\n0\n");
}

#[test]
fn a_command_ends_in_time() {
    let mut term = Term::new();
    let mut check = |line: &str, out: &str, status: i32, seconds: u64| {
        let before = term.world.lock().unwrap().now_ms;
        let answer = term.run(line);
        assert_eq!((answer.out.as_str(), answer.status), (out, status), "{line}: {}", answer.err);
        assert_eq!(term.world.lock().unwrap().now_ms - before, seconds * 1000, "{line}");
    };
    check("timeout 5 echo in time; timeout 5 false", "in time\n", 1, 0);
    check("timeout 5 sleep 100", "", 124, 5);
    check("timeout 1m sleep 3; echo $?; sleep 100; echo $?", "0\n0\n", 0, 103);
    check(
        "timeout 10 bash -c 'while :; do sleep 3; echo turn; done'; echo $?",
        "turn\nturn\nturn\n124\n",
        0,
        10,
    );
    check(
        "timeout 60 sh -c 'until [ -f /tmp/x ]; do sleep 20; echo > /tmp/x; done; echo made' && rm /tmp/x",
        "made\n",
        0,
        20,
    );
    check("timeout 3 bash -c 'timeout 100 sleep 50; echo $?'; echo $?", "124\n", 0, 3);
    check(
        "timeout 5 bash -c '(sleep 3); sleep 1 | cat; (sleep 10); echo never'; echo $?; echo after",
        "124\nafter\n",
        0,
        5,
    );
    check("x=1; export Y=2; cd /tmp; timeout 5 sh -c 'echo [$x] $Y $0 $PWD' a; cd", "[] 2 a /tmp\n", 0, 0);
    check("timeout 100 bash -c 'timeout 3 sleep 50; echo $?'; echo $?", "124\n0\n", 0, 3);
    check(
        "printf 'a\\nb\\n' | timeout 5 wc -l; timeout 0 sleep 9; timeout 5 nosuch; echo $?",
        "2\n127\n",
        0,
        9,
    );
    check(
        "timeout x true; echo $?; timeout; echo $?; timeout -s KILL 5 true; echo $?",
        "125\n125\n125\n",
        0,
        0,
    );
    check("if ! timeout 2 sleep 5; then echo late; fi; sleep 50 && echo whole", "late\nwhole\n", 0, 52);
    check("timeout 5 ssh omen sleep 60; echo $?", "124\n", 0, 5);
}
