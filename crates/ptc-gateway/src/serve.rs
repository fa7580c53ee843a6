//! The gateway as an MCP server: its tools, over standard streams or streamable HTTP.

mod ask;
#[cfg(test)]
mod tests;
mod tools;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelledNotificationParam, ErrorData, Implementation,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion, RequestId, RequestStateCodec,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext, ServerInitializeError};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::gateway::{Gateway, GatewayError, Refusal, Request};
use crate::report::within;
use crate::running::{Phase, Running};
use ask::{Given, Way};

/// Pages that may reach the gateway: those of this machine, as the hosts that it answers to.
const OWN_ORIGINS: [&str; 6] = [
    "http://localhost:*",
    "http://127.0.0.1:*",
    "http://[::1]:*",
    "https://localhost:*",
    "https://127.0.0.1:*",
    "https://[::1]:*",
];

/// How long a connection over HTTP may be silent.
const KEEP_ALIVE: Duration = Duration::from_secs(24 * 60 * 60);

/// How long to wait until connections are accepted again, after one could not be.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

/// How long after a request ended the word that it was cancelled may come.
const CANCEL_HEARD: Duration = Duration::from_millis(200);

/// Cancelled requests that are remembered.
const MAX_CANCELLED: usize = 64;

/// A gateway that clients of MCP can use.
#[derive(Clone)]
pub struct McpServer {
    gateway: Gateway,
    seal: Arc<RequestStateCodec>,
    is_http: bool,
    /// Requests of this connection that its client has cancelled.
    cancelled: watch::Sender<Vec<RequestId>>,
}

impl McpServer {
    /// Over this gateway.
    pub fn new(gateway: Gateway) -> Result<McpServer, GatewayError> {
        let key = gateway.shared.ledger.store.key().map_err(GatewayError::Store)?;
        let seal = RequestStateCodec::try_new(key).map_err(|error| GatewayError::Store(io::Error::other(error)))?;
        Ok(McpServer { gateway, seal: Arc::new(seal), is_http: false, cancelled: watch::channel(Vec::new()).0 })
    }

    /// Serve one client over the standard streams, until it closes them or `stop` says so.
    pub async fn stdio(self, stop: CancellationToken) -> io::Result<()> {
        // Its own end cancels the token.
        let served = self.serve_with_ct(rmcp::transport::stdio(), stop.child_token()).await;
        match served {
            Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
            // Nobody said anything.
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => Ok(()),
            Err(error) => Err(io::Error::other(error)),
        }
    }

    /// Serve any number of clients at `http://ADDRESS/mcp`, until `stop` says so. `ready` is told the address.
    ///
    /// Only requests to names of this machine are answered, so that no web page reaches it through a browser. Whoever can
    /// connect can run programs: keep the address on this machine, or put something that checks who asks before it.
    pub async fn http(
        self,
        address: SocketAddr,
        stop: CancellationToken,
        ready: impl FnOnce(SocketAddr),
    ) -> io::Result<()> {
        self.http_through(address, stop, ready, |server| server).await
    }

