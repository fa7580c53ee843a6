//! One call of a tool at its server.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::future::try_join_all;
use ptc_lisp::text::{one_line, shortened};
use ptc_lisp::{OnNotice, ToolNotice};
use rmcp::model::{
    CancelledNotificationParam, ClientRequest, InputRequest, InputRequiredResult, ProgressNotificationParam,
    ProgressToken, RequestId, ServerResult,
};
use rmcp::service::PeerRequestOptions;
use rmcp::{Peer, RoleClient, ServiceError};
use serde_json::{Map, Value as Json, json};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::caller::{InFlight, caller};
use crate::further::request;
use crate::server::{Link, Service};

/// A call that shows signs of life may take this many times its limit.
pub(crate) const MAX_LIMITS: u32 = 10;

/// Minimum time between two reports of progress.
const TELL_AGAIN: Duration = Duration::from_secs(1);

/// Rounds of a call whose server asks for more input.
const MAX_ROUNDS: u32 = 10;

/// Pause before the first round that only waits.
const FIRST_WAIT: Duration = Duration::from_millis(100);

/// Characters of a message.
const MAX_MESSAGE: usize = 200;

/// Why a call has no result.
pub(crate) enum CallError {
    /// The server or the connection reports it.
    Service(ServiceError),
    /// The server asks for something that cannot be answered here.
    Asks(String),
}

impl From<ServiceError> for CallError {
    fn from(error: ServiceError) -> CallError {
        CallError::Service(error)
    }
}

/// Make a call, or another request of this method, reporting its progress.
///
/// `limit`: how long the server may be silent; ten times as long for the whole call. A call that is no longer awaited
/// is cancelled at the server.
pub(crate) async fn ask(
    link: &Link,
    service: &Service,
    method: &str,
    mut params: Map<String, Json>,
    on_notice: &OnNotice<'_>,
) -> Result<ServerResult, CallError> {
    let limit = link.spec.timeout;
    // The revision without `initialize` has logs only for those who ask in each request.
    let asks_for_logs = service.peer_info().is_some_and(|server| !server.protocol_version.has_initialize());
    if asks_for_logs && caller().is_some() {
        params.insert("_meta".to_owned(), json!({"io.modelcontextprotocol/logLevel": "info"}));
    }
    let end = Instant::now().checked_add(limit.saturating_mul(MAX_LIMITS));
    for round in 0..MAX_ROUNDS {
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        let request = request(method, Json::Object(params.clone()))
            .ok_or(CallError::Asks("a method that is unknown here".to_owned()))?;
        match ask_once(link, service, request, (limit, left), on_notice).await? {
            ServerResult::InputRequiredResult(asked) => {
                let most = left.unwrap_or(Duration::MAX);
                let answers = tokio::time::timeout(most, answered(link, asked, round)).await;
                let late = |_| ServiceError::Timeout { timeout: limit.saturating_mul(MAX_LIMITS) };
                let (responses, state) = answers.map_err(late)??;
                params.remove("inputResponses");
                params.extend(responses.map(|responses| ("inputResponses".to_owned(), json!(responses))));
                params.remove("requestState");
                params.extend(state.map(|state| ("requestState".to_owned(), json!(state))));
            }
            result => return Ok(result),
        }
    }
    Err(ServiceError::InputRequiredRoundsExceeded { max_rounds: MAX_ROUNDS as usize }.into())
}

