//! The gateway as an MCP server: its tools, over standard streams or streamable HTTP.

mod ask;
mod follow;
mod forward;
mod http;
mod passed;
#[cfg(test)]
mod tests;
mod tools;

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CancelledNotificationParam,
    CompleteRequestParams, CompleteResult, ErrorData, GetPromptRequestParams, GetPromptResponse, GetPromptResult,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    RequestId, RequestStateCodec, ServerCapabilities, ServerConfig, SubscriptionFilter,
};
use rmcp::service::{
    NotificationContext, RequestContext, ServerInitializeError, SubscriptionContext, SubscriptionSendError,
};
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::ask::lock;
use crate::gateway::{Client, Gateway, GatewayError, Live, Refusal, Request};
use crate::report::within;
use crate::running::Running;

pub use http::{Tokens, TokensError, check_http_address};

/// How long the list of tools may be kept.
const FRESH: Duration = Duration::from_secs(60);

/// How often it is noticed that a connection was lost which nothing is sent to.
const LOOK_IF_CLOSED: Duration = Duration::from_secs(60);

/// How long a list of tools waits for servers that are being started.
const STARTING: Duration = Duration::from_secs(1);

/// How long after the end of a request its cancellation may arrive.
const CANCEL_HEARD: Duration = Duration::from_millis(200);

/// Cancelled requests that are remembered.
const MAX_CANCELLED: usize = 64;

/// A gateway for MCP clients.
#[derive(Clone)]
pub struct McpServer {
    gateway: Gateway,
    seal: Arc<RequestStateCodec>,
    is_http: bool,
    /// Clients that may use it over HTTP.
    tokens: Option<Arc<Tokens>>,
    /// Requests of this connection that its client cancelled.
    cancelled: watch::Sender<Vec<RequestId>>,
    /// Answers that this connection received.
    given: Arc<Mutex<Vec<Running>>>,
    /// The list versions of the servers when this connection last read the tools.
    listed: Arc<Mutex<Option<Vec<u64>>>>,
    /// The last programs whose answers its client has read: it has sent another request since.
    heard: Arc<Mutex<HashMap<String, u32>>>,
    /// The place of the least important logs that its client wants.
    level: Arc<Mutex<usize>>,
}

impl McpServer {
    /// Over this gateway.
    pub fn new(gateway: Gateway) -> Result<McpServer, GatewayError> {
        let key = gateway.shared.ledger.store.key().map_err(GatewayError::Store)?;
        let seal = RequestStateCodec::try_new(key).map_err(|error| GatewayError::Store(io::Error::other(error)))?;
        Ok(McpServer {
            gateway,
            seal: Arc::new(seal),
            is_http: false,
            tokens: None,
            cancelled: watch::channel(Vec::new()).0,
            given: Arc::default(),
            listed: Arc::default(),
            heard: Arc::default(),
            level: Arc::new(Mutex::new(forward::USUAL_LEVEL)),
        })
    }

    /// Serve one client over the standard streams, until it closes them or `stop` says so.
    pub async fn stdio(self, stop: CancellationToken) -> io::Result<()> {
        // Its own end cancels the token.
        let served = self.serve_with_ct(rmcp::transport::stdio(), stop.child_token()).await;
        match served {
            Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
            // The client sent nothing.
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
            Err(error) => Err(io::Error::other(error)),
        }
    }

    async fn check_program(&self, args: CheckArgs, client: Client) -> Result<CallToolResult, ErrorData> {
        let request = Request { session: args.session, client, ..Request::program(args.program) };
        self.gateway.ready_for(&request).await;
        let gateway = self.gateway.clone();
        let checked = blocking(move || gateway.check(&request)).await?;
        Ok(match checked {
            Err(Refusal(said)) => CallToolResult::structured_error(said),
            Ok(reach) => {
                let told = reach.iter().map(|reach| {
                    json!({
                        "tool": reach.tool, "at_most": reach.at_most, "limit": reach.limit, "policy": reach.ruling(),
                        "read_only": reach.read_only, "destructive": reach.destructive,
                    })
                });
                self.structured(json!({"status": "ok", "can_call": told.collect::<Vec<_>>()}))
            }
        })
    }

    /// What a client has that asks for a list, when servers that are being started had a moment. The list may change.
    async fn to_list(&self, context: &RequestContext<RoleServer>) -> Result<Arc<Live>, ErrorData> {
        let live = self.to_find(context).await?;
        *lock(&self.listed) = Some(live.listed.changes.clone());
        Ok(live)
    }

    /// The same for a client that searches.
    async fn to_find(&self, context: &RequestContext<RoleServer>) -> Result<Arc<Live>, ErrorData> {
        self.gateway.settled(STARTING).await;
        self.gateway.served(&ask::client(context))
    }

