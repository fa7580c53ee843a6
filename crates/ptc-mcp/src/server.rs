//! A connected server, which stays connected.

use std::fmt;
use std::process::Stdio;
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::{Duration, SystemTime};

use ptc_lisp::{Tool, ToolError, ToolResult, one_line, shortened};
use rmcp::model::{CallToolRequestParams, ProtocolVersion, Tool as WireTool};
use rmcp::service::{ClientInitializeError, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::child_process::TokioChildProcess;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::Value as Json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::ChildStderr;
use tokio::runtime::Handle;
use tokio::sync::Mutex;

use crate::call::call_tool;
use crate::command::CommandLine;
use crate::error::McpError;
use crate::list::Listed;
use crate::listener::{Calls, Listener, subscribe};
use crate::offer::ServerTool;
use crate::result;
use crate::spec::{Access, ServerSpec};
use crate::tool::{McpTool, failure};

/// How long to wait for the error output of a command that failed.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Characters kept of its last line.
const MAX_WORDS: usize = 300;

pub(crate) type Service = RunningService<RoleClient, Listener>;

/// A connected server. Its tools keep the connection.
pub struct Server {
    link: Arc<Link>,
}

impl Server {
    /// Start or reach the server, and ask for its tools.
    ///
    /// The connection lives in the tokio runtime that this is called in, which must keep running; calls may come from
    /// other ones.
    pub async fn connect(spec: ServerSpec) -> Result<Server, McpError> {
        let link = Arc::new(Link::new(spec));
        let service = link.service().await?;
        link.list(&service, true).await?;
        Ok(Server { link })
    }

    /// The tools that programs get, in the order of the server, as it last listed them. A server that reports a changed
    /// list is asked for it; runs that started before keep their tools, and calls of those that are gone fail.
    ///
    /// Cost: linear in the schemas of the tools.
    #[must_use]
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let tool = |tool: &WireTool| Arc::new(McpTool::new(tool.clone(), self.link.clone())) as Arc<dyn Tool>;
        self.link.tools().iter().map(tool).collect()
    }

    /// The same tools with the server's description of them.
    #[must_use]
    pub fn offers(&self) -> Vec<(ServerTool, Arc<dyn Tool>)> {
        let offer = |tool: &WireTool| {
            let said = ServerTool::new(tool, &self.link.spec);
            (said, Arc::new(McpTool::new(tool.clone(), self.link.clone())) as Arc<dyn Tool>)
        };
        self.link.tools().iter().map(offer).collect()
    }

    /// How often the list changed: while this number stays the same, so do the tools.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.link.changes()
    }

    /// Whether it is connected, and since when, or why not.
    #[must_use]
    pub fn status(&self) -> ServerStatus {
        let last = self.link.last_attempt.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // While it is being connected, it is not.
        let is_open = self.link.service.try_lock().is_ok_and(|held| held.as_ref().is_some_and(|held| is_open(held)));
        ServerStatus {
            name: self.link.spec.name.clone(),
            transport: self.link.spec.access.transport(),
            tools: self.link.tools().len(),
            since: last.as_ref().ok().copied().flatten().filter(|_| is_open),
            problem: last.err(),
        }
    }

    /// Ask the server for its list of tools now, whether or not it reported a change.
    pub async fn refresh(&self) -> Result<(), McpError> {
        let service = self.link.service().await?;
        self.link.list(&service, false).await
    }

    /// Call a tool by the server's name for it, whether or not programs get it: for questions of the host.
    ///
    /// A server that has ended is not started again: it has lost what the host asks about.
    pub async fn call(&self, tool: &str, arguments: serde_json::Map<String, Json>) -> ToolResult {
        let ended = || ToolError::new(format!("the MCP server `{}` has ended", self.link.spec.name));
        let service = self.link.live().await.ok_or_else(ended)?;
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        match call_tool(&self.link, &service, params, &|_| ()).await {
            Ok(given) => result::value(given, self.link.spec.reads(tool)),
            Err(error) => Err(failure(&self.link, &error)),
        }
    }

    /// End the connection: a command is asked to end, and killed after some seconds. A dropped server is killed at
    /// once. A later call connects again.
    pub async fn close(&self) {
        let service = self.link.service.lock().await.take();
        // A call in flight keeps the connection until it ends.
        if let Some(service) = service.and_then(Arc::into_inner) {
            let _ended = service.cancel().await;
        }
    }
}

