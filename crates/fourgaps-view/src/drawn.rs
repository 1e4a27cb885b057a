//! Numbers that are random on a real machine and that nothing else depends on: drawn from a name.

/// The draw of this number for a name: the public-domain FNV-1a over the name, then a mix of SplitMix64.
fn drawn(name: &str, number: u64) -> u64 {
    let hashed = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let seed = name.bytes().fold(0xcbf2_9ce4_8422_2325, hashed);
    let mut z = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// 32 hexadecimal digits of version 4, as an id of systemd.
pub(crate) fn id128(name: &str, number: u64) -> String {
    let (high, low) = (drawn(name, 2 * number), drawn(name, 2 * number + 1));
    format!("{:016x}{:016x}", high & !0xf000 | 0x4000, low & (u64::MAX >> 2) | 1 << 63)
}

/// A UUID of version 4.
pub(crate) fn uuid(name: &str, number: u64) -> String {
    let id = id128(name, number);
    [&id[..8], &id[8..12], &id[12..16], &id[16..20], &id[20..]].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_its_own_ids() {
        let id = uuid("omen", 0);
        assert_eq!(id.len(), 36);
        assert_eq!(id.as_bytes()[14], b'4');
        assert!(b"89ab".contains(&id.as_bytes()[19]), "{id}");
        assert_eq!(id, uuid("omen", 0));
        assert_ne!(id, uuid("omen2", 0));
        assert_ne!(id, uuid("omen", 1));
    }
}
