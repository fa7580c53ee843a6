//! What limits leave of the calls and prints of successful turns: the newest of the whole run.

use ptc_lisp::{FormatOptions, ToolRecord, format};
use ptc_mission::{output_section, tool_call_line, tool_calls_section};
use ptc_transcript::{CompressionStats, Turn};

/// The successful turns of a run with what is shown of each.
pub(crate) struct Shown<'t> {
    /// In order.
    pub turns: Vec<ShownTurn<'t>>,
    calls: Count,
    prints: Count,
    failed: usize,
    last_failed: bool,
}

/// A successful turn; of its calls and prints those that the limits leave.
pub(crate) struct ShownTurn<'t> {
    pub turn: &'t Turn,
    pub calls: &'t [ToolRecord],
    pub prints: &'t [String],
}

#[derive(Default)]
struct Count {
    total: usize,
    shown: usize,
}

impl Count {
    /// The newest of `entries` that fit behind what newer turns have taken.
    fn take<'t, T>(&mut self, entries: &'t [T], limit: usize) -> &'t [T] {
        let fit = entries.len().min(limit - self.shown);
        self.total += entries.len();
        self.shown += fit;
        entries.get(entries.len() - fit..).unwrap_or_default()
    }
}

impl<'t> Shown<'t> {
    /// Spends the limits from the newest turn backwards.
    pub fn of(turns: &'t [Turn], tool_call_limit: usize, println_limit: usize) -> Shown<'t> {
        let (mut calls, mut prints) = (Count::default(), Count::default());
        let good = turns.iter().rev().filter(|turn| turn.is_success());
        let mut shown: Vec<ShownTurn<'t>> = good
            .map(|turn| ShownTurn {
                turn,
                calls: calls.take(turn.tool_calls(), tool_call_limit),
                prints: prints.take(turn.prints(), println_limit),
            })
            .collect();
        shown.reverse();
        let failed = turns.len() - shown.len();
        Shown { turns: shown, calls, prints, failed, last_failed: turns.last().is_some_and(|turn| !turn.is_success()) }
    }

    /// Whether anything was printed: then samples are not shown.
    pub fn printed(&self) -> bool {
        self.prints.total > 0
    }

    /// Failed turns.
    pub fn failed(&self) -> usize {
        self.failed
    }

    /// Calls of successful turns, those not shown included.
    pub fn calls_total(&self) -> usize {
        self.calls.total
    }

    /// Counted as every strategy counts.
    pub fn stats(&self, name: &str, turns_compressed: usize) -> CompressionStats {
        CompressionStats {
            turns_compressed,
            tool_calls_total: self.calls.total,
            tool_calls_shown: self.calls.shown,
            tool_calls_dropped: self.calls.total - self.calls.shown,
            printlns_total: self.prints.total,
            printlns_shown: self.prints.shown,
            printlns_dropped: self.prints.total - self.prints.shown,
            error_turns_collapsed: self.failed - usize::from(self.last_failed),
            ..CompressionStats::of(name)
        }
    }
}

/// The tool-calls section of these turns; `results` adds what the calls gave.
pub(crate) fn calls_section(turns: &[ShownTurn<'_>], results: bool) -> String {
    let made = turns.iter().map(|shown| shown.turn.tool_calls().len()).sum();
    tool_calls_section(turns.iter().flat_map(|shown| shown.calls).map(|call| call_text(call, results)), made)
}

/// The output section of these turns.
pub(crate) fn prints_section(turns: &[ShownTurn<'_>]) -> Option<String> {
    output_section(turns.iter().flat_map(|shown| shown.prints))
}

/// A call, with its result when asked for.
pub(crate) fn call_text(call: &ToolRecord, results: bool) -> String {
    let result = if results { result_text(call) } else { String::new() };
    format!("{}{result}", tool_call_line(call))
}

/// ` -> ` and what a call gave.
pub(crate) fn result_text(call: &ToolRecord) -> String {
    match &call.error {
        Some(error) => format!(" -> error: {}", error.lines().next().unwrap_or_default()),
        None => format!(" -> {}", format(&call.result, &FormatOptions::tool_args()).text),
    }
}
