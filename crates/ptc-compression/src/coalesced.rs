//! The default strategy: one user message that says what is defined, what was called and what was printed.

use ptc_lisp::Memory;
use ptc_transcript::Turn;

use crate::compression::{Compression, Rendered, Renderer};
use crate::growing::{Growing, Merging};
use crate::input::RenderInput;
use crate::limits::Limits;

/// Reports behind what was merged, in percent of it, before everything is merged again.
const REPORTS_PERCENT: usize = 50;

/// Shows all successful turns in one user message: definitions, tool calls and output, without programs.
///
/// ```
/// use ptc_compression::{CompressionConfig, Limits, SingleUserCoalesced};
///
/// let strategy = SingleUserCoalesced::from(Limits { println_limit: 2, ..Limits::default() });
/// let config = CompressionConfig::from(strategy);
/// assert_eq!(config.strategy().unwrap().name(), "single-user-coalesced");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SingleUserCoalesced {
    /// What is shown at most of the turns that are merged.
    pub limits: Limits,
    /// When turns are merged.
    pub layout: Layout,
}

/// When the turns of a run are merged into one list of definitions, one of calls and one of prints.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layout {
    /// At every turn as long as that makes less than about 1,000 bytes. Then each turn adds a report, and what was sent before it
    /// stays as it is, so that a provider's cache has it; when the reports come to half of what was merged, all is merged again.
    #[default]
    Appending,
    /// At every turn. Less to send, a tenth of the history on the recorded missions, of which a cache has next to nothing.
    Merged,
}

impl SingleUserCoalesced {
    /// The name in options and statistics.
    pub const NAME: &'static str = "single-user-coalesced";

    fn start(&self) -> Growing {
        let merging = match self.layout {
            Layout::Appending => Merging::AbovePercent(REPORTS_PERCENT),
            Layout::Merged => Merging::Always,
        };
        Growing::new(SingleUserCoalesced::NAME, self.limits, merging)
    }
}

impl From<Limits> for SingleUserCoalesced {
    fn from(limits: Limits) -> Self {
        SingleUserCoalesced { limits, layout: Layout::default() }
    }
}

impl Compression for SingleUserCoalesced {
    fn name(&self) -> &str {
        SingleUserCoalesced::NAME
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        self.start().after(turns).render(memory, input)
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        Some(Box::new(self.start()))
    }
}

#[cfg(test)]
mod tests;
