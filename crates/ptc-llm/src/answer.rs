//! The adapters' answers in our words.

use genai::chat::{ChatResponse, MessageContent, StreamEnd, Usage};
use ptc_chat::{Reply, StopReason, Tokens, ToolUse};

pub(crate) fn from_response(response: ChatResponse) -> Reply {
    reply(response.content, response.reasoning_content, response.stop_reason, Some(response.usage))
}

pub(crate) fn from_stream(end: StreamEnd) -> Reply {
    let content = end.captured_content.unwrap_or_default();
    reply(content, end.captured_reasoning_content, end.captured_stop_reason, end.captured_usage)
}

fn reply(content: MessageContent, reasoning: Option<String>, stop: Option<genai::chat::StopReason>, usage: Option<Usage>) -> Reply {
    let tool_calls = content.tool_calls().into_iter().map(tool_call).collect();
    Reply {
        content: content.into_texts().concat(),
        reasoning: reasoning.filter(|text| !text.trim().is_empty()),
        tool_calls,
        stop: stop.map(stop_reason).unwrap_or_default(),
        tokens: usage.as_ref().and_then(tokens),
    }
}

fn tool_call(call: &genai::chat::ToolCall) -> ToolUse {
    ToolUse::new(&call.call_id, &call.fn_name, call.fn_arguments.clone())
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
