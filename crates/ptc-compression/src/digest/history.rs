//! A run as a digest sends it.
//!
//! A request has, in this order, its opening, the merged text, the turns since then, and what changes with every
//! request. A turn is sent as it was, its answer and the feedback on it, until these have `begin_at` characters; from
//! then on as it was or as a report, whichever is shorter. That is decided when it is added and never changed, because
//! the text that was sent is in a cache.
//!
//! Merging replaces all turns by one text, which must be sent as new input, while the text that it replaces came from
//! the cache at about a tenth of the price. So nothing is merged before requests have repeated [`PATIENCE`] times its
//! size beyond it. By then merging would have paid off, and at no time has the run cost much more than with the best
//! choice in hindsight. If merging leaves out output that is shown, a request announces it first.

use std::collections::{HashSet, VecDeque};

use crate::words::{DEFINED_HEADER, USER_HEADER, output_section, output_section_from, user_section};
use ptc_chat::{Message, Part, Role};
use ptc_lisp::{Memory, MemoryEntry};
use ptc_mission::join_sections;
use ptc_transcript::{CompressionStats, Turn};

use super::Digest;
use super::calls::Calls;
use super::definitions::{changed_definitions, defined_section};
use super::exchange::Exchange;
use crate::closing::{Ending, effects_of, extended, joined, keep_first_filled, user_message};
use crate::compression::{Rendered, Renderer};
use crate::input::{Caps, RenderInput};
use crate::prints::{Print, PrintBudget, TURN_CHARS};

/// Characters of calls with effects that a merged history shows.
const MERGED_CALL_CHARS: usize = 4_000;

/// Characters of output that a merged history shows.
const MERGED_PRINT_CHARS: usize = 12_000;

/// How often a merged history is repeated beyond its size before it is sent: about the factor by which a cached token
/// is cheaper.
const PATIENCE: usize = 10;

/// A merged history counts as this many bytes at least: providers cache blocks of about a hundred tokens.
const SMALLEST: usize = 1_000;

/// The note that a model needs to read reports.
const REPORTS_NOTE: &str = ";; Since then, turn by turn. Of a name that is listed again, the last line holds.";

/// The note before output that is shown is left out.
pub(super) const ANNOUNCEMENT: &str = ";; Note: from the next turn on, only the newest 12,000 characters of output are shown: def what \
                            you still need of the older output.";

/// What has the output that a merged history leaves out.
const HISTORY_TOOL: &str = "(tool/history)";

/// The turns of a run so far.
#[derive(Default)]
pub(super) struct History {
    options: Digest,
    /// The latest merged text.
    merged: CountedText,
    /// The turns since then.
    since: Vec<Piece>,
    /// Characters of the turns before the first report.
    whole_chars: usize,
    /// Whether turns may be reports.
    has_begun: bool,
    /// Bytes that requests repeated since then beyond the size of the merged text.
    repeated: usize,
    /// Whether the last request says that older output goes.
    is_announced: bool,
    /// The names that the merged text and the reports list: where one of them changes, it is listed again.
    listed: HashSet<String>,
    /// Whether the note on names that are listed again was given since the latest merging.
    is_noted: bool,
    /// Everything that merging would show.
    seen: MergedTurns,
    ending: Ending,
    failed: usize,
    /// Printed entries of the last turn that are shown.
    last_prints: usize,
}

/// A turn as it is sent.
enum Piece {
    Exchange(Exchange),
    Report(CountedText),
}

/// A text, and the entries in it.
#[derive(Default)]
struct CountedText {
    text: String,
    calls: usize,
    prints: usize,
}

/// The successful turns, reduced to what merging needs.
#[derive(Default)]
struct MergedTurns {
    turns: usize,
    definitions: Memory,
    calls: Calls,
    /// Each with the characters that its record lacks.
    prints: VecDeque<(String, usize)>,
    printed: usize,
}

impl Piece {
    fn bytes(&self) -> usize {
        match self {
            Piece::Exchange(exchange) => exchange.bytes(),
            Piece::Report(report) => report.text.len(),
        }
    }

