//! Numbers that are random on a real machine, drawn from a seed: the same run has the same ids everywhere.

/// The draw of this number from a seed: a mix of the public-domain generator SplitMix64.
pub(crate) fn draw(seed: u64, number: u64) -> u64 {
    let mut z = seed.wrapping_add((number.wrapping_add(1)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The id of a container or a sandbox, as containerd makes them: 64 hexadecimal digits.
pub(crate) fn container_id(seed: u64, number: u64) -> String {
    let seed = draw(seed, number);
    (0..4).map(|part| format!("{:016x}", draw(seed, part))).collect()
}
