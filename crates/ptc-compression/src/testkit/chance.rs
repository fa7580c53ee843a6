//! Random choices that are the same for the same seed, on every machine.

use ptc_lisp::SplitMix64;

/// The choices of a seed.
pub(super) struct Chance(SplitMix64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(SplitMix64::new(seed))
    }

    /// A number from 0 to below `end`; 0 if that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        // The remainder of a 64-bit number by a small one is practically uniform.
        usize::try_from(self.0.next_u64().checked_rem(end as u64).unwrap_or(0)).unwrap_or(0)
    }

    /// True once in this many times, on average.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the choices.
    pub fn pick<'c, T>(&mut self, choices: &'c [T]) -> Option<&'c T> {
        choices.get(self.below(choices.len()))
    }
}
