//! Older lines by `!`, as an interactive bash puts them in before it runs a line (bash(1), HISTORY EXPANSION).

/// The line with what its `!` stand for; nothing where it has none.
///
/// # Errors
/// What bash says where there is no such line or word, or what is refused here.
pub(crate) fn recalled(line: &str, typed: &[String]) -> Result<Option<String>, String> {
    // A text of several lines is pasted, and may hold files.
    if line.contains('\n') || !line.contains(['!', '^']) {
        return Ok(None);
    }
    if let Some(rest) = line.strip_prefix('^') {
        let (old, rest) = rest.split_once('^').unwrap_or((rest, ""));
        let (new, more) = rest.split_once('^').unwrap_or((rest, ""));
        let last = typed.last().ok_or(format!("{line}: event not found"))?;
        return match last.contains(old) && !old.is_empty() {
            true => Ok(Some(last.replacen(old, new, 1) + more)),
            false => Err(format!(":s{line}: substitution failed")),
        };
    }
    let (mut told, mut changed) = (String::new(), false);
    let (mut rest, mut before, mut quoted) = (line, ' ', false);
    while let Some(letter) = rest.chars().next() {
        let behind = &rest[letter.len_utf8()..];
        let next = behind.chars().next();
        let skipped = match letter {
            '\\' => letter.len_utf8() + next.map_or(0, char::len_utf8),
            '\'' if !quoted => behind.find('\'').map_or(rest.len(), |end| end + 2),
            '#' if !quoted && before.is_whitespace() => rest.len(),
            '!' if begins(before, next, quoted, behind) => 0,
            _ => letter.len_utf8(),
        };
        if skipped == 0 {
            let (text, end) = event(behind, typed)?;
            told += &text;
            changed = true;
            rest = end;
        } else {
            quoted ^= letter == '"';
            told += &rest[..skipped];
            rest = &rest[skipped..];
        }
        before = letter;
    }
    Ok(changed.then_some(told))
}

/// True where a `!` stands for an older line.
fn begins(before: char, next: Option<char>, quoted: bool, behind: &str) -> bool {
    let Some(next) = next else { return false };
    let in_brackets = before == '[' && behind.contains(']');
    let means_itself = next.is_whitespace() || ['=', '('].contains(&next) || quoted && next == '"';
    let is_of_another = ['$', '{'].contains(&before) || in_brackets;
    !means_itself && !is_of_another
}

/// What an event behind its `!` and its words are, and what follows.
fn event<'l>(text: &'l str, typed: &[String]) -> Result<(String, &'l str), String> {
    let words = ['$', '^', '*', ':'];
    let (length, found) = if text.starts_with(words) {
        (0, typed.last())
    } else if text.starts_with('!') {
        (1, typed.last())
    } else if let Some(rest) = text.strip_prefix('?') {
        let end = rest.find('?').unwrap_or(rest.len());
        let length = 1 + (end + 1).min(rest.len());
        (length, typed.iter().rev().find(|line| line.contains(&rest[..end])))
    } else {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let back = usize::from(text.starts_with('-'));
        match digits(&text[back..]) {
            0 => {
                let ends = |letter: char| letter.is_whitespace() || ":;&()|<>\"^$*-".contains(letter);
                let length = text.find(ends).unwrap_or(text.len());
                (length, typed.iter().rev().find(|line| line.starts_with(&text[..length])))
            }
            count => {
                let length = back + count;
                let number: usize = text[back..length].parse().unwrap_or(usize::MAX);
                let at = if back == 1 { typed.len().checked_sub(number) } else { number.checked_sub(1) };
                (length, at.and_then(|at| typed.get(at)))
            }
        }
    };
    let (name, rest) = text.split_at(length);
    let line = found.ok_or(format!("!{name}: event not found"))?;
    words_of(line, name, rest)
}

