//! The newest turns as a dialogue, the older ones merged.

use crate::words::{fenced_program, user_section};
use ptc_lisp::Memory;

use crate::compression::Rendered;
use crate::input::RenderInput;
use crate::options::strategy;
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
        /// Successful turns shown with their programs; with 0 the strategy is the default one. 3 by default.
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
        let merged = shown.older_turns() > 0 || shown.newest.is_empty();
        let first = vec![
            user_section(memory, shown.samples(samples)),
            shown.older_calls(results).filter(|_| merged),
            shown.older_prints(),
        ];
        let opening = input.opening(samples, self.limits.tool_hint);
        let messages = shown.dialogue(opening, first, shown.closing_parts(input), |turn| {
            let program = fenced_program(turn.turn.program().unwrap_or_default());
            (program, vec![shown.calls_of(turn, results), turn.prints_section()])
        });
        let stats = shown.stats(RollingWindow::NAME, shown.older_turns() + recent.failed);
        Rendered { messages, stats }
    }
}
