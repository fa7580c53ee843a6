//! The transport of revisions before 2025-03-26: a stream of events has what the server says, and names the endpoint that
//! messages are posted to.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use futures::StreamExt;
use reqwest::Url;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::service::ClientInitializeError;
use rmcp::transport::Transport;
use rmcp::transport::streamable_http_client::{StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse};
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use tokio::sync::mpsc;

use crate::error::McpError;
use crate::far::{Events, Far, Refused, refused};
use crate::listener::Listener;
use crate::readable;
use crate::server::{Link, Service};
use crate::spec::Access;

/// The event that names the endpoint.
const ENDPOINT: &str = "endpoint";

/// Answers of a server that does not know requests of the newer transport at this address.
const UNKNOWN: [&str; 3] = ["HTTP 400", "HTTP 404", "HTTP 405"];

/// A connection by events.
struct OldTransport {
    far: Far,
    endpoint: Arc<str>,
    events: Events,
    /// What is answered to a posted message instead of by an event.
    answers: (mpsc::UnboundedSender<ServerJsonRpcMessage>, mpsc::UnboundedReceiver<ServerJsonRpcMessage>),
}

impl Link {
    /// Connect by events, when a server has refused the newer transport so. `None` if it has no such stream, either.
    pub(crate) async fn begin_by_events(
        self: &Arc<Link>,
        error: &ClientInitializeError,
    ) -> Result<Option<Result<Service, ClientInitializeError>>, McpError> {
        let is_unknown = matches!(
            refused(error),
            Some(StreamableHttpError::UnexpectedServerResponse(why)) if UNKNOWN.iter().any(|status| why.starts_with(status))
        );
        let reached = match is_unknown {
            true => self.spec.reached(None).await?,
            false => return Ok(None),
        };
        let Access::Http { url, .. } = &reached.access else { return Ok(None) };
        let far = Far::new(self, &reached).map_err(|problem| self.refused(&problem))?;
        let events = far.get_stream(url.as_str().into(), None, None, None, HashMap::new()).await;
        let mut events = match events {
            Ok(events) => events,
            // It has one, but not for everybody.
            Err(error) if let Some(why) = far.refusal(&error) => return Err(self.refused(&why)),
            Err(_) => {
                far.note(String::new());
                return Ok(None);
            }
        };
        let named = loop {
            match events.next().await {
                Some(Ok(event)) if event.event.as_deref() == Some(ENDPOINT) => break event.data.unwrap_or_default(),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Ok(None),
            }
        };
        let endpoint = endpoint(url, &named).map_err(|problem| self.refused(&problem))?;
        let transport = OldTransport { far, endpoint, events, answers: mpsc::unbounded_channel() };
        Ok(Some(Listener::new(self).serve_with_lifecycle(transport, ClientLifecycleMode::Initialize).await))
    }
}

/// The endpoint that a server at this address names. Another server does not get its keys.
fn endpoint(url: &str, named: &str) -> Result<Arc<str>, String> {
    let told = |error| format!("the endpoint that it names is not an address: {error}");
    let base = Url::parse(url).map_err(|error| error.to_string())?;
    let endpoint = base.join(named.trim()).map_err(told)?;
    match endpoint.origin() == base.origin() {
        true => Ok(endpoint.as_str().into()),
        false => Err(format!(
            "its messages are to be sent to {}, but the keys of a request are not sent to another server",
            endpoint.origin().ascii_serialization()
        )),
    }
}

impl Transport<RoleClient> for OldTransport {
    type Error = Refused;

    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = Result<(), Refused>> + Send + 'static {
        let (far, endpoint, answers) = (self.far.clone(), self.endpoint.clone(), self.answers.0.clone());
        async move {
            match far.post_message(endpoint, message, None, None, HashMap::new()).await {
                Ok(StreamableHttpPostResponse::Json(answer, _)) => {
                    // Nobody receives it when the connection is closed.
                    let _closed = answers.send(answer);
                    Ok(())
                }
                // Accepted, in whatever words.
                Ok(_) | Err(StreamableHttpError::UnexpectedContentType(_)) => Ok(()),
                Err(error) => Err(error),
            }
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let event = tokio::select! {
                Some(answer) = self.answers.1.recv() => return Some(answer),
                event = self.events.next() => event?.ok()?,
            };
            if let Some(message) = event.data.and_then(|text| readable::message(text.as_bytes())) {
                return Some(message);
            }
        }
    }

    /// The stream ends when it is dropped.
    async fn close(&mut self) -> Result<(), Refused> {
        self.events = futures::stream::empty().boxed();
        Ok(())
    }
}
