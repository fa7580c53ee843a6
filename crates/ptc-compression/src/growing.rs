//! A history that grows at its end: what was merged, and the turns since then, each with a report that stays as it was sent.

use std::sync::OnceLock;

use ptc_chat::{Message, Part, Role};
use ptc_lisp::{Memory, MemoryEntry, ToolRecord, Value};
use ptc_mission::{SampleLimits, entry_line, join_sections, user_section};
use ptc_transcript::{CompressionStats, Turn};

use crate::closing::{closing_parts, joined, keep_first_filled, user_message};
use crate::compression::{Rendered, Renderer};
use crate::input::{Caps, RenderInput};
use crate::limits::Limits;
use crate::recent::{Recent, Shown, ShownTurn, prints_section};

/// A merged history of fewer bytes is merged again at each turn. Providers find what repeats in blocks of about a hundred
/// tokens, so that next to nothing of a shorter one would come from a cache.
const SHORT_HISTORY: usize = 1_000;

/// When what was reported of turns is merged with what was merged before.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Merging {
    /// Each turn is an answer, its program, and a message that reports all that came of it, until these have more bytes.
    AboveBytes(usize),
    /// Each turn is a report of what came of it, until the reports have more than so many percent of the bytes of what was
    /// merged, or more calls or prints than the limits allow, and once samples are not shown any more.
    AbovePercent(usize),
    /// There are no reports.
    Always,
}

/// The turns of a run so far.
pub(crate) struct Growing {
    strategy: &'static str,
    limits: Limits,
    merging: Merging,
    /// All turns.
    recent: Recent,
    merged: Merged,
    /// The successful turns since the last merging that have something to show.
    since: Vec<Report>,
    /// What they come to.
    appended: Size,
    /// The definitions as they are listed, after the last successful turn.
    known: Memory,
    printed: bool,
}

/// How much is shown of some turns; bytes are estimated where writing them down would cost more than sending too many.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Size {
    bytes: usize,
    calls: usize,
    prints: usize,
}

/// The turns up to the last merging.
#[derive(Default)]
struct Merged {
    size: Size,
    turns: usize,
    /// What is sent of them, once turns stand behind them.
    base: Option<Base>,
}

struct Base {
    recent: Recent,
    memory: Memory,
    text: OnceLock<String>,
}

/// A turn that is sent in every request until the next merging.
struct Report {
    turn: Turn,
    before: Memory,
    /// Samples are shown as long as the run has not printed anything.
    samples: Option<SampleLimits>,
    text: OnceLock<String>,
}

impl Growing {
    pub fn new(strategy: &'static str, limits: Limits, merging: Merging) -> Growing {
        Growing {
            strategy,
            limits,
            merging,
            recent: Recent::new(limits.keep()),
            merged: Merged::default(),
            since: Vec::new(),
            appended: Size::default(),
            known: Memory::default(),
            printed: false,
        }
    }

    /// The same after these turns.
    pub fn after(mut self, turns: &[Turn]) -> Growing {
        turns.iter().for_each(|turn| self.push(turn));
        self
    }

    /// Whether the next request repeats what is merged.
    fn keeps(&self) -> bool {
        match self.merging {
            Merging::AboveBytes(_) => self.recent.good() > 0,
            Merging::AbovePercent(_) => self.merged.size.bytes >= SHORT_HISTORY,
            Merging::Always => false,
        }
    }

    fn has_room(&self, appended: Size) -> bool {
        match self.merging {
            Merging::AboveBytes(bytes) => appended.bytes <= bytes,
            Merging::AbovePercent(percent) => {
                appended.bytes <= self.merged.size.bytes * percent / 100
                    && appended.calls <= self.limits.tool_call_limit
                    && appended.prints <= self.limits.println_limit
            }
            Merging::Always => false,
        }
    }

    fn samples(&self) -> Option<SampleLimits> {
        (!self.printed).then(|| self.limits.samples())
    }

    /// By what listed definitions are told from those that must be listed again: by their samples, as long as these may stand
    /// in what was sent.
    fn compared(&self) -> Option<SampleLimits> {
        match self.merging {
            Merging::AboveBytes(_) => Some(self.limits.samples()),
            Merging::AbovePercent(_) | Merging::Always => self.samples(),
        }
    }

    /// Append a successful turn if there is room.
    fn append(&mut self, turn: &Turn, loses_samples: bool) -> bool {
        let is_dialogue = matches!(self.merging, Merging::AboveBytes(_));
        if !is_dialogue && (loses_samples || !self.keeps()) {
            return false;
        }
        let report = Report { turn: turn.clone(), before: self.known.clone(), samples: self.samples(), text: OnceLock::new() };
        let size = self.size(&report);
        let appended = self.appended + size;
        if !self.has_room(appended) {
            return false;
        }
        if self.merged.base.is_none() && self.merged.turns > 0 {
            let base = Base { recent: self.recent.clone(), memory: self.known.clone(), text: OnceLock::new() };
            self.merged.base = Some(base);
        }
        if size != Size::default() {
            self.since.push(report);
        }
        self.appended = appended;
        true
    }

