//! Integers of programs as indices and counts of this machine, which has 32 bits in a browser.

/// The largest number of elements that is announced before it is allocated: its bytes do not overflow, and no limit
/// allows them.
pub(crate) const MOST_ELEMENTS: usize = usize::MAX >> if usize::BITS == 64 { 8 } else { 5 };

/// 0 for negative integers; those that this machine cannot address become the largest number, which is the index of
/// nothing.
#[inline(always)]
#[allow(clippy::inline_always, reason = "on a machine of 64 bits it is one comparison")]
pub(crate) fn addressable(n: i64) -> usize {
    if n < 0 { 0 } else { usize::try_from(n).unwrap_or(usize::MAX) }
}

#[cfg(test)]
mod tests {
    use super::{MOST_ELEMENTS, addressable};

    #[test]
    fn integers_are_clamped_to_what_can_be_addressed() {
        assert_eq!([i64::MIN, -1, 0, 7].map(addressable), [0, 0, 0, 7]);
        assert!(addressable(i64::MAX) > MOST_ELEMENTS);
        assert!(MOST_ELEMENTS.checked_mul(16).is_some());
    }
}
