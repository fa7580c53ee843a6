//! Notifications of servers: progress of calls, and changes of the list of tools.

use std::sync::{Arc, Weak};
use std::time::Duration;

use rmcp::model::{
    ClientCapabilities, ClientConfig, ConstString, CreateMessageRequestMethod, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationCreateRequestMethod, ErrorCode, ErrorData, Implementation, ListRootsRequestMethod,
    ProgressNotificationParam, ProtocolVersion, ServerNotification, SubscriptionFilter, TASKS_EXTENSION_ID,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ClientHandler, Peer, RoleClient};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};
use tokio::sync::Mutex;

use crate::caller::Calls;
use crate::server::Link;

/// Pause after a subscription ended before it is requested again: the first one, and the maximum. It doubles each time.
const SUBSCRIBE_AGAIN: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// The client's side of a connection.
pub(crate) struct Listener {
    calls: Arc<Calls>,
    sending: Arc<Mutex<()>>,
    server: String,
    /// Whether somebody may be asked.
    forwards: bool,
    /// Weak: the connection owns this.
    link: Weak<Link>,
}

impl Listener {
    pub fn new(link: &Arc<Link>) -> Listener {
        Listener {
            calls: link.calls.clone(),
            sending: link.sending.clone(),
            server: link.spec.name.clone(),
            forwards: link.spec.forwards,
            link: Arc::downgrade(link),
        }
    }

    fn list_changed(&self) {
        if let Some(link) = self.link.upgrade() {
            link.list_changed();
        }
    }

    /// Pass on a request to the caller that the calls in flight are for.
    async fn forwarded<T: DeserializeOwned>(&self, method: &str, params: Option<Json>) -> Result<T, ErrorData> {
        if !self.forwards {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method.to_owned(), None));
        }
        // A request may come before its call is known here.
        drop(self.sending.lock().await);
        let mut request = json!({"method": method});
        if let (Some(fields), Some(params)) = (request.as_object_mut(), params) {
            fields.insert("params".to_owned(), params);
        }
        let answer = self.calls.answer(&self.server, request).await;
        let answer = answer.and_then(|answer| serde_json::from_value(answer).map_err(|error| error.to_string()));
        answer.map_err(|why| ErrorData::invalid_request(why, None))
    }
}

#[expect(deprecated, reason = "servers have roots, sampling and logs, also those of the newest revision")]
impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let client = Implementation::new("ptc-runner", env!("CARGO_PKG_VERSION"));
        // Who a call is for is known when it is made, so all is declared, and refused where it is missing.
        let all = json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}});
        let mut has: ClientCapabilities =
            serde_json::from_value(all).ok().filter(|_| self.forwards).unwrap_or_default();
        has.extensions.get_or_insert_default().insert(TASKS_EXTENSION_ID.to_owned(), Map::new());
        // What `initialize` declares; the revision without it negotiates in its own way.
        ClientConfig::new(has, client).with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn create_elicitation(
        &self,
        params: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if !self.forwards {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        }
        self.forwarded(ElicitationCreateRequestMethod::VALUE, serde_json::to_value(params).ok()).await
    }

    async fn create_message(
        &self,
        params: rmcp::model::CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<rmcp::model::CreateMessageResult, ErrorData> {
        self.forwarded(CreateMessageRequestMethod::VALUE, serde_json::to_value(params).ok()).await
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<rmcp::model::ListRootsResult, ErrorData> {
        self.forwarded(ListRootsRequestMethod::VALUE, None).await
    }

    async fn on_logging_message(
        &self,
        told: rmcp::model::LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        drop(self.sending.lock().await);
        if let (Some(caller), Ok(told)) = (self.calls.log_reader(), serde_json::to_value(told)) {
            caller.logged(&self.server, told);
        }
    }

    async fn on_progress(&self, told: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        drop(self.sending.lock().await);
        let Some(call) = self.calls.get(&told.progress_token) else { return };
        call.is_heard_of();
        // Notifications may arrive in a different order than they were sent; progress always grows.
        call.progress.send_if_modified(|last| {
            let is_news = last.as_ref().is_none_or(|last| last.progress < told.progress);
            if is_news {
                *last = Some(told);
            }
            is_news
        });
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.list_changed();
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.list_changed();
    }

    async fn on_prompt_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.list_changed();
    }
}

/// Ask a server of the revision without `initialize` to report when its list changes, for as long as the connection
/// lives.
pub(crate) async fn subscribe(peer: Peer<RoleClient>, link: Weak<Link>) {
    let filter =
        SubscriptionFilter::builder().tools_list_changed().resources_list_changed().prompts_list_changed().build();
    let (mut wait, longest) = SUBSCRIBE_AGAIN;
    loop {
        let Ok(mut subscription) = peer.listen(filter.clone()).await else { return };
        // Earlier changes were not reported.
        match link.upgrade() {
            Some(link) => link.list_changed(),
            None => return,
        }
        loop {
            match subscription.next().await {
                Ok(Some(
                    ServerNotification::ToolListChangedNotification(_)
                    | ServerNotification::ResourceListChangedNotification(_)
                    | ServerNotification::PromptListChangedNotification(_),
                )) => {
                    let Some(link) = link.upgrade() else { return };
                    link.list_changed();
                }
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => return,
            }
        }
        tokio::time::sleep(wait).await;
        wait = (wait * 2).min(longest);
        if peer.is_transport_closed() {
            return;
        }
    }
}
