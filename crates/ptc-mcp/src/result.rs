//! The result of a call, as a value of the language.

use ptc_lisp::{Import, ToolError, ToolResult, Value, shortened_counted};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Value as Json, json};

/// Characters of a failure's text.
pub(crate) const MAX_FAILURE: usize = 2_000;

/// The value of a result, or the failure that it reports.
pub(crate) fn value(result: CallToolResult) -> ToolResult {
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
    if let Some(structured) = result.structured_content {
        return Ok(Import::counted().value(structured));
    }
    let mut blocks = result.content.into_iter().map(block);
    Ok(match (blocks.next(), blocks.len()) {
        (None, _) => Value::Nil,
        (Some(only), 0) => only,
        (Some(first), _) => Value::vector(std::iter::once(first).chain(blocks).collect()),
    })
}

fn text(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::Text(text) => Some(&text.text),
        _ => None,
    }
}

/// A text, parsed when it is a JSON object or array; for anything else its type and location, without its bytes.
fn block(block: ContentBlock) -> Value {
    let about = match block {
        ContentBlock::Text(text) => return parsed(&text.text),
        ContentBlock::Image(image) => media("image", &image.mime_type, &image.data),
        ContentBlock::Audio(audio) => media("audio", &audio.mime_type, &audio.data),
        ContentBlock::Resource(embedded) => match embedded.resource {
            ResourceContents::TextResourceContents { uri, mime_type, text, .. } => {
                json!({"type": "resource", "uri": uri, "mime_type": mime_type, "text": text})
            }
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                json!({"type": "resource", "uri": uri, "mime_type": mime_type, "bytes": decoded_length(&blob)})
            }
            _ => json!({"type": "resource"}),
        },
        ContentBlock::ResourceLink(link) => {
            let (name, about) = (link.name, link.description);
            json!({"type": "resource", "uri": link.uri, "name": name, "mime_type": link.mime_type, "description": about})
        }
        _ => json!({"type": "unknown"}),
    };
    Import::counted().value(about)
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
