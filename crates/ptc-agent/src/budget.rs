//! What many runs may use together: each request reserves what it may use before it is sent.

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ptc_chat::{BoxFuture, ChunkSink, Llm, LlmError, LlmErrorKind, Reply, Request, Tokens};
use tokio::sync::Notify;
use tokio::time::timeout;

/// How many requests a run is taken to need before any run has ended: rather too many, since too few would let runs begin
/// that nothing is left for.
const USUAL_REQUESTS: u64 = 8;

/// How long a run that begins waits for the next request of another one, which holds room for it.
const NEXT_REQUEST: Duration = Duration::from_secs(1);

/// What tokens of a model cost, in USD.
pub type TokenCost = Arc<dyn Fn(&Tokens) -> f64 + Send + Sync>;

/// A limit on tokens, on cost or on both, for any number of runs and models at once.
///
/// A request reserves what it may use at most: its estimated size and `max_output_tokens`, 4,096 if the agent does not say
/// less. It waits while others in progress hold what it needs, and is an error of kind `no_credit` when it does not fit even
/// without them. So requests that begin at the same time cannot exceed the limit together.
///
/// Runs that have begun go first. A run begins when there is room for all of it after what those in progress still need;
/// the last ones begin when no other is in progress, with what is left. So a limit pays for about as many answers as when the
/// runs come one after another, however many begin at once. A run is taken to need as many requests as those before it did on
/// average, eight before the first has ended, each as large as its first. For this, give each run another
/// [guard](Self::guard): of runs that share one, only the last has room set aside.
///
/// What was reserved counts as used where nobody knows better: an answer without token counts, and a request whose run was
/// dropped or ran out of time while it waited. A request that failed has used nothing.
///
/// ```
/// use std::sync::Arc;
/// use ptc_agent::{Agent, RunOptions, SharedBudget, blocking};
/// use ptc_chat::ScriptedLlm;
///
/// let budget = Arc::new(SharedBudget::new().max_tokens(100));
/// let llm = budget.guard(Arc::new(ScriptedLlm::replies(["(return 1)"])), None);
/// let agent = Agent::builder("One?").build()?;
/// let step = blocking::run_with(&agent, (), RunOptions::new().llm(llm))?;
/// assert!(step.fail().unwrap().message.contains("100 of 100 tokens are left"));
/// # Ok::<(), ptc_agent::AgentError>(())
/// ```
#[derive(Debug, Default)]
pub struct SharedBudget {
    max_usd: Option<f64>,
    max_tokens: Option<u64>,
    books: Mutex<Books>,
    /// A request has ended, so that there may be room for another one.
    settled: Notify,
}

/// Tokens, and what they cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BudgetUsage {
    /// Of requests and answers.
    pub tokens: u64,
    /// USD, for models whose prices are known.
    pub usd: f64,
}

#[derive(Debug, Default)]
struct Books {
    spent: BudgetUsage,
    reserved: BudgetUsage,
    /// What runs in progress are taken to need after the requests that they have sent.
    claimed: BudgetUsage,
    ended: Ended,
    /// Why the first request that was refused did not fit.
    refusal: Option<String>,
}

/// The runs that have ended.
#[derive(Debug, Default)]
struct Ended {
    runs: u64,
    requests: u64,
}

/// A run that pays from a budget.
#[derive(Debug)]
struct Run {
    budget: Arc<SharedBudget>,
    claim: Mutex<Claim>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Claim {
    /// What the run is taken to need after the requests that it has sent.
    left: BudgetUsage,
    requests: u64,
}

/// What a request may use, set aside until it is answered or has failed. One that is dropped before counts as used: the
/// provider may have answered, and charges for that.
#[derive(Debug)]
#[must_use]
pub struct Reservation<'a> {
    budget: &'a SharedBudget,
    amount: BudgetUsage,
    /// What it has used.
    used: BudgetUsage,
}

impl SharedBudget {
    /// A budget without a limit, which only adds up.
    #[must_use]
    pub fn new() -> SharedBudget {
        SharedBudget::default()
    }

    /// Limit tokens, those of requests and answers together.
    #[must_use]
    pub fn max_tokens(self, most: u64) -> SharedBudget {
        SharedBudget { max_tokens: Some(most), ..self }
    }

    /// Limit the cost. Models whose cost is not known are then not asked.
    #[must_use]
    pub fn max_usd(self, most: f64) -> SharedBudget {
        SharedBudget { max_usd: Some(most), ..self }
    }

    /// A model whose requests are paid from this budget; each run has one. When it is dropped, the run has ended.
    #[must_use]
    pub fn guard(self: &Arc<Self>, llm: Arc<dyn Llm>, cost: Option<TokenCost>) -> Arc<dyn Llm> {
        Arc::new(GuardedLlm { llm, cost, run: Run { budget: Arc::clone(self), claim: Mutex::default() } })
    }

