//! The JSON Lines that replay files are made of, read and written in one place.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::{LlmError, LlmErrorKind, Reply, StopReason, Tokens, ToolUse};

/// One answer and the agent that it is meant for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub(crate) agent: Audience,
    /// The fingerprint of the request that it answers, if it says so.
    pub(crate) request: Option<String>,
    pub(crate) answer: Result<Reply, LlmError>,
}

impl Line {
    /// What the model said, or why it could not be asked; a refusal is an error.
    pub(crate) fn into_answer(self) -> Result<Reply, LlmError> {
        self.answer?.unless_refused()
    }
}

/// The recipient of a recorded answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Audience {
    /// The line names no agent.
    Anyone,
    /// The line names an agent; `None`, written `null`, is the agent that was started from outside.
    Agent(Option<String>),
}

impl Audience {
    pub(crate) fn includes(&self, agent: Option<&str>) -> bool {
        match self {
            Audience::Anyone => true,
            Audience::Agent(name) => name.as_deref() == agent,
        }
    }
}

const FORMS: &str = r#"write {"content":"…"} or {"error":{"status":429,"message":"…"}}"#;

/// Reads one line; the message says what is wrong with it.
pub(crate) fn read(text: &str) -> Result<Line, String> {
    if let Some(kind) = other_kind(text) {
        return Err(format!("expected a JSON object, found {kind}; {FORMS}"));
    }
    let wire: Wire =
        serde_json::from_str(text).map_err(|error| format!("it is not a JSON answer ({error}); {FORMS}"))?;
    let agent = wire.agent.map_or(Audience::Anyone, Audience::Agent);
    let answer = match (wire.content, wire.error) {
        (Some(content), None) => Ok(Reply {
            content,
            reasoning: wire.reasoning,
            tool_calls: wire.tool_calls,
            stop: wire.stop.unwrap_or_default(),
            tokens: wire.usage,
        }),
        (None, Some(error)) => Err(error.into_error()?),
        (Some(_), Some(_)) => return Err("it has both `content` and `error`; keep one".to_owned()),
        (None, None) => {
            return Err(format!("it has neither `content` nor `error`; {FORMS}"));
        }
    };
    Ok(Line { agent, request: wire.request, answer })
}

/// The keys of a line that are ignored.
pub(crate) fn ignored(text: &str) -> Vec<String> {
    const KNOWN: [&str; 8] = ["agent", "request", "content", "error", "reasoning", "tool_calls", "stop", "usage"];
    let keys: Option<BTreeMap<String, IgnoredAny>> = serde_json::from_str(text).ok();
    keys.into_iter().flatten().map(|(key, _)| key).filter(|key| !KNOWN.contains(&key.as_str())).collect()
}

/// The kind of a line of JSON that is not an object.
fn other_kind(text: &str) -> Option<&'static str> {
    if text.trim_start().starts_with('{') {
        return None;
    }
    match serde_json::from_str(text).ok()? {
        Value::Object(_) => None,
        Value::String(_) => Some("a text"),
        Value::Array(_) => Some("a list"),
        Value::Number(_) => Some("a number"),
        Value::Bool(_) | Value::Null => Some("a single word"),
    }
}

/// The line of a replay file for an answer to this agent, without the line break; with the
/// [`fingerprint`](crate::fingerprint()) of its request it answers that one before others.
pub fn write(
    agent: Option<&str>,
    request: Option<&str>,
    answer: &Result<Reply, LlmError>,
) -> Result<String, serde_json::Error> {
    let (agent, request) = (Some(agent.map(str::to_owned)), request.map(str::to_owned));
    let mut wire = Wire { agent, request, ..Wire::default() };
    match answer {
        Ok(reply) => {
            wire.content = Some(reply.content.clone());
            wire.reasoning.clone_from(&reply.reasoning);
            wire.tool_calls.clone_from(&reply.tool_calls);
            wire.stop = Some(reply.stop.clone()).filter(|stop| *stop != StopReason::End);
            wire.usage = reply.tokens;
        }
        Err(error) => wire.error = Some(WireError::of(error)),
    }
    serde_json::to_string(&wire)
}

#[derive(Default, Serialize, Deserialize)]
struct Wire {
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    agent: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<WireError>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reasoning: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<ToolUse>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stop: Option<StopReason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    usage: Option<Tokens>,
}

/// Distinguishes `"agent": null` from no agent at all.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

#[derive(Serialize, Deserialize)]
struct WireError {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// Only for errors whose status does not classify them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(default)]
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<u64>,
}

impl WireError {
    fn of(error: &LlmError) -> Self {
        let by_status = error.status.map(|status| LlmError::from_status(status, "").kind);
        WireError {
            status: error.status,
            kind: (by_status != Some(error.kind)).then(|| error.kind.as_str().to_owned()),
            message: error.message.clone(),
            retry_after_ms: error.retry_after.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)),
        }
    }

    fn into_error(self) -> Result<LlmError, String> {
        let kind = match self.kind.as_deref().map(|name| (name, LlmErrorKind::from_name(name))) {
            Some((name, None)) => return Err(unknown_kind(name)),
            Some((_, kind)) => kind,
            None => None,
        };
        let mut error = match self.status {
            Some(status) => LlmError::from_status(status, self.message),
            None => LlmError::new(LlmErrorKind::Unknown, self.message),
        };
        error.kind = kind.unwrap_or(error.kind);
        error.retry_after = self.retry_after_ms.map(Duration::from_millis);
        Ok(error)
    }
}

fn unknown_kind(name: &str) -> String {
    let name = Value::from(name);
    format!("the error kind {name} is not known; leave `kind` out and give the HTTP `status`")
}
