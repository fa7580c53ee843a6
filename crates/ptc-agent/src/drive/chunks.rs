//! Passing on the final text while it is written.

use std::fmt;
use std::sync::Arc;

use ptc_chat::{ChunkSink, OutputMode, Reply, Request};

/// Told pieces of a text as they arrive.
#[derive(Clone)]
pub struct OnChunk(Arc<dyn Fn(&str) + Send + Sync>);

impl OnChunk {
    /// Wrap a closure.
    pub fn new(tell: impl Fn(&str) + Send + Sync + 'static) -> OnChunk {
        OnChunk(Arc::new(tell))
    }
}

impl fmt::Debug for OnChunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnChunk")
    }
}

/// The pieces of one answer.
pub(super) struct Chunks {
    on_chunk: OnChunk,
    /// Pieces that wait until it is known that no calls of tools come with them.
    held: Option<Vec<String>>,
}

impl Chunks {
    /// For an answer that may be the final text.
    pub fn of(on_chunk: &OnChunk, request: &Request) -> Option<Chunks> {
        let held = (!request.tools.is_empty()).then(Vec::new);
        (request.output == OutputMode::Text && request.schema.is_none())
            .then(|| Chunks { on_chunk: on_chunk.clone(), held })
    }

    /// Pass on what was held back, if this was the final text.
    pub fn finish(self, reply: &Reply) {
        if reply.tool_calls.is_empty() {
            self.held.into_iter().flatten().for_each(|piece| (self.on_chunk.0)(&piece));
        }
    }
}

impl ChunkSink for Chunks {
    fn chunk(&mut self, text: &str) {
        match &mut self.held {
            Some(held) => held.push(text.to_owned()),
            None => (self.on_chunk.0)(text),
        }
    }
}
