//! A history that grows at its end: what was merged, and the turns since then, each with a report that stays as it was sent.

use std::sync::OnceLock;

use ptc_chat::{Message, Part, Role};
use ptc_lisp::{Memory, MemoryEntry, Value};
use ptc_mission::{SampleLimits, entry_line, join_sections, user_section};
use ptc_transcript::{CompressionStats, Turn};

use crate::closing::{joined, keep_first_filled};
use crate::coalesced::{all_in_one_message, merged_size, merged_text};
use crate::compression::{Rendered, Renderer};
use crate::input::{Caps, RenderInput};
use crate::limits::Limits;
use crate::paired::paired;
use crate::recent::{Recent, ShownTurn};

/// How turns are sent between two mergings.
pub(crate) trait Appended: Send {
    /// Whether turns are told in their order, so that what was sent before the first print or call may stay: samples, and that
    /// there was no call.
    const TELLS_IN_ORDER: bool;

    /// What stands before the first definitions that may be listed already.
    const NOTE: Option<&'static str>;

    /// Whether a request repeats what the one before it said of these turns.
    fn repeats(&self, merged: Size, good_turns: usize) -> bool;

    /// Whether so much may stand behind what is merged.
    fn has_room(&self, appended: Size, merged: Size) -> bool;

    /// The bytes of what is sent of a turn; 0 when it has nothing to show.
    fn bytes(&self, report: &Report) -> usize;

    /// What is sent of a turn, of which `listed` are the definitions; no text when there is nothing to show.
    fn write(&self, turn: &ShownTurn<'_>, listed: Option<String>, results: bool) -> Written;
}

/// What is sent of a turn in every request until the next merging.
pub(crate) struct Written {
    /// Where turns are a dialogue, the answer before the report.
    pub program: Option<Message>,
    pub report: String,
}

/// A turn that is sent in every request until the next merging.
pub(crate) struct Report {
    pub turn: Turn,
    before: Memory,
    limits: Limits,
    /// Whether samples are shown.
    samples: bool,
    /// By what listed definitions are told from those that must be listed again.
    compared: Option<SampleLimits>,
    /// Most turns are merged before anybody asks for it.
    written: OnceLock<Written>,
}

impl Report {
    /// What the turn defined, or what is listed otherwise than before.
    pub fn listed(&self) -> impl Iterator<Item = &MemoryEntry> {
        changed(self.turn.memory(), &self.before, self.compared)
    }

    pub fn samples(&self) -> Option<SampleLimits> {
        self.samples.then(|| self.limits.samples())
    }

    /// Whether calls are listed with their results.
    pub fn results(&self) -> bool {
        self.limits.tool_results && self.samples
    }

    pub fn written(&self, appended: &impl Appended) -> &Written {
        self.written.get_or_init(|| {
            let turn = &self.turn;
            let shown = ShownTurn { turn, before: &self.before, calls: turn.tool_calls(), prints: turn.prints() };
            appended.write(&shown, listed(self.listed(), self.samples()), self.results())
        })
    }
}

/// How much is shown of some turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub bytes: usize,
    pub calls: usize,
    pub prints: usize,
}

/// The turns up to the last merging.
#[derive(Default)]
struct Merged {
    size: Size,
    of: Option<(Recent, Memory)>,
    text: OnceLock<String>,
}

/// The turns of a run so far.
pub(crate) struct Growing<A> {
    strategy: &'static str,
    limits: Limits,
    appended_as: A,
    /// All turns.
    recent: Recent,
    merged: Merged,
    /// The successful turns since the last merging that have something to show.
    since: Vec<Report>,
    since_size: Size,
    /// The definitions as they are listed, after the last successful turn.
    known: Memory,
    printed: bool,
    called: bool,
}

impl<A: Appended> Growing<A> {
    pub fn new(strategy: &'static str, limits: Limits, appended_as: A) -> Growing<A> {
        Growing {
            strategy,
            limits,
            appended_as,
            recent: Recent::new(limits.keep()),
            merged: Merged::default(),
            since: Vec::new(),
            since_size: Size::default(),
            known: Memory::default(),
            printed: false,
            called: false,
        }
    }

    /// The same after these turns.
    pub fn after(mut self, turns: &[Turn]) -> Growing<A> {
        turns.iter().for_each(|turn| self.push(turn));
        self
    }

    fn samples(&self) -> Option<SampleLimits> {
        (!self.printed).then(|| self.limits.samples())
    }

    /// By what listed definitions are told from those that must be listed again: by their samples, as long as these may stand
    /// in what was sent.
    fn compared(&self) -> Option<SampleLimits> {
        if A::TELLS_IN_ORDER { Some(self.limits.samples()) } else { self.samples() }
    }

    /// Append a successful turn if there is room.
    fn append(&mut self, turn: &Turn) -> bool {
        let entries = Size { bytes: 0, calls: turn.tool_calls().len(), prints: turn.prints().len() };
        let has_room = |size: Size| self.appended_as.has_room(self.since_size + size, self.merged.size);
        if !has_room(entries) {
            return false;
        }
        let report = Report {
            turn: turn.clone(),
            before: self.known.clone(),
            limits: self.limits,
            samples: !self.printed,
            compared: self.compared(),
            written: OnceLock::new(),
        };
        let size = Size { bytes: self.appended_as.bytes(&report), ..entries };
        let has_room = has_room(size);
        if has_room && size.bytes > 0 {
            self.since.push(report);
            self.since_size = self.since_size + size;
        }
        has_room
    }

