//! The gateway: programs of clients over the tools of servers.

mod interrupted;
mod live;
mod owner;
#[cfg(test)]
mod programs;
mod rejected;
mod setup;
#[cfg(test)]
mod tests;
mod work;

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::join_all;
use ptc_agent::{AgentError, CompileError};
use ptc_compression::{TokenCounter, usual_token_counter};
use ptc_config::ConfigError;
use ptc_lisp::{Definitions, SessionOptions, WarningCode};
use ptc_mcp::ImportError;
use ptc_transcript::{JournalFileError, TurnWarning};
use serde_json::{Value as Json, json};

use crate::ask::lock;
use crate::audit::Audit;
use crate::config::GatewayFile;
use crate::govern::{Governor, Ledger};
use crate::observed::Observed;
use crate::reach::Reach;
use crate::report::{Budget, put};
use crate::running::Running;
use crate::servers::Sign;
use crate::session::Session;
use crate::store::{Store, StoredResult};
pub(crate) use live::Live;
pub(crate) use setup::Setup;

/// How long a request waits for a server that could not be used and is tried again.
const RETRIED: Duration = Duration::from_secs(2);

/// Why a gateway does not start, or a session cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GatewayError {
    /// The file has a wrong value.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A file with `mcpServers` has another shape.
    #[error("{}: {source}", .path.display())]
    Import {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        r#source: ImportError,
    },
    /// A tool needs a model, or the agent itself.
    #[error("tool `{0}` needs a model; a gateway has none")]
    NeedsModel(String),
    /// A server cannot be used that has `required = true`.
    #[error("{0}; it has `required = true`, so nothing starts without it")]
    Required(String),
    /// A server of the gateway is the gateway.
    #[error("the server `{0}` is this gateway: leave it out of the gateway's file, and have it only in the client's")]
    Itself(String),
    /// There is nothing to review of this server.
    #[error("the server `{0}` is not pinned: write `pin = true` in `[mcp.{0}]`, or at the top of the gateway file")]
    NotPinned(String),
    /// A gateway that runs cannot move what it keeps.
    #[error("`state` cannot change while the gateway runs, it is {}: restart the gateway", .0.display())]
    MovedState(PathBuf),
    /// There is no such server, or it has no tools now.
    #[error("there are no tools of a server `{0}` to review")]
    NoTools(String),
    /// The tools conflict.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The tools need a model.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The stored state cannot be read or written.
    #[error("the state of the gateway: {0}")]
    Store(io::Error),
    /// A journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalFileError),
}

/// Who sends requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Client {
    /// How the audit log and messages name it.
    pub label: String,
    /// The name that [rules](crate::Policy) know it by; none for one that could be any.
    pub name: Option<String>,
}

impl Client {
    /// A client that is known to have this name, for example by its token.
    ///
    /// ```
    /// use ptc_gateway::{Client, Gateway, GatewayFile};
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// let folder = tempfile::tempdir()?;
    /// let text = "[tools.price]\nprogram = \"90\"\n[policy.not-ci]\ndecide = \"deny\"\nclient = \"ci\"\n";
    /// let gateway = Gateway::start(GatewayFile::from_text(folder.path().join("gateway.toml"), text)?).await?;
    /// assert_eq!(gateway.tools_of(&Client::named("ann"))?[0].ruling(), "ask");
    /// assert_eq!(gateway.tools_of(&Client::named("ci"))?[0].ruling(), "deny");
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    #[must_use]
    pub fn named(name: impl Into<String>) -> Client {
        let name = name.into();
        Client { label: name.clone(), name: Some(name) }
    }

    /// One that calls itself this, which nobody has checked.
    #[must_use]
    pub fn unchecked(label: impl Into<String>) -> Client {
        Client { label: label.into(), name: None }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label)
    }
}

/// A client's request.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Request {
    /// The program; none to resume the one that was interrupted or waits.
    pub program: Option<String>,
    /// The handle of a session; none for a new one.
    pub session: Option<String>,
    /// Give up the program that was interrupted.
    pub discard: bool,
    /// Run a program again that had effects and is the last one of its session; otherwise it is taken for a request
    /// whose answer was lost, and gets that answer.
    pub again: bool,
    /// The number of the last program of the session whose answer this client is known to have read.
    pub heard: Option<u32>,
    /// Who asks.
    pub client: Client,
}

