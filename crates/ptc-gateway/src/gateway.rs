//! The gateway: programs of clients over the tools of servers.

#[cfg(test)]
mod programs;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use ptc_agent::{
    Agent, AgentBuilder, AgentError, AgentSpec, CompileError, CompiledAgent, Context, RunOptions, RunSpec,
};
use ptc_compression::{TokenCounter, usual_token_counter};
use ptc_config::{ConfigError, JournalFile, JournalFileError};
use ptc_lisp::{Definitions, HostTool, Map, Problem, SessionOptions, problems_text};
use ptc_mcp::{ImportError, McpError, Server};
use ptc_transcript::{FailReason, Recorded, Step};
use serde_json::{Value as Json, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::ask::{Asker, lock};
use crate::audit::Audit;
use crate::config::GatewayFile;
use crate::govern::{Governed, Governor, Ledger};
use crate::observed::Observed;
use crate::offer::Offer;
use crate::policy::Policy;
use crate::reach::Reach;
use crate::report::{self, Budget, put};
use crate::running::{Ended, Made, Phase, Running, counts};
use crate::session::{LAST, Session};
use crate::store::Store;

/// Why a gateway does not begin, or a session cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GatewayError {
    /// The file says something that cannot be.
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
    /// A server cannot be used.
    #[error(transparent)]
    Server(#[from] McpError),
    /// The tools do not go together.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The tools need a model.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// What is kept cannot be read or written.
    #[error("the state of the gateway: {0}")]
    Store(io::Error),
    /// A journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalFileError),
}

/// What a client asks for.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Request {
    /// The program; none to go on with the one that was interrupted or waits.
    pub program: Option<String>,
    /// The handle of a session; none for a new one.
    pub session: Option<String>,
    /// Give up the program that was interrupted.
    pub discard: bool,
    /// Who asks, for the audit log.
    pub client: String,
}

/// Why a program does not run, as the client reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal(pub Json);

/// Programs over the tools of MCP servers, governed by a policy. Cheap to clone.
#[derive(Clone)]
pub struct Gateway {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub ledger: Arc<Ledger>,
    policy: Arc<Policy>,
    /// Tools of the file itself.
    own: Vec<Arc<dyn HostTool>>,
    agent: AgentSpec,
    run: RunSpec,
    data: Map,
    pub counter: Arc<dyn TokenCounter>,
    tokens: usize,
    sessions: Mutex<HashMap<String, Arc<Session>>>,
    /// They live as long as the gateway.
    servers: Vec<Arc<Server>>,
    live: Mutex<Arc<Live>>,
}

/// The tools as the servers listed them last.
pub(crate) struct Live {
    pub governor: Arc<Governor>,
    agent: Agent,
    /// How often each server had given another list.
    changes: Vec<u64>,
}

impl Gateway {
    /// Start the servers of the file. The connections live in the tokio runtime that this is called in.
    pub async fn start(mut file: GatewayFile) -> Result<Gateway, GatewayError> {
        let mut servers = Vec::new();
        for spec in std::mem::take(&mut file.mission.servers) {
            servers.push(Arc::new(Server::connect(spec).await?));
        }
        Gateway::over(file, servers)
    }

    fn over(file: GatewayFile, servers: Vec<Arc<Server>>) -> Result<Gateway, GatewayError> {
        let limits = file.mission.limits();
        let own = file
            .mission
            .tools
            .iter()
            .map(|tool| tool.tool(&limits).ok_or_else(|| GatewayError::NeedsModel(tool.spec.name.clone())));
        let own = own.collect::<Result<Vec<Arc<dyn HostTool>>, _>>()?;
        let store = Store::open(&file.state).map_err(GatewayError::Store)?;
        let audit = Audit::open(&store.audit(), &file.redact).map_err(GatewayError::Store)?;
        let observed = Observed::open(&store.observed()).map_err(GatewayError::Store)?;
        let (ledger, policy) = (Arc::new(Ledger::new(audit, store, observed)), Arc::new(file.policy));
        let mut agent = file.mission.agent.clone();
        agent.mission = "Run programs.".to_owned();
        (agent.max_turns, agent.retry_turns) = (1, 0);
        let live = Live::new(&own, &servers, &agent, &policy, &ledger)?;
        let shared = Shared {
            ledger,
            policy,
            own,
            agent,
            run: file.mission.run.clone(),
            data: file.mission.data_map(),
            counter: usual_token_counter(),
            tokens: file.result_tokens,
            sessions: Mutex::default(),
            servers,
            live: Mutex::new(Arc::new(live)),
        };
        Ok(Gateway { shared: Arc::new(shared) })
    }

