//! Messages of servers that cannot be read: an answer among them becomes an error for its request, at once.

#[cfg(test)]
mod tests;

use rmcp::model::{
    ErrorCode, ErrorData, JsonRpcMessage, JsonRpcResponse, RequestId, ServerJsonRpcMessage, ServerResult, Tool,
};
use rmcp::transport::streamable_http_client::StreamableHttpResponseLimits;
use serde::Deserialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;

/// The code of errors that are made here: the server has answered, so the call was made.
pub(crate) const UNREADABLE: ErrorCode = ErrorCode(i32::MIN);

/// The code of the error in place of an answer that refuses the token: the call was not made.
pub(crate) const UNAUTHORIZED: ErrorCode = ErrorCode(i32::MIN + 1);

/// Bytes kept of a key or an id.
const MAX_WORD: usize = 256;

/// Bytes that a message may have: the same over standard streams as over HTTP.
pub(crate) fn max_message() -> usize {
    StreamableHttpResponseLimits::default().max_json_response_size
}

/// The message in a text, or an error in place of an answer that cannot be read. `None` for a text that is neither, such
/// as a line of a log.
pub(crate) fn message(text: &[u8]) -> Option<ServerJsonRpcMessage> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let read = read(text).or_else(|error| read(mended(&String::from_utf8_lossy(text)).as_bytes()).map_err(|_| error));
    read.map_or_else(
        |error| {
            let mut outline = Outline::default();
            outline.take(text);
            outline.refused(&error.to_string())
        },
        Some,
    )
}

/// A message, with the structured content of a result as it is written: a `serde_json::Value` rounds long integers, and
/// keeps one of two values of a key.
fn read(text: &[u8]) -> serde_json::Result<ServerJsonRpcMessage> {
    let mut message = serde_json::from_slice(text)?;
    let JsonRpcMessage::Response(JsonRpcResponse { result, .. }) = &mut message else { return Ok(message) };
    match result {
        ServerResult::CallToolResult(result) if result.structured_content.is_some() => {
            let written: Written<WrittenResult<'_>> = serde_json::from_slice(text)?;
            result.structured_content = Some(Json::from(written.result.structured.get()));
            result.meta.get_or_insert_default().insert(AS_WRITTEN.to_owned(), Json::Bool(true));
        }
        ServerResult::ListToolsResult(list) => {
            let written: Written<WrittenList> = serde_json::from_slice(text)?;
            for (tool, written) in list.tools.iter_mut().zip(written.result.tools) {
                mark_task(tool, written.execution.as_ref());
            }
        }
        _ => {}
    }
    Ok(message)
}

/// Mark a tool that its server runs only as a task: the library does not have its field `execution`.
pub(crate) fn mark_task(tool: &mut Tool, execution: Option<&Json>) {
    if execution.and_then(|how| how.get("taskSupport")).and_then(Json::as_str) == Some("required") {
        tool.meta.get_or_insert_default().insert(AS_TASK.to_owned(), Json::Bool(true));
    }
}

/// Whether a tool is marked so.
pub(crate) fn is_task(tool: &Tool) -> bool {
    tool.meta.as_ref().is_some_and(|meta| meta.contains_key(AS_TASK))
}

/// The key that marks a tool that is only called as a task.
const AS_TASK: &str = "ptc-runner/as-task";

/// The key that marks structured content that is a JSON text.
pub(crate) const AS_WRITTEN: &str = "ptc-runner/as-written";

#[derive(Deserialize)]
struct Written<R> {
    result: R,
}

#[derive(Deserialize)]
struct WrittenList {
    tools: Vec<WrittenTool>,
}

#[derive(Deserialize)]
struct WrittenTool {
    execution: Option<Json>,
}

#[derive(Deserialize)]
struct WrittenResult<'t> {
    #[serde(borrow, rename = "structuredContent")]
    structured: &'t RawValue,
}

/// The answer to a request when the real one cannot be read.
pub(crate) fn refused(id: RequestId, why: &str) -> ServerJsonRpcMessage {
    JsonRpcMessage::error(ErrorData::new(UNREADABLE, format!("its answer cannot be read: {why}"), None), Some(id))
}

/// The answer to a request whose token was refused.
pub(crate) fn unauthorized(id: RequestId, why: String) -> ServerJsonRpcMessage {
    JsonRpcMessage::error(ErrorData::new(UNAUTHORIZED, why, None), Some(id))
}

/// The answer to a request when the real one is too long.
pub(crate) fn too_long() -> String {
    format!("it has more than {} MB", max_message() >> 20)
}

/// The text with U+FFFD in place of each half of a surrogate pair: JavaScript cuts texts in the middle of a pair, writes
/// the half, and reads it again.
fn mended(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.find('\\').and_then(|at| rest.split_at_checked(at)) {
        mended.push_str(before);
        let (length, instead) = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (12, None),
            (Some(0xD800..=0xDFFF), _) => (6, Some("\\ufffd")),
            (Some(_), _) => (6, None),
            (None, _) => (2, None),
        };
        let (kept, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
        mended.push_str(instead.unwrap_or(kept));
        rest = after;
    }
    mended + rest
}

/// The unit of UTF-16 that a text begins with as an escape.
fn unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

/// What a text says at its top level about the request that it answers, even if it is not JSON or too long to be kept.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    depth: usize,
    in_text: bool,
    is_escaped: bool,
    /// The key or the value that is being read at the top level.
    word: Vec<u8>,
    key: Vec<u8>,
    id: Option<RequestId>,
    is_answer: bool,
}

impl Outline {
    /// Read on.
    pub fn take(&mut self, text: &[u8]) {
        for &byte in text {
            if self.depth == 1 && !byte.is_ascii_whitespace() && !matches!(byte, b',' | b':' | b'}') || self.in_text {
                self.push(byte);
            }
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.in_text => self.is_escaped = true,
                b'"' => self.in_text = !self.in_text,
                _ if self.in_text => {}
                b'{' | b'[' => self.depth += 1,
                b':' if self.depth == 1 => self.key = std::mem::take(&mut self.word),
                b',' if self.depth == 1 => self.end_entry(),
                b'}' | b']' => {
                    if self.depth == 1 {
                        self.end_entry();
                    }
                    self.depth = self.depth.saturating_sub(1);
                }
                _ => {}
            }
        }
    }

    /// An error in place of the answer; `None` if it is none.
    pub fn refused(self, why: &str) -> Option<ServerJsonRpcMessage> {
        self.id.filter(|_| self.is_answer).map(|id| refused(id, why))
    }

    fn push(&mut self, byte: u8) {
        if self.depth == 1 && self.word.len() < MAX_WORD {
            self.word.push(byte);
        }
    }

    fn end_entry(&mut self) {
        match std::mem::take(&mut self.key).as_slice() {
            b"\"id\"" => self.id = serde_json::from_slice(&self.word).ok(),
            b"\"result\"" | b"\"error\"" => self.is_answer = true,
            _ => {}
        }
        self.word.clear();
    }
}
