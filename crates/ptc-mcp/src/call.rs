//! One call of a tool at its server.

use std::sync::Arc;
use std::time::Duration;

use futures::future::try_join_all;
use ptc_lisp::text::{one_line, shortened};
use ptc_lisp::{OnNotice, ToolNotice};
use rmcp::model::{
    CancelledNotificationParam, InputRequest, InputRequests, InputRequiredResult, InputResponses,
    ProgressNotificationParam, ProgressToken, RequestId, ServerResult,
};
use rmcp::service::PeerRequestOptions;
use rmcp::{Peer, RoleClient, ServiceError};
use serde_json::{Map, Value as Json, json};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::caller::{InFlight, Pause, caller};
use crate::further::request;
use crate::server::{Link, Service};
use crate::task::Task;

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
    /// The server has begun, but does not end it, for this reason.
    Unfinished(String),
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
    params: Map<String, Json>,
    on_notice: &OnNotice<'_>,
) -> Result<ServerResult, CallError> {
    let limit = link.spec.timeout;
    let call = Arc::new(InFlight::new(caller()));
    let mut told = call.progress.subscribe();
    let asked = Asked { link, service, call: call.clone() };
    let mut answer = std::pin::pin!(asked.answered(method, params));
    let mut silence = std::pin::pin!(call.silence(limit));
    let mut over = std::pin::pin!(tokio::time::sleep(limit.saturating_mul(MAX_LIMITS)));
    let mut next = Instant::now();
    let timeout = loop {
        tokio::select! {
            biased;
            answer = &mut answer => return answer,
            progress = progress(&mut told, next) => {
                on_notice(notice(progress));
                next = Instant::now() + TELL_AGAIN;
            }
            () = &mut silence => break limit,
            () = &mut over => break limit.saturating_mul(MAX_LIMITS),
        }
    };
    call.ends_late();
    Err(ServiceError::Timeout { timeout }.into())
}

/// A call that is made: all requests that it takes.
pub(crate) struct Asked<'a> {
    pub link: &'a Link,
    pub service: &'a Service,
    pub call: Arc<InFlight>,
}

impl Asked<'_> {
    /// The result of the call, when the server has got what it asks for, and has ended its task.
    async fn answered(&self, method: &str, mut params: Map<String, Json>) -> Result<ServerResult, CallError> {
        // The revision without `initialize` has logs only for those who ask in each request.
        let asks_for_logs = self.service.peer_info().is_some_and(|server| !server.protocol_version.has_initialize());
        if asks_for_logs && caller().is_some() {
            params.insert("_meta".to_owned(), json!({"io.modelcontextprotocol/logLevel": "info"}));
        }
        for round in 0..MAX_ROUNDS {
            let (answer, open) = self.send(method, Json::Object(params.clone())).await?;
            match answer {
                ServerResult::InputRequiredResult(asked) => {
                    let _pause = Pause::new(vec![self.call.clone()]);
                    let (responses, state) = self.input(asked, round).await?;
                    params.remove("inputResponses");
                    params.extend(responses.map(|responses| ("inputResponses".to_owned(), json!(responses))));
                    params.remove("requestState");
                    params.extend(state.map(|state| ("requestState".to_owned(), json!(state))));
                }
                answer => match Task::created(&answer) {
                    Some(task) => return self.followed(task, &open).await,
                    None => return Ok(answer),
                },
            }
        }
        Err(ServiceError::InputRequiredRoundsExceeded { max_rounds: MAX_ROUNDS as usize }.into())
    }

    /// The answer to a request. Its progress is that of the call as long as the second value lives.
    pub async fn send(&self, method: &str, params: Json) -> Result<(ServerResult, Open<'_>), CallError> {
        let request = request(method, params).ok_or(CallError::Asks("a method that is unknown here".to_owned()))?;
        // What comes before the token is known here waits.
        let sent = {
            let _nothing_is_heard = self.link.sending.lock().await;
            let handle = self.service.send_request_with_option(request, PeerRequestOptions::no_options()).await?;
            self.link.calls.insert(handle.progress_token.clone(), self.call.clone());
            handle
        };
        let (token, id) = (sent.progress_token.clone(), Some(sent.id.clone()));
        let mut open = Open { link: self.link, peer: self.service.peer().clone(), call: self.call.clone(), token, id };
        let answer = sent.await_response().await;
        open.id = None;
        self.call.is_heard_of();
        Ok((answer?, open))
    }

    /// The input for repeating a call that needs more.
    async fn input(&self, asked: InputRequiredResult, round: u32) -> Result<Input, CallError> {
        let requests = asked.input_requests.unwrap_or_default();
        if requests.is_empty() {
            if asked.request_state.is_none() {
                return Err(ServiceError::UnexpectedResponse.into());
            }
            tokio::time::sleep(FIRST_WAIT * 2_u32.pow(round.min(5))).await;
            return Ok((None, asked.request_state));
        }
        Ok((Some(self.answers(requests).await?), asked.request_state))
    }

    /// The answers to requests of the server.
    pub async fn answers(&self, requests: InputRequests) -> Result<InputResponses, CallError> {
        let (keys, requests): (Vec<String>, Vec<InputRequest>) = requests.into_iter().unzip();
        let answers = try_join_all(requests.into_iter().map(|request| answer(self.link, request))).await?;
        Ok(keys.into_iter().zip(answers).collect())
    }
}

type Input = (Option<InputResponses>, Option<String>);

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
pub(crate) struct Open<'a> {
    link: &'a Link,
    peer: Peer<RoleClient>,
    call: Arc<InFlight>,
    pub token: ProgressToken,
    id: Option<RequestId>,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.link.calls.remove(&self.token);
        if let Some(id) = self.id.take() {
            let peer = self.peer.clone();
            let reason = if self.call.is_late() { "request timeout" } else { "the answer is no longer awaited" };
            self.link.runtime.spawn(async move {
                let _gone =
                    peer.notify_cancelled(CancelledNotificationParam::new(Some(id), Some(reason.to_owned()))).await;
            });
        }
    }
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
