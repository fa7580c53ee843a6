//! Requests to models as lines of JSON.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::{Message, Request, Role, ToolDefinition, ToolUse};

/// The line of a request, without the line break:
/// `{"turn","attempt","agent"?,"system","messages":[{"role","content","stable_bytes","tool_calls"?,"call_id"?}],
/// "tool_names","tools"?,"schema"?,"cache"}`; `stable_bytes` is the length of the leading part of `content` that every
/// request repeats.
pub fn request_line(request: &Request) -> serde_json::Result<String> {
    serde_json::to_string(&RequestLine::of(request))
}

#[derive(Serialize)]
struct RequestLine<'a> {
    turn: u32,
    attempt: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<&'a str>,
    system: &'a str,
    messages: Vec<MessageLine<'a>>,
    tool_names: &'a [String],
    #[serde(skip_serializing_if = "<[ToolDefinition]>::is_empty")]
    tools: &'a [ToolDefinition],
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<&'a Value>,
    cache: bool,
}

#[derive(Serialize)]
struct MessageLine<'a> {
    role: Role,
    content: Cow<'a, str>,
    stable_bytes: usize,
    #[serde(skip_serializing_if = "<[ToolUse]>::is_empty")]
    tool_calls: &'a [ToolUse],
    #[serde(skip_serializing_if = "Option::is_none")]
    call_id: Option<&'a str>,
}

impl<'a> RequestLine<'a> {
    fn of(request: &'a Request) -> Self {
        RequestLine {
            turn: request.turn,
            attempt: request.attempt,
            agent: request.agent.as_deref(),
            system: &request.system,
            messages: request.messages.iter().map(MessageLine::of).collect(),
            tool_names: &request.tool_names,
            tools: &request.tools,
            schema: request.schema.as_deref(),
            cache: request.cache,
        }
    }
}

impl<'a> MessageLine<'a> {
    fn of(message: &'a Message) -> Self {
        MessageLine {
            role: message.role,
            content: message.content(),
            stable_bytes: message.stable_bytes(),
            tool_calls: message.tool_calls(),
            call_id: message.call_id.as_deref(),
        }
    }
}