async fn ask_once(
    link: &Link,
    service: &Service,
    request: ClientRequest,
    (limit, left): (Duration, Option<Duration>),
    on_notice: &OnNotice<'_>,
) -> Result<ServerResult, ServiceError> {
    let call = Arc::new(InFlight::new(caller()));
    let mut told = call.progress.subscribe();
    // What comes before the token is known here waits.
    let sent = {
        let _nothing_is_heard = link.sending.lock().await;
        let handle = service.send_request_with_option(request, PeerRequestOptions::no_options()).await?;
        link.calls.insert(handle.progress_token.clone(), call.clone());
        handle
    };
    let mut open = Open {
        link,
        peer: service.peer().clone(),
        token: sent.progress_token.clone(),
        id: Some(sent.id.clone()),
        reason: "the answer is no longer awaited",
    };
    let response = sent.await_response();
    let mut response = std::pin::pin!(response);
    let (mut silence, mut over) = (std::pin::pin!(call.silence(limit)), std::pin::pin!(after(left)));
    let mut next = Instant::now();
    loop {
        let timeout = tokio::select! {
            biased;
            response = &mut response => {
                open.id = None;
                return response;
            }
            progress = progress(&mut told, next) => {
                on_notice(notice(progress));
                next = Instant::now() + TELL_AGAIN;
                continue;
            }
            () = &mut silence => limit,
            () = &mut over => limit.saturating_mul(MAX_LIMITS),
        };
        open.reason = "request timeout";
        return Err(ServiceError::Timeout { timeout });
    }
}

/// Ends when this time is over; never without one.
async fn after(time: Option<Duration>) {
    match time {
        Some(time) => tokio::time::sleep(time).await,
        None => std::future::pending().await,
    }
}

/// The latest progress, not before `next`.
async fn progress(
    told: &mut watch::Receiver<Option<ProgressNotificationParam>>,
    next: Instant,
) -> ProgressNotificationParam {
    tokio::time::sleep_until(next).await;
    loop {
        if told.changed().await.is_err() {
            // The sender lives as long as the call.
            return std::future::pending().await;
        }
        if let Some(progress) = told.borrow_and_update().clone() {
            return progress;
        }
    }
}

fn notice(told: ProgressNotificationParam) -> ToolNotice {
    let message = told.message.map(|text| shortened(&one_line(&text), MAX_MESSAGE).into_owned());
    ToolNotice::Progress { done: told.progress, total: told.total, message }
}

/// A request whose answer is awaited. If it is dropped before that, it is cancelled at the server.
struct Open<'a> {
    link: &'a Link,
    peer: Peer<RoleClient>,
    token: ProgressToken,
    id: Option<RequestId>,
    /// Why it is cancelled.
    reason: &'static str,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.link.calls.remove(&self.token);
        if let Some(id) = self.id.take() {
            let (peer, reason) = (self.peer.clone(), self.reason.to_owned());
            self.link.runtime.spawn(async move {
                let _gone = peer.notify_cancelled(CancelledNotificationParam::new(Some(id), Some(reason))).await;
            });
        }
    }
}

type Answered = (Option<BTreeMap<String, Json>>, Option<String>);

/// The input for repeating a call that needs more.
async fn answered(link: &Link, asked: InputRequiredResult, round: u32) -> Result<Answered, CallError> {
    let requests = asked.input_requests.unwrap_or_default();
    if requests.is_empty() {
        if asked.request_state.is_none() {
            return Err(ServiceError::UnexpectedResponse.into());
        }
        tokio::time::sleep(FIRST_WAIT * 2_u32.pow(round.min(5))).await;
        return Ok((None, asked.request_state));
    }
    let (keys, requests): (Vec<String>, Vec<InputRequest>) = requests.into_iter().unzip();
    let answers = try_join_all(requests.into_iter().map(|request| answer(link, request))).await?;
    Ok((Some(keys.into_iter().zip(answers).collect()), asked.request_state))
}

/// The answer to a request of a server. Without a caller, questions to the user are declined: a program runs, without a
/// user.
async fn answer(link: &Link, request: InputRequest) -> Result<Json, CallError> {
    let what = match &request {
        InputRequest::Elicitation(_) => "an answer of the user",
        InputRequest::CreateMessage(_) => "a model",
        InputRequest::ListRoots(_) => "folders of the user",
        _ => return Err(CallError::Asks("something that programs do not have".to_owned())),
    };
    match (caller().filter(|_| link.spec.forwards), &request) {
        (Some(caller), request) => {
            let request = serde_json::to_value(request).unwrap_or_default();
            let answer = caller.answer(&link.spec.name, request).await;
            answer.map_err(|why| CallError::Asks(format!("{what}: {why}")))
        }
        (None, InputRequest::Elicitation(_)) => Ok(json!({"action": "decline"})),
        (None, _) => Err(CallError::Asks(format!("{what}, which is not available here"))),
    }
}
