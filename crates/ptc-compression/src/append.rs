//! The dialogue as it grows, rewritten only occasionally.

mod dialogue;

use self::dialogue::Dialogue;
use crate::compression::{BuiltIn, Renderer};
use crate::options::strategy;
use crate::prints::TURN_CHARS;

strategy! {
    /// Appends each successful turn, its program and a report, and leaves earlier messages unchanged, so that providers
    /// find all but the end of a request in their caches. When the appended turns have more than `append_bytes`, they
    /// are merged into the first message as [`SingleUserCoalesced`](crate::SingleUserCoalesced) merges them, and
    /// appending starts again.
    ///
    /// A request has at most the bytes of a request of [`SingleUserCoalesced`](crate::SingleUserCoalesced), and
    /// `append_bytes`.
    ///
    /// ```
    /// use ptc_compression::{AppendOnly, CompressionConfig};
    ///
    /// let config = CompressionConfig::from(AppendOnly::new().append_bytes(8_000));
    /// assert_eq!(config.strategy().unwrap().name(), "append-only");
    /// ```
    AppendOnly = "append-only" [limits] {
        /// Bytes of programs and reports after the first message; 16,000 by default. Appended turns are shown whole.
        append_bytes: usize = 16_000,
    }
}

impl BuiltIn for AppendOnly {
    const NAME: &'static str = AppendOnly::NAME;
    const PRINT_CHARS: usize = TURN_CHARS;

    fn renderer(&self) -> Box<dyn Renderer> {
        Box::new(Dialogue::new(self))
    }
}

#[cfg(test)]
mod tests;
