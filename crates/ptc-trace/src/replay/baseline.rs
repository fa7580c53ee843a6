//! Common ways to handle a growing history, for comparison: they are strategies, but not ours.

use ptc_chat::{Message, Role};
use ptc_compression::{Compression, PlainHistory, PlainOptions, RenderInput, Rendered};
use ptc_lisp::Memory;
use ptc_transcript::{CompressionStats, Step, Turn};

use super::rendition::plain_options;

/// The replacement of cleared output.
const CLEARED: &str = "[old output cleared]";

/// The plain dialogue of the first message and the newest turns; older turns are dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlidingWindow {
    /// The number of newest turns kept.
    pub turns: usize,
    /// How the dialogue is written.
    pub plain: PlainOptions,
}

/// The plain dialogue with a placeholder instead of the feedback on older turns; programs stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClearedOutputs {
    /// The newest turns, whose feedback stays.
    pub keep: usize,
    /// How the dialogue is written.
    pub plain: PlainOptions,
}

impl SlidingWindow {
    /// The name in tables.
    pub const NAME: &'static str = "sliding-window";

    /// For the run of this step, with the newest `turns`.
    pub fn of(step: &Step, turns: usize) -> SlidingWindow {
        SlidingWindow { turns, plain: plain_options(step) }
    }
}

impl ClearedOutputs {
    /// The name in tables.
    pub const NAME: &'static str = "cleared-outputs";

    /// For the run of this step, with the feedback on the newest `keep` turns.
    pub fn of(step: &Step, keep: usize) -> ClearedOutputs {
        ClearedOutputs { keep, plain: plain_options(step) }
    }
}

impl Compression for SlidingWindow {
    fn name(&self) -> &str {
        SlidingWindow::NAME
    }

    fn to_messages(&self, turns: &[Turn], _: &Memory, input: &RenderInput<'_>) -> Rendered {
        let mut messages = dialogue(turns, &self.plain, input);
        let dropped = turns.len().saturating_sub(self.turns);
        // An answer and the feedback on it for each turn, after the first message.
        messages.drain(1..=2 * dropped);
        Rendered { messages, stats: stats(SlidingWindow::NAME, turns, dropped, false) }
    }
}

impl Compression for ClearedOutputs {
    fn name(&self) -> &str {
        ClearedOutputs::NAME
    }

    fn to_messages(&self, turns: &[Turn], _: &Memory, input: &RenderInput<'_>) -> Rendered {
        let mut messages = dialogue(turns, &self.plain, input);
        let cleared = turns.len().saturating_sub(self.keep);
        let feedback = messages.iter_mut().skip(1).filter(|message| message.role == Role::User);
        feedback.take(cleared).for_each(|message| *message = Message::user(CLEARED));
        Rendered { messages, stats: stats(ClearedOutputs::NAME, turns, cleared, true) }
    }
}

/// The plain dialogue as it is now; a checklist or log is shown once, at its end.
fn dialogue(turns: &[Turn], options: &PlainOptions, input: &RenderInput<'_>) -> Vec<Message> {
    let opening = if turns.is_empty() { *input } else { RenderInput { progress: "", ..*input } };
    let mut history = PlainHistory::start(&opening, options.clone());
    for (number, turn) in (1..).zip(turns) {
        history.push(turn, if number == turns.len() { input.progress } else { "" });
    }
    history.messages().to_vec()
}

/// Statistics of a dialogue whose `older` turns lost their output, and their programs with the calls in them unless
/// these stay.
fn stats(name: &str, turns: &[Turn], older: usize, programs_stay: bool) -> CompressionStats {
    let newer = turns.get(older..).unwrap_or_default();
    let count =
        |turns: &[Turn], of: fn(&Turn) -> usize| turns.iter().filter(|turn| turn.is_success()).map(of).sum::<usize>();
    let calls = |turns| count(turns, |turn| turn.tool_calls().len());
    let prints = |turns| count(turns, |turn| turn.prints().len());
    let (calls_total, prints_total, prints_shown) = (calls(turns), prints(turns), prints(newer));
    let calls_shown = if programs_stay { calls_total } else { calls(newer) };
    CompressionStats {
        turns_compressed: older,
        tool_calls_total: calls_total,
        tool_calls_shown: calls_shown,
        tool_calls_dropped: calls_total - calls_shown,
        printlns_total: prints_total,
        printlns_shown: prints_shown,
        printlns_dropped: prints_total - prints_shown,
        ..CompressionStats::of(name)
    }
}