    /// The tools as the servers listed them last. Lists that do not go together change nothing: the tools before stay.
    pub(crate) fn live(&self) -> Arc<Live> {
        let shared = &self.shared;
        let mut live = lock(&shared.live);
        if shared.servers.iter().map(|server| server.changes()).ne(live.changes.iter().copied()) {
            let fresh = Live::new(&shared.own, &shared.servers, &shared.agent, &shared.policy, &shared.ledger);
            if let Ok(fresh) = fresh {
                *live = Arc::new(fresh);
            }
        }
        live.clone()
    }

    /// End the servers, and write what is only in memory. Programs that still run are interrupted.
    pub async fn close(&self) {
        lock(&self.shared.ledger.observed).write();
        for server in &self.shared.servers {
            server.close().await;
        }
    }

    /// Rules of the policy that are about no tool, by name.
    #[must_use]
    pub fn idle_rules(&self) -> Vec<String> {
        let governor = &self.live().governor;
        let all = governor.offers.values().chain(&governor.denied);
        governor.policy.idle(all).into_iter().map(str::to_owned).collect()
    }

    /// All tools, the denied ones, too, with what the policy says of their calls; sorted by name.
    #[must_use]
    pub fn tools(&self) -> Vec<Reach> {
        let governor = &self.live().governor;
        let all = governor.offers.values().chain(&governor.denied);
        let mut tools: Vec<Reach> =
            all.map(|offer| Reach::new(offer, governor.standing(offer), "any number".to_owned(), None)).collect();
        tools.sort_by(|a, b| a.tool.cmp(&b.tool));
        tools
    }

    /// Look for the problems of a program and for what it could call; nothing runs.
    pub fn check(&self, program: &str, session: Option<&str>) -> Result<Vec<Reach>, Refusal> {
        let definitions = match session {
            None => (Definitions::default(), self.shared.data.clone()),
            Some(id) => {
                let session = self.session(id)?;
                let definitions = lock(&session.inner).definitions.clone();
                (definitions, session.data(&self.shared.data))
            }
        };
        self.reach(&self.live(), program, &definitions.0, &definitions.1)
    }

    /// Begin a program, or go on with the one that the session has.
    ///
    /// Call it in the runtime of the gateway. Errors with what the client should read.
    pub fn run(&self, request: &Request) -> Result<Running, Refusal> {
        let store = &self.shared.ledger.store;
        let session = match &request.session {
            Some(id) => self.session(id)?,
            None => {
                let id = store.create().map_err(|error| broken(&GatewayError::Store(error)))?;
                let session = Arc::new(Session::load(store, &id).map_err(|error| broken(&error))?);
                lock(&self.shared.sessions).insert(id, session.clone());
                session
            }
        };
        let _one_at_a_time = lock(&session.beginning);
        let running = lock(&session.inner).running.clone();
        if let Some(running) = running {
            let is_same = request.program.as_ref().is_none_or(|program| **program == *running.program);
            return if is_same { Ok(running) } else { Err(busy(&session.id)) };
        }
        let interrupted = session.interrupted(store).map_err(|error| broken(&error))?;
        match (interrupted, &request.program) {
            (Some((number, program)), given) if !request.discard => match given {
                Some(given) if *given != program => Err(self.unfinished(&session.id, number, &program)),
                _ => self.begin(&session, number, &program, request),
            },
            (None, None) => Err(refused(&session.id, "nothing_to_run", "give a `program`: none of this session waits")),
            (interrupted, Some(program)) => {
                if let Some((number, _)) = interrupted {
                    let note = self.left_behind(&session.id, number);
                    session.discard(store, note).map_err(|error| broken(&error))?;
                }
                let number = lock(&session.inner).programs + 1;
                self.begin(&session, number, program, request)
            }
            (Some((number, _)), None) => {
                let note = self.left_behind(&session.id, number);
                session.discard(store, note).map_err(|error| broken(&error))?;
                Err(refused(&session.id, "discarded", "the interrupted program is given up; give a `program`"))
            }
        }
    }

    fn session(&self, id: &str) -> Result<Arc<Session>, Refusal> {
        if let Some(session) = lock(&self.shared.sessions).get(id) {
            return Ok(session.clone());
        }
        let store = &self.shared.ledger.store;
        if !store.has(id) {
            let text = "there is no such session; leave `session` out to begin one";
            return Err(refused(id, "unknown_session", text));
        }
        let session = Arc::new(Session::load(store, id).map_err(|error| broken(&error))?);
        Ok(lock(&self.shared.sessions).entry(id.to_owned()).or_insert(session).clone())
    }