/// A server as its host sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerStatus {
    /// The name in its spec.
    pub name: String,
    /// `stdio` or `http`.
    pub transport: &'static str,
    /// The number of tools that programs get.
    pub tools: usize,
    /// When it was connected, if it is. One that has ended is connected again by the next call.
    pub since: Option<SystemTime>,
    /// Why the last attempt to connect failed.
    pub problem: Option<String>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools: Vec<String> = self.tools().iter().map(|tool| tool.spec().name.clone()).collect();
        f.debug_struct("Server").field("name", &self.link.spec.name).field("tools", &tools).finish()
    }
}

impl IntoIterator for &Server {
    type Item = Arc<dyn Tool>;
    type IntoIter = std::vec::IntoIter<Arc<dyn Tool>>;

    fn into_iter(self) -> Self::IntoIter {
        self.tools().into_iter()
    }
}

/// The link to a server, which reconnects when the connection was lost.
pub(crate) struct Link {
    pub spec: ServerSpec,
    /// Where connections live.
    pub runtime: Handle,
    /// The calls in flight.
    pub calls: Arc<Calls>,
    pub(crate) listed: StdMutex<Listed>,
    /// Held while the list is requested.
    pub(crate) listing: Mutex<()>,
    service: Mutex<Option<Arc<Service>>>,
    /// When it was connected last, or why the last attempt failed.
    last_attempt: StdMutex<Result<Option<SystemTime>, String>>,
    /// What the command last wrote to standard error.
    last_words: Arc<StdMutex<String>>,
}

impl Link {
    fn new(spec: ServerSpec) -> Link {
        Link {
            spec,
            runtime: Handle::current(),
            calls: Arc::default(),
            listed: StdMutex::default(),
            listing: Mutex::default(),
            service: Mutex::default(),
            last_attempt: StdMutex::new(Ok(None)),
            last_words: Arc::default(),
        }
    }

    /// The connection, if there is one that is open.
    pub async fn live(&self) -> Option<Arc<Service>> {
        self.service.lock().await.as_ref().filter(|service| is_open(service)).cloned()
    }

    /// The connection, created when there is none or the last one is closed.
    pub async fn service(self: &Arc<Link>) -> Result<Arc<Service>, McpError> {
        let mut held = self.service.lock().await;
        if let Some(service) = held.as_ref().filter(|service| is_open(service)) {
            return Ok(service.clone());
        }
        *held = None;
        let connected = self.connect().await;
        let attempt = connected.as_ref().map(|_| Some(SystemTime::now())).map_err(ToString::to_string);
        *self.last_attempt.lock().unwrap_or_else(PoisonError::into_inner) = attempt;
        let service = connected?;
        self.listed().may_differ();
        if tells_by_subscription(&service) {
            self.runtime.spawn(subscribe(service.peer().clone(), Arc::downgrade(self)));
        }
        Ok(held.insert(Arc::new(service)).clone())
    }

    async fn connect(self: &Arc<Link>) -> Result<Service, McpError> {
        let link = self.clone();
        let begun = async move { tokio::time::timeout(link.spec.timeout, link.begin_in_any_revision()).await };
        let begun = self.runtime.spawn(begun).await.map_err(|error| self.refused(&error.to_string()))?;
        begun.map_err(|_| self.too_late())?
    }

