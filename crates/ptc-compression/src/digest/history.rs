//! A run as a digest sends it.
//!
//! A request has, in this order, its opening, the plain dialogue or the merged text, reports, and then what changes
//! with every request. A turn adds to the dialogue until that has `begin_at` characters, and is a report from then on.
//! Merging replaces dialogue and reports by one text: that text must be sent as new input, while the text that it
//! replaces came from the cache at about a tenth of the price. So nothing is merged before requests have repeated
//! [`PATIENCE`] times its size beyond it. By then merging would have paid off, and at no time has the run cost much
//! more than with the best choice in hindsight.

use std::collections::VecDeque;

use ptc_chat::{Message, Part, Role};
use ptc_lisp::Memory;
use ptc_mission::{DEFINED_HEADER, USER_HEADER, definitions_section, join_sections, output_section, user_section};
use ptc_transcript::{CompressionStats, Turn};

use super::Digest;
use super::calls::Calls;
use super::definitions::definition_text;
use crate::changed::changed;
use crate::closing::{Ending, effects_of, extended, joined, keep_first_filled, user_message};
use crate::compression::{Rendered, Renderer};
use crate::input::{Caps, RenderInput};
use crate::plain::{FEEDBACK_CHARS, answer, feedback, is_whole, outcome};
use crate::prints::PrintBudget;

/// Characters of output, and of calls with effects, that a report shows.
const REPORT_CHARS: usize = 8_000;

/// The same of all turns that are merged.
const MERGED_CHARS: usize = 4_000;

/// How often a merged history is repeated beyond its size before it is sent: about the factor by which a cached token
/// is cheaper.
const PATIENCE: usize = 10;

/// A merged history counts as this many bytes at least: providers cache blocks of about a hundred tokens.
const SMALLEST: usize = 1_000;

/// The note that a model needs to read reports.
const REPORTS_NOTE: &str = ";; Since then, turn by turn. Of a name that is listed again, the last line holds.";

/// The turns of a run so far.
#[derive(Default)]
pub(super) struct History {
    options: Digest,
    /// Answers and feedback of the first turns.
    dialogue: Dialogue,
    /// Whether turns are reports.
    has_begun: bool,
    /// The latest merged text.
    merged: Shown,
    /// The turns since then.
    reports: Vec<Shown>,
    /// Bytes that requests repeated since then beyond the size of the merged text.
    repeated: usize,
    /// Everything that merging would show.
    seen: Seen,
    ending: Ending,
    failed: usize,
    /// Printed entries of the last turn that are shown.
    last_prints: usize,
}

#[derive(Default)]
struct Dialogue {
    messages: Vec<Message>,
    characters: usize,
    calls: usize,
    prints: usize,
    failed: usize,
}

impl Dialogue {
    fn turns(&self) -> usize {
        self.messages.len() / 2
    }
}

/// A text, and the entries in it.
#[derive(Default)]
struct Shown {
    text: String,
    calls: usize,
    prints: usize,
}

/// The successful turns, reduced to what merging needs.
#[derive(Default)]
struct Seen {
    turns: usize,
    definitions: Memory,
    calls: Calls,
    prints: VecDeque<String>,
    printed: usize,
}

impl History {
    pub fn new(options: &Digest) -> History {
        let calls = Calls::new(options.tool_call_limit, options.tool_results);
        let seen = Seen { calls, ..Seen::default() };
        History { options: options.clone(), seen, last_prints: usize::MAX, ..History::default() }
    }

    /// Add a turn to the dialogue if it fits; not when its output would be cut, because a report shows more of it.
    fn append_to_dialogue(&mut self, turn: &Turn) -> bool {
        let said = answer(turn);
        let told = feedback(outcome(turn, FEEDBACK_CHARS, true));
        let characters = self.dialogue.characters + said.chars().count() + told.chars().count();
        if characters > self.options.begin_at || !is_whole(turn, FEEDBACK_CHARS) {
            return false;
        }
        let dialogue = &mut self.dialogue;
        dialogue.messages.push(Message::assistant(said).repeated());
        dialogue.messages.push(Message::user(told).repeated());
        dialogue.characters = characters;
        dialogue.failed += usize::from(!turn.is_success());
        if turn.is_success() {
            dialogue.calls += turn.tool_calls().len();
            dialogue.prints += turn.prints().len();
        }
        true
    }

