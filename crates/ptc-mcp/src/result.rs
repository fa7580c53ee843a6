//! The result of a call, as a value of the language.

use ptc_lisp::{Import, ToolError, ToolResult, Value, one_line, shortened_counted};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Value as Json, json};

use crate::spec::Results;

/// Characters of a failure's text.
pub(crate) const MAX_FAILURE: usize = 2_000;

/// Characters of a text that an error quotes.
const MAX_QUOTED: usize = 200;

/// The value of a result whose texts are read so, or the failure that it reports.
pub(crate) fn value(result: CallToolResult, results: Results) -> ToolResult {
    if result.is_error == Some(true) {
        let texts: Vec<&str> = result.content.iter().filter_map(text).collect();
        let told = texts.join("\n");
        let said = match (told.trim(), &result.structured_content) {
            ("", Some(structured)) => structured.to_string(),
            ("", None) => "the server reports a failed call without a reason".to_owned(),
            (text, Some(structured)) if serde_json::from_str::<Json>(text).is_err() => format!("{text}: {structured}"),
            (text, _) => text.to_owned(),
        };
        return Err(ToolError::new(shortened_counted(&said, MAX_FAILURE)));
    }
    match result.structured_content {
        // A tool of texts repeats them there for clients that want structure.
        Some(structured) if results != Results::Text || result.content.is_empty() => {
            return Ok(Import::counted().value(structured));
        }
        _ if results == Results::Text => return Ok(whole_text(&result.content)),
        _ => {}
    }
    let blocks: Vec<Value> = result.content.into_iter().map(|one| block(one, results)).collect::<Result<_, _>>()?;
    Ok(match <[Value; 1]>::try_from(blocks) {
        Ok([only]) => only,
        Err(none) if none.is_empty() => Value::Nil,
        Err(many) => Value::vector(many),
    })
}

/// All texts, each on a line; in place of other blocks what they are.
fn whole_text(blocks: &[ContentBlock]) -> Value {
    let line = |block: &ContentBlock| match block {
        ContentBlock::Text(text) => text.text.clone(),
        other => about(other).to_string(),
    };
    Value::string(blocks.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn text(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::Text(text) => Some(&text.text),
        _ => None,
    }
}

/// A text as it is read; for anything else its type and location, without its bytes.
fn block(block: ContentBlock, results: Results) -> ToolResult {
    match &block {
        ContentBlock::Text(text) if results == Results::Json => json_text(&text.text),
        ContentBlock::Text(text) => Ok(parsed(&text.text)),
        other => Ok(Import::counted().value(about(other))),
    }
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

/// The data of a text that must be JSON. The call was made, whatever its result is.
fn json_text(text: &str) -> ToolResult {
    Import::counted().text(text).map_err(|error| {
        let shown = shortened_counted(&one_line(text), MAX_QUOTED).into_owned();
        let why = format!("its result is not JSON, which `results` says it is: {error}; it is the text {shown:?}");
        ToolError::new(why).may_have_run(true)
    })
}

/// A number alone, or `true`, may be a text that only looks like one. Integers keep all their digits.
fn parsed(text: &str) -> Value {
    match Import::counted().text(text) {
        Ok(value @ (Value::Map(_) | Value::Vector(_))) => value,
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