impl Request {
    /// Run a program, in its own session unless [`Request::session`] names one.
    #[must_use]
    pub fn program(text: impl Into<String>) -> Request {
        Request { program: Some(text.into()), ..Request::default() }
    }

    /// Resume the program of a session that waits or was interrupted, or get its answer.
    #[must_use]
    pub fn go_on(session: impl Into<String>) -> Request {
        Request::default().session(session)
    }

    /// The same in this session.
    #[must_use]
    pub fn session(mut self, handle: impl Into<String>) -> Request {
        self.session = Some(handle.into());
        self
    }

    /// The same by this client.
    #[must_use]
    pub fn client(mut self, client: Client) -> Request {
        self.client = client;
        self
    }

    /// The same, where a program that had effects runs again.
    #[must_use]
    pub fn again(mut self) -> Request {
        self.again = true;
        self
    }

    /// The same, where the running or interrupted program is given up.
    #[must_use]
    pub fn discard(mut self) -> Request {
        self.discard = true;
        self
    }
}

/// Why a program does not run, as the client reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal(pub Json);

/// Programs over the tools of MCP servers, governed by a policy. Cheap to clone.
///
/// ```
/// use ptc_gateway::{Gateway, GatewayFile, Phase, Request};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let folder = tempfile::tempdir()?;
/// let text = "[tools.price]\nprogram = \"(* 90 nights)\"\nsignature = \"(nights :int) -> :int\"\neffect = \"read\"\n";
/// let gateway = Gateway::start(GatewayFile::from_text(folder.path().join("gateway.toml"), text)?).await?;
///
/// let program = "(reduce + (map (fn [n] (tool/price {:nights n})) [1 2 3]))";
/// let reach = gateway.check(&Request::program(program)).map_err(|refusal| refusal.0.to_string())?;
/// assert_eq!(reach[0].to_string(), "tool/price  3  only reads  allow");
///
/// let mut running = gateway.run(&Request::program(program)).map_err(|refusal| refusal.0.to_string())?;
/// let Phase::Ended(ended) = running.pause().await else { panic!("nobody is asked about what only reads") };
/// assert_eq!(ended.report["value"], 540);
/// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct Gateway {
    pub(crate) shared: Arc<Shared>,
}

/// A program that can run: what it can call, and what it starts with.
struct Reached {
    reach: Vec<Reach>,
    /// The definitions of its session; functions that cannot be read now are kept for later programs.
    definitions: Definitions,
    /// Which ones these are, and why.
    notes: Vec<String>,
    /// Fields that its tools did not give so far.
    warnings: Vec<TurnWarning>,
}

pub(crate) struct Shared {
    pub ledger: Arc<Ledger>,
    pub counter: Arc<dyn TokenCounter>,
    /// Where everything is kept.
    state: PathBuf,
    /// Running programs, by their sessions.
    running: Mutex<HashMap<String, Running>>,
    /// Held while a program starts.
    beginning: Mutex<()>,
    sign: Sign,
    /// When sessions that are not kept were looked for last.
    looked: Mutex<Instant>,
    live: Mutex<Arc<Live>>,
}

impl Gateway {
    /// Start a gateway with the servers of the file, which start in the background, all at once: their tools appear when
    /// they can be used, and [`Gateway::problems`] says why one cannot be. The connections live in the tokio runtime
    /// that this is called in.
    ///
    /// Waits only for servers with `required = true`, and errors when one of them cannot be used.
    pub async fn start(mut file: GatewayFile) -> Result<Gateway, GatewayError> {
        let specs = std::mem::take(&mut file.mission.servers);
        let servers = setup::started(&specs, &[]).await?;
        let store = Store::open(&file.state).map_err(GatewayError::Store)?;
        let sign = Sign::raise(&store).map_err(GatewayError::Store)?;
        let audit = Audit::open(&store.audit(), &file.redact, file.audit_programs).map_err(GatewayError::Store)?;
        let observed = Observed::open(&store.observed()).map_err(GatewayError::Store)?;
        let ledger = Arc::new(Ledger::new(audit, store, observed));
        let live = Live::new(Arc::new(Setup::new(&file, servers, &ledger.store)?), &ledger)?;
        let shared = Shared {
            ledger,
            counter: usual_token_counter(),
            state: file.state,
            running: Mutex::default(),
            beginning: Mutex::default(),
            sign,
            looked: Mutex::new(Instant::now()),
            live: Mutex::new(Arc::new(live)),
        };
        let gateway = Gateway { shared: Arc::new(shared) };
        gateway.prune().map_err(GatewayError::Store)?;
        gateway.forget_codes().map_err(GatewayError::Store)?;
        gateway.note_servers();
        Ok(gateway)
    }

