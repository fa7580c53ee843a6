//! Counting tokens: exactly for one vocabulary, or with a bound that holds for all.

use std::fmt;
use std::sync::Arc;

use ptc_chat::Message;
use serde::Serialize;

use crate::requests::RequestCounter;

/// Counts the tokens of texts.
///
/// A text never has more tokens than bytes: this holds for every vocabulary that falls back to single bytes, as all in
/// use do, and it saves most of the counting.
pub trait TokenCounter: Send + Sync {
    /// A short name for messages, such as `o200k`.
    fn name(&self) -> &str;

    /// Tokens of this text; the same text always has as many.
    fn count(&self, text: &str) -> usize;
}

/// The bound that holds for every model: one token per byte. Three to five times too much for ordinary text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ByteBound;

impl TokenCounter for ByteBound {
    fn name(&self) -> &str {
        "bytes"
    }

    fn count(&self, text: &str) -> usize {
        text.len()
    }
}

/// An estimate where no vocabulary is known: four characters (Unicode scalar values) are a token, a remainder counts as
/// none.
///
/// ```
/// use ptc_compression::{Estimate, TokenCounter};
///
/// assert_eq!(Estimate.count("größer"), 1);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Estimate;

impl Estimate {
    /// Characters of a token.
    pub const CHARACTERS: usize = 4;
}

impl TokenCounter for Estimate {
    fn name(&self) -> &str {
        "characters / 4"
    }

    fn count(&self, text: &str) -> usize {
        text.chars().count() / Estimate::CHARACTERS
    }
}

/// The vocabulary `o200k_base` of newer OpenAI models; an estimate for others. It needs the feature `tokens`.
///
/// Built at the first count, in about a tenth of a second.
///
/// ```
/// use ptc_compression::{O200k, TokenCounter};
///
/// assert_eq!(O200k.count("Which bookings fit into 250 euros?"), 8);
/// ```
#[cfg(feature = "tokens")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct O200k;

#[cfg(feature = "tokens")]
impl TokenCounter for O200k {
    fn name(&self) -> &str {
        "o200k"
    }

    fn count(&self, text: &str) -> usize {
        // The feature brings the vocabulary; without it the bound of bytes would still hold.
        tiktoken::get_encoding("o200k_base").map_or(text.len(), |vocabulary| vocabulary.count(text))
    }
}

type MakeCounter = fn() -> Arc<dyn TokenCounter>;

/// The ways to count of this build by their names.
const COUNTERS: &[(&str, MakeCounter)] = &[
    #[cfg(feature = "tokens")]
    ("o200k", || Arc::new(O200k)),
    ("bytes", || Arc::new(ByteBound)),
    ("characters / 4", || Arc::new(Estimate)),
];

/// The way to count by default; a build without a vocabulary has no default.
pub fn usual_counter() -> Option<&'static str> {
    COUNTERS.first().map(|(name, _)| *name).filter(|_| cfg!(feature = "tokens"))
}

/// The default counter: the vocabulary of this build, else the bound of bytes.
#[must_use]
pub fn usual_token_counter() -> Arc<dyn TokenCounter> {
    COUNTERS.first().map_or_else(|| Arc::new(ByteBound) as Arc<dyn TokenCounter>, |(_, make)| make())
}

/// A number of tokens that no request may exceed, and the counter.
#[derive(Clone)]
pub struct Ceiling {
    max_tokens: usize,
    counter: Arc<dyn TokenCounter>,
}

impl Ceiling {
    /// At most this many tokens in a request, all messages and the system text together.
    pub fn new(max_tokens: usize, counter: impl TokenCounter + 'static) -> Self {
        Ceiling { max_tokens, counter: Arc::new(counter) }
    }

    /// The number.
    #[must_use]
    pub fn max_tokens(&self) -> usize {
        self.max_tokens
    }

    /// The unit of the count, as records name it.
    #[must_use]
    pub fn counter_name(&self) -> &str {
        self.counter.name()
    }

    /// The ways to count that can bound requests; an estimate does not bound them.
    ///
    /// ```
    /// use ptc_compression::Ceiling;
    ///
    /// assert!(Ceiling::counters().all(|name| Ceiling::named(8_000, name).is_ok()));
    /// ```
    pub fn counters() -> impl Iterator<Item = &'static str> {
        COUNTERS.iter().map(|(name, _)| *name).filter(|name| *name != Estimate.name())
    }

    /// The same by the name of the counter. Errors list the known names.
    pub fn named(max_tokens: usize, counter: &str) -> Result<Ceiling, Vec<&'static str>> {
        let known = || COUNTERS.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        let (_, make) = COUNTERS.iter().find(|(name, _)| *name == counter).ok_or_else(known)?;
        Ok(Ceiling { max_tokens, counter: make() })
    }

    /// Counts the requests of a run with this system text, to be [checked](Ceiling::check).
    pub fn requests(&self, system: impl Into<Arc<str>>) -> RequestCounter {
        RequestCounter::shared(Arc::clone(&self.counter), system.into())
    }

    /// Whether a request of these messages stays below the ceiling. Nothing is counted if their bytes are few enough.
    pub fn check(&self, requests: &RequestCounter, messages: &[Message]) -> Result<(), OverCeiling> {
        if requests.bound(messages) <= self.max_tokens {
            return Ok(());
        }
        self.over(requests.tokens(messages)).map_or(Ok(()), Err)
    }

    /// What is wrong with a request of this many tokens, if they are too many.
    pub(crate) fn over(&self, tokens: usize) -> Option<OverCeiling> {
        let max_tokens = self.max_tokens;
        let over = || OverCeiling { tokens, max_tokens, counter: self.counter.name().to_owned() };
        (tokens > max_tokens).then(over)
    }
}

impl fmt::Debug for Ceiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ceiling").field("max_tokens", &self.max_tokens).field("counter", &self.counter.name()).finish()
    }
}

/// A request that is too large.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OverCeiling {
    /// Tokens that it has.
    pub tokens: usize,
    /// Tokens that it may have.
    pub max_tokens: usize,
    /// The counter.
    pub counter: String,
}

impl fmt::Display for OverCeiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OverCeiling { tokens, max_tokens, counter } = self;
        write!(f, "{tokens} tokens (counted in {counter}), and max_tokens is {max_tokens}")
    }
}

#[cfg(test)]
mod tests;
