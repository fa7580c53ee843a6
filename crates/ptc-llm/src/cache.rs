//! Where the part of a request ends that a provider should cache.

#[cfg(test)]
mod tests;

use genai::adapter::AdapterKind;
use ptc_chat::{Message, Request, Role};
use serde_json::{Value, json};

use crate::spec::{Place, Target};
use crate::tools;

/// How a provider learns where the stable prefix ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marks {
    /// It finds out by itself, or caching was not asked for.
    None,
    /// By a mark on a message, which the adapter writes.
    Messages,
    /// By a mark that the adapter cannot write: the field `messages` is replaced.
    Field,
}

/// Providers without explicit marks find repeated prefixes by themselves, which is as good: the prefix is the same bytes.
pub(crate) fn marks(request: &Request, target: &Target) -> Marks {
    let is_claude = target.model.contains("claude");
    let hosted = matches!(target.place, Place::Provider { .. });
    match target.adapter {
        _ if !request.cache => Marks::None,
        AdapterKind::Anthropic => Marks::Messages,
        AdapterKind::Vertex if is_claude => Marks::Messages,
        AdapterKind::OpenAI if hosted && wants_marks(&target.model) => Marks::Messages,
        AdapterKind::OpenRouter if is_claude => Marks::Field,
        _ => Marks::None,
    }
}

/// OpenAI's models from GPT 5.6 on cache what is marked; the adapter then asks for nothing else.
pub(crate) fn wants_marks(model: &str) -> bool {
    let Some(version) = model.strip_prefix("gpt-") else {
        return false;
    };
    let mut numbers = version.split('-').next().unwrap_or_default().split('.');
    let mut number = |default| numbers.next().map_or(Some(default), |digits| digits.parse::<u32>().ok());
    matches!((number(0), number(0)), (Some(major), Some(minor)) if (major, minor) >= (5, 6))
}

/// The message in which the stable prefix ends, if one does: all before it is stable, and so is its head.
pub(crate) fn prefix_end(messages: &[Message]) -> Option<usize> {
    let wholly_stable = messages.iter().take_while(|message| message.parts.iter().all(|part| part.stable)).count();
    let ends_inside = messages.get(wholly_stable).is_some_and(|message| message.stable_bytes() > 0);
    if ends_inside { Some(wholly_stable) } else { wholly_stable.checked_sub(1) }
}

/// The text of a message, cut where its stable head ends.
pub(crate) fn cut(message: &Message) -> (String, String) {
    let content = message.content();
    let (stable, changing) = content.split_at_checked(message.stable_bytes()).unwrap_or(("", &content));
    (stable.to_owned(), changing.to_owned())
}

/// The messages in the words of chat completions, with marks as OpenRouter passes them on to Anthropic.
pub(crate) fn marked_messages(request: &Request) -> Value {
    let end = prefix_end(&request.messages);
    let system = Some(&*request.system).filter(|text| !text.is_empty());
    let system = system.map(|text| json!({"role": "system", "content": [marked(text)]}));
    let messages = request.messages.iter().enumerate().map(|(index, message)| match message.role {
        Role::Assistant => tools::asked_field(message),
        Role::Tool => json!({"role": "tool", "tool_call_id": message.call_id, "content": message.content()}),
        _ if end == Some(index) => json!({"role": "user", "content": pieces(message)}),
        _ => json!({"role": "user", "content": message.content()}),
    });
    system.into_iter().chain(messages).collect()
}

fn pieces(message: &Message) -> Vec<Value> {
    let (stable, changing) = cut(message);
    let changing = Some(changing).filter(|text| !text.is_empty()).map(|text| json!({"type": "text", "text": text}));
    std::iter::once(marked(&stable)).chain(changing).collect()
}

fn marked(text: &str) -> Value {
    json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}})
}