/// The words of a line that are asked for, and what follows.
fn words_of<'l>(line: &str, name: &str, text: &'l str) -> Result<(String, &'l str), String> {
    let plain = text.strip_prefix(':');
    let asked = plain.unwrap_or(text);
    let is_number = |letter: char| letter.is_ascii_digit();
    if plain.is_none() && !asked.starts_with(['$', '^', '*', '-']) {
        return Ok((line.to_string(), text));
    }
    if plain.is_some() && !asked.starts_with(['$', '^', '*', '-']) && !asked.starts_with(is_number) {
        return Err(format!("!{name}:{asked}: a modifier: not simulated in this lab"));
    }
    let words = tokens(line);
    let last = words.len().saturating_sub(1);
    // A place, and what stands behind it.
    let place = |text: &'l str| -> Option<(usize, &'l str)> {
        if let Some(rest) = text.strip_prefix('$') {
            return Some((last, rest));
        }
        if let Some(rest) = text.strip_prefix('^') {
            return Some((1, rest));
        }
        let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        Some((text[..end].parse().ok()?, &text[end..]))
    };
    let (from, to, rest) = if let Some(rest) = asked.strip_prefix('*') {
        (1, last, rest)
    } else {
        let (from, rest) = place(asked).unwrap_or((0, asked));
        match (rest.strip_prefix('*'), rest.strip_prefix('-')) {
            (Some(rest), _) => (from, last, rest),
            (None, Some(rest)) => match place(rest) {
                Some((to, rest)) => (from, to, rest),
                // Up to the last but one.
                None => (from, last.saturating_sub(1), rest),
            },
            (None, None) => (from, from, rest),
        }
    };
    if asked.starts_with('*') && last == 0 {
        return Ok((String::new(), rest));
    }
    let found = words.get(from..=to).filter(|_| from <= to);
    let shown = &text[..text.len() - rest.len()];
    found.map(|words| (words.join(" "), rest)).ok_or(format!("{shown}: bad word specifier"))
}

/// The words of a line as the history counts them: quotes stay, and signs of the shell are words of their own.
fn tokens(line: &str) -> Vec<&str> {
    const SIGNS: &str = ";&()|<>";
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let mut end = rest.len();
        if SIGNS.contains(first) {
            end = rest.find(|letter| !SIGNS.contains(letter)).unwrap_or(end);
        } else {
            let mut quote = None;
            let mut letters = rest.char_indices();
            while let Some((at, letter)) = letters.next() {
                match (letter, quote) {
                    ('\\', quote) if quote != Some('\'') => drop(letters.next()),
                    (letter, Some(open)) if letter == open => quote = None,
                    ('\'' | '"' | '`', None) => quote = Some(letter),
                    (letter, None) if letter.is_whitespace() || SIGNS.contains(letter) => {
                        end = at;
                        break;
                    }
                    _ => {}
                }
            }
        }
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As an interactive bash of this machine told each.
    #[test]
    fn older_lines_and_their_words_are_put_in() {
        let typed = ["cd /etc", "systemctl restart 'a b' containerd", "echo one two; ls -l", "cat x"];
        let typed = typed.map(String::from);
        for (line, wanted) in [
            ("!!", "cat x"),
            ("sudo !!", "sudo cat x"),
            ("ls !$", "ls x"),
            ("ls !^ !*", "ls x x"),
            ("!1", "cd /etc"),
            ("!-2", "echo one two; ls -l"),
            ("!-2:1-2", "one two"),
            ("!-2:3", ";"),
            ("!sys", "systemctl restart 'a b' containerd"),
            ("echo !sys:2 | wc", "echo 'a b' | wc"),
            ("!?one? && !cd:0", "echo one two; ls -l && cd"),
            ("echo !cd:$ !sys$", "echo /etc containerd"),
            ("^cat^less^ more", "less x more"),
            ("x!!y !c*", "xcat xy x"),
            ("!sys:1*", "restart 'a b' containerd"),
            ("!sys-1", "systemctl restart"),
            ("!sys:0-", "systemctl restart 'a b'"),
            ("echo \"!!\"", "echo \"cat x\""),
            ("^x^y", "cat y"),
            ("^cat^less^", "less x"),
        ] {
            assert_eq!(recalled(line, &typed), Ok(Some(wanted.to_string())), "{line}");
        }
        for line in [
            "! true",
            "echo !",
            "a != b",
            "[ ! -f x ]",
            "!(a)",
            "echo '!!'",
            "echo \\!!",
            "echo \"wow!\"",
            "echo $! ${!x}",
            "ls [!a]*",
            "# !!",
            "a # !!",
            "a ^ b",
            "cat <<E\n!!\nE",
        ] {
            assert_eq!(recalled(line, &typed), Ok(None), "{line}");
        }
        for (line, why) in [
            ("!nope", "!nope: event not found"),
            ("!9", "!9: event not found"),
            ("!!:7", ":7: bad word specifier"),
            ("^q^r", ":s^q^r: substitution failed"),
        ] {
            assert_eq!(recalled(line, &typed), Err(why.to_string()), "{line}");
        }
        assert_eq!(recalled("!!", &[]), Err("!!: event not found".to_string()));
    }
}
