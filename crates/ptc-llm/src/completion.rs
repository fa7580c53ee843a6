//! What an answer in the shape of chat completions holds, whole or in the pieces of a stream.
//!
//! It is read here and not by the adapter, which loses fields, types of content and events that servers send in practice.

use std::collections::BTreeMap;

use genai::chat::{ContentPart, MessageContent, StopReason, ToolCall, Usage};
use ptc_chat::{LlmError, Reply};
use serde_json::Value;

use crate::provider::MAX_REPLY;
use crate::spec::Target;
use crate::{answer, failure};

/// Fields of a message with its thoughts; the first that has any counts.
const THOUGHTS: [&str; 6] =
    ["reasoning_content", "reasoning", "thinking", "thoughts", "reasoning_text", "thinking_content"];
/// Where usage is, after the usual place.
const USAGE: [&str; 2] = ["/usage", "/x_groq/usage"];
/// Names of events that only keep a connection open.
const PINGS: [&str; 4] = ["ping", "keepalive", "keep-alive", "heartbeat"];
/// The data of the last event.
const DONE: &str = "[DONE]";

/// An answer as far as it was read.
#[derive(Default)]
pub(crate) struct Completion {
    pub(crate) text: String,
    thoughts: String,
    /// Blocks of thoughts that go back with the calls after them, from an answer in one piece.
    blocks: Vec<Value>,
    refusal: String,
    /// By their index, which the server chooses: the adapter would allocate that many calls.
    calls: BTreeMap<u64, ToolCall>,
    stop: Option<String>,
    usage: Option<Usage>,
    error: Option<Value>,
    /// What is wrong with a piece that has no answer.
    flaw: Option<Flaw>,
    has_choice: bool,
    /// Whether it came as a stream, and whether that had its end.
    is_stream: bool,
    is_done: bool,
    /// Bytes of all that is kept.
    pub(crate) length: usize,
}

