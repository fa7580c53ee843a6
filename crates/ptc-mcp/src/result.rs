//! The result of a call, as a value of the language.

use ptc_lisp::{Import, ToolFailure, ToolResult, Value, shortened};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Value as Json, json};

/// Characters of a failure's text.
const MAX_FAILURE: usize = 2_000;

/// The value of a result, or the failure that it reports.
pub(crate) fn value(result: CallToolResult) -> ToolResult {
    if result.is_error == Some(true) {
        let texts: Vec<&str> = result.content.iter().filter_map(text).collect();
        let told = texts.join("\n");
        let said = match (told.trim(), &result.structured_content) {
            ("", Some(structured)) => structured.to_string(),
            ("", None) => "the server reports a failed call without a reason".to_owned(),
            (text, _) => text.to_owned(),
        };
        return Err(ToolFailure::new(shortened(&said, MAX_FAILURE)));
    }
    if let Some(structured) = result.structured_content {
        return Ok(Import::counted().value(structured));
    }
    let mut blocks = result.content.into_iter().map(block);
    Ok(match (blocks.next(), blocks.len()) {
        (None, _) => Value::Nil,
        (Some(only), 0) => Import::counted().value(only),
        (Some(first), _) => Import::counted().value(std::iter::once(first).chain(blocks).collect()),
    })
}

fn text(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::Text(text) => Some(&text.text),
        _ => None,
    }
}

/// A text, parsed when it is a JSON object or array; for anything else its type and location, without its bytes.
fn block(block: ContentBlock) -> Json {
    match block {
        ContentBlock::Text(text) => parsed(text.text),
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
    }
}

/// A number alone, or `true`, may be a text that only looks like one.
fn parsed(text: String) -> Json {
    match serde_json::from_str(&text) {
        Ok(json @ (Json::Object(_) | Json::Array(_))) => json,
        _ => Json::String(text),
    }
}

fn media(kind: &str, mime_type: &str, data: &str) -> Json {
    json!({"type": kind, "mime_type": mime_type, "bytes": decoded_length(data)})
}

/// How many bytes a text in base 64 stands for.
fn decoded_length(data: &str) -> usize {
    data.trim_end_matches('=').len() * 3 / 4
}
