//! A history that grows at its end: what was merged, and the turns since then, each with a report that stays as it was sent.

use ptc_chat::{Message, Part, Role};
use ptc_lisp::{Memory, MemoryEntry, Value};
use ptc_mission::{SampleLimits, entry_line, join_sections, user_section};
use ptc_transcript::{CompressionStats, Turn};

use crate::closing::{closing_parts, joined, keep_first_filled};
use crate::coalesced::{all_in_one_message, merged_text};
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

    /// Whether a request repeats what the one before it said of these turns.
    fn repeats(&self, merged: Size, good_turns: usize) -> bool;

    /// Whether so much may stand behind what is merged.
    fn has_room(&self, appended: Size, merged: Size) -> bool;

    /// What is sent of a turn, of which `listed` are the definitions; no text when there is nothing to show.
    fn write(&self, turn: &ShownTurn<'_>, listed: Option<String>, results: bool) -> Written;
}

/// What is sent of a turn in every request until the next merging.
pub(crate) struct Written {
    /// Where turns are a dialogue, the answer before the report.
    pub program: Option<Message>,
    pub report: String,
}

impl Written {
    fn bytes(&self) -> usize {
        self.program.as_ref().map_or(0, |program| program.content().len()) + self.report.len()
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
    text: String,
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
    since: Vec<Written>,
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
        let written = self.written(turn);
        let size = Size { bytes: written.bytes(), ..entries };
        let has_room = has_room(size);
        if has_room && size.bytes > 0 {
            self.since.push(written);
            self.since_size = self.since_size + size;
        }
        has_room
    }

    /// What is sent of a turn that comes next: of its definitions those that are new or listed otherwise than before.
    fn written(&self, turn: &Turn) -> Written {
        let shown = ShownTurn { turn, before: &self.known, calls: turn.tool_calls(), prints: turn.prints() };
        let listed = listed(changed(turn.memory(), &self.known, self.compared()), self.samples());
        self.appended_as.write(&shown, listed, self.limits.tool_results && !self.printed)
    }

    fn merge(&mut self) {
        let shown = self.recent.shown(Caps::NONE, &self.known);
        let (text, stats) = (merged_text(&shown, &self.known, &self.limits), shown.stats(self.strategy, 0));
        let size = Size { bytes: text.len(), calls: stats.tool_calls_shown, prints: stats.printlns_shown };
        self.merged = Merged { size, text };
        self.since.clear();
        self.since_size = Size::default();
    }

    /// What is shown and left out, everything together.
    fn stats(&self) -> CompressionStats {
        let with_program = self.since.iter().filter(|written| written.program.is_some()).count();
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
    /// Cost: linear in what the turn did and in the number of definitions; when all is merged, in what is shown.
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
        let mut messages = vec![Message::new(Role::User, joined(opening.into_iter().chain([Part::repeated(self.merged.text.as_str())])))];
        for Written { program, report } in &self.since {
            match (program, messages.last_mut()) {
                (None, Some(last)) => *last = extended(last, Part::repeated(report.as_str())),
                _ => messages.extend(program.iter().cloned().chain([Message::new(Role::User, [Part::repeated(report.as_str())])])),
            }
        }
        // What a refused answer has defined.
        let defined = listed(changed(memory, &self.known, self.compared()), self.samples());
        let closing = join_sections(std::iter::once(defined).chain(closing_parts(self.recent.last(), input)));
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
