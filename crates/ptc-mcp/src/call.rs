//! One call of a tool at its server.

use std::time::Duration;

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
    Asks(&'static str),
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
    let end = Instant::now().checked_add(limit.saturating_mul(MAX_LIMITS));
    for round in 0..MAX_ROUNDS {
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        let request =
            request(method, Json::Object(params.clone())).ok_or(CallError::Asks("a method that is unknown here"))?;
        match ask_once(link, service, request, (limit, left), on_notice).await? {
            ServerResult::InputRequiredResult(asked) => {
                let (responses, state) = answered(asked, round).await?;
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
    let mut options = PeerRequestOptions::with_timeout(limit).reset_timeout_on_progress();
    options.max_total_timeout = left;
    // Nothing is received before its recipient is known.
    let mut calls = link.calls.0.lock().await;
    let handle = service.send_request_with_option(request, options).await?;
    let (sender, mut told) = watch::channel(None);
    calls.insert(handle.progress_token.clone(), sender);
    drop(calls);
    let mut open =
        Open { link, peer: service.peer().clone(), token: handle.progress_token.clone(), id: Some(handle.id.clone()) };
    let response = handle.await_response();
    let mut response = std::pin::pin!(response);
    let mut next = Instant::now();
    let response = loop {
        tokio::select! {
            biased;
            response = &mut response => break response,
            progress = progress(&mut told, next) => {
                on_notice(notice(progress));
                next = Instant::now() + TELL_AGAIN;
            }
        }
    };
    open.id = None;
    response
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
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let (calls, token) = (self.link.calls.clone(), self.token.clone());
        let cancelled = self.id.take().map(|id| (self.peer.clone(), id));
        self.link.runtime.spawn(async move {
            calls.0.lock().await.remove(&token);
            if let Some((peer, id)) = cancelled {
                let reason = "the answer is no longer awaited".to_owned();
                let _gone = peer.notify_cancelled(CancelledNotificationParam::new(Some(id), Some(reason))).await;
            }
        });
    }
}

type Answered = (Option<std::collections::BTreeMap<String, Json>>, Option<String>);

/// The input for repeating a call that needs more. Questions to the user are declined: a program runs, without a user.
async fn answered(asked: InputRequiredResult, round: u32) -> Result<Answered, CallError> {
    let requests = asked.input_requests.unwrap_or_default();
    if requests.is_empty() {
        if asked.request_state.is_none() {
            return Err(ServiceError::UnexpectedResponse.into());
        }
        tokio::time::sleep(FIRST_WAIT * 2_u32.pow(round.min(5))).await;
        return Ok((None, asked.request_state));
    }
    let answer = |request| match request {
        InputRequest::Elicitation(_) => Ok(json!({"action": "decline"})),
        InputRequest::CreateMessage(_) => Err(CallError::Asks("a model")),
        InputRequest::ListRoots(_) => Err(CallError::Asks("folders of the user")),
        _ => Err(CallError::Asks("something that programs do not have")),
    };
    let answers = requests.into_iter().map(|(key, request)| Ok((key, answer(request)?)));
    Ok((Some(answers.collect::<Result<_, CallError>>()?), asked.request_state))
}
