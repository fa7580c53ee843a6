//! The result of a call, as a value of the language.

use std::fmt;

use ptc_lisp::text::{one_line, shortened_counted};
use ptc_lisp::values::key_name;
use ptc_lisp::{Import, ToolError, ToolResult, Value};
use rmcp::ServiceError;
use rmcp::model::{CallToolResult, ContentBlock, CustomResult, ResourceContents, ServerResult};
use serde_json::{Value as Json, json};

use crate::call::CallError;
use crate::caller::Caller;
use crate::further::Kind;
use crate::readable::AS_WRITTEN;
use crate::spec::Results;

/// Characters of a failure's text.
pub(crate) const MAX_FAILURE: usize = 2_000;

/// The field of structured content that has the blocks beside it.
const ATTACHMENTS: &str = "attachments";

/// Characters of a text that an error quotes.
const MAX_QUOTED: usize = 200;

/// A result as its server gave it.
#[derive(Debug, Default)]
pub(crate) struct Given {
    blocks: Vec<Block>,
    structured: Option<Structured>,
    is_error: bool,
}

/// The structured content of a result.
#[derive(Debug)]
enum Structured {
    Text(String),
    /// Where only this was to be had: its integers beyond 64 bits are rounded.
    Json(Json),
}

/// A part of a result.
#[derive(Debug)]
enum Block {
    Known(Box<ContentBlock>),
    /// Of a kind that the protocol does not have, or without what it needs: kept as it is.
    Other(Json),
    /// The messages of a prompt, each with its role, under its description.
    Messages {
        about: Json,
        messages: Vec<(Json, Block)>,
    },
}

impl From<CallToolResult> for Given {
    fn from(result: CallToolResult) -> Given {
        let blocks = result.content.into_iter().map(|block| Block::Known(Box::new(block))).collect();
        let is_text = result.meta.is_some_and(|meta| meta.contains_key(AS_WRITTEN));
        let structured = result.structured_content.map(|content| match content {
            Json::String(text) if is_text => Structured::Text(text),
            json => Structured::Json(json),
        });
        Given { blocks, structured, is_error: result.is_error == Some(true) }
    }
}

impl Given {
    /// What a tool of this kind gives.
    pub fn new(answer: ServerResult, kind: Kind) -> Result<Given, CallError> {
        let kind = if kind == Kind::Task { Kind::Tool } else { kind };
        let given = match (kind, answer) {
            (Kind::Tool, ServerResult::CallToolResult(result)) => Some(result.into()),
            // A result without content.
            (Kind::Tool, ServerResult::EmptyResult(_) | ServerResult::TaskAckResult(_)) => Some(Given::default()),
            (Kind::Tool, ServerResult::CustomResult(CustomResult(json))) => Given::from_json(json),
            (Kind::Tool | Kind::Task, _) => None,
            (Kind::Resource, answer) => serde_json::to_value(answer).ok().and_then(Given::from_resource),
            (Kind::Prompt, answer) => serde_json::to_value(answer).ok().and_then(Given::from_prompt),
        };
        given.ok_or(CallError::Service(ServiceError::UnexpectedResponse))
    }

    /// The contents of a resource: a single text is one, and everything else has its address.
    fn from_resource(mut answer: Json) -> Option<Given> {
        let contents = answer.get_mut("contents")?.take();
        let Json::Array(contents) = contents else { return None };
        let is_alone = contents.len() == 1;
        let block = |content: Json| match content.get("text").and_then(Json::as_str) {
            Some(text) if is_alone => Block::new(json!({"type": "text", "text": text})),
            _ => Block::new(json!({"type": "resource", "resource": content})),
        };
        Some(Given { blocks: contents.into_iter().map(block).collect(), ..Given::default() })
    }

    fn from_prompt(mut answer: Json) -> Option<Given> {
        let messages = answer.get_mut("messages")?.take();
        let Json::Array(messages) = messages else { return None };
        let message = |mut message: Json| {
            let mut take = |key| message.get_mut(key).map(Json::take).unwrap_or_default();
            (take("role"), Block::new(take("content")))
        };
        let messages = messages.into_iter().map(message).collect();
        let about = answer.get("description").cloned().unwrap_or_default();
        Some(Given { blocks: vec![Block::Messages { about, messages }], ..Given::default() })
    }

