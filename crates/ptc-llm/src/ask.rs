//! From our request to the adapters' types.

use genai::chat::{CacheControl, ChatMessage, ChatOptions, ChatRequest, MessageContent, ToolResponse};
use ptc_chat::{Message, Request, Role};
use serde_json::{Map, Value, json};

use crate::cache::{self, Marks};
use crate::schema::{self, Format};
use crate::spec::Target;
use crate::{effort, tools};

/// Messages and tools, with cache marks where the provider wants them explicit.
pub(crate) fn chat_request(request: &Request, target: &Target) -> ChatRequest {
    let marks = cache::marks(request, target) == Marks::Messages;
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(with_mark(ChatMessage::system(&*request.system), marks));
    }
    let mut answers: Vec<ToolResponse> = Vec::new();
    for (index, (message, blocks)) in request.messages.iter().zip(cache::blocks(&request.messages, marks)).enumerate() {
        match message.role {
            // Answers to calls that were asked for together go back together.
            Role::Tool => {
                answers.push(tools::answer(message, request.messages.get(..index).unwrap_or_default()));
                if request.messages.get(index + 1).is_none_or(|next| next.role != Role::Tool) {
                    let together = MessageContent::from_tool_responses(std::mem::take(&mut answers));
                    messages.push(with_mark(ChatMessage::tool(together), blocks.iter().any(|block| block.marked)));
                }
            }
            Role::Assistant if is_empty(message) && !target.row().empty_answers => {}
            Role::Assistant => messages.push(tools::asked(message)),
            // Marks come after whole messages.
            _ => messages.extend(
                blocks.into_iter().map(|block| with_mark(ChatMessage::user(block.text.into_owned()), block.marked)),
            ),
        }
    }
    ChatRequest { tools: tools::definitions(&request.tools), ..ChatRequest::new(messages) }
}

fn is_empty(message: &Message) -> bool {
    message.tool_calls().is_empty() && message.content().trim().is_empty()
}

fn with_mark(message: ChatMessage, marked: bool) -> ChatMessage {
    if marked { message.with_options(CacheControl::Ephemeral) } else { message }
}

/// How to sample, and what to keep of the answer.
pub(crate) fn chat_options(request: &Request, target: &Target) -> ChatOptions {
    let wanted = &request.options;
    let mut options = ChatOptions::default()
        .with_max_tokens(wanted.max_output_tokens)
        .with_stop_sequences(wanted.stop.clone())
        .with_capture_usage(true)
        .with_capture_content(true)
        .with_capture_reasoning_content(tells_thoughts(request, target))
        .with_capture_tool_calls(true)
        .with_capture_raw_body(true);
    options.temperature = wanted.temperature;
    options.seed = wanted.seed.filter(|_| target.row().seed);
    options.reasoning_effort = effort::effort(wanted, target);
    let mut extra = own_fields(request, target);
    match request.schema.as_ref().map(|schema| schema::format(schema, target, !request.tools.is_empty())) {
        Some(Format::Adapter(format)) => options.response_format = Some(format),
        Some(Format::Field(field)) => {
            extra.insert("response_format".to_owned(), field);
        }
        Some(Format::Words) | None => {}
    }
    if target.row().says_unmarked && cache::marks(request, target) == Marks::None {
        options.cache_control = Some(CacheControl::Ephemeral5m);
    }
    extra.extend(request.options.extra.clone());
    if !extra.is_empty() {
        options.extra_body = Some(Value::Object(extra));
    }
    options
}

/// The effort says that a model thinks.
fn tells_thoughts(request: &Request, target: &Target) -> bool {
    let thinks = request.options.reasoning_effort.is_some_and(|effort| effort != ptc_chat::ReasoningEffort::None);
    thinks || target.row().asks_for_thoughts
}

/// Fields of the body that replace what the adapter writes; those of the agent's options come after them.
fn own_fields(request: &Request, target: &Target) -> Map<String, Value> {
    let mut fields = Map::new();
    if request.options.reasoning_effort.is_none() && target.row().whole_names {
        // A name like `qwen3-max` would be read as `qwen3` with an effort.
        let (effort, _) = genai::chat::ReasoningEffort::from_model_name(&target.model);
        if effort.is_some() {
            fields.insert("model".to_owned(), Value::from(target.model.as_str()));
            fields.insert("reasoning_effort".to_owned(), Value::Null);
        }
    }
    if let Some(grammar) = &request.grammar {
        // llama.cpp reads the first, vLLM the second; each ignores the other.
        fields.insert("grammar".to_owned(), Value::from(&**grammar));
        fields.insert("structured_outputs".to_owned(), json!({"grammar": &**grammar}));
    }
    if cache::marks(request, target) == Marks::Field {
        fields.insert("messages".to_owned(), cache::marked_messages(request));
    }
    fields
}
