//! The newest turns as a dialogue, the older ones merged.

use ptc_chat::{Message, Part};
use ptc_lisp::Memory;
use ptc_mission::{join_sections, user_section};
use ptc_transcript::Turn;

use crate::closing::{closing_parts, user_message};
use crate::coalesced::SingleUserCoalesced;
use crate::compression::{Compression, Rendered};
use crate::input::RenderInput;
use crate::shown::{Shown, calls_section, prints_section};

/// Keeps the newest successful turns as programs with their calls and output; merges the older ones as
/// [`SingleUserCoalesced`] does. At most `2 + 2 × window` messages.
///
/// ```
/// use ptc_compression::{CompressionConfig, RollingWindow};
///
/// let config = CompressionConfig::from(RollingWindow { window: 2, ..RollingWindow::default() });
/// assert_eq!(config.strategy().unwrap().name(), "rolling-window");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollingWindow {
    /// Successful turns shown with their programs; with 0 the strategy is the default one.
    pub window: usize,
    /// Limits of the whole view, spent from the newest turn backwards.
    pub limits: SingleUserCoalesced,
}

impl Default for RollingWindow {
    /// Three turns, and the limits of the default strategy.
    fn default() -> Self {
        RollingWindow { window: 3, limits: SingleUserCoalesced::default() }
    }
}

impl RollingWindow {
    /// The name in options and statistics.
    pub const NAME: &'static str = "rolling-window";
}

impl Compression for RollingWindow {
    fn name(&self) -> &str {
        RollingWindow::NAME
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let limits = &self.limits;
        let shown = Shown::of(turns, limits.tool_call_limit, limits.println_limit);
        let (older, window) = shown.turns.split_at(shown.turns.len() - self.window.min(shown.turns.len()));
        let results = limits.tool_results && !shown.printed();
        let samples = limits.samples();
        let closing = closing_parts(turns.last(), input);
        let merged = !older.is_empty() || window.is_empty();
        let mut first = vec![
            user_section(memory, (!shown.printed()).then_some(samples)),
            merged.then(|| calls_section(older, results)),
            prints_section(older),
        ];
        if window.is_empty() {
            first.extend(closing.clone());
        }
        let mut messages = vec![user_message(input.opening(samples, limits.tool_hint), first)];
        for (at, turn) in (1..).zip(window) {
            let of_turn = std::slice::from_ref(turn);
            let mut parts = vec![Some(calls_section(of_turn, results)), prints_section(of_turn)];
            if at == window.len() {
                parts.extend(closing.clone());
            }
            messages.push(Message::assistant(format!("```clojure\n{}\n```", turn.turn.program().unwrap_or_default())));
            messages.push(Message::user(join_sections(parts)));
        }
        keep_first_filled(&mut messages);
        let stats = shown.stats(RollingWindow::NAME, older.len() + shown.failed());
        Rendered { messages, stats }
    }
}

/// A first message without mission, tools, data and history says that there is no mission.
pub(crate) fn keep_first_filled(messages: &mut [Message]) {
    if let Some(first) = messages.first_mut().filter(|first| first.parts.is_empty()) {
        *first = Message::new(first.role, [Part::stable("(The mission is empty.)")]);
    }
}
