//! A history that grows at its end: what was merged, and the turns since then, each with a report that stays as it was sent.

use std::sync::OnceLock;

use ptc_lisp::{Memory, MemoryEntry};
use ptc_mission::{SampleLimits, entry_line, join_sections, user_section};
use ptc_transcript::{CompressionStats, Turn};

use crate::input::Caps;
use crate::limits::Limits;
use crate::recent::{Recent, ShownTurn, prints_section};

/// A merged history of fewer bytes is merged again at each turn. Providers find what repeats in blocks of about a hundred
/// tokens, so that next to nothing of a shorter one would come from a cache.
const SHORT: usize = 1_000;

/// Bytes that the line of a call or a definition counts for where the rule is a share. Writing them all down to know it better
/// would cost more than sending a little too much.
const LINE: usize = 40;

/// What is reported of a turn, and until when.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reports {
    /// The program and all that came of it, as an answer and a message, until these have more bytes than this.
    Dialogue(usize),
    /// What came of it, until the reports have more than so many percent of the bytes of what was merged, or more calls or
    /// prints than the limits allow.
    Results(usize),
    /// Nothing: all turns are merged.
    Never,
}

/// The turns of a run so far.
pub(crate) struct Growing {
    limits: Limits,
    reports: Reports,
    /// All turns.
    pub recent: Recent,
    /// What the turns up to the last merging come to.
    merged: Size,
    /// What is sent of them, once turns are appended.
    base: Base,
    /// The successful turns since then that have something to show.
    since: Vec<Report>,
    /// What these come to.
    appended: Size,
    /// The definitions that are shown, after the last successful turn.
    known: Memory,
    printed: bool,
}

/// How much is shown of some turns.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Size {
    bytes: usize,
    calls: usize,
    prints: usize,
}

/// The turns up to the last merging.
struct Base {
    recent: Recent,
    memory: Memory,
    text: OnceLock<String>,
}

/// A turn that is sent in every request until the next merging.
pub(crate) struct Report {
    turn: Turn,
    before: Memory,
    /// Those that are shown, as long as the run has not printed anything.
    samples: Option<SampleLimits>,
    message: OnceLock<String>,
}

/// A history that has turns behind what was merged.
pub(crate) struct Grown<'g> {
    /// What is sent of the turns that were merged; empty when there are none.
    pub merged: &'g str,
    /// How many they are.
    pub merged_turns: usize,
    /// The turns since then, each with what is sent of it.
    pub since: Vec<(&'g Turn, &'g str)>,
}

impl Growing {
    pub fn new(limits: Limits, reports: Reports) -> Growing {
        let recent = Recent::new(limits.keep());
        Growing {
            limits,
            reports,
            base: Base::of(&recent, &Memory::default()),
            recent,
            merged: Size::default(),
            since: Vec::new(),
            appended: Size::default(),
            known: Memory::default(),
            printed: false,
        }
    }

    /// Take note of the next turn. Cost: linear in what it did and in the number of definitions.
    pub fn push(&mut self, turn: &Turn) {
        if turn.is_success() && !matches!(self.reports, Reports::Never) {
            self.printed |= !turn.prints().is_empty();
            let samples = (!self.printed).then(|| self.limits.samples());
            let report = Report { turn: turn.clone(), before: self.known.clone(), samples, message: OnceLock::new() };
            let grown = self.appended + self.size(&report);
            if !self.has_room(grown) {
                self.recent.push(turn);
                return self.merge(turn.memory());
            }
            if self.since.is_empty() {
                self.base = Base::of(&self.recent, &self.known);
            }
            if grown != self.appended {
                self.since.push(report);
            }
            self.appended = grown;
            self.known = turn.memory().clone();
        }
        self.recent.push(turn);
    }

