//! Each turn as a short program and a short report.

use crate::words::{fenced_program, left_out, user_section};
use ptc_lisp::Memory;
use ptc_lisp::syntax::leading_forms;
use ptc_lisp::text::escaped;
use ptc_transcript::Turn;

use crate::compression::Rendered;
use crate::input::RenderInput;
use crate::options::strategy;
use crate::recent::{FromRecent, Keep, Recent, ShownTurn};

strategy! {
    /// Keeps the dialogue, each successful turn as the beginning of its program and a report of what it defined, called and
    /// printed. At most `2 + 2 × turn_limit` messages.
    ///
    /// ```
    /// use ptc_compression::{CompressionConfig, PerTurnSummary};
    ///
    /// let config = CompressionConfig::from(PerTurnSummary::new().program_limit(80));
    /// assert_eq!(config.strategy().unwrap().name(), "per-turn-summary");
    /// ```
    PerTurnSummary = "per-turn-summary" [limits] {
        /// Characters shown of a program, in whole top-level forms; 240 by default.
        program_limit: usize = 240,
        /// Successful turns shown, the newest of the run; for older ones only the definitions are kept. 20 by default.
        turn_limit: usize = 20,
    }
}

impl PerTurnSummary {
    fn program(&self, turn: &Turn) -> String {
        let program = leading_forms(turn.program().unwrap_or_default(), self.program_limit);
        match program {
            "" => format!("```clojure\n;; program of turn {} left out\n```", turn.number()),
            program => fenced_program(program),
        }
    }
}

impl FromRecent for PerTurnSummary {
    const NAME: &'static str = PerTurnSummary::NAME;

    fn keep(&self) -> Keep {
        Keep { turns: self.turn_limit, merges: false, ..self.limits.keep() }
    }

    fn render(&self, recent: &Recent, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let limits = &self.limits;
        let shown = recent.shown(input.caps, input.kept);
        let results = limits.tool_results && !shown.printed();
        let samples = limits.samples();
        let user = user_section(memory, shown.samples(samples));
        let left_out = left_out("turn", shown.older_turns());
        let closing = std::iter::once(user).chain(shown.closing_parts(input));
        let opening = input.opening(samples, limits.tool_hint);
        let messages = shown.dialogue(opening, vec![left_out], closing, |turn| {
            (self.program(turn.turn), vec![Some(report(turn, shown.calls_of(turn, results)))])
        });
        Rendered { messages, stats: shown.stats(PerTurnSummary::NAME, recent.turns()) }
    }
}

/// What a turn defined, called and printed, in lines.
fn report(shown: &ShownTurn<'_>, calls: Option<String>) -> String {
    let turn = shown.turn;
    let mut lines = vec![format!(";; Turn {}", turn.number())];
    let mut names: Vec<&str> = shown.defined().map(|entry| entry.name.as_str()).collect();
    names.sort_unstable();
    if !names.is_empty() {
        lines.push(format!(";; Defined: {}", escaped(&names.join(", "))));
    }
    lines.extend(calls);
    lines.extend(shown.prints_section());
    lines.join("\n")
}