    /// A result that the library does not know for one, such as one with a block of an unknown kind.
    pub fn from_json(mut result: Json) -> Option<Given> {
        let fields = result.as_object_mut()?;
        let is_result = ["content", "structuredContent", "isError"].iter().any(|key| fields.contains_key(*key));
        if !is_result && fields.keys().any(|key| key != "_meta") {
            return None;
        }
        let blocks = match fields.remove("content") {
            None | Some(Json::Null) => Vec::new(),
            Some(Json::Array(blocks)) => blocks,
            Some(other) => vec![other],
        };
        Some(Given {
            blocks: blocks.into_iter().map(Block::new).collect(),
            structured: fields.remove("structuredContent").map(Structured::Json),
            is_error: fields.get("isError") == Some(&Json::Bool(true)),
        })
    }
}

/// The value of a result whose texts are read so, or the failure that it reports. `caller` keeps what the value only
/// refers to.
pub(crate) fn value(result: Given, results: Results, caller: Option<&dyn Caller>) -> ToolResult {
    if result.is_error {
        return Err(failure(result));
    }
    match result.structured {
        // A tool of texts repeats them there for clients that want structure.
        Some(structured) if results != Results::Text || result.blocks.is_empty() => {
            let further = result.blocks.into_iter().filter(|block| text(block).is_none());
            let further = further.map(|block| block.value(results, caller)).collect::<Result<Vec<_>, _>>()?;
            return Ok(with_attachments(structured.value()?, further));
        }
        _ if results == Results::Text => return Ok(whole_text(&result.blocks)),
        _ => {}
    }
    let blocks: Vec<Value> =
        result.blocks.into_iter().map(|one| one.value(results, caller)).collect::<Result<_, _>>()?;
    Ok(match <[Value; 1]>::try_from(blocks) {
        Ok([only]) => only,
        Err(none) if none.is_empty() => Value::Nil,
        Err(many) => Value::vector(many),
    })
}

/// What a failed call says: its text, and its structured content.
fn failure(result: Given) -> ToolError {
    let texts: Vec<&str> = result.blocks.iter().filter_map(text).collect();
    let told = texts.join("\n");
    let said = match (told.trim(), &result.structured) {
        ("", Some(structured)) => structured.to_string(),
        ("", None) => "the server reports a failed call without a reason".to_owned(),
        (text, Some(structured)) if serde_json::from_str::<Json>(text).is_err() => format!("{text}: {structured}"),
        (text, _) => text.to_owned(),
    };
    // Content that cannot be read is in the text.
    let data = result.structured.and_then(|structured| structured.value().ok());
    ToolError::new(shortened_counted(&said, MAX_FAILURE)).data(data)
}

/// Structured content with the blocks that it does not repeat: in its field `attachments`, or after it in a list.
fn with_attachments(structured: Value, further: Vec<Value>) -> Value {
    match structured {
        structured if further.is_empty() => structured,
        Value::Map(fields) if fields.iter().all(|(key, _)| key_name(key) != Some(ATTACHMENTS)) => {
            let key = Value::keyword(ATTACHMENTS);
            let fields = fields.iter().map(|(key, value)| (key.clone(), value.clone()));
            Value::map_from(fields.chain([(key, Value::vector(further))]))
        }
        other => Value::vector([other].into_iter().chain(further).collect()),
    }
}

/// All texts, each on a line; in place of other blocks what they are.
fn whole_text(blocks: &[Block]) -> Value {
    Value::string(blocks.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn line(block: &Block) -> String {
    match block {
        Block::Known(known) => match &**known {
            ContentBlock::Text(text) => text.text.clone(),
            other => about(other).to_string(),
        },
        Block::Other(json) => json.to_string(),
        Block::Messages { messages, .. } => messages.iter().map(|(_, said)| line(said)).collect::<Vec<_>>().join("\n"),
    }
}

fn text(block: &Block) -> Option<&str> {
    match block {
        Block::Known(known) => match &**known {
            ContentBlock::Text(text) => Some(&text.text),
            _ => None,
        },
        Block::Other(_) | Block::Messages { .. } => None,
    }
}

impl Structured {
    fn value(self) -> ToolResult {
        match self {
            Structured::Text(text) => json_text(&text, "its structured content cannot be read"),
            Structured::Json(json) => Ok(Import::counted().value(json)),
        }
    }
}

impl fmt::Display for Structured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Structured::Text(text) => f.write_str(text),
            Structured::Json(json) => json.fmt(f),
        }
    }
}

