//! Requests and logs of servers, passed on to the client whose program calls them.

use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{InputRequests, InputRequiredResult, RequestStateCodec, ServerRequest};
use rmcp::service::RequestContext;
use serde_json::{Value as Json, json};
use tokio::sync::mpsc;

use super::ask::{AskMethod, State, client};
use crate::desk::{Desk, Forwarded};
use crate::running::Running;

/// Levels of logs, the least important first.
const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// The level of a client that has set none.
pub(super) const USUAL_LEVEL: usize = 1;

/// The place of a level among all.
pub(super) fn level(name: &Json) -> Option<usize> {
    LEVELS.iter().position(|level| name == level)
}

/// Why a client cannot answer a request, if it cannot.
fn refusal(context: &RequestContext<RoleServer>, request: &Json) -> Option<String> {
    let has = context.client_capabilities().unwrap_or_default();
    let is_address = request.pointer("/params/mode") == Some(&json!("url"));
    let (is_there, what) = match request.get("method").and_then(Json::as_str) {
        Some("elicitation/create") if is_address => {
            (has.elicitation.is_some_and(|asks| asks.url.is_some()), "open an address for its user")
        }
        Some("elicitation/create") => (AskMethod::of(context) != AskMethod::Elsewhere, "ask its user"),
        Some("sampling/createMessage") => (has.sampling.is_some(), "ask a model for a server"),
        Some("roots/list") => (has.roots.is_some(), "name folders"),
        _ => (false, "answer this"),
    };
    (!is_there).then(|| format!("the client {} cannot {what}", client(context)))
}

/// Pass requests on that the client can answer now, and refuse those that it cannot. The others are a result that asks, for
/// a revision without requests of servers.
pub(super) fn forward(
    seal: &RequestStateCodec,
    running: &Running,
    waiting: Vec<Forwarded>,
    context: &RequestContext<RoleServer>,
) -> Option<InputRequiredResult> {
    let mut requests = InputRequests::new();
    for Forwarded { key, request } in waiting {
        let unreadable = "the request is not as the protocol says";
        if let Some(why) = refusal(context, &request) {
            running.desk.answer(&key, Err(why));
        } else if AskMethod::is_stateless(context) {
            match serde_json::from_value(request) {
                Ok(request) => drop(requests.insert(key, request)),
                Err(_) => running.desk.answer(&key, Err(unreadable.to_owned())),
            }
        } else {
            match serde_json::from_value::<ServerRequest>(request) {
                Ok(request) => drop(tokio::spawn(sent(running.desk.clone(), key, request, context.clone()))),
                Err(_) => running.desk.answer(&key, Err(unreadable.to_owned())),
            }
        }
    }
    if requests.is_empty() {
        return None;
    }
    let state = State { session: running.session().to_owned(), fingerprint: String::new() };
    let state = serde_json::to_vec(&state).unwrap_or_default();
    Some(InputRequiredResult::new(Some(requests), Some(seal.seal(&state))))
}

/// Send a request to the client, as long as its answer is awaited.
async fn sent(desk: Arc<Desk>, key: String, request: ServerRequest, context: RequestContext<RoleServer>) {
    let answer = tokio::select! {
        answer = context.peer.send_request(request) => answer,
        () = desk.gone(&key) => return,
    };
    let answer = match answer {
        Ok(answer) => serde_json::to_value(answer).map_err(|error| error.to_string()),
        Err(error) => Err(format!("the client {} answers: {error}", client(&context))),
    };
    desk.answer(&key, answer);
}

/// Report lines of logs to the client, of this level at least.
#[expect(deprecated, reason = "servers have logs, also those of the newest revision")]
pub(super) async fn logs(mut lines: mpsc::Receiver<Json>, least: usize, context: RequestContext<RoleServer>) {
    while let Some(line) = lines.recv().await {
        let is_wanted = line.get("level").and_then(level) >= Some(least);
        if let (true, Ok(line)) = (is_wanted, serde_json::from_value(line))
            && context.peer.notify_logging_message(line).await.is_err()
        {
            return;
        }
    }
}