    fn merge(&mut self) {
        let shown = self.recent.shown(Caps::NONE, &self.known);
        let prints = shown.older.iter().flat_map(|shown| shown.prints).map(|print| print.len() + 1).sum::<usize>();
        let calls = shown.older.iter().flat_map(|shown| shown.calls).map(call_bytes).sum::<usize>();
        let definitions = definition_bytes(self.known.entries().iter(), self.samples());
        let stats = shown.stats(self.strategy, 0);
        let size = Size { bytes: definitions + calls + prints, calls: stats.tool_calls_shown, prints: stats.printlns_shown };
        self.merged = Merged { size, turns: self.recent.good(), base: None };
        self.since.clear();
        self.appended = Size::default();
    }

    fn size(&self, report: &Report) -> Size {
        let turn = &report.turn;
        let (calls, prints) = (turn.tool_calls().len(), turn.prints().len());
        let bytes = match self.merging {
            Merging::AboveBytes(_) => program_message(turn).content().len() + self.report_text(report).len(),
            Merging::AbovePercent(_) | Merging::Always => {
                let definitions = definition_bytes(changed(turn.memory(), &report.before, self.compared()), report.samples);
                let calls = turn.tool_calls().iter().map(call_bytes).sum::<usize>();
                let prints = turn.prints().iter().map(|print| print.len() + 1).sum::<usize>();
                // With the headings of those that there are.
                [(definitions, 36), (calls, 22), (prints, 13)]
                    .iter()
                    .filter(|(bytes, _)| *bytes > 0)
                    .map(|(bytes, more)| bytes + more)
                    .sum()
            }
        };
        Size { bytes, calls, prints }
    }

    /// What is sent of a turn.
    fn report_text<'r>(&self, report: &'r Report) -> &'r str {
        report.text.get_or_init(|| {
            let turn = &report.turn;
            let is_dialogue = matches!(self.merging, Merging::AboveBytes(_));
            let shown = ShownTurn { turn, before: &report.before, calls: turn.tool_calls(), prints: turn.prints() };
            // A dialogue answers each program.
            let has_calls = is_dialogue || !turn.tool_calls().is_empty();
            join_sections([
                (!is_dialogue).then(|| format!(";; Turn {}", turn.number())),
                listed(changed(turn.memory(), &report.before, self.compared()), report.samples),
                has_calls.then(|| shown.calls_section(self.limits.tool_results && report.samples.is_some())),
                shown.prints_section(),
            ])
        })
    }

    /// What is sent of the turns that were merged.
    fn merged_text(&self) -> String {
        match &self.merged.base {
            Some(base) => {
                base.text.get_or_init(|| merged_text(&base.recent.shown(Caps::NONE, &base.memory), &base.memory, &self.limits)).clone()
            }
            None if self.merged.turns == 0 => String::new(),
            None => merged_text(&self.recent.shown(Caps::NONE, &self.known), &self.known, &self.limits),
        }
    }

    /// What is shown and left out, everything together.
    fn stats(&self) -> CompressionStats {
        let turns_compressed = match self.merging {
            Merging::AboveBytes(_) => self.merged.turns + self.recent.failed(),
            Merging::AbovePercent(_) | Merging::Always => self.recent.turns(),
        };
        let all = self.recent.shown(Caps::NONE, &self.known).stats(self.strategy, turns_compressed);
        let Size { calls, prints, .. } = self.merged.size + self.appended;
        CompressionStats {
            tool_calls_shown: calls,
            tool_calls_dropped: all.tool_calls_total - calls,
            printlns_shown: prints,
            printlns_dropped: all.printlns_total - prints,
            ..all
        }
    }

    /// Everything merged, in a message of which the next one repeats the beginning alone.
    fn all_merged(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let shown = self.recent.shown(input.caps, input.kept);
        let closing = closing_parts(self.recent.last(), input);
        let history = std::iter::once(Some(merged_text(&shown, memory, &self.limits))).chain(closing);
        let message = user_message(input.opening(self.limits.samples(), self.limits.tool_hint), history);
        Rendered { messages: vec![message], stats: shown.stats(self.strategy, self.recent.turns()) }
    }
}