    fn exchange(&self) -> Option<&Exchange> {
        match self {
            Piece::Exchange(exchange) => Some(exchange),
            Piece::Report(_) => None,
        }
    }

    /// The calls and printed entries in it.
    fn entries(&self) -> (usize, usize) {
        match self {
            Piece::Exchange(exchange) => (exchange.calls, exchange.prints),
            Piece::Report(report) => (report.calls, report.prints),
        }
    }
}

impl History {
    pub fn new(options: &Digest) -> History {
        let calls = Calls::new(options.tool_call_limit, options.tool_results);
        let seen = MergedTurns { calls, ..MergedTurns::default() };
        let ending = Ending::showing(PrintBudget::of(TURN_CHARS));
        History { options: options.clone(), seen, ending, last_prints: usize::MAX, ..History::default() }
    }

    /// Merge the turns so far if repeating them has cost more than that by now; first announce it if output goes.
    fn merge_if_it_pays(&mut self) {
        if self.since.is_empty() {
            return;
        }
        let merged = self.seen.merged(&self.options, &self.ending, &self.seen.definitions, Caps::NONE);
        let size = merged.text.len().max(SMALLEST);
        self.repeated += self.repeated_bytes().saturating_sub(size);
        if self.repeated < PATIENCE * size {
            return;
        }
        if !self.is_announced && merged.prints < self.shown().1 {
            self.is_announced = true;
            return;
        }
        self.merged = merged;
        self.since.clear();
        self.repeated = 0;
        self.is_announced = false;
        self.is_noted = false;
        self.listed = self.seen.definitions.entries().iter().map(|entry| entry.name.clone()).collect();
    }

    /// Bytes between the opening and what changes with every request.
    fn repeated_bytes(&self) -> usize {
        self.merged.text.len() + self.since.iter().map(Piece::bytes).sum::<usize>()
    }

    /// The calls and printed entries that are shown.
    fn shown(&self) -> (usize, usize) {
        let merged = (self.merged.calls, self.merged.prints);
        let since = self.since.iter().map(Piece::entries);
        since.fold(merged, |(calls, prints), (more_calls, more_prints)| (calls + more_calls, prints + more_prints))
    }

    /// What a turn defined, called and printed; for a failed one the calls that took effect.
    fn report(&self, turn: &Turn) -> CountedText {
        if !turn.is_success() {
            return CountedText { text: headed(turn, [effects_of(turn)]), ..CountedText::default() };
        }
        let definitions = defined_section(DEFINED_HEADER, self.changed_by(turn), turn.memory());
        let mut calls = Calls::new(usize::MAX, self.options.tool_results);
        turn.tool_calls().iter().for_each(|call| calls.push(call));
        let (listed, calls) = calls.section(usize::MAX, TURN_CHARS);
        let prints = PrintBudget::of(TURN_CHARS).newest(Print::of(turn));
        let shown = prints.len();
        CountedText {
            text: headed(turn, [definitions, listed, output_section(prints, turn.prints().len())]),
            calls,
            prints: shown,
        }
    }

    fn changed_by<'t>(&'t self, turn: &'t Turn) -> impl Iterator<Item = &'t MemoryEntry> {
        changed_definitions(turn.memory(), &self.seen.definitions)
    }

    /// The definitions of a turn that were listed before with another value.
    fn listed_again(&self, turn: &Turn) -> Option<String> {
        let again = self.changed_by(turn).filter(|entry| turn.is_success() && self.listed.contains(&entry.name));
        let again = defined_section(DEFINED_HEADER, again, turn.memory())?;
        Some(join_sections([self.note(), Some(&again)]))
    }

