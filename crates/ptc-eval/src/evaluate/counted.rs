//! A model whose tokens are counted, whichever agent asks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ptc_chat::{BoxFuture, ChunkSink, Llm, LlmError, Reply, Request};

/// Forwards requests and adds up the tokens of the replies: also for retries, sub-agents, and compiling.
pub(super) struct CountedLlm {
    inner: Arc<dyn Llm>,
    input: AtomicU64,
    output: AtomicU64,
}

impl CountedLlm {
    pub(super) fn new(inner: Arc<dyn Llm>) -> CountedLlm {
        CountedLlm { inner, input: AtomicU64::new(0), output: AtomicU64::new(0) }
    }

    /// Input and output tokens so far.
    pub(super) fn tokens(&self) -> (u64, u64) {
        (self.input.load(Ordering::Relaxed), self.output.load(Ordering::Relaxed))
    }
}

impl Llm for CountedLlm {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            let reply = self.inner.reply(request, chunks).await?;
            if let Some(tokens) = &reply.tokens {
                self.input.fetch_add(tokens.input, Ordering::Relaxed);
                self.output.fetch_add(tokens.output, Ordering::Relaxed);
            }
            Ok(reply)
        })
    }

    fn name(&self) -> &str {
        self.inner.name()
    }
}
