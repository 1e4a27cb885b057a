//! One input for several commands: what one of them has read is gone for the next. The interpreter hands each program of a
//! loop or a group all that is left and takes nothing away, so a line is given the words that take it away.

use crate::programs;
use bashkit::parser::{
    Command, CompoundCommand, ListOperator, Parser, Redirect, RedirectKind, SimpleCommand, Span,
    UntilCommand, WhileCommand, Word, WordPart,
};
use fourgaps_base::sort_by_key;

/// What stands behind a program that reads to the end: the rest is read too, and its status stays.
const DRAIN: &str =
    "; __status=$?; IFS= read -rd '' __rest || :; eval \"unset -v __rest __status; (exit $__status)\"; }";

/// Programs that read their input where no file is named: how many words stand before the files, and the letters of options
/// whose value is a word of its own.
const READERS: [(&str, usize, &str); 26] = [
    ("awk", 1, "Fvf"),
    ("base64", 0, "w"),
    ("cat", 0, ""),
    ("cksum", 0, ""),
    ("column", 0, "so"),
    ("cut", 0, "dfcb"),
    ("egrep", 1, "ABCefm"),
    ("expand", 0, "t"),
    ("fgrep", 1, "ABCefm"),
    ("fold", 0, "w"),
    ("grep", 1, "ABCefm"),
    ("jq", 1, ""),
    ("md5sum", 0, ""),
    ("nl", 0, "bnsvw"),
    ("rev", 0, ""),
    ("sed", 1, "ef"),
    ("sha256sum", 0, ""),
    ("sort", 0, "ktoS"),
    ("ssh", 1, "oipl"),
    ("tac", 0, ""),
    ("tail", 0, "nc"),
    ("tee", usize::MAX, ""),
    ("tr", usize::MAX, ""),
    ("uniq", 0, "fsw"),
    ("wc", 0, ""),
    ("xargs", usize::MAX, ""),
];

/// What a command takes of the input that it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Takes {
    Nothing,
    /// Some lines, or all where something is the case.
    Some,
    All,
}

/// Says of a function of the shell what it takes.
pub(crate) type Known<'a> = &'a dyn Fn(&str) -> Option<Takes>;

/// The line with what it needs.
///
/// # Errors
/// Gives what has to be refused: a program would be handed too much, and that cannot be told.
pub(crate) fn shared(line: &str, known: Known<'_>) -> Result<String, String> {
    // Most lines have nothing of it.
    if !line.contains(['<', '|']) && !line.contains("read") {
        return Ok(line.to_string());
    }
    let Ok(script) = Parser::new(line).parse() else { return Ok(line.to_string()) };
    let mut walk = Walk { line, wraps: Vec::new(), functions: Vec::new(), known };
    walk.list(&script.commands, false)?;
    let mut told = line.to_string();
    // From the end on, so that places stay. An inner one ends before the outer one does.
    sort_by_key(&mut walk.wraps, |span| std::cmp::Reverse(span.1));
    for (start, end) in walk.wraps {
        told.insert_str(end, DRAIN);
        told.insert_str(start, "{ ");
    }
    Ok(told)
}

struct Walk<'a> {
    line: &'a str,
    /// Where what is to be wrapped begins and ends.
    wraps: Vec<(usize, usize)>,
    /// The functions of this line, the last one first to be asked.
    functions: Vec<(String, Takes)>,
    known: Known<'a>,
}

