//! Finding the JSON in an answer.

use serde_json::{Deserializer, Value};

use super::fence::fenced_blocks;
use super::{UNDECODED, undecoded};

/// Why an answer has no JSON; its text is for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonError {
    /// It has no start of a JSON object or array.
    #[error("the answer holds no JSON: answer with one JSON object and nothing else")]
    Missing,
    /// The text that begins like JSON is not JSON.
    #[error("the answer is not JSON: {0}")]
    Invalid(String),
    /// A character of it was lost on its way here.
    #[error("your JSON has U+FFFD in `{0}`: {UNDECODED}")]
    Undecoded(String),
}

/// The JSON of an answer: all of it if it is JSON, such as `42`; else its first block in a fence tagged `json` or
/// untagged; else the text from its first `{` or `[`.
///
/// A block that does not parse ends the search; an empty one is passed over. U+FFFD in it, unless written as an escape, is
/// an error: it is not what the model wrote. Linear in the length of the answer.
///
/// ```
/// let found = ptc_agent::extract_json("Here you are:\n```json\n{\"n\": 1}\n```")?;
/// assert_eq!(found["n"], 1);
/// assert_eq!(ptc_agent::extract_json("so: [1, \"}\"] and more")?, serde_json::json!([1, "}"]));
/// # Ok::<(), ptc_agent::JsonError>(())
/// ```
pub fn extract_json(answer: &str) -> Result<Value, JsonError> {
    let text = answer.trim();
    // Its strings may hold fences.
    if let Ok(whole) = serde_json::from_str(text) {
        return as_sent(whole, text);
    }
    let blocks = fenced_blocks(answer);
    let mut candidates = blocks.iter().filter(|block| matches!(block.tag, "" | "json"));
    if let Some(block) = candidates.find(|block| !block.text.trim().is_empty()) {
        let value = serde_json::from_str(block.text.trim()).map_err(|error| JsonError::Invalid(error.to_string()))?;
        return as_sent(value, block.text);
    }
    let start = text.find(['{', '[']).and_then(|start| text.get(start..)).ok_or(JsonError::Missing)?;
    let mut values = Deserializer::from_str(start).into_iter();
    match values.next() {
        Some(Ok(value)) => as_sent(value, start.get(..values.byte_offset()).unwrap_or(start)),
        Some(Err(error)) => Err(JsonError::Invalid(error.to_string())),
        None => Err(JsonError::Missing),
    }
}

/// The value, unless a character of its text was lost.
fn as_sent(value: Value, text: &str) -> Result<Value, JsonError> {
    undecoded(text).map_or(Ok(value), |place| Err(JsonError::Undecoded(place)))
}

#[cfg(test)]
mod tests;
