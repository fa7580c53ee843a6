//! Asking the user of a client, by whatever means the client has.

use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, ErrorData, InputRequest, InputRequests, InputRequiredResult, ProtocolVersion, RequestStateCodec,
};
use rmcp::service::RequestContext;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::ask::{Answer, Choice, Question};
use crate::gateway::Client;
use crate::report::put;

/// The key of the question in a result that asks.
const KEY: &str = "approval";

/// How a client can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AskMethod {
    /// With a request of the server.
    Elicit,
    /// With a result that asks, and a second call with the answer.
    InputRequired,
    /// Not at all: a command decides.
    Elsewhere,
}

impl AskMethod {
    pub fn of(context: &RequestContext<RoleServer>) -> AskMethod {
        let asks = context.client_capabilities().and_then(|known| known.elicitation);
        let has_forms = asks.is_some_and(|asks| asks.form.is_some() || asks.url.is_none());
        match (has_forms, AskMethod::is_stateless(context)) {
            (false, _) => AskMethod::Elsewhere,
            (true, true) => AskMethod::InputRequired,
            (true, false) => AskMethod::Elicit,
        }
    }

    /// Whether the client speaks a revision without sessions.
    pub fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
        context.protocol_version().is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
    }
}

/// What a client sends back with an answer: sealed, so that it is what was sent out.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub session: String,
    /// That of our question; empty where only servers ask.
    pub fingerprint: String,
}

/// An answer that was sent with a call.
pub(super) struct SentAnswer {
    pub fingerprint: String,
    pub answer: Answer,
}

/// The name of a client by its token, in the extensions of its requests.
#[derive(Debug, Clone)]
pub(super) struct TokenName(pub Arc<str>);

/// The client: by its token, else as it calls itself. Over HTTP anyone may call itself so; over the standard streams it is
/// what the owner of the gateway started it with.
pub(super) fn client(context: &RequestContext<RoleServer>) -> Client {
    let request = context.extensions.get::<hyper::http::request::Parts>();
    if let Some(TokenName(name)) = request.and_then(|request| request.extensions.get()) {
        return Client::named(&**name);
    }
    let info = context.client_info();
    let label = info.as_ref().map(|info| format!("{} {}", info.name, info.version));
    let label = ptc_lisp::text::one_line(&ptc_lisp::text::shortened(label.as_deref().unwrap_or("a client"), 100));
    Client { label, name: info.map(|info| info.name).filter(|_| request.is_none()) }
}

/// Ask with a request. `None` when the client cannot be asked after all: then the question stays.
pub(super) async fn elicit(context: &RequestContext<RoleServer>, question: &Question) -> Option<Answer> {
    let result = context.peer.create_elicitation(form(question, context.protocol_version().as_ref())).await.ok()?;
    Some(Answer { choice: choice(&result), by: format!("the user of {}", client(context)) })
}

/// A result that asks.
pub(super) fn input_required(seal: &RequestStateCodec, question: &Question) -> Result<CallToolResponse, ErrorData> {
    let (session, fingerprint) = (question.waiting.session.clone(), question.waiting.fingerprint.clone());
    let state = serde_json::to_vec(&State { session, fingerprint }).unwrap_or_default();
    let request = InputRequest::Elicitation(ElicitRequest::new(form(question, None)));
    let requests = InputRequests::from([(KEY.to_owned(), request)]);
    Ok(InputRequiredResult::new(Some(requests), Some(seal.seal(&state))).into())
}

/// The session that a call resumes, and its answer. Without an answer to our question, it is asked again.
pub(super) fn open(
    seal: &RequestStateCodec,
    state: &str,
    params: &CallToolRequestParams,
    client: &str,
) -> Result<(String, Option<SentAnswer>), ErrorData> {
    let bad = |problem: &str| ErrorData::invalid_params(format!("this answer cannot be used: {problem}"), None);
    let state = seal.open(state).map_err(|error| bad(&error.to_string()))?;
    let State { session, fingerprint } = serde_json::from_slice(&state).map_err(|error| bad(&error.to_string()))?;
    let Some(given) = params.input_responses.as_ref().and_then(|responses| responses.get(KEY)) else {
        return Ok((session, None));
    };
    let result: ElicitResult = serde_json::from_value(given.clone()).map_err(|error| bad(&error.to_string()))?;
    let answer = Answer { choice: choice(&result), by: format!("the user of {client}") };
    Ok((session, Some(SentAnswer { fingerprint, answer })))
}

/// The form of a question. Clients of revisions before 2025-11-25 know choices as `enum` with `enumNames`.
fn form(question: &Question, revision: Option<&ProtocolVersion>) -> ElicitRequestParams {
    let mut choices = vec![("approve", "Allow what is shown")];
    if question.waiting.all {
        choices.push(("approve_all", "Allow all calls of these tools by this program, as often as it says"));
    }
    choices.push(("deny", "Do not allow"));
    let mut decision = json!({"type": "string", "title": "Decision"});
    let is_old = revision.is_some_and(|revision| revision.as_str() < ProtocolVersion::V_2025_11_25.as_str());
    if is_old {
        put(&mut decision, "enum", choices.iter().map(|(choice, _)| *choice).collect());
        put(&mut decision, "enumNames", choices.iter().map(|(_, title)| *title).collect());
    } else {
        let titled = |(choice, title): &(&str, &str)| json!({"const": choice, "title": title});
        put(&mut decision, "oneOf", choices.iter().map(titled).collect());
    }
    let schema = json!({
        "type": "object",
        "properties": {
            "decision": decision,
            // Some clients send null for what has no default, which the schema forbids.
            "reason": {"type": "string", "title": "Reason", "description": "The reason, shown to the model.", "default": ""},
        },
        "required": ["decision"],
    });
    let schema: ElicitationSchema =
        serde_json::from_value(schema).unwrap_or_else(|_| ElicitationSchema::new(Default::default()));
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: question.waiting.text.clone(),
        requested_schema: schema,
    }
}

/// The content of the form; anything that is not a clear yes is a no.
fn choice(result: &ElicitResult) -> Choice {
    let said = |name: &str| result.content.as_ref().and_then(|content| content.get(name)).and_then(Json::as_str);
    match (&result.action, said("decision")) {
        (ElicitationAction::Accept, Some("approve")) => Choice::Approve,
        (ElicitationAction::Accept, Some("approve_all")) => Choice::ApproveAll,
        (ElicitationAction::Accept, Some("deny")) => Choice::Deny(said("reason").unwrap_or_default().to_owned()),
        (ElicitationAction::Accept, _) => Choice::Deny("nothing was decided".to_owned()),
        _ => Choice::Deny("the user did not allow it".to_owned()),
    }
}

#[cfg(test)]
mod tests;
