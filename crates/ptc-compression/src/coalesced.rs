//! The default strategy: one user message that says what is defined, what was called and what was printed.

use crate::words::user_section;
use ptc_lisp::Memory;
use ptc_mission::join_sections;

use crate::closing::user_message;
use crate::compression::Rendered;
use crate::input::RenderInput;
use crate::limits::ViewLimits;
use crate::options::strategy;
use crate::recent::{FromRecent, Keep, Recent, VisibleTurns};

strategy! {
    /// Merges all successful turns into one user message: one list of definitions, one of tool calls and one of output,
    /// without programs. A name is listed once, with its current value; the limits bound what is shown of the whole
    /// run, however long it gets.
    ///
    /// ```
    /// use ptc_compression::{CompressionConfig, SingleUserCoalesced};
    ///
    /// let config = CompressionConfig::from(SingleUserCoalesced::new().println_limit(2));
    /// assert_eq!(config.strategy().unwrap().name(), "single-user-coalesced");
    /// ```
    SingleUserCoalesced = "single-user-coalesced" [limits] {
    }
}

impl From<ViewLimits> for SingleUserCoalesced {
    fn from(limits: ViewLimits) -> Self {
        SingleUserCoalesced { limits }
    }
}

impl FromRecent for SingleUserCoalesced {
    const NAME: &'static str = SingleUserCoalesced::NAME;

    fn keep(&self) -> Keep {
        self.limits.keep()
    }

    fn render(&self, recent: &Recent, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        all_in_one_message(SingleUserCoalesced::NAME, &self.limits, recent, memory, input)
    }
}

/// Everything merged, in a message of which the next one repeats only the beginning.
pub(crate) fn all_in_one_message(
    strategy: &str,
    limits: &ViewLimits,
    recent: &Recent,
    memory: &Memory,
    input: &RenderInput<'_>,
) -> Rendered {
    let shown = recent.shown(input.caps, input.kept);
    let history = std::iter::once(Some(merged_text(&shown, memory, limits))).chain(shown.closing_parts(input));
    let message = user_message(input.opening(limits.samples(), limits.tool_hint), history);
    Rendered { messages: vec![message], stats: shown.stats(strategy, recent.turns()) }
}

/// Definitions, calls and output of turns shown as one.
pub(crate) fn merged_text(shown: &VisibleTurns<'_>, memory: &Memory, limits: &ViewLimits) -> String {
    let definitions = user_section(memory, shown.samples(limits.samples()));
    let results = limits.tool_results && !shown.printed();
    join_sections([definitions, shown.older_calls(results), shown.older_prints()])
}

#[cfg(test)]
mod tests;
