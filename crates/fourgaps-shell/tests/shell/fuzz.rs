//! Whatever is typed: no panic, the tab lives, and nothing of a line that failed is left for the next one.

use crate::term::Term;
use fourgaps_shell::World;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::RefCell;
use std::sync::{Mutex, Once, PoisonError};

/// Pieces that lines are made of: what a shell takes apart, names that run something, and rubbish.
const PIECES: &str = r#" ; & && || | |& ! ( ) {_ _} $( ` ' " \ $ ${ } ${# ${x:- ${x/ ${x^^} ${!x} ${a[@]} ${a[ ${@:1} $((
)) $[ [[_ _]] [_ _] < > >> <> >| <<E\n \nE\n <<-'E'\n <<"E"\n <<< 2>&1 &> 3< 3>&- {fd}> <( >( * ? [a-z] [!a] {1..3} {a,b} ~ # = += ==
x=1 x= a=(1_2) a[1]= a+=( declare_-A_m m[k]=v local_x export_x readonly_ unset_ for_i_in_ for_((;; do_ done_ while_ until_ read_x_
if_ then_ else_ elif_ fi_ case_x_in_ a) ;; ;& esac_ select_x_in_ f()_ function_g_ return_ break_ continue_ exit_ exec_ eval_
trap_'echo_x'_EXIT trap_-_ERR set_-e set_+e set_-u set_-o_pipefail shopt_-s_nullglob alias_b=c getopts_ab_o shift_ wait_ cd_/etc
echo_ printf_'%s\n'_ printf_%d_ cat_ tee_ sed_s/a/b/_ sed_-n_'/x/,$p' awk_'{print_$1}'_ awk_'BEGIN{x grep_-n_x_ grep_-E_'(a|b'_
sort_-k2_ uniq_-c_ cut_-d:_-f1_ tr_a-z_A-Z_ wc_-l_ head_-n_ tail_-n_+2_ jq_._ jq_-r_'.a[]|"\( xargs_-n1_ seq_3_ date_-d_ test_-f_
told_ told_7_ ssh_omen_ ssh_ sudo_ nohup_ watch_ timeout_5_ kubectl_get_pods_ kubectl_ systemctl_status_ systemctl_restart_containerd
crictl_ps_ journalctl_-u_x_ containerd_config_dump_ touch_-d_ ls_-l_ cp_ mv_ rm_-rf_ ln_-s_ mkdir_-p_ stat_-c_ chmod_+x_ find_._ find_/_-exec_
/etc/containerd /tmp/x ../.. -n_ -- é 日本 🙂 \0 \e[31m \r \t \b \x7f %s \n \n _ _ _ _ _ _ _ _"#;

/// In the list a space is written `_`, and control characters as in C.
fn pieces() -> Vec<String> {
    let written = [("_", " "), ("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t"), ("\\0", "\0"), ("\\e", "\x1b")];
    let written = written.into_iter().chain([("\\b", "\x08"), ("\\x7f", "\x7f")]);
    let plain =
        |piece: &str| written.clone().fold(piece.to_string(), |text, (from, to)| text.replace(from, to));
    PIECES.split_whitespace().map(plain).collect()
}

fn line() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        40 => proptest::sample::select(pieces()),
        2 => any::<char>().prop_map(String::from),
        2 => "[a-z0-9./-]{1,6}",
        1 => ("[a-z(${\"' ]", 1..3000usize).prop_map(|(letter, times)| letter.repeat(times)),
    ];
    proptest::collection::vec(piece, 1..16).prop_map(|pieces| pieces.concat())
}

/// Plays so many rounds of lines, each in a fresh tab of a machine; `FUZZ` says another number.
fn play<W: World>(term: Term<W>, host: &str, rounds: u32) {
    let cases = std::env::var("FUZZ").ok().and_then(|number| number.parse().ok()).unwrap_or(rounds);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let term = RefCell::new(term);
    let lines = proptest::collection::vec(line(), 1..4);
    let played = TestRunner::new(config).run(&lines, |lines| {
        let mut term = term.borrow_mut();
        assert!(term.shell.open("tab", host));
        for line in &lines {
            let _ = term.shell.needs_more(line);
            for cursor in [line.len() / 2, line.len()] {
                let _ = term.shell.complete("tab", line, cursor);
            }
            let panics = PANICS.lock().unwrap().len();
            let answer = term.run(line);
            prop_assert!(!answer.err.contains("bashkit"), "{}", answer.err);
            prop_assert!(!answer.err.contains("internal error"), "{}", answer.err);
            prop_assert!((0..256).contains(&answer.status), "{}", answer.status);
            let found = PANICS.lock().unwrap()[panics..].to_vec();
            prop_assert!(found.is_empty(), "{found:?}");
        }
        // `exec > FILE` sends all that follows there.
        if !lines.iter().any(|line| line.contains("exec")) {
            let alive = term.run("builtin echo alive");
            prop_assert!(alive.out.contains("alive"), "{alive:?}");
        }
        Ok(())
    });
    if let Err(why) = played {
        panic!("{why}");
    }
}

/// Where somebody panicked. The interpreter catches it; in a browser the shell would fall over.
pub static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

pub fn hear_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            // A failed test panics too.
            if !place.contains("tests/shell") {
                PANICS.lock().unwrap_or_else(PoisonError::into_inner).push(place);
            }
            before(info);
        }));
    });
}

#[test]
fn no_line_panics_or_kills_the_tab() {
    let mut term = crate::toy::Term::new();
    term.shell.limit_steps(300);
    hear_panics();
    play(term, "control", 1000);
}

#[test]
fn no_line_kills_the_tab_of_a_node() {
    let mut term = Term::plain("2.1.4");
    term.shell.limit_steps(300);
    hear_panics();
    play(term, "omen", 300);
}

/// An expansion that fails where no command stands is told at once, and the next line runs.
#[test]
fn a_fault_is_told_by_its_own_line() {
    let mut term = crate::toy::Term::new();
    for fault in
        ["${/etc/containerd", "${/a}", "${x!}", "${}", "${ x}", "${x:?gone}", "$((1/0))", "${!y}", "${#x:2}"]
    {
        for line in [
            format!("<<E\n{fault}\nE"),
            format!("<<E\n{fault}"),
            format!("cat <<E\n{fault}\nE"),
            format!("<<< \"{fault}\""),
            format!("> /tmp/{fault}"),
            format!("{{ :; }} <<E\n{fault}\nE"),
            format!("x={fault}"),
            format!("echo {fault}"),
            format!("f() {{ cat <<E\n{fault}\nE\n}}; f"),
            format!("echo $(cat <<E\n{fault}\nE\n)"),
        ] {
            let told = term.run(&line);
            let alive = term.run("echo alive");
            assert_eq!(
                (alive.out.as_str(), alive.err.as_str()),
                ("alive\n", ""),
                "after {line:?}, which gave {told:?}"
            );
            assert_eq!(term.run("unset x y; echo $?").out, "0\n", "after {line:?}");
        }
    }
}
