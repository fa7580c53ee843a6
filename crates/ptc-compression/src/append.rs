//! The dialogue as it grows, rewritten only now and then.

use ptc_lisp::Memory;
use ptc_transcript::Turn;

use crate::compression::{Compression, Rendered, Renderer};
use crate::growing::{Growing, Merging};
use crate::input::RenderInput;
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

    fn start(&self) -> Growing {
        Growing::new(AppendOnly::NAME, self.limits, Merging::AboveBytes(self.append_bytes))
    }
}

impl Compression for AppendOnly {
    fn name(&self) -> &str {
        AppendOnly::NAME
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        self.start().after(turns).render(memory, input)
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        Some(Box::new(self.start()))
    }
}

#[cfg(test)]
mod tests;