    /// The note that is due before the next list.
    fn note(&self) -> Option<&'static str> {
        (!self.is_noted).then_some(REPORTS_NOTE)
    }

    /// Add a turn as a report, or as it was if that is not longer.
    fn add_shorter(&mut self, turn: &Turn) {
        let again = self.listed_again(turn);
        let is_again = again.is_some();
        let exchange = Exchange::new(turn, again);
        let mut report = self.report(turn);
        if !report.text.is_empty() {
            report.text = join_sections([self.note(), Some(&report.text)]);
        }
        if exchange.bytes() <= report.text.len() {
            self.is_noted |= is_again;
            self.since.push(Piece::Exchange(exchange));
            return;
        }
        self.is_noted |= !report.text.is_empty();
        self.last_prints = usize::MAX;
        if turn.is_success() {
            let names: Vec<String> = self.changed_by(turn).map(|entry| entry.name.clone()).collect();
            self.listed.extend(names);
            self.last_prints = report.prints;
        }
        self.since.push(Piece::Report(report));
    }

    /// The definitions that were not listed: those of an answer that was refused.
    fn not_listed(&self, memory: &Memory, input: &RenderInput<'_>) -> Option<String> {
        let known = if self.seen.turns == 0 { input.kept } else { &self.seen.definitions };
        defined_section(DEFINED_HEADER, changed_definitions(memory, known), memory)
    }

    /// The closing parts; effects of failed programs are reported before, and the feedback of a turn that is sent as it was has its outcome.
    fn closing(&self, input: &RenderInput<'_>) -> [Option<String>; 5] {
        let [error, _, progress, indicator] = self.ending.closing_parts(input, self.last_prints);
        let notes = self.ending.notes_on_last(self.last_prints);
        let announcement = self.is_announced.then(|| ANNOUNCEMENT.to_owned());
        match self.is_last_told() {
            true => [None, None, announcement, progress, indicator],
            false => [error, notes, announcement, progress, indicator],
        }
    }

    fn is_last_told(&self) -> bool {
        self.since.last().is_some_and(|piece| piece.exchange().is_some())
    }

    /// The statistics of a request that shows this many calls and prints, and the turns of these pieces.
    fn stats(&self, (calls, prints): (usize, usize), since: &[Piece]) -> CompressionStats {
        let exchanges: Vec<&Exchange> = since.iter().filter_map(Piece::exchange).collect();
        let told_failed = exchanges.iter().filter(|exchange| !exchange.is_success).count();
        // The last error has its own block, unless its turn is sent as it was.
        let is_apart = since.last().is_none_or(|piece| piece.exchange().is_none());
        let last_failed = is_apart && self.ending.last().is_some_and(|turn| !turn.is_success());
        CompressionStats {
            turns_compressed: self.seen.turns + self.failed - exchanges.len(),
            tool_calls_total: self.seen.calls.made(),
            tool_calls_shown: calls,
            tool_calls_dropped: self.seen.calls.made() - calls,
            printlns_total: self.seen.printed,
            printlns_shown: prints,
            printlns_dropped: self.seen.printed - prints,
            error_turns_collapsed: self.failed - told_failed - usize::from(last_failed),
            ..CompressionStats::of(Digest::NAME)
        }
    }

    /// Everything merged, within the limits of a ceiling.
    fn all_merged(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let merged = self.seen.merged(&self.options, &self.ending, memory, input.caps);
        let [error, _, progress, indicator] = self.ending.closing_parts(input, usize::MAX);
        let notes = self.ending.notes_on_last(usize::MAX);
        let parts = [Some(merged.text), error, notes, progress, indicator];
        let messages = vec![user_message(self.opening(input), parts)];
        Rendered { messages, stats: self.stats((merged.calls, merged.prints), &[]) }
    }

    fn opening(&self, input: &RenderInput<'_>) -> Option<Part> {
        input.opening(self.options.samples(), self.options.tool_hint)
    }

    /// The definitions that a run starts with, until something else lists them.
    fn kept(&self, input: &RenderInput<'_>) -> Option<String> {
        let is_reported = self.since.first().is_some_and(|piece| piece.exchange().is_none());
        let is_listed = !self.merged.text.is_empty() || (is_reported && self.seen.turns > 0);
        defined_section(USER_HEADER, input.kept.entries(), input.kept).filter(|_| !is_listed)
    }
}

