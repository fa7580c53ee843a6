//! The MCP sessions of clients over HTTP: so many at most, and none that is idle for long.
//!
//! Closing one loses no program: sessions of programs have other handles, and are on disk.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use futures::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, LocalSessionManagerError};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId, SessionManager};
use tokio::time::Instant;

use crate::ask::lock;

/// How long a session may be without a request and without an open stream.
pub(super) const IDLE: Duration = Duration::from_secs(60 * 60);

/// How long a session with an open stream may be silent: people take their time, and a session that only waits for
/// them has not ended.
const SILENT: Duration = Duration::from_secs(24 * 60 * 60);

/// A session that was used within this time is not closed for another client.
const LIVE: Duration = Duration::from_secs(5 * 60);

/// The same for a client that has not requested anything yet.
const NEW: Duration = Duration::from_secs(10);

/// Sessions of clients.
pub(super) struct Sessions {
    local: LocalSessionManager,
    most: Box<dyn Fn() -> usize + Send + Sync>,
    known: Arc<Mutex<HashMap<SessionId, Activity>>>,
    /// Held while a session starts: two must not take the same last place.
    starting: tokio::sync::Mutex<()>,
}

/// What is known of a session.
struct Activity {
    /// Streams that its client reads, those of requests in progress too.
    streams: usize,
    has_requested: bool,
    /// When it was last used.
    used: Instant,
}

/// Why a session cannot start or be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum SessionsError {
    /// As many as may be are in use.
    #[error(
        "all {0} sessions are in use (`max_sessions` in the gateway file): end sessions that are no longer needed with DELETE, or try again in a minute"
    )]
    Full(usize),
    /// As the library says.
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
}

tokio::task_local! {
    /// Set when the request of this task found no place.
    pub(super) static FULL: std::cell::Cell<bool>;
}

impl Sessions {
    /// At most `most` sessions, which is asked when one starts.
    pub fn new(most: impl Fn() -> usize + Send + Sync + 'static) -> Sessions {
        let mut local = LocalSessionManager::default();
        local.session_config.keep_alive = Some(SILENT);
        Sessions { local, most: Box::new(most), known: Arc::default(), starting: tokio::sync::Mutex::default() }
    }

    /// Close the sessions that were idle for too long.
    pub async fn close_idle(&self) {
        let is_idle = |known: &Activity| known.streams == 0 && known.used.elapsed() >= IDLE;
        let idle: Vec<SessionId> = {
            let known = lock(&self.known);
            known.iter().filter(|(_, known)| is_idle(known)).map(|(id, _)| Arc::clone(id)).collect()
        };
        for id in idle {
            // It may have ended by now.
            let _closed = self.close_session(&id).await;
        }
    }

    /// Find a place for one more: the longest unused session makes way, first one whose client requested nothing, and
    /// none that is in use.
    async fn make_way(&self) -> Result<(), SessionsError> {
        self.close_idle().await;
        let most = (self.most)();
        let id = {
            let known = lock(&self.known);
            if known.len() < most {
                return Ok(());
            }
            let may_end = |known: &Activity| {
                known.streams == 0 && known.used.elapsed() >= if known.has_requested { LIVE } else { NEW }
            };
            let ending = known.iter().filter(|(_, known)| may_end(known));
            ending.min_by_key(|(_, known)| (known.has_requested, known.used)).map(|(id, _)| Arc::clone(id))
        };
        match id {
            Some(id) => self.close_session(&id).await,
            None => {
                let _outside = FULL.try_with(|full| full.set(true));
                Err(SessionsError::Full(most))
            }
        }
    }

    fn used(&self, id: &SessionId, is_request: bool) {
        if let Some(known) = lock(&self.known).get_mut(id) {
            known.used = Instant::now();
            known.has_requested |= is_request;
        }
    }

    /// The stream, open until it is dropped.
    fn open<S>(&self, id: &SessionId, stream: S) -> Open<S> {
        if let Some(known) = lock(&self.known).get_mut(id) {
            known.streams += 1;
        }
        Open { stream: Box::pin(stream), known: Arc::clone(&self.known), id: Arc::clone(id) }
    }
}

impl SessionManager for Sessions {
    type Error = SessionsError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), SessionsError> {
        let _starting = self.starting.lock().await;
        self.make_way().await?;
        let (id, transport) = self.local.create_session().await?;
        let known = Activity { streams: 0, has_requested: false, used: Instant::now() };
        lock(&self.known).insert(Arc::clone(&id), known);
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, SessionsError> {
        Ok(self.local.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, SessionsError> {
        Ok(self.local.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), SessionsError> {
        lock(&self.known).remove(id);
        Ok(self.local.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionsError> {
        self.used(id, true);
        Ok(self.open(id, self.local.create_stream(id, message).await?))
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), SessionsError> {
        self.used(id, false);
        Ok(self.local.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionsError> {
        self.used(id, false);
        Ok(self.open(id, self.local.create_standalone_stream(id).await?))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionsError> {
        self.used(id, false);
        Ok(self.open(id, self.local.resume(id, last_event_id).await?))
    }
}

/// A stream that a client reads.
struct Open<S> {
    stream: Pin<Box<S>>,
    known: Arc<Mutex<HashMap<SessionId, Activity>>>,
    id: SessionId,
}

impl<S: Stream> Stream for Open<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<S::Item>> {
        self.stream.as_mut().poll_next(context)
    }
}

impl<S> Drop for Open<S> {
    fn drop(&mut self) {
        if let Some(known) = lock(&self.known).get_mut(&self.id) {
            known.streams = known.streams.saturating_sub(1);
            known.used = Instant::now();
        }
    }
}

#[cfg(test)]
mod tests;
