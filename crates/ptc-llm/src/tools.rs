//! Native tool calling: definitions out, calls in, both back as history.

use genai::chat::{ChatMessage, ContentPart, MessageContent, Tool, ToolCall, ToolResponse};
use ptc_chat::{Message, ToolDefinition, ToolUse};
use serde_json::{Map, Value, json};

use crate::spec::Target;

/// What the model may call; `None` for nothing, because providers refuse an empty list.
pub(crate) fn definitions(tools: &[ToolDefinition]) -> Option<Vec<Tool>> {
    let definition = |tool: &ToolDefinition| {
        let defined = Tool::new(tool.name.as_str()).with_schema(tool.parameters.clone());
        if tool.description.is_empty() { defined } else { defined.with_description(&tool.description) }
    };
    (!tools.is_empty()).then(|| tools.iter().map(definition).collect())
}

/// The calls in an answer. The first one keeps the thoughts before them, because some providers accept the calls back
/// only together with the thoughts.
pub(crate) fn calls(content: &MessageContent, reasoning: Option<&str>, target: &Target) -> Vec<ToolUse> {
    let thoughts = thoughts(content, reasoning, target);
    let in_blocks = !thoughts.is_empty();
    let calls = content.tool_calls().into_iter().map(|call| ToolUse {
        echo: call.thought_signatures.as_ref().filter(|_| !in_blocks).map(|signatures| json!(signatures)),
        ..ToolUse::new(&call.call_id, &call.fn_name, arguments(call.fn_arguments.clone()))
    });
    let mut calls: Vec<ToolUse> = calls.collect();
    if let (true, Some(first)) = (in_blocks, calls.first_mut()) {
        first.echo = Some(Value::Array(thoughts));
    }
    calls
}

/// Models write nothing at all, or null, where a tool takes no arguments; text that is not JSON stays as it is.
pub(crate) fn arguments(written: Value) -> Value {
    match written {
        Value::Null => Value::Object(Map::new()),
        Value::String(text) if text.trim().is_empty() => Value::Object(Map::new()),
        Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        other => other,
    }
}

/// Thoughts that go back as separate blocks; empty where each call carries its own signature, or nothing is needed.
fn thoughts(content: &MessageContent, reasoning: Option<&str>, target: &Target) -> Vec<Value> {
    let is_block = |part: &ContentPart| matches!(part, ContentPart::ReasoningContent(_) | ContentPart::Custom(_));
    if content.parts().iter().any(is_block) {
        return content.parts().iter().filter_map(thought).collect();
    }
    reasoning.filter(|_| target.row().thoughts_back).map(|text| json!({"thinking": text})).into_iter().collect()
}

fn thought(part: &ContentPart) -> Option<Value> {
    match part {
        ContentPart::ThoughtSignature(signature) => Some(json!({"signature": signature})),
        ContentPart::ReasoningContent(text) => Some(json!({"thinking": text})),
        ContentPart::Custom(block) => Some(json!({"block": block.data})),
        _ => None,
    }
}

/// An assistant message with the calls that it asked for.
pub(crate) fn asked(message: &Message) -> ChatMessage {
    let mut parts: Vec<ContentPart> = message.tool_calls().iter().flat_map(thought_parts).collect();
    let text = message.content();
    if !text.is_empty() || message.tool_calls().is_empty() {
        parts.push(ContentPart::Text(text.into_owned()));
    }
    parts.extend(message.tool_calls().iter().map(|call| ContentPart::ToolCall(repeated(call))));
    ChatMessage::assistant(MessageContent::from_parts(parts))
}

fn thought_parts(call: &ToolUse) -> Vec<ContentPart> {
    echoes(call).iter().filter_map(thought_part).collect()
}

fn thought_part(echo: &Value) -> Option<ContentPart> {
    let text = |key: &str| echo.get(key)?.as_str().map(str::to_owned);
    text("signature")
        .map(ContentPart::ThoughtSignature)
        .or_else(|| text("thinking").map(ContentPart::ReasoningContent))
        .or_else(|| echo.get("block").map(|block| ContentPart::from_custom(block.clone(), None)))
}

fn echoes(call: &ToolUse) -> &[Value] {
    call.echo.as_ref().and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn repeated(call: &ToolUse) -> ToolCall {
    let signatures: Vec<String> = echoes(call).iter().filter_map(|echo| echo.as_str().map(str::to_owned)).collect();
    ToolCall {
        call_id: call.id.clone(),
        fn_name: call.name.clone(),
        fn_arguments: call.args.clone(),
        thought_signatures: (!signatures.is_empty()).then_some(signatures),
    }
}

/// The answer to a call that one of the messages `before` asked for; some providers match answers by the tool's name.
pub(crate) fn answer(message: &Message, before: &[Message]) -> ToolResponse {
    let id = message.call_id.as_deref().unwrap_or_default();
    let answer = ToolResponse::new(id, message.content());
    let call = before.iter().rev().flat_map(Message::tool_calls).find(|call| call.id == id);
    match call {
        Some(call) => answer.with_fn_name(&call.name),
        None => answer,
    }
}

/// An assistant message in the format of chat completions.
pub(crate) fn asked_field(message: &Message) -> Value {
    let mut field = json!({"role": "assistant", "content": message.content()});
    let call = |call: &ToolUse| {
        let function = json!({"name": call.name, "arguments": call.args.to_string()});
        json!({"type": "function", "id": call.id, "function": function})
    };
    let calls: Vec<Value> = message.tool_calls().iter().map(call).collect();
    let blocks = message.tool_calls().iter().flat_map(echoes).filter_map(|echo| echo.get("block").cloned());
    let blocks: Vec<Value> = blocks.collect();
    for (key, values) in [("tool_calls", calls), ("reasoning_details", blocks)] {
        if let (false, Some(fields)) = (values.is_empty(), field.as_object_mut()) {
            fields.insert(key.to_owned(), Value::Array(values));
        }
    }
    field
}
