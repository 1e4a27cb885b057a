//! One printed line of a dump, with what it shows and where that came from.

use fourgaps_base::Place;

/// A line of a dump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The text without its line end.
    pub text: String,
    /// The keys down to the value or table of this line; empty for a blank line.
    pub path: Vec<String>,
    /// Where the value was written: `None` for a blank line or a header that only stands between,
    /// the default place for a default.
    pub place: Option<Place>,
}
