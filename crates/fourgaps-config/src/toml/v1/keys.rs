//! Splits the text of a key or header into its parts.

use super::lex_text::is_space;

/// A part of a dotted key: its name, and the offset in the key's text where it starts.
pub(super) type RawPart = (String, usize);

/// Splits a key at its dots. Escapes are no business of this step: the lexer has resolved them already.
///
/// A dot at the very start is accepted, and so are two quoted parts without a dot between them.
pub(super) fn parse_key(text: &str) -> Result<Vec<RawPart>, String> {
    let chars: Vec<char> = text.chars().collect();
    let collect = |from: usize, to: usize| chars.get(from..to).unwrap_or_default().iter().collect::<String>();
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(&char) = chars.get(at) {
        match char {
            ' ' | '\t' => at += 1,
            '\'' | '"' => {
                let from = at + 1;
                let Some(length) = chars.iter().skip(from).position(|other| *other == char) else {
                    let name = if char == '"' { "double" } else { "single" };
                    return Err(format!("unclosed {name}-quoted key"));
                };
                parts.push((collect(from, from + length), at));
                at = from + length + 1;
            }
            '.' => {
                at += 1;
                match chars.get(at) {
                    None => return Err(String::from("unexpected end of key")),
                    Some('\'' | '"' | ' ') => {}
                    Some(next) if is_bare(*next) => {}
                    Some(_) => return Err(String::from("expecting key part after dot")),
                }
            }
            char if is_bare(char) => {
                let from = at;
                at += chars.iter().skip(from).take_while(|char| is_bare(**char)).count();
                parts.push((collect(from, at), from));
                match chars.get(at) {
                    None | Some('.') => {}
                    Some(next) if is_space(*next) => {
                        at += chars.iter().skip(at).take_while(|char| is_space(**char)).count();
                        if let Some(next) = chars.get(at).filter(|next| **next != '.') {
                            return Err(format!("invalid key character after whitespace: {next}"));
                        }
                    }
                    Some(next) => return Err(format!("invalid bare key character: {next}")),
                }
            }
            char => return Err(format!("invalid key character: {char}")),
        }
    }
    if parts.is_empty() { Err(String::from("empty key")) } else { Ok(parts) }
}

/// True for the characters that need no quotes in a key.
pub(super) fn is_bare(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_' || char == '-'
}