impl Walk<'_> {
    fn list(&mut self, commands: &[Command], shares: bool) -> Result<(), String> {
        commands.iter().try_for_each(|command| self.command(command, shares))
    }

    fn command(&mut self, command: &Command, shares: bool) -> Result<(), String> {
        match command {
            Command::Simple(simple) if shares => match reads(simple) {
                Some("head") => Err("head before others that read the same input".into()),
                Some(_) => self.wrap(simple.span),
                None => match called(simple, &|name| self.takes(name)) {
                    Takes::All => self.wrap(simple.span),
                    Takes::Some => {
                        Err("a function or shell that reads some of the input of a loop around it".into())
                    }
                    Takes::Nothing => Ok(()),
                },
            },
            Command::Simple(_) => Ok(()),
            // Its callers may give it an input.
            Command::Function(function) => {
                let takes = takes(&function.body, &|name| self.takes(name));
                self.functions.push((function.name.clone(), takes));
                self.command(&function.body, false)
            }
            Command::Pipeline(pipeline) => {
                for (at, stage) in pipeline.commands.iter().enumerate() {
                    match stage {
                        Command::Simple(simple) if at == 0 && shares && reads(simple).is_some() => {
                            self.wrap(pipeline.span)?;
                        }
                        Command::Simple(_) => {}
                        // A stage has a shell of its own, which keeps what it took to itself.
                        stage if at == 0 && shares => self.must_not_read(stage)?,
                        // What comes through the pipe is its own.
                        Command::Compound(compound, _) if at > 0 => {
                            lists(compound).into_iter().try_for_each(|list| self.list(list, true))?;
                        }
                        stage => self.command(stage, false)?,
                    }
                }
                Ok(())
            }
            Command::List(list) => {
                let ends = list.rest.iter().map(|(operator, _)| Some(*operator)).chain([None]);
                let all = std::iter::once(&*list.first).chain(list.rest.iter().map(|(_, command)| command));
                for (command, end) in all.zip(ends) {
                    // What runs beside the shell has no input.
                    self.command(command, shares && end != Some(ListOperator::Background))?;
                }
                Ok(())
            }
            Command::Compound(compound, redirects) => {
                let own = redirects.iter().any(is_input);
                if shares && !own && matches!(compound, CompoundCommand::Subshell(_)) {
                    return self.must_not_read(command);
                }
                let own = own || asks(compound);
                lists(compound).into_iter().try_for_each(|list| self.list(list, shares || own))
            }
        }
    }

    /// What a function takes, of this line or of an earlier one.
    fn takes(&self, name: &str) -> Option<Takes> {
        let here = self.functions.iter().rev().find(|(known, _)| known == name);
        here.map(|(_, takes)| *takes).or_else(|| (self.known)(name))
    }

    /// A shell below this one would not give back what it read.
    fn must_not_read(&mut self, command: &Command) -> Result<(), String> {
        let before = self.wraps.len();
        let inner = match command {
            Command::Compound(compound, redirects) if !redirects.iter().any(is_input) => {
                lists(compound).into_iter().try_for_each(|list| self.list(list, true))
            }
            _ => Ok(()),
        };
        let found = self.wraps.len() > before;
        self.wraps.truncate(before);
        inner.and(if found {
            Err("a program in ( ) that reads the input of a loop or group around it".into())
        } else {
            Ok(())
        })
    }

    fn wrap(&mut self, span: Span) -> Result<(), String> {
        let text = self.line.get(span.start.offset..span.end.offset).ok_or("a program")?;
        // The parser has read one sign further.
        let text = text.trim_end();
        let signs = [";;&", ";;", ";&", "&&", "||", "|&", ";", "|", "&"];
        let text = signs.iter().find_map(|sign| text.strip_suffix(sign)).unwrap_or(text).trim_end();
        let closes = |text: &str| text.matches(')').count() > text.matches('(').count();
        let text = if closes(text) { text.strip_suffix(')').unwrap_or(text).trim_end() } else { text };
        let end = span.start.offset + text.len();
        self.wraps.push((span.start.offset, end));
        Ok(())
    }
}

