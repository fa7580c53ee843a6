//! From the adapters' answers to our types.

use genai::chat::{ChatResponse, MessageContent, StreamEnd, Usage};
use genai::webc;
use ptc_chat::{LlmError, Reply, StopReason, Tokens, split_thoughts};

use crate::completion::Completion;
use crate::spec::Target;
use crate::{failure, tools};

/// The reply in an answer that an adapter read.
pub(crate) fn from_response(response: ChatResponse, target: &Target, place: &str) -> Result<Reply, LlmError> {
    let body = response.captured_raw_body.unwrap_or_default();
    if target.row().chat_completions {
        let mut completion = Completion::default();
        completion.read(&body);
        return completion.into_reply(Some(response.usage).filter(|usage| tokens(usage).is_some()), target, place);
    }
    // Some servers answer with status 200 and an error in the body, which adapters read as an empty answer.
    if response.content.is_empty()
        && let Some(error) = failure::reported(&body, place)
    {
        return Err(error);
    }
    Ok(reply(response.content, response.reasoning_content, response.stop_reason, Some(response.usage), target))
}

/// The reply in a stream that an adapter read.
pub(crate) fn from_stream(end: StreamEnd, target: &Target) -> Reply {
    let content = end.captured_content.unwrap_or_default();
    reply(content, end.captured_reasoning_content, end.captured_stop_reason, end.captured_usage, target)
}

/// The answer in a body that the adapter gave up on: it is JSON under another content type, a stream that was not asked
/// for, or the arguments of a call are not JSON, which the model must see.
pub(crate) fn salvaged(error: &genai::Error) -> Option<Completion> {
    match error {
        genai::Error::ChatResponseGeneration { response_body: body, .. } => {
            let mut completion = Completion::default();
            completion.read(body);
            Some(completion)
        }
        genai::Error::WebModelCall {
            webc_error:
                webc::Error::ResponseFailedNotJson { body, .. } | webc::Error::ResponseFailedInvalidJson { body, .. },
            ..
        } => Completion::of_text(body),
        _ => None,
    }
}

pub(crate) fn reply(
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
