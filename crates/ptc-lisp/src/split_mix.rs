//! Random numbers determined by a seed.

/// The generator SplitMix64: the same numbers for the same seed, on every machine and in every release.
///
/// ```
/// use ptc_lisp::SplitMix64;
///
/// assert_eq!(SplitMix64::new(0).next_u64(), 16_294_208_416_658_607_535);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
