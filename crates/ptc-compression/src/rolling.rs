//! The newest turns as a dialogue, the older ones merged.

use ptc_chat::Message;
use ptc_lisp::Memory;
use ptc_mission::{fenced_program, user_section};

use crate::closing::{keep_first_filled, user_message};
use crate::compression::Rendered;
use crate::input::RenderInput;
use crate::options::strategy;
use crate::plain::feedback;
use crate::recent::{FromRecent, Keep, Recent};

strategy! {
    /// Keeps the newest successful turns as programs with their calls and output; merges the older ones as
    /// [`SingleUserCoalesced`](crate::SingleUserCoalesced) does. At most `2 + 2 × window` messages.
    ///
    /// ```
    /// use ptc_compression::{CompressionConfig, RollingWindow};
    ///
    /// let config = CompressionConfig::from(RollingWindow::new().window(2));
    /// assert_eq!(config.strategy().unwrap().name(), "rolling-window");
    /// ```
    RollingWindow = "rolling-window" [limits] {
        /// Successful turns shown with their programs; with 0 the strategy is the default one. 3 unless told otherwise.
        window: usize = 3,
    }
}

impl FromRecent for RollingWindow {
    const NAME: &'static str = RollingWindow::NAME;

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
