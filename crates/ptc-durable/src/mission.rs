//! One mission: started, driven to its end, shown, decided and stopped.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use futures::future::{Either, select};
use indexmap::IndexMap;
use ptc_agent::{Agent, Context, Engine, RunOptions};
use ptc_lisp::values::key_name;
use ptc_lisp::{Map, Value};
use ptc_transcript::{
    Decided, EndingKind, Event, EventKind, Fail, FailKind, FailReason, Journal, JournalWriter, Observer, Step,
    ValueForm, json_of, value_of,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map as JsonMap, Value as Json, json};

use crate::blob::{BlobStore, WatchedBlobs, store};
use crate::engine::{MissionEngine, RecordedDecision, WAITING, fetched, now_us, promise_of, read, step};
use crate::json;
use crate::limits::Limits;
use crate::pump::InvocationContext;
use crate::record::{Notice, RecordError};
use crate::restate::{Answer, Invocation};
use crate::starts::{Process, Starts};
use crate::wire::{self, Failed, MissionState, Outcome, Status, Submission, TurnLine};

/// Keys of the state of a mission, besides [`WAITING`].
const ABOUT: &str = "about";
const OVER: &str = "over";
const TURN: &str = "turn/";

/// The promise by which a mission is asked to end.
const CANCELLED: &str = "cancelled";

/// A mission that workers run.
#[derive(Clone)]
pub struct Mission {
    /// The service of the engine: letters, digits, `-` and `_`, a letter first.
    pub name: String,
    /// What runs.
    pub agent: Agent,
    /// Entries of `data/` that each run begins with, besides those of the submission.
    pub data: Map,
    /// The model, the registry and the bounds of a run. Its journal, engine, clock, id, observers and approver are the
    /// worker's.
    pub options: RunOptions,
}

/// What all missions of a worker share.
pub(crate) struct Shared {
    pub blobs: Arc<WatchedBlobs>,
    /// The version of this worker.
    pub version: String,
    pub limits: Limits,
    /// The service of the objects of limits.
    pub limits_service: String,
    pub process: Process,
}

/// The first step: what the mission starts with, whichever worker resumes it.
#[derive(Serialize, Deserialize)]
struct Begun {
    version: String,
    began_us: i64,
    /// What holds back its requests, and where: with other limits it would run differently.
    limits: Limits,
    limits_service: String,
}

/// The outcome of a mission, for its status.
#[derive(Serialize, Deserialize)]
struct MissionOutcome {
    ending: EndingKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<FailReason>,
}

impl MissionOutcome {
    fn of(step: &Step) -> MissionOutcome {
        MissionOutcome { ending: step.ending, reason: step.fail().map(|fail| fail.reason.clone()) }
    }

    /// As stored in the state.
    fn shown(&self) -> Vec<(String, Bytes)> {
        vec![(OVER.to_owned(), serde_json::to_vec(self).unwrap_or_default().into())]
    }
}

/// What is shown of a mission.
#[derive(Serialize, Deserialize)]
struct About {
    version: String,
    began_us: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tenant: Option<String>,
}

impl Mission {
    /// Drive it to its end.
    pub(crate) async fn run(&self, shared: &Shared, handler: InvocationContext, invocation: Invocation) -> Answer {
        match self.outcome(shared, handler, invocation).await {
            Ok(answer) => answer,
            Err(RecordError::Diverged(problem)) => unreadable(problem),
            Err(error) => Answer::Later(error.to_string()),
        }
    }

