//! The dialogue as it grows, rewritten only now and then.

use ptc_chat::Message;
use ptc_lisp::Memory;
use ptc_mission::{fenced_program, join_sections};
use ptc_transcript::{CompressionOptions, Turn};
use serde::{Deserialize, Serialize};

use crate::compression::{Compression, Rendered, Renderer};
use crate::growing::{Appended, Growing, Report, Size, Written};
use crate::input::RenderInput;
use crate::limits::{Limits, limit_setters, setters};
use crate::recent::ShownTurn;
use crate::strategy::options_of;

/// Appends each successful turn, its program and a report, and leaves what was sent before as it is, so that providers find
/// all but the end of a request in their caches. When the appended turns have more than `append_bytes`, they are merged into
/// the first message as [`SingleUserCoalesced`](crate::SingleUserCoalesced) merges them, and appending begins anew.
///
/// A request has at most the bytes of a request of [`SingleUserCoalesced`](crate::SingleUserCoalesced), and `append_bytes`.
///
/// ```
/// use ptc_compression::{AppendOnly, CompressionConfig};
///
/// let config = CompressionConfig::from(AppendOnly::new().append_bytes(8_000));
/// assert_eq!(config.strategy().unwrap().name(), "append-only");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AppendOnly {
    /// Bytes of programs and reports behind the first message.
    pub append_bytes: usize,
    /// Limits of what is merged; appended turns are shown whole.
    #[serde(flatten)]
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

    limit_setters!();

    setters! {
        /// Bytes of programs and reports behind the first message; 16,000 unless told otherwise.
        append_bytes: usize,
    }

    fn dialogue(&self) -> Growing<Dialogue> {
        Growing::new(AppendOnly::NAME, self.limits, Dialogue { bytes: self.append_bytes })
    }
}

/// Each turn is an answer, its program, and a message that reports all that came of it, until these have more bytes.
pub(crate) struct Dialogue {
    pub bytes: usize,
}

impl Appended for Dialogue {
    const TELLS_IN_ORDER: bool = true;

    const NOTE: Option<&'static str> = None;

    fn repeats(&self, _: Size, good_turns: usize) -> bool {
        good_turns > 0
    }

    fn has_room(&self, appended: Size, _: Size) -> bool {
        appended.bytes <= self.bytes
    }

    fn bytes(&self, report: &Report) -> usize {
        let Written { program, report } = report.written(self);
        program.as_ref().map_or(0, |program| program.content().len()) + report.len()
    }

    fn write(&self, shown: &ShownTurn<'_>, listed: Option<String>, results: bool) -> Written {
        let program = Message::assistant(fenced_program(shown.turn.program().unwrap_or_default())).repeated();
        let report = join_sections([listed, Some(shown.calls_section(results)), shown.prints_section()]);
        Written { program: Some(program), report }
    }
}

impl Compression for AppendOnly {
    fn name(&self) -> &str {
        AppendOnly::NAME
    }

    fn options(&self) -> CompressionOptions {
        options_of(self)
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        self.dialogue().after(turns).render(memory, input)
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        Some(Box::new(self.dialogue()))
    }
}

#[cfg(test)]
mod tests;
