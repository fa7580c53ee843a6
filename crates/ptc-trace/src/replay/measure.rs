//! How large requests are, and how much of one its predecessor began with.

use std::fmt;
use std::sync::Arc;

use ptc_chat::{Message, Role};
use ptc_mission::USER_HEADER;
use serde::Serialize;

use super::difference::common;

/// Counts the tokens of a text, under a name that says how well.
#[derive(Clone)]
pub struct Counter {
    name: String,
    count: Arc<dyn Fn(&str) -> u64 + Send + Sync>,
}

impl Counter {
    /// A counter of this name.
    ///
    /// ```
    /// use ptc_trace::replay::Counter;
    ///
    /// let bytes = Counter::new("bytes, the bound", |text| text.len() as u64);
    /// assert_eq!(bytes.count("größe"), 7);
    /// assert_eq!(Counter::estimate().count("größe"), 2);
    /// ```
    pub fn new(name: impl Into<String>, count: impl Fn(&str) -> u64 + Send + Sync + 'static) -> Counter {
        Counter { name: name.into(), count: Arc::new(count) }
    }

    /// A token for every four characters, as [`RunUsage`](ptc_transcript::RunUsage) estimates the system text.
    pub fn estimate() -> Counter {
        Counter::new("characters / 4 (estimate)", |text| text.chars().count().div_ceil(4) as u64)
    }

    /// How it counts.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tokens of this text.
    pub fn count(&self, text: &str) -> u64 {
        (self.count)(text)
    }
}

impl fmt::Debug for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Counter").field(&self.name).finish()
    }
}

/// The size of one request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RequestSize {
    /// Bytes of all messages; the system text is not counted.
    pub bytes: usize,
    /// Tokens of the whole request: `system`, `prefix`, `history` and `definitions`.
    pub tokens: u64,
    /// Of the system text, as far as the step knows it.
    pub system: u64,
    /// Of the stable beginning of the first message: mission, tools, data and expected output.
    pub prefix: u64,
    /// Of everything else but definitions: the turns so far, errors, notes and the turns indicator.
    pub history: u64,
    /// Of the `user/` sections, which say what programs have defined.
    pub definitions: u64,
    /// Of the beginning that is that of the request before, byte for byte: what a provider's cache can serve.
    pub shared: u64,
}

impl RequestSize {
    /// The size of a request that comes behind `before`, with a system text of `system` tokens.
    pub(super) fn new(before: Option<&[Message]>, messages: &[Message], system: u64, counter: &Counter) -> RequestSize {
        let mut size = RequestSize { system, ..RequestSize::default() };
        for (index, message) in messages.iter().enumerate() {
            let content = message.content();
            let stable = if index == 0 { message.stable_bytes() } else { 0 };
            let (prefix, rest) = content.split_at_checked(stable).unwrap_or((&content, ""));
            size.bytes += content.len();
            size.prefix += counter.count(prefix);
            let mut rest = rest;
            while let Some((before, section, behind)) = definitions(rest).filter(|_| message.role == Role::User) {
                size.history += counter.count(before);
                size.definitions += counter.count(section);
                rest = behind;
            }
            size.history += counter.count(rest);
        }
        size.tokens = size.system + size.prefix + size.history + size.definitions;
        let shared = before.map_or(0, |before| system + shared(before, messages, counter));
        size.shared = shared.min(size.tokens);
        size
    }
}

/// What stands before the first `user/` section of a text, the section, and what stands behind it.
fn definitions(text: &str) -> Option<(&str, &str, &str)> {
    let (before, section) = text.split_at_checked(text.find(USER_HEADER)?)?;
    let (section, behind) = section.split_at_checked(section.find("\n\n").unwrap_or(section.len()))?;
    Some((before, section, behind))
}

/// Tokens of the messages, and of the part of one, that are equal from the start.
fn shared(before: &[Message], now: &[Message], counter: &Counter) -> u64 {
    let (same, bytes) = common(before, now);
    let whole: u64 = now.iter().take(same).map(|message| counter.count(&message.content())).sum();
    let part = now.get(same).map_or(0, |message| counter.count(message.content().get(..bytes).unwrap_or_default()));
    whole + part
}
