//! awk alone: whatever the program and its input are, it ends and nobody panics; what would not end is told.

use crate::fuzz::{PANICS, hear_panics};
use crate::toy::Term;
use fourgaps_base::FileTree;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pieces of programs; a space is written `_`.
const PIECES: &str = r#"BEGIN_{_ END_{_ {_ } } ; ;_ \n ( ) [ ] , _ _ _ if_( else_ while_( do_ for_( for_(k_in_a)_ in_a break continue next nextfile
exit_ return_ function_f(a,b)_{_ f( g( delete_a delete_a[ print_ printf_ print_> print_| getline getline_x getline_<_ |_getline
"cat" "echo_hi" "/f" "/tmp/out" "/dev/stdout" "/dev/stderr" "-" "" "a" "é日" "\377" "\0" "%d" "%s%c%5.2f" "%*d" "%" "a\" "[a-" "(" "+"
x y a[1] a["x"] a[x,y] $0 $1 $NF $(-1) $x $$1 NF NR FS OFS ORS RS SUBSEP CONVFMT OFMT FILENAME RSTART ENVIRON["HOME"] ARGV[1] ARGC
= += -= *= /= %= ^= ++ -- + - * / % ^ ! ~ !~ < <= == != > >= && || ? : $ 0 1 -1 0.5 1e300 1e-300 1e999 0x1f 017 2147483648 99999999 .5.
/a/ /é+/ /[^é]/ /^$/ /(a|ab)*/ /a*/ /[[:alpha:]]/ /\377/ // /[/ /(/ /\\/ substr( index( length length( split( split(x,a, sub(/a/, gsub(/x*/,"&-")
gsub( match( sprintf( toupper( tolower( int( sqrt( log( exp( sin( atan2( rand() srand( srand() system( close( fflush( strftime( mktime( systime()
RS="" FS="" FS="," RS="a|b" NF=3 $5="e" # \\ ' ` @ é \f \r _ _ _"#;

fn pieces() -> Vec<String> {
    let plain = |piece: &str| piece.replace('_', " ").replace("\\n", "\n");
    PIECES.split_whitespace().map(plain).collect()
}

fn program() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        30 => proptest::sample::select(pieces()).prop_map(String::into_bytes),
        1 => proptest::collection::vec(any::<u8>(), 1..4),
        1 => ("[(!{$-]", 1..300usize).prop_map(|(sign, times)| sign.repeat(times).into_bytes()),
    ];
    proptest::collection::vec(piece, 1..24).prop_map(|pieces| pieces.concat())
}

/// Programs that are right more often: a few statements in an action.
fn action() -> impl Strategy<Value = Vec<u8>> {
    let value = proptest::sample::select(
        r#"x $1 $2 $NF NF a[1] a["é"] "é日" "-éé" "3x" 5 -2.5 1e99 length($0) substr($0,2,3) substr(x,-1) index($0,"é") toupper($2) (x<y) ($1~/é|b+/) sprintf("%c|%5s|%.1f",$1,$2,x) split($0,a,/[^é]*/) gsub(/b*|é/,"<&>") match($0,/.é?$/) f(x,a) -$1 !x x++ ++$2 $1$2"#
            .split_whitespace()
            .collect::<Vec<_>>(),
    );
    let form = proptest::sample::select(vec![
        "print V, V",
        "x = V",
        "y = y V",
        "$2 = V",
        "a[V] = V",
        "printf \"%s %d\\n\", V, V",
        "for (k in a) print k, V",
        "if (V) print V",
        "NF = V % 9",
        "delete a[V]",
        "while (n++ < 3) x = x V",
        "print V > \"/tmp/o\"",
        "getline z < \"/f\"; print z V",
        "FS = V",
        "RS = V",
        "OFS = V",
        "$0 = V",
        "sub(V, V)",
        "x = V ? V : V",
        "print V | \"cat\"",
    ]);
    let statement = (form, value.clone(), value.clone(), value).prop_map(|(form, a, b, c)| {
        [a, b, c].into_iter().fold(form.to_string(), |text, value| text.replacen('V', value, 1))
    });
    proptest::collection::vec(statement, 1..6).prop_map(|statements| {
        let body = statements.join("; ");
        format!("function f(p, q) {{ q[p] = p; return p \"f\" }}\n{{ {body} }}\nEND {{ {body} }}\n")
            .into_bytes()
    })
}

fn input() -> impl Strategy<Value = Vec<u8>> {
    let bytes = proptest::collection::vec(any::<u8>(), 0..60);
    let words = proptest::sample::select(vec![
        "- 名前: x\n",
        "-éé\n",
        "a b\n",
        "3 4.5\n",
        "\n",
        "é",
        "+é 1e\n",
        "0xé ",
        "a,b;c\r\n",
        "\t",
    ]);
    let words = proptest::collection::vec(words, 0..8).prop_map(|words| words.concat().into_bytes());
    prop_oneof![1 => bytes, 3 => words]
}

#[test]
fn no_program_of_awk_panics() {
    hear_panics();
    let cases = std::env::var("FUZZ").ok().and_then(|number| number.parse().ok()).unwrap_or(1500);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let mut term = Term::new();
    term.shell.limit_steps(60);
    assert!(term.shell.open("tab", "control"));
    let term = RefCell::new(term);
    let all = (
        prop_oneof![program(), action()],
        input(),
        proptest::sample::select(vec!["", "-F, ", "-F é ", "-v x=é "]),
    );
    let played = TestRunner::new(config).run(&all, |(program, input, option)| {
        let mut term = term.borrow_mut();
        let write = |files: &mut FileTree| {
            for path in ["/root", "/tmp"] {
                files.make_folder(path);
            }
            files.write("/p", program.clone());
            files.write("/f", input.clone());
        };
        write(term.world.lock().unwrap().disks.get_mut("control").unwrap());
        let panics = PANICS.lock().unwrap().len();
        let answer = term.run(&format!("awk {option}-f /p /f < /f"));
        let found = PANICS.lock().unwrap()[panics..].to_vec();
        prop_assert!(found.is_empty(), "{found:?}");
        prop_assert!((0..256).contains(&answer.status), "{}", answer.status);
        prop_assert!(
            !answer.err.contains("bashkit") && !answer.err.contains("unexpectedly"),
            "{}",
            answer.err
        );
        Ok(())
    });
    if let Err(why) = played {
        panic!("{why}");
    }
}

#[test]
fn what_would_not_end_is_told() {
    let mut term = Term::new();
    term.shell.limit_steps(2_000);
    assert!(term.shell.open("tab", "control"));
    for line in [
        "awk 'BEGIN { while (1) x = x \"aaaaaaaa\" }'",
        "awk 'BEGIN { x = \"a\"; while (1) x = x x }'",
        "awk 'BEGIN { while (1) a[n++] = n }'",
        "awk 'BEGIN { while (1) $(++n) = n }'",
        "awk 'BEGIN { while (1) print \"x\" > \"f\" n++ }'",
        "awk 'BEGIN { while (1) print \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\" }'",
        "awk 'BEGIN { while (1) system(\"true\") }'",
        "awk 'BEGIN { while (1) { \"echo x\" | getline y; close(\"echo x\") } }'",
        "awk 'function f() { f() } BEGIN { f() }'",
        "awk 'function f(n) { return f(n + 1) + 1 } BEGIN { f(1) }'",
        "awk 'BEGIN { printf \"%999999999d\", 1 }'",
        "awk 'BEGIN { x = sprintf(\"%1000000s\", 1); while (1) y = y x }'",
        "awk 'BEGIN { while (1) while ((getline l < \"/etc/containerd/config.toml\") > -1) { } }'",
        "awk 'BEGIN { for (;;) \"x\" ~ (n++ \"+\") }'",
    ] {
        let answer = term.run(line);
        assert!(!answer.err.is_empty() && answer.status != 0, "{line}: {answer:?}");
        assert!(
            !answer.err.contains("bashkit") && answer.shown.len() < 12_000_000,
            "{line}: {:.300}",
            answer.err
        );
        assert_eq!(term.run("builtin echo alive").out, "alive\n", "after {line}");
    }
    let answer = term.run("awk 'BEGIN { print \"kept\"; while (1) { } }'");
    assert_eq!(answer.out, "kept\n");
    assert!(answer.err.contains("exceeded"), "{}", answer.err);
}

#[test]
fn honest_work_of_awk_is_not_stopped() {
    let mut term = Term::new();
    let lines: String = (0..100_000).map(|n| format!("{n} name{} {}\n", n % 97, n * 7 % 1000)).collect();
    term.world.lock().unwrap().disks.get_mut("control").unwrap().write("/f", lines);
    let mut check = |line: &str, out: &str| assert_eq!(term.run(line).out, out, "{line}");
    check("awk '{ s += $3 } END { print s, NR }' /f", "49950000 100000\n");
    check("awk '{ c[$2]++ } END { print length(c), c[\"name5\"] }' /f", "97 1031\n");
    check("awk '/name42/ && $3 > 990 { n++ } END { print n }' /f", "9\n");
    check("awk '{ gsub(/[0-9]+/, \"<&>\"); $1 = $1 } END { print }' /f", "<99999> name<89> <993>\n");
    check("awk '{ a[NR] = $0 } END { for (i = NR; i > 0; i--) n += length(a[i]); print n }' /f", "1567580\n");
    check("awk 'BEGIN { for (i = 0; i < 1000000; i++) s += i % 7; print s }'", "2999997\n");
}

#[test]
fn ctrl_c_stops_a_program() {
    let mut term = Term::new();
    for line in [
        "awk 'BEGIN { while (1) { } }'",
        "awk 'BEGIN { system(\"awk \\047BEGIN { while (1) { } }\\047\"); print 1 }'",
    ] {
        let handle = term.shell.stop_handle();
        let turns = Arc::new(AtomicUsize::new(0));
        term.shell.on_pause(Arc::new(move || {
            if turns.fetch_add(1, Ordering::Relaxed) == 3 {
                handle.stop();
            }
            Box::pin(async {})
        }));
        let answer = term.run(line);
        assert_eq!((answer.status, answer.shown.as_str()), (130, ""), "{line}");
        assert_eq!(term.run("echo alive").out, "alive\n");
    }
}
