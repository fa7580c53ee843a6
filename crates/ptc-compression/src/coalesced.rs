//! The default strategy: one user message that says what is defined, what was called and what was printed.

use std::collections::VecDeque;

use ptc_lisp::Memory;
use ptc_mission::{SampleLimits, output_section, tool_call_line, tool_calls_section, user_section};
use ptc_transcript::{CompressionStats, Turn};

use crate::closing::{closing_parts, user_message};
use crate::compression::{Compression, Rendered, Renderer};
use crate::input::RenderInput;
use crate::shown::result_text;

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

    /// The first turn of which anything can be shown: it and those behind it fill both limits.
    fn first_shown(&self, turns: &[Turn]) -> usize {
        let (mut calls, mut prints) = (0, 0);
        for (at, turn) in turns.iter().enumerate().rev().filter(|(_, turn)| turn.is_success()) {
            calls += turn.tool_calls().len();
            prints += turn.prints().len();
            if calls >= self.tool_call_limit && prints >= self.println_limit {
                return at;
            }
        }
        0
    }

    fn start(&self) -> Coalescing {
        Coalescing {
            options: self.clone(),
            calls: Newest::new(self.tool_call_limit),
            prints: Newest::new(self.println_limit),
            turns: 0,
            failed: 0,
            last: None,
        }
    }
}

impl Compression for SingleUserCoalesced {
    fn name(&self) -> &str {
        SingleUserCoalesced::NAME
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let mut renderer = self.start();
        let (counted, shown) = turns.split_at(self.first_shown(turns).min(turns.len()));
        counted.iter().for_each(|turn| renderer.count(turn));
        shown.iter().for_each(|turn| renderer.push(turn));
        renderer.render(memory, input)
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        Some(Box::new(self.start()))
    }
}

/// The history of a run so far, as little of it as the next rendering needs.
struct Coalescing {
    options: SingleUserCoalesced,
    calls: Newest<CallLine>,
    prints: Newest<String>,
    turns: usize,
    failed: usize,
    last: Option<Turn>,
}

/// A call with and without its result.
struct CallLine {
    plain: String,
    result: String,
}

impl Renderer for Coalescing {
    fn push(&mut self, turn: &Turn) {
        self.turns += 1;
        self.last = Some(turn.clone());
        if turn.is_success() {
            let results = self.options.tool_results;
            self.calls.extend(turn.tool_calls(), |call| CallLine {
                plain: tool_call_line(call),
                result: if results { result_text(call) } else { String::new() },
            });
            self.prints.extend(turn.prints(), Clone::clone);
        } else {
            self.failed += 1;
        }
    }

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let samples = self.options.samples();
        let printed = self.prints.total > 0;
        let calls = self.calls.kept.iter().map(|call| match printed {
            true => call.plain.clone(),
            false => format!("{}{}", call.plain, call.result),
        });
        let [error, notes, progress, indicator] = closing_parts(self.last.as_ref(), input);
        let message = user_message(
            input.opening(samples, self.options.tool_hint),
            [
                user_section(memory, (!printed).then_some(samples)),
                Some(tool_calls_section(calls, self.calls.total)),
                output_section(&self.prints.kept),
                error,
                notes,
                progress,
                indicator,
            ],
        );
        Rendered { messages: vec![message], stats: self.stats() }
    }
}

impl Coalescing {
    /// Take note of a turn of which nothing will be shown.
    fn count(&mut self, turn: &Turn) {
        self.turns += 1;
        if turn.is_success() {
            self.calls.total += turn.tool_calls().len();
            self.prints.total += turn.prints().len();
        } else {
            self.failed += 1;
        }
    }

    fn stats(&self) -> CompressionStats {
        let last_failed = self.last.as_ref().is_some_and(|turn| !turn.is_success());
        CompressionStats {
            turns_compressed: self.turns,
            tool_calls_total: self.calls.total,
            tool_calls_shown: self.calls.kept.len(),
            tool_calls_dropped: self.calls.dropped(),
            printlns_total: self.prints.total,
            printlns_shown: self.prints.kept.len(),
            printlns_dropped: self.prints.dropped(),
            error_turns_collapsed: self.failed - usize::from(last_failed),
            ..CompressionStats::of(SingleUserCoalesced::NAME)
        }
    }
}

/// The newest entries up to a limit, and how many there were.
struct Newest<T> {
    limit: usize,
    kept: VecDeque<T>,
    total: usize,
}

impl<T> Newest<T> {
    fn new(limit: usize) -> Self {
        Newest { limit, kept: VecDeque::new(), total: 0 }
    }

    /// Add entries, making only those that will be kept.
    fn extend<S>(&mut self, entries: &[S], make: impl Fn(&S) -> T) {
        self.total += entries.len();
        for entry in entries.iter().skip(entries.len().saturating_sub(self.limit)) {
            if self.kept.len() == self.limit {
                self.kept.pop_front();
            }
            self.kept.push_back(make(entry));
        }
    }

    fn dropped(&self) -> usize {
        self.total - self.kept.len()
    }
}

#[cfg(test)]
mod tests;
