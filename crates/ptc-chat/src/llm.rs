//! The port to a language model.

use std::pin::Pin;
use std::sync::Arc;

use crate::{LlmError, Reply, Request};

/// A future on the heap that any runtime can poll.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A language model, or something that answers like one.
///
/// Dropping the future cancels the call. Implementations are shared between agents, so they keep no state that depends
/// on the order of calls unless they say so.
///
/// ```
/// use ptc_chat::{BoxFuture, ChunkSink, Llm, LlmError, LlmErrorKind, Reply, Request, Tokens};
///
/// /// Returns what it was asked last.
/// struct Echo;
///
/// impl Llm for Echo {
///     fn reply<'a>(
///         &'a self,
///         request: &'a Request,
///         chunks: Option<&'a mut dyn ChunkSink>,
///     ) -> BoxFuture<'a, Result<Reply, LlmError>> {
///         Box::pin(async move {
///             let asked = request.messages.last().ok_or_else(|| LlmError::new(LlmErrorKind::ClientError, "no message"))?;
///             let answer = format!("(return {:?})", asked.content());
///             // A server that streams calls this for each piece; HTTP errors are `LlmError::from_status(429, text)`.
///             if let Some(chunks) = chunks {
///                 chunks.chunk(&answer);
///             }
///             Ok(Reply { tokens: Some(Tokens { input: 12, output: 3, ..Tokens::default() }), ..Reply::text(answer) })
///         })
///     }
///
///     fn name(&self) -> &str {
///         "echo"
///     }
/// }
/// ```
pub trait Llm: Send + Sync {
    /// Answers one request.
    ///
    /// - `chunks`: receives the text of the answer as it arrives, from models that can stream; the reply holds all of
    ///   it anyway
    /// - errors: one attempt only; retrying is up to the caller
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>>;

    /// The name of this model in records, such as `ollama:qwen3`.
    fn name(&self) -> &str;
}

/// Receives the text of an answer as it is written; every `FnMut(&str)` is one.
pub trait ChunkSink: Send {
    /// The next piece of text.
    fn chunk(&mut self, text: &str);
}

impl<F: FnMut(&str) + Send> ChunkSink for F {
    fn chunk(&mut self, text: &str) {
        self(text);
    }
}

impl<T: Llm + ?Sized> Llm for Arc<T> {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        (**self).reply(request, chunks)
    }

    fn name(&self) -> &str {
        (**self).name()
    }
}

impl<T: Llm + ?Sized> Llm for &T {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        (**self).reply(request, chunks)
    }

    fn name(&self) -> &str {
        (**self).name()
    }
}
