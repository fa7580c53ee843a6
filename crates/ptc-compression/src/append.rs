//! The dialogue as it grows, rewritten only now and then.

mod dialogue;

use ptc_lisp::Memory;
use ptc_transcript::{CompressionOptions, Turn};
use serde::{Deserialize, Serialize};

use self::dialogue::Dialogue;
use crate::compression::{Compression, Rendered, Renderer, options_of};
use crate::input::RenderInput;
use crate::limits::{ViewLimits, limit_setters, setters};

/// Appends each successful turn, its program and a report, and leaves what was sent before as it is, so that providers
/// find all but the end of a request in their caches. When the appended turns have more than `append_bytes`, they are
/// merged into the first message as [`SingleUserCoalesced`](crate::SingleUserCoalesced) merges them, and appending
/// begins again.
///
/// A request has at most the bytes of a request of [`SingleUserCoalesced`](crate::SingleUserCoalesced), and
/// `append_bytes`.
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
    /// Bytes of programs and reports after the first message.
    pub append_bytes: usize,
    /// Limits of what is merged; appended turns are shown whole.
    #[serde(flatten)]
    pub limits: ViewLimits,
}

impl Default for AppendOnly {
    /// 16,000 bytes, and the limits of the default strategy.
    fn default() -> Self {
        AppendOnly { append_bytes: 16_000, limits: ViewLimits::default() }
    }
}

impl AppendOnly {
    /// The name in options and statistics.
    pub const NAME: &'static str = "append-only";

    limit_setters!();

    setters! {
        /// Bytes of programs and reports after the first message; 16,000 unless told otherwise.
        append_bytes: usize,
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
        let mut dialogue = Dialogue::new(self);
        turns.iter().for_each(|turn| dialogue.push(turn));
        dialogue.render(memory, input)
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        Some(Box::new(Dialogue::new(self)))
    }
}

#[cfg(test)]
mod tests;
