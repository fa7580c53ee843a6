//! The cheapest layout where prompts are cached: merged now and then, and a report for each turn since.

use ptc_lisp::Memory;
use ptc_mission::{OUTPUT_HEADER, TOOL_CALLS_HEADER, USER_HEADER, entry_size, join_sections, joined_size, print_size, section_size};
use ptc_transcript::{CompressionOptions, Turn};
use serde::{Deserialize, Serialize};

use crate::compression::{Compression, Rendered, Renderer};
use crate::growing::{Appended, Growing, Report, Size, Written};
use crate::input::RenderInput;
use crate::limits::{Limits, limit_setters};
use crate::recent::{ShownTurn, call_size};
use crate::strategy::options_of;

/// A merged history of fewer bytes is merged again at each turn. Providers find what repeats in blocks of about a hundred
/// tokens, so that next to nothing of a shorter one would come from a cache.
const SHORT_HISTORY: usize = 1_000;

/// Reports behind what was merged, in percent of it, before everything is merged again.
const REPORTS_PERCENT: usize = 50;

/// What a model must know to read reports: lists are merged no longer.
const REPORTS_NOTE: &str = ";; Since then, turn by turn. Of a name that is listed again, the last line holds.";

/// One user message that grows at its end: definitions, calls and output of the turns up to some turn, merged as
/// [`SingleUserCoalesced`](crate::SingleUserCoalesced) merges them, then a report for each turn since. What was sent stays as it
/// was, so that a provider's cache has it.
///
/// - Everything is merged again when the reports come to half the bytes of what was merged, or to more calls or prints than the
///   limits allow, at the first call, and when the first print ends the samples. A history below about 1,000 bytes, which
///   hardly fills a block of a cache, is merged at every turn.
/// - The limits bound what is merged, and once more the reports together: at most twice as many calls and prints are shown.
/// - A name may be listed again by a later report; its last line holds, and a line before the first report says so.
///
/// ```
/// use ptc_compression::{CompressionConfig, Digest};
///
/// let config = CompressionConfig::from(Digest::new().println_limit(10));
/// assert_eq!(config.strategy().unwrap().name(), "digest");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Digest {
    /// What is shown at most of the turns that are merged, and of those behind them.
    #[serde(flatten)]
    pub limits: Limits,
}

impl Digest {
    /// The name in options and statistics.
    pub const NAME: &'static str = "digest";

    limit_setters!();

    fn reports(&self) -> Growing<Reports> {
        Growing::new(Digest::NAME, self.limits, Reports { limits: self.limits })
    }
}

impl From<Limits> for Digest {
    fn from(limits: Limits) -> Self {
        Digest { limits }
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
        self.reports().after(turns).render(memory, input)
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        Some(Box::new(self.reports()))
    }
}

/// Each turn is a report of what came of it, in the message of what was merged.
pub(crate) struct Reports {
    pub limits: Limits,
}

impl Appended for Reports {
    /// The turns are one list, which the first print and the first call change at its beginning.
    const TELLS_IN_ORDER: bool = false;

    const NOTE: Option<&'static str> = Some(REPORTS_NOTE);

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
            section_size(OUTPUT_HEADER, turn.prints().iter().map(|print| print_size(print))),
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

#[cfg(test)]
mod tests;
