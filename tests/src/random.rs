//! Choices that a seed decides, the same on every machine and for ever.

use ptc_lisp::SplitMix64;

/// A stream of numbers, decided by its seed alone.
pub struct Random(SplitMix64);

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Random(SplitMix64::new(seed))
    }

    /// A number from 0 up to, not including, `bound`; 0 for a bound of 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        let scaled = u128::from(self.0.next_u64()) * u128::from(bound);
        u64::try_from(scaled >> 64).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of the items, all equally likely.
    pub fn pick<'a, T, const N: usize>(&mut self, items: &'a [T; N]) -> &'a T {
        const { assert!(N > 0) };
        let place = self.below(N as u64) as usize;
        #[allow(clippy::indexing_slicing, reason = "below(N) is smaller than N, and N is not 0")]
        &items[place]
    }

    /// The index of one of the weights, each as likely as its weight; 0 when all are 0.
    pub fn weighted(&mut self, weights: &[u64]) -> usize {
        let mut rest = self.below(weights.iter().sum());
        for (place, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return place;
            }
            rest -= weight;
        }
        0
    }
}