/// Why there is no answer.
#[derive(Clone, Copy)]
enum Flaw {
    /// A gateway lost it; another attempt may have it.
    Lost(&'static str),
    /// The server speaks something else.
    Foreign(&'static str),
}

impl Completion {
    /// The answer in a body that is JSON, whatever its content type says, or a stream although none was asked for; `None`
    /// for other texts.
    pub(crate) fn of_text(text: &str) -> Option<Completion> {
        let text = text.trim_start_matches('\u{feff}').trim();
        let mut found = Completion::default();
        if let Ok(body) = serde_json::from_str::<Value>(text) {
            found.read(&body);
            return body.is_object().then_some(found);
        }
        found.is_stream = true;
        let is_event = |line: &str| line.starts_with("data:") || line.starts_with("event:") || line.starts_with(':');
        let first = text.lines().next().unwrap_or_default();
        if !is_event(first) {
            return (first.starts_with('{') && found.event(None, text)).then_some(found);
        }
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let all_read = text.split("\n\n").all(|event| {
            let field =
                |name: &'static str| event.lines().filter_map(move |line| Some(line.strip_prefix(name)?.trim()));
            found.event(field("event:").next(), &field("data:").collect::<Vec<_>>().join("\n"))
        });
        all_read.then_some(found)
    }

    /// Reads the data of an event of a stream; whether it could be read.
    pub(crate) fn event(&mut self, name: Option<&str>, data: &str) -> bool {
        let data = data.trim();
        if data.is_empty() || data.starts_with(':') {
            return true;
        }
        if data == DONE {
            self.is_done = true;
            return true;
        }
        match serde_json::from_str::<Value>(data) {
            // Some servers write the error itself into an event of this name.
            Ok(body) if name == Some("error") && body.get("error").is_none() => self.error = Some(body),
            Ok(body) => self.read(&body),
            Err(_) if name.is_some_and(|name| PINGS.contains(&name)) => {}
            // Some servers separate events by one line end.
            Err(_) => return data.contains('\n') && data.lines().all(|line| self.event(name, line)),
        }
        true
    }

    /// Reads a whole answer, or a piece of one.
    pub(crate) fn read(&mut self, body: &Value) {
        // A server may send for as long as it is read: nothing further is kept.
        if self.length > MAX_REPLY {
            return;
        }
        let mut errors = ["/error", "/choices/0/error"].iter().filter_map(|place| body.pointer(place));
        self.error = errors.find(|error| !error.is_null()).cloned().or(self.error.take());
        let usage = USAGE.iter().find_map(|place| usage(body.pointer(place)?));
        self.usage = usage.or(self.usage.take());
        let Some(choice) = body.pointer("/choices/0").filter(|choice| choice.is_object()) else {
            self.flaw = self.flaw.or(Some(no_choice(body)));
            return;
        };
        if let Some(stop) = said(choice, "finish_reason") {
            self.stop = Some(stop.to_owned());
        }
        let is_piece = choice.get("delta").is_some_and(Value::is_object);
        match choice.get(if is_piece { "delta" } else { "message" }).filter(|message| message.is_object()) {
            Some(message) => self.message(message, is_piece),
            None => match choice.get("text").and_then(Value::as_str) {
                Some(text) => self.say(text),
                None => {
                    let is_null = ["message", "delta"].iter().any(|key| choice.get(key).is_some_and(Value::is_null));
                    let flaw =
                        if is_null { Flaw::Lost("its `message` is empty") } else { no_choice(&Value::Bool(true)) };
                    self.flaw = self.flaw.or(Some(flaw));
                }
            },
        }
    }

    fn message(&mut self, message: &Value, is_piece: bool) {
        self.has_choice = true;
        match message.get("content") {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => self.say(text),
            Some(Value::Array(parts)) => parts.iter().for_each(|part| self.part(part)),
            Some(_) => self.flaw = Some(Flaw::Foreign("the `content` of its message is not text")),
        }
        match THOUGHTS.iter().find_map(|field| said(message, field)) {
            Some(thoughts) => self.think(thoughts),
            None => self.details(message, is_piece),
        }
        if let Some(words) = said(message, "refusal") {
            self.refusal.push_str(words);
            self.length += words.len();
        }
        let calls = message.get("tool_calls").and_then(Value::as_array);
        calls.into_iter().flatten().for_each(|call| self.call(call, is_piece));
        if let (false, Some(Value::Array(blocks))) = (is_piece, message.get("reasoning_details")) {
            self.blocks.extend(blocks.iter().filter(|block| block.is_object()).cloned());
        }
    }

    fn say(&mut self, text: &str) {
        self.has_choice = true;
        self.text.push_str(text);
        self.length += text.len();
    }

    fn think(&mut self, thoughts: &str) {
        self.thoughts.push_str(thoughts);
        self.length += thoughts.len();
    }

    /// A part of content that is a list: text, or thoughts as text or as a list of texts.
    fn part(&mut self, part: &Value) {
        match part.get("thinking") {
            Some(Value::Array(inner)) => {
                inner.iter().filter_map(|part| said(part, "text")).for_each(|text| self.think(text))
            }
            Some(Value::String(text)) => self.think(text),
            _ => said(part, "text").into_iter().for_each(|text| self.say(text)),
        }
    }

    /// The thoughts of a message that has them in blocks alone.
    fn details(&mut self, message: &Value, is_piece: bool) {
        let blocks = message.get("reasoning_details").and_then(Value::as_array);
        let texts: Vec<&str> = blocks
            .into_iter()
            .flatten()
            .filter_map(|block| said(block, "text").or_else(|| said(block, "summary")))
            .collect();
        self.think(&texts.join(if is_piece { "" } else { "\n" }));
    }

    /// A call, or the next piece of one.
    fn call(&mut self, piece: &Value, is_piece: bool) {
        let Some(function) = piece.get("function") else { return };
        let text = |of: &Value, key: &str| match of.get(key) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        let (id, name, arguments) = (text(piece, "id"), text(function, "name"), text(function, "arguments"));
        let index = piece.get("index").and_then(Value::as_u64).filter(|_| is_piece).unwrap_or_else(|| {
            // Servers that send each call in one piece may leave the number out.
            let last = self.calls.keys().next_back().copied();
            last.map_or(0, |last| if name.is_empty() { last } else { last + 1 })
        });
        self.length += id.len() + name.len() + arguments.len() + size_of::<ToolCall>();
        let call = self.calls.entry(index).or_insert_with(|| ToolCall {
            call_id: format!("call_{index}"),
            fn_name: String::new(),
            fn_arguments: Value::String(String::new()),
            thought_signatures: None,
        });
        if let Value::String(written) = &mut call.fn_arguments {
            written.push_str(&arguments);
        }
        if !name.is_empty() {
            call.fn_name = name;
            if !id.is_empty() {
                call.call_id = id;
            }
        }
    }

    /// Whether the model said that it has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.is_done || self.stop.is_some() || self.error.is_some()
    }

    /// The reply, or why there is none; `usage` as the adapter read it.
    pub(crate) fn into_reply(self, usage: Option<Usage>, target: &Target, place: &str) -> Result<Reply, LlmError> {
        let is_empty = [&self.text, &self.thoughts, &self.refusal].iter().all(|text| text.trim().is_empty());
        let has_failed = self.stop.as_deref() == Some("error");
        if (is_empty && self.calls.is_empty()) || has_failed {
            if let Some(error) = &self.error {
                return Err(failure::in_answer(error, place));
            }
            if has_failed {
                return Err(failure::broken("its model stopped with an error", place));
            }
            match self.flaw {
                Some(Flaw::Foreign(why)) => return Err(failure::unreadable(why, place)),
                Some(Flaw::Lost(why)) if !self.has_choice => return Err(failure::broken(why, place)),
                _ => {}
            }
        }
        if self.is_stream && !self.has_ended() {
            return Err(failure::broken(failure::BROKE_OFF, place));
        }
        if !self.refusal.is_empty() {
            let reply = Reply { stop: ptc_chat::StopReason::Refusal, ..Reply::text(self.refusal) };
            return Ok(reply);
        }
        let mut content = MessageContent::default();
        self.blocks.into_iter().for_each(|block| content.push(ContentPart::from_custom(block, None)));
        content.push(ContentPart::Text(self.text.trim().to_owned()));
        self.calls.into_values().for_each(|call| content.push(ContentPart::ToolCall(call)));
        let thoughts = Some(self.thoughts.trim().to_owned());
        let stop = self.stop.map(StopReason::from);
        Ok(answer::reply(content, thoughts, stop, usage.or(self.usage), target))
    }
}

/// What is wrong with a body that has no choice.
fn no_choice(body: &Value) -> Flaw {
    let choices = body.get("choices");
    if choices.is_some_and(|choices| choices.is_null() || choices.as_array().is_some_and(Vec::is_empty)) {
        return Flaw::Lost("its `choices` are empty");
    }
    if body.is_null() || body.as_object().is_some_and(serde_json::Map::is_empty) {
        return Flaw::Lost("it holds nothing");
    }
    Flaw::Foreign("it has no `choices` with a `message`")
}

/// Usage that counts something.
fn usage(found: &Value) -> Option<Usage> {
    let usage = serde_json::from_value::<Usage>(found.clone()).ok()?;
    usage.prompt_tokens.or(usage.completion_tokens)?;
    Some(usage)
}

fn said<'a>(of: &'a Value, key: &str) -> Option<&'a str> {
    of.get(key)?.as_str().filter(|words| !words.is_empty())
}
