//! Words of the interpreter's programs that it would take wrongly: told in words that it takes rightly, or refused.

use super::kinds::AS_COMMAND;
use crate::names::{is_builtin, kept};
use bashkit::hooks::{HookAction, ToolEvent};
use fourgaps_base::Civil;

/// Looks at a program before it runs: the interpreter's, unless it is ours.
pub(crate) fn guard(mut event: ToolEvent, now_ms: u64, is_ours: bool) -> HookAction<ToolEvent> {
    let has = |is: fn(&str) -> bool| event.args.iter().any(|arg| is(arg));
    let refused = match event.name.as_str() {
        "find" => match with_moments(&event.args, now_ms / 1000) {
            Some(args) => {
                event.args = args;
                false
            }
            None => true,
        },
        "printf" => {
            let is_moment = event.args.last().is_some_and(|last| last.parse::<u64>().is_ok());
            has(|arg| arg.contains("%(")) && !is_moment || event.args.first().is_some_and(|arg| picks(arg))
        }
        // It takes those words for options, which bash's does not.
        "echo" if asks(&event.args, "--help") || asks(&event.args, "--version") => {
            let is_option = |arg: &&String| {
                arg.len() > 1 && arg.starts_with('-') && arg[1..].bytes().all(|byte| b"neE".contains(&byte))
            };
            let options = event.args.iter().take_while(is_option).count();
            let letters = event.args[..options].concat();
            let reads = letters.rfind('e') > letters.rfind('E');
            let plain = |arg: &String| if reads { arg.clone() } else { arg.replace('\\', "\\\\") };
            let words = event.args[options..].iter().map(plain);
            let words: Vec<String> = words.map(|arg| arg.replacen("--", "\\x2d-", 1)).collect();
            event.args = vec![if letters.contains('n') { "-ne" } else { "-e" }.to_string()];
            event.args.extend(words);
            false
        }
        // What a name is, our own program tells.
        "command" => {
            let is_option = |arg: &&String| arg.len() > 1 && arg.starts_with('-') && *arg != "--";
            let letters: String = event.args.iter().take_while(is_option).map(|arg| &arg[1..]).collect();
            let letter = letters.chars().rev().find(|letter| ['v', 'V'].contains(letter));
            if let Some(letter) = letter.filter(|_| letters.chars().all(|letter| "pvV".contains(letter))) {
                let mut names: Vec<String> = event.args.iter().skip_while(is_option).cloned().collect();
                names.drain(..usize::from(names.first().is_some_and(|name| name == "--")));
                event.args = vec!["--".into(), "type".into(), format!("{AS_COMMAND}{letter}")];
                event.args.append(&mut names);
            }
            false
        }
        // It takes what is not simulated for none at all.
        "builtin" => {
            let name = event.args.iter().find(|arg| *arg != "--");
            name.is_some_and(|name| is_builtin(name) && !is_simulated(name))
        }
        // A link without a place lies here.
        "ln" => {
            let operands = event.args.iter().filter(|arg| !arg.starts_with('-')).count();
            let is_placed = has(|arg| arg.starts_with("-t") || arg.starts_with("--target"));
            event.args.extend((operands == 1 && !is_placed).then(|| ".".to_string()));
            false
        }
        // It takes those options for assignments.
        "env" => {
            let long = [("--unset=", "-u"), ("--chdir=", "-C")];
            for (word, letter) in long {
                for arg in event.args.iter_mut().take_while(|arg| arg.starts_with('-')) {
                    if let Some(value) = arg.strip_prefix(word) {
                        *arg = format!("{letter}{value}");
                    }
                }
            }
            false
        }
        // Functions are not handed down.
        "export" => has(|arg| {
            arg.starts_with('-') && !arg.starts_with("--") && arg.contains('f') && !arg.contains('n')
        }),
        // It takes the first word behind it for a script.
        "bash" | "sh" => event.args.first().is_some_and(|arg| arg == "-s") && event.args.len() > 1,
        // Files get the modes of the usual one.
        "umask" => has(|arg| !["-S", "-p", "022", "0022"].contains(&arg)),
        "expr" => has(|arg| arg == "("),
        "grep" | "egrep" | "fgrep" => {
            has(|arg| ["--color=always", "--colour=always", "--initial-tab", "-T"].contains(&arg))
        }
        _ => false,
    };
    // Of its own version nobody wants to hear. bash's builtins know no such word.
    let is_builtin = is_builtin(&event.name);
    let tells = !is_builtin || ["kill", "printf"].contains(&event.name.as_str());
    let is_its_own = !is_ours && kept().chain(["bash", "sh"]).any(|name| name == event.name);
    let asks_itself = asks(&event.args, "--version") || is_builtin && asks(&event.args, "--help");
    let refused = refused || is_its_own && tells && asks_itself;
    if refused { HookAction::Cancel(String::new()) } else { HookAction::Continue(event) }
}

/// True where a word stands before the first that is no option: there the interpreter's programs look for it.
fn asks(args: &[String], word: &str) -> bool {
    args.iter().take_while(|arg| arg.starts_with('-') && *arg != "--").any(|arg| arg == word)
}

fn is_simulated(name: &str) -> bool {
    kept().chain(super::WITH_LINES).any(|known| known == name)
}

/// True for a format such as `%2$s`, which bash does not know.
fn picks(format: &str) -> bool {
    let mut after = format.split('%').skip(1);
    after.any(|rest| {
        rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).starts_with('$')
            && !rest.starts_with('$')
    })
}

/// The words of `find` with tests of age as tests of a moment: it would count from where the login began.
/// Source: find(1), which counts whole days and, for minutes, what is left of them. `None` where it cannot be told so.
fn with_moments(args: &[String], now_s: u64) -> Option<Vec<String>> {
    let mut told = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let unit = match arg.as_str() {
            "-mmin" | "-amin" | "-cmin" => 60,
            "-mtime" | "-atime" | "-ctime" => 86_400,
            "-daystart" => return None,
            _ => {
                told.push(arg.clone());
                continue;
            }
        };
        let Some(count) = args.next() else {
            told.push(arg.clone());
            break;
        };
        let number: u64 = count.trim_start_matches(['+', '-']).parse().ok()?;
        // Of days only the whole ones count.
        let more = u64::from(unit > 60);
        let newer = |ago: u64| {
            let Civil { year, month, day, hour, minute, second } =
                Civil::of_ms(now_s.saturating_sub(ago).saturating_mul(1000));
            let at = format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}");
            ["-newermt".to_string(), at]
        };
        let ago = |count: u64| count.checked_mul(unit);
        told.push("(".into());
        if count.starts_with('-') {
            told.extend(newer(ago(number)?));
        } else if count.starts_with('+') {
            told.push("!".into());
            // Nothing is between two seconds.
            told.extend(newer(ago(number + more)?.saturating_add(1 - more)));
        } else {
            told.extend(newer(ago(number + more)?));
            told.push("!".into());
            told.extend(newer(ago((number + more).saturating_sub(1))?));
        }
        told.push(")".into());
    }
    Some(told)
}