    async fn outcome(
        &self,
        shared: &Shared,
        handler: InvocationContext,
        invocation: Invocation,
    ) -> Result<Answer, RecordError> {
        let id = wire::MissionId { mission: self.name.clone(), key: invocation.key.clone() }.to_string();
        let submission = match submission(&invocation.input) {
            Ok(submission) => submission,
            Err(problem) => return Ok(Answer::Refused(400, problem)),
        };
        let blobs = shared.blobs.as_ref();
        let begun = async {
            let (limits, limits_service) = (shared.limits.clone(), shared.limits_service.clone());
            Begun { version: shared.version.clone(), began_us: now_us(), limits, limits_service }
        };
        let (begun, _) = step(&handler, blobs, format!("{id}/begin"), begun).await?;
        let (version, began_us) = (begun.version.clone(), begun.began_us);
        set(&handler, ABOUT, &About { version, began_us, tenant: submission.tenant.clone() });
        let data = self.data_of(&handler, blobs, &submission);
        let data = match step(&handler, blobs, format!("{id}/data"), data).await? {
            (Ok(data), _) => data,
            (Err(problem), _) => return Ok(refused(&handler, problem).await),
        };
        let rate_limiter = begun.limits.rate_limiter(begun.limits_service, submission.tenant.as_deref());
        let engine = Arc::new(MissionEngine {
            handler: handler.clone(),
            blobs: Arc::<WatchedBlobs>::clone(&shared.blobs),
            began_us: begun.began_us,
            rate_limiter,
            starts: Starts::new(shared.process.clone(), invocation.steps),
        });
        let record = Arc::new(JournalWriter::new(Vec::new()));
        let mut options = self
            .options
            .clone()
            .run_id(id.as_str())
            .seed(submission.seed.unwrap_or_else(|| seed_of(&invocation.key)))
            .cancel(handler.cancel())
            .engine(Arc::<MissionEngine>::clone(&engine) as Arc<dyn Engine>);
        options.journal = Some(Arc::<JournalWriter<Vec<u8>>>::clone(&record) as Arc<dyn Journal>);
        (options.resume, options.approval) = (None, None);
        options.observers.push(Arc::new(Progress {
            id: id.clone(),
            handler: handler.clone(),
            tokens: Mutex::default(),
        }));
        let context = match context(data) {
            Ok(context) => context,
            Err(problem) => return Ok(unreadable(problem)),
        };
        // A promise gets a value to end the mission, possibly before it has started.
        let cancelled = async {
            handler.promise(CANCELLED.to_owned()).await?;
            handler.cancel().cancel();
            std::future::pending::<Result<Infallible, RecordError>>().await
        };
        let run = std::pin::pin!(self.agent.run_with(context, options));
        let step = match select(run, std::pin::pin!(cancelled)).await {
            Either::Left((ended, _)) => ended,
            Either::Right((Err(error), run)) => match error {
                // The run sees it, too, and ends with what it knows.
                RecordError::Diverged(_) => run.await,
                error => return Err(error),
            },
            Either::Right((Ok(never), _)) => match never {},
        };
        let mut step = match step {
            Ok(step) => step,
            Err(error) => return Ok(refused(&handler, error.to_string()).await),
        };
        set(&handler, OVER, &MissionOutcome::of(&step));
        if let Err(RecordError::Diverged(problem)) = handler.fits().await
            && !is_broken(&step)
        {
            // It ends before its record does.
            step.ending = EndingKind::Error;
            step.result = Err(Fail::new(FailKind::Config, FailReason::JournalError, problem));
        }
        told_version(&mut step, &begun.version, &shared.version);
        let (is_broken, over) = (is_broken(&step), MissionOutcome::of(&step));
        let outcome = outcome(&handler, blobs, (id, begun.version), &step, record).await;
        let outcome = serde_json::to_vec(&outcome).map_err(|error| RecordError::Gone(error.to_string()))?.into();
        if is_broken {
            return Ok(Answer::Diverged(Ok(outcome), over.shown()));
        }
        Ok(Answer::Value(outcome))
    }

    /// Whether what waits can be changed as decided.
    fn takes(&self, waiting: &wire::Waiting, decision: &Decided) -> Result<(), String> {
        let Decided::Edit(edited) = decision else { return Ok(()) };
        let edited = value_of(edited).map_err(|error| error.to_string())?;
        match &waiting.tool {
            Some(tool) => self.agent.takes(&waiting.path, tool, &edited),
            None if edited.as_str().is_some() => Ok(()),
            None => Err(format!("a program is replaced by a text, not by a {}", edited.kind())),
        }
    }

    /// Everything that programs read as `data/`, typed.
    ///
    /// Errors when parts of the submission are unavailable.
    async fn data_of(
        &self,
        handler: &InvocationContext,
        blobs: &dyn BlobStore,
        submission: &Submission,
    ) -> Result<JsonMap<String, Json>, String> {
        let own = self
            .data
            .iter()
            .filter_map(|(key, value)| Some((key_name(key)?.to_owned(), json_of(value, ValueForm::Typed))));
        let mut data: JsonMap<String, Json> = own.collect();
        if let Some(blob) = &submission.stored_data {
            let wrong = |problem: String| {
                format!("the data of the submission: {problem}; `ptc mission submit` and workers need the same --blobs")
            };
            let stored = fetched(handler, blobs, blob).await.map_err(|error| wrong(error.to_string()))?;
            let stored: JsonMap<String, Json> = read(&stored).map_err(|error| wrong(error.to_string()))?;
            data.extend(stored.into_iter().map(typed));
        }
        data.extend(submission.data.clone().into_iter().map(typed));
        Ok(data)
    }
}

