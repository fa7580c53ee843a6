//! Refusals that OpenAI tells in a field of their own, which the adapter does not read.

use std::sync::{Arc, Mutex, PoisonError};

use genai::chat::ChatOptions;
use ptc_chat::{Reply, StopReason};
use serde_json::Value;

/// Collects the words of a refusal from the frames of one stream.
#[derive(Default)]
pub(crate) struct Refusal {
    words: Arc<Mutex<String>>,
}

impl Refusal {
    /// The options with an ear for refusals.
    pub(crate) fn listen(&self, options: ChatOptions) -> ChatOptions {
        let words = self.words.clone();
        options.with_raw_frame_fn(move |_, frame| {
            // Most frames have no such field, or null in it, and need not be parsed twice.
            if !frame.data.contains("\"refusal\":\"") && !frame.data.contains("\"refusal\": \"") {
                return;
            }
            let json = frame.json();
            if let Some(said) = json.as_ref().and_then(|json| said(json, "/choices/0/delta/refusal")) {
                words.lock().unwrap_or_else(PoisonError::into_inner).push_str(said);
            }
        })
    }

    /// The reply, or the refusal if there was one.
    pub(crate) fn or(&self, reply: Reply) -> Reply {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        if words.is_empty() { reply } else { refused(&words, reply) }
    }
}

/// The reply, or the refusal that stands in the body beside it.
pub(crate) fn or_refusal(body: &Value, reply: Reply) -> Reply {
    match said(body, "/choices/0/message/refusal") {
        Some(words) => refused(words, reply),
        None => reply,
    }
}

fn said<'a>(json: &'a Value, place: &str) -> Option<&'a str> {
    json.pointer(place)?.as_str().filter(|words| !words.is_empty())
}

fn refused(words: &str, reply: Reply) -> Reply {
    Reply { content: words.to_owned(), stop: StopReason::Refusal, ..reply }
}
