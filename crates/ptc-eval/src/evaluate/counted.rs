//! A model whose tokens are counted, whichever agent asks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ptc_chat::{BoxFuture, ChunkSink, Llm, LlmError, Reply, Request, Tokens};

use super::account::Account;

/// Forwards requests and adds up the tokens of the replies: also for retries, sub-agents, and compiling.
pub(super) struct CountedLlm {
    inner: Arc<dyn Llm>,
    account: Arc<Account>,
    tally: Mutex<Tally>,
}

/// What was asked so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    /// Requests, failed ones included.
    pub(super) requests: u64,
    pub(super) tokens: Tokens,
    /// Why the last request failed, if it did.
    pub(super) error: Option<LlmError>,
}

impl CountedLlm {
    pub(super) fn new(inner: Arc<dyn Llm>, account: Arc<Account>) -> CountedLlm {
        CountedLlm { inner, account, tally: Mutex::default() }
    }

    pub(super) fn tally(&self) -> Tally {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Llm for CountedLlm {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            self.lock().requests += 1;
            let reply = self.inner.reply(request, chunks).await;
            let mut tally = self.lock();
            tally.error = reply.as_ref().err().cloned();
            if let Some(tokens) = reply.as_ref().ok().and_then(|reply| reply.tokens) {
                tally.tokens.add(&tokens);
                self.account.add(&tokens);
            }
            drop(tally);
            reply
        })
    }

    fn name(&self) -> &str {
        self.inner.name()
    }
}