/// What a command takes where it is called in the midst of others.
pub(crate) fn takes(command: &Command, known: Known<'_>) -> Takes {
    // What stands behind a condition may be left out.
    let perhaps = |takes: Takes| takes.min(Takes::Some);
    let all =
        |list: &[Command]| list.iter().map(|command| takes(command, known)).max().unwrap_or(Takes::Nothing);
    match command {
        Command::Simple(simple) if simple.redirects.iter().any(is_input) => Takes::Nothing,
        Command::Simple(simple) => match reads(simple) {
            Some("head") => Takes::Some,
            Some(_) => Takes::All,
            None if ["read", "mapfile", "readarray"].contains(&plain(&simple.name).unwrap_or_default()) => {
                Takes::Some
            }
            None => called(simple, known),
        },
        Command::Function(_) => Takes::Nothing,
        Command::Pipeline(pipeline) => {
            pipeline.commands.first().map_or(Takes::Nothing, |first| takes(first, known))
        }
        Command::List(list) => {
            let ends = list.rest.iter().map(|(operator, _)| *operator).chain([ListOperator::Semicolon]);
            let commands = std::iter::once(&*list.first).chain(list.rest.iter().map(|(_, command)| command));
            let mut before = ListOperator::Semicolon;
            let mut most = Takes::Nothing;
            for (command, end) in commands.zip(ends) {
                let taken = match (before, end) {
                    (_, ListOperator::Background) => Takes::Nothing,
                    (ListOperator::And | ListOperator::Or, _) => perhaps(takes(command, known)),
                    _ => takes(command, known),
                };
                (most, before) = (most.max(taken), end);
            }
            most
        }
        Command::Compound(_, redirects) if redirects.iter().any(is_input) => Takes::Nothing,
        Command::Compound(CompoundCommand::BraceGroup(list), _) => all(list),
        Command::Compound(compound @ CompoundCommand::If(choice), _) => {
            let parts = lists(compound).into_iter().map(all).max();
            all(&choice.condition).max(perhaps(parts.unwrap_or(Takes::Nothing)))
        }
        Command::Compound(compound, _) => {
            perhaps(lists(compound).into_iter().map(all).max().unwrap_or(Takes::Nothing))
        }
    }
}

/// What is taken by a function that is called, or by the text that a shell is given.
fn called(simple: &SimpleCommand, known: Known<'_>) -> Takes {
    if simple.redirects.iter().any(is_input) {
        return Takes::Nothing;
    }
    let words: Vec<Option<&str>> = simple.args.iter().map(plain).collect();
    let name = plain(&simple.name).unwrap_or_default();
    let text = match (name, &words[..]) {
        ("bash" | "sh", [Some("-c"), Some(text), ..]) | ("eval", [Some(text)]) => text,
        ("bash" | "sh", [Some(file), ..]) if !file.starts_with('-') => {
            let slash = if file.contains('/') { "" } else { "./" };
            return known(&format!("{slash}{file}")).unwrap_or(Takes::Nothing);
        }
        // What this shell reads itself it gives back, and so does a script that is called by its path.
        ("." | "source", [Some(file), ..]) => {
            return known(file).filter(|takes| *takes == Takes::All).unwrap_or(Takes::Nothing);
        }
        (name, _) if name.contains('/') => {
            return known(name).filter(|takes| *takes == Takes::All).unwrap_or(Takes::Nothing);
        }
        _ => return known(name).unwrap_or(Takes::Nothing),
    };
    let most = taken_by(text, known);
    if name == "eval" && most == Takes::Some { Takes::Nothing } else { most }
}

/// What the commands of a text take.
pub(crate) fn taken_by(text: &str, known: Known<'_>) -> Takes {
    let Ok(script) = Parser::new(text).parse() else { return Takes::Nothing };
    script.commands.iter().map(|command| takes(command, known)).max().unwrap_or(Takes::Nothing)
}

