//! Why decoding stops: an error with or without a place, or a crash of the process.

use crate::toml::printable::is_printable;

/// How many tables and lists may lie in each other. The library knows no bound; real configurations stay below ten.
pub(super) const DEEPEST: usize = 128;

/// The reason to stop. Offsets are bytes from the start of the document.
#[derive(Debug)]
pub(super) struct Fault {
    /// Where the fault is.
    pub offset: usize,
    /// What the library does about it.
    pub kind: FaultKind,
    /// The message without the library's name.
    pub message: String,
}

/// What the library does about a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultKind {
    /// Names the line and column of the offset.
    Placed,
    /// Would name a line and column, but has no byte to point at.
    PlacedEmpty,
    /// Names the start of the document, whatever the fault.
    AtStart,
    /// Names no place.
    Plain,
    /// Names neither a place nor the library.
    Bare,
    /// Crashes.
    Crash,
    /// Nothing: this is our own bound.
    Bound,
}

pub(super) type Res<T> = Result<T, Fault>;

impl Fault {
    /// An error at a byte of the document.
    pub fn at(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, kind: FaultKind::Placed, message: message.into() }
    }

    /// An error at a range, which may be empty.
    pub fn over(from: usize, to: usize, message: impl Into<String>) -> Self {
        let kind = if from == to { FaultKind::PlacedEmpty } else { FaultKind::Placed };
        Self { offset: from, kind, message: message.into() }
    }

    /// An error whose message names no place.
    pub fn plain(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, kind: FaultKind::Plain, message: message.into() }
    }

    /// An error that is reported at 1:1 because the library does not know better.
    pub fn at_start(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, kind: FaultKind::AtStart, message: message.into() }
    }

    /// An error whose message names neither a place nor the library.
    pub fn bare(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, kind: FaultKind::Bare, message: message.into() }
    }

    /// A crash.
    pub fn crash(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, kind: FaultKind::Crash, message: message.into() }
    }

    /// More depth than [`DEEPEST`].
    pub fn too_deep(offset: usize) -> Self {
        let message = format!("fourgaps reads tables and lists only up to {DEEPEST} levels deep");
        Self { offset, kind: FaultKind::Bound, message }
    }
}

/// A byte as `U+006C 'l'`, without the character where it does not print.
pub(super) fn unicode(byte: u8) -> String {
    let shown = char::from(byte);
    if is_printable(shown) { format!("U+{byte:04X} '{shown}'") } else { format!("U+{byte:04X}") }
}
