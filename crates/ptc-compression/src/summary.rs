//! Each turn as a short program and a short report.

use ptc_chat::Message;
use ptc_lisp::{Memory, escaped, leading_forms};
use ptc_mission::{fenced_program, join_sections, left_out, user_section};
use ptc_transcript::{CompressionOptions, Turn};
use serde::{Deserialize, Serialize};

use crate::closing::{keep_first_filled, user_message};
use crate::compression::{Compression, Rendered, Renderer, options_of};
use crate::input::RenderInput;
use crate::limits::{ViewLimits, limit_setters, setters};
use crate::recent::{FromRecent, Keep, Recent, ShownTurn, messages_of, renderer_from_recent};

/// Keeps the dialogue, each successful turn as the beginning of its program and a report of what it defined, called and
/// printed. At most `2 + 2 × turn_limit` messages.
///
/// ```
/// use ptc_compression::{CompressionConfig, PerTurnSummary};
///
/// let config = CompressionConfig::from(PerTurnSummary::new().program_limit(80));
/// assert_eq!(config.strategy().unwrap().name(), "per-turn-summary");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PerTurnSummary {
    /// Characters shown of a program, in whole top-level forms.
    pub program_limit: usize,
    /// Successful turns shown, the newest of the run; of older ones only the definitions are left.
    pub turn_limit: usize,
    /// Limits of the whole view, spent from the newest turn backwards.
    #[serde(flatten)]
    pub limits: ViewLimits,
}

impl Default for PerTurnSummary {
    /// 240 characters of each program, 20 turns, and the limits of the default strategy.
    fn default() -> Self {
        PerTurnSummary { program_limit: 240, turn_limit: 20, limits: ViewLimits::default() }
    }
}

impl PerTurnSummary {
    /// The name in options and statistics.
    pub const NAME: &'static str = "per-turn-summary";

    limit_setters!();

    setters! {
        /// Characters shown of a program, in whole top-level forms; 240 unless told otherwise.
        program_limit: usize,
        /// Successful turns shown; 20 unless told otherwise.
        turn_limit: usize,
    }

    fn program(&self, turn: &Turn) -> String {
        let program = leading_forms(turn.program().unwrap_or_default(), self.program_limit);
        match program {
            "" => format!("```clojure\n;; program of turn {} left out\n```", turn.number()),
            program => fenced_program(program),
        }
    }
}

impl Compression for PerTurnSummary {
    fn name(&self) -> &str {
        PerTurnSummary::NAME
    }

    fn options(&self) -> CompressionOptions {
        options_of(self)
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        messages_of(self, turns, memory, input)
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        renderer_from_recent(self)
    }
}

impl FromRecent for PerTurnSummary {
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
        let mut last = Some(std::iter::once(user).chain(shown.closing_parts(input)));
        let first = if shown.newest.is_empty() { last.take() } else { None };
        let opening = input.opening(samples, limits.tool_hint);
        let mut messages = vec![user_message(opening, std::iter::once(left_out).chain(first.into_iter().flatten()))];
        for (at, turn) in (1..).zip(&shown.newest) {
            let last = last.take_if(|_| at == shown.newest.len()).into_iter().flatten();
            messages.push(Message::assistant(self.program(turn.turn)));
            messages.push(Message::user(join_sections(
                std::iter::once(Some(report(turn, shown.calls_of(turn, results)))).chain(last),
            )));
        }
        keep_first_filled(&mut messages);
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
