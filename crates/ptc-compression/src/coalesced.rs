//! The default strategy: one user message that says what is defined, what was called and what was printed.

use ptc_lisp::Memory;
use ptc_mission::{OUTPUT_HEADER, TOOL_CALLS_HEADER, USER_HEADER, entry_size, join_sections, joined_size, section_size, user_section};
use ptc_transcript::Turn;

use crate::closing::user_message;
use crate::compression::{Compression, Rendered, Renderer};
use crate::growing::{Appended, Growing, Report, Size, Written};
use crate::input::RenderInput;
use crate::limits::Limits;
use crate::recent::{FromRecent, Keep, Recent, Shown, ShownTurn, call_size, messages_of, prints_section, renderer_from_recent};

/// A merged history of fewer bytes is merged again at each turn. Providers find what repeats in blocks of about a hundred
/// tokens, so that next to nothing of a shorter one would come from a cache.
const SHORT_HISTORY: usize = 1_000;

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

    fn reports(&self) -> Growing<Reports> {
        Growing::new(SingleUserCoalesced::NAME, self.limits, Reports { limits: self.limits })
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
        match self.layout {
            Layout::Appending => self.reports().after(turns).render(memory, input),
            Layout::Merged => messages_of(self, turns, memory, input),
        }
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        match self.layout {
            Layout::Appending => Some(Box::new(self.reports())),
            Layout::Merged => renderer_from_recent(self),
        }
    }
}

/// [`Layout::Merged`].
impl FromRecent for SingleUserCoalesced {
    fn keep(&self) -> Keep {
        self.limits.keep()
    }

    fn render(&self, recent: &Recent, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        all_in_one_message(SingleUserCoalesced::NAME, &self.limits, recent, memory, input)
    }
}

/// [`Layout::Appending`]: each turn is a report of what came of it, in the message of what was merged.
pub(crate) struct Reports {
    pub limits: Limits,
}

impl Appended for Reports {
    /// The turns are one list, which the first print and the first call change at its beginning.
    const TELLS_IN_ORDER: bool = false;

    fn repeats(&self, merged: Size, _: usize) -> bool {
        merged.bytes >= SHORT_HISTORY
    }

    fn has_room(&self, appended: Size, merged: Size) -> bool {
        merged.bytes >= SHORT_HISTORY
            && appended.bytes <= merged.bytes * REPORTS_PERCENT / 100
            && appended.calls <= self.limits.tool_call_limit
            && appended.prints <= self.limits.println_limit
    }

    fn bytes(&self, report: &Report) -> usize {
        let turn = &report.turn;
        let shown = joined_size([
            section_size(USER_HEADER, report.listed().map(|entry| entry_size(entry, report.samples()))),
            section_size(TOOL_CALLS_HEADER, turn.tool_calls().iter().map(|call| call_size(call, report.results()))),
            section_size(OUTPUT_HEADER, turn.prints().iter().map(String::len)),
        ]);
        if shown == 0 { 0 } else { joined_size([heading(turn).len(), shown]) }
    }

    fn write(&self, shown: &ShownTurn<'_>, listed: Option<String>, results: bool) -> Written {
        let calls = (!shown.calls.is_empty()).then(|| shown.calls_section(results));
        let report = match join_sections([listed, calls, shown.prints_section()]) {
            nothing if nothing.is_empty() => nothing,
            report => join_sections([Some(heading(shown.turn)), Some(report)]),
        };
        Written { program: None, report }
    }
}

/// The first line of a report.
fn heading(turn: &Turn) -> String {
    format!(";; Turn {}", turn.number())
}

/// Everything merged, in a message of which the next one repeats the beginning alone.
pub(crate) fn all_in_one_message(strategy: &str, limits: &Limits, recent: &Recent, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
    let shown = recent.shown(input.caps, input.kept);
    let history = std::iter::once(Some(merged_text(&shown, memory, limits))).chain(recent.ending().closing_parts(input));
    let message = user_message(input.opening(limits.samples(), limits.tool_hint), history);
    Rendered { messages: vec![message], stats: shown.stats(strategy, recent.turns()) }
}

/// Definitions, calls and output of turns that are not told apart.
pub(crate) fn merged_text(shown: &Shown<'_>, memory: &Memory, limits: &Limits) -> String {
    let definitions = user_section(memory, shown.samples(limits.samples()));
    let results = limits.tool_results && !shown.printed();
    join_sections([definitions, Some(shown.older_calls(results)), prints_section(&shown.older)])
}

/// Its bytes, without writing it.
pub(crate) fn merged_size(shown: &Shown<'_>, memory: &Memory, limits: &Limits) -> usize {
    let samples = shown.samples(limits.samples());
    let results = limits.tool_results && !shown.printed();
    let calls = shown.older.iter().flat_map(|turn| turn.calls).map(|call| call_size(call, results));
    let calls = match section_size(TOOL_CALLS_HEADER, calls) {
        0 => shown.older_calls(results).len(),
        calls => calls,
    };
    joined_size([
        section_size(USER_HEADER, memory.entries().iter().map(|entry| entry_size(entry, samples))),
        calls,
        section_size(OUTPUT_HEADER, shown.older.iter().flat_map(|turn| turn.prints).map(String::len)),
    ])
}

#[cfg(test)]
mod tests;