    fn merge(&mut self) {
        let shown = self.recent.shown(Caps::NONE, &self.known);
        let stats = shown.stats(self.strategy, 0);
        let bytes = merged_size(&shown, &self.known, &self.limits);
        let size = Size { bytes, calls: stats.tool_calls_shown, prints: stats.printlns_shown };
        self.merged = Merged { size, of: Some((self.recent.clone(), self.known.clone())), text: OnceLock::new() };
        self.since.clear();
        self.since_size = Size::default();
    }

    /// What is sent of the turns that were merged.
    fn merged_text(&self) -> &str {
        self.merged.text.get_or_init(|| match &self.merged.of {
            Some((recent, memory)) => merged_text(&recent.shown(Caps::NONE, memory), memory, &self.limits),
            None => String::new(),
        })
    }

    /// What is shown and left out, everything together.
    fn stats(&self) -> CompressionStats {
        let with_program = self.since.iter().filter(|report| report.written(&self.appended_as).program.is_some()).count();
        let all = self.recent.shown(Caps::NONE, &self.known).stats(self.strategy, self.recent.turns() - with_program);
        let Size { calls, prints, .. } = self.merged.size + self.since_size;
        CompressionStats {
            tool_calls_shown: calls,
            tool_calls_dropped: all.tool_calls_total - calls,
            printlns_shown: prints,
            printlns_dropped: all.printlns_total - prints,
            ..all
        }
    }
}

impl<A: Appended> Renderer for Growing<A> {
    /// Cost: linear in what the turn did and in the number of definitions.
    fn push(&mut self, turn: &Turn) {
        if !turn.is_success() {
            return self.recent.push(turn);
        }
        let (prints, calls) = (!turn.prints().is_empty(), !turn.tool_calls().is_empty());
        let is_first = (prints && !self.printed) || (calls && !self.called);
        self.printed |= prints;
        self.called |= calls;
        let has_appended = (A::TELLS_IN_ORDER || !is_first) && self.append(turn);
        self.recent.push(turn);
        self.known = turn.memory().clone();
        if !has_appended {
            self.merge();
        }
    }

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        // Below a ceiling that is in the way everything is merged.
        if !self.appended_as.repeats(self.merged.size, self.recent.good()) || input.caps != Caps::NONE {
            return all_in_one_message(self.strategy, &self.limits, &self.recent, memory, input);
        }
        let opening = input.opening(self.limits.samples(), self.limits.tool_hint);
        let mut messages = vec![Message::new(Role::User, joined(opening.into_iter().chain([Part::repeated(self.merged_text())])))];
        let mut note = A::NOTE.map(str::to_owned);
        for Written { program, report } in self.since.iter().map(|report| report.written(&self.appended_as)) {
            let report = Part::repeated(join_sections([note.take().as_ref(), Some(report)]));
            match (program, messages.last_mut()) {
                (None, Some(last)) => *last = extended(last, report),
                _ => messages.extend(program.iter().cloned().chain([Message::new(Role::User, [report])])),
            }
        }
        // What a refused answer has defined.
        let defined = listed(changed(memory, &self.known, self.compared()), self.samples());
        let note = note.filter(|_| defined.is_some());
        let closing = join_sections([note, defined].into_iter().chain(self.recent.ending().closing_parts(input)));
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

/// The message with a part more, behind a blank line.
fn extended(message: &Message, part: Part) -> Message {
    let [part] = if message.parts.is_empty() { [part] } else { [Part { text: format!("\n\n{}", part.text), ..part }] };
    Message::new(message.role, message.parts.iter().cloned().chain([part]).collect::<Vec<_>>())
}

fn listed<'m>(entries: impl Iterator<Item = &'m MemoryEntry>, samples: Option<SampleLimits>) -> Option<String> {
    user_section(&Memory::new(entries.cloned().collect()), samples)
}

/// The definitions that are listed otherwise than `known` lists them: new ones, those of another shape, and where samples are
/// compared those of another sample: atoms have one without being defined anew.
fn changed<'m>(now: &'m Memory, known: &'m Memory, samples: Option<SampleLimits>) -> impl Iterator<Item = &'m MemoryEntry> {
    let is_listed = move |entry: &MemoryEntry, listed: &MemoryEntry| {
        let shape = (&entry.label, &entry.returns, &entry.params, &entry.doc);
        let is_same_value = || is_known_to_be_equal(&entry.value, &listed.value);
        let is_same_line = || entry_line(entry, samples) == entry_line(listed, samples);
        shape == (&listed.label, &listed.returns, &listed.params, &listed.doc) && (samples.is_none() || is_same_value() || is_same_line())
    };
    paired(now, known).filter(move |(entry, listed)| !listed.is_some_and(|listed| is_listed(entry, listed))).map(|(entry, _)| entry)
}

/// Found out without writing anything, so that next to no lines are written to compare them.
fn is_known_to_be_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Int(one), Value::Int(other)) => one == other,
        (Value::Bool(one), Value::Bool(other)) => one == other,
        (Value::Float(one), Value::Float(other)) => one.to_bits() == other.to_bits(),
        (Value::Str(one), Value::Str(other)) => one == other,
        _ => one.address().is_some() && one.address() == other.address(),
    }
}

#[cfg(test)]
mod tests;
