//! The agent loop's view of the engine: steps, waiting, and the approver.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use futures::future::{Either, select};
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use ptc_agent::{Approval, Decision, Done, Engine, Start, Stepped};
use ptc_chat::{Reply, Request};
use ptc_lisp::BoxFuture;
use ptc_transcript::{Decided, JournalError, JournalRecord, ValueForm, json_of};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::blob::{BlobError, BlobStore, INLINE_BYTES};
use crate::json;
use crate::limits::RateLimiter;
use crate::pump::InvocationContext;
use crate::record::{Notice, RecordError};
use crate::starts::Starts;
use crate::wire::{Blob, Waiting};

/// The prefix of the state keys under which waiting items are shown, one for each.
pub(crate) const WAITING: &str = "waiting/";

/// Bytes of arguments that are shown inline.
const SHOWN_BYTES: usize = 16 * 1024;

/// Why undecided items are denied.
const LATE: &str = "the mission deadline has passed";

/// Attempts to write to the blob store before a mission that loses nothing is put off.
const PUTS: u32 = 4;

/// The first wait for a blob store that cannot be written, and the longest.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The prefix of a step that is in the blob store.
const STORED: &[u8] = b"{\"stored\":";

/// The engine of one mission.
pub(crate) struct MissionEngine {
    pub handler: InvocationContext,
    pub blobs: Arc<dyn BlobStore>,
    pub began_us: i64,
    /// What holds back requests to models.
    pub rate_limiter: RateLimiter,
    pub starts: Starts,
}

/// A step that is too large for the record.
#[derive(Serialize, Deserialize)]
struct StoredStep {
    stored: Blob,
}

/// The value of the promise for a decision.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RecordedDecision {
    pub decision: Decided,
    /// Microseconds since 1970.
    pub at_us: i64,
}

/// The promise for a decision about this.
pub(crate) fn promise_of(id: &str) -> String {
    format!("decision/{id}")
}

/// Microseconds since 1970.
pub(crate) fn now_us() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

impl MissionEngine {
    async fn decisions(&self, waiting: &Approval, until_us: Option<i64>) -> Result<(Vec<Decision>, i64), JournalError> {
        let ids = waiting.ids();
        for shown in self.shown(waiting, until_us).await {
            let value = serde_json::to_vec(&shown).unwrap_or_default();
            self.handler.tell(Notice::SetState(format!("{WAITING}{}", shown.id), value.into()));
        }
        let mut at = self.began_us;
        let decisions = self.decided(&ids, until_us).await?.into_iter().map(|decree| match decree {
            Some(decree) => {
                at = at.max(decree.at_us);
                let unreadable = |error| Decision::deny(format!("the decision cannot be read: {error}"));
                decree.decision.to_decision().unwrap_or_else(unreadable)
            }
            None => {
                at = at.max(until_us.unwrap_or(at));
                Decision::deny(LATE)
            }
        });
        Ok((decisions.collect(), at))
    }

    fn hide(&self, id: &str) {
        self.handler.tell(Notice::ClearState(format!("{WAITING}{id}")));
    }

    /// What waits, for the person who decides; large arguments are replaced by their place.
    async fn shown(&self, waiting: &Approval, until_us: Option<i64>) -> Vec<Waiting> {
        let path = waiting.path().to_vec();
        let shown = |id: &str| Waiting { id: id.to_owned(), path: path.clone(), until_us, ..Waiting::default() };
        match waiting {
            Approval::Calls(calls) => {
                let mut all = Vec::with_capacity(calls.len());
                for call in calls {
                    let mut one = Waiting { tool: Some(call.call.name.to_string()), ..shown(&call.id) };
                    let args = json_of(&call.call.args, ValueForm::Plain);
                    match serde_json::to_vec(&args) {
                        Ok(bytes) if bytes.len() > SHOWN_BYTES => {
                            let kept = kept(self.blobs.as_ref(), bytes, Some(PUTS));
                            one.stored_args = match self.handler.beside(kept).await {
                                Ok(blob) => Some(blob),
                                Err(error) => self.handler.put_off(error.to_string()).await,
                            };
                        }
                        _ => one.args = Some(args),
                    }
                    all.push(one);
                }
                all
            }
            Approval::Program(program) => {
                vec![Waiting { program: Some(program.source.clone()), ..shown(&program.id) }]
            }
            _ => Vec::new(),
        }
    }

    /// The decisions about each of them until then.
    async fn decided(
        &self,
        ids: &[String],
        until_us: Option<i64>,
    ) -> Result<Vec<Option<RecordedDecision>>, JournalError> {
        let mut decrees = vec![None; ids.len()];
        let promises = ids.iter().enumerate();
        let mut promises: FuturesUnordered<_> = promises
            .map(|(index, id)| self.handler.promise(promise_of(id)).map(move |decree| (index, decree)))
            .collect();
        let late = async {
            match until_us {
                Some(until) => {
                    let until = u64::try_from(until).unwrap_or(0);
                    let first = ids.first().map(String::as_str).unwrap_or_default();
                    self.handler.sleep_until(format!("deadline of {first}"), until).await
                }
                None => std::future::pending().await,
            }
        };
        let mut late = std::pin::pin!(late);
        loop {
            let (index, decree) = match select(promises.next(), late.as_mut()).await {
                Either::Left((Some(decided), _)) => decided,
                Either::Left((None, _)) => return Ok(decrees),
                Either::Right((over, _)) => {
                    over.map_err(diverged)?;
                    let open = ids.iter().zip(&decrees).filter(|(_, decree)| decree.is_none());
                    open.for_each(|(id, _)| self.hide(id));
                    return Ok(decrees);
                }
            };
            if let Some(id) = ids.get(index) {
                self.hide(id);
            }
            let decree = decree.map_err(diverged)?;
            let decree: RecordedDecision =
                read(&decree).map_err(|problem| JournalError::Value(format!("a decision: {problem}")))?;
            if let Some(place) = decrees.get_mut(index) {
                *place = Some(decree);
            }
        }
    }
}