    async fn begin_in_any_revision(self: &Arc<Link>) -> Result<Service, McpError> {
        let any = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::LATEST],
            legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
        };
        let begun = match self.begin(any).await? {
            // It answers unknown methods with an empty result, or answered the first question when nobody waited for that
            // any more, so it uses the revision with `initialize`.
            Err(
                ClientInitializeError::ExpectedInitResult(Some(_))
                | ClientInitializeError::ConflictInitResponseId(..)
                | ClientInitializeError::UncorrelatedErrorResponse { .. },
            ) => self.begin(ClientLifecycleMode::Initialize).await?,
            begun => begun,
        };
        begun.map_err(|error| self.refused(&told(&error)))
    }

    async fn begin(
        self: &Arc<Link>,
        lifecycle: ClientLifecycleMode,
    ) -> Result<Result<Service, ClientInitializeError>, McpError> {
        Ok(match &self.spec.access {
            Access::Command(line) => {
                let (transport, stderr) = self.start(line)?;
                let listening = stderr.map(|stderr| tokio::spawn(listen(stderr, self.last_words.clone())));
                let begun = Listener::new(self).serve_with_lifecycle(transport, lifecycle).await;
                if let (Err(_), Some(listening)) = (&begun, listening) {
                    let _heard = tokio::time::timeout(LAST_WORDS, listening).await;
                }
                begun
            }
            Access::Http { url, headers } => {
                let config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
                let transport = StreamableHttpClientTransport::with_client(self.client(headers)?, config);
                Listener::new(self).serve_with_lifecycle(transport, lifecycle).await
            }
        })
    }

    fn start(&self, line: &CommandLine) -> Result<(TokioChildProcess, Option<ChildStderr>), McpError> {
        let mut command = line.command();
        command.kill_on_drop(true);
        TokioChildProcess::builder(command).stderr(Stdio::piped()).spawn().map_err(|error| McpError::Start {
            server: self.spec.name.clone(),
            command: line.executable.display().to_string(),
            error,
        })
    }

    fn client(&self, headers: &[(String, String)]) -> Result<reqwest::Client, McpError> {
        let mut known = reqwest::header::HeaderMap::new();
        for (name, value) in headers {
            let name = reqwest::header::HeaderName::try_from(name).map_err(|error| self.refused(&error.to_string()))?;
            let value = reqwest::header::HeaderValue::try_from(value)
                .map_err(|_| self.refused(&format!("the value of the header `{name}` cannot be sent")))?;
            known.insert(name, value);
        }
        // The same choice as for models; the first of both wins.
        let _already_chosen = rustls::crypto::ring::default_provider().install_default();
        reqwest::Client::builder().default_headers(known).build().map_err(|error| self.refused(&error.to_string()))
    }

    /// Whether all names in the lists of the spec are tools of the server.
    pub fn knows_all_names(&self, tools: &[WireTool]) -> Result<(), McpError> {
        let known = || tools.iter().map(|tool| tool.name.to_string()).collect::<Vec<_>>();
        let listed = self.spec.allow.iter().flatten().chain(&self.spec.deny).chain(&self.spec.approve);
        let listed = listed.chain(self.spec.tool_results.iter().map(|(name, _)| name));
        if let Some(tool) = listed.into_iter().find(|name| !tools.iter().any(|tool| tool.name == name.as_str())) {
            return Err(McpError::NoTool { server: self.spec.name.clone(), tool: tool.clone(), known: known() });
        }
        Ok(())
    }

    /// The tools that programs get.
    pub fn admitted(&self, tools: Vec<WireTool>) -> Result<Vec<WireTool>, McpError> {
        let admitted: Vec<WireTool> = tools.into_iter().filter(|tool| self.spec.admits(&tool.name)).collect();
        for (at, tool) in admitted.iter().enumerate() {
            let name = self.spec.name_of(&tool.name);
            if let Some(first) = admitted.iter().take(at).find(|other| self.spec.name_of(&other.name) == name) {
                let (first, second) = (first.name.to_string(), tool.name.to_string());
                return Err(McpError::SameName { server: self.spec.name.clone(), first, second, name });
            }
        }
        Ok(admitted)
    }

    pub fn refused(&self, problem: &str) -> McpError {
        let last_words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner).clone();
        McpError::Connect { server: self.spec.name.clone(), problem: self.spec.told(problem), last_words }
    }

    pub fn too_late(&self) -> McpError {
        McpError::Timeout { server: self.spec.name.clone(), limit: self.spec.timeout }
    }
}

fn is_open(service: &Service) -> bool {
    !service.is_closed() && !service.peer().is_transport_closed()
}

/// Whether a server reports changes of its list only to those who subscribe: in the revision without `initialize`.
fn tells_by_subscription(service: &Service) -> bool {
    service.peer_info().is_some_and(|server| {
        let tells = server.capabilities.tools.as_ref().and_then(|tools| tools.list_changed);
        !server.protocol_version.has_initialize() && tells == Some(true)
    })
}

/// What went wrong, without the types of the transport.
fn told(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::TransportError { error, .. } => {
            let mut cause: &dyn std::error::Error = &*error.error;
            while let Some(deeper) = cause.source() {
                cause = deeper;
            }
            format!("it cannot be reached: {cause}")
        }
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => told(fallback),
        other => other.to_string(),
    }
}

/// Keep the last line that is not empty.
async fn listen(stderr: ChildStderr, last_words: Arc<StdMutex<String>>) {
    let mut lines = BufReader::new(stderr).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        if !line.trim().is_empty() {
            *last_words.lock().unwrap_or_else(PoisonError::into_inner) = one_line(&shortened(line.trim(), MAX_WORDS));
        }
    }
}