    /// Merge the turns so far if repeating them has cost more than that by now.
    fn merge_if_it_pays(&mut self) {
        if self.dialogue.messages.is_empty() && self.reports.is_empty() {
            return;
        }
        let merged = self.seen.merged(&self.options, &self.ending, &self.seen.definitions, Caps::NONE);
        let size = merged.text.len().max(SMALLEST);
        self.repeated += self.repeated_bytes().saturating_sub(size);
        if self.repeated >= PATIENCE * size {
            self.merged = merged;
            self.dialogue = Dialogue::default();
            self.reports.clear();
            self.repeated = 0;
        }
    }

    /// Bytes between the opening and what changes with every request.
    fn repeated_bytes(&self) -> usize {
        let dialogue: usize = self.dialogue.messages.iter().map(|message| message.content().len()).sum();
        dialogue + self.merged.text.len() + self.reports.iter().map(|report| report.text.len()).sum::<usize>()
    }

    /// What a turn defined, called and printed; for a failed one the calls that took effect.
    fn report(&mut self, turn: &Turn) -> Shown {
        if !turn.is_success() {
            return Shown { text: headed(turn, [effects_of(turn)]), ..Shown::default() };
        }
        let definitions = definitions_section(
            DEFINED_HEADER,
            changed(turn.memory(), &self.seen.definitions, definition_text),
            definition_text,
        );
        let mut calls = Calls::new(usize::MAX, self.options.tool_results);
        turn.tool_calls().iter().for_each(|call| calls.push(call));
        let (listed, calls) = calls.section(usize::MAX, REPORT_CHARS);
        let budget = PrintBudget { entries: usize::MAX, characters: REPORT_CHARS };
        let prints = budget.newest(turn.prints().iter().map(String::as_str));
        let shown = prints.len();
        self.last_prints = shown;
        Shown {
            text: headed(turn, [definitions, listed, output_section(prints, turn.prints().len())]),
            calls,
            prints: shown,
        }
    }

    /// The definitions that were not listed: those of an answer that was refused.
    fn not_listed(&self, memory: &Memory, input: &RenderInput<'_>) -> Option<String> {
        let known = if self.seen.turns == 0 { input.kept } else { &self.seen.definitions };
        definitions_section(DEFINED_HEADER, changed(memory, known, definition_text), definition_text)
    }

    /// The closing parts, with this many entries of the last turn shown; effects of failed programs are reported
    /// before.
    fn closing(&self, input: &RenderInput<'_>, prints: usize) -> [Option<String>; 4] {
        let [error, _, progress, indicator] = self.ending.closing_parts(input, prints);
        [error, self.ending.notes_on_last(prints), progress, indicator]
    }

    fn stats(&self, shown: &[&Shown], dialogue: &Dialogue) -> CompressionStats {
        let calls = dialogue.calls + shown.iter().map(|shown| shown.calls).sum::<usize>();
        let prints = dialogue.prints + shown.iter().map(|shown| shown.prints).sum::<usize>();
        // The last error has its own block, unless the dialogue has it.
        let is_apart = self.has_begun || dialogue.messages.is_empty();
        let last_failed = is_apart && self.ending.last().is_some_and(|turn| !turn.is_success());
        CompressionStats {
            turns_compressed: self.seen.turns + self.failed - dialogue.turns(),
            tool_calls_total: self.seen.calls.made(),
            tool_calls_shown: calls,
            tool_calls_dropped: self.seen.calls.made() - calls,
            printlns_total: self.seen.printed,
            printlns_shown: prints,
            printlns_dropped: self.seen.printed - prints,
            error_turns_collapsed: self.failed - dialogue.failed - usize::from(last_failed),
            ..CompressionStats::of(Digest::NAME)
        }
    }

    /// Everything merged, within the limits of a ceiling.
    fn all_merged(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let merged = self.seen.merged(&self.options, &self.ending, memory, input.caps);
        let parts = std::iter::once(Some(merged.text.clone())).chain(self.closing(input, usize::MAX));
        let messages = vec![user_message(self.opening(input), parts)];
        Rendered { messages, stats: self.stats(&[&merged], &Dialogue::default()) }
    }