impl Engine for MissionEngine {
    fn began(&self) -> i64 {
        self.began_us
    }

    fn step<'a>(&'a self, name: String, work: BoxFuture<'a, JournalRecord>) -> BoxFuture<'a, Stepped> {
        Box::pin(async move {
            let (record, is_new) = step(&self.handler, self.blobs.as_ref(), name, work).await.map_err(diverged)?;
            Ok(Done { record, is_new })
        })
    }

    fn admit<'a>(&'a self, model: &'a str, request: &'a Request) -> BoxFuture<'a, Result<(), JournalError>> {
        Box::pin(async move { self.rate_limiter.pass(&self.handler, model, request).await.map_err(diverged) })
    }

    fn used(&self, model: &str, request: &Request, reply: &Reply) {
        if let Some(tokens) = reply.tokens {
            self.rate_limiter.used(&self.handler, model, request, tokens.total());
        }
    }

    fn sleep(&self, name: String, time: Duration) -> BoxFuture<'_, Result<(), JournalError>> {
        let time = i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
        let until = u64::try_from(now_us().saturating_add(time)).unwrap_or(0);
        Box::pin(async move { self.handler.sleep_until(name, until).await.map_err(diverged) })
    }

    fn decide<'a>(
        &'a self,
        waiting: &'a Approval,
        until_us: Option<i64>,
    ) -> BoxFuture<'a, Result<(Vec<Decision>, i64), JournalError>> {
        Box::pin(self.decisions(waiting, until_us))
    }

    fn starting(&self, place: String) -> BoxFuture<'_, Result<Start, JournalError>> {
        Box::pin(async move { self.starts.at(&self.handler, &place).await.map_err(diverged) })
    }

    fn rest(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.handler.rest())
    }
}

/// The result of `work`, kept on record, or in the blob store when it is large; and whether the work was done just now.
pub(crate) async fn step<T: Serialize + DeserializeOwned>(
    handler: &InvocationContext,
    blobs: &dyn BlobStore,
    name: String,
    work: impl Future<Output = T>,
) -> Result<(T, bool), RecordError> {
    let work = async {
        let made = work.await;
        match serde_json::to_vec(&made) {
            Ok(bytes) if bytes.len() <= INLINE_BYTES => Bytes::from(bytes),
            // Only this process has the result: it waits for as long as the store is unavailable.
            Ok(bytes) => match kept(blobs, bytes, None).await {
                Ok(stored) => serde_json::to_vec(&StoredStep { stored }).unwrap_or_default().into(),
                Err(error) => handler.put_off(error.to_string()).await,
            },
            Err(error) => handler.put_off(format!("a step cannot be written as JSON: {error}")).await,
        }
    };
    let (bytes, is_new) = handler.run(name, work).await?;
    let bytes = match bytes.strip_prefix(STORED) {
        None => bytes,
        Some(_) => {
            let place: StoredStep = read(&bytes).map_err(RecordError::Diverged)?;
            fetched(handler, blobs, &place.stored).await.map_err(|error| RecordError::Diverged(error.to_string()))?
        }
    };
    Ok((read(&bytes).map_err(RecordError::Diverged)?, is_new))
}

/// The place of these bytes, after at most so many attempts.
async fn kept(blobs: &dyn BlobStore, bytes: Vec<u8>, most: Option<u32>) -> Result<Blob, BlobError> {
    let (mut tries, mut wait) = (1, FIRST_WAIT);
    loop {
        match blobs.put(bytes.clone()).await {
            Err(error) if error.is_passing() && most.is_none_or(|most| tries < most) => {}
            done => return done,
        }
        tokio::time::sleep(wait).await;
        (tries, wait) = (tries.saturating_add(1), (wait * 2).min(LONGEST_WAIT));
    }
}

/// The bytes. While their store is unavailable the mission is put off.
///
/// Errors when they are not what they should be, which a retry does not change.
pub(crate) async fn fetched(
    handler: &InvocationContext,
    blobs: &dyn BlobStore,
    blob: &Blob,
) -> Result<Bytes, BlobError> {
    match handler.beside(blobs.get(blob)).await {
        Ok(bytes) => Ok(bytes.into()),
        Err(error) if error.is_passing() => handler.put_off(error.to_string()).await,
        Err(error) => Err(error),
    }
}

/// What is on record.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    json::read(bytes).map_err(|error| format!("a record that this release cannot read: {error}"))
}

fn diverged(error: RecordError) -> JournalError {
    JournalError::OtherStep(error.to_string())
}
