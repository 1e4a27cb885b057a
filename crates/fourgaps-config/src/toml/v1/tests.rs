//! One line of TOML, and what becomes of it.