    /// What was used, without requests in progress.
    #[must_use]
    pub fn used(&self) -> BudgetUsage {
        self.books().spent
    }

    /// Count what was used before, or elsewhere.
    pub fn add(&self, used: BudgetUsage) {
        let mut books = self.books();
        books.spent = books.spent.plus(used);
    }

    /// Whether a request was refused, even if a smaller one would fit, or a limit is reached: no run need begin.
    #[must_use]
    pub fn is_used_up(&self) -> bool {
        let books = self.books();
        books.refusal.is_some()
            || self.max_usd.is_some_and(|most| books.spent.usd >= most)
            || self.max_tokens.is_some_and(|most| books.spent.tokens >= most)
    }

    /// Why a request was refused, in words; `None` while none was.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        self.books().refusal.clone()
    }

    /// Set aside what a request may use. While others in progress could leave enough for it, it waits for them.
    ///
    /// Errors when it does not fit even though no other is in progress, and under a limit on cost without `cost`.
    pub async fn reserve(&self, request: &Request, cost: Option<&TokenCost>) -> Result<Reservation<'_>, LlmError> {
        let amount = self.most_of(request, cost)?;
        self.when_settled(|_| self.try_reserve(amount), false).await?;
        Ok(Reservation { budget: self, amount, used: amount })
    }

    /// What a request may use at most.
    ///
    /// Errors under a limit on cost without `cost`.
    fn most_of(&self, request: &Request, cost: Option<&TokenCost>) -> Result<BudgetUsage, LlmError> {
        if self.max_usd.is_some() && cost.is_none() {
            let told = "the budget is in USD, and what this model costs is not known; give its prices";
            return Err(LlmError::new(LlmErrorKind::ConfigError, told));
        }
        Ok(BudgetUsage::of(&at_most(request), cost))
    }

    /// Try until something was set aside, each time that a request has ended. `attempt` is told whether to wait for runs
    /// that have no request in progress; with `soon`, they get a moment for it.
    async fn when_settled(&self, attempt: impl Fn(bool) -> Result<bool, LlmError>, soon: bool) -> Result<(), LlmError> {
        let mut is_patient = soon;
        loop {
            // Before the books are read: what is settled after that is not missed.
            let mut settled = std::pin::pin!(self.settled.notified());
            settled.as_mut().enable();
            if attempt(is_patient)? {
                return Ok(());
            }
            if soon {
                is_patient = timeout(NEXT_REQUEST, settled).await.is_ok();
            } else {
                settled.await;
            }
        }
    }

    /// Whether the amount was set aside; not where it may fit later.
    fn try_reserve(&self, amount: BudgetUsage) -> Result<bool, LlmError> {
        self.reserve_in(&mut self.books(), amount)
    }

    fn reserve_in(&self, books: &mut Books, amount: BudgetUsage) -> Result<bool, LlmError> {
        let Some(told) = self.broken_by(books, amount) else {
            books.reserved = books.reserved.plus(amount);
            return Ok(true);
        };
        if books.reserved != BudgetUsage::default() {
            return Ok(false);
        }
        books.refusal.get_or_insert_with(|| told.clone());
        Err(LlmError::new(LlmErrorKind::NoCredit, told))
    }

    /// The limit that an amount would exceed, in words.
    fn broken_by(&self, books: &Books, amount: BudgetUsage) -> Option<String> {
        const LESS: &str = "; with a smaller `max_output_tokens` a request needs less of it";
        let (spent, all) = (books.spent, books.spent.plus(books.reserved).plus(amount));
        if let Some(most) = self.max_usd.filter(|most| all.usd > *most) {
            let left = (most - spent.usd).max(0.0);
            return Some(format!(
                "USD {left:.4} of USD {most} are left, and the next request may cost USD {:.4}{LESS}",
                amount.usd
            ));
        }
        let most = self.max_tokens.filter(|most| all.tokens > *most)?;
        let left = most.saturating_sub(spent.tokens);
        Some(format!("{left} of {most} tokens are left, and the next request may use {}{LESS}", amount.tokens))
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Run {
    async fn reserve(&self, request: &Request, cost: Option<&TokenCost>) -> Result<Reservation<'_>, LlmError> {
        let budget = &*self.budget;
        let amount = budget.most_of(request, cost)?;
        // A sub-agent works for a run that has begun.
        let begins = request.turn == 1 && request.attempt == 1 && request.agent.is_none();
        match begins {
            true => budget.when_settled(|is_patient| self.try_begin(amount, is_patient), true).await?,
            false => budget.when_settled(|_| self.try_next(amount), false).await?,
        }
        Ok(Reservation { budget, amount, used: amount })
    }

    /// Set aside the first request, and claim what the others may need, if there is room for all of it, or no other run is
    /// in progress.
    fn try_begin(&self, amount: BudgetUsage, is_patient: bool) -> Result<bool, LlmError> {
        let mut books = self.budget.books();
        let mut claim = self.claim();
        let others = books.claimed.minus(claim.left);
        let more = amount.times(books.usual_requests().saturating_sub(1));
        let is_alone = books.reserved == BudgetUsage::default() && (others == BudgetUsage::default() || !is_patient);
        let fits = self.budget.broken_by(&books, others.plus(more).plus(amount)).is_none();
        if !fits && !is_alone {
            return Ok(false);
        }
        let is_reserved = self.budget.reserve_in(&mut books, amount)?;
        if is_reserved {
            let left = if fits { more } else { BudgetUsage::default() };
            books.claimed = others.plus(left);
            *claim = Claim { left, requests: claim.requests + 1 };
        }
        Ok(is_reserved)
    }

    /// Set aside another request: it is paid from what the run has claimed, and whatever else is free.
    fn try_next(&self, amount: BudgetUsage) -> Result<bool, LlmError> {
        let mut books = self.budget.books();
        let is_reserved = self.budget.reserve_in(&mut books, amount)?;
        if is_reserved {
            let mut claim = self.claim();
            let left = claim.left.minus(amount);
            books.claimed = books.claimed.minus(claim.left).plus(left);
            *claim = Claim { left, requests: claim.requests + 1 };
        }
        Ok(is_reserved)
    }

    fn claim(&self) -> MutexGuard<'_, Claim> {
        self.claim.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let Claim { left, requests } = *self.claim();
        let mut books = self.budget.books();
        books.claimed = books.claimed.minus(left);
        if requests > 0 {
            books.ended.runs += 1;
            books.ended.requests += requests;
        }
        drop(books);
        self.budget.settled.notify_waiters();
    }
}

