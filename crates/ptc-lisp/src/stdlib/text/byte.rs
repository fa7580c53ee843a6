//! Finding a byte: eight at a time, without preparation.

/// The lowest and the highest bit of each byte of a word.
const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = LOW << 7;

/// The first index of `byte` in `bytes`.
///
/// O(n), some ten instructions for eight bytes. The standard search is faster from some hundreds of bytes on, but takes
/// as long to start as this one takes for a short text.
#[inline]
pub(super) fn find(bytes: &[u8], byte: u8) -> Option<usize> {
    let (words, _) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        if let Some(at) = find_in_word(*word, byte) {
            return Some(index * 8 + at);
        }
    }
    match bytes.last_chunk::<8>() {
        // The bytes that the last word shares with the one before are known not to contain it.
        Some(last) if !bytes.len().is_multiple_of(8) => find_in_word(*last, byte).map(|at| bytes.len() - 8 + at),
        Some(_) => None,
        None => bytes.iter().position(|other| *other == byte),
    }
}

/// Subtracting one borrows from the highest bit of a byte that is zero; a false positive can only follow a true one.
#[inline]
fn find_in_word(word: [u8; 8], byte: u8) -> Option<usize> {
    let differences = u64::from_le_bytes(word) ^ (LOW * u64::from(byte));
    let zeros = differences.wrapping_sub(LOW) & !differences & HIGH;
    (zeros != 0).then(|| zeros.trailing_zeros() as usize / 8)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bytes_are_found_as_by_looking_at_each(bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0..3_u8, 0x7f..0x82_u8], 0..40), byte in prop_oneof![any::<u8>(), 0..3_u8, 0x7f..0x82_u8]) {
            prop_assert_eq!(super::find(&bytes, byte), bytes.iter().position(|other| *other == byte));
        }
    }
}
