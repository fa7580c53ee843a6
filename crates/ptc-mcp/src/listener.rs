//! Notifications of servers: progress of calls, and changes of the list of tools.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use rmcp::model::{
    ClientCapabilities, ClientConfig, ErrorData, Implementation, ListRootsRequestMethod, ProgressNotificationParam,
    ProgressToken, ProtocolVersion, ServerNotification, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ClientHandler, Peer, RoleClient};
use tokio::sync::{Mutex, watch};

use crate::server::Link;

/// Pause after a subscription ended before it is requested again: the first one, and the maximum. It doubles each time.
const SUBSCRIBE_AGAIN: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));

/// The client's side of a connection.
pub(crate) struct Listener {
    calls: Arc<Calls>,
    /// Weak: the connection owns this.
    link: Weak<Link>,
}

/// The progress of calls in flight.
#[derive(Default)]
pub(crate) struct Calls(pub Mutex<HashMap<ProgressToken, watch::Sender<Option<ProgressNotificationParam>>>>);

impl Listener {
    pub fn new(link: &Arc<Link>) -> Listener {
        Listener { calls: link.calls.clone(), link: Arc::downgrade(link) }
    }

    fn list_changed(&self) {
        if let Some(link) = self.link.upgrade() {
            link.list_changed();
        }
    }
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let client = Implementation::new("ptc-runner", env!("CARGO_PKG_VERSION"));
        // What `initialize` declares; the revision without it negotiates in its own way.
        ClientConfig::new(ClientCapabilities::default(), client)
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    #[expect(deprecated, reason = "servers of older revisions ask, whatever the client declares")]
    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<rmcp::model::ListRootsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListRootsRequestMethod>())
    }

    async fn on_progress(&self, told: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let calls = self.calls.0.lock().await;
        let Some(call) = calls.get(&told.progress_token) else { return };
        // Notifications may arrive in a different order than they were sent; progress always grows.
        call.send_if_modified(|last| {
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
