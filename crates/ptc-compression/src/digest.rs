//! The strategy for long runs where prompts are cached: the dialogue as it is, then a report for each turn, merged when
//! that pays.
//!
//! Providers cache the beginning that a request shares with the one before. A digest therefore only appends, until
//! repeating what a merged history would leave out has cost more than sending the merged history once: see [`history`].

mod calls;
mod definitions;
mod exchange;
mod history;

use crate::words::SampleLimits;

#[cfg(test)]
pub(crate) use self::definitions::definition_text;
use self::history::History;
use crate::compression::{BuiltIn, Renderer};
use crate::options::strategy;
use crate::prints::TURN_CHARS;

strategy! {
    /// Sends the plain dialogue until it has more than `begin_at` characters, then of each turn a report or its answer and
    /// feedback, whichever is shorter, and merges both occasionally. Text that was sent stays unchanged between two
    /// mergings, so that a provider's cache has it.
    ///
    /// - A report says what a turn defined, called and printed, up to 8,000 characters of output. Small values are listed
    ///   whole, records with their keys.
    /// - Merged, a run is one list of definitions, one of calls and one of output: the newest 12,000 characters of it.
    ///   Before output that is shown is left out, a request says so; `(tool/history)` still has it.
    /// - Reads of one tool are counted in one line; calls that may have changed something are listed one by one, whole.
    /// - Merging happens when requests have repeated ten times the size of the merged history beyond it.
    ///
    /// ```
    /// use ptc_compression::{CompressionConfig, Digest};
    ///
    /// let config = CompressionConfig::from(Digest::new().begin_at(20_000));
    /// assert_eq!(config.strategy().unwrap().name(), "digest");
    /// ```
    Digest = "digest" {
        /// Characters of the dialogue that are sent as they are; with 0 reports start at once. 8,000 by default.
        begin_at: usize = 8_000,
        /// Printed entries kept of merged turns; by default only their characters are bounded.
        println_limit: Option<usize> as usize = None,
        /// Calls that may have changed something, listed of merged turns; 20 by default.
        tool_call_limit: usize = 20,
        /// Elements shown of a collection in a sample of the data; 3 by default.
        sample_limit: usize = 3,
        /// Characters shown of a string in a sample of the data; 80 by default.
        sample_printable_limit: usize = 80,
        /// Whether the `tool/` section ends with a line on how to call a tool; it does by default.
        tool_hint: bool = true,
        /// Whether calls are listed with their results; not by default.
        tool_results: bool = false,
    }
}

impl Digest {
    fn samples(&self) -> SampleLimits {
        SampleLimits { items: self.sample_limit, characters: self.sample_printable_limit }
    }
}

impl BuiltIn for Digest {
    const NAME: &'static str = Digest::NAME;
    const PRINT_CHARS: usize = TURN_CHARS;
    const NAMES_HISTORY: bool = true;

    fn renderer(&self) -> Box<dyn Renderer> {
        Box::new(History::new(self))
    }
}

#[cfg(test)]
mod tests;
