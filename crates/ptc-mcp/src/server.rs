//! A connected server, which stays connected.

use std::fmt;
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::{Duration, SystemTime};

use futures::future::join_all;

use ptc_lisp::text::{one_line, shortened};
use ptc_lisp::{Tool, ToolError, ToolResult};
use rmcp::model::ProtocolVersion;
use rmcp::service::{ClientInitializeError, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::Value as Json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::ChildStderr;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, Notify, watch};

use crate::call::ask;
use crate::caller::Calls;
use crate::child::Child;
use crate::command::CommandLine;
use crate::error::McpError;
use crate::far::{Far, refused_token};
use crate::further::{Contents, Kind};
use crate::list::{Listed, Offered};
use crate::listener::{Listener, subscribe};
use crate::offer::ServerTool;
use crate::redirect;
use crate::result::{self, Given};
use crate::spec::{Access, ServerSpec};
use crate::starts::keep_trying;
use crate::status::ServerStatus;
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
        link.attempt().await?;
        Ok(Server { link })
    }

    /// Start or reach the server in the background; of commands, few start at once. Until it can be used it has no tools;
    /// when it cannot be, it is tried again, after a second at first and each minute at last, and
    /// [`ServerStatus::problem`] says why.
    ///
    /// The connection lives in the tokio runtime that this is called in, which must keep running.
    pub fn start(spec: ServerSpec) -> Server {
        let link = Arc::new(Link::new(spec));
        link.runtime.spawn(keep_trying(Arc::downgrade(&link), true));
        Server { link }
    }

    /// Start or reach all of these servers at once, and wait until each can be used or cannot be: those that cannot are
    /// tried again in the background.
    ///
    /// Errors when one cannot be used that is [required](ServerSpec::required).
    pub async fn connect_all(specs: impl IntoIterator<Item = ServerSpec>) -> Result<Vec<Arc<Server>>, McpError> {
        let connected = join_all(specs.into_iter().map(|spec| async {
            let link = Arc::new(Link::new(spec));
            match link.attempt().await {
                Err(error) if link.spec.required => return Err(error),
                Err(_) => drop(link.runtime.spawn(keep_trying(Arc::downgrade(&link), false))),
                Ok(()) => {}
            }
            Ok(Arc::new(Server { link }))
        }));
        connected.await.into_iter().collect()
    }

    /// How it is reached, and which of its tools programs get.
    #[must_use]
    pub fn spec(&self) -> &ServerSpec {
        &self.link.spec
    }

    /// Its name in its spec.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.link.spec.name
    }

    /// Wait until it was connected, or could not be, for the first time.
    pub async fn settled(&self) {
        let mut state = self.link.state.subscribe();
        // The link, which holds the sender, outlives this.
        let _ended = state.wait_for(|state| !matches!(state, State::Starting)).await;
    }

    /// Start it before others that started in the background, and wait as [`Server::settled`] does: somebody needs it.
    pub async fn wanted(&self) {
        self.link.wanted.notify_one();
        self.settled().await;
    }

    /// Try a server again now that could not be used, and wait until that has ended.
    pub async fn retry(&self) {
        let mut state = self.link.state.subscribe();
        state.mark_unchanged();
        self.link.try_now.notify_one();
        // The link, which holds the sender, outlives this.
        let _ended = state.changed().await;
    }

    /// The tools that programs get, in the order of the server, as it last listed them. A server that reports a changed
    /// list is asked for it; runs that started before keep their tools, and calls of those that are gone fail.
    ///
    /// Cost: linear in the schemas of the tools.
    #[must_use]
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let tool = |offered: &Offered| Arc::new(McpTool::new(offered.clone(), self.link.clone())) as Arc<dyn Tool>;
        self.link.tools().iter().map(tool).collect()
    }

    /// The same tools with the server's description of them.
    #[must_use]
    pub fn offers(&self) -> Vec<(ServerTool, Arc<dyn Tool>)> {
        let offer = |offered: &Offered| {
            let said = ServerTool::new(offered, &self.link.spec);
            (said, Arc::new(McpTool::new(offered.clone(), self.link.clone())) as Arc<dyn Tool>)
        };
        self.link.tools().iter().map(offer).collect()
    }

    /// What it has beside its tools, where programs get the tools for that.
    #[must_use]
    pub fn contents(&self) -> Arc<Contents> {
        self.link.contents()
    }

    /// What the server says about the use of its tools, up to 2,000 characters. Its own words: an untrusted server can say
    /// anything.
    #[must_use]
    pub fn instructions(&self) -> Option<Arc<str>> {
        self.link.instructions()
    }

    /// How often the list changed: while this number stays the same, so do the tools.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.link.changes()
    }

    /// Whether it is connected, and since when, or why not.
    #[must_use]
    pub fn status(&self) -> ServerStatus {
        let state = self.link.state.borrow().clone();
        // While it is being connected, it is not.
        let is_open = self.link.service.try_lock().is_ok_and(|held| held.as_ref().is_some_and(|held| is_open(held)));
        let (since, problem) = match &state {
            State::Starting => (None, None),
            State::Connected(since) => (Some(*since).filter(|_| is_open), None),
            State::Failed(problem) => (None, Some(problem.clone())),
        };
        ServerStatus {
            name: self.link.spec.name.clone(),
            transport: self.link.spec.access.transport(),
            tools: self.link.tools().len(),
            is_starting: matches!(state, State::Starting),
            since,
            problem,
            left_out: self.link.left_out(),
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
        let params = Kind::Tool.params(tool, arguments);
        let answer = ask(&self.link, &service, Kind::Tool.method(), params, &|_| ()).await;
        match answer.and_then(|answer| Given::new(answer, Kind::Tool)) {
            Ok(given) => result::value(given, self.link.spec.reads(tool), None),
            Err(error) => Err(failure(&self.link, &error)),
        }
    }

    /// Ask for what only reads: a resource, a prompt or a completion, by the method of the protocol with its parameters.
    /// A server that has ended is started again. The answer is that of the server, as JSON.
    pub async fn ask(&self, method: &str, params: serde_json::Map<String, Json>) -> Result<Json, ToolError> {
        let service = self.link.service().await.map_err(|error| ToolError::new(error.to_string()))?;
        let answer = ask(&self.link, &service, method, params, &|_| ()).await;
        let answer = answer.map_err(|error| failure(&self.link, &error))?;
        serde_json::to_value(answer).map_err(|error| ToolError::new(error.to_string()))
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
    /// Held while a request is sent, until its call is among those in flight.
    pub sending: Arc<Mutex<()>>,
    pub(crate) listed: StdMutex<Listed>,
    /// Held while the list is requested.
    pub(crate) listing: Mutex<()>,
    service: Mutex<Option<Arc<Service>>>,
    state: watch::Sender<State>,
    /// Ends the pause before the next attempt.
    pub(crate) try_now: Arc<Notify>,
    /// Ends the wait of the first attempt for its turn.
    pub(crate) wanted: Arc<Notify>,
    /// What the command last wrote to standard error.
    last_words: Arc<StdMutex<String>>,
    /// Why the address was last not reached, or how the command ended.
    pub last_cause: Arc<StdMutex<String>>,
}

/// Whether a server can be used.
#[derive(Debug, Clone)]
enum State {
    /// It was not tried yet.
    Starting,
    /// It was connected then.
    Connected(SystemTime),
    /// The last attempt failed, for this reason.
    Failed(String),
}

impl Link {
    pub(crate) fn new(spec: ServerSpec) -> Link {
        Link {
            spec,
            runtime: Handle::current(),
            calls: Arc::default(),
            sending: Arc::default(),
            listed: StdMutex::default(),
            listing: Mutex::default(),
            service: Mutex::default(),
            state: watch::channel(State::Starting).0,
            try_now: Arc::default(),
            wanted: Arc::default(),
            last_words: Arc::default(),
            last_cause: Arc::default(),
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
        let service = self.connect().await.inspect_err(|error| self.failed(error))?;
        // The first attempt ends with the list.
        let said = service.peer_info();
        if self.listed().may_differ(said.as_ref().and_then(|said| said.instructions.as_deref())) {
            self.state.send_replace(State::Connected(SystemTime::now()));
        }
        if tells_by_subscription(&service) {
            self.runtime.spawn(subscribe(service.peer().clone(), Arc::downgrade(self)));
        }
        Ok(held.insert(Arc::new(service)).clone())
    }

    /// Connect, and ask for the tools.
    pub(crate) async fn attempt(self: &Arc<Link>) -> Result<(), McpError> {
        let service = self.service().await?;
        self.list(&service, true).await.inspect_err(|error| self.failed(error))?;
        self.state.send_replace(State::Connected(SystemTime::now()));
        Ok(())
    }

    /// Note why it cannot be used. To those who look for changed lists, another reason is one.
    fn failed(&self, error: &McpError) {
        let problem = error.to_string();
        let is_known = matches!(&*self.state.borrow(), State::Failed(known) if *known == problem);
        self.state.send_replace(State::Failed(problem));
        if !is_known {
            self.listed().has_changed();
        }
    }

    async fn connect(self: &Arc<Link>) -> Result<Service, McpError> {
        let link = self.clone();
        let begun = async move { tokio::time::timeout(link.spec.timeout, link.begin_in_any_revision()).await };
        let begun = self.runtime.spawn(begun).await.map_err(|error| self.refused(&error.to_string()))?;
        begun.map_err(|_| self.too_late())?
    }

    async fn begin_in_any_revision(self: &Arc<Link>) -> Result<Service, McpError> {
        let begun = match self.begin(any_revision()).await? {
            // It answers unknown methods with an empty result, answered the first question when nobody waited for that
            // any more, or names older revisions, so it uses one with `initialize`.
            Err(
                ClientInitializeError::ExpectedInitResult(Some(_))
                | ClientInitializeError::ConflictInitResponseId(..)
                | ClientInitializeError::NoCompatibleProtocolVersion { .. }
                | ClientInitializeError::UncorrelatedErrorResponse { .. },
            ) => self.begin(ClientLifecycleMode::Initialize).await?,
            begun => begun,
        };
        let begun = match begun {
            Err(error) => self.begin_by_events(&error).await?.unwrap_or(Err(error)),
            begun => begun,
        };
        begun.map_err(|error| self.unreached(&error))
    }

    pub(crate) async fn begin(
        self: &Arc<Link>,
        lifecycle: ClientLifecycleMode,
    ) -> Result<Result<Service, ClientInitializeError>, McpError> {
        let reached = self.spec.reached(None).await?;
        Ok(match &reached.access {
            Access::Command(line) => {
                let (transport, stderr) = self.start_command(line)?;
                let listening = stderr.map(|stderr| tokio::spawn(listen(stderr, self.last_words.clone())));
                let begun = Listener::new(self).serve_with_lifecycle(transport, lifecycle).await;
                if let (Err(_), Some(listening)) = (&begun, listening) {
                    let _heard = tokio::time::timeout(LAST_WORDS, listening).await;
                }
                begun
            }
            Access::Http { url, .. } => {
                let config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
                let far = Far::new(self, &reached).map_err(|problem| self.refused(&problem))?;
                let transport = StreamableHttpClientTransport::with_client(far, config);
                Listener::new(self).serve_with_lifecycle(transport, lifecycle).await
            }
        })
    }

    fn start_command(&self, line: &CommandLine) -> Result<(Child, Option<ChildStderr>), McpError> {
        // That of a process before this one.
        self.last_cause.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let mut command = line.command();
        // As the file has it: the values of variables are not to be in a digest.
        if let Access::Command(written) = &self.spec.access {
            let (name, value) = written.starts();
            command.env(name, value);
        }
        Child::start(command, self.last_cause.clone()).map_err(|error| McpError::Start {
            server: self.spec.name.clone(),
            command: line.executable.display().to_string(),
            error,
        })
    }

    /// Whether all names in the lists of the spec are tools of the server.
    pub fn knows_all_names(&self, tools: &[Offered]) -> Result<(), McpError> {
        let known = || tools.iter().map(|offered| offered.tool.name.to_string()).collect::<Vec<_>>();
        let listed = self.spec.allow.iter().flatten().chain(&self.spec.deny).chain(&self.spec.approve);
        let listed = listed.chain(self.spec.tool_results.iter().map(|(name, _)| name));
        if let Some(tool) =
            listed.into_iter().find(|name| !tools.iter().any(|offered| offered.tool.name == name.as_str()))
        {
            return Err(McpError::NoTool { server: self.spec.name.clone(), tool: tool.clone(), known: known() });
        }
        Ok(())
    }

    /// Why there is no connection.
    fn unreached(&self, error: &ClientInitializeError) -> McpError {
        let cause = std::mem::take(&mut *self.last_cause.lock().unwrap_or_else(PoisonError::into_inner));
        let told = told(&self.spec, error);
        match self.spec.access {
            _ if cause.is_empty() => self.refused(&told),
            Access::Http { .. } if refused_token(&self.spec, error).is_some() => self.refused(&cause),
            // How it ended says why its streams are closed.
            Access::Command(_) => self.refused(&cause),
            Access::Http { .. } => self.refused(&format!("{told}: {cause}")),
        }
    }

    pub fn refused(&self, problem: &str) -> McpError {
        let last_words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let last_words = self.spec.told(&last_words);
        McpError::Connect { server: self.spec.name.clone(), problem: self.spec.told(problem), last_words }
    }

    pub fn too_late(&self) -> McpError {
        McpError::Timeout { server: self.spec.name.clone(), limit: self.spec.timeout }
    }
}

pub(crate) fn any_revision() -> ClientLifecycleMode {
    ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::LATEST],
        legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
    }
}

