//! Counting the requests of a run, each of which repeats most of the one before.

use std::collections::HashMap;
use std::fmt;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use foldhash::quality::RandomState;
use ptc_chat::{Message, Part};
use ptc_transcript::RequestEstimate;

use crate::tokens::TokenCounter;

/// Tokens that the format of a provider adds to a message: its role, its beginning and its end.
const PER_MESSAGE: usize = 4;

/// Tokens at the start of the answer.
const PER_REQUEST: usize = 3;

/// Counts the requests of one run: the system text once, and of each request only the parts that no other request of
/// its turn and of the previous turn has.
///
/// A request has the tokens of its texts (the system text and each part of a message) and of its format: 4 for each
/// message and for the system text, and 3 for the answer.
///
/// ```
/// use ptc_chat::Message;
/// use ptc_compression::{ByteBound, RequestCounter};
///
/// let requests = RequestCounter::new(ByteBound, "Be brief.");
/// let messages = [Message::user("Add 1 and 2."), Message::assistant("3")];
/// assert_eq!(requests.tokens(&messages), 3 + (4 + 9) + (4 + 12) + (4 + 1));
/// ```
pub struct RequestCounter {
    counter: Arc<dyn TokenCounter>,
    system: Arc<str>,
    system_tokens: OnceLock<usize>,
    known: Mutex<TokenCache>,
    hashes: RandomState,
}

/// The tokens of the parts that were counted for the last two turns. Their texts are not kept: a run waits for its
/// model with them.
#[derive(Default)]
struct TokenCache {
    turn: usize,
    before: HashMap<Fingerprint, usize, foldhash::fast::RandomState>,
    now: HashMap<Fingerprint, usize, foldhash::fast::RandomState>,
}

/// Hash and length of a text.
type Fingerprint = (u64, usize);

impl RequestCounter {
    /// For a run with this system text. Nothing is counted yet.
    pub fn new(counter: impl TokenCounter + 'static, system: impl Into<Arc<str>>) -> RequestCounter {
        RequestCounter::shared(Arc::new(counter), system.into())
    }

    pub(crate) fn shared(counter: Arc<dyn TokenCounter>, system: Arc<str>) -> RequestCounter {
        RequestCounter {
            counter,
            system,
            system_tokens: OnceLock::new(),
            known: Mutex::default(),
            hashes: RandomState::default(),
        }
    }

    /// Tokens of a request of these messages after the system text.
    pub fn tokens(&self, messages: &[Message]) -> usize {
        usize::try_from(self.estimate(0, messages).total()).unwrap_or(usize::MAX)
    }

    /// The same for the request of a turn; its stable beginning, the system text and the leading stable parts, is
    /// counted separately.
    pub fn estimate(&self, turn: usize, messages: &[Message]) -> RequestEstimate {
        let beginning = self.beginning();
        let counted = self.counted(turn, messages);
        let whole: usize = counted.iter().map(|parts| of_message(parts)).sum();
        let stable = messages.first().map_or(0, |first| first.parts.iter().take_while(|part| part.is_stable()).count());
        let stable = counted.first().map_or(0, |first| of_message(first.get(..stable).unwrap_or_default()));
        let number = |tokens: usize| u64::try_from(tokens).unwrap_or(u64::MAX);
        RequestEstimate { turn, prefix: number(beginning + stable), history: number(whole - stable) }
    }

    /// An upper bound of the tokens of such a request, without counting: a text never has more tokens than bytes.
    pub(crate) fn bound(&self, messages: &[Message]) -> usize {
        let contents: usize =
            messages.iter().flat_map(|message| message.parts.iter()).map(|part| part.text.len()).sum();
        PER_REQUEST + PER_MESSAGE * (1 + messages.len()) + self.system.len() + contents
    }

    /// Tokens of a request without messages.
    fn beginning(&self) -> usize {
        PER_REQUEST + PER_MESSAGE + self.system_tokens.get_or_init(|| self.counter.count(&self.system))
    }

    /// The tokens of the parts of these messages, one of the requests tried for a turn.
    fn counted(&self, turn: usize, messages: &[Message]) -> Vec<Vec<usize>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let TokenCache { turn: counted, before, now } = &mut *known;
        if *counted != turn {
            (*counted, *before) = (turn, std::mem::take(now));
        }
        let mut count = |part: &Part| {
            let fingerprint = (self.hashes.hash_one(&part.text), part.text.len());
            let tokens = || before.get(&fingerprint).copied().unwrap_or_else(|| self.counter.count(&part.text));
            *now.entry(fingerprint).or_insert_with(tokens)
        };
        messages.iter().map(|message| message.parts.iter().map(&mut count).collect()).collect()
    }
}

fn of_message(parts: &[usize]) -> usize {
    PER_MESSAGE + parts.iter().sum::<usize>()
}

impl fmt::Debug for RequestCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RequestCounter").field(&self.counter.name()).finish()
    }
}

#[cfg(test)]
mod tests;
