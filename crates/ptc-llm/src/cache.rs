//! Where the cacheable parts of a request end.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use ptc_chat::{Message, Repeats, Request, Role};
use serde_json::{Value, json};

use crate::adapter::Caching;
use crate::spec::Target;
use crate::tools;

/// How a provider learns what is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marks {
    /// It finds out on its own, or caching was not requested.
    None,
    /// By a mark on a message, which the adapter writes.
    Messages,
    /// By a mark that the adapter cannot write: the field `messages` is replaced.
    Field,
}

/// Providers without explicit marks find repeated prefixes on their own, which works as well: the prefix is the same
/// bytes.
pub(crate) fn marks(request: &Request, target: &Target) -> Marks {
    match target.row().caching {
        Caching::Marks(models) if request.cache && models.include(&target.model) => Marks::Messages,
        Caching::Field(models) if request.cache && models.include(&target.model) => Marks::Field,
        _ => Marks::None,
    }
}

/// A message, or a piece of it sent as a separate block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block<'a> {
    pub text: Cow<'a, str>,
    repeats: Repeats,
    /// Whether a mark follows it.
    pub marked: bool,
}

impl<'a> Block<'a> {
    fn new(text: impl Into<Cow<'a, str>>, repeats: Repeats) -> Self {
        Block { text: text.into(), repeats, marked: false }
    }
}

/// The blocks of each message; without marks each message is one.
///
/// Cached text is found again at the end of a block. Text that the next request repeats is therefore cut there in the
/// same way: into the stable beginning of a user message, each repeated part, and the rest.
pub(crate) fn blocks(messages: &[Message], marks: bool) -> Vec<Vec<Block<'_>>> {
    if !marks {
        return messages.iter().map(|message| vec![Block::new(message.content(), Repeats::No)]).collect();
    }
    // Nothing is repeated for longer than the text before it.
    let mut reach = Repeats::Run;
    let mut blocks: Vec<Vec<Block<'_>>> = messages.iter().map(|message| cut(message, &mut reach)).collect();
    mark(messages, &mut blocks);
    blocks
}

fn cut<'a>(message: &'a Message, reach: &mut Repeats) -> Vec<Block<'a>> {
    let parts = message.parts.iter().filter(|part| !part.text.is_empty());
    if message.role != Role::User {
        *reach = parts.map(|part| part.repeats).fold(*reach, Repeats::max);
        return vec![Block::new(message.content(), *reach)];
    }
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for part in parts {
        *reach = part.repeats.max(*reach);
        match blocks.last_mut().filter(|last| last.repeats == *reach && *reach != Repeats::Next) {
            Some(last) => last.text.to_mut().push_str(&part.text),
            None => blocks.push(Block::new(&*part.text, *reach)),
        }
    }
    if blocks.is_empty() { vec![Block::new("", Repeats::No)] } else { blocks }
}

/// One mark ends the stable beginning, and one the text that the next request repeats. Another is one block before
/// that, where the previous request had its last mark: some providers search their cache only at marks, others only a
/// few blocks back. With the mark after the system text there are four, the maximum of providers.
///
/// Answers of the model have none, because not every provider accepts them there, and an empty text cannot have one.
fn mark(messages: &[Message], blocks: &mut [Vec<Block<'_>>]) {
    let following = messages.iter().skip(1).map(|message| message.role == Role::Tool).chain([false]);
    let bears = |role: Role, followed: bool| role == Role::User || role == Role::Tool && !followed;
    let bearers =
        messages.iter().zip(following).zip(blocks).filter(|((message, followed), _)| bears(message.role, *followed));
    let (mut stable, mut repeated) = (None, Vec::new());
    for block in bearers.flat_map(|(_, blocks)| blocks).filter(|block| !block.text.is_empty()) {
        match block.repeats {
            Repeats::Run => stable = Some(block),
            Repeats::Next => repeated.push(block),
            Repeats::No => {}
        }
    }
    for block in stable.into_iter().chain(repeated.into_iter().rev().take(2)) {
        block.marked = true;
    }
}

/// The messages in the format of chat completions, with marks as OpenRouter passes them on to Anthropic.
pub(crate) fn marked_messages(request: &Request) -> Value {
    let system = Some(&*request.system).filter(|text| !text.is_empty());
    let system = system.map(|text| json!({"role": "system", "content": [piece(text, true)]}));
    let messages = request.messages.iter().zip(blocks(&request.messages, true));
    let messages = messages.map(|(message, blocks)| match message.role {
        Role::Assistant => tools::asked_field(message),
        Role::Tool => json!({"role": "tool", "tool_call_id": message.call_id, "content": content(&blocks)}),
        _ => json!({"role": "user", "content": content(&blocks)}),
    });
    system.into_iter().chain(messages).collect()
}

fn content(blocks: &[Block<'_>]) -> Value {
    match blocks {
        [Block { text, marked: false, .. }] => json!(text),
        several => several.iter().map(|block| piece(&block.text, block.marked)).collect(),
    }
}

fn piece(text: &str, marked: bool) -> Value {
    let mut piece = json!({"type": "text", "text": text});
    if let (true, Some(fields)) = (marked, piece.as_object_mut()) {
        fields.insert("cache_control".to_owned(), json!({"type": "ephemeral"}));
    }
    piece
}