impl Renderer for Growing {
    /// Cost: linear in what the turn did and in the number of definitions.
    fn push(&mut self, turn: &Turn) {
        if !turn.is_success() {
            return self.recent.push(turn);
        }
        let prints = !turn.prints().is_empty();
        let loses_samples = prints && !self.printed;
        self.printed |= prints;
        let has_appended = self.append(turn, loses_samples);
        self.recent.push(turn);
        self.known = turn.memory().clone();
        if !has_appended && !matches!(self.merging, Merging::Always) {
            self.merge();
        }
    }

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        // Below a ceiling that is in the way everything is merged.
        if !self.keeps() || input.caps != Caps::NONE {
            return self.all_merged(memory, input);
        }
        // What a refused answer has defined.
        let defined = listed(changed(memory, &self.known, self.compared()), self.samples());
        let closing = join_sections(std::iter::once(defined).chain(closing_parts(self.recent.last(), input)));
        let opening = input.opening(self.limits.samples(), self.limits.tool_hint);
        let first = joined(opening.into_iter().chain([Part::repeated(self.merged_text())]));
        let mut messages = vec![Message::new(Role::User, first)];
        for report in &self.since {
            let text = Part::repeated(self.report_text(report));
            match (self.merging, messages.last_mut()) {
                (Merging::AbovePercent(_), Some(last)) => *last = extended(last, text),
                _ => messages.extend([program_message(&report.turn), Message::new(Role::User, [text])]),
            }
        }
        if let Some(last) = messages.last_mut() {
            *last = extended(last, Part::changing(closing));
        }
        keep_first_filled(&mut messages);
        Rendered { messages, stats: self.stats() }
    }
}

impl std::ops::Add for Size {
    type Output = Size;

    fn add(self, other: Size) -> Size {
        Size { bytes: self.bytes + other.bytes, calls: self.calls + other.calls, prints: self.prints + other.prints }
    }
}

fn program_message(turn: &Turn) -> Message {
    Message::assistant(format!("```clojure\n{}\n```", turn.program().unwrap_or_default())).repeated()
}

/// The message with a part more, behind a blank line.
fn extended(message: &Message, part: Part) -> Message {
    let [part] = if message.parts.is_empty() { [part] } else { [Part { text: format!("\n\n{}", part.text), ..part }] };
    Message::new(message.role, message.parts.iter().cloned().chain([part]).collect::<Vec<_>>())
}

/// Definitions, calls and output of turns that are not told apart.
fn merged_text(shown: &Shown<'_>, memory: &Memory, limits: &Limits) -> String {
    let definitions = user_section(memory, shown.samples(limits.samples()));
    let results = limits.tool_results && !shown.printed();
    join_sections([definitions, Some(shown.older_calls(results)), prints_section(&shown.older)])
}

fn listed<'m>(entries: impl Iterator<Item = &'m MemoryEntry>, samples: Option<SampleLimits>) -> Option<String> {
    user_section(&Memory::new(entries.cloned().collect()), samples)
}

/// The definitions that are listed otherwise than `known` lists them: new ones, those of another shape, and where samples are
/// compared those of another sample: atoms have one without being defined anew. Both are in order of definition.
fn changed<'m>(now: &'m Memory, known: &'m Memory, samples: Option<SampleLimits>) -> impl Iterator<Item = &'m MemoryEntry> {
    let (mut known, mut redefined) = (known.entries(), Vec::new());
    now.entries().iter().filter(move |entry| {
        let listed = match known.iter().position(|listed| listed.name == entry.name) {
            Some(place) => {
                let (passed, rest) = known.split_at(place);
                redefined.extend(passed);
                known = rest.get(1..).unwrap_or_default();
                rest.first()
            }
            None => redefined.iter().find(|listed| listed.name == entry.name).copied(),
        };
        let is_listed = |listed: &MemoryEntry| {
            let shape = (&entry.label, &entry.returns, &entry.params, &entry.doc);
            let is_same_value = || entry.value.address().is_some() && entry.value.address() == listed.value.address();
            let is_same_line = || entry_line(entry, samples) == entry_line(listed, samples);
            shape == (&listed.label, &listed.returns, &listed.params, &listed.doc)
                && (samples.is_none() || is_same_value() || is_same_line())
        };
        !listed.is_some_and(is_listed)
    })
}

/// About the bytes of the lines of definitions.
fn definition_bytes<'m>(entries: impl Iterator<Item = &'m MemoryEntry>, samples: Option<SampleLimits>) -> usize {
    let bytes = |text: &Option<String>| text.as_ref().map_or(0, |text| text.len() + 4);
    let line = |entry: &MemoryEntry| {
        let head = (entry.name.len() + bytes(&entry.params)).max(30);
        let sample = if samples.is_some() { 40 } else { 0 };
        head + bytes(&entry.doc) + bytes(&entry.returns) + entry.label.len() + sample + 6
    };
    entries.map(line).sum()
}

/// About the bytes of the line of a call.
fn call_bytes(call: &ToolRecord) -> usize {
    let argument = |value: &Value| match value {
        Value::Str(text) => text.as_str().len() + 2,
        Value::Vector(items) => 12 * items.len(),
        Value::Map(entries) => 20 * entries.len(),
        _ => 5,
    };
    let arguments: usize = call.surface.as_map().map_or(0, |map| map.iter().map(|(_, value)| argument(value) + 10).sum());
    call.name.len() + arguments.min(ptc_mission::MAX_SAMPLE_CHARS) + 7
}

#[cfg(test)]
mod tests;