    /// Replace what the gateway file says, without ending programs: those that run keep their tools and rules, servers
    /// whose tables are as before stay connected, and the others start or end.
    ///
    /// Errors change nothing; another `state` is one.
    pub async fn reload(&self, mut file: GatewayFile) -> Result<(), GatewayError> {
        if file.state != self.shared.state {
            return Err(GatewayError::MovedState(self.shared.state.clone()));
        }
        let specs = std::mem::take(&mut file.mission.servers);
        let servers = setup::started(&specs, &self.setup().servers).await?;
        let live = Live::new(Arc::new(Setup::new(&file, servers, &self.shared.ledger.store)?), &self.shared.ledger)?;
        self.shared.ledger.audit.follow(&file.redact, file.audit_programs);
        *lock(&self.shared.live) = Arc::new(live);
        self.note_servers();
        Ok(())
    }

    pub(crate) fn setup(&self) -> Arc<Setup> {
        lock(&self.shared.live).setup.clone()
    }

    /// Wait until each server was connected, or could not be, for the first time, but no longer than this.
    pub async fn settled(&self, most: Duration) {
        let setup = self.setup();
        // What has not settled by then is named where tools are.
        let _late = tokio::time::timeout(most, join_all(setup.servers.iter().map(|server| server.settled()))).await;
        self.live();
    }

