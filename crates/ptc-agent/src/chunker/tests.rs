//! Laws of pieces.

use proptest::prelude::*;

use super::{ChunkUnit, Chunker, ChunkerError};

fn texts(unit: ChunkUnit, size: usize, overlap: usize, text: &str) -> Vec<String> {
    Chunker::new(unit, size, overlap).unwrap().chunks(text).into_iter().map(|chunk| chunk.text).collect()
}

#[test]
fn lines_keep_their_ends() {
    assert_eq!(texts(ChunkUnit::Lines, 2, 1, "a\nb\nc\n"), ["a\nb\n", "b\nc\n"]);
    assert_eq!(texts(ChunkUnit::Lines, 2, 0, "a\n\nc"), ["a\n\n", "c"]);
    assert_eq!(texts(ChunkUnit::Lines, 2, 1, ""), [""; 0]);
}

#[test]
fn tokens_are_four_characters() {
    assert_eq!(texts(ChunkUnit::Tokens, 1, 0, "äbcdefg"), ["äbcd", "efg"]);
    let chunks = Chunker::new(ChunkUnit::Tokens, 2, 0).unwrap().chunks("one two\nthree");
    assert_eq!(
        chunks.iter().map(|chunk| (chunk.lines, chunk.chars, chunk.tokens)).collect::<Vec<_>>(),
        [(1, 8, 2), (1, 5, 1)]
    );
}

#[test]
fn sizes_that_never_end_are_refused() {
    assert_eq!(Chunker::new(ChunkUnit::Chars, 0, 0), Err(ChunkerError::Size));
    assert_eq!(Chunker::new(ChunkUnit::Chars, 3, 3), Err(ChunkerError::Overlap { overlap: 3, size: 3 }));
}

proptest! {
    #[test]
    fn pieces_without_their_overlaps_are_the_text(text in "[aé\n]{0,60}", size in 1_usize..9, overlap in 0_usize..8, lines in any::<bool>()) {
        prop_assume!(overlap < size);
        let unit = if lines { ChunkUnit::Lines } else { ChunkUnit::Chars };
        let pieces = texts(unit, size, overlap, &text);
        let mut whole = String::new();
        for (at, piece) in pieces.iter().enumerate() {
            let skipped = if at == 0 { 0 } else { overlap };
            match unit {
                ChunkUnit::Lines => whole.extend(piece.split_inclusive('\n').skip(skipped)),
                _ => whole.extend(piece.chars().skip(skipped)),
            }
        }
        prop_assert_eq!(whole, text);
    }
}
