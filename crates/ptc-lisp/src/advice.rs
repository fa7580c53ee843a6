//! What messages suggest: the words of other languages with what to write here, the nearest name, the order of
//! arguments, and what a call that failed was missing.
//!
//! Data, and functions of what an error says about itself ([`crate::error::About`]); no message is read back. The
//! analyzer, which knows what names there are, puts the words and the nearest name together (`analyze/hint.rs`).

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

/// What to write instead, behind the words that it is for, which have blanks between them.
pub(crate) type Rows = &'static [(&'static str, &'static str)];

/// What to write instead of `word`.
pub(crate) fn instead_of(rows: Rows, word: &str) -> Option<&'static str> {
    rows.iter().find(|(words, _)| words.split(' ').any(|known| known == word)).map(|(_, instead)| *instead)
}
