//! A dialogue that grows at its end: the merged turns, and each turn since then as it was sent.

use crate::words::{SampleLimits, USER_HEADER, definitions_section, entry_line, fenced_program, output_section};
use ptc_chat::{Message, Part, Role};
use ptc_lisp::{Memory, MemoryEntry};
use ptc_mission::join_sections;
use ptc_transcript::{CompressionStats, Turn};

use super::AppendOnly;
use crate::changed::changed;
use crate::closing::{extended, joined, keep_first_filled};
use crate::coalesced::{all_in_one_message, merged_text};
use crate::compression::{PRINT_CHARS, Rendered, Renderer};
use crate::input::{Caps, RenderInput};
use crate::plain::feedback;
use crate::prints::{Print, PrintBudget, TURN_CHARS};
use crate::recent::{Keep, Recent, ShownTurn};

/// The turns of a run so far.
#[derive(Default)]
pub(super) struct Dialogue {
    options: AppendOnly,
    /// All turns.
    recent: Recent,
    /// The turns up to the last merging.
    merged: String,
    /// A program and a report for each successful turn since then.
    since: Vec<Message>,
    /// Calls and printed entries in both.
    calls: usize,
    prints: usize,
    /// The definitions after the last successful turn.
    known: Memory,
    printed: bool,
    /// Printed entries of the last successful turn that are shown.
    shown_of_last: usize,
}

impl Dialogue {
    pub fn new(options: &AppendOnly) -> Dialogue {
        let keep = Keep { print_chars: Some(PRINT_CHARS), ..options.limits.keep() };
        let recent = Recent::showing(keep, PrintBudget::of(TURN_CHARS));
        Dialogue { options: options.clone(), recent, ..Dialogue::default() }
    }

    fn samples(&self) -> Option<SampleLimits> {
        (!self.printed).then(|| self.options.limits.samples())
    }

    /// Text sent before the first print stays, so samples may be out of date.
    fn listed(&self, now: &Memory) -> Option<String> {
        let compared = Some(self.options.limits.samples());
        let shown = now.shown_names();
        let entries: Vec<&MemoryEntry> =
            changed(now, &self.known, |entry| entry_line(entry, compared, shown)).collect();
        definitions_section(USER_HEADER, entries, |entry| entry_line(entry, self.samples(), shown))
    }

    /// Add the program of a successful turn, and a report of all that it did.
    fn append(&mut self, turn: &Turn) {
        let (calls, prints) = (turn.tool_calls(), turn.prints());
        let shown = ShownTurn { turn, before: &self.known, calls, prints };
        let results = self.options.limits.tool_results && !self.printed;
        let listed_calls = (!calls.is_empty()).then(|| shown.calls_section(results));
        let printed = PrintBudget::of(TURN_CHARS).newest(Print::of(turn));
        self.shown_of_last = printed.len();
        self.prints += printed.len();
        let output = output_section(printed, prints.len());
        let report = feedback([self.listed(turn.memory()), listed_calls, output]);
        let program = fenced_program(turn.program().unwrap_or_default());
        self.since.extend([Message::assistant(program), Message::user(report)].map(Message::repeated));
        self.calls += calls.len();
    }

    fn bytes(&self) -> usize {
        self.since.iter().map(|message| message.content().len()).sum()
    }

    fn merge(&mut self) {
        let shown = self.recent.shown(Caps::NONE, &self.known);
        let stats = shown.stats(AppendOnly::NAME, 0);
        self.merged = merged_text(&shown, &self.known, &self.options.limits);
        (self.calls, self.prints) = (stats.tool_calls_shown, stats.printlns_shown);
        self.since.clear();
    }

    /// What is shown and left out, in total.
    fn stats(&self) -> CompressionStats {
        let compressed = self.recent.turns() - self.since.len() / 2;
        let all = self.recent.shown(Caps::NONE, &self.known).stats(AppendOnly::NAME, compressed);
        CompressionStats {
            tool_calls_shown: self.calls,
            tool_calls_dropped: all.tool_calls_total - self.calls,
            printlns_shown: self.prints,
            printlns_dropped: all.printlns_total - self.prints,
            ..all
        }
    }

    /// How many entries of the last turn are shown at most.
    fn prints_of_last(&self) -> usize {
        if self.since.is_empty() { self.options.limits.println_limit } else { self.shown_of_last }
    }
}

impl Renderer for Dialogue {
    /// Cost: linear in what the turn did and in the number of definitions.
    fn push(&mut self, turn: &Turn) {
        self.recent.push(turn);
        if !turn.is_success() {
            return;
        }
        self.printed |= !turn.prints().is_empty();
        self.append(turn);
        self.known = turn.memory().clone();
        if self.bytes() > self.options.append_bytes {
            self.merge();
        }
    }

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        // Below a ceiling that limits the request, everything is merged.
        if self.recent.good() == 0 || input.caps != Caps::NONE {
            return all_in_one_message(AppendOnly::NAME, &self.options.limits, &self.recent, memory, input);
        }
        let opening = input.opening(self.options.limits.samples(), self.options.limits.tool_hint);
        let mut messages =
            vec![Message::new(Role::User, joined(opening.into_iter().chain([Part::repeated(&self.merged)])))];
        messages.extend(self.since.iter().cloned());
        // The definitions of a refused answer.
        let closing =
            std::iter::once(self.listed(memory)).chain(self.recent.ending.closing_parts(input, self.prints_of_last()));
        if let Some(last) = messages.last_mut() {
            *last = extended(last, Part::changing(join_sections(closing)));
        }
        keep_first_filled(&mut messages);
        Rendered { messages, stats: self.stats() }
    }
}
