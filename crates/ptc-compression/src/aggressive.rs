//! The smallest view that a model can work with.

use crate::words::{NO_TOOL_CALLS, output_before_error, output_section, turns_indicator, user_types_section};
use indexmap::IndexMap;
use ptc_chat::Part;
use ptc_lisp::Memory;
use ptc_lisp::text::{escaped, one_line, shortened};
use ptc_transcript::Turn;

use crate::closing::user_message;
use crate::compression::Rendered;
use crate::input::RenderInput;
use crate::options::strategy;
use crate::prints::Print;
use crate::recent::{FromRecent, Keep, Recent, VisibleTurns};
use crate::short_opening::Detail;

strategy! {
    /// One user message of names and types: no samples, no documentation, calls only as counts, the end of the output,
    /// the first line of the last error.
    ///
    /// ```
    /// use ptc_compression::{Aggressive, CompressionConfig};
    ///
    /// let config = CompressionConfig::from(Aggressive::new().println_limit(1));
    /// assert_eq!(config.strategy().unwrap().name(), "aggressive");
    /// ```
    Aggressive = "aggressive" {
        /// Printed entries shown, the newest of the run; 3 by default.
        println_limit: usize = 3,
        /// Calls counted by name, the newest of the run; older ones are summed up. 5 by default.
        tool_call_limit: usize = 5,
        /// Characters shown of a printed entry; 200 by default.
        print_chars: usize = 200,
        /// Characters shown of the last error; 200 by default.
        error_chars: usize = 200,
        /// Characters shown of the description of a tool; none by default.
        doc_chars: usize = 0,
    }
}

impl Aggressive {
    /// What a failed program printed, within the limits of other output.
    fn output_before_error(&self, turn: &Turn) -> Option<String> {
        let prints = if turn.is_success() { &[] } else { turn.prints() };
        let newest = Print::of(turn).skip(prints.len().saturating_sub(self.println_limit));
        let newest = newest.take(prints.len()).map(|print| print.within(self.print_chars));
        output_before_error(newest, prints.len())
    }

    /// The error of a failed turn in one line: the first line of a refused answer does not say what is wrong.
    pub(crate) fn error_line(&self, turn: &Turn) -> Option<String> {
        let message = one_line(&turn.error_message()?);
        Some(format!(";; Last error: {}", shortened(&message, self.error_chars)))
    }
}

impl FromRecent for Aggressive {
    const NAME: &'static str = Aggressive::NAME;

    fn keep(&self) -> Keep {
        Keep { merges: true, calls: self.tool_call_limit, prints: self.println_limit, ..Keep::default() }
    }

    fn render(&self, recent: &Recent, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let opening = input.short_opening(Detail::Described(self.doc_chars));
        self.render_behind(&opening, recent, memory, input)
    }
}

impl Aggressive {
    /// The only message, after this beginning.
    pub(crate) fn render_behind(
        &self,
        opening: &str,
        recent: &Recent,
        memory: &Memory,
        input: &RenderInput<'_>,
    ) -> Rendered {
        let shown = recent.shown(input.caps, input.kept);
        let prints = shown.older.iter().flat_map(|turn| turn.printed(Some(self.print_chars)));
        let message = user_message(
            Some(Part::stable(opening)),
            [
                user_types_section(memory),
                calls_line(&shown, recent.ending.has_effects()),
                output_section(prints, shown.prints.total),
                recent.ending.last().and_then(|turn| self.output_before_error(turn)),
                recent.ending.last().and_then(|turn| self.error_line(turn)),
                recent.ending.unknown_note(),
                recent.ending.notes(self.println_limit),
                (!input.progress.is_empty()).then(|| input.progress.to_owned()),
                Some(turns_indicator(input.turns_left, input.retries_left)),
            ],
        );
        Rendered { messages: vec![message], stats: shown.stats(Aggressive::NAME, recent.turns()) }
    }
}

/// `;; Tool calls: quote-room x4, list-rooms x1 (+2 earlier)`
fn calls_line(shown: &VisibleTurns<'_>, has_effects: bool) -> Option<String> {
    if shown.calls.total == 0 {
        return (!has_effects).then(|| NO_TOOL_CALLS.to_owned());
    }
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    for call in shown.older.iter().flat_map(|turn| turn.calls) {
        *counts.entry(&call.name).or_default() += 1;
    }
    let earlier = shown.calls.total - counts.values().sum::<usize>();
    let counted =
        counts.iter().map(|(name, count)| format!("{} x{count}", escaped(name))).collect::<Vec<_>>().join(", ");
    let earlier = if earlier > 0 { format!("(+{earlier} earlier)") } else { String::new() };
    let parts = [";; Tool calls:", counted.as_str(), earlier.as_str()];
    Some(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "))
}
