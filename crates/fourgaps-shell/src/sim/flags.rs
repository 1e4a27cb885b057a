//! Words of a command line taken apart: flags, their values, and the rest.

/// What follows a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Nothing,
    Value,
    /// A value only where it is written together with the flag: `-b0`, `--boot=0`.
    Perhaps,
}

/// A flag: its names with their dashes, the one that it goes by first.
pub(super) struct Flag(pub &'static [&'static str], pub Takes);

/// The library that takes the words apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// C's: flags anywhere, short ones in a row.
    Gnu,
    /// Go's: flags end at the first other word, one dash is as good as two.
    Go,
    /// The one of kubectl (`spf13/pflag`): flags anywhere, values also as in `-o=wide` and `--watch=false`.
    Pflag,
}

/// The words.
pub(super) struct Words<'a> {
    given: Vec<(&'static str, Option<&'a str>)>,
    /// What is no flag.
    pub rest: Vec<&'a str>,
}

impl<'a> Words<'a> {
    /// Takes words apart.
    ///
    /// # Errors
    /// The word that is none of the flags, or that lacks its value.
    pub fn read<S: AsRef<str>>(args: &'a [S], flags: &[Flag], style: Style) -> Result<Self, &'a str> {
        let mut words = Words { given: Vec::new(), rest: Vec::new() };
        let mut args = args.iter().map(AsRef::as_ref);
        while let Some(arg) = args.next() {
            let is_flag = arg.len() > 1 && arg.starts_with('-');
            if arg == "--" || (!is_flag && style == Style::Go) {
                words.rest.extend((!is_flag).then_some(arg));
                words.rest.extend(args);
                break;
            }
            if !is_flag {
                words.rest.push(arg);
            } else if arg.starts_with("--") || style == Style::Go {
                words.long(arg, &mut args, flags, style)?;
            } else {
                words.short(arg, &mut args, flags, style)?;
            }
        }
        Ok(words)
    }

    fn long(
        &mut self,
        arg: &'a str,
        args: &mut impl Iterator<Item = &'a str>,
        flags: &[Flag],
        style: Style,
    ) -> Result<(), &'a str> {
        let (name, value) = arg.split_once('=').map_or((arg, None), |(name, value)| (name, Some(value)));
        let same = |known: &&str| match style {
            Style::Gnu | Style::Pflag => *known == name,
            Style::Go => known.trim_start_matches('-') == name.trim_start_matches('-'),
        };
        let found = flags.iter().find(|Flag(names, _)| names.iter().any(&same));
        let Some(Flag(names, takes)) = found else {
            // `rmp -af` is `rmp -a -f`.
            return if style == Style::Go { self.short(arg, args, flags, style) } else { Err(arg) };
        };
        let value = match (takes, value) {
            (Takes::Nothing, Some("false")) if style != Style::Gnu => return Ok(()),
            (Takes::Nothing, Some("true")) if style != Style::Gnu => None,
            (Takes::Nothing, Some(_)) => return Err(arg),
            (Takes::Value, None) => Some(args.next().ok_or(arg)?),
            (_, value) => value,
        };
        self.given.push((names[0], value));
        Ok(())
    }

    fn short(
        &mut self,
        arg: &'a str,
        args: &mut impl Iterator<Item = &'a str>,
        flags: &[Flag],
        style: Style,
    ) -> Result<(), &'a str> {
        for (at, letter) in arg.char_indices().skip(1) {
            let is_it = |name: &&str| name.strip_prefix('-') == Some(letter.encode_utf8(&mut [0; 4]));
            let found = flags.iter().find(|Flag(names, _)| names.iter().any(&is_it));
            let Flag(names, takes) = found.ok_or(arg)?;
            let behind = Some(&arg[at + letter.len_utf8()..]).filter(|text| !text.is_empty());
            let behind =
                behind.map(|text| text.strip_prefix('=').filter(|_| style == Style::Pflag).unwrap_or(text));
            match takes {
                Takes::Nothing => self.given.push((names[0], None)),
                Takes::Perhaps => self.given.push((names[0], behind)),
                Takes::Value => {
                    let value = behind.or_else(|| args.next()).ok_or(arg)?;
                    self.given.push((names[0], Some(value)));
                }
            }
            if *takes != Takes::Nothing {
                break;
            }
        }
        Ok(())
    }

    /// True where a flag was given.
    pub fn has(&self, name: &str) -> bool {
        self.given.iter().any(|(given, _)| *given == name)
    }

    /// The value of a flag that was given last; of one without a value, the empty text.
    pub fn value(&self, name: &str) -> Option<&'a str> {
        self.values(name).last()
    }

    /// The values of a flag in their order.
    pub fn values<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'a str> + 's {
        let of = self.given.iter().filter(move |(given, _)| *given == name);
        of.map(|(_, value)| value.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAGS: [Flag; 3] = [
        Flag(&["-n", "--lines"], Takes::Value),
        Flag(&["-b", "--boot"], Takes::Perhaps),
        Flag(&["-r"], Takes::Nothing),
    ];

    /// `wanted`: the flags that were given, then the rest; or the odd word behind a `!`.
    #[track_caller]
    fn check(line: &str, style: Style, wanted: &str) {
        let args: Vec<&str> = line.split_whitespace().collect();
        let found = match Words::read(&args, &FLAGS, style) {
            Err(word) => format!("!{word}"),
            Ok(words) => {
                let pair =
                    |(name, value): &(&str, Option<&str>)| format!("{name}={}", value.unwrap_or_default());
                let given: Vec<String> = words.given.iter().map(pair).collect();
                format!("{} | {}", given.join(" "), words.rest.join(" "))
            }
        };
        assert_eq!(found, wanted, "{line}");
    }

    #[test]
    fn flags_stand_where_their_library_looks_for_them() {
        check("-n 3 x -rb0 --lines=4", Style::Gnu, "-n=3 -r= -b=0 -n=4 | x");
        check("-n3 -- -r", Style::Gnu, "-n=3 | -r");
        check("-rx", Style::Gnu, "!-rx");
        check("x -n", Style::Gnu, "!-n");
        check("--line=3", Style::Gnu, "!--line=3");
        check("-lines=3 x -r", Style::Go, "-n=3 | x -r");
        check("--r=false -n 2", Style::Go, "-n=2 | ");
        check("-r=7", Style::Go, "!-r=7");
        check("x -n=3 --lines 4 -rn5", Style::Pflag, "-n=3 -n=4 -r= -n=5 | x");
    }
}
