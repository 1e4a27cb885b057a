//! Options of our own programs: letters, words, values; whatever is not listed is refused.

/// What a program accepts: `"a"` a letter, `"m:"` a letter with a value, `"recursive=r"` a word for a letter,
/// `"time-style:=T"` a word with a value.
pub(crate) struct Accepts<'a> {
    pub letters: &'a str,
    pub words: &'a [(&'a str, &'a str)],
}

/// Options in their order, with values, and the rest of the words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Given {
    pub options: Vec<(char, String)>,
    pub rest: Vec<String>,
}

impl Given {
    pub(crate) fn has(&self, letter: char) -> bool {
        self.options.iter().any(|(given, _)| *given == letter)
    }

    /// The value of an option, the last one where it is given twice.
    pub(crate) fn value(&self, letter: char) -> Option<&str> {
        self.options.iter().rev().find(|(given, _)| *given == letter).map(|(_, value)| value.as_str())
    }
}

impl Accepts<'_> {
    /// Takes arguments apart as GNU programs do: options may stand after other words, `--` ends them.
    ///
    /// # Errors
    /// Gives the option that is not accepted here, or lacks its value.
    pub(crate) fn parse(&self, args: &[String]) -> Result<Given, String> {
        let mut given = Given::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            if arg == "--" {
                given.rest.extend(args.cloned());
                break;
            }
            if let Some(word) = arg.strip_prefix("--") {
                let (name, value) = word.split_once('=').map_or((word, None), |(n, v)| (n, Some(v)));
                let (_, spec) = self.words.iter().find(|(known, _)| *known == name).ok_or(arg.as_str())?;
                let letter = spec.chars().next().ok_or(arg.as_str())?;
                let takes = spec.ends_with(':');
                let value = match (takes, value) {
                    (true, None) => args.next().cloned().ok_or(arg.as_str())?,
                    (false, Some(_)) if !spec.ends_with('?') => return Err(arg.clone()),
                    (_, value) => value.unwrap_or_default().to_string(),
                };
                given.options.push((letter, value));
            } else if arg.len() > 1 && arg.starts_with('-') {
                for (at, letter) in arg[1..].char_indices() {
                    let known = self.letters.find(letter).filter(|_| letter != ':');
                    let Some(known) = known else { return Err(format!("-{letter}")) };
                    let takes = self.letters[known + letter.len_utf8()..].starts_with(':');
                    let mut value = String::new();
                    if takes {
                        let rest = &arg[1 + at + letter.len_utf8()..];
                        value = match rest {
                            "" => args.next().cloned().ok_or(format!("-{letter}"))?,
                            rest => rest.to_string(),
                        };
                    }
                    given.options.push((letter, value));
                    if takes {
                        break;
                    }
                }
            } else {
                given.rest.push(arg.clone());
            }
        }
        Ok(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_apart_as_in_gnu_programs() {
        let accepts = Accepts { letters: "abm:", words: &[("all", "a"), ("mode", "m:"), ("color", "c?")] };
        let parse = |line: &str| {
            let words: Vec<String> = line.split(' ').map(String::from).collect();
            accepts.parse(&words)
        };
        let given = parse("x -ab --mode=7 y --color -m8 -- -z").unwrap();
        assert_eq!(given.rest, ["x", "y", "-z"]);
        assert_eq!(given.value('m'), Some("8"));
        assert!(given.has('a') && given.has('b') && given.has('c'));
        assert_eq!(parse("-z").unwrap_err(), "-z");
        assert_eq!(parse("--nope").unwrap_err(), "--nope");
        assert_eq!(parse("-m").unwrap_err(), "-m");
        assert_eq!(parse("--all=x").unwrap_err(), "--all=x");
        assert_eq!(parse("-").unwrap().rest, ["-"]);
    }
}
