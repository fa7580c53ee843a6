//! The newest turns as a dialogue, the older ones merged.

use ptc_chat::Message;
use ptc_lisp::Memory;
use ptc_mission::{fenced_program, user_section};
use ptc_transcript::{CompressionOptions, Turn};
use serde::{Deserialize, Serialize};

use crate::closing::{keep_first_filled, user_message};
use crate::compression::{Compression, Rendered, Renderer, options_of};
use crate::input::RenderInput;
use crate::limits::{ViewLimits, limit_setters, setters};
use crate::plain::feedback;
use crate::recent::{FromRecent, Keep, Recent, messages_of, renderer_from_recent};

/// Keeps the newest successful turns as programs with their calls and output; merges the older ones as
/// [`SingleUserCoalesced`](crate::SingleUserCoalesced) does. At most `2 + 2 × window` messages.
///
/// ```
/// use ptc_compression::{CompressionConfig, RollingWindow};
///
/// let config = CompressionConfig::from(RollingWindow::new().window(2));
/// assert_eq!(config.strategy().unwrap().name(), "rolling-window");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RollingWindow {
    /// Successful turns shown with their programs; with 0 the strategy is the default one.
    pub window: usize,
    /// Limits of the whole view, spent from the newest turn backwards.
    #[serde(flatten)]
    pub limits: ViewLimits,
}

impl Default for RollingWindow {
    /// Three turns, and the limits of the default strategy.
    fn default() -> Self {
        RollingWindow { window: 3, limits: ViewLimits::default() }
    }
}

impl RollingWindow {
    /// The name in options and statistics.
    pub const NAME: &'static str = "rolling-window";

    limit_setters!();

    setters! {
        /// Successful turns shown with their programs; 3 unless told otherwise.
        window: usize,
    }
}

impl Compression for RollingWindow {
    fn name(&self) -> &str {
        RollingWindow::NAME
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

impl FromRecent for RollingWindow {
    fn keep(&self) -> Keep {
        Keep { turns: self.window, ..self.limits.keep() }
    }

    fn render(&self, recent: &Recent, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let shown = recent.shown(input.caps, input.kept);
        let results = self.limits.tool_results && !shown.printed();
        let samples = self.limits.samples();
        let mut closing = Some(shown.closing_parts(input));
        let merged = shown.older_turns() > 0 || shown.newest.is_empty();
        let mut first = vec![
            user_section(memory, shown.samples(samples)),
            shown.older_calls(results).filter(|_| merged),
            shown.older_prints(),
        ];
        if shown.newest.is_empty() {
            first.extend(closing.take().into_iter().flatten());
        }
        let mut messages = vec![user_message(input.opening(samples, self.limits.tool_hint), first)];
        for (at, turn) in (1..).zip(&shown.newest) {
            let closing = closing.take_if(|_| at == shown.newest.len());
            let parts =
                [shown.calls_of(turn, results), turn.prints_section()].into_iter().chain(closing.into_iter().flatten());
            messages.push(Message::assistant(fenced_program(turn.turn.program().unwrap_or_default())));
            messages.push(Message::user(feedback(parts)));
        }
        keep_first_filled(&mut messages);
        let stats = shown.stats(RollingWindow::NAME, shown.older_turns() + recent.failed());
        Rendered { messages, stats }
    }
}