    /// What is wrong with the servers and their tools, each a sentence for people.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let of_servers = self.setup().servers.iter().flat_map(|server| server.status().problems()).collect::<Vec<_>>();
        of_servers.into_iter().chain(self.live().listed.conflicts.iter().cloned()).collect()
    }

    /// Wait for the servers whose tools a request may need: one that starts has the time that its table gives it, one
    /// that could not be used is tried again.
    pub async fn ready_for(&self, request: &Request) {
        let text = self.text_of(request);
        let setup = self.setup();
        let needed = setup.servers.iter().filter(|server| text.contains(&format!("tool/{}-", server.name())));
        join_all(needed.map(|server| async move {
            server.wanted().await;
            let status = server.status();
            // One that had tools is connected again by the call.
            if status.problem.is_some() && status.tools == 0 {
                // A program that names one that hangs is refused, and says why.
                let _late = tokio::time::timeout(RETRIED, server.retry()).await;
            }
        }))
        .await;
    }

    /// The program of a request, the interrupted one of its session, and what its session defined.
    fn text_of(&self, request: &Request) -> String {
        let store = &self.shared.ledger.store;
        let session = request.session.as_deref().filter(|id| store.has(id));
        let known = session.and_then(|id| Some((id, store.state(id).ok()?)));
        let kept = known.map(|(id, state)| {
            let interrupted = store.program(id, state.programs + 1).ok().flatten().unwrap_or_default();
            interrupted + state.definitions.as_deref().map_or("", |definitions| definitions.get())
        });
        request.program.clone().unwrap_or_default() + &kept.unwrap_or_default()
    }

    /// Write down how the servers are, for those who look at the state.
    fn note_servers(&self) {
        let setup = self.setup();
        self.shared.sign.write(&self.shared.ledger.store, &setup.servers, setup.own.len());
    }

    /// End the servers, and write what is only in memory. Running programs are interrupted.
    pub async fn close(&self) {
        lock(&self.shared.ledger.observed).write();
        self.shared.sign.lower();
        join_all(self.setup().servers.iter().map(|server| server.close())).await;
    }

    /// Rules of the policy that apply to no tool, by name.
    #[must_use]
    pub fn idle_rules(&self) -> Vec<String> {
        let governor = &self.live().governor;
        let all = governor.offers.values().chain(&governor.denied);
        governor.setup.policy.idle(all).into_iter().map(str::to_owned).collect()
    }

    /// Rules of the policy that name clients, but none with one of these names.
    #[must_use]
    pub fn rules_about_none_of(&self, clients: &[&str]) -> Vec<String> {
        self.setup().policy.about_none_of(clients)
    }

    /// All tools, including denied ones, with the policy's rulings on calls by any client; sorted by name.
    #[must_use]
    pub fn tools(&self) -> Vec<Reach> {
        reach_of_all(&self.live().governor)
    }

    /// The same with the rulings on calls by this client.
    pub fn tools_of(&self, client: &Client) -> Result<Vec<Reach>, GatewayError> {
        Ok(reach_of_all(&self.live_of(client)?.governor))
    }

    /// Check the program of a request for problems and compute what it could call; nothing runs.
    pub fn check(&self, request: &Request) -> Result<Vec<Reach>, Refusal> {
        let session = request.session.as_deref().map_or_else(|| Ok(Session::default()), |id| self.session(id))?;
        let program = request.program.as_deref().ok_or_else(|| nothing_to_run(&session.id))?;
        self.reach(&*self.live_for(&request.client)?, program, &session).map(|reached| reached.reach)
    }

    /// Start a program, or resume the one that the session has.
    ///
    /// Takes the time of an analysis and of a few writes to the disk. Call it in the runtime of the gateway. Errors
    /// hold what the client should read.
    pub fn run(&self, request: &Request) -> Result<Running, Refusal> {
        let started = self.started(request);
        if let Err(refusal) = &started {
            self.note_rejected(request, refusal);
        }
        started
    }

    fn started(&self, request: &Request) -> Result<Running, Refusal> {
        let _one_at_a_time = lock(&self.shared.beginning);
        let Some(id) = &request.session else {
            let program = request.program.as_deref().ok_or_else(|| nothing_to_run(""))?;
            self.has_room(&request.client.label)?;
            let plan = self.plan(Session::default(), 1, program, request)?;
            self.prune_now_and_then();
            let id = self.shared.ledger.store.create().map_err(|error| broken(&GatewayError::Store(error)))?;
            return self.begin(plan.of_session(id), request);
        };
        if let Some(running) = lock(&self.shared.running).get(id) {
            let is_same = request.program.as_ref().is_none_or(|program| **program == *running.program);
            return match (request.discard, request.program.is_some() && is_same) {
                // The request that started it, repeated.
                (_, true) => Ok(running.clone()),
                (true, false) => {
                    running.cancel();
                    Err(refused(id, "stopping", "the program that runs is being stopped: call again"))
                }
                (false, false) if is_same => Ok(running.clone()),
                (false, false) => Err(busy(id)),
            };
        }
        let session = self.session(id)?;
        let next = session.programs + 1;
        let interrupted = self.shared.ledger.store.program(id, next);
        match (interrupted.map_err(|error| broken(&GatewayError::Store(error)))?, request.program.as_deref()) {
            (Some(interrupted), given) => self.after_a_break(session, &interrupted, given, request),
            (None, given) => match &session.kept {
                Some(kept) if given.is_none_or(|given| is_resent(given, kept, &session, request)) => {
                    Ok(Running::over(&session, kept, self.budget()))
                }
                _ => {
                    let program = given.ok_or_else(|| nothing_to_run(id))?;
                    self.has_room(&request.client.label)?;
                    self.begin(self.plan(session, next, program, request)?, request)
                }
            },
        }
    }

    /// A client has read the answer of this program: the next one need not repeat what it did.
    pub fn heard(&self, running: &Running) {
        // Reported twice is better than not at all.
        let store = &self.shared.ledger.store;
        // Not for a program that has not ended, or is no longer the last one.
        if store.state(&running.session).is_ok_and(|state| state.programs == running.number) {
            let _again = store.heard(&running.session, running.number);
        }
    }

    /// The session as it is on the disk: another gateway may have continued it.
    fn session(&self, id: &str) -> Result<Session, Refusal> {
        let store = &self.shared.ledger.store;
        if !store.has(id) {
            let text = "there is no such session; leave `session` out to begin one";
            return Err(refused(id, "unknown_session", text));
        }
        Session::load(store, id).map_err(|error| broken(&error))
    }

    /// What a program can call, or what is wrong with it.
    fn reach(&self, live: &Live, program: &str, known: &Session) -> Result<Reached, Refusal> {
        let mut tools = live.agent.tools();
        {
            let observed = lock(&self.shared.ledger.observed);
            tools.iter_mut().for_each(|tool| tool.observed = observed.results(&tool.name));
        }
        let session = ptc_lisp::Session::new(SessionOptions {
            data: known.data(&live.setup.data),
            definitions: known.definitions.clone(),
            tools,
            limits: live.setup.agent.limits(),
            ..SessionOptions::default()
        });
        // A function whose tool is gone is disabled until the tool is back; its callers are informed.
        let resting = session.left_out();
        let notes: Vec<String> =
            resting.iter().map(|one| format!("definition `{}` cannot be used now: {}", one.name, one.why)).collect();
        let effects = session
            .effects(program)
            .map_err(|problems| self.not_runnable(live, &known.id, program, &problems, &notes))?;
        let reach = effects.tools.iter().filter_map(|reached| {
            let offer = live.governor.offers.get(reached.name.as_str())?;
            let (at_most, limit) = (reached.at_most.to_string(), reached.at_most.limit());
            Some(Reach::new(offer, live.governor.standing(offer), at_most, limit))
        });
        // The run itself knows of declared results only.
        let warnings = session.check(program).unwrap_or_default();
        let warnings = warnings.iter().filter(|warning| warning.code == WarningCode::UnknownField);
        let warnings = warnings.map(|warning| TurnWarning::new(warning, program)).collect();
        Ok(Reached { reach: reach.collect(), definitions: session.definitions(), notes, warnings })
    }

    /// MCP sessions that clients may have over HTTP.
    pub(crate) fn max_sessions(&self) -> usize {
        self.setup().max_sessions
    }

    pub(crate) fn budget(&self) -> Budget<'_> {
        Budget { counter: &*self.shared.counter, tokens: self.setup().tokens }
    }
}

