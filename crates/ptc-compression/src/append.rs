//! The dialogue as it grows, rewritten only now and then.

use ptc_chat::{Message, Part};
use ptc_lisp::Memory;
use ptc_mission::join_sections;
use ptc_transcript::Turn;

use crate::closing::{closing_parts, joined, keep_first_filled, user_message};
use crate::coalesced::merged_message;
use crate::compression::{Compression, Rendered, Renderer};
use crate::growing::{Growing, Reports};
use crate::input::{Caps, RenderInput};
use crate::limits::Limits;

/// Appends each successful turn, its program and a report, and leaves what was sent before as it is, so that providers find
/// all but the end of a request in their caches. When the appended turns have more than `append_bytes`, they are merged into
/// the first message as [`SingleUserCoalesced`](crate::SingleUserCoalesced) merges them, and appending begins anew.
///
/// A request has at most the bytes of a request of [`SingleUserCoalesced`](crate::SingleUserCoalesced), and `append_bytes`.
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
        Appending { limits: self.limits, growing: Growing::new(self.limits, Reports::Dialogue(self.append_bytes)) }
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
    limits: Limits,
    growing: Growing,
}

impl Renderer for Appending {
    fn push(&mut self, turn: &Turn) {
        self.growing.push(turn);
    }

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let recent = &self.growing.recent;
        // Below a ceiling everything is merged: what was sent before is too large.
        let Some(grown) = self.growing.grown().filter(|_| input.caps == Caps::NONE) else {
            return merged_message(AppendOnly::NAME, &self.limits, recent, memory, input);
        };
        let opening = input.opening(self.limits.samples(), self.limits.tool_hint);
        let mut messages = vec![user_message(opening, [Some(grown.merged)]).repeated()];
        for (turn, report) in grown.since {
            messages.push(Message::assistant(format!("```clojure\n{}\n```", turn.program().unwrap_or_default())).repeated());
            messages.push(Message::user(report).repeated());
        }
        if let Some(last) = messages.last_mut() {
            let closing = join_sections(closing_parts(recent.last(), input));
            let parts = last.parts.iter().cloned().chain([Part::changing(closing)]);
            *last = Message::new(last.role, joined(parts));
        }
        keep_first_filled(&mut messages);
        Rendered { messages, stats: self.growing.stats(AppendOnly::NAME, grown.merged_turns + recent.failed()) }
    }
}

#[cfg(test)]
mod tests;
