//! What a strategy keeps of a run: the successful turns of which something can still be shown, and counts of the
//! others.

use std::borrow::Cow;
use std::collections::VecDeque;

use crate::words::{MAX_SAMPLE_CHARS, SampleLimits, output_section, tool_call_line, tool_calls_section};
use ptc_chat::{Message, Part};
use ptc_lisp::text::{FormatOptions, escaped, format_within_with, shortened};
use ptc_lisp::{Memory, MemoryEntry, ToolRecord};
use ptc_transcript::{CompressionStats, Turn};
use serde::Serialize;

use crate::closing::{Ending, keep_first_filled, user_message};
use crate::compression::{BuiltIn, Rendered, Renderer};
use crate::input::{Caps, RenderInput};
use crate::paired::paired;
use crate::plain::feedback;
use crate::prints::{Print, PrintBudget};

/// Characters of the error of a listed call.
const ERROR_CHARS: usize = 200;

/// A strategy that needs no more of a run than [`Recent`] keeps of it: the work of its renderer depends on its limits
/// and not on the number of turns.
pub(crate) trait FromRecent: Serialize + Clone + Send + Sync + 'static {
    const NAME: &'static str;

    fn keep(&self) -> Keep;

    fn render(&self, recent: &Recent, memory: &Memory, input: &RenderInput<'_>) -> Rendered;
}

impl<S: FromRecent> BuiltIn for S {
    const NAME: &'static str = <S as FromRecent>::NAME;

    fn renderer(&self) -> Box<dyn Renderer> {
        Box::new(AtWork { strategy: self.clone(), recent: Recent::new(self.keep()) })
    }
}

struct AtWork<S> {
    strategy: S,
    recent: Recent,
}

impl<S: FromRecent> Renderer for AtWork<S> {
    fn push(&mut self, turn: &Turn) {
        self.recent.push(turn);
    }

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        self.strategy.render(&self.recent, memory, input)
    }
}

/// How much is shown at most, the newest of the run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Keep {
    /// Successful turns shown one by one.
    pub turns: usize,
    /// Whether calls and prints of the turns before those are shown, too.
    pub merges: bool,
    pub calls: usize,
    pub prints: usize,
    /// Characters of a printed entry; all that were recorded if `None`.
    pub print_chars: Option<usize>,
}

/// A run so far, reduced to what the next rendering needs.
#[derive(Clone, Default)]
pub(crate) struct Recent {
    keep: Keep,
    kept: VecDeque<TurnEntry>,
    /// Successful turns that are not kept.
    earlier: Totals,
    pub failed: usize,
    /// What the closing parts say about the turns.
    pub ending: Ending,
}

/// A successful turn and the definitions at its start; `None` for the first turn, which starts with those of the run.
#[derive(Clone)]
struct TurnEntry {
    turn: Turn,
    before: Option<Memory>,
}

#[derive(Clone, Copy, Default)]
struct Totals {
    turns: usize,
    calls: usize,
    prints: usize,
}

impl Recent {
    pub fn new(keep: Keep) -> Recent {
        Recent { keep, ..Recent::default() }
    }

    /// For a view that shows this much of what the turn just run printed.
    pub fn showing(keep: Keep, output: PrintBudget) -> Recent {
        Recent { keep, ending: Ending::showing(output), ..Recent::default() }
    }

    /// Record the next turn. Cost: constant on average.
    pub fn push(&mut self, turn: &Turn) {
        let before = self.ending.push(turn).map(|last| last.memory().clone());
        if !turn.is_success() {
            self.failed += 1;
            return;
        }
        self.kept.push_back(TurnEntry { turn: turn.clone(), before });
        // Turns that can matter: each of them shows something.
        let Keep { turns, calls, prints, .. } = self.keep;
        if self.kept.len() / 2 > turns.saturating_add(calls).saturating_add(prints) {
            self.forget();
        }
    }

    /// Drop turns that can no longer show anything.
    fn forget(&mut self) {
        let mut room = self.keep;
        let mut needed = VecDeque::new();
        for kept in self.kept.drain(..).rev() {
            let (calls, prints) = (kept.turn.tool_calls().len(), kept.turn.prints().len());
            if room.turns > 0 || room.calls.min(calls) > 0 || room.prints.min(prints) > 0 {
                needed.push_front(kept);
            } else {
                self.earlier.turns += 1;
                self.earlier.calls += calls;
                self.earlier.prints += prints;
            }
            room = Keep {
                turns: room.turns.saturating_sub(1),
                calls: room.calls.saturating_sub(calls),
                prints: room.prints.saturating_sub(prints),
                ..room
            };
        }
        self.kept = needed;
    }

