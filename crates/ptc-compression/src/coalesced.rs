//! The default strategy: one user message that says what is defined, what was called and what was printed.

use ptc_lisp::Memory;
use ptc_mission::user_section;
use ptc_transcript::Turn;

use crate::closing::{closing_parts, user_message};
use crate::compression::{Compression, Rendered, Renderer};
use crate::input::RenderInput;
use crate::limits::Limits;
use crate::recent::{FromRecent, Keep, Recent, messages_of, prints_section, renderer_from_recent};

/// Merges all successful turns into one user message: definitions, tool calls and output, without programs.
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
    /// What is shown at most.
    pub limits: Limits,
}

impl SingleUserCoalesced {
    /// The name in options and statistics.
    pub const NAME: &'static str = "single-user-coalesced";
}

impl From<Limits> for SingleUserCoalesced {
    fn from(limits: Limits) -> Self {
        SingleUserCoalesced { limits }
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
        self.limits.keep()
    }

    fn render(&self, recent: &Recent, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let shown = recent.shown(input.caps, input.kept);
        let samples = self.limits.samples();
        let [error, notes, progress, indicator] = closing_parts(recent.last(), input);
        let message = user_message(
            input.opening(samples, self.limits.tool_hint),
            [
                user_section(memory, shown.samples(samples)),
                Some(shown.older_calls(self.limits.tool_results && !shown.printed())),
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
