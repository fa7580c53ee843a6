//! What callers may write for `compression`.

use std::fmt;
use std::sync::Arc;

use crate::coalesced::SingleUserCoalesced;
use crate::compression::{Compression, Renderer, renderer_of};
use crate::tokens::Ceiling;

/// Whether and how history is compressed: from `true` (the default strategy), `false`, or a strategy with its options.
///
/// A [`Ceiling`] alone compresses nothing: a run whose request would be larger ends with `context_limit`.
///
/// ```
/// use ptc_compression::{CompressionConfig, SingleUserCoalesced};
///
/// assert!(CompressionConfig::default().strategy().is_none());
/// assert!(CompressionConfig::from(true).is_active(5, 0));
/// assert!(!CompressionConfig::from(SingleUserCoalesced::default()).is_active(1, 0));
/// ```
#[derive(Clone, Default)]
pub struct CompressionConfig {
    strategy: Option<Arc<dyn Compression>>,
    /// Where no strategy has one.
    ceiling: Option<Ceiling>,
}

impl CompressionConfig {
    /// The strategy, if history is compressed at all.
    pub fn strategy(&self) -> Option<Arc<dyn Compression>> {
        self.strategy.clone()
    }

    /// Whether an agent with these limits compresses: a single turn without retries has no history.
    pub fn is_active(&self, max_turns: usize, retry_turns: usize) -> bool {
        self.strategy.is_some() && (max_turns > 1 || retry_turns > 0)
    }

    /// What no request may exceed, also where nothing is compressed.
    pub fn ceiling(&self) -> Option<&Ceiling> {
        self.strategy.as_ref().map_or(self.ceiling.as_ref(), |strategy| strategy.ceiling())
    }

    /// A renderer for one run.
    pub fn renderer(&self) -> Option<Box<dyn Renderer>> {
        self.strategy.as_ref().map(renderer_of)
    }
}

impl fmt::Debug for CompressionConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.strategy.as_ref().map(|strategy| strategy.name());
        f.debug_tuple("CompressionConfig").field(&name).finish()
    }
}

impl From<bool> for CompressionConfig {
    fn from(on: bool) -> Self {
        on.then(SingleUserCoalesced::default).into()
    }
}

impl<S: Compression + 'static> From<S> for CompressionConfig {
    fn from(strategy: S) -> Self {
        CompressionConfig { strategy: Some(Arc::new(strategy)), ceiling: None }
    }
}

impl<S: Compression + 'static> From<Option<S>> for CompressionConfig {
    fn from(strategy: Option<S>) -> Self {
        strategy.map_or_else(CompressionConfig::default, CompressionConfig::from)
    }
}

impl From<Ceiling> for CompressionConfig {
    fn from(ceiling: Ceiling) -> Self {
        CompressionConfig { strategy: None, ceiling: Some(ceiling) }
    }
}

/// The strategy that a configuration means, with its options inside; `None` when history is not compressed.
pub fn normalize(config: impl Into<CompressionConfig>) -> Option<Arc<dyn Compression>> {
    config.into().strategy()
}

#[cfg(test)]
mod tests;