    /// An answer within its bounds.
    fn structured(&self, said: Json) -> CallToolResult {
        CallToolResult::structured(within(said, self.gateway.budget()))
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunArgs {
    #[serde(default)]
    program: Option<String>,
    #[serde(default)]
    session: Option<String>,
    #[serde(default)]
    discard: bool,
    #[serde(default)]
    again: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckArgs {
    program: String,
    #[serde(default)]
    session: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchArgs {
    query: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribeArgs {
    names: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FunctionArgs {
    #[serde(default)]
    query: Option<String>,
}

/// The arguments of a call, or what is wrong with them.
fn arguments<T: for<'de> Deserialize<'de>>(params: &CallToolRequestParams) -> Result<T, ErrorData> {
    let given = Json::Object(params.arguments.clone().unwrap_or_default());
    serde_json::from_value(given).map_err(|error| ErrorData::invalid_params(format!("{}: {error}", params.name), None))
}

/// Work that takes time or uses the disk, on a thread where it blocks nothing else.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ErrorData> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| ErrorData::internal_error(format!("the gateway failed: {error}"), None))
}

#[expect(deprecated, reason = "servers have logs, also those of the newest revision")]
impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        // Servers may come that have resources and prompts.
        let has = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_completions()
            .enable_logging();
        let mut info = ServerConfig::new(has.build());
        info.protocol_version = ProtocolVersion::LATEST;
        info.server_info = Implementation::new("ptc-gateway", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(tools::INSTRUCTIONS.to_owned());
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let live = self.to_list(&context).await?;
        let list = ListToolsResult::with_all_items(tools::all(&self.gateway, &live));
        Ok(list.with_ttl_ms(FRESH.as_millis() as u64).with_cache_scope(CacheScope::Private))
    }

    async fn set_level(
        &self,
        params: rmcp::model::SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        *lock(&self.level) = forward::level(&json!(params.level)).unwrap_or(forward::USUAL_LEVEL);
        Ok(())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let live = self.to_list(&context).await?;
        let list = ListResourcesResult::with_all_items(self.gateway.shelved(&live, passed::RESOURCES));
        Ok(list.with_ttl_ms(FRESH.as_millis() as u64).with_cache_scope(CacheScope::Private))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let live = self.to_list(&context).await?;
        let list = ListResourceTemplatesResult::with_all_items(self.gateway.shelved(&live, passed::TEMPLATES));
        Ok(list.with_ttl_ms(FRESH.as_millis() as u64).with_cache_scope(CacheScope::Private))
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read: ReadResourceResult = self.gateway.read(params, &ask::client(&context)).await?;
        Ok(read.into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let live = self.to_list(&context).await?;
        let list = ListPromptsResult::with_all_items(self.gateway.prompts(&live));
        Ok(list.with_ttl_ms(FRESH.as_millis() as u64).with_cache_scope(CacheScope::Private))
    }

    async fn get_prompt(
        &self,
        params: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let filled: GetPromptResult = self.gateway.prompt(params, &ask::client(&context)).await?;
        Ok(filled.into())
    }

    async fn complete(
        &self,
        params: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.gateway.complete(params, &ask::client(&context)).await
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    /// Report changes of the tools until the client no longer listens.
    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut known = self.gateway.live().listed.changes.clone();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                now = self.gateway.other_changes(&known) => known = now,
            }
            let sink = context.sink();
            let told = [
                sink.notify_tool_list_changed().await,
                sink.notify_resource_list_changed().await,
                sink.notify_prompt_list_changed().await,
            ];
            let is_lost = |told: &Result<(), SubscriptionSendError>| {
                told.as_ref().is_err_and(|error| !matches!(error, SubscriptionSendError::NotificationNotAccepted(_)))
            };
            if told.iter().any(is_lost) {
                return Ok(());
            }
        }
    }

    /// Report changes of the tools that this connection has read, as long as it lasts: at first servers start.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let (gateway, listed, peer) = (self.gateway.clone(), Arc::downgrade(&self.listed), context.peer);
        tokio::spawn(async move {
            let mut known = gateway.live().listed.changes.clone();
            while !peer.is_transport_closed() {
                // A server that hangs must not keep a connection that was lost.
                let Ok(now) = tokio::time::timeout(LOOK_IF_CLOSED, gateway.other_changes(&known)).await else {
                    continue;
                };
                let Some(listed) = listed.upgrade() else { return };
                let is_other = lock(&listed).take_if(|listed| *listed != now).is_some();
                known = now;
                if !is_other {
                    continue;
                }
                let told = [
                    peer.notify_tool_list_changed().await,
                    peer.notify_resource_list_changed().await,
                    peer.notify_prompt_list_changed().await,
                ];
                if told.iter().any(Result::is_err) {
                    return;
                }
            }
        });
    }

    async fn on_cancelled(&self, told: CancelledNotificationParam, _: NotificationContext<RoleServer>) {
        self.cancelled.send_modify(|ids| {
            ids.extend(told.request_id);
            let old = ids.len().saturating_sub(MAX_CANCELLED);
            ids.drain(..old);
        });
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let structured = |said: Json| Ok(self.structured(said).into());
        match &*params.name {
            tools::RUN => self.run_program(params, &context).await,
            tools::CHECK => Ok(self.check_program(arguments(&params)?, ask::client(&context)).await?.into()),
            tools::SEARCH => {
                let live = self.to_find(&context).await?;
                structured(self.gateway.search(&live, &arguments::<SearchArgs>(&params)?.query))
            }
            tools::DESCRIBE => {
                let live = self.to_find(&context).await?;
                structured(self.gateway.describe(&live, &arguments::<DescribeArgs>(&params)?.names))
            }
            tools::FUNCTIONS => {
                structured(crate::catalog::functions(arguments::<FunctionArgs>(&params)?.query.as_deref()))
            }
            other => {
                let text = format!("unknown tool `{other}`: tools of servers are called in programs, by run_program");
                Err(ErrorData::invalid_params(text, None))
            }
        }
    }
}