    /// What is sent, when turns stand behind what was merged.
    pub fn grown(&self) -> Option<Grown<'_>> {
        let dialogue = matches!(self.reports, Reports::Dialogue(_));
        let since = self.since.iter().map(|report| (&report.turn, report.text(&self.limits, dialogue))).collect();
        (!self.since.is_empty()).then(|| Grown { merged: self.base.text(&self.limits), merged_turns: self.base.recent.good(), since })
    }

    /// What is shown and left out, everything together.
    pub fn stats(&self, name: &str, turns_compressed: usize) -> CompressionStats {
        let all = self.recent.shown(Caps::NONE, &self.known).stats(name, turns_compressed);
        let Size { calls, prints, .. } = self.merged + self.appended;
        CompressionStats {
            tool_calls_shown: calls,
            tool_calls_dropped: all.tool_calls_total - calls,
            printlns_shown: prints,
            printlns_dropped: all.printlns_total - prints,
            ..all
        }
    }

    fn size(&self, report: &Report) -> Size {
        let turn = &report.turn;
        let (calls, prints) = (turn.tool_calls().len(), turn.prints().len());
        let bytes = match self.reports {
            Reports::Dialogue(_) => turn.program().unwrap_or_default().len() + report.text(&self.limits, true).len(),
            Reports::Results(_) | Reports::Never => {
                (calls + report.definitions().count()) * LINE + turn.prints().iter().map(String::len).sum::<usize>()
            }
        };
        Size { bytes, calls, prints }
    }

    fn has_room(&self, grown: Size) -> bool {
        match self.reports {
            Reports::Dialogue(bytes) => grown.bytes <= bytes,
            Reports::Results(percent) => {
                self.merged.bytes >= SHORT
                    && grown.bytes <= self.merged.bytes * percent / 100
                    && grown.calls <= self.limits.tool_call_limit
                    && grown.prints <= self.limits.println_limit
            }
            Reports::Never => false,
        }
    }

    fn merge(&mut self, memory: &Memory) {
        let shown = self.recent.shown(Caps::NONE, memory);
        let prints = shown.older.iter().flat_map(|shown| shown.prints).map(String::len).sum::<usize>();
        let stats = shown.stats("", 0);
        let lines = stats.tool_calls_shown + memory.entries().len();
        self.merged = Size { bytes: lines * LINE + prints, calls: stats.tool_calls_shown, prints: stats.printlns_shown };
        self.since.clear();
        self.appended = Size::default();
        self.known = memory.clone();
    }
}

impl std::ops::Add for Size {
    type Output = Size;

    fn add(self, other: Size) -> Size {
        Size { bytes: self.bytes + other.bytes, calls: self.calls + other.calls, prints: self.prints + other.prints }
    }
}

impl Base {
    fn of(recent: &Recent, memory: &Memory) -> Base {
        Base { recent: recent.clone(), memory: memory.clone(), text: OnceLock::new() }
    }

    fn text(&self, limits: &Limits) -> &str {
        self.text.get_or_init(|| {
            let shown = self.recent.shown(Caps::NONE, &self.memory);
            if shown.older_turns() == 0 {
                return String::new();
            }
            let definitions = user_section(&self.memory, shown.samples(limits.samples()));
            let results = limits.tool_results && !shown.printed();
            join_sections([definitions, Some(shown.older_calls(results)), prints_section(&shown.older)])
        })
    }
}

impl Report {
    /// The definitions that are not listed yet as they are now.
    fn definitions(&self) -> impl Iterator<Item = &MemoryEntry> {
        changed(self.turn.memory(), &self.before, self.samples)
    }

    fn text(&self, limits: &Limits, dialogue: bool) -> &str {
        self.message.get_or_init(|| {
            let turn = &self.turn;
            let shown = ShownTurn { turn, before: &self.before, calls: turn.tool_calls(), prints: turn.prints() };
            let listed = Memory::new(self.definitions().cloned().collect());
            // A dialogue answers each program.
            let has_calls = dialogue || !turn.tool_calls().is_empty();
            join_sections([
                (!dialogue).then(|| format!(";; Turn {}", turn.number())),
                user_section(&listed, self.samples),
                has_calls.then(|| shown.calls_section(limits.tool_results && self.samples.is_some())),
                shown.prints_section(),
            ])
        })
    }
}

/// The definitions that are listed otherwise than `known` lists them: new ones, those of another shape, and with samples
/// those of another sample.
fn changed<'m>(now: &'m Memory, known: &'m Memory, samples: Option<SampleLimits>) -> impl Iterator<Item = &'m MemoryEntry> {
    let is_listed = move |entry: &MemoryEntry, listed: &MemoryEntry| match samples {
        // Atoms show another sample without being defined anew.
        Some(_) => entry_line(entry, samples) == entry_line(listed, samples),
        None => {
            let shape = (&entry.label, &entry.returns, &entry.params, &entry.doc);
            shape == (&listed.label, &listed.returns, &listed.params, &listed.doc)
        }
    };
    // What was not defined anew stands where it stood.
    let same_place = |(now, then): &(&MemoryEntry, &MemoryEntry)| (now.order, &now.name) == (then.order, &then.name);
    let places = move || now.entries().iter().zip(known.entries()).take_while(same_place);
    let elsewhere = now.entries().iter().skip(places().count());
    let elsewhere = elsewhere.filter(move |entry| !known.get(&entry.name).is_some_and(|listed| is_listed(entry, listed)));
    places().filter(move |(now, then)| !is_listed(now, then)).map(|(now, _)| now).chain(elsewhere)
}

#[cfg(test)]
mod tests;
