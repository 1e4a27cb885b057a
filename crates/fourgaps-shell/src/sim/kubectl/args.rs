//! The words after `kubectl`: a verb, names, and flags in any order, as Go's `pflag` reads them.

/// A flag that a verb takes.
#[derive(Clone, Copy)]
pub(super) struct Flag {
    /// `namespace` of `--namespace`.
    pub long: &'static str,
    /// `n` of `-n`; `\0` where there is none.
    pub short: char,
    /// What follows it.
    pub takes: Takes,
}

/// What follows a flag.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Takes {
    /// Nothing, or `=true` and `=false`.
    Switch,
    /// A value, after `=` or as the next word.
    Value,
}

pub(super) const fn switch(long: &'static str, short: char) -> Flag {
    Flag { long, short, takes: Takes::Switch }
}

pub(super) const fn value(long: &'static str, short: char) -> Flag {
    Flag { long, short, takes: Takes::Value }
}

/// Flags that may stand before the verb, too.
const EVERYWHERE: [Flag; 1] = [value("namespace", 'n')];

/// The words of one call, taken apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Args {
    pub verb: String,
    pub words: Vec<String>,
    flags: Vec<(&'static str, String)>,
}

/// What is wrong with the words.
#[derive(Debug, PartialEq)]
pub(super) enum Wrong {
    /// A flag that is not simulated here.
    NotSimulated(String),
    /// The real one refuses, in these words.
    Refused(String),
}

impl Args {
    /// Takes the words apart. `flags_of` gives the flags of a verb; one that is nothing is not simulated.
    pub fn read(words: &[String], flags_of: impl Fn(&str) -> Option<&'static [Flag]>) -> Result<Self, Wrong> {
        let mut args = Self::default();
        let mut known: &[Flag] = &[];
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if word == "--" {
                args.words.push(word.clone());
                args.words.extend(rest.by_ref().cloned());
            } else if let Some(flag) = word.strip_prefix("--") {
                let (name, given) =
                    flag.split_once('=').map_or((flag, None), |(name, given)| (name, Some(given)));
                let flag =
                    find(known, |flag| flag.long == name).ok_or_else(|| Wrong::NotSimulated(word.clone()))?;
                let value = match (flag.takes, given) {
                    (_, Some(given)) => given.to_string(),
                    (Takes::Value, None) => {
                        rest.next().cloned().ok_or_else(|| needs(&format!("--{name}")))?
                    }
                    (_, None) => String::new(),
                };
                args.flags.push((flag.long, value));
            } else if word.len() > 1 && word.starts_with('-') {
                args.shorts(known, word, &mut rest)?;
            } else if args.verb.is_empty() {
                args.verb.clone_from(word);
                known = flags_of(word).ok_or_else(|| Wrong::NotSimulated(word.clone()))?;
            } else {
                args.words.push(word.clone());
            }
        }
        Ok(args)
    }

    /// `-Aw`, `-n gpu`, `-ngpu`, `-o=wide`.
    fn shorts<'w>(
        &mut self,
        known: &[Flag],
        word: &str,
        rest: &mut impl Iterator<Item = &'w String>,
    ) -> Result<(), Wrong> {
        let mut letters = word[1..].chars();
        while let Some(letter) = letters.next() {
            let flag =
                find(known, |flag| flag.short == letter).ok_or_else(|| Wrong::NotSimulated(word.into()))?;
            if flag.takes == Takes::Switch {
                self.flags.push((flag.long, String::new()));
                continue;
            }
            let given = letters.as_str();
            let given = given.strip_prefix('=').unwrap_or(given);
            let value = match given {
                "" => rest.next().cloned().ok_or_else(|| needs(&format!("'{letter}' in {word}")))?,
                given => given.to_string(),
            };
            self.flags.push((flag.long, value));
            break;
        }
        Ok(())
    }

    /// The last value of a flag.
    pub fn value(&self, long: &str) -> Option<&str> {
        self.flags.iter().rev().find(|(name, _)| *name == long).map(|(_, value)| value.as_str())
    }

    /// True where a switch is on.
    pub fn is_on(&self, long: &str) -> bool {
        self.value(long).is_some_and(|value| value.is_empty() || value == "true")
    }
}

fn find(known: &[Flag], is: impl Fn(&Flag) -> bool) -> Option<Flag> {
    known.iter().chain(&EVERYWHERE).find(|flag| is(flag)).copied()
}

fn needs(flag: &str) -> Wrong {
    Wrong::Refused(format!("error: flag needs an argument: {flag}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GET: [Flag; 3] = [value("output", 'o'), switch("all-namespaces", 'A'), switch("watch", 'w')];

    fn read(line: &str) -> Result<Args, Wrong> {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        Args::read(&words, |verb| (verb == "get").then_some(&GET))
    }

    #[test]
    fn flags_stand_anywhere_and_in_every_form() {
        for line in ["-n gpu get pods -o wide", "get pods -ngpu -owide", "get -o=wide --namespace=gpu pods"] {
            let args = read(line).unwrap();
            assert_eq!((args.verb.as_str(), args.words.as_slice()), ("get", ["pods".to_string()].as_slice()));
            assert_eq!(
                (args.value("namespace"), args.value("output")),
                (Some("gpu"), Some("wide")),
                "{line}"
            );
        }
        let args = read("get pods -Aw").unwrap();
        assert!(args.is_on("all-namespaces") && args.is_on("watch"));
        assert!(!read("get pods --watch=false").unwrap().is_on("watch"));
    }

    #[test]
    fn what_is_not_known_is_said() {
        assert_eq!(read("get pods --nothing"), Err(Wrong::NotSimulated("--nothing".into())));
        assert_eq!(read("plugin list"), Err(Wrong::NotSimulated("plugin".into())));
        assert_eq!(read("get -o"), Err(Wrong::Refused("error: flag needs an argument: 'o' in -o".into())));
    }
}
