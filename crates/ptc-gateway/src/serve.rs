//! The gateway as an MCP server: its tools, over standard streams or streamable HTTP.

mod ask;
#[cfg(test)]
mod tests;
mod tools;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion, RequestStateCodec, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::gateway::{Gateway, GatewayError, Refusal, Request};
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

/// A gateway that clients of MCP can use.
#[derive(Clone)]
pub struct McpServer {
    gateway: Gateway,
    seal: Arc<RequestStateCodec>,
}

impl McpServer {
    /// Over this gateway.
    pub fn new(gateway: Gateway) -> Result<McpServer, GatewayError> {
        let key = gateway.shared.ledger.store.key().map_err(GatewayError::Store)?;
        let seal = RequestStateCodec::try_new(key).map_err(|error| GatewayError::Store(io::Error::other(error)))?;
        Ok(McpServer { gateway, seal: Arc::new(seal) })
    }

    /// Serve one client over the standard streams, until it closes them or `stop` says so.
    pub async fn stdio(self, stop: CancellationToken) -> io::Result<()> {
        let served = self.serve_with_ct(rmcp::transport::stdio(), stop).await;
        match served {
            Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
            // Nobody said anything, or nothing that begins a conversation.
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
        let listener = TcpListener::bind(address).await?;
        ready(listener.local_addr()?);
        let mut config = StreamableHttpServerConfig::default();
        config.allowed_origins = OWN_ORIGINS.map(str::to_owned).to_vec();
        config.cancellation_token = stop.child_token();
        let service =
            StreamableHttpService::new(move || Ok(self.clone()), Arc::new(LocalSessionManager::default()), config);
        loop {
            let stream = tokio::select! {
                accepted = listener.accept() => accepted?.0,
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
                let answered = ask::open(&self.seal, state, &params, &request.client)?;
                request.session = Some(answered.session.clone());
                given = Some(answered);
            }
            None => {
                let args: RunArgs = arguments(&params)?;
                (request.program, request.session, request.discard) = (args.program, args.session, args.discard);
            }
        }
        match self.gateway.run(&request) {
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
                () = context.ct.cancelled() => {
                    running.cancel();
                    return Err(ErrorData::internal_error("the client cancelled the program", None));
                }
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
                    let result =
                        if ended.is_ok { CallToolResult::structured } else { CallToolResult::structured_error };
                    return Ok(result(ended.report.clone()).into());
                }
                Phase::Works => continue,
            };
            let fits = |given: &mut Given| given.fingerprint == question.waiting.fingerprint;
            let answer = match (given.take_if(fits), &way) {
                (Some(given), _) => given.answer,
                (None, Way::Elicit) => ask::elicit(context, &question).await,
                (None, Way::InputRequired) => return ask::input_required(&self.seal, &question),
                (None, Way::Elsewhere) => return Ok(self.elsewhere(&question).into()),
            };
            running.answer(&question.waiting.fingerprint, answer).await;
        }
    }

    /// What is told a client that cannot ask anybody.
    fn elsewhere(&self, question: &crate::ask::Question) -> CallToolResult {
        let (session, state) = (&question.waiting.session, self.gateway.shared.ledger.store.folder().display());
        let how = format!(
            "ask the user to run `ptc mcp approve {session} --state {state}` (or `ptc mcp deny …`), then call run_program with \
             `session` alone"
        );
        CallToolResult::structured(json!({
            "session": session, "status": "waiting", "question": question.waiting.text, "how": how,
        }))
    }

    fn check_program(&self, args: &RunArgs) -> CallToolResult {
        let program = args.program.as_deref().unwrap_or_default();
        match self.gateway.check(program, args.session.as_deref()) {
            Err(Refusal(said)) => CallToolResult::structured_error(said),
            Ok(reach) => {
                let told = reach.iter().map(|reach| {
                    json!({
                        "tool": reach.tool, "at_most": reach.at_most, "limit": reach.limit, "policy": reach.ruling(),
                        "read_only": reach.read_only, "destructive": reach.destructive,
                    })
                });
                CallToolResult::structured(json!({"status": "ok", "can_call": told.collect::<Vec<_>>()}))
            }
        }
    }
}

/// Arguments of `run_program` and `check_program`.
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

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let structured = |said: Json| Ok(CallToolResult::structured(said).into());
        match &*params.name {
            tools::RUN => self.run_program(params, &context).await,
            tools::CHECK => Ok(self.check_program(&arguments(&params)?).into()),
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
