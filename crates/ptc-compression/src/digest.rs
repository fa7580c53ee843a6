//! The strategy for long runs where prompts are cached: the dialogue as it is, then a report for each turn, merged when
//! that pays.
//!
//! What providers cache is the beginning of a request that the one before had. So a digest only ever appends, until
//! repeating what a merged history would leave out has cost more than sending the merged history once: see [`history`].

mod calls;
mod definitions;
mod history;

use ptc_lisp::Memory;
use ptc_mission::SampleLimits;
use ptc_transcript::{CompressionOptions, Turn};
use serde::{Deserialize, Serialize};

#[cfg(test)]
pub(crate) use self::definitions::definition_text;
use self::history::History;
use crate::compression::{Compression, Rendered, Renderer, options_of};
use crate::input::RenderInput;
use crate::limits::setters;

/// Sends the plain dialogue until it has more than `begin_at` characters, then a report for each turn, and merges both
/// now and then. What was sent stays as it was between two mergings, so that a provider's cache has it.
///
/// - A report says what a turn defined, called and printed, up to 8,000 characters of output. Small values are listed
///   as themselves, records with their keys.
/// - Merged, a run is one list of definitions, one of calls and one of output: the newest 4,000 characters of it.
/// - Reads of one tool are counted in one line; calls that may have changed something are listed one by one, whole.
/// - Merging happens when requests have repeated ten times the size of the merged history beyond it.
///
/// ```
/// use ptc_compression::{CompressionConfig, Digest};
///
/// let config = CompressionConfig::from(Digest::new().begin_at(20_000));
/// assert_eq!(config.strategy().unwrap().name(), "digest");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Digest {
    /// Characters of the dialogue that are sent as they are; with 0 reports begin at once.
    pub begin_at: usize,
    /// Printed entries that are left of merged turns; bounded by their characters alone unless told otherwise.
    pub println_limit: Option<usize>,
    /// Calls that may have changed something, listed of merged turns.
    pub tool_call_limit: usize,
    /// Elements shown of a collection in a sample of the data.
    pub sample_limit: usize,
    /// Characters shown of a string in a sample of the data.
    pub sample_printable_limit: usize,
    /// Whether the `tool/` section ends with a line on how to call a tool.
    pub tool_hint: bool,
    /// Whether calls are listed with their results.
    pub tool_results: bool,
}

impl Default for Digest {
    /// The dialogue up to 8,000 characters; 20 calls, samples of 3 elements and 80 characters, with hint, without
    /// results.
    fn default() -> Self {
        Digest {
            begin_at: 8_000,
            println_limit: None,
            tool_call_limit: 20,
            sample_limit: 3,
            sample_printable_limit: 80,
            tool_hint: true,
            tool_results: false,
        }
    }
}

impl Digest {
    /// The name in options and statistics.
    pub const NAME: &'static str = "digest";

    /// With the options that it has unless told otherwise.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    setters! {
        /// Characters of the dialogue that are sent as they are; 8,000 unless told otherwise.
        begin_at: usize,
        /// Calls that may have changed something, listed of merged turns; 20 unless told otherwise.
        tool_call_limit: usize,
        /// Elements shown of a collection in a sample of the data; 3 unless told otherwise.
        sample_limit: usize,
        /// Characters shown of a string in a sample of the data; 80 unless told otherwise.
        sample_printable_limit: usize,
        /// Whether the `tool/` section ends with a line on how to call a tool; it does unless told otherwise.
        tool_hint: bool,
        /// Whether calls are listed with their results; not unless told so.
        tool_results: bool,
    }

    /// Printed entries that are left of merged turns; no limit but that of their characters unless told otherwise.
    #[must_use]
    pub fn println_limit(mut self, println_limit: usize) -> Self {
        self.println_limit = Some(println_limit);
        self
    }

    fn samples(&self) -> SampleLimits {
        SampleLimits { items: self.sample_limit, characters: self.sample_printable_limit }
    }
}

impl Compression for Digest {
    fn name(&self) -> &str {
        Digest::NAME
    }

    fn options(&self) -> CompressionOptions {
        options_of(self)
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let mut history = History::new(self);
        turns.iter().for_each(|turn| history.push(turn));
        history.render(memory, input)
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        Some(Box::new(History::new(self)))
    }
}

#[cfg(test)]
mod tests;
