//! From the adapters' answers to our types.

use genai::chat::{ChatResponse, ContentPart, MessageContent, StreamEnd, ToolCall, Usage};
use ptc_chat::{LlmError, Reply, StopReason, Tokens, ToolUse, split_thoughts};
use serde_json::Value;

use crate::spec::Target;
use crate::{failure, frames, tools};

/// Some servers answer with status 200 and an error in the body, which adapters read as an empty answer.
pub(crate) fn from_response(response: ChatResponse, target: &Target, place: &str) -> Result<Reply, LlmError> {
    let body = response.captured_raw_body.unwrap_or_default();
    if response.content.is_empty()
        && let Some(error) = failure::reported(&body, place)
    {
        return Err(error);
    }
    if response.content.is_empty() && target.row().chat_completions {
        no_answer(&body, place).map_or(Ok(()), Err)?;
    }
    let reply = reply(response.content, response.reasoning_content, response.stop_reason, Some(response.usage), target);
    Ok(frames::or_refusal(&body, reply))
}

/// What is wrong with a body that the adapter reads as an empty answer. Gateways that lose the answer send the field for
/// it without one; other bodies are not those of a chat API.
fn no_answer(body: &Value, place: &str) -> Option<LlmError> {
    let choices = body.get("choices");
    if choices.is_some_and(|choices| choices.is_null() || choices.as_array().is_some_and(Vec::is_empty)) {
        return Some(failure::broken("its `choices` are empty", place));
    }
    let Some(message) = body.pointer("/choices/0/message") else {
        return Some(failure::unreadable("it has no `choices` with a `message`", place));
    };
    let is_odd = |key: &str, is_usual: fn(&Value) -> bool| {
        message.get(key).is_some_and(|value| !value.is_null() && !is_usual(value))
    };
    let is_text = |content: &Value| content.is_string() || content.is_array();
    is_odd("content", is_text).then(|| failure::unreadable("the `content` of its message is not text", place))
}

/// `calls`: those that were not left to the adapter.
pub(crate) fn from_stream(end: StreamEnd, calls: Vec<ToolCall>, target: &Target) -> Reply {
    let mut content = end.captured_content.unwrap_or_default();
    calls.into_iter().for_each(|call| content.push(ContentPart::ToolCall(call)));
    reply(content, end.captured_reasoning_content, end.captured_stop_reason, end.captured_usage, target)
}

fn reply(
    content: MessageContent,
    reasoning: Option<String>,
    stop: Option<genai::chat::StopReason>,
    usage: Option<Usage>,
    target: &Target,
) -> Reply {
    let reasoning = reasoning.filter(|text| !text.trim().is_empty());
    let tool_calls = tools::calls(&content, reasoning.as_deref(), target);
    let split = split_thoughts(&content.into_texts().concat());
    Reply {
        content: split.answer,
        reasoning: reasoning.or(split.thoughts),
        tool_calls,
        stop: stop.map(stop_reason).unwrap_or_default(),
        tokens: usage.as_ref().and_then(tokens),
    }
}

fn stop_reason(stop: genai::chat::StopReason) -> StopReason {
    match stop {
        genai::chat::StopReason::Completed(_) => StopReason::End,
        genai::chat::StopReason::MaxTokens(_) => StopReason::Length,
        genai::chat::StopReason::ToolCall(_) => StopReason::ToolCalls,
        genai::chat::StopReason::ContentFilter(_) => StopReason::Refusal,
        genai::chat::StopReason::StopSequence(_) => StopReason::StopSequence,
        genai::chat::StopReason::Other(text) => StopReason::Other(text),
    }
}

/// `None` when the provider said nothing; input already includes what was read from and written to the cache.
fn tokens(usage: &Usage) -> Option<Tokens> {
    usage.prompt_tokens.or(usage.completion_tokens)?;
    let details = usage.prompt_tokens_details.as_ref();
    Some(Tokens {
        input: count(usage.prompt_tokens),
        output: count(usage.completion_tokens),
        cached: count(details.and_then(|details| details.cached_tokens)),
        cache_write: count(details.and_then(|details| details.cache_creation_tokens)),
    })
}

fn count(tokens: Option<i32>) -> u64 {
    tokens.and_then(|tokens| u64::try_from(tokens).ok()).unwrap_or(0)
}

/// The reply in a body that the adapter gave up on because the arguments of a call are not JSON: the model must see
/// that; it is not a failure of the provider.
pub(crate) fn salvaged(error: &genai::Error) -> Option<Reply> {
    let genai::Error::ChatResponseGeneration { response_body: body, .. } = error else {
        return None;
    };
    let message = body.pointer("/choices/0/message")?;
    let calls: Option<Vec<ToolUse>> = message.get("tool_calls")?.as_array()?.iter().map(call).collect();
    let split = split_thoughts(message.get("content").and_then(Value::as_str).unwrap_or_default());
    let usage = body.get("usage").and_then(|usage| serde_json::from_value::<Usage>(usage.clone()).ok());
    Some(Reply {
        content: split.answer,
        reasoning: split.thoughts,
        tool_calls: calls?,
        stop: StopReason::ToolCalls,
        tokens: usage.as_ref().and_then(tokens),
    })
}

fn call(call: &Value) -> Option<ToolUse> {
    let function = call.get("function")?;
    let written = function.get("arguments").cloned().unwrap_or_default();
    Some(ToolUse::new(call.get("id")?.as_str()?, function.get("name")?.as_str()?, tools::arguments(written)))
}
