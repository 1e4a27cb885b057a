//! `jq`: a kept library for the filters, and the program's options around it. Filters that need a clock, a table of time
//! zones or a search pattern with replacements are not simulated: those parts of the library are large.

use crate::command::{Call, Command};
use crate::world::World;
use fourgaps_base::Files;
use jaq_core::load::parse::Def;
use jaq_core::load::{self, Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Vars, data, unwrap_valr};
use jaq_json::write::{Pp, write};
use jaq_json::{Num, Val, read};

pub(super) struct Jq;

/// Values that one line may print, and their bytes.
const MOST_VALUES: usize = 60_000;
const MOST_BYTES: usize = 4_000_000;

/// Definitions of the library that stand on parts which are not compiled in, by name.
const WITHOUT: &str = "@base64 @base64d @html @htmld @uri @urid ascii capture debug drem fromdate gamma gsub halt_error logb match \
    nexttoward pow10 scalb scan scan_ significand splits stderr sub test todate";

/// Formats that the library leaves to those parts, and `del`: the library's own one moves the last field to where one goes.
const MORE: &str = r#"
def @csv: map(if type == "string" then "\"" + (split("\"") | join("\"\"")) + "\"" elif . == null then "" else tostring end) | join(",");
def @tsv: map(if . == null then "" elif type == "string"
  then split("\\") | join("\\\\") | split("\t") | join("\\t") | split("\n") | join("\\n") | split("\r") | join("\\r")
  else tostring end) | join("\t");
def _del($p): if ($p | length) > 1 then if .[$p[0]] == null then . else .[$p[0]] |= _del($p[1:]) end
  elif type == "object" then with_entries(select(.key != $p[0]))
  elif type != "array" then .
  elif ($p[0] | type) == "object" then $p[0] as $s | .[:$s.start // 0] + .[$s.end // length:]
  else (if $p[0] < 0 then $p[0] + length else $p[0] end) as $n | .[:$n] + .[$n + 1:] end;
def del(f): reduce ([path(f)] | sort | reverse)[] as $p (.; if $p == [] then null else _del($p) end);
"#;

fn is_whole(def: &Def<&'static str>) -> bool {
    let two = def.name == "split" && def.args.len() == 2;
    !two && !WITHOUT.split_whitespace().any(|name| name == def.name)
}

/// What the words after the name say.
#[derive(Default)]
struct Wanted {
    raw: bool,
    joined: bool,
    compact: bool,
    sorted: bool,
    tab: bool,
    indent: Option<usize>,
    null_input: bool,
    slurp: bool,
    raw_input: bool,
    exit_status: bool,
    names: Vec<(String, Val)>,
    filter: Option<String>,
    files: Vec<String>,
}

impl Wanted {
    /// Reads the words; what is not known is given back.
    fn read(args: &[String]) -> Result<Self, String> {
        let mut wanted = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut next = || args.next().cloned().ok_or_else(|| arg.clone());
            match arg.as_str() {
                "--arg" => {
                    let name = next()?;
                    wanted.names.push((name, Val::from(next()?)));
                }
                "--argjson" => {
                    let name = next()?;
                    let value = read::parse_single(next()?.as_bytes()).map_err(|_| arg.clone())?;
                    wanted.names.push((name, value));
                }
                "--indent" => wanted.indent = Some(next()?.parse::<usize>().map_err(|_| arg.clone())?.min(7)),
                "--raw-output" => wanted.raw = true,
                "--join-output" => (wanted.raw, wanted.joined) = (true, true),
                "--compact-output" => wanted.compact = true,
                "--sort-keys" => wanted.sorted = true,
                "--tab" => wanted.tab = true,
                "--null-input" => wanted.null_input = true,
                "--slurp" => wanted.slurp = true,
                "--raw-input" => wanted.raw_input = true,
                "--exit-status" => wanted.exit_status = true,
                "--monochrome-output" => {}
                _ if arg.starts_with("--") => return Err(arg.clone()),
                _ if arg.len() > 1 && arg.starts_with('-') => wanted.letters(arg)?,
                _ if wanted.filter.is_none() => wanted.filter = Some(arg.clone()),
                _ => wanted.files.push(arg.clone()),
            }
        }
        Ok(wanted)
    }

    fn letters(&mut self, arg: &str) -> Result<(), String> {
        for letter in arg.chars().skip(1) {
            match letter {
                'r' => self.raw = true,
                'j' => (self.raw, self.joined) = (true, true),
                'c' => self.compact = true,
                'S' => self.sorted = true,
                'n' => self.null_input = true,
                's' => self.slurp = true,
                'R' => self.raw_input = true,
                'e' => self.exit_status = true,
                'M' => {}
                _ => return Err(arg.into()),
            }
        }
        Ok(())
    }

    fn form(&self) -> Pp {
        let indent = match (self.compact, self.tab, self.indent) {
            (true, ..) | (_, false, Some(0)) => None,
            (_, true, _) => Some("\t".into()),
            (_, _, width) => Some(" ".repeat(width.unwrap_or(2))),
        };
        let sep_space = indent.is_some();
        Pp { indent, sort_keys: self.sorted, sep_space, ..Pp::default() }
    }

    /// The values that the filter is run on, and why the rest of the input cannot be read.
    fn inputs(&self, bytes: &[u8]) -> (Vec<Val>, Option<String>) {
        if self.null_input {
            return (vec![Val::Null], None);
        }
        if self.raw_input {
            let text = String::from_utf8_lossy(bytes);
            let lines = if self.slurp { vec![text.as_ref()] } else { text.lines().collect() };
            return (lines.into_iter().map(|line| Val::from(line.to_string())).collect(), None);
        }
        let (mut found, mut fault) = (Vec::new(), None);
        for value in read::parse_many(bytes) {
            match value {
                Ok(value) => found.push(value),
                Err(why) => {
                    fault = Some(why.to_string());
                    break;
                }
            }
        }
        if self.slurp && fault.is_none() {
            found = vec![found.into_iter().collect()];
        }
        (found, fault)
    }
}

