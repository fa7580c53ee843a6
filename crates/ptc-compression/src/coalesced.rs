//! The default strategy: one user message that says what is defined, what was called and what was printed.

use ptc_lisp::Memory;
use ptc_mission::{SampleLimits, user_section};
use ptc_transcript::Turn;

use crate::closing::{closing_parts, user_message};
use crate::compression::{Compression, Rendered, Renderer};
use crate::input::RenderInput;
use crate::recent::{FromRecent, Keep, Recent, messages_of, prints_section, renderer_from_recent};

/// Merges all successful turns into one user message: definitions, tool calls and output, without programs.
///
/// ```
/// use ptc_compression::{CompressionConfig, SingleUserCoalesced};
///
/// let config = CompressionConfig::from(SingleUserCoalesced { println_limit: 2, ..SingleUserCoalesced::default() });
/// assert_eq!(config.strategy().unwrap().name(), "single-user-coalesced");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SingleUserCoalesced {
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
    /// Whether calls are listed with their results, as long as nothing was printed.
    pub tool_results: bool,
}

impl Default for SingleUserCoalesced {
    /// 15 prints, 20 calls, samples of 3 elements and 80 characters, with hint, without results.
    fn default() -> Self {
        SingleUserCoalesced {
            println_limit: 15,
            tool_call_limit: 20,
            sample_limit: 3,
            sample_printable_limit: 80,
            tool_hint: true,
            tool_results: false,
        }
    }
}

impl SingleUserCoalesced {
    /// The name in options and statistics.
    pub const NAME: &'static str = "single-user-coalesced";

    pub(crate) fn samples(&self) -> SampleLimits {
        SampleLimits { items: self.sample_limit, characters: self.sample_printable_limit }
    }
}

impl Compression for SingleUserCoalesced {
    fn name(&self) -> &str {
        SingleUserCoalesced::NAME
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        messages_of(self, turns, memory, input)
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        renderer_from_recent(self)
    }
}

impl FromRecent for SingleUserCoalesced {
    fn keep(&self) -> Keep {
        Keep { turns: 0, merges: true, calls: self.tool_call_limit, prints: self.println_limit }
    }

    fn render(&self, recent: &Recent, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let shown = recent.shown(input.caps, input.kept);
        let samples = self.samples();
        let [error, notes, progress, indicator] = closing_parts(recent.last(), input);
        let message = user_message(
            input.opening(samples, self.tool_hint),
            [
                user_section(memory, shown.samples(samples)),
                Some(shown.older_calls(self.tool_results && !shown.printed())),
                prints_section(&shown.older),
                error,
                notes,
                progress,
                indicator,
            ],
        );
        Rendered { messages: vec![message], stats: shown.stats(SingleUserCoalesced::NAME, recent.turns()) }
    }
}

#[cfg(test)]
mod tests;
