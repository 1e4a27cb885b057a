//! A text as one word that fits in an address: deflate, then base64 with the letters that addresses leave alone.

use crate::RestoreError;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Most bytes that a link may unfold to.
const MAX_UNPACKED: usize = 4 * 1024 * 1024;

/// Packs a text.
pub(crate) fn pack(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 9))
}

/// Unpacks a text.
pub(crate) fn unpack(word: &str) -> Result<String, RestoreError> {
    let broken = |why: &str| RestoreError::Broken(format!("the link is cut off or changed ({why})"));
    let packed = URL_SAFE_NO_PAD.decode(word.trim()).map_err(|_| broken("letters"))?;
    let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(&packed, MAX_UNPACKED)
        .map_err(|_| broken("packing"))?;
    String::from_utf8(bytes).map_err(|_| broken("text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back() {
        for text in ["", "a", "日本語 한국어 \n\0", &"x".repeat(100_000)] {
            let word = pack(text);
            assert!(word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'));
            assert_eq!(unpack(&word).unwrap(), text);
        }
    }

    #[test]
    fn a_damaged_link_is_refused() {
        let word = pack("{\"format\":1,\"engine\":\"0.1.0\"}");
        for damaged in [&word[..word.len() / 2], "", "%%%", "AAAA", "日本"] {
            assert_eq!(unpack(damaged).unwrap_err().code(), "broken", "{damaged:?}");
        }
    }

    #[test]
    fn a_link_cannot_fill_the_memory() {
        let bomb = URL_SAFE_NO_PAD.encode(miniz_oxide::deflate::compress_to_vec(&vec![b' '; 8 << 20], 9));
        assert_eq!(unpack(&bomb).unwrap_err().code(), "broken");
    }
}
