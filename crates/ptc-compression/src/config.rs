//! What callers may write for `compression`.

use std::fmt;
use std::sync::Arc;

use ptc_transcript::CompressionRecord;
use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::coalesced::SingleUserCoalesced;
use crate::compression::Compression;
use crate::prints::TURN_CHARS;
use crate::strategy::{Strategy, UnknownStrategy, strategy_with};
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
    ceiling: Option<Ceiling>,
}

impl CompressionConfig {
    /// The strategy, if history is compressed at all.
    pub fn strategy(&self) -> Option<Arc<dyn Compression>> {
        self.strategy.clone()
    }

    /// Characters of one printed entry that requests show at most.
    pub fn print_chars(&self) -> usize {
        self.strategy.as_ref().map_or(TURN_CHARS, |strategy| strategy.print_chars())
    }

    /// Whether an agent with these limits compresses: a single turn without retries has no history.
    pub fn is_active(&self, max_turns: usize, retry_turns: usize) -> bool {
        self.strategy.is_some() && (max_turns > 1 || retry_turns > 0)
    }

    /// What no request may exceed, also where nothing is compressed.
    pub fn ceiling(&self) -> Option<&Ceiling> {
        self.ceiling.as_ref()
    }

    /// The part for an agent with these limits: without a strategy if it has no history.
    #[must_use]
    pub fn for_turns(&self, max_turns: usize, retry_turns: usize) -> CompressionConfig {
        let strategy = self.strategy.clone().filter(|_| self.is_active(max_turns, retry_turns));
        CompressionConfig { strategy, ceiling: self.ceiling.clone() }
    }

    /// What steps and journals keep of it.
    pub fn to_record(&self) -> CompressionRecord {
        let strategy = self.strategy.as_ref();
        CompressionRecord {
            strategy: strategy.map(|strategy| strategy.name().to_owned()),
            options: strategy.map(|strategy| strategy.options()).unwrap_or_default(),
            max_tokens: self.ceiling().map(Ceiling::max_tokens),
            token_counter: self.ceiling().map(|ceiling| ceiling.counter_name().to_owned()),
        }
    }

    /// The configuration of a record.
    ///
    /// Errors when this release does not have the strategy, one of its options or the way to count; it does not know
    /// custom strategies.
    ///
    /// ```
    /// use ptc_compression::{CompressionConfig, RollingWindow};
    ///
    /// let record = CompressionConfig::from(RollingWindow::new().window(2)).to_record();
    /// assert_eq!(CompressionConfig::from_record(&record)?.to_record(), record);
    /// # Ok::<(), ptc_compression::UnknownStrategy>(())
    /// ```
    pub fn from_record(record: &CompressionRecord) -> Result<CompressionConfig, UnknownStrategy> {
        CompressionConfig::from_record_with(record, &[])
    }

    /// The same, where the record may also name one of these strategies, with its options or with others that it
    /// [takes](Compression::with_options).
    pub fn from_record_with(
        record: &CompressionRecord,
        own: &[Arc<dyn Compression>],
    ) -> Result<CompressionConfig, UnknownStrategy> {
        let counter = record.token_counter.as_deref().unwrap_or_default();
        let unknown = |known| UnknownStrategy::Counter { counter: counter.to_owned(), known };
        let ceiling = record.max_tokens.map(|max_tokens| Ceiling::named(max_tokens, counter)).transpose();
        let ceiling = ceiling.map_err(unknown)?;
        let named = |name: &str| match own.iter().find(|strategy| strategy.name() == name) {
            Some(own) => strategy_with(own, &record.options),
            None => Strategy::from_record(name, &record.options).map(|strategy| strategy.to_compression()),
        };
        let strategy = record.strategy.as_deref().map(named).transpose()?;
        Ok(CompressionConfig::below(strategy, ceiling))
    }

