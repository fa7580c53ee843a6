//! A model whose tokens are counted and paid from one account, whichever agent asks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ptc_agent::TokenCost;
use ptc_chat::{BoxFuture, Bucket, ChunkSink, Llm, LlmError, Rate, Reply, Request, Tokens};
use ptc_trace::replay::Prices;
use tokio::time::Instant;

use crate::account::Account;

/// Forwards requests that the account and the pace allow, and adds up the tokens of the replies: also for retries,
/// sub-agents, and compiling.
pub(crate) struct CountedLlm {
    inner: Arc<dyn Llm>,
    cost: Option<TokenCost>,
    account: Arc<Account>,
    pace: Option<Arc<Pace>>,
    tally: Arc<Mutex<Tally>>,
}

/// What one run has asked so far, of all its models.
#[derive(Debug, Clone)]
pub(crate) struct Tally {
    /// Requests, failed ones included.
    pub(crate) requests: u64,
    pub(crate) tokens: Tokens,
    /// What they cost at the prices that are known.
    pub(crate) usd: f64,
    /// Whether all that was answered had a price.
    pub(crate) is_priced: bool,
    /// Why the last request failed, if it did.
    pub(crate) error: Option<LlmError>,
    /// Whether the account refused one.
    pub(crate) is_refused: bool,
}

impl Default for Tally {
    fn default() -> Tally {
        let (tokens, usd) = (Tokens::default(), 0.0);
        Tally { requests: 0, tokens, usd, is_priced: true, error: None, is_refused: false }
    }
}

impl Tally {
    /// Count the tokens of an answer, and what they cost if that is known.
    pub(crate) fn add(&mut self, tokens: &Tokens, usd: Option<f64>) {
        self.tokens.add(tokens);
        self.usd += usd.unwrap_or_default();
        self.is_priced &= usd.is_some();
    }
}

/// A tally that several models share.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedTally(Arc<Mutex<Tally>>);

impl SharedTally {
    pub(crate) fn get(&self) -> Tally {
        lock(&self.0).clone()
    }
}

/// The requests of all runs to a model, no more than a rate allows, in the order in which they come.
#[derive(Debug)]
pub(crate) struct Pace {
    rate: Rate,
    bucket: tokio::sync::Mutex<Bucket>,
    began: Instant,
}

impl Pace {
    pub(crate) fn new(rate: Rate) -> Pace {
        Pace { rate, bucket: tokio::sync::Mutex::new(Bucket::full(rate, 0)), began: Instant::now() }
    }

    fn now(&self) -> i64 {
        i64::try_from(self.began.elapsed().as_micros()).unwrap_or(i64::MAX)
    }

    /// Wait for room, in the order in which requests come: the others wait for the bucket.
    async fn pass(&self, tokens: u64) {
        let mut bucket = self.bucket.lock().await;
        loop {
            bucket.fill(self.rate, self.now());
            if bucket.take(self.rate, tokens) {
                return;
            }
            let wait = bucket.room_at(self.rate, tokens).saturating_sub(self.now());
            let wait = std::time::Duration::from_micros(u64::try_from(wait).unwrap_or_default().max(1));
            tokio::time::sleep(wait).await;
        }
    }

    /// Correct what was taken for a request.
    async fn used(&self, taken: u64, tokens: u64) {
        let more = i64::try_from(tokens).unwrap_or(i64::MAX).saturating_sub_unsigned(taken);
        if self.rate.tokens.is_some() {
            self.bucket.lock().await.spend(more);
        }
    }
}

impl CountedLlm {
    pub(crate) fn new(inner: Arc<dyn Llm>, prices: Option<Prices>, account: Arc<Account>) -> CountedLlm {
        let cost = prices.map(|prices| Arc::new(move |tokens: &Tokens| prices.cost(tokens)) as TokenCost);
        CountedLlm { inner, cost, account, pace: None, tally: SharedTally::default().0 }
    }

    /// The same, no faster than this.
    pub(crate) fn paced(self, pace: Option<Arc<Pace>>) -> CountedLlm {
        CountedLlm { pace, ..self }
    }

    /// The same, counted in this tally.
    pub(crate) fn counted_in(self, tally: &SharedTally) -> CountedLlm {
        CountedLlm { tally: Arc::clone(&tally.0), ..self }
    }

    pub(crate) fn tally(&self) -> Tally {
        lock(&self.tally).clone()
    }

    async fn asked<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> Result<Reply, LlmError> {
        let cost = self.cost.as_ref();
        let reserved = self.account.budget.reserve(request, cost).await;
        let reserved = reserved.inspect_err(|_| lock(&self.tally).is_refused = true)?;
        let estimated = request.estimated_tokens();
        if let Some(pace) = &self.pace {
            pace.pass(estimated).await;
        }
        lock(&self.tally).requests += 1;
        let reply = match self.inner.reply(request, chunks).await {
            Ok(reply) => reply,
            Err(error) => {
                reserved.failed();
                self.account.failed(&error);
                return Err(error);
            }
        };
        self.account.answered(reserved, reply.tokens.as_ref(), cost);
        if let Some(tokens) = &reply.tokens {
            lock(&self.tally).add(tokens, cost.map(|cost| cost(tokens)));
            if let Some(pace) = &self.pace {
                pace.used(estimated, tokens.total()).await;
            }
        }
        Ok(reply)
    }
}

impl Llm for CountedLlm {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            let reply = self.asked(request, chunks).await;
            lock(&self.tally).error = reply.as_ref().err().cloned();
            reply
        })
    }

    fn name(&self) -> &str {
        self.inner.name()
    }
}

fn lock(tally: &Mutex<Tally>) -> MutexGuard<'_, Tally> {
    tally.lock().unwrap_or_else(PoisonError::into_inner)
}