impl<W: World> Command<W> for Jq {
    fn name(&self) -> &str {
        "jq"
    }

    fn help(&self) -> String {
        super::help::of("jq").into()
    }

    fn run(&self, call: &mut Call<'_, W>) -> i32 {
        let wanted = match Wanted::read(call.args) {
            Ok(wanted) => wanted,
            Err(what) => return call.not_simulated("jq", &what),
        };
        // Behind a pipe the whole input is meant.
        let piped = (!call.stdin.is_empty()).then(|| ".".to_string());
        let Some(filter) = wanted.filter.clone().or(piped) else {
            call.err("jq - commandline JSON processor\n\nUsage:\tjq [OPTIONS] FILTER [FILE...]\n");
            return 2;
        };
        if writes_quotients(&filter) {
            return call.not_simulated("jq", "a quotient within a text");
        }
        if let Some(word) = endless_word(&filter) {
            return call.not_simulated("jq", word);
        }
        let mut bytes = Vec::new();
        if wanted.files.is_empty() {
            bytes = call.stdin.to_vec();
        }
        for file in &wanted.files {
            let path = call.path(file);
            let found = call.world.files(call.host).read(&path).map(|more| bytes.extend_from_slice(&more));
            if let Err(why) = found {
                call.err(format!("jq: error: Could not open {file}: {}\n", super::ls::capital(&why)));
                return 2;
            }
        }
        filtered(call, &wanted, &filter, &bytes)
    }
}

fn filtered<W: World>(call: &mut Call<'_, W>, wanted: &Wanted, filter: &str, bytes: &[u8]) -> i32 {
    let more = load::parse(MORE, |parser| parser.defs()).unwrap_or_default();
    let kept = jaq_std::defs().chain(jaq_json::defs()).filter(is_whole);
    let definitions = jaq_core::defs().chain(kept).chain(more);
    let functions = jaq_core::funs().chain(jaq_std::base_funs()).chain(jaq_json::funs());
    let arena = Arena::default();
    let names: Vec<String> = wanted.names.iter().map(|(name, _)| format!("${name}")).collect();
    let Ok(modules) = Loader::new(definitions).load(&arena, File { code: filter, path: () }) else {
        call.err(format!("jq: error: this filter cannot be read: {filter}\njq: 1 compile error\n"));
        return 3;
    };
    let compiler =
        Compiler::default().with_funs(functions).with_global_vars(names.iter().map(String::as_str));
    let compiled = match compiler.compile(modules) {
        Ok(compiled) => compiled,
        Err(faults) => {
            let unknown = faults.first().and_then(|(_, names)| names.first());
            let unknown = unknown.map_or_else(String::new, |(name, _)| (*name).to_string());
            return call.not_simulated("jq", &unknown);
        }
    };
    let (inputs, fault) = wanted.inputs(bytes);
    let form = wanted.form();
    let mut status = if wanted.exit_status { 4 } else { 0 };
    let (mut values, mut printed) = (0, 0);
    for input in inputs {
        let named = wanted.names.iter().map(|(_, value)| value.clone());
        let context = Ctx::<data::JustLut<Val>>::new(&compiled.lut, Vars::new(named));
        for output in compiled.id.run((context, input)).map(unwrap_valr) {
            let value = match output {
                Ok(value) => whole(value),
                // The real one makes the way to what is to be set.
                Err(why)
                    if filter.contains('=') && why.to_string().contains("cannot use null as iterable") =>
                {
                    return call.not_simulated("jq", "to set what has no parent yet");
                }
                Err(why) => {
                    call.err(format!("jq: error (at <stdin>:0): {why}\n"));
                    status = 5;
                    break;
                }
            };
            if wanted.exit_status {
                status = i32::from(matches!(value, Val::Null | Val::Bool(false)));
            }
            let mut text = Vec::new();
            match &value {
                Val::TStr(plain) if wanted.raw => text.extend_from_slice(plain),
                // Writing to memory does not fail.
                _ => drop(write(&mut text, &form, 0, &value)),
            }
            if !wanted.joined {
                text.push(b'\n');
            }
            (values, printed) = (values + 1, printed + text.len());
            call.out(text);
            if values > MOST_VALUES || printed > MOST_BYTES {
                call.err("jq: stopped: it prints more than one line of this lab may\n");
                return 1;
            }
        }
    }
    match fault {
        Some(why) => {
            call.err(format!("jq: parse error: {why}\n"));
            2
        }
        None => status,
    }
}

