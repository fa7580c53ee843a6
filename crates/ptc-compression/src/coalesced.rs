//! The default strategy: one user message that says what is defined, what was called and what was printed.

use ptc_chat::{Message, Part, Role};
use ptc_lisp::Memory;
use ptc_mission::{join_sections, user_section};
use ptc_transcript::Turn;

use crate::closing::{closing_parts, joined, user_message};
use crate::compression::{Compression, Rendered, Renderer};
use crate::growing::{Growing, Reports};
use crate::input::{Caps, RenderInput};
use crate::limits::Limits;
use crate::recent::{Recent, prints_section};

/// Reports behind what was merged, in percent of it, before everything is merged again.
const REPORTS_PERCENT: usize = 30;

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
pub enum Layout {
    /// At every turn as long as that makes less than 1,000 bytes. Then each turn adds a report, and what was sent before it stays
    /// as it is, so that a provider's cache has it; when the reports come to 30 % of what was merged, all is merged again.
    #[default]
    Appending,
    /// At every turn. Up to 30 % less to send, of which a cache has next to nothing.
    Merged,
}

impl SingleUserCoalesced {
    /// The name in options and statistics.
    pub const NAME: &'static str = "single-user-coalesced";

    fn start(&self) -> Coalescing {
        let reports = match self.layout {
            Layout::Appending => Reports::Results(REPORTS_PERCENT),
            Layout::Merged => Reports::Never,
        };
        Coalescing { limits: self.limits, growing: Growing::new(self.limits, reports) }
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
        let mut renderer = self.start();
        turns.iter().for_each(|turn| renderer.push(turn));
        renderer.render(memory, input)
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        Some(Box::new(self.start()))
    }
}

/// The turns of a run so far.
struct Coalescing {
    limits: Limits,
    growing: Growing,
}

impl Renderer for Coalescing {
    fn push(&mut self, turn: &Turn) {
        self.growing.push(turn);
    }

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let recent = &self.growing.recent;
        // Below a ceiling everything is merged: what was sent before is too large.
        let Some(grown) = self.growing.grown().filter(|_| input.caps == Caps::NONE) else {
            return merged_message(SingleUserCoalesced::NAME, &self.limits, recent, memory, input);
        };
        let opening = input.opening(self.limits.samples(), self.limits.tool_hint);
        let reports = grown.since.iter().map(|(_, report)| *report);
        let history = std::iter::once(grown.merged).chain(reports).map(Part::repeated);
        let closing = Part::changing(join_sections(closing_parts(recent.last(), input)));
        let message = Message::new(Role::User, joined(opening.into_iter().chain(history).chain([closing])));
        Rendered { messages: vec![message], stats: self.growing.stats(SingleUserCoalesced::NAME, recent.turns()) }
    }
}

/// All turns merged, and the closing parts.
pub(crate) fn merged_message(name: &str, limits: &Limits, recent: &Recent, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
    let shown = recent.shown(input.caps, input.kept);
    let samples = limits.samples();
    let [error, notes, progress, indicator] = closing_parts(recent.last(), input);
    let message = user_message(
        input.opening(samples, limits.tool_hint),
        [
            user_section(memory, shown.samples(samples)),
            Some(shown.older_calls(limits.tool_results && !shown.printed())),
            prints_section(&shown.older),
            error,
            notes,
            progress,
            indicator,
        ],
    );
    Rendered { messages: vec![message], stats: shown.stats(name, recent.turns()) }
}

#[cfg(test)]
mod tests;
