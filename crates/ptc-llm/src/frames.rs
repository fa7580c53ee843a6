//! Fields of chat completions that the adapter does not read, or not safely: refusals, thoughts under rare names, and calls
//! in streams.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use genai::chat::{ChatOptions, ToolCall};
use ptc_chat::{Reply, StopReason};
use serde_json::Value;

use crate::provider::MAX_REPLY;

/// The divisor of the counted length of frames when the adapter itself keeps calls, thoughts and the rest: most frames
/// are small pieces with much around them.
const PART: usize = 4;

/// Fields of a message with its thoughts, besides those that the adapter reads.
const THOUGHTS: [&str; 4] = ["thinking", "thoughts", "reasoning_text", "thinking_content"];

/// Collects from the frames of one stream what the adapter leaves.
#[derive(Default)]
pub(crate) struct Frames {
    heard: Arc<Mutex<Heard>>,
}

#[derive(Default)]
struct Heard {
    refusal: String,
    thoughts: String,
    /// By their index, which the server chooses: the adapter would allocate that many calls.
    calls: BTreeMap<u64, ToolCall>,
    /// Bytes of all arguments, of the refusal and of thoughts kept here, or a part of all frames.
    length: usize,
}

impl Frames {
    /// Registers a callback that collects. Calls are left to it where `takes_calls`.
    pub(crate) fn listen(&self, options: ChatOptions, takes_calls: bool) -> ChatOptions {
        let heard = self.heard.clone();
        let options = if takes_calls { options.with_capture_tool_calls(false) } else { options };
        options.with_raw_frame_fn(move |_, frame| {
            if !takes_calls {
                heard.lock().unwrap_or_else(PoisonError::into_inner).length += frame.data.len() / PART;
            }
            // Most frames have no such field, or null in it, and need not be parsed twice. `tool_calls` is also a stop
            // reason.
            let has = |field: &str| {
                let mut after =
                    frame.data.match_indices(field).filter_map(|(at, _)| frame.data.get(at + field.len()..));
                let is_between = |c: char| c == ':' || c.is_whitespace();
                after.any(|rest| rest.trim_start_matches(is_between).starts_with(['"', '[']))
            };
            let has_calls = takes_calls && has("\"tool_calls\"");
            let has_thoughts = THOUGHTS.iter().any(|field| has(&format!("\"{field}\"")));
            if !has_calls && !has_thoughts && !has("\"refusal\"") {
                return;
            }
            let Some(json) = frame.json() else { return };
            let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
            // The adapter may keep reading for a while: nothing further is kept.
            if heard.length > MAX_REPLY {
                return;
            }
            if let Some(said) = said(&json, "/choices/0/delta/refusal") {
                heard.refusal.push_str(said);
                heard.length += said.len();
            }
            if has_thoughts && let Some(thoughts) = thoughts(&json, "/choices/0/delta") {
                heard.thoughts.push_str(thoughts);
                heard.length += thoughts.len();
            }
            if has_calls && let Some(calls) = json.pointer("/choices/0/delta/tool_calls").and_then(Value::as_array) {
                calls.iter().for_each(|call| heard.call(call));
            }
        })
    }

    /// Bytes of the calls and the refusal so far; where the adapter takes the calls, a part of all frames.
    pub(crate) fn length(&self) -> usize {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).length
    }

    /// The calls, by their indices.
    pub(crate) fn calls(&self) -> Vec<ToolCall> {
        let calls = std::mem::take(&mut self.heard.lock().unwrap_or_else(PoisonError::into_inner).calls);
        calls.into_values().collect()
    }

    /// The reply with what the adapter did not read, or the refusal if there was one.
    pub(crate) fn or_refusal(&self, reply: Reply) -> Reply {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let reply = with_thoughts(&heard.thoughts, reply);
        if heard.refusal.is_empty() { reply } else { refused(&heard.refusal, reply) }
    }
}

impl Heard {
    /// A call, or the next piece of one.
    fn call(&mut self, piece: &Value) {
        let Some(function) = piece.get("function") else { return };
        let text = |of: &Value, key: &str| match of.get(key) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        let (id, name, arguments) = (text(piece, "id"), text(function, "name"), text(function, "arguments"));
        let index = piece.get("index").and_then(Value::as_u64).unwrap_or_else(|| {
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
}

/// The reply with what the adapter did not read, or the refusal that is in the body next to it.
pub(crate) fn or_refusal(body: &Value, reply: Reply) -> Reply {
    let reply = with_thoughts(thoughts(body, "/choices/0/message").unwrap_or_default(), reply);
    match said(body, "/choices/0/message/refusal") {
        Some(words) => refused(words, reply),
        None => reply,
    }
}

/// The thoughts in a message, under a name that the adapter does not know.
fn thoughts<'a>(json: &'a Value, message: &str) -> Option<&'a str> {
    let message = json.pointer(message)?;
    THOUGHTS.iter().find_map(|field| message.get(field)?.as_str()).filter(|text| !text.is_empty())
}

fn with_thoughts(thoughts: &str, reply: Reply) -> Reply {
    let told = Some(thoughts.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
    Reply { reasoning: reply.reasoning.or(told), ..reply }
}

fn said<'a>(json: &'a Value, place: &str) -> Option<&'a str> {
    json.pointer(place)?.as_str().filter(|words| !words.is_empty())
}

fn refused(words: &str, reply: Reply) -> Reply {
    Reply { content: words.to_owned(), stop: StopReason::Refusal, ..reply }
}