    /// The same, through a handler of each connection that is given its server.
    ///
    /// Hidden, as the trait is of rmcp: the example `conformance_server` adds the tools of the conformance suite by it.
    #[doc(hidden)]
    pub async fn http_through<H: ServerHandler>(
        self,
        address: SocketAddr,
        stop: CancellationToken,
        ready: impl FnOnce(SocketAddr),
        handler: impl Fn(McpServer) -> H + Send + Sync + 'static,
    ) -> io::Result<()> {
        let listener = TcpListener::bind(address).await?;
        ready(listener.local_addr()?);
        let mut config = StreamableHttpServerConfig::default();
        config.allowed_origins = OWN_ORIGINS.map(str::to_owned).to_vec();
        config.cancellation_token = stop.child_token();
        let connection =
            move || Ok(handler(McpServer { is_http: true, cancelled: watch::channel(Vec::new()).0, ..self.clone() }));
        // People take their time: a session that only waits for them is not over.
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(KEEP_ALIVE);
        let service = StreamableHttpService::new(connection, Arc::new(sessions), config);
        loop {
            let stream = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    // That of one client; a lack of files passes.
                    Err(_) => {
                        tokio::time::sleep(ACCEPT_AGAIN).await;
                        continue;
                    }
                },
                () = stop.cancelled() => return Ok(()),
            };
            let service = TowerToHyperService::new(service.clone());
            let stop = stop.clone();
            tokio::spawn(async move {
                let builder = Builder::new(TokioExecutor::new());
                let connection = builder.serve_connection(TokioIo::new(stream), service);
                tokio::select! {
                    // A client that goes away is no concern of the others.
                    _ended = connection => {}
                    () = stop.cancelled() => {}
                }
            });
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
            // The answer to a question: the program that asked goes on.
            Some(state) => {
                let (session, answered) = ask::open(&self.seal, state, &params, &request.client)?;
                request.session = Some(session);
                given = answered;
            }
            None => {
                let args: RunArgs = arguments(&params)?;
                (request.program, request.session, request.discard) = (args.program, args.session, args.discard);
            }
        }
        let gateway = self.gateway.clone();
        match blocking(move || gateway.run(&request)).await? {
            Ok(running) => self.follow(running, given, context).await,
            Err(refusal) => Ok(failed(refusal)),
        }
    }

    /// Wait for the end of a program; tell of its calls, and ask what it asks.
    async fn follow(
        &self,
        mut running: Running,
        mut given: Option<Given>,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let way = Way::of(context);
        let mut calls = running.clone();
        let token = context.meta.get_progress_token();
        let mut told = 0;
        if let Some(token) = token.clone() {
            // The handle reaches the client before the answer does: should the gateway end meanwhile, it can go on by it.
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
                    // Progress must grow with each that is told.
                    if let Some(token) = token.clone().filter(|_| made.ended > told) {
                        told = made.ended;
                        let text = format!("tool/{}: {} of {} calls ended", made.tool, made.ended, made.begun);
                        let progress = ProgressNotificationParam::new(token, made.ended as f64).with_message(text);
                        let progress = made.limit.iter().fold(progress, |progress, limit| progress.with_total(*limit as f64));
                        // Whoever does not listen any more misses nothing but this.
                        let _heard = context.peer.notify_progress(progress).await;
                    }
                    continue;
                }
            };
            let question = match phase {
                Phase::Asks(question) => question,
                Phase::Ended(ended) => {
                    let (gateway, told) = (self.gateway.clone(), running.clone());
                    blocking(move || gateway.heard(&told)).await?;
                    let result =
                        if ended.is_ok { CallToolResult::structured } else { CallToolResult::structured_error };
                    return Ok(result(ended.report.clone()).into());
                }
                Phase::Works => continue,
            };
            let fits = |given: &mut Given| given.fingerprint == question.waiting.fingerprint;
            let answer = match (given.take_if(fits), &way) {
                (Some(given), _) => given.answer,
                (None, Way::Elicit) => {
                    let mut other = running.clone();
                    // The client goes away, or somebody else decides: then nobody waits for its user any more.
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
                (None, Way::InputRequired) => return ask::input_required(&self.seal, &question),
                (None, Way::Elsewhere) => return Ok(self.elsewhere(&question).into()),
            };
            running.answer(&question.waiting.fingerprint, answer).await;
        }
    }

    /// The client does not wait any more. What it cancelled is stopped; a connection that was lost stops nothing, and the
    /// answer is there for whoever asks for it.
    async fn left(&self, running: &Running, context: &RequestContext<RoleServer>) -> ErrorData {
        // Without sessions, closing the stream of a request is how a client cancels it.
        let is_said = self.is_http && Way::is_stateless(context);
        let mut cancelled = self.cancelled.subscribe();
        let heard = cancelled.wait_for(|ids| ids.contains(&context.id));
        if is_said || tokio::time::timeout(CANCEL_HEARD, heard).await.is_ok_and(|heard| heard.is_ok()) {
            running.cancel();
            return ErrorData::internal_error("the client cancelled the program", None);
        }
        ErrorData::internal_error("the connection was lost", None)
    }

    /// What is told a client that cannot ask anybody.
    fn elsewhere(&self, question: &crate::ask::Question) -> CallToolResult {
        let (session, id) = (&question.waiting.session, question.waiting.id());
        let state = self.gateway.shared.ledger.store.folder().display();
        let how = format!(
            "ask the user to run `ptc mcp approve {id} --state {state}` (or `ptc mcp deny …`), then call run_program with \
             `session` alone"
        );
        let budget = self.gateway.budget();
        CallToolResult::structured(json!({
            "session": session, "status": "waiting", "how": how,
            "question": budget.text(&question.waiting.text, budget.tokens * 8 / 10),
        }))
    }

    async fn check_program(&self, args: CheckArgs) -> Result<CallToolResult, ErrorData> {
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

/// Work that takes time or the disk, where nobody else waits for it.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ErrorData> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| ErrorData::internal_error(format!("the gateway broke down: {error}"), None))
}

fn failed(Refusal(said): Refusal) -> CallToolResponse {
    CallToolResult::structured_error(said).into()
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
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
        Ok(ListToolsResult::with_all_items(tools::all(&self.gateway)))
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
            tools::SEARCH => structured(self.gateway.search(&arguments::<SearchArgs>(&params)?.query)),
            tools::DESCRIBE => structured(self.gateway.describe(&arguments::<DescribeArgs>(&params)?.names)),
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
