//! A server that is reached by HTTP: as the library does it, but each request has an answer.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use ptc_lisp::text::{one_line, shortened};
use reqwest::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};
use rmcp::model::{
    ClientJsonRpcMessage, JsonRpcMessage, JsonRpcResponse, ProtocolVersion, RequestId, ServerJsonRpcMessage,
    ServerResult,
};
use rmcp::service::ClientInitializeError;
use rmcp::transport::auth::WWWAuthenticateParams;
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, InsufficientScopeError, SseError, StreamableHttpClient, StreamableHttpError,
    StreamableHttpPostResponse, StreamableHttpResponseLimits,
};
use sse_stream::Sse;

use crate::error::McpError;
use crate::oauth::{Grant, choose_tls, is_here};
use crate::reach::{BEARER, Reached, is_token};
use crate::readable;
use crate::redirect;
use crate::server::Link;
use crate::spec::{Access, ServerSpec};

/// Characters kept of the scopes that a server wants.
const MAX_SCOPES: usize = 400;

type Headers = HashMap<HeaderName, HeaderValue>;
pub(crate) type Refused = StreamableHttpError<reqwest::Error>;
pub(crate) type Events = BoxStream<'static, Result<Sse, SseError>>;

/// A client of one server.
#[derive(Clone)]
pub(crate) struct Far {
    link: Weak<Link>,
    /// Why the server was not reached the last time: the library keeps only that it was not.
    last_cause: Arc<Mutex<String>>,
    current: Arc<tokio::sync::Mutex<Current>>,
}

/// What requests are made with.
#[derive(Clone)]
struct Current {
    client: reqwest::Client,
    /// The headers that it sends.
    headers: Vec<(String, String)>,
    /// When their token has to be renewed.
    fresh_until: Option<SystemTime>,
    /// How often it was replaced.
    changes: u64,
}

impl Far {
    pub fn new(link: &Arc<Link>, reached: &Reached) -> Result<Far, String> {
        let current = Arc::new(tokio::sync::Mutex::new(Current::new(reached, 0)?));
        Ok(Far { link: Arc::downgrade(link), last_cause: link.last_cause.clone(), current })
    }

    async fn current(&self) -> Current {
        let current = self.current.lock().await.clone();
        let is_old = current.fresh_until.is_some_and(|until| until <= SystemTime::now());
        match is_old {
            // Why it cannot be renewed is told when the server refuses it.
            true => self.renewed(&current, None).await.ok().flatten().unwrap_or(current),
            false => current,
        }
    }

    /// Another client than this one, when there are other headers by now: tokens are renewed while a connection lasts.
    /// Else why there are none, if something is wrong.
    async fn renewed(&self, old: &Current, refused: Option<&str>) -> Result<Option<Current>, String> {
        let mut current = self.current.lock().await;
        if current.changes != old.changes {
            return Ok(Some(current.clone()));
        }
        let Some(link) = self.link.upgrade() else { return Ok(None) };
        let reached = tokio::time::timeout(link.spec.timeout, link.spec.reached(refused)).await;
        let reached =
            reached.map_err(|_| "its token cannot be renewed in time".to_owned())?.map_err(|error| match error {
                McpError::Config { problem, .. } => problem,
                error => error.to_string(),
            })?;
        let renewed = Current::new(&reached, current.changes + 1)?;
        if renewed.headers == current.headers {
            return Ok(None);
        }
        *current = renewed;
        Ok(Some(current.clone()))
    }

    /// What a request results in. When the server refuses its token, it is made once more with another one, if there is
    /// one: a request that was refused has done nothing.
    async fn answered<T, F: Future<Output = Result<T, Refused>>>(
        &self,
        request: impl Fn(reqwest::Client) -> F,
    ) -> Result<T, Refused> {
        let current = self.current().await;
        let answered = request(current.client.clone()).await;
        let is_refused = match &answered {
            Err(refused) if is_unauthorized(refused) => true,
            // Renewed, it would allow no more; another login may.
            Err(StreamableHttpError::InsufficientScope(_)) => false,
            _ => return self.noted(answered),
        };
        let token = current.headers.iter().find(|header| is_refused && is_token(header));
        match self.renewed(&current, token.and_then(|(_, value)| value.strip_prefix(BEARER))).await {
            Ok(Some(current)) => self.noted(request(current.client).await),
            Ok(None) => {
                self.note(String::new());
                answered
            }
            Err(problem) => {
                self.note(problem);
                answered
            }
        }
    }

    /// Why the server refuses the token, if it does, and what to do.
    pub fn refusal(&self, refused: &Refused) -> Option<String> {
        let remedy = remedy(&self.link.upgrade()?.spec, refused)?;
        let cause = std::mem::take(&mut *self.last_cause.lock().unwrap_or_else(PoisonError::into_inner));
        Some(if cause.is_empty() { remedy } else { cause })
    }

    pub fn note(&self, cause: String) {
        *self.last_cause.lock().unwrap_or_else(PoisonError::into_inner) = cause;
    }