    fn begin(&self, session: &Arc<Session>, number: u32, program: &str, request: &Request) -> Result<Running, Refusal> {
        let (live, ledger, id) = (self.live(), &self.shared.ledger, session.id.as_str());
        let definitions = lock(&session.inner).definitions.clone();
        let data = session.data(&self.shared.data);
        let reach = self.reach(&live, program, &definitions, &data).map_err(|Refusal(mut said)| {
            put(&mut said, "session", json!(id));
            Refusal(said)
        })?;
        if let Some(problem) = ledger.audit.problem() {
            return Err(refused(id, "audit", &format!("the audit log cannot be written: {problem}; nothing runs")));
        }
        // The journal is locked: from here on no other gateway runs this program.
        let journal = JournalFile::resume(ledger.store.journal(id, number)).map_err(|error| broken(&error.into()))?;
        ledger.store.begin(id, number, program).map_err(|error| broken(&GatewayError::Store(error)))?;
        let compiled = CompiledAgent::from_source(&live.agent, program).map_err(|error| broken(&error.into()))?;
        let shown: Vec<Json> =
            reach.iter().map(|reach| json!({"tool": reach.tool, "at_most": reach.at_most})).collect();
        let is_resumed = journal.1.is_some();
        let fields =
            json!({"id": format!("{id}/{number}"), "client": request.client, "resumed": is_resumed, "reach": shown});
        ledger.audit.write("program", fields);

        let limits: Option<Vec<u64>> = reach.iter().map(|reach| reach.limit).collect();
        let limit = limits.map(|limits| limits.into_iter().fold(0, u64::saturating_add));
        let (phase, phases) = watch::channel(Phase::Works);
        let (made, makes) = watch::channel(Made { limit, ..Made::default() });
        let asker = Arc::new(Asker::new(live.governor.clone(), id, number, reach, phase));
        let running = Running {
            session: id.to_owned(),
            program: program.into(),
            cancel: CancellationToken::new(),
            asker: asker.clone(),
            phase: phases,
            made: makes,
        };
        let (file, recorded) = journal;
        let options = RunOptions::from(self.shared.run.clone())
            .run_id(format!("{id}/{number}"))
            .seed(seed(id, number))
            .journal(Arc::new(file))
            .resume(recorded.map(Arc::new))
            .definitions(definitions)
            .approval(asker.clone())
            .observers(vec![Arc::new(counts(made)) as _])
            .cancel(running.cancel.clone());
        lock(&session.inner).running = Some(running.clone());
        let work = Work { gateway: self.clone(), session: session.clone(), asker, number };
        tokio::spawn(async move {
            let step = compiled.execute(Context::from_map(data), options).await;
            work.ended(step);
        });
        Ok(running)
    }

    /// What a program can call, or what is wrong with it.
    fn reach(&self, live: &Live, program: &str, definitions: &Definitions, data: &Map) -> Result<Vec<Reach>, Refusal> {
        let shared = &self.shared;
        let mut session = ptc_lisp::Session::new(SessionOptions {
            data: data.clone(),
            tools: live.agent.tools(),
            limits: shared.agent.limits(),
            ..SessionOptions::default()
        });
        session.take_up(definitions);
        let effects = session.effects(program).map_err(|problems| self.problems(program, &problems))?;
        let reach = effects.tools.iter().filter_map(|reached| {
            let offer = live.governor.offers.get(reached.name.as_str())?;
            let (at_most, limit) = (reached.at_most.to_string(), reached.at_most.limit());
            Some(Reach::new(offer, live.governor.standing(offer), at_most, limit))
        });
        Ok(reach.collect())
    }

    fn problems(&self, program: &str, problems: &[Problem]) -> Refusal {
        let mut text = problems_text(problems);
        // A tool that is denied is unknown to programs; that it exists is no secret.
        for denied in &self.live().governor.denied {
            if program.contains(&format!("tool/{}", denied.name())) {
                text.push_str(&format!("\nnote: the policy of this gateway denies tool/{}", denied.name()));
            }
        }
        let text = ptc_lisp::shortened(&text, self.shared.tokens);
        Refusal(json!({"status": "failed", "error": {"reason": "problems", "message": text}}))
    }

    /// The program before was interrupted, and another one comes.
    fn unfinished(&self, id: &str, number: u32, program: &str) -> Refusal {
        let made = self.calls_of(id, number).map(|recorded| recorded.calls().count()).unwrap_or(0);
        let line = ptc_lisp::one_line(program);
        let begin = ptc_lisp::shortened(&line, 200);
        let text = format!(
            "a program of this session was interrupted after {made} calls: {begin}. Call run_program with `session` alone \
             to go on with it: calls that ended are not made again. With `discard`: true it is given up"
        );
        refused(id, "interrupted", &text)
    }

