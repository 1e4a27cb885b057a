//! The first generation, as 1.6 and 1.7 read it: the rules and the words of go-toml 1.9.5.
//!
//! This library reads an older and looser TOML: it accepts some texts that are none, refuses some that are good, and
//! keeps made-up positions here and there. All of that is behaviour that a reader of containerd's messages meets, so
//! all of it is kept. Where it departs from TOML in a way that is easy to take for a mistake, a comment says so.

pub mod decode;
pub mod edit;
mod keys;
mod lex_number;
mod lex_text;
mod lexer;
mod literal;
mod numbers;
mod parser;
pub mod print;
pub mod show;
mod source;
#[cfg(test)]
mod tests;
mod times;
mod token;
mod tree;
mod values;

pub use parser::MAX_DEPTH;

use super::{Table, TomlError};
use fourgaps_base::FileId;

/// Reads a text as 1.6 and 1.7 do.
///
/// # Errors
/// Says in the library's own words why it refuses the text; or, in words of this crate, that tables and lists lie too
/// deep in each other to be shown.
pub fn parse(file: FileId, bytes: &[u8]) -> Result<Table, TomlError> {
    parser::parse(file, source::Source::new(bytes))
}