    /// The same, with no request above the tokens of `ceiling`.
    ///
    /// A request that is too large is rendered again with less of the history, in this order, until it fits: samples of
    /// definitions (shorter, then none), prints (the newest 8, 3, 1), calls and turns with their programs (10 calls and
    /// 2 turns, 3 and 1, 1 and none), no documentation and no program of the last error (as
    /// [`Aggressive`](crate::Aggressive) shows a run), names only. A custom strategy takes part in the first steps if
    /// it obeys [`RenderInput::caps`](crate::RenderInput::caps).
    ///
    /// The stable beginning is shortened once for the whole run, from agent and data alone, when it would take more than
    /// half of what the system text leaves: shorter samples, no samples, no documentation, names only.
    ///
    /// Never left out are the mission, the names of tools, the beginning of the last error and the calls that ran in
    /// failed turns. When even that is too much, the smallest request is returned, and its sender must
    /// [check](Ceiling::check) it: agents end with `context_limit`.
    ///
    /// ```
    /// use ptc_compression::{ByteBound, Ceiling, CompressionConfig, RollingWindow};
    ///
    /// let config = CompressionConfig::from(RollingWindow::default()).with_ceiling(Ceiling::new(8_000, ByteBound));
    /// assert_eq!(config.ceiling().unwrap().max_tokens(), 8_000);
    /// assert_eq!(config.strategy().unwrap().name(), "rolling-window");
    /// ```
    #[must_use]
    pub fn with_ceiling(self, ceiling: Ceiling) -> CompressionConfig {
        CompressionConfig { ceiling: Some(ceiling), ..self }
    }

    /// This strategy below this ceiling, each if there is one.
    pub fn below(strategy: Option<Arc<dyn Compression>>, ceiling: Option<Ceiling>) -> CompressionConfig {
        CompressionConfig { strategy, ceiling }
    }
}

impl fmt::Debug for CompressionConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.strategy.as_ref().map(|strategy| strategy.name());
        f.debug_tuple("CompressionConfig").field(&name).finish()
    }
}

/// As steps and journals keep it.
impl Serialize for CompressionConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_record().serialize(serializer)
    }
}

/// Errors for custom strategies, which this crate does not know.
impl<'de> Deserialize<'de> for CompressionConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        CompressionConfig::from_record(&Deserialize::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

impl From<bool> for CompressionConfig {
    fn from(on: bool) -> Self {
        on.then(SingleUserCoalesced::default).into()
    }
}

impl<S: Compression + 'static> From<S> for CompressionConfig {
    fn from(strategy: S) -> Self {
        (Arc::new(strategy) as Arc<dyn Compression>).into()
    }
}

impl<S: Into<CompressionConfig>> From<Option<S>> for CompressionConfig {
    fn from(strategy: Option<S>) -> Self {
        strategy.map(Into::into).unwrap_or_default()
    }
}

impl From<Arc<dyn Compression>> for CompressionConfig {
    fn from(strategy: Arc<dyn Compression>) -> Self {
        CompressionConfig { strategy: Some(strategy), ceiling: None }
    }
}

impl From<Strategy> for CompressionConfig {
    fn from(strategy: Strategy) -> Self {
        strategy.to_compression().into()
    }
}

impl From<Ceiling> for CompressionConfig {
    fn from(ceiling: Ceiling) -> Self {
        CompressionConfig::default().with_ceiling(ceiling)
    }
}

/// The strategy of a configuration, with its options; `None` when history is not compressed.
pub fn normalize(config: impl Into<CompressionConfig>) -> Option<Arc<dyn Compression>> {
    config.into().strategy()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(config: impl Into<CompressionConfig>) -> Option<String> {
        normalize(config).map(|strategy| strategy.name().to_owned())
    }

    /// Proves: API-001, API-003, API-006, ARC-005, AMB-006, CHG-002.
    #[test]
    fn every_way_to_say_it() {
        let default = Some("single-user-coalesced".to_owned());
        assert_eq!(name(true), default);
        assert_eq!(name(SingleUserCoalesced::default()), default);
        assert_eq!(name(Some(SingleUserCoalesced::default())), default);
        assert_eq!(name(Arc::new(SingleUserCoalesced::default()) as Arc<dyn Compression>), default);
        assert_eq!(name(false), None);
        assert_eq!(name(None::<SingleUserCoalesced>), None);
        assert_eq!(name(CompressionConfig::default()), None);
    }

    /// Proves: SS-001.
    #[test]
    fn a_single_turn_has_no_history_to_compress() {
        let on = CompressionConfig::from(true);
        assert_eq!((on.is_active(1, 0), on.is_active(1, 2), on.is_active(2, 0)), (false, true, true));
        assert!(!CompressionConfig::from(false).is_active(9, 9));
    }

    #[test]
    fn a_ceiling_needs_no_strategy() {
        let ceiling = CompressionConfig::from(Ceiling::new(900, crate::ByteBound));
        assert_eq!(ceiling.ceiling().map(Ceiling::max_tokens), Some(900));
        assert!(ceiling.strategy().is_none() && !ceiling.is_active(9, 9));
    }
}