    fn calls_of(&self, id: &str, number: u32) -> Option<Recorded> {
        let bytes = std::fs::read(self.shared.ledger.store.journal(id, number)).ok()?;
        Recorded::read(&bytes).ok()?
    }

    /// What a program that is given up has called.
    fn left_behind(&self, id: &str, number: u32) -> Option<String> {
        let recorded = self.calls_of(id, number)?;
        let told = |call: &ptc_transcript::RecordedCall| match &call.end {
            Some(_) => format!("{}: ended", call.start.tool),
            None => format!("{}: outcome unknown", call.start.tool),
        };
        let calls: Vec<String> = recorded.calls().map(told).collect();
        (!calls.is_empty()).then(|| {
            format!("the program that was given up had called: {}", ptc_lisp::shortened(&calls.join("; "), 2_000))
        })
    }

    pub(crate) fn budget(&self) -> Budget<'_> {
        Budget { counter: &*self.shared.counter, tokens: self.shared.tokens }
    }
}

impl Live {
    fn new(
        own: &[Arc<dyn HostTool>],
        servers: &[Arc<Server>],
        spec: &AgentSpec,
        policy: &Arc<Policy>,
        ledger: &Arc<Ledger>,
    ) -> Result<Live, AgentError> {
        // Before the lists: one that changes meanwhile is read again.
        let changes = servers.iter().map(|server| server.changes()).collect();
        let mut offers: Vec<Offer> = own.iter().map(|tool| Offer::own(tool.spec())).collect();
        let mut tools = own.to_vec();
        for (said, tool) in servers.iter().flat_map(|server| server.offers()) {
            offers.push(Offer::of_server(&said, tool.spec()));
            tools.push(tool);
        }
        let governor = Arc::new(Governor::new(policy.clone(), offers, ledger.clone()));
        let governed = tools.into_iter().filter_map(|tool| Governed::new(tool, &governor));
        let agent = AgentBuilder::from(spec.clone()).tools(governed).build()?;
        Ok(Live { governor, agent, changes })
    }
}

/// A program under way, and what is done when it ends.
struct Work {
    gateway: Gateway,
    session: Arc<Session>,
    asker: Arc<Asker>,
    number: u32,
}

impl Work {
    fn ended(self, step: Result<Step, AgentError>) {
        let ended = match step {
            Ok(step) => self.committed(&step),
            // Nothing of it is lost: the session goes on with it, or gives it up.
            Err(error) => {
                lock(&self.session.inner).running = None;
                let text = format!("{error}; `discard`: true gives the program up");
                Ended { report: refused(&self.session.id, "cannot_go_on", &text).0, is_ok: false }
            }
        };
        self.asker.phase.send_replace(Phase::Ended(Arc::new(ended)));
    }

    fn committed(&self, step: &Step) -> Ended {
        let ledger = &self.gateway.shared.ledger;
        let was_stopped = step.fail().is_some_and(|fail| fail.reason == FailReason::Cancelled);
        let notes = self.session.ended(&ledger.store, step, was_stopped);
        let fields = json!({
            "id": format!("{}/{}", self.session.id, self.number),
            "status": if step.is_ok() { "ok" } else { "failed" },
            "reason": step.fail().map(|fail| fail.reason.as_str()),
            "calls": step.tool_calls.len(), "ms": step.usage.duration_ms,
        });
        ledger.audit.write("end", fields);
        let report = report::report(&self.session.id, step, &notes, self.gateway.budget());
        Ended { report, is_ok: step.is_ok() }
    }
}

/// The same whenever the program runs, and another one for each.
fn seed(id: &str, number: u32) -> u64 {
    u64::from_str_radix(id, 16).unwrap_or_default().wrapping_add(number.into())
}

fn refused(session: &str, reason: &str, message: &str) -> Refusal {
    Refusal(json!({"session": session, "status": "failed", "error": {"reason": reason, "message": message}}))
}

fn broken(error: &GatewayError) -> Refusal {
    Refusal(json!({"status": "failed", "error": {"reason": "gateway", "message": error.to_string()}}))
}

fn busy(session: &str) -> Refusal {
    let text = "another program of this session still runs: wait for it by calling run_program with `session` alone";
    refused(session, "busy", text)
}

/// The name that the data of a gateway cannot have.
pub(crate) const RESERVED: &str = LAST;
