//! The sizes of requests, and the part that each shares with its predecessor.

use ptc_chat::{Message, Part, Repeats, Role};
use ptc_compression::TokenCounter;
use ptc_compression::words::USER_HEADER;
use serde::Serialize;

use super::difference::common;

/// The size of one request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RequestSize {
    /// Bytes of all messages; the system text is not counted.
    pub bytes: usize,
    /// Tokens of the whole request: `system`, `prefix`, `history` and `definitions`.
    pub tokens: u64,
    /// Tokens of the system text, if the step has it.
    pub system: u64,
    /// Tokens of the stable beginning of the first message: mission, tools, data and expected output.
    pub prefix: u64,
    /// Tokens of everything else except definitions: the turns so far, errors, notes and the turns indicator.
    pub history: u64,
    /// Tokens of the `user/` sections, which list what programs have defined.
    pub definitions: u64,
    /// Tokens of the beginning shared with the request before, byte for byte: what an automatic cache can serve.
    pub shared: u64,
    /// Tokens up to the end of the part marked as repeated by the next request: what is written to a cache with
    /// explicit marks.
    pub marked: u64,
    /// Tokens of the marked part of the request before that this one begins with, in whole blocks.
    pub found: u64,
}

impl RequestSize {
    /// The size of a request that follows `before`, with a system text of `system` tokens.
    pub(super) fn new(
        before: Option<&[Message]>,
        messages: &[Message],
        system: u64,
        counter: &dyn TokenCounter,
    ) -> RequestSize {
        let mut size = RequestSize { system, ..RequestSize::default() };
        for (index, message) in messages.iter().enumerate() {
            let content = message.content();
            let stable = if index == 0 { message.stable_bytes() } else { 0 };
            let (prefix, rest) = content.split_at_checked(stable).unwrap_or((&content, ""));
            size.bytes += content.len();
            size.prefix += tokens(counter, prefix);
            let mut rest = rest;
            while let Some((before, section, behind)) = definitions(rest).filter(|_| message.role == Role::User) {
                size.history += tokens(counter, before);
                size.definitions += tokens(counter, section);
                rest = behind;
            }
            size.history += tokens(counter, rest);
        }
        size.tokens = size.system + size.prefix + size.history + size.definitions;
        let shared = before.map_or(0, |before| system + shared(before, messages, counter));
        size.shared = shared.min(size.tokens);
        let marks = |messages| blocks(messages).take_while(|(_, part)| part.repeats != Repeats::No);
        let count = |part: &Part| tokens(counter, &part.text);
        size.marked = system + marks(messages).map(|(_, part)| count(part)).sum::<u64>();
        size.found = before.map_or(0, |before| {
            let all = marks(before).count();
            let same = marks(before).zip(blocks(messages)).take_while(|(then, now)| then == now).count();
            // There is a mark after the stable beginning, and one at the end.
            let found = marks(before).take(same).filter(|(_, part)| same == all || part.is_stable());
            system + found.map(|(_, part)| count(part)).sum::<u64>()
        });
        size
    }
}

/// The text before the first `user/` section, the section, and the text after it.
fn definitions(text: &str) -> Option<(&str, &str, &str)> {
    let (before, section) = text.split_at_checked(text.find(USER_HEADER)?)?;
    let (section, behind) = section.split_at_checked(section.find("\n\n").unwrap_or(section.len()))?;
    Some((before, section, behind))
}

/// The parts of all messages, each with the role of its message.
fn blocks(messages: &[Message]) -> impl Iterator<Item = (Role, &Part)> {
    messages.iter().flat_map(|message| message.parts.iter().map(|part| (message.role, part)))
}

/// Tokens of the messages, and of part of a message, that are equal from the start.
fn shared(before: &[Message], now: &[Message], counter: &dyn TokenCounter) -> u64 {
    let (same, bytes) = common(before, now);
    let whole: u64 = now.iter().take(same).map(|message| tokens(counter, &message.content())).sum();
    let part = now.get(same).map_or(0, |message| tokens(counter, message.content().get(..bytes).unwrap_or_default()));
    whole + part
}

/// The tokens of a text, as sums over runs hold them.
pub(super) fn tokens(counter: &dyn TokenCounter, text: &str) -> u64 {
    counter.count(text) as u64
}
