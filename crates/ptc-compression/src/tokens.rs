//! Counting tokens: exactly for one vocabulary, or with a bound that holds for all.

use std::fmt;
use std::sync::Arc;

use ptc_chat::Message;

/// Tokens that the format of a provider adds to a message: its role, and where it begins and ends.
const PER_MESSAGE: usize = 4;

/// Tokens that begin the answer.
const PER_REQUEST: usize = 3;

/// Counts the tokens of texts.
///
/// A text has never more tokens than bytes: this holds for every vocabulary that falls back to single bytes, as all that are
/// in use do, and saves most of the counting.
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

/// The vocabulary `o200k_base` of newer OpenAI models; an estimate for others. The feature `tokens` brings it along.
///
/// Made when something is counted for the first time, in about a tenth of a second.
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

/// A number of tokens that no request may exceed, and who counts.
#[derive(Clone)]
pub struct Ceiling {
    max_tokens: usize,
    counter: Arc<dyn TokenCounter>,
}

impl Ceiling {
    /// At most so many tokens in a request, all messages and the system text together.
    pub fn new(max_tokens: usize, counter: impl TokenCounter + 'static) -> Self {
        Ceiling { max_tokens, counter: Arc::new(counter) }
    }

    /// The number.
    #[must_use]
    pub fn max_tokens(&self) -> usize {
        self.max_tokens
    }

    /// Whether this beginning leaves as much for the history as it takes itself.
    pub(crate) fn has_room_behind(&self, system: &str, beginning: &str) -> bool {
        let fits = |count: &dyn Fn(&str) -> usize| {
            let message = |text: &str| PER_MESSAGE + count(text);
            PER_REQUEST + message(system) + 2 * message(beginning) <= self.max_tokens
        };
        // A text has never more tokens than bytes.
        fits(&str::len) || fits(&|text| self.counter.count(text))
    }

    /// Tokens of a request of this system text and these messages, with what the format adds to each of them.
    #[must_use]
    pub fn tokens(&self, system: &str, messages: &[Message]) -> usize {
        PER_REQUEST + self.message(system) + messages.iter().map(|message| self.message(&message.content())).sum::<usize>()
    }

    fn message(&self, text: &str) -> usize {
        PER_MESSAGE + self.counter.count(text)
    }

    /// Whether such a request stays below the ceiling.
    pub fn check(&self, system: &str, messages: &[Message]) -> Result<(), OverCeiling> {
        let contents: usize = messages.iter().flat_map(|message| message.parts.iter()).map(|part| part.text.len()).sum();
        let bound = PER_REQUEST + PER_MESSAGE * (1 + messages.len()) + system.len() + contents;
        // A text has never more tokens than bytes.
        if bound <= self.max_tokens {
            return Ok(());
        }
        match self.tokens(system, messages) {
            tokens if tokens <= self.max_tokens => Ok(()),
            tokens => Err(OverCeiling { tokens, max_tokens: self.max_tokens, counter: self.counter.name().to_owned() }),
        }
    }
}

impl fmt::Debug for Ceiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ceiling").field("max_tokens", &self.max_tokens).field("counter", &self.counter.name()).finish()
    }
}

/// A request that is too large.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverCeiling {
    /// Tokens that it has.
    pub tokens: usize,
    /// Tokens that it may have.
    pub max_tokens: usize,
    /// Who counted.
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