    fn opening(&self, input: &RenderInput<'_>) -> Option<Part> {
        input.opening(self.options.samples(), self.options.tool_hint)
    }

    /// The definitions that a run starts with, until something else lists them.
    fn kept(&self, input: &RenderInput<'_>) -> Option<String> {
        let is_listed = !self.merged.text.is_empty() || (self.dialogue.messages.is_empty() && self.seen.turns > 0);
        definitions_section(USER_HEADER, input.kept.entries(), definition_text).filter(|_| !is_listed)
    }
}

impl Renderer for History {
    /// Cost: linear in what the turn did and in the number of definitions.
    fn push(&mut self, turn: &Turn) {
        self.has_begun = self.has_begun || !self.append_to_dialogue(turn);
        if self.has_begun {
            self.merge_if_it_pays();
        }
        self.ending.push(turn);
        if !turn.is_success() {
            self.failed += 1;
        }
        if self.has_begun {
            let report = self.report(turn);
            self.reports.extend((!report.text.is_empty()).then_some(report));
        }
        if !turn.is_success() {
            return;
        }
        self.seen.push(turn, self.options.println_limit);
    }

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        // Below a ceiling that limits the request, everything is merged.
        if input.caps != Caps::NONE {
            return self.all_merged(memory, input);
        }
        let repeated = [self.kept(input).unwrap_or_default(), self.merged.text.clone()].map(Part::repeated);
        let mut messages = vec![Message::new(Role::User, joined(self.opening(input).into_iter().chain(repeated)))];
        keep_first_filled(&mut messages);
        messages.extend(self.dialogue.messages.iter().cloned());
        let mut note = Some(REPORTS_NOTE);
        let mut after: Vec<Part> = self
            .reports
            .iter()
            .map(|report| Part::repeated(join_sections([note.take(), Some(&report.text)])))
            .collect();
        let defined = self.not_listed(memory, input);
        let note = note.filter(|_| defined.is_some()).map(str::to_owned);
        // A dialogue already says how its last turn ended.
        let closing = self.closing(input, self.last_prints).into_iter().skip(if self.has_begun { 0 } else { 2 });
        after.push(Part::changing(join_sections([note, defined].into_iter().chain(closing))));
        if let Some(last) = messages.last_mut() {
            *last = after.into_iter().fold(last.clone(), |message, part| extended(&message, part));
        }
        let shown: Vec<&Shown> = std::iter::once(&self.merged).chain(&self.reports).collect();
        Rendered { messages, stats: self.stats(&shown, &self.dialogue) }
    }
}

impl Seen {
    fn push(&mut self, turn: &Turn, println_limit: Option<usize>) {
        self.turns += 1;
        self.definitions = turn.memory().clone();
        turn.tool_calls().iter().for_each(|call| self.calls.push(call));
        self.printed += turn.prints().len();
        self.prints.extend(turn.prints().iter().cloned());
        let budget = PrintBudget { entries: println_limit.unwrap_or(usize::MAX), characters: MERGED_CHARS };
        // The newest entry is kept, even if it is cut.
        let kept = budget.newest(self.prints.iter().map(String::as_str)).len();
        self.prints.drain(..self.prints.len() - kept);
    }

    /// All turns in one text, with these definitions.
    fn merged(&self, options: &Digest, ending: &Ending, definitions: &Memory, caps: Caps) -> Shown {
        let definitions = match caps.samples.items {
            0 => user_section(definitions, None),
            _ => definitions_section(USER_HEADER, definitions.entries(), definition_text),
        };
        let (listed, calls) = self.calls.section(options.tool_call_limit.min(caps.calls), MERGED_CHARS);
        let budget = PrintBudget { entries: caps.prints, characters: MERGED_CHARS };
        let prints = budget.newest(self.prints.iter().map(String::as_str));
        let shown = prints.len();
        let text = join_sections([definitions, listed, output_section(prints, self.printed), ending.effects_note()]);
        Shown { text, calls, prints: shown }
    }
}

/// The lines of a report below its heading; empty if there is nothing to report.
fn headed<const N: usize>(turn: &Turn, parts: [Option<String>; N]) -> String {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!(";; Turn {}\n{}", turn.number(), parts.join("\n")) }
}
