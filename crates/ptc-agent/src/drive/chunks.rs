//! Passing on what a model writes while it writes. Receivers may panic: the answer still counts.

use ptc_chat::{ChunkSink, OutputMode, Reply, Request};

use super::guard::unwound;
use super::report::{Reporter, Span};

/// Receives pieces of a text as they arrive.
pub(super) type OnChunk = dyn Fn(&str) + Send + Sync;

/// The receivers of the pieces of one answer.
pub(super) struct Chunks<'a> {
    request: &'a Request,
    /// Observers, and the span of the request.
    observed: Option<(&'a Reporter<'a>, Span)>,
    /// The receiver of the final text, if this may be it.
    on_chunk: Option<&'a OnChunk>,
    /// Pieces of it held until it is known that no tool calls come with them.
    held: Option<Vec<String>>,
}

impl<'a> Chunks<'a> {
    /// No receivers when none of them wants this answer before it is whole.
    pub fn of(
        on_chunk: Option<&'a OnChunk>,
        observed: Option<(&'a Reporter<'a>, Span)>,
        request: &'a Request,
    ) -> Option<Chunks<'a>> {
        let may_be_final = request.output == OutputMode::Text && request.schema.is_none();
        let on_chunk = on_chunk.filter(|_| may_be_final);
        let held = (!request.tools.is_empty()).then(Vec::new);
        (on_chunk.is_some() || observed.is_some()).then_some(Chunks { request, observed, on_chunk, held })
    }

    /// Pass on what was held back, if this was the final text.
    pub fn finish(self, reply: &Reply) {
        if let Some(tell) = self.on_chunk.filter(|_| reply.tool_calls.is_empty()) {
            for piece in self.held.into_iter().flatten() {
                let _ = unwound(|| tell(&piece));
            }
        }
    }
}

impl ChunkSink for Chunks<'_> {
    fn chunk(&mut self, text: &str) {
        if let Some((reporter, span)) = self.observed {
            reporter.chunk(span, self.request, text);
        }
        match (self.on_chunk, &mut self.held) {
            (Some(_), Some(held)) => held.push(text.to_owned()),
            (Some(tell), None) => {
                let _ = unwound(|| tell(text));
            }
            (None, _) => {}
        }
    }
}