fn is_open(service: &Service) -> bool {
    !service.is_closed() && !service.peer().is_transport_closed()
}

/// Whether a server reports changes of its list only to those who subscribe: in the revision without `initialize`.
fn tells_by_subscription(service: &Service) -> bool {
    service.peer_info().is_some_and(|server| {
        let known = &server.capabilities;
        let tells = [
            known.tools.as_ref().and_then(|tools| tools.list_changed),
            known.resources.as_ref().and_then(|resources| resources.list_changed),
            known.prompts.as_ref().and_then(|prompts| prompts.list_changed),
        ];
        !server.protocol_version.has_initialize() && tells.contains(&Some(true))
    })
}

/// What went wrong, without the types of the transport.
fn told(spec: &ServerSpec, error: &ClientInitializeError) -> String {
    if let Some(remedy) = refused_token(spec, error) {
        return remedy;
    }
    match error {
        ClientInitializeError::TransportError { error, .. } => {
            if let Some(refused) = redirect::refusal(&*error.error) {
                return refused;
            }
            let mut cause: &dyn std::error::Error = &*error.error;
            while let Some(deeper) = cause.source() {
                cause = deeper;
            }
            let cause = cause.to_string();
            format!("it cannot be reached: {cause}{}", advice(&cause))
        }
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => told(spec, fallback),
        other => other.to_string(),
    }
}

/// What to do about an answer that says little.
fn advice(cause: &str) -> &'static str {
    let has = |texts: &[&str]| texts.iter().any(|text| cause.to_lowercase().contains(text));
    if has(&["http 403", "insufficient scope"]) {
        "; give it a token, with `token_file`, `token_command` or `headers`"
    } else if has(&["http 404", "http 405"]) {
        "; it may be at another path, often /mcp or /sse"
    } else {
        ""
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
