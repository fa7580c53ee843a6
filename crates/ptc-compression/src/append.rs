//! The dialogue as it grows, rewritten only now and then.

use ptc_chat::{Message, Part, Role};
use ptc_lisp::Memory;
use ptc_mission::{join_sections, user_section};
use ptc_transcript::{CompressionStats, Turn};

use crate::closing::{closing_parts, joined, keep_first_filled, user_message};
use crate::coalesced::SingleUserCoalesced;
use crate::compression::{Compression, Rendered, Renderer};
use crate::input::{Caps, RenderInput};
use crate::limits::Limits;
use crate::recent::{FromRecent, Recent, ShownTurn, prints_section};

/// Appends each successful turn, its program and a report, and leaves what was sent before as it is, so that providers find
/// all but the end of a request in their caches. When the appended turns have more than `append_bytes`, they are merged into
/// the first message as [`SingleUserCoalesced`] merges them, and appending begins anew.
///
/// A request has at most the bytes of a request of [`SingleUserCoalesced`], and `append_bytes`.
///
/// ```
/// use ptc_compression::{AppendOnly, CompressionConfig};
///
/// let config = CompressionConfig::from(AppendOnly { append_bytes: 8_000, ..AppendOnly::default() });
/// assert_eq!(config.strategy().unwrap().name(), "append-only");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppendOnly {
    /// Bytes of programs and reports behind the first message.
    pub append_bytes: usize,
    /// Limits of what is merged; appended turns are shown whole.
    pub limits: Limits,
}

impl Default for AppendOnly {
    /// 16,000 bytes, and the limits of the default strategy.
    fn default() -> Self {
        AppendOnly { append_bytes: 16_000, limits: Limits::default() }
    }
}

impl AppendOnly {
    /// The name in options and statistics.
    pub const NAME: &'static str = "append-only";

    fn start(&self) -> Appending {
        let recent = Recent::new(self.limits.keep());
        let none = Memory::default;
        Appending {
            options: self.clone(),
            merged: recent.clone(),
            merged_memory: none(),
            reported: none(),
            recent,
            appended: Vec::new(),
            bytes: 0,
        }
    }
}

impl Compression for AppendOnly {
    fn name(&self) -> &str {
        AppendOnly::NAME
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let mut renderer = self.start();
        turns.iter().for_each(|turn| renderer.push(turn));
        renderer.render(memory, input)
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        Some(Box::new(self.start()))
    }
}

/// The dialogue of a run so far.
struct Appending {
    options: AppendOnly,
    /// All turns.
    recent: Recent,
    /// The turns up to the last rewriting, and the definitions then.
    merged: Recent,
    merged_memory: Memory,
    /// The definitions that are shown, after the last good turn.
    reported: Memory,
    /// The good turns since.
    appended: Vec<Appended>,
    bytes: usize,
}

/// A turn as it is repeated in every request until the next rewriting.
struct Appended {
    program: Message,
    report: String,
    calls: usize,
    prints: usize,
}

impl Appended {
    fn new(shown: &ShownTurn<'_>, limits: &Limits) -> Appended {
        let turn = shown.turn;
        let new = Memory::new(shown.defined().cloned().collect());
        let samples = turn.prints().is_empty().then(|| limits.samples());
        let report = [user_section(&new, samples), Some(shown.calls_section(limits.tool_results)), shown.prints_section()];
        Appended {
            program: Message::assistant(format!("```clojure\n{}\n```", turn.program().unwrap_or_default())).repeated(),
            report: join_sections(report),
            calls: turn.tool_calls().len(),
            prints: turn.prints().len(),
        }
    }

    fn bytes(&self) -> usize {
        self.program.content().len() + self.report.len()
    }
}

impl Renderer for Appending {
    fn push(&mut self, turn: &Turn) {
        self.recent.push(turn);
        if !turn.is_success() {
            return;
        }
        let before = std::mem::replace(&mut self.reported, turn.memory().clone());
        let shown = ShownTurn { turn, before: &before, calls: turn.tool_calls(), prints: turn.prints() };
        let appended = Appended::new(&shown, &self.options.limits);
        self.bytes += appended.bytes();
        if self.bytes <= self.options.append_bytes {
            self.appended.push(appended);
            return;
        }
        self.merged = self.recent.clone();
        self.merged_memory = turn.memory().clone();
        self.appended.clear();
        self.bytes = 0;
    }

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        // Below a ceiling everything is merged: what was sent before is too large.
        if input.caps != Caps::NONE {
            let merged = SingleUserCoalesced::from(self.options.limits).render(&self.recent, memory, input);
            return Rendered { stats: CompressionStats { strategy: AppendOnly::NAME.to_owned(), ..merged.stats }, ..merged };
        }
        let limits = &self.options.limits;
        let shown = self.merged.shown(Caps::NONE, input.kept);
        let mut closing = Some(closing_parts(self.recent.last(), input));
        let mut first = Vec::new();
        if shown.older_turns() > 0 || self.appended.is_empty() {
            let results = limits.tool_results && !shown.printed();
            // A run may begin with definitions.
            let memory = if self.appended.is_empty() { memory } else { &self.merged_memory };
            let definitions = user_section(memory, shown.samples(limits.samples()));
            first.extend([definitions, Some(shown.older_calls(results)), prints_section(&shown.older)]);
        }
        if self.appended.is_empty() {
            first.extend(closing.take().into_iter().flatten());
        }
        let first = user_message(input.opening(limits.samples(), limits.tool_hint), first);
        let mut messages = vec![if self.appended.is_empty() { first } else { first.repeated() }];
        for (place, turn) in (1..).zip(&self.appended) {
            let closing = closing.take_if(|_| place == self.appended.len()).into_iter().flatten();
            let parts = [Part::repeated(turn.report.clone()), Part::changing(join_sections(closing))];
            messages.push(turn.program.clone());
            messages.push(Message::new(Role::User, joined(parts)));
        }
        keep_first_filled(&mut messages);
        Rendered { messages, stats: self.stats(shown.stats(AppendOnly::NAME, shown.older_turns() + self.recent.failed())) }
    }
}

impl Appending {
    /// What is merged and what is appended, together.
    fn stats(&self, merged: CompressionStats) -> CompressionStats {
        let (calls, prints) = self.appended.iter().fold((0, 0), |sum, turn| (sum.0 + turn.calls, sum.1 + turn.prints));
        let last_failed = self.recent.last().is_some_and(|turn| !turn.is_success());
        CompressionStats {
            tool_calls_total: merged.tool_calls_total + calls,
            tool_calls_shown: merged.tool_calls_shown + calls,
            printlns_total: merged.printlns_total + prints,
            printlns_shown: merged.printlns_shown + prints,
            error_turns_collapsed: self.recent.failed() - usize::from(last_failed),
            ..merged
        }
    }
}

#[cfg(test)]
mod tests;
