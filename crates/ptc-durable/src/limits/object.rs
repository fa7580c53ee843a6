//! A limit as an object of the engine: what is left of it, and who waits. Each request carries what the limit allows,
//! so any worker can keep it.

use ptc_chat::{Bucket, Rate};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::engine::now_us;
use crate::pump::InvocationContext;
use crate::record::{Notice, RecordError, Target};
use crate::restate::Answer;

/// The handlers of the service of limits, whose objects are their names.
pub(crate) const ASK: &str = "ask";
pub(crate) const SPENT: &str = "spent";
pub(crate) const TICK: &str = "tick";

/// The key of the state for everything except the requests.
const DESK: &str = "desk";

/// A request that wants to pass.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Ask {
    pub tenant: String,
    pub tokens: u64,
    /// The callback to inform.
    pub callback: String,
    pub rate: Rate,
}

/// Tokens in addition to the estimate.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Spent {
    pub tokens: i64,
    pub rate: Rate,
}

/// What is left, and which requests wait.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LimiterState {
    pub bucket: Option<Bucket>,
    /// Tenants whose requests wait, the next one first.
    pub line: Vec<Queue>,
}

/// The requests of one tenant that wait: numbered from `first`, each under its own key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Queue {
    pub tenant: String,
    pub first: u64,
    pub next: u64,
}

impl LimiterState {
    /// A place for a request at the end of its tenant's queue.
    pub fn place(&mut self, tenant: &str) -> u64 {
        let index = self.line.iter().position(|queue| queue.tenant == tenant).unwrap_or_else(|| {
            self.line.push(Queue { tenant: tenant.to_owned(), first: 0, next: 0 });
            self.line.len() - 1
        });
        let Some(queue) = self.line.get_mut(index) else { return 0 };
        queue.next += 1;
        queue.next - 1
    }

    /// The next request: the oldest one of the tenant whose turn it is.
    pub fn next(&self) -> Option<(String, u64)> {
        self.line.first().map(|queue| (queue.tenant.clone(), queue.first))
    }

    /// It has passed: its tenant goes to the end of the line, or leaves it.
    pub fn passed(&mut self) {
        if self.line.is_empty() {
            return;
        }
        let mut queue = self.line.remove(0);
        queue.first += 1;
        if queue.first < queue.next {
            self.line.push(queue);
        }
    }

    /// What is left now.
    pub fn bucket(&mut self, rate: Rate, now: i64) -> &mut Bucket {
        let bucket = self.bucket.get_or_insert_with(|| Bucket::full(rate, now));
        bucket.fill(rate, now);
        bucket
    }
}

/// A request asks to pass.
pub(crate) async fn ask(
    handler: &InvocationContext,
    service: &str,
    name: &str,
    input: &[u8],
) -> Result<Answer, RecordError> {
    let ask: Ask = match serde_json::from_slice(input) {
        Ok(ask) => ask,
        Err(error) => return Ok(Answer::Refused(400, error.to_string())),
    };
    let now = now(handler).await?;
    let mut limiter = limiter(handler).await?;
    if limiter.line.is_empty() && limiter.bucket(ask.rate, now).take(ask.rate, ask.tokens) {
        handler.tell(Notice::AnswerCallback(ask.callback, NOTHING.into()));
    } else {
        let is_first = limiter.line.is_empty();
        let place = limiter.place(&ask.tenant);
        keep(handler, &key_of(&ask.tenant, place), &ask);
        if is_first {
            look_again(handler, (service, name), &mut limiter, now, &ask);
        }
    }
    keep(handler, DESK, &limiter);
    Ok(nothing())
}

/// Let as many pass as there is capacity for.
pub(crate) async fn tick(handler: &InvocationContext, service: &str, name: &str) -> Result<Answer, RecordError> {
    let now = now(handler).await?;
    let mut limiter = limiter(handler).await?;
    while let Some((tenant, place)) = limiter.next() {
        let key = key_of(&tenant, place);
        let ask: Option<Ask> = kept(handler, &key).await?;
        if let Some(ask) = ask {
            if !limiter.bucket(ask.rate, now).take(ask.rate, ask.tokens) {
                look_again(handler, (service, name), &mut limiter, now, &ask);
                break;
            }
            handler.tell(Notice::AnswerCallback(ask.callback, NOTHING.into()));
            handler.tell(Notice::ClearState(key));
        }
        limiter.passed();
    }
    keep(handler, DESK, &limiter);
    Ok(nothing())
}

/// A request used more or less than its estimate.
pub(crate) async fn spent(handler: &InvocationContext, input: &[u8]) -> Result<Answer, RecordError> {
    let spent: Spent = match serde_json::from_slice(input) {
        Ok(spent) => spent,
        Err(error) => return Ok(Answer::Refused(400, error.to_string())),
    };
    let now = now(handler).await?;
    let mut limiter = limiter(handler).await?;
    limiter.bucket(spent.rate, now).spend(spent.tokens);
    keep(handler, DESK, &limiter);
    Ok(nothing())
}

/// The answer of callbacks and handlers without a result.
const NOTHING: &str = "null";

fn nothing() -> Answer {
    Answer::Value(NOTHING.into())
}

/// Schedule a call of `tick` for when there is capacity for this request, which is the next.
fn look_again(
    handler: &InvocationContext,
    (service, name): (&str, &str),
    limiter: &mut LimiterState,
    now: i64,
    next: &Ask,
) {
    let at = limiter.bucket(next.rate, now).room_at(next.rate, next.tokens).max(now);
    let target = Target { service: service.to_owned(), key: name.to_owned(), handler: TICK };
    handler.tell(Notice::Send(target, NOTHING.into(), u64::try_from(at).ok()));
}

/// The time, on record: its consequences happen once.
async fn now(handler: &InvocationContext) -> Result<i64, RecordError> {
    let (bytes, _) = handler.run("now".to_owned(), async { now_us().to_string().into() }).await?;
    serde_json::from_slice(&bytes).map_err(|error| RecordError::Diverged(error.to_string()))
}

async fn limiter(handler: &InvocationContext) -> Result<LimiterState, RecordError> {
    Ok(kept(handler, DESK).await?.unwrap_or_default())
}

async fn kept<T: DeserializeOwned>(handler: &InvocationContext, key: &str) -> Result<Option<T>, RecordError> {
    Ok(handler.state(key).await?.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

fn keep(handler: &InvocationContext, key: &str, value: &impl Serialize) {
    handler.tell(Notice::SetState(key.to_owned(), serde_json::to_vec(value).unwrap_or_default().into()));
}

fn key_of(tenant: &str, place: u64) -> String {
    format!("wait/{tenant}/{place}")
}
