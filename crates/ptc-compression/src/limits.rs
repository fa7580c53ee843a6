//! How much of a run the strategies that list calls and prints show.

use ptc_mission::SampleLimits;

use crate::recent::Keep;

/// Limits of a view, spent from the newest turn backwards.
///
/// ```
/// use ptc_compression::{CompressionConfig, Limits, RollingWindow};
///
/// let limits = Limits { println_limit: 2, ..Limits::default() };
/// let config = CompressionConfig::from(RollingWindow { window: 5, limits });
/// assert_eq!(config.strategy().unwrap().name(), "rolling-window");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Printed entries shown, the newest of the run.
    pub println_limit: usize,
    /// Tool calls listed, the newest of the run.
    pub tool_call_limit: usize,
    /// Elements shown of a collection in a sample.
    pub sample_limit: usize,
    /// Characters shown of a string in a sample.
    pub sample_printable_limit: usize,
    /// Whether the `tool/` section ends with a line on how to call a tool.
    pub tool_hint: bool,
    /// Whether calls are listed with their results, as long as nothing was printed; with errors they always are.
    pub tool_results: bool,
}

impl Default for Limits {
    /// 15 prints, 20 calls, samples of 3 elements and 80 characters, with hint, without results.
    fn default() -> Self {
        Limits { println_limit: 15, tool_call_limit: 20, sample_limit: 3, sample_printable_limit: 80, tool_hint: true, tool_results: false }
    }
}

impl Limits {
    pub(crate) fn samples(&self) -> SampleLimits {
        SampleLimits { items: self.sample_limit, characters: self.sample_printable_limit }
    }

    /// What a strategy keeps of a run that merges all turns.
    pub(crate) fn keep(&self) -> Keep {
        Keep { turns: 0, merges: true, calls: self.tool_call_limit, prints: self.println_limit }
    }
}
