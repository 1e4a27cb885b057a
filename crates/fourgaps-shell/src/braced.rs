//! A word such as `'{print}'` before `<` or `>`: the interpreter takes it for the name of a descriptor, `{fd}<`, also where it
//! is quoted or stands apart, and the command loses it. Such a word is told with an empty expansion behind it.

/// What adds nothing to a word, and makes it no plain one.
const NOTHING: &str = "${_+}";

/// A line with each such word told so that it stays a word. Texts behind the first line of a here-document, and what stands
/// within quotes, are left as they are.
pub(crate) fn braced(line: &str) -> String {
    let mut told = String::with_capacity(line.len());
    let has_document = line.replace("<<<", "").contains("<<");
    let first = if has_document { line.split_inclusive('\n').next().unwrap_or(line) } else { line };
    let mut rest = first;
    let mut starts_word = true;
    while let Some(letter) = rest.chars().next() {
        let (length, quoted) = match letter {
            '\\' => (rest.chars().take(2).map(char::len_utf8).sum(), false),
            '\'' | '"' => (quoted(rest, letter), true),
            '{' => (rest.find('}').map_or(1, |end| end + 1), false),
            _ => (letter.len_utf8(), false),
        };
        let (piece, after) = rest.split_at(length);
        let inner =
            if quoted { piece.get(1..piece.len().saturating_sub(1)).unwrap_or_default() } else { piece };
        let name = inner.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
        let is_name = name.is_some_and(|name| {
            !name.starts_with(|first: char| first.is_ascii_digit())
                && !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        });
        let apart = after.starts_with([' ', '\t']);
        let is_lost = is_name && starts_word && after.trim_start_matches([' ', '\t']).starts_with(['<', '>']);
        if is_name || letter != '{' {
            told.push_str(piece);
            rest = after;
        } else {
            told.push(letter);
            rest = rest.get(1..).unwrap_or_default();
        }
        if is_lost && (quoted || apart) {
            told.push_str(NOTHING);
        }
        starts_word = letter.is_whitespace() || [';', '|', '&', '('].contains(&letter);
    }
    told + line.get(first.len()..).unwrap_or_default()
}

/// The bytes of a quoted piece, or of the rest where it has no end.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            letter if letter == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_in_braces_stays_a_word() {
        for line in [
            "exec {fd}< f",
            "awk '{print $1}' < f",
            "awk '{print}' f",
            "echo '{print}'",
            "echo \"awk '{print}' < f\"",
            "{ cat; } < f",
            "a '{x' < f",
            "echo x'{a}' < f",
            "cat <<E\nawk '{print}' < f\nE",
            "é 'é' \"{",
            "echo ${x} < f",
            "echo \\'{a}",
            "'",
        ] {
            assert_eq!(braced(line), line);
        }
        assert_eq!(braced("awk '{print}' < f"), "awk '{print}'${_+} < f");
        assert_eq!(
            braced("a; awk \"{print}\"> f | b '{c}' <<< d"),
            "a; awk \"{print}\"${_+}> f | b '{c}'${_+} <<< d"
        );
        assert_eq!(braced("x=$(awk '{print}' < f)"), "x=$(awk '{print}'${_+} < f)");
        assert_eq!(braced("echo {a} > f"), "echo {a}${_+} > f");
        assert_eq!(
            braced("awk '{print}' <<E\nawk '{print}' < f\nE"),
            "awk '{print}'${_+} <<E\nawk '{print}' < f\nE"
        );
    }
}
