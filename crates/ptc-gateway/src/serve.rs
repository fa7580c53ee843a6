//! The gateway as an MCP server: its tools, over standard streams or streamable HTTP.

mod ask;
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
    CompleteRequestParams, CompleteResult, ContentBlock, ErrorData, GetPromptRequestParams, GetPromptResponse,
    GetPromptResult, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, RequestId, RequestStateCodec, ServerCapabilities, ServerConfig,
    SubscriptionFilter,
};
use rmcp::service::{
    NotificationContext, RequestContext, ServerInitializeError, SubscriptionContext, SubscriptionSendError,
};
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::ask::{LOOK, lock};
use crate::gateway::{Gateway, GatewayError, Refusal, Request};
use crate::report::{self, ATTACHMENTS, within};
use crate::running::{Phase, ProgramResult, Running};
use ask::{AskMethod, SentAnswer};

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

    async fn run_program(
        &self,
        params: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut request = Request { client: ask::client(context), ..Request::default() };
        let mut given = None;
        match &params.request_state {
            // The answer to a question: the program that asked resumes.
            Some(state) => {
                let (session, answered) = ask::open(&self.seal, state, &params, &request.client)?;
                request.session = Some(session);
                given = answered;
            }
            None => {
                let args: RunArgs = arguments(&params)?;
                (request.program, request.session) = (args.program, args.session);
                (request.discard, request.again) = (args.discard, args.again);
            }
        }
        // A client that sends another request has read the previous answers.
        let read = std::mem::take(&mut *lock(&self.given));
        let mut heard = std::mem::take(&mut *lock(&self.heard));
        heard.extend(read.iter().map(|running| (running.session.clone(), running.number)));
        request.heard = request.session.as_ref().and_then(|session| heard.get(session)).copied();
        *lock(&self.heard) = heard;
        self.gateway.ready_for(&request).await;
        let gateway = self.gateway.clone();
        let begun = blocking(move || {
            read.iter().for_each(|running| gateway.heard(running));
            gateway.run(&request)
        });
        match begun.await? {
            Ok(running) => self.follow(running, given, context).await,
            Err(Refusal(said)) => Ok(CallToolResult::structured_error(within(said, self.gateway.budget())).into()),
        }
    }

    /// Wait for the end of a program; report its calls, and ask its questions.
    async fn follow(
        &self,
        mut running: Running,
        mut given: Option<SentAnswer>,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let way = AskMethod::of(context);
        let mut calls = running.clone();
        let token = context.meta.get_progress_token();
        let mut told = 0.0;
        if let Some(token) = token.clone() {
            // The handle reaches the client before the answer does: if the gateway ends meanwhile, the client can
            // resume with it.
            let text = format!("session {}", running.session());
            let _heard =
                context.peer.notify_progress(ProgressNotificationParam::new(token, 0.0).with_message(text)).await;
        }
        loop {
            let phase = tokio::select! {
                biased;
                () = context.ct.cancelled() => return Err(self.left(&running, context).await),
                phase = running.pause() => phase,
                made = calls.next_call(), if token.is_some() => {
                    let is_more = made.news.is_some() || made.ended as f64 > told;
                    if let Some(token) = token.clone().filter(|_| is_more) {
                        told = made.done_after(told);
                        let progress = ProgressNotificationParam::new(token, told).with_message(made.line());
                        let progress = made.limit.iter().fold(progress, |progress, limit| progress.with_total(*limit as f64));
                        // A client that no longer listens loses only this.
                        let _heard = context.peer.notify_progress(progress).await;
                    }
                    continue;
                }
            };
            let question = match phase {
                Phase::Asks(question) => question,
                Phase::Ended(ended) => {
                    if ended.is_kept {
                        self.give(&running, context).await?;
                    }
                    return Ok(self.answer(&ended).into());
                }
                Phase::Works => continue,
            };
            let fits = |given: &mut SentAnswer| given.fingerprint == question.waiting.fingerprint;
            let answer = match (given.take_if(fits), &way) {
                (Some(given), _) => given.answer,
                (None, AskMethod::Elicit) => {
                    let mut other = running.clone();
                    // The client goes away, or another user decides: then the answer of its user is no longer awaited.
                    let answer = tokio::select! {
                        biased;
                        () = context.ct.cancelled() => return Err(self.left(&running, context).await),
                        () = other.passes(&question.waiting.fingerprint) => continue,
                        answer = ask::elicit(context, &question) => answer,
                    };
                    match answer {
                        Some(answer) => answer,
                        None => return Ok(self.elsewhere(&question).into()),
                    }
                }
                (None, AskMethod::InputRequired) => return ask::input_required(&self.seal, &question),
                // A decision that was just made will soon be found.
                (None, AskMethod::Elsewhere) => {
                    let mut other = running.clone();
                    match tokio::time::timeout(2 * LOOK, other.passes(&question.waiting.fingerprint)).await {
                        Ok(()) => continue,
                        Err(_) => return Ok(self.elsewhere(&question).into()),
                    }
                }
            };
            running.answer(&question.waiting.fingerprint, answer).await;
        }
    }

    /// The answer of an ended program, with the blocks that its value refers to.
    fn answer(&self, ended: &ProgramResult) -> CallToolResult {
        let mut report = ended.report.clone();
        let names = report.get(ATTACHMENTS).and_then(Json::as_array).cloned().unwrap_or_default();
        let names = names.iter().filter_map(Json::as_str);
        let blocks: Vec<Option<ContentBlock>> = names
            .map(|name| self.gateway.shared.ledger.attachments.block(name))
            .map(|block| serde_json::from_value(block?).ok())
            .collect();
        // An answer that is given again may be older than what is kept.
        if blocks.contains(&None) {
            report::note_cut(&mut report, "attachments: some are no longer kept: call their tools again");
        }
        let result = if ended.is_ok { CallToolResult::structured } else { CallToolResult::structured_error };
        let mut result = result(report);
        result.content.extend(blocks.into_iter().flatten());
        result
    }

    /// An answer is sent. Without sessions it is unknown whether it was read, and it counts as read.
    async fn give(&self, running: &Running, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
        let given = running.clone();
        if !(self.is_http && AskMethod::is_stateless(context)) {
            lock(&self.given).push(given);
            return Ok(());
        }
        let gateway = self.gateway.clone();
        blocking(move || gateway.heard(&given)).await
    }

    /// The client no longer waits. What it cancelled is stopped; a lost connection stops nothing, and the answer can
    /// still be fetched.
    async fn left(&self, running: &Running, context: &RequestContext<RoleServer>) -> ErrorData {
        // Without sessions, closing the stream of a request is how a client cancels it.
        let is_said = self.is_http && AskMethod::is_stateless(context);
        let mut cancelled = self.cancelled.subscribe();
        let heard = cancelled.wait_for(|ids| ids.contains(&context.id));
        if is_said || tokio::time::timeout(CANCEL_HEARD, heard).await.is_ok_and(|heard| heard.is_ok()) {
            running.cancel();
            return ErrorData::internal_error("the client cancelled the program", None);
        }
        ErrorData::internal_error("the connection was lost", None)
    }

    /// The answer for a client that cannot ask its user. The model that reads it must not be able to decide, so it names
    /// neither the question nor a command.
    fn elsewhere(&self, question: &crate::ask::Question) -> CallToolResult {
        let how = "a person decides this at the gateway, which shows the question there; you cannot. Tell the user that it \
                   waits. After the decision, call run_program with `session` alone";
        let budget = self.gateway.budget();
        CallToolResult::structured(json!({
            "session": question.waiting.session, "status": "waiting", "how": how,
            "question": budget.text(&question.waiting.text, budget.tokens * 8 / 10),
        }))
    }

    async fn check_program(&self, args: CheckArgs) -> Result<CallToolResult, ErrorData> {
        self.gateway.ready_for(&Request { session: args.session.clone(), ..Request::program(&*args.program) }).await;
        let gateway = self.gateway.clone();
        let checked = blocking(move || gateway.check(&args.program, args.session.as_deref())).await?;
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

    /// Wait for servers that are being started, since a list is asked for, which may change.
    async fn to_list(&self) {
        self.gateway.settled(STARTING).await;
        *lock(&self.listed) = Some(self.gateway.live().changes.clone());
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
            .enable_completions();
        let mut info = ServerConfig::new(has.build());
        info.protocol_version = ProtocolVersion::LATEST;
        info.server_info = Implementation::new("ptc-gateway", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(tools::INSTRUCTIONS.to_owned());
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.to_list().await;
        let list = ListToolsResult::with_all_items(tools::all(&self.gateway));
        Ok(list.with_ttl_ms(FRESH.as_millis() as u64).with_cache_scope(CacheScope::Private))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.to_list().await;
        let list = ListResourcesResult::with_all_items(self.gateway.shelved(passed::RESOURCES));
        Ok(list.with_ttl_ms(FRESH.as_millis() as u64).with_cache_scope(CacheScope::Private))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        self.to_list().await;
        let list = ListResourceTemplatesResult::with_all_items(self.gateway.shelved(passed::TEMPLATES));
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
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.to_list().await;
        let list = ListPromptsResult::with_all_items(self.gateway.prompts());
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
        let mut known = self.gateway.live().changes.clone();
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
            let mut known = gateway.live().changes.clone();
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
            tools::CHECK => Ok(self.check_program(arguments(&params)?).await?.into()),
            tools::SEARCH => {
                self.gateway.settled(STARTING).await;
                structured(self.gateway.search(&arguments::<SearchArgs>(&params)?.query))
            }
            tools::DESCRIBE => {
                self.gateway.settled(STARTING).await;
                structured(self.gateway.describe(&arguments::<DescribeArgs>(&params)?.names))
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
