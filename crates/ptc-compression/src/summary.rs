//! Each turn as a short program and a short report.

use ptc_chat::Message;
use ptc_lisp::{Memory, leading_forms};
use ptc_mission::{join_sections, user_section};
use ptc_transcript::Turn;

use crate::closing::{closing_parts, user_message};
use crate::coalesced::SingleUserCoalesced;
use crate::compression::{Compression, Rendered};
use crate::input::RenderInput;
use crate::rolling::keep_first_filled;
use crate::shown::{Shown, ShownTurn, calls_section, prints_section};

/// Keeps the dialogue, each successful turn as the beginning of its program and a report of what it defined, called and
/// printed. Two messages per successful turn.
///
/// ```
/// use ptc_compression::{CompressionConfig, PerTurnSummary};
///
/// let config = CompressionConfig::from(PerTurnSummary { program_limit: 80, ..PerTurnSummary::default() });
/// assert_eq!(config.strategy().unwrap().name(), "per-turn-summary");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerTurnSummary {
    /// Characters shown of a program, in whole top-level forms.
    pub program_limit: usize,
    /// Limits of the whole view, spent from the newest turn backwards.
    pub limits: SingleUserCoalesced,
}

impl Default for PerTurnSummary {
    /// 240 characters of each program, and the limits of the default strategy.
    fn default() -> Self {
        PerTurnSummary { program_limit: 240, limits: SingleUserCoalesced::default() }
    }
}

impl PerTurnSummary {
    /// The name in options and statistics.
    pub const NAME: &'static str = "per-turn-summary";

    fn program(&self, turn: &Turn) -> String {
        let program = leading_forms(turn.program().unwrap_or_default(), self.program_limit);
        match program {
            "" => format!("```clojure\n;; program of turn {} left out\n```", turn.number()),
            program => format!("```clojure\n{program}\n```"),
        }
    }
}

impl Compression for PerTurnSummary {
    fn name(&self) -> &str {
        PerTurnSummary::NAME
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let limits = &self.limits;
        let shown = Shown::of(turns, limits.tool_call_limit, limits.println_limit);
        let results = limits.tool_results && !shown.printed();
        let samples = limits.samples();
        let mut last = vec![user_section(memory, (!shown.printed()).then_some(samples))];
        last.extend(closing_parts(turns.last(), input));
        let opening = input.opening(samples, limits.tool_hint);
        if shown.turns.is_empty() {
            let messages = vec![user_message(opening, last)];
            return Rendered { messages, stats: shown.stats(PerTurnSummary::NAME, turns.len()) };
        }
        let mut messages = vec![user_message(opening, [])];
        for (at, turn) in (1..).zip(&shown.turns) {
            let report = report(turn, before(turns, turn.turn, input), results);
            let closes = at == shown.turns.len();
            let report = if closes { join_sections(std::iter::once(Some(report)).chain(last.clone())) } else { report };
            messages.push(Message::assistant(self.program(turn.turn)));
            messages.push(Message::user(report));
        }
        keep_first_filled(&mut messages);
        Rendered { messages, stats: shown.stats(PerTurnSummary::NAME, turns.len()) }
    }
}

/// The memory that a turn began with.
fn before<'t>(turns: &'t [Turn], turn: &Turn, input: &RenderInput<'t>) -> &'t Memory {
    let earlier = turns.iter().rev().find(|earlier| earlier.number() < turn.number());
    earlier.map_or(input.kept, Turn::memory)
}

/// What a turn defined, called and printed, in lines.
fn report(shown: &ShownTurn<'_>, before: &Memory, results: bool) -> String {
    let turn = shown.turn;
    let mut lines = vec![format!(";; Turn {}", turn.number())];
    let names = defined(turn.memory(), before);
    if !names.is_empty() {
        lines.push(format!(";; Defined: {}", names.join(", ")));
    }
    let of_turn = std::slice::from_ref(shown);
    if turn.tool_calls().is_empty() || !shown.calls.is_empty() {
        lines.push(calls_section(of_turn, results));
    }
    lines.extend(prints_section(of_turn));
    lines.join("\n")
}

/// Names that were defined, or defined anew, since then; sorted.
fn defined<'m>(memory: &'m Memory, before: &Memory) -> Vec<&'m str> {
    let is_known = |name: &str, order: u64| before.get(name).is_some_and(|known| known.order == order);
    let new = memory.entries().iter().filter(|entry| !is_known(&entry.name, entry.order));
    let mut names: Vec<&str> = new.map(|entry| entry.name.as_str()).collect();
    names.sort_unstable();
    names
}