fn lists(compound: &CompoundCommand) -> Vec<&[Command]> {
    match compound {
        CompoundCommand::If(choice) => {
            let more = choice.elif_branches.iter().flat_map(|(when, then)| [&when[..], &then[..]]);
            let ends = choice.else_branch.iter().map(|list| &list[..]);
            [&choice.condition[..], &choice.then_branch[..]].into_iter().chain(more).chain(ends).collect()
        }
        CompoundCommand::For(each) => vec![&each.body],
        CompoundCommand::ArithmeticFor(each) => vec![&each.body],
        CompoundCommand::While(each) => vec![&each.condition, &each.body],
        CompoundCommand::Until(each) => vec![&each.condition, &each.body],
        CompoundCommand::Case(case) => case.cases.iter().map(|item| &item.commands[..]).collect(),
        CompoundCommand::Subshell(list) | CompoundCommand::BraceGroup(list) => vec![list],
        _ => Vec::new(),
    }
}

/// True for a loop that goes on as long as `read` finds something.
fn asks(compound: &CompoundCommand) -> bool {
    let (CompoundCommand::While(WhileCommand { condition, .. })
    | CompoundCommand::Until(UntilCommand { condition, .. })) = compound
    else {
        return false;
    };
    let reads =
        |command: &Command| matches!(command, Command::Simple(simple) if plain(&simple.name) == Some("read"));
    condition.iter().any(reads)
}

fn is_input(redirect: &Redirect) -> bool {
    use RedirectKind::{DupInput, HereDoc, HereDocStrip, HereString, Input, ReadWrite};
    let reads = [Input, HereDoc, HereDocStrip, HereString, DupInput, ReadWrite].contains(&redirect.kind);
    reads && redirect.fd.unwrap_or(0) == 0 && redirect.fd_var.is_none()
}

/// A word without expansions.
fn plain(word: &Word) -> Option<&str> {
    match &word.parts[..] {
        [WordPart::Literal(text)] => Some(text),
        _ => None,
    }
}