impl Renderer for History {
    /// Cost: linear in what the turn did and in the number of definitions.
    fn push(&mut self, turn: &Turn) {
        let exchange = (!self.has_begun).then(|| Exchange::new(turn, None));
        let exchange = exchange.filter(|exchange| self.whole_chars + exchange.characters() <= self.options.begin_at);
        if exchange.is_none() {
            self.has_begun = true;
            self.merge_if_it_pays();
        }
        self.ending.push(turn);
        if !turn.is_success() {
            self.failed += 1;
        }
        match exchange {
            None => self.add_shorter(turn),
            Some(exchange) => {
                self.whole_chars += exchange.characters();
                self.since.push(Piece::Exchange(exchange));
            }
        }
        if turn.is_success() {
            self.seen.push(turn, self.options.println_limit);
        }
    }

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        // Below a ceiling that limits the request, everything is merged.
        if input.caps != Caps::NONE {
            return self.all_merged(memory, input);
        }
        let repeated = [self.kept(input).unwrap_or_default(), self.merged.text.clone()].map(Part::repeated);
        let mut messages = vec![Message::new(Role::User, joined(self.opening(input).into_iter().chain(repeated)))];
        keep_first_filled(&mut messages);
        for piece in &self.since {
            match piece {
                Piece::Exchange(exchange) => messages.extend(exchange.messages()),
                Piece::Report(report) if report.text.is_empty() => {}
                Piece::Report(report) => append(&mut messages, Part::repeated(report.text.clone())),
            }
        }
        let defined = self.not_listed(memory, input);
        let note = self.note().filter(|_| defined.is_some()).map(str::to_owned);
        append(&mut messages, Part::changing(join_sections([note, defined].into_iter().chain(self.closing(input)))));
        Rendered { messages, stats: self.stats(self.shown(), &self.since) }
    }
}

/// Add a part to the last message.
fn append(messages: &mut [Message], part: Part) {
    if let Some(last) = messages.last_mut() {
        *last = extended(last, part);
    }
}

impl MergedTurns {
    fn push(&mut self, turn: &Turn, println_limit: Option<usize>) {
        self.turns += 1;
        self.definitions = turn.memory().clone();
        turn.tool_calls().iter().for_each(|call| self.calls.push(call));
        self.printed += turn.prints().len();
        self.prints.extend(Print::of(turn).map(|print| (print.text.to_owned(), print.missing)));
        let budget = PrintBudget { entries: println_limit.unwrap_or(usize::MAX), characters: MERGED_PRINT_CHARS };
        let kept = budget.newest(self.prints()).len();
        self.prints.drain(..self.prints.len() - kept);
    }

    fn prints(&self) -> impl DoubleEndedIterator<Item = Print<'_>> {
        self.prints.iter().map(|(text, missing)| Print { text, missing: *missing })
    }

    /// All turns in one text, with these definitions.
    fn merged(&self, options: &Digest, ending: &Ending, definitions: &Memory, caps: Caps) -> CountedText {
        let definitions = match caps.samples.items {
            0 => user_section(definitions, None),
            _ => defined_section(USER_HEADER, definitions.entries(), definitions),
        };
        let (listed, calls) = self.calls.section(options.tool_call_limit.min(caps.calls), MERGED_CALL_CHARS);
        let prints = PrintBudget { entries: caps.prints, characters: MERGED_PRINT_CHARS }.newest(self.prints());
        let shown = prints.len();
        let output = output_section_from(prints, self.printed, HISTORY_TOOL);
        CountedText { text: join_sections([definitions, listed, output, ending.effects_note()]), calls, prints: shown }
    }
}

/// The lines of a report below its heading; empty if there is nothing to report.
fn headed<const N: usize>(turn: &Turn, parts: [Option<String>; N]) -> String {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!(";; Turn {}\n{}", turn.number(), parts.join("\n")) }
}