/// A value as the real one prints it, which knows one kind of numbers: what is whole has no point.
fn whole(value: Val) -> Val {
    match value {
        Val::Num(Num::Float(number)) if number.fract() == 0.0 && number.abs() < 1e15 => {
            // It is whole and small.
            format!("{number:.0}")
                .parse()
                .map_or(Val::Num(Num::Float(number)), |whole| Val::Num(Num::Int(whole)))
        }
        Val::Arr(list) => list.iter().cloned().map(whole).collect(),
        Val::Obj(map) => {
            Val::obj(map.iter().map(|(key, value)| (key.clone(), whole(value.clone()))).collect())
        }
        other => other,
    }
}

/// True where a quotient may become a part of a text, where [`whole`] does not find it.
fn writes_quotients(filter: &str) -> bool {
    let texts = ["\\(", "tostring", "tojson", "join", "@"];
    // Of each open string: how many brackets stood open where it began.
    let (mut open, mut depth, mut strings, mut divides) = (false, 0usize, Vec::new(), false);
    let mut letters = filter.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if open => {
                let begins = letters.next() == Some('(');
                strings.extend(begins.then_some(depth));
                open = !begins;
            }
            '"' => open = !open,
            _ if open => {}
            '(' => depth += 1,
            ')' if strings.last() == Some(&depth) => {
                strings.pop();
                open = true;
            }
            ')' => depth = depth.saturating_sub(1),
            '/' => divides |= !letters.as_str().starts_with(['/', '=']) || letters.as_str().starts_with('='),
            _ => {}
        }
        if letter == '/' && letters.as_str().starts_with('/') {
            // `//` chooses.
            letters.next();
        }
    }
    divides && texts.iter().any(|text| filter.contains(text))
}

/// A word of a jq filter that can go on for ever: the interpreter's jq counts no steps.
fn endless_word(filter: &str) -> Option<&'static str> {
    ["def", "repeat", "until", "while", "recurse", "range"].into_iter().find(|word| {
        filter.match_indices(word).any(|(at, _)| {
            let is_part = |letter: char| letter.is_alphanumeric() || ['_', '.', '$', '"'].contains(&letter);
            let rest = &filter[at + word.len()..];
            let alone = !filter[..at].ends_with(is_part) && !rest.starts_with(is_part);
            let inner =
                rest.trim_start().strip_prefix('(').map(|rest| rest.split(')').next().unwrap_or(rest));
            // Up to six digits are a number that it counts to in no time.
            let is_small = |inner: &str| {
                inner
                    .split(';')
                    .all(|n| n.trim().len() <= 6 && n.trim().bytes().all(|byte| byte.is_ascii_digit()))
            };
            alone
                && match *word {
                    "def" => rest.starts_with(' '),
                    "range" => !inner.is_some_and(is_small),
                    _ => inner.is_some(),
                }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{endless_word, writes_quotients};

    #[test]
    fn quotients_within_texts_are_known() {
        for writes in [r#""\(1/2)""#, ".a / .b | tostring", r#""a/b \(.x / 2)""#, "[4/2] | join(\",\")"] {
            assert!(writes_quotients(writes), "{writes}");
        }
        for plain in
            [r#".a // "\(.b)""#, r#""a/\(.b)""#, "split(\"/\") | join(\".\")", ".a / 2", r#""\(.x // "/")""#]
        {
            assert!(!writes_quotients(plain), "{plain}");
        }
    }

    #[test]
    fn filters_that_may_not_end_are_known() {
        for endless in [
            "def f: f; f",
            "[repeat(.)]",
            "1|until(false;.)",
            "range(1e9)",
            "range(.n)",
            "recurse(.)",
            "range (1234567)",
        ] {
            assert!(endless_word(endless).is_some(), "{endless}");
        }
        for ends in [
            ".def",
            ".items[].range",
            "[range(5)]",
            "range(0; 100)",
            "recurse",
            "\"while\"",
            ".a.until",
            "default",
            "-r",
        ] {
            assert_eq!(endless_word(ends), None, "{ends}");
        }
    }
}