    /// Successful turns.
    pub fn good(&self) -> usize {
        self.kept.len() + self.earlier.turns
    }

    /// Turns of the run.
    pub fn turns(&self) -> usize {
        self.good() + self.failed
    }

    /// What is shown: limits are spent from the newest turn backwards. The run started with the definitions `at_start`.
    pub fn shown<'t>(&'t self, caps: Caps, at_start: &'t Memory) -> VisibleTurns<'t> {
        let keep = Keep {
            turns: self.keep.turns.min(caps.turns),
            calls: self.keep.calls.min(caps.calls),
            prints: self.keep.prints.min(caps.prints),
            ..self.keep
        };
        let (mut calls, mut prints) = (Count::of(self.earlier.calls), Count::of(self.earlier.prints));
        let newest = self.kept.iter().rev().enumerate();
        let mut turns: Vec<ShownTurn<'t>> = newest
            .map(|(place, TurnEntry { turn, before })| {
                let (most_calls, most_prints) =
                    if keep.merges || place < keep.turns { (keep.calls, keep.prints) } else { (0, 0) };
                let (calls, prints) =
                    (calls.take(turn.tool_calls(), most_calls), prints.take(turn.prints(), most_prints));
                ShownTurn { turn, before: before.as_ref().unwrap_or(at_start), calls, prints }
            })
            .collect();
        turns.reverse();
        let older = turns.len() - turns.len().min(keep.turns);
        let good = self.earlier.turns + turns.len();
        VisibleTurns { recent: self, caps, newest: turns.split_off(older), older: turns, good, calls, prints }
    }
}

pub(crate) struct Count {
    /// All, those not shown included.
    pub total: usize,
    shown: usize,
}

impl Count {
    fn of(total: usize) -> Count {
        Count { total, shown: 0 }
    }

    /// The newest of `entries` that fit in addition to those of newer turns.
    fn take<'t, T>(&mut self, entries: &'t [T], limit: usize) -> &'t [T] {
        let fit = entries.len().min(limit.saturating_sub(self.shown));
        self.total += entries.len();
        self.shown += fit;
        entries.get(entries.len() - fit..).unwrap_or_default()
    }
}

/// A successful turn; with the calls and prints that the limits leave.
pub(crate) struct ShownTurn<'t> {
    pub turn: &'t Turn,
    /// The definitions at its start.
    pub before: &'t Memory,
    pub calls: &'t [ToolRecord],
    pub prints: &'t [String],
}

/// What limits leave of a run.
pub(crate) struct VisibleTurns<'t> {
    recent: &'t Recent,
    caps: Caps,
    /// Before the newest turns, in order; those without anything to show may be missing.
    pub older: Vec<ShownTurn<'t>>,
    /// The newest turns, in order.
    pub newest: Vec<ShownTurn<'t>>,
    good: usize,
    /// Calls and prints of successful turns.
    pub calls: Count,
    pub prints: Count,
}

