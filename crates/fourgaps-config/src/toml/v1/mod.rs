//! The first generation, as 1.6 and 1.7 read it.
