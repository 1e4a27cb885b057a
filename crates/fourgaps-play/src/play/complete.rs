//! What Tab makes of a line.

use super::Play;
use serde::Serialize;

/// A line with what Tab makes of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Completed {
    /// The line now.
    pub text: String,
    /// Where the cursor stands in it, in characters.
    pub cursor: u32,
    /// What there is to choose from, where the line alone does not decide.
    pub choices: Option<String>,
}

impl Play {
    /// What Tab makes of a line with the cursor after so many characters.
    pub fn complete(&self, tab: &str, line: &str, cursor: u32) -> Completed {
        let at = line.char_indices().nth(cursor as usize).map_or(line.len(), |(at, _)| at);
        let found = self.shell.complete(tab, line, at);
        let typed = &line[found.start..at];
        let mut word = match found.words.split_first() {
            None => typed.to_string(),
            Some((first, rest)) => rest.iter().fold(first.clone(), |head, word| common(&head, word)),
        };
        if found.words.len() == 1 && !word.ends_with('/') {
            word.push(' ');
        }
        let decided = found.words.len() < 2 || word.len() > typed.len();
        let choices = (!decided).then(|| found.words.join("  "));
        let text = format!("{}{word}{}", &line[..found.start], &line[at..]);
        let cursor = text[..found.start + word.len()].chars().count() as u32;
        Completed { text, cursor, choices }
    }
}

/// The longest text that both begin with.
fn common(a: &str, b: &str) -> String {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}