/// The name of the program where it reads its input to the end.
fn reads(simple: &SimpleCommand) -> Option<&'static str> {
    if simple.redirects.iter().any(is_input) {
        return None;
    }
    let mut words: Vec<Option<&str>> = std::iter::once(&simple.name).chain(&simple.args).map(plain).collect();
    while matches!(words.first(), Some(Some("sudo" | "nohup" | "command" | "env"))) {
        words.remove(0);
    }
    let (name, args) = words.split_first()?;
    let name = (*name)?;
    let is_told_so = |file: &str| args.windows(2).any(|pair| pair == [Some("-f"), Some(file)]);
    if name == "kubectl" {
        return (is_told_so("-") || args.contains(&Some("-f-"))).then_some("kubectl");
    }
    let (known, mut before, values) = match name {
        "head" => ("head", 0, "nc"),
        _ => READERS.into_iter().find(|(known, ..)| *known == name)?,
    };
    let (mut operands, mut args) = (0, args.iter());
    while let Some(arg) = args.next() {
        match arg {
            Some("-n") if known == "ssh" => return None,
            Some("--") => operands += args.by_ref().count(),
            Some("-") if known != "ssh" => return Some(known),
            Some(option) if option.len() > 1 && option.starts_with('-') => {
                let last = option.chars().last().unwrap_or('-');
                // A script that an option gives is no word.
                let gives = ["grep", "egrep", "fgrep", "sed", "awk"].contains(&known)
                    && option.contains(['e', 'f'])
                    && !option.starts_with("--")
                    && (known != "awk" || option.contains('f'))
                    && values.contains(option.chars().nth(1).unwrap_or('-'));
                before -= usize::from(gives && before == 1);
                if known == "jq" && ["--arg", "--argjson", "--indent"].contains(option) {
                    args.nth(usize::from(*option != "--indent"));
                } else if !option.starts_with("--") && values.contains(last) {
                    args.next();
                }
            }
            Some(text) if known == "awk" && before == 1 && operands == 0 => {
                if programs::reads_nothing(text) {
                    return None;
                }
                operands += 1;
            }
            _ => operands += 1,
        }
    }
    let is_ssh = known == "ssh" && operands > 0;
    (is_ssh || known != "ssh" && operands <= before).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_shares_an_input_is_changed() {
        let check = |line: &str, wanted: &str| {
            let told = shared(line, &|_| None).unwrap_or_else(|why| format!("!{why}"));
            assert_eq!(told.replace(DRAIN, "}"), wanted, "{line}");
        };
        for line in [
            "cat < f",
            "a | cat | sort > g",
            "while read x; do echo $x | cat; done < f",
            "while read x; do ssh -n $x ls; cat g; grep a g; sort -k 2 g; cat < g; cat <<< x; done < f",
            "while read x; do cat & done < f",
            "for i in 1 2; do cat; done",
            "f() { cat < h; read x < y; }; while read x; do f; done < g",
            "{ read x; echo $x; } < f",
            "echo '{ cat; } < f'",
            "while :; do sed -e s/a/b/ g; awk -f p g; jq .a $file; done < f",
            "while read x; do awk 'BEGIN { print 1 }'; awk -v x=1 'BEGIN { getline x < \"g\" }'; done < f",
        ] {
            check(line, line);
        }
        check("while read x; do cat; done < f", "while read x; do { cat}; done < f");
        check(
            "a | while read x; do ssh $x ls /etc >> g; echo; done",
            "a | while read x; do { ssh $x ls /etc >> g}; echo; done",
        );
        check(
            "while read x; do if ssh $x true; then echo; fi; done < f",
            "while read x; do if { ssh $x true}; then echo; fi; done < f",
        );
        check(
            "while read x; do cat | wc -l && echo; done < f",
            "while read x; do { cat | wc -l} && echo; done < f",
        );
        check(
            "while read x; do awk 'BEGIN { getline; print }'; awk '{ print }'; done < f",
            "while read x; do { awk 'BEGIN { getline; print }'}; { awk '{ print }'}; done < f",
        );
        check("f() { cat; }; while read x; do f; done < g", "f() { cat; }; while read x; do { f}; done < g");
        check(
            "f() { echo; ssh $1 ls; }; g() { f $1; }; a | while read x; do g $x && echo; done",
            "f() { echo; ssh $1 ls; }; g() { f $1; }; a | while read x; do { g $x} && echo; done",
        );
        check("while read x; do bash -c 'cat'; done < f", "while read x; do { bash -c 'cat'}; done < f");
        for line in [
            "f() { read y; }; while read x; do f; done < g",
            "f() { [ $1 = a ] && cat; }; while read x; do f $x; done < g",
            "f() { if [ $1 = a ]; then cat; fi; }; while read x; do f $x; done < g",
            "while read x; do bash -c 'read y'; done < f",
        ] {
            check(line, "!a function or shell that reads some of the input of a loop around it");
        }
        check("a | { read h; sort; }", "a | { read h; { sort}; }");
        check("a | (read h; sort -k 2 -)", "a | (read h; { sort -k 2 -})");
        check("while read x\ndo\n  grep -c a\ndone < f", "while read x\ndo\n  { grep -c a}\ndone < f");
        check("while read x; do ! sudo tee g; done <<< a", "while read x; do { ! sudo tee g}; done <<< a");
        check(
            "while read x; do (cd /; ssh $x ls); done < f",
            "!a program in ( ) that reads the input of a loop or group around it",
        );
        check(
            "while read x; do { cat; } | wc; done < f",
            "!a program in ( ) that reads the input of a loop or group around it",
        );
        check(
            "f() { grep a; while read x; do cat; done; }",
            "f() { grep a; while read x; do { cat}; done; }",
        );
        check(
            "case a in a) while read x; do case $x in b) cat;; *) wc -l && :;; esac; done;; esac < f",
            "case a in a) while read x; do case $x in b) { cat};; *) { wc -l} && :;; esac; done;; esac < f",
        );
        check("a | (read h; cat)", "a | (read h; { cat})");
        check("a | { read h; grep $(echo x); }", "a | { read h; { grep $(echo x)}; }");
        check("{ head -1; cat; } < f", "!head before others that read the same input");
    }
}