/// Where a mission is.
pub(crate) async fn status(
    shared: &Shared,
    mission: &Mission,
    handler: &InvocationContext,
    key: &str,
) -> Result<Answer, RecordError> {
    let id = wire::MissionId { mission: mission.name.clone(), key: key.to_owned() }.to_string();
    let about: Option<About> = get(handler, ABOUT).await?;
    let mut keys = handler.state_keys().await?;
    keys.sort_unstable();
    let (mut turns, mut waiting): (Vec<TurnLine>, Vec<wire::Waiting>) = Default::default();
    for key in keys {
        if key.starts_with(TURN) {
            turns.extend(get::<TurnLine>(handler, &key).await?);
        } else if key.starts_with(WAITING) {
            waiting.extend(get::<wire::Waiting>(handler, &key).await?);
        }
    }
    waiting.sort_by_cached_key(|waiting| in_order(&waiting.id));
    let over: Option<MissionOutcome> = get(handler, OVER).await?;
    if over.is_some() {
        waiting.clear();
    }
    let state = match (&about, &over) {
        (_, Some(_)) => MissionState::Ended,
        (None, _) => MissionState::Submitted,
        _ if waiting.is_empty() => MissionState::Running,
        _ => MissionState::Waiting,
    };
    let (version, began_us) = about.map(|about| (about.version, about.began_us)).unzip();
    let (ending, reason) = over.map(|over| (over.ending, over.reason)).unzip();
    let reason = reason.flatten();
    let trouble = if state == MissionState::Ended { None } else { shared.blobs.trouble() };
    Ok(json_answer(&Status { id, state, version, began_us, turns, waiting, ending, reason, trouble }))
}

/// Take a decision.
pub(crate) async fn approve(
    mission: &Mission,
    handler: &InvocationContext,
    input: &[u8],
) -> Result<Answer, RecordError> {
    let answer = json::read::<wire::Answer>(input).map_err(|error| error.to_string());
    let readable = |answer: wire::Answer| match answer.decision.to_decision() {
        Ok(_) => Ok(answer),
        Err(error) => Err(error.to_string()),
    };
    let answer = match answer.and_then(readable) {
        Ok(answer) => answer,
        Err(error) => {
            let write = "write {\"call\": ID, \"decision\": \"approve\"}, or {\"deny\": \"why\"} or {\"edit\": {…}} as the decision";
            return Ok(Answer::Refused(400, format!("not a decision: {error}; {write}")));
        }
    };
    let decided = || Ok(Answer::Refused(409, format!("'{}' was decided before", answer.call)));
    let Some(waiting) = get::<wire::Waiting>(handler, &format!("{WAITING}{}", answer.call)).await? else {
        if handler.has_promise(promise_of(&answer.call)).await? {
            return decided();
        }
        let keys = handler.state_keys().await?;
        let mut ids: Vec<&str> = keys.iter().filter_map(|key| key.strip_prefix(WAITING)).collect();
        ids.sort_by_cached_key(|id| in_order(id));
        let there =
            if ids.is_empty() { "nothing waits".to_owned() } else { format!("what waits is {}", ids.join(", ")) };
        return Ok(Answer::Refused(404, format!("'{}' does not wait for a decision; {there}", answer.call)));
    };
    if let Err(problem) = mission.takes(&waiting, &answer.decision) {
        let text = format!("'{}' cannot be edited so: {problem}; nothing was decided, decide it again", answer.call);
        return Ok(Answer::Refused(400, text));
    }
    let decree = RecordedDecision { decision: answer.decision.clone(), at_us: now_us() };
    let value = serde_json::to_vec(&decree).unwrap_or_default();
    Ok(match handler.complete_promise(promise_of(&answer.call), value.into()).await? {
        true => json_answer(&json!({"id": answer.call, "decided": true})),
        false => return decided(),
    })
}

/// Ask it to end.
pub(crate) async fn cancel(handler: &InvocationContext) -> Result<Answer, RecordError> {
    handler.complete_promise(CANCELLED.to_owned(), "true".into()).await?;
    Ok(json_answer(&json!({"cancelled": true})))
}

/// Ids in the order of creation, `1/10` after `1/9`.
fn in_order(id: &str) -> Vec<(u64, String)> {
    id.split('/').map(|part| (part.parse().unwrap_or(0), part.to_owned())).collect()
}

/// A mission that ends because it changed names the two versions.
fn told_version(step: &mut Step, began_with: &str, version: &str) {
    if let Err(fail) = &mut step.result
        && fail.reason == FailReason::JournalError
        && began_with != version
    {
        fail.message =
            format!("{} (it started with workers of version {began_with}, this one has {version})", fail.message);
    }
}

fn submission(input: &[u8]) -> Result<Submission, String> {
    if input.iter().all(u8::is_ascii_whitespace) {
        return Ok(Submission::default());
    }
    serde_json::from_slice(input).map_err(|error| {
        format!(
            "not a submission: {error}; write {{\"data\": {{…}}, \"seed\": 7, \"tenant\": \"…\"}}, all of it optional"
        )
    })
}