    /// The same, with its cause noted.
    fn noted<T>(&self, answered: Result<T, Refused>) -> Result<T, Refused> {
        if let Err(StreamableHttpError::Client(error)) = &answered {
            let mut cause: &dyn Error = error;
            while let Some(deeper) = cause.source() {
                cause = deeper;
            }
            self.note(cause.to_string());
        }
        answered
    }
}

impl StreamableHttpClient for Far {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Refused> {
        let limits = StreamableHttpResponseLimits::default();
        self.post_message_with_response_limits(uri, message, session_id, auth_header, custom_headers, limits).await
    }

    async fn post_message_with_response_limits(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
        limits: StreamableHttpResponseLimits,
    ) -> Result<StreamableHttpPostResponse, Refused> {
        let asked = about_tools(&message);
        let post = |client: reqwest::Client| {
            let (uri, session, auth) = (uri.clone(), session_id.clone(), auth_header.clone());
            let (message, headers) = (message.clone(), custom_headers.clone());
            async move { client.post_message_with_response_limits(uri, message, session, auth, headers, limits).await }
        };
        let answered = self.answered(post).await;
        let answered = match answered {
            Ok(StreamableHttpPostResponse::Json(list, answered_session))
                if is_list(&list) && has_tasks(&custom_headers) =>
            {
                let client = self.current().await.client;
                let written = written(&client, &uri, &message, session_id.as_deref(), custom_headers.clone()).await;
                Ok(StreamableHttpPostResponse::Json(written.filter(is_list).unwrap_or(list), answered_session))
            }
            answered => answered,
        };
        // Of other requests, the one who connects tells why.
        let refusal = asked.as_ref().and_then(|_| self.refusal(answered.as_ref().err()?));
        match (answered, asked) {
            (Ok(StreamableHttpPostResponse::Sse(events, session)), asked) => {
                Ok(StreamableHttpPostResponse::Sse(readable_events(events, asked), session))
            }
            (Err(_), Some(id)) if let Some(why) = refusal => {
                Ok(StreamableHttpPostResponse::Json(readable::unauthorized(id, why), None))
            }
            (Err(StreamableHttpError::UnexpectedServerResponse(why)), Some(id)) => {
                Ok(StreamableHttpPostResponse::Json(readable::refused(id, &why), None))
            }
            (Err(StreamableHttpError::ResponseBodyTooLarge { .. }), Some(id)) => {
                Ok(StreamableHttpPostResponse::Json(readable::refused(id, &readable::too_long()), None))
            }
            (answered, _) => answered,
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<(), Refused> {
        self.current().await.client.delete_session(uri, session_id, auth_header, custom_headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<Events, Refused> {
        let get = |client: reqwest::Client| {
            let (uri, session, auth) = (uri.clone(), session_id.clone(), auth_header.clone());
            let (last, headers) = (last_event_id.clone(), custom_headers.clone());
            async move { client.get_stream(uri, session, last, auth, headers).await }
        };
        Ok(readable_events(self.answered(get).await?, None))
    }
}

impl Current {
    fn new(reached: &Reached, changes: u64) -> Result<Current, String> {
        let Access::Http { url, headers } = &reached.access else {
            return Err("it has no address any more".to_owned());
        };
        let client = client_with(url, headers)?;
        Ok(Current { client, headers: headers.clone(), fresh_until: reached.fresh_until, changes })
    }
}

/// A client for this address that sends these headers.
pub(crate) fn client_with(url: &str, headers: &[(String, String)]) -> Result<reqwest::Client, String> {
    let mut known = HeaderMap::new();
    for (name, value) in headers {
        let name = HeaderName::try_from(name).map_err(|error| error.to_string())?;
        let value = HeaderValue::try_from(value);
        let mut value = value.map_err(|_| format!("the value of the header `{name}` cannot be sent"))?;
        value.set_sensitive(true);
        known.insert(name, value);
    }
    choose_tls();
    let client = reqwest::Client::builder().default_headers(known).redirect(redirect::policy()).referer(false);
    let client = if is_here(url) { client.no_proxy() } else { client };
    client.build().map_err(|error| error.to_string())
}

/// What is wrong with the token, and what to do; `None` when something else is wrong.
fn remedy(spec: &ServerSpec, refused: &Refused) -> Option<String> {
    let is_client = spec.oauth.grant == Grant::ClientCredentials;
    let login = |scopes: &str| Some(spec.login_command(scopes)).filter(|_| !spec.has_token() && !is_client);
    if let StreamableHttpError::InsufficientScope(InsufficientScopeError { www_authenticate_header, .. }) = refused {
        let base = reqwest::Url::parse("http://localhost").ok()?;
        let said = WWWAuthenticateParams::parse(www_authenticate_header, &base);
        let scopes = one_line(&shortened(said.scope.as_deref().unwrap_or_default(), MAX_SCOPES));
        let named = if scopes.is_empty() { String::new() } else { format!(", the scopes `{scopes}`") };
        let again = match login(&scopes) {
            Some(login) => format!("log in again with `{login}`"),
            None if is_client => "allow its client more, and write its `scopes` in `oauth`".to_owned(),
            None => "give it another token".to_owned(),
        };
        let told = || format!("it wants a token that allows more{named}: HTTP 403 Forbidden; {again}");
        return said.is_insufficient_scope().then(told);
    }
    let has_metadata = |error: &AuthRequiredError| error.www_authenticate_header.contains("resource_metadata");
    match (refused, login("")) {
        (StreamableHttpError::AuthRequired(error), Some(login)) if has_metadata(error) => {
            Some(format!("it wants a login: HTTP 401 Unauthorized; log in with `{login}`"))
        }
        (refused, login) if is_unauthorized(refused) => {
            let keys = "`token_file`, `token_command` or `headers`";
            Some(match login {
                Some(login) => {
                    format!(
                        "it wants a token: HTTP 401 Unauthorized; give it a token, with {keys}, or log in with `{login}`"
                    )
                }
                None if is_client => "it refuses the token of its client: HTTP 401 Unauthorized".to_owned(),
                None => format!("it refuses the token: HTTP 401 Unauthorized; give it another one, with {keys}"),
            })
        }
        _ => None,
    }
}

/// What is wrong with the token, if the server refused it.
pub(crate) fn refused_token(spec: &ServerSpec, error: &ClientInitializeError) -> Option<String> {
    remedy(spec, refused(error)?)
}

/// What the server says to a client that it refuses.
pub(crate) fn challenge(error: &ClientInitializeError) -> Option<&str> {
    refused(error)?.auth_challenge()
}

/// What the server answered instead of connecting.
pub(crate) fn refused(error: &ClientInitializeError) -> Option<&Refused> {
    match error {
        ClientInitializeError::TransportError { error, .. } => error.error.downcast_ref(),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => refused(fallback),
        _ => None,
    }
}

/// Whether the server wants another token.
fn is_unauthorized(refused: &Refused) -> bool {
    match refused {
        StreamableHttpError::AuthRequired(_) => true,
        StreamableHttpError::UnexpectedServerResponse(why) => why.starts_with("HTTP 401"),
        _ => false,
    }
}

/// Whether an answer is a list of tools.
fn is_list(answer: &ServerJsonRpcMessage) -> bool {
    matches!(answer, JsonRpcMessage::Response(JsonRpcResponse { result: ServerResult::ListToolsResult(_), .. }))
}

/// Whether the revision of a connection is the one where a list says which tools run as tasks.
fn has_tasks(headers: &Headers) -> bool {
    headers
        .get(&HeaderName::from_static("mcp-protocol-version"))
        .is_some_and(|revision| revision == ProtocolVersion::V_2025_11_25.as_str())
}

/// The answer as it is written: the library reads an answer without events itself, and leaves out what a list says about
/// tasks.
async fn written(
    client: &reqwest::Client,
    uri: &str,
    message: &ClientJsonRpcMessage,
    session: Option<&str>,
    headers: Headers,
) -> Option<ServerJsonRpcMessage> {
    let mut request = client.post(uri).header(ACCEPT, "application/json, text/event-stream");
    request = headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
    request = session.into_iter().fold(request, |request, session| request.header("mcp-session-id", session));
    let mut answer = request.json(message).send().await.ok()?;
    let mut text = Vec::new();
    while let Some(part) = answer.chunk().await.ok()? {
        text.extend_from_slice(&part);
        if text.len() > readable::max_message() {
            return None;
        }
    }
    readable::message(&text)
}

/// The id of a request about tools. How others fail decides which revision the server speaks.
fn about_tools(message: &ClientJsonRpcMessage) -> Option<RequestId> {
    match message {
        ClientJsonRpcMessage::Request(asked) if matches!(asked.request.method(), "tools/call" | "tools/list") => {
            Some(asked.id.clone())
        }
        _ => None,
    }
}

/// The same events, where each answer can be read: an error in place of one that cannot.
fn readable_events(events: Events, asked: Option<RequestId>) -> Events {
    let told = move |event| {
        let (refused, event) = match event {
            Ok(event) => (None, Ok(readable_event(event))),
            Err(error) => {
                (asked.clone().filter(|_| is_unreadable(&error)).and_then(|id| refusal(id, &error)), Err(error))
            }
        };
        stream::iter(refused.map(Ok).into_iter().chain([event]))
    };
    events.flat_map(told).boxed()
}

fn readable_event(event: Sse) -> Sse {
    let message = event.data.as_ref().and_then(|text| readable::message(text.as_bytes()));
    match message.and_then(|message| serde_json::to_string(&message).ok()) {
        Some(text) => event.data(text),
        None => event,
    }
}

/// Whether an event is not one, or too long. A connection that broke is resumed instead.
fn is_unreadable(error: &SseError) -> bool {
    // The type of the library's error is private.
    !matches!(error, SseError::Body(why) if !why.to_string().contains("exceeded the maximum size"))
}

fn refusal(id: RequestId, error: &SseError) -> Option<Sse> {
    let why = match error {
        SseError::Body(_) => readable::too_long(),
        other => other.to_string(),
    };
    serde_json::to_string(&readable::refused(id, &why)).ok().map(|text| Sse::default().data(text))
}
