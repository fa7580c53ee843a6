//! Our request in the adapters' words.

use genai::adapter::AdapterKind;
use genai::chat::{CacheControl, ChatMessage, ChatOptions, ChatRequest, ChatResponseFormat, JsonSpec};
use ptc_chat::{Message, Request, Role};
use serde_json::{Map, Value};

use crate::spec::{Place, Target};

/// Messages, with cache marks where the provider wants them explicit.
pub(crate) fn chat_request(request: &Request, target: &Target) -> ChatRequest {
    let marked = request.cache && target.adapter == AdapterKind::Anthropic;
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        let system = ChatMessage::system(&*request.system);
        messages.push(if marked { system.with_options(CacheControl::Ephemeral) } else { system });
    }
    for message in &request.messages {
        if marked { push_marked(&mut messages, message) } else { messages.push(plain(message.role, message.content())) }
    }
    ChatRequest::new(messages)
}

/// The stable head becomes a message of its own, so that the mark stands right behind it.
fn push_marked(messages: &mut Vec<ChatMessage>, message: &Message) {
    let content = message.content();
    let (stable, changing) = content.split_at_checked(message.stable_bytes()).unwrap_or(("", &content));
    if !stable.is_empty() {
        messages.push(plain(message.role, stable).with_options(CacheControl::Ephemeral));
    }
    if !changing.is_empty() || stable.is_empty() {
        messages.push(plain(message.role, changing));
    }
}

fn plain(role: Role, content: impl Into<String>) -> ChatMessage {
    let content: String = content.into();
    match role {
        Role::Assistant => ChatMessage::assistant(content),
        _ => ChatMessage::user(content),
    }
}

/// How to sample, and what to capture from a stream.
pub(crate) fn chat_options(request: &Request, target: &Target) -> ChatOptions {
    let wanted = &request.options;
    let mut options = ChatOptions::default()
        .with_max_tokens(wanted.max_output_tokens)
        .with_stop_sequences(wanted.stop.clone())
        .with_normalize_reasoning_content(true)
        .with_capture_usage(true)
        .with_capture_content(true)
        .with_capture_reasoning_content(true)
        .with_capture_tool_calls(true);
    options.temperature = wanted.temperature;
    options.seed = wanted.seed;
    options.reasoning_effort = wanted.reasoning_effort.map(reasoning_effort);
    options.response_format = request.schema.as_ref().map(|schema| ChatResponseFormat::JsonSpec(JsonSpec::new("answer", schema.clone())));
    let extra = extra_body(request, target);
    if !extra.is_empty() {
        options.extra_body = Some(Value::Object(extra));
    }
    options
}

fn reasoning_effort(effort: ptc_chat::ReasoningEffort) -> genai::chat::ReasoningEffort {
    match effort {
        ptc_chat::ReasoningEffort::None => genai::chat::ReasoningEffort::Zero,
        ptc_chat::ReasoningEffort::Minimal => genai::chat::ReasoningEffort::Minimal,
        ptc_chat::ReasoningEffort::Low => genai::chat::ReasoningEffort::Low,
        ptc_chat::ReasoningEffort::High => genai::chat::ReasoningEffort::High,
        ptc_chat::ReasoningEffort::Max => genai::chat::ReasoningEffort::Max,
        _ => genai::chat::ReasoningEffort::Medium,
    }
}

/// Fields merged into the body last: ours, then what the agent's options ask for.
fn extra_body(request: &Request, target: &Target) -> Map<String, Value> {
    let mut extra = Map::new();
    if matches!(target.place, Place::Server { .. }) && request.options.reasoning_effort.is_none() {
        // A name like `qwen3-max` would be taken for `qwen3` with an effort; a server knows its models by full name.
        let (effort, _) = genai::chat::ReasoningEffort::from_model_name(&target.model);
        if effort.is_some() {
            extra.insert("model".to_owned(), Value::from(target.model.as_str()));
            extra.insert("reasoning_effort".to_owned(), Value::Null);
        }
    }
    let claude = target.model.contains("claude");
    if request.cache && claude && target.adapter == AdapterKind::OpenRouter {
        extra.insert("cache_control".to_owned(), serde_json::json!({"type": "ephemeral"}));
    }
    extra.extend(request.options.extra.clone());
    extra
}
