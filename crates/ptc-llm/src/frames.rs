//! The events of a stream, as they were sent.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use genai::chat::{ChatOptions, Usage};
use ptc_chat::{LlmError, Reply};

use crate::completion::Completion;
use crate::failure;
use crate::provider::MAX_REPLY;
use crate::spec::Target;

/// The divisor of the counted length of events when the adapter itself keeps calls, thoughts and the rest: most events
/// are small pieces with much around them.
const PART: usize = 4;

/// Hears the events of one stream.
#[derive(Default)]
pub(crate) struct Frames {
    heard: Arc<Mutex<Heard>>,
}

#[derive(Default)]
struct Heard {
    /// The answer, where it has the shape of chat completions.
    completion: Completion,
    /// How much of its text was taken.
    told: usize,
    /// Whether an event had data.
    has_data: bool,
    /// The last event, if it could not be read.
    odd: Option<String>,
    /// A part of the bytes of all events that the adapter reads.
    length: usize,
}

impl Frames {
    /// Registers a callback that hears events. It reads answers in the shape of chat completions, of which the adapter
    /// then keeps nothing.
    pub(crate) fn listen(&self, options: ChatOptions, reads: bool) -> ChatOptions {
        let heard = self.heard.clone();
        let options = if reads {
            let options = options.with_capture_tool_calls(false).with_capture_content(false);
            options.with_capture_reasoning_content(false)
        } else {
            options
        };
        options.with_raw_frame_fn(move |_, frame| {
            let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
            heard.has_data |= !frame.data.is_empty();
            if !reads {
                heard.length += frame.data.len() / PART;
            } else if heard.completion.length <= MAX_REPLY {
                let is_read = heard.completion.event(frame.event, frame.data);
                heard.odd = (!is_read).then(|| frame.data.to_owned());
            }
        })
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes of the answer so far; where the adapter reads it, a part of all events.
    pub(crate) fn length(&self) -> usize {
        let heard = self.heard();
        heard.length + heard.completion.length
    }

    /// The text that was not taken yet.
    pub(crate) fn new_text(&self) -> String {
        let mut heard = self.heard();
        let text = heard.completion.text.get(heard.told..).unwrap_or_default().to_owned();
        heard.told += text.len();
        text
    }

    /// Whether nothing was sent as an event.
    pub(crate) fn is_silent(&self) -> bool {
        !self.heard().has_data
    }

    /// Whether the stream can be read on after this error, since the event was read here.
    pub(crate) fn forgives(&self, error: &genai::Error) -> bool {
        let is_about_event = match error {
            genai::Error::StreamParse { .. } => true,
            // Some servers write that there is no error.
            genai::Error::ChatResponse { body, .. } => body.is_null(),
            _ => false,
        };
        is_about_event && self.heard().odd.is_none()
    }

    /// The error for an event that cannot be read.
    pub(crate) fn odd(&self, place: &str) -> Option<LlmError> {
        let odd = self.heard().odd.take()?;
        Some(failure::odd_event(&odd, place))
    }

    /// Whether the answer has ended, although the stream did not say so.
    pub(crate) fn has_ended(&self) -> bool {
        self.heard().completion.has_ended()
    }

    /// The reply in the shape of chat completions; `usage` as the adapter read it.
    pub(crate) fn into_reply(self, usage: Option<Usage>, target: &Target, place: &str) -> Result<Reply, LlmError> {
        let completion = std::mem::take(&mut self.heard().completion);
        completion.into_reply(usage, target, place)
    }
}
