//! Cutting long texts into pieces that agents handle one by one.

use ptc_compression::{Estimate, TokenCounter};
use serde::Serialize;

/// The unit of the size of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChunkUnit {
    /// Lines, each with its line break.
    Lines,
    /// Characters (Unicode scalar values).
    Chars,
    /// Estimated tokens: four characters each, see [`Estimate`].
    Tokens,
}

/// Cuts texts into pieces of one size, each beginning with the end of the one before.
///
/// ```
/// use ptc_agent::{ChunkUnit, Chunker};
///
/// let chunks = Chunker::new(ChunkUnit::Chars, 4, 1)?.chunks("abcdefgh");
/// assert_eq!(chunks.iter().map(|chunk| chunk.text.as_str()).collect::<Vec<_>>(), ["abcd", "defg", "gh"]);
/// assert_eq!((chunks[1].index, chunks[1].chars), (1, 4));
/// # Ok::<(), ptc_agent::ChunkerError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunker {
    unit: ChunkUnit,
    size: usize,
    overlap: usize,
}

/// A piece of a text; as data, a map of these fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Chunk {
    /// Number of the piece, from 0.
    pub index: usize,
    /// The piece.
    pub text: String,
    /// Lines that it touches.
    pub lines: usize,
    /// Its characters.
    pub chars: usize,
    /// Its estimated tokens, rounded down.
    pub tokens: usize,
}

/// Sizes that cut nothing, or never end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChunkerError {
    /// A size of 0.
    #[error("the size of a chunk must be above 0")]
    Size,
    /// Pieces that would not move forward.
    #[error("an overlap of {overlap} must be below the size of {size}")]
    Overlap {
        /// As given.
        overlap: usize,
        /// As given.
        size: usize,
    },
}

impl Chunker {
    /// Pieces of `size` units; `overlap` units at the end of each start the next.
    pub fn new(unit: ChunkUnit, size: usize, overlap: usize) -> Result<Chunker, ChunkerError> {
        match size {
            0 => Err(ChunkerError::Size),
            _ if overlap >= size => Err(ChunkerError::Overlap { overlap, size }),
            _ => Ok(Chunker { unit, size, overlap }),
        }
    }

    /// The pieces of a text, none of an empty one. Linear in the total length of the pieces.
    #[must_use]
    pub fn chunks(&self, text: &str) -> Vec<Chunk> {
        let (starts, factor) = match self.unit {
            ChunkUnit::Lines => (line_starts(text), 1),
            ChunkUnit::Chars => (char_starts(text), 1),
            ChunkUnit::Tokens => (char_starts(text), Estimate::CHARACTERS),
        };
        let (size, overlap) = (self.size.saturating_mul(factor), self.overlap.saturating_mul(factor));
        let mut chunks = Vec::new();
        let mut from = 0;
        while let Some(start) = starts.get(from) {
            let until = from.saturating_add(size);
            let end = starts.get(until).copied().unwrap_or(text.len());
            chunks.push(chunk(chunks.len(), text.get(*start..end).unwrap_or_default()));
            if until >= starts.len() {
                break;
            }
            from = until - overlap;
        }
        chunks
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    text.split_inclusive('\n').scan(0, |next, line| Some(std::mem::replace(next, *next + line.len()))).collect()
}

fn char_starts(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).collect()
}

fn chunk(index: usize, text: &str) -> Chunk {
    let (chars, tokens) = (text.chars().count(), Estimate.count(text));
    Chunk { index, text: text.to_owned(), lines: text.lines().count(), chars, tokens }
}

#[cfg(test)]
mod tests {
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
}