/// All tools, sorted by name.
fn reach_of_all(governor: &Governor) -> Vec<Reach> {
    let all = governor.offers.values().chain(&governor.denied);
    let mut tools: Vec<Reach> =
        all.map(|offer| Reach::new(offer, governor.standing(offer), "any number".to_owned(), None)).collect();
    tools.sort_by(|a, b| a.tool.cmp(&b.tool));
    tools
}

/// Whether this is the last program again, which had effects and whose answer may have been lost: then that answer is
/// wanted. A client that wants it to run again says so.
fn is_resent(given: &str, kept: &StoredResult, session: &Session, request: &Request) -> bool {
    let is_wanted = request.again || request.discard || request.heard == Some(session.programs);
    given == kept.program && kept.effects.is_some() && !is_wanted
}

pub(crate) fn refused(session: &str, reason: &str, message: &str) -> Refusal {
    let mut said = json!({"status": "failed", "error": {"reason": reason, "message": message}});
    if !session.is_empty() {
        put(&mut said, "session", json!(session));
    }
    Refusal(said)
}

fn broken(error: &GatewayError) -> Refusal {
    refused("", "gateway", &error.to_string())
}

/// Why a program must wait.
const BUSY: &str = "busy";

fn elsewhere(session: &str) -> Refusal {
    let text = "another gateway runs a program of this session: call again when it has ended";
    refused(session, BUSY, text)
}

fn busy(session: &str) -> Refusal {
    let text = "another program of this session still runs: wait for it by calling run_program with `session` alone";
    refused(session, BUSY, text)
}

fn nothing_to_run(session: &str) -> Refusal {
    refused(session, "nothing_to_run", "give a `program`: none of this session waits")
}
