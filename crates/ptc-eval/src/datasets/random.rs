//! Choices that a seed decides, the same on every machine and for ever.

use ptc_lisp::SplitMix64;

/// A stream of numbers, decided by its seed alone.
pub(super) struct Random(SplitMix64);

impl Random {
    /// The stream number `stream` of a seed; streams do not influence each other.
    pub(super) fn new(seed: u64, stream: u64) -> Random {
        let mut random = SplitMix64::new(seed ^ stream.wrapping_mul(0xd134_2543_de82_ef95));
        random.next_u64();
        Random(random)
    }

    /// A number from 0 up to, not including, `bound`; 0 for a bound of 0.
    fn below(&mut self, bound: u32) -> u32 {
        let scaled = (self.0.next_u64() >> 32) * u64::from(bound);
        u32::try_from(scaled >> 32).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True in `percent` of 100 cases.
    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// One of the items, each as likely as its weight says.
    pub(super) fn weighted<T: Copy, const N: usize>(&mut self, items: &[(T, u32); N]) -> T {
        const { assert!(N > 0) };
        let drawn = self.below(items.iter().map(|(_, weight)| weight).sum());
        let mut upto = 0;
        let place = items.iter().position(|(_, weight)| {
            upto += weight;
            drawn < upto
        });
        #[allow(clippy::indexing_slicing, reason = "a place in the list, or 0, and N is not 0")]
        items[place.unwrap_or(0)].0
    }

    /// One of the items, all equally likely.
    pub(super) fn pick<T: Copy, const N: usize>(&mut self, items: &[T; N]) -> T {
        const { assert!(N > 0) };
        let place = self.below(N as u32) as usize;
        #[allow(clippy::indexing_slicing, reason = "below(N) is smaller than N, and N is not 0")]
        items[place]
    }

    /// A day of a year that is not a leap year, as `2023-05-17`.
    pub(super) fn day(&mut self, year: u32) -> String {
        const MONTHS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let mut day = self.below(MONTHS.iter().sum());
        let mut month = 1;
        for days in MONTHS {
            if day < days {
                break;
            }
            day -= days;
            month += 1;
        }
        format!("{year}-{month:02}-{:02}", day + 1)
    }
}
