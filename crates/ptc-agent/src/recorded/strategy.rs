//! Placeholders for a strategy or a way to count tokens that only the recorded run had.

use ptc_compression::{Ceiling, Compression, CompressionConfig, RenderInput, Rendered, TokenCounter};
use ptc_lisp::Memory;
use ptc_transcript::{CompressionOptions, CompressionRecord, CompressionUse, Turn};

/// Whether a part of the run showed its history in a way that this release does not have.
pub(super) fn is_told(uses: &[CompressionUse]) -> bool {
    told(uses).is_some()
}

/// The first way of showing history that this release does not have, by name: nothing is sent, so that nothing need be
/// written.
pub(super) fn told(uses: &[CompressionUse]) -> Option<CompressionConfig> {
    let record =
        uses.iter().map(|known| &known.compression).find(|record| CompressionConfig::from_record(record).is_err())?;
    let strategy = record.strategy.as_ref().map(|_| RecordedStrategy(record.clone()));
    let ceiling = record.max_tokens.map(|max_tokens| Ceiling::new(max_tokens, RecordedStrategy(record.clone())));
    Some(CompressionConfig::below(strategy.map(|strategy| std::sync::Arc::new(strategy) as _), ceiling))
}

struct RecordedStrategy(CompressionRecord);

impl Compression for RecordedStrategy {
    fn name(&self) -> &str {
        self.0.strategy.as_deref().unwrap_or_default()
    }

    fn options(&self) -> CompressionOptions {
        self.0.options.clone()
    }

    fn to_messages(&self, _: &[Turn], _: &Memory, _: &RenderInput<'_>) -> Rendered {
        Vec::new().into()
    }
}

impl TokenCounter for RecordedStrategy {
    fn name(&self) -> &str {
        self.0.token_counter.as_deref().unwrap_or_default()
    }

    fn count(&self, _: &str) -> usize {
        0
    }
}
