//! Texts of the course are plain, but for one mark: code stands between backticks.

/// A run of a text: plain words, or code that is shown as it would be typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<'t> {
    /// The words.
    pub text: &'t str,
    /// True where they stood between backticks.
    pub code: bool,
}

/// Splits a text at its backticks. A backtick without a partner is a letter like any other.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, code, after)) = next_code(rest) {
        found.push(Piece { text: before, code: false });
        found.push(Piece { text: code, code: true });
        rest = after;
    }
    found.push(Piece { text: rest, code: false });
    found.retain(|piece| !piece.text.is_empty());
    found
}

fn next_code(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('`')?;
    let (code, after) = rest.split_once('`')?;
    Some((before, code, after))
}

#[cfg(test)]
mod tests {
    use super::pieces;

    fn check(text: &str, expected: &str) {
        let shown: Vec<String> = pieces(text)
            .iter()
            .map(|p| if p.code { format!("<{}>", p.text) } else { p.text.to_string() })
            .collect();
        assert_eq!(shown.join("|"), expected);
    }

    #[test]
    fn code_stands_between_backticks() {
        check("the file `a.toml` wins", "the file |<a.toml>| wins");
        check("`a``b`", "<a>|<b>");
        check("half ` open", "half ` open");
        check("", "");
    }
}