impl Books {
    /// How many requests a run needs.
    fn usual_requests(&self) -> u64 {
        let Ended { runs, requests } = self.ended;
        if runs == 0 { USUAL_REQUESTS } else { requests.div_ceil(runs) }
    }
}

impl BudgetUsage {
    fn of(tokens: &Tokens, cost: Option<&TokenCost>) -> BudgetUsage {
        BudgetUsage { tokens: tokens.total(), usd: cost.map_or(0.0, |cost| cost(tokens)) }
    }

    fn times(self, times: u64) -> BudgetUsage {
        BudgetUsage { tokens: self.tokens.saturating_mul(times), usd: self.usd * times as f64 }
    }

    /// What is left without `other`.
    fn minus(self, other: BudgetUsage) -> BudgetUsage {
        let tokens = self.tokens.saturating_sub(other.tokens);
        // Sums of floating numbers leave dust.
        let usd = if tokens == 0 { 0.0 } else { (self.usd - other.usd).max(0.0) };
        BudgetUsage { tokens, usd }
    }

    fn plus(self, other: BudgetUsage) -> BudgetUsage {
        BudgetUsage { tokens: self.tokens.saturating_add(other.tokens), usd: self.usd + other.usd }
    }
}

impl Reservation<'_> {
    /// The request was answered with these tokens: only they are used. Where the answer does not say its tokens, what was
    /// reserved is.
    pub fn answered(mut self, tokens: Option<&Tokens>, cost: Option<&TokenCost>) {
        if let Some(tokens) = tokens {
            self.used = BudgetUsage::of(tokens, cost);
        }
    }

    /// The request has failed: it has used nothing.
    pub fn failed(mut self) {
        self.used = BudgetUsage::default();
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut books = self.budget.books();
        books.spent = books.spent.plus(self.used);
        books.reserved = books.reserved.minus(self.amount);
        drop(books);
        self.budget.settled.notify_waiters();
    }
}

/// The most tokens that a request is taken to use: three bytes a token, and an answer as long as it may be.
fn at_most(request: &Request) -> Tokens {
    let input = request.estimated_tokens().saturating_mul(4) / 3 + 1;
    Tokens { input, output: u64::from(request.options.max_output_tokens), ..Tokens::default() }
}

struct GuardedLlm {
    llm: Arc<dyn Llm>,
    cost: Option<TokenCost>,
    run: Run,
}

impl Llm for GuardedLlm {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        chunks: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        Box::pin(async move {
            let reserved = self.run.reserve(request, self.cost.as_ref()).await?;
            let reply = self.llm.reply(request, chunks).await;
            match &reply {
                Ok(reply) => reserved.answered(reply.tokens.as_ref(), self.cost.as_ref()),
                Err(_) => reserved.failed(),
            }
            reply
        })
    }

    fn name(&self) -> &str {
        self.llm.name()
    }
}
