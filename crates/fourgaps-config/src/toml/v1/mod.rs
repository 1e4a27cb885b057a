//! The first generation, as 1.6 and 1.7 read it.

pub mod decode;
pub mod print;
pub mod show;

/// stub
pub fn parse(_file: fourgaps_base::FileId, _bytes: &[u8]) -> Result<super::Table, super::TomlError> {
    Ok(super::Table::default())
}
