//! What messages suggest: words of other languages and what to write instead, the nearest name, the order of arguments,
//! and what a failed call was missing.
//!
//! Data, and functions of the subject of an error ([`crate::error::About`]); no message is parsed again. The analyzer
//! knows which names exist, so it combines the words and the nearest name (`analyze/hint.rs`).

pub(crate) mod argument_order;
pub(crate) mod arity;
pub(crate) mod call;
pub(crate) mod foreign;
pub(crate) mod java;
mod nearest;
pub(crate) mod words;

pub(crate) use arity::Counts;
pub use nearest::nearest;
pub(crate) use nearest::nearest_ranked;

/// Pairs of words, separated by blanks, and what to write instead of them.
pub(crate) type Rows = &'static [(&'static str, &'static str)];

/// What to write instead of `word`.
pub(crate) fn instead_of(rows: Rows, word: &str) -> Option<&'static str> {
    rows.iter().find(|(words, _)| words.split(' ').any(|known| known == word)).map(|(_, instead)| *instead)
}
