//! Logging requests to models.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::Value;

use crate::record::{unwritable, write_line};
use crate::{BoxFuture, ChunkSink, Llm, LlmError, Message, Reply, Request, Role, ToolDefinition, ToolUse};

/// Writes each request as a JSON line before passing it on.
///
/// A line is
/// `{"turn","attempt","agent"?,"system","messages":[{"role","content","stable_bytes","tool_calls"?,"call_id"?}],
/// "tool_names","tools"?,"schema"?,"cache"}`; `stable_bytes` is the length of the leading part of `content` that every
/// request repeats. A request that cannot be written is not sent: the call fails with `config_error`.
#[derive(Debug)]
pub struct RequestLog<L, W> {
    inner: L,
    out: Mutex<W>,
}

impl<L: Llm, W: Write + Send> RequestLog<L, W> {
    /// Logs the requests to `inner` to `out`, flushing after each line.
    pub fn new(inner: L, out: W) -> Self {
        RequestLog { inner, out: Mutex::new(out) }
    }

    /// The writer, with everything logged so far.
    pub fn into_writer(self) -> W {
        self.out.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn log(&self, request: &Request) -> io::Result<()> {
        write_line(&self.out, &request_line(request)?)
    }
}

/// The line of a request, without the line break, as [`RequestLog`] writes it.
pub fn request_line(request: &Request) -> serde_json::Result<String> {
    serde_json::to_string(&RequestLine::of(request))
}

impl<L: Llm, W: Write + Send> Llm for RequestLog<L, W> {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            self.log(request).map_err(|error| unwritable("the request", &error))?;
            self.inner.reply(request, chunks).await
        })
    }

    fn name(&self) -> &str {
        self.inner.name()
    }
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