impl Block {
    fn new(json: Json) -> Block {
        serde_json::from_value(json.clone()).map_or(Block::Other(json), Block::Known)
    }

    /// A text as it is read; for anything else its type and location, without its bytes, which the caller keeps.
    fn value(self, results: Results, caller: Option<&dyn Caller>) -> ToolResult {
        match self {
            Block::Known(known) => match &*known {
                ContentBlock::Text(text) if results == Results::Json => {
                    json_text(&text.text, "its result is not JSON, which `results` says it is")
                }
                ContentBlock::Text(text) if results == Results::Text => Ok(Value::string(text.text.as_str())),
                ContentBlock::Text(text) => Ok(parsed(&text.text)),
                other => Ok(Import::counted().value(referred(other, caller))),
            },
            Block::Other(json) => Ok(Import::counted().value(json)),
            Block::Messages { about, messages } => {
                let fields = |fields: Vec<(&str, Value)>| {
                    Value::map_from(fields.into_iter().map(|(name, value)| (Value::keyword(name), value)))
                };
                let message = |(role, content): (Json, Block)| {
                    let content = content.value(Results::Text, caller)?;
                    Ok(fields(vec![("role", Import::counted().value(role)), ("content", content)]))
                };
                let messages = Value::vector(messages.into_iter().map(message).collect::<Result<_, ToolError>>()?);
                let about = about.as_str().map(|about| ("description", Value::string(about)));
                Ok(fields(about.into_iter().chain([("messages", messages)]).collect()))
            }
        }
    }
}

/// What a block is, with the name under which the caller keeps what is not said.
fn referred(block: &ContentBlock, caller: Option<&dyn Caller>) -> Json {
    let mut said = about(block);
    let is_whole = said.get("text").is_some();
    if let (Some(caller), Some(fields), false) = (caller, said.as_object_mut(), is_whole)
        && let Ok(block) = serde_json::to_value(block)
    {
        fields.insert("ref".to_owned(), Json::String(caller.keep(block)));
    }
    said
}

/// What a block is, without its bytes.
fn about(block: &ContentBlock) -> Json {
    match block {
        ContentBlock::Text(text) => json!({"type": "text", "text": text.text}),
        ContentBlock::Image(image) => media("image", &image.mime_type, &image.data),
        ContentBlock::Audio(audio) => media("audio", &audio.mime_type, &audio.data),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { uri, mime_type, text, .. } => {
                json!({"type": "resource", "uri": uri, "mime_type": mime_type, "text": text})
            }
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                json!({"type": "resource", "uri": uri, "mime_type": mime_type, "bytes": decoded_length(blob)})
            }
            _ => json!({"type": "resource"}),
        },
        ContentBlock::ResourceLink(link) => {
            let (name, about) = (&link.name, &link.description);
            json!({"type": "resource", "uri": link.uri, "name": name, "mime_type": link.mime_type, "description": about})
        }
        _ => json!({"type": "unknown"}),
    }
}

/// The data of a text that must be JSON, or what is wrong with it. The call was made, whatever its result is.
fn json_text(text: &str, wrong: &str) -> ToolResult {
    let mut import = Import::counted();
    let read = import.text(text).map_err(|error| error.to_string());
    let read = read.and_then(|value| match import.has_repeated_keys() {
        true => Err("an object has a key twice".to_owned()),
        false => Ok(value),
    });
    read.map_err(|error| {
        let shown = shortened_counted(&one_line(text), MAX_QUOTED).into_owned();
        let why = format!("{wrong}: {error}; it is the text {shown:?}");
        ToolError::new(why).may_have_run(true)
    })
}

/// A number alone, or `true`, may be a text that only looks like one. Integers keep all their digits; a text whose
/// objects have a key twice stays a text, where both values are.
fn parsed(text: &str) -> Value {
    let mut import = Import::counted();
    match import.text(text) {
        Ok(value @ (Value::Map(_) | Value::Vector(_))) if !import.has_repeated_keys() => value,
        _ => Value::string(text),
    }
}

fn media(kind: &str, mime_type: &str, data: &str) -> Json {
    json!({"type": kind, "mime_type": mime_type, "bytes": decoded_length(data)})
}

/// How many bytes a text in base 64 stands for.
fn decoded_length(data: &str) -> usize {
    data.trim_end_matches('=').len() * 3 / 4
}