impl VisibleTurns<'_> {
    /// Whether anything was printed: then samples are not shown.
    pub fn printed(&self) -> bool {
        self.prints.total > 0
    }

    /// The samples of definitions, as long as nothing was printed.
    pub fn samples(&self, limits: SampleLimits) -> Option<SampleLimits> {
        self.caps.samples(limits).filter(|_| !self.printed())
    }

    /// Successful turns before the newest ones.
    pub fn older_turns(&self) -> usize {
        self.good - self.newest.len()
    }

    /// The tool-calls section of the older turns; `results` adds the results of the calls. The line for no calls is
    /// left out next to a note on calls that took effect.
    pub fn older_calls(&self, results: bool) -> Option<String> {
        let newest: usize = self.newest.iter().map(|shown| shown.turn.tool_calls().len()).sum();
        let made = self.calls.total - newest;
        (made > 0 || !self.recent.ending.has_effects()).then(|| calls_section(&self.older, made, results))
    }

    /// The output section of the older turns.
    pub fn older_prints(&self) -> Option<String> {
        let newest: usize = self.newest.iter().map(|shown| shown.turn.prints().len()).sum();
        let prints = self.older.iter().flat_map(|shown| shown.printed(self.recent.keep.print_chars));
        output_section(prints, self.prints.total - newest)
    }

    /// The tool-calls section of one of the newest turns.
    pub fn calls_of(&self, turn: &ShownTurn<'_>, results: bool) -> Option<String> {
        let made = turn.turn.tool_calls().len();
        (made > 0 || !self.recent.ending.has_effects()).then(|| turn.calls_section(results))
    }

    /// The newest turns as `exchange` writes them, each as a program and its outcome, after a first message; `closing`
    /// ends the last message.
    pub fn dialogue(
        &self,
        opening: Option<Part>,
        first: Vec<Option<String>>,
        closing: impl IntoIterator<Item = Option<String>>,
        exchange: impl Fn(&ShownTurn<'_>) -> (String, Vec<Option<String>>),
    ) -> Vec<Message> {
        let (programs, mut told): (Vec<String>, Vec<_>) = self.newest.iter().map(exchange).unzip();
        told.insert(0, first);
        if let Some(last) = told.last_mut() {
            last.extend(closing);
        }
        let mut told = told.into_iter();
        let mut messages = vec![user_message(opening, told.next().unwrap_or_default())];
        for (program, told) in programs.into_iter().zip(told) {
            messages.extend([Message::assistant(program), Message::user(feedback(told))]);
        }
        keep_first_filled(&mut messages);
        messages
    }

    /// The closing parts of the message.
    pub fn closing_parts(&self, input: &RenderInput<'_>) -> [Option<String>; 4] {
        self.recent.ending.closing_parts(input, self.recent.keep.prints)
    }

    /// Counted as every strategy counts.
    pub fn stats(&self, name: &str, turns_compressed: usize) -> CompressionStats {
        let last_failed = self.recent.ending.last().is_some_and(|turn| !turn.is_success());
        CompressionStats {
            turns_compressed,
            tool_calls_total: self.calls.total,
            tool_calls_shown: self.calls.shown,
            tool_calls_dropped: self.calls.total - self.calls.shown,
            printlns_total: self.prints.total,
            printlns_shown: self.prints.shown,
            printlns_dropped: self.prints.total - self.prints.shown,
            error_turns_collapsed: self.recent.failed - usize::from(last_failed),
            ..CompressionStats::of(name)
        }
    }
}

impl ShownTurn<'_> {
    /// What the turn defined, or defined again.
    pub fn defined(&self) -> impl Iterator<Item = &MemoryEntry> {
        let pairs = paired(self.turn.memory(), self.before);
        pairs.filter(|(entry, known)| known.is_none_or(|known| known.order != entry.order)).map(|(entry, _)| entry)
    }

    /// The printed entries, of which at most this many characters are shown.
    pub fn printed(&self, characters: Option<usize>) -> impl Iterator<Item = Cow<'_, str>> {
        let earlier = self.turn.prints().len() - self.prints.len();
        Print::of(self.turn).skip(earlier).map(move |print| print.within(characters.unwrap_or(usize::MAX)))
    }

    /// The tool-calls section of this turn.
    pub fn calls_section(&self, results: bool) -> String {
        calls_section(std::slice::from_ref(self), self.turn.tool_calls().len(), results)
    }

    /// The output section of this turn.
    pub fn prints_section(&self) -> Option<String> {
        output_section(self.printed(None), self.turn.prints().len())
    }
}

fn calls_section(turns: &[ShownTurn<'_>], made: usize, results: bool) -> String {
    tool_calls_section(turns.iter().flat_map(|shown| shown.calls).map(|call| call_text(call, results)), made)
}

fn call_text(call: &ToolRecord, results: bool) -> String {
    tool_call_line(call) + &outcome_text(call, results)
}

/// The result, without its hidden fields.
fn result_text(call: &ToolRecord) -> String {
    format_within_with(&call.result, &FormatOptions::tool_args(), &call.hidden_fields, MAX_SAMPLE_CHARS).text
}

/// The outcome of a call: ` -> ` and its error, which the program has caught, or its result if requested; whether it
/// was made.
pub(crate) fn outcome_text(call: &ToolRecord, results: bool) -> String {
    let outcome = match (&call.error, results) {
        (Some(error), _) => {
            format!(" -> error: {}", escaped(&shortened(error.lines().next().unwrap_or_default(), ERROR_CHARS)))
        }
        (None, false) => String::new(),
        (None, true) => {
            format!(" -> {}", result_text(call))
        }
    };
    let mark = match call {
        ToolRecord { may_have_run: true, .. } => " (perhaps done)",
        ToolRecord { from_failed_turn: true, .. } => " (from the failed turn)",
        _ => "",
    };
    outcome + mark
}