/// Host data as a typed value has it.
fn typed((key, value): (String, Json)) -> (String, Json) {
    let value = json_of(&Value::from_json(value), ValueForm::Typed);
    (key, value)
}

/// The data of the run. Data without marks of typed values is imported like data files, with shapes that are fast for
/// programs.
fn context(data: JsonMap<String, Json>) -> Result<Context, String> {
    let mut entries = IndexMap::new();
    for (key, json) in data {
        let value = match is_plain(&json) {
            true => Value::from_json(json),
            false => value_of(&json).map_err(|error| format!("data/{key} on record cannot be read: {error}"))?,
        };
        entries.insert(key, value);
    }
    let data = Value::map_from(entries.into_iter().map(|(key, value)| (Value::keyword(&key), value)));
    Ok(Context::from_map(data.as_map().cloned().unwrap_or_default()))
}

fn is_plain(json: &Json) -> bool {
    match json {
        Json::Array(items) => items.iter().all(is_plain),
        Json::Object(object) => object.iter().all(|(key, item)| !key.starts_with('$') && is_plain(item)),
        _ => true,
    }
}

/// Nothing can start with this submission, or with this worker where another one started it.
async fn refused(handler: &InvocationContext, problem: String) -> Answer {
    let over = MissionOutcome { ending: EndingKind::Error, reason: None };
    set(handler, OVER, &over);
    match handler.fits().await {
        Ok(()) => Answer::Refused(400, problem),
        Err(error) => Answer::Diverged(Err(format!("{problem}; {error}")), over.shown()),
    }
}

/// Its starting point cannot be read from its record.
fn unreadable(problem: String) -> Answer {
    let over = MissionOutcome { ending: EndingKind::Error, reason: Some(FailReason::JournalError) };
    Answer::Diverged(Err(problem), over.shown())
}

/// Whether the run differs from its record.
fn is_broken(step: &Step) -> bool {
    step.fail().is_some_and(|fail| fail.reason == FailReason::JournalError)
}

/// FNV-1a, so that a mission has its own random numbers.
fn seed_of(key: &str) -> u64 {
    key.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

async fn outcome(
    handler: &InvocationContext,
    blobs: &dyn BlobStore,
    (id, version): (String, String),
    step: &Step,
    record: Arc<JournalWriter<Vec<u8>>>,
) -> Outcome {
    // The run has ended and holds it no more.
    let record = Arc::into_inner(record).map(JournalWriter::into_writer).unwrap_or_default();
    let record = Json::String(String::from_utf8_lossy(&record).into_owned());
    let fail = step.fail().map(|fail| Failed { reason: fail.reason.clone(), message: fail.message.clone() });
    let value = step.return_value().map_or(Json::Null, |value| json_of(value, ValueForm::Plain));
    let kept = async { Ok::<_, crate::blob::BlobError>((store(blobs, value).await?, store(blobs, record).await?)) };
    match handler.beside(kept).await {
        Ok((value, record)) => {
            let (ending, usage) = (step.ending, step.usage.clone());
            Outcome { id, version, ending, value, fail, usage, record: Some(record), step: None, trace: None }
        }
        Err(error) => handler.put_off(error.to_string()).await,
    }
}

/// Shows each finished turn.
struct Progress {
    id: String,
    handler: InvocationContext,
    /// Input and output of all replies.
    tokens: Mutex<Option<u64>>,
}

impl Observer for Progress {
    fn on_event(&self, event: &Event) {
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        match &event.kind {
            EventKind::LlmStop { tokens: Some(used), .. } => {
                *tokens = Some(tokens.unwrap_or(0).saturating_add(used.total()));
            }
            EventKind::TurnStop { record: Some(turn), .. } if *event.run == *self.id => {
                let line = TurnLine {
                    turn: turn.number(),
                    reason: turn.error_reason(),
                    calls: turn.tool_calls().len(),
                    tokens: *tokens,
                    at_us: now_us(),
                };
                set(&self.handler, &format!("{TURN}{:06}", line.turn), &line);
            }
            _ => {}
        }
    }
}

fn set(handler: &InvocationContext, key: &str, value: &impl Serialize) {
    let value = serde_json::to_vec(value).unwrap_or_default();
    handler.tell(Notice::SetState(key.to_owned(), value.into()));
}

/// The value under this key.
async fn get<T: serde::de::DeserializeOwned>(handler: &InvocationContext, key: &str) -> Result<Option<T>, RecordError> {
    let bytes: Option<Bytes> = handler.state(key).await?;
    let value = bytes.map(|bytes| read(&bytes)).transpose();
    value.map_err(|error| RecordError::Diverged(format!("{key}: {error}")))
}

fn json_answer(value: &impl Serialize) -> Answer {
    Answer::Value(serde_json::to_vec(value).unwrap_or_default().into())
}
