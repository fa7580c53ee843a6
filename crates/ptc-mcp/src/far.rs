//! A server that is reached by HTTP: as the library does it, but each request has an answer.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, RequestId};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse, StreamableHttpResponseLimits,
};
use sse_stream::Sse;

use crate::readable;
use crate::server::Link;
use crate::spec::Access;

type Headers = HashMap<HeaderName, HeaderValue>;
type Refused = StreamableHttpError<reqwest::Error>;
type Events = BoxStream<'static, Result<Sse, SseError>>;

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
    /// How often it was replaced.
    changes: u64,
}

impl Far {
    pub fn new(link: &Arc<Link>, client: reqwest::Client, headers: Vec<(String, String)>) -> Far {
        let current = Arc::new(tokio::sync::Mutex::new(Current { client, headers, changes: 0 }));
        Far { link: Arc::downgrade(link), last_cause: link.last_cause.clone(), current }
    }

    async fn current(&self) -> Current {
        self.current.lock().await.clone()
    }

    /// Another client than the one whose token was refused, when the configuration has other headers by now: tokens are
    /// renewed while a connection lasts.
    async fn renewed(&self, refused: &Current) -> Option<Current> {
        let mut current = self.current.lock().await;
        if current.changes != refused.changes {
            return Some(current.clone());
        }
        let link = self.link.upgrade()?;
        let reached = tokio::time::timeout(link.spec.timeout, link.spec.reached()).await.ok()?.ok()?;
        let Access::Http { headers, .. } = reached else { return None };
        if headers == current.headers {
            return None;
        }
        let client = link.client(&headers).ok()?;
        *current = Current { client, headers, changes: current.changes + 1 };
        Some(current.clone())
    }

    /// The same, with its cause noted.
    fn noted<T>(&self, answered: Result<T, Refused>) -> Result<T, Refused> {
        if let Err(StreamableHttpError::Client(error)) = &answered {
            let mut cause: &dyn Error = error;
            while let Some(deeper) = cause.source() {
                cause = deeper;
            }
            *self.last_cause.lock().unwrap_or_else(PoisonError::into_inner) = cause.to_string();
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
        let post = |client: reqwest::Client, message| {
            let (uri, session, auth) = (uri.clone(), session_id.clone(), auth_header.clone());
            let headers = custom_headers.clone();
            async move { client.post_message_with_response_limits(uri, message, session, auth, headers, limits).await }
        };
        let current = self.current().await;
        let mut answered = post(current.client.clone(), message.clone()).await;
        if answered.as_ref().err().is_some_and(is_unauthorized)
            && let Some(current) = self.renewed(&current).await
        {
            // A request that was refused has done nothing.
            answered = post(current.client, message).await;
        }
        match (self.noted(answered), asked) {
            (Ok(StreamableHttpPostResponse::Sse(events, session)), asked) => {
                Ok(StreamableHttpPostResponse::Sse(readable_events(events, asked), session))
            }
            (Err(refused), Some(id)) if is_unauthorized(&refused) => {
                Ok(StreamableHttpPostResponse::Json(readable::unauthorized(id), None))
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
        let client = self.current().await.client;
        let events = client.get_stream(uri, session_id, last_event_id, auth_header, custom_headers).await;
        Ok(readable_events(self.noted(events)?, None))
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

/// The id of a request about tools. How others fail decides which revision the server speaks.
fn about_tools(message: &ClientJsonRpcMessage) -> Option<RequestId> {
    match message {
        ClientJsonRpcMessage::Request(asked)
            if matches!(asked.request, ClientRequest::CallToolRequest(_) | ClientRequest::ListToolsRequest(_)) =>
        {
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
