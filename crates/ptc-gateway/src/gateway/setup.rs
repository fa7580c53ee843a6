//! What a gateway file says, ready to be used.

use std::sync::Arc;

use ptc_agent::{AgentSpec, RunSpec};
use ptc_lisp::{Map, Tool};
use ptc_mcp::{Access, Server, ServerSpec};

use super::GatewayError;
use crate::config::GatewayFile;
use crate::pins::Pins;
use crate::policy::Policy;
use crate::store::{KeptSessions, Store};

/// What a gateway file says. Another one replaces it when the file has changed.
pub(crate) struct Setup {
    pub policy: Policy,
    pub pins: Pins,
    /// Tools defined in the file.
    pub own: Vec<Arc<dyn Tool>>,
    pub agent: AgentSpec,
    pub run: RunSpec,
    pub data: Map,
    /// Maximum tokens of an answer.
    pub tokens: usize,
    /// Maximum number of calls of one program.
    pub max_calls: u64,
    /// Maximum number of programs of one client that run or wait.
    pub client_programs: usize,
    /// Maximum number of requests of one client over HTTP within a minute.
    pub client_requests: u32,
    /// Maximum number of MCP sessions that clients may have over HTTP.
    pub max_sessions: usize,
    /// What is kept of sessions that no program uses.
    pub keep: KeptSessions,
    /// They live as long as a setup or a program has them.
    pub servers: Vec<Arc<Server>>,
}

impl Setup {
    /// What this file says, over these servers.
    pub fn new(file: &GatewayFile, servers: Vec<Arc<Server>>, store: &Store) -> Result<Setup, GatewayError> {
        let limits = file.mission.limits();
        let own = file
            .mission
            .tools
            .iter()
            .map(|tool| tool.tool(&limits).ok_or_else(|| GatewayError::NeedsModel(tool.spec.name.clone())));
        let own = own.collect::<Result<Vec<Arc<dyn Tool>>, _>>()?;
        let mut agent = file.mission.agent.clone();
        agent.mission = "Run programs.".to_owned();
        (agent.max_turns, agent.retry_turns) = (1, 0);
        Ok(Setup {
            policy: file.policy.clone(),
            pins: Pins::open(store.pins(), file.pin.clone()).map_err(GatewayError::Store)?,
            own,
            agent,
            run: file.mission.run.clone(),
            data: file.mission.data_map(),
            tokens: file.result_tokens,
            max_calls: file.max_calls,
            client_programs: file.client_programs,
            client_requests: file.client_requests,
            max_sessions: file.max_sessions,
            keep: file.keep,
            servers,
        })
    }
}

/// The servers of these specs: those that are known already, and others, which start in the background.
pub(super) async fn started(specs: &[ServerSpec], known: &[Arc<Server>]) -> Result<Vec<Arc<Server>>, GatewayError> {
    let is_itself = |spec: &&ServerSpec| matches!(&spec.access, Access::Command(line) if line.led_here());
    if let Some(itself) = specs.iter().find(is_itself) {
        return Err(GatewayError::Itself(itself.name.clone()));
    }
    let specs: Vec<ServerSpec> = specs.iter().cloned().map(ServerSpec::forwards).collect();
    let same = |spec: &ServerSpec| known.iter().find(|server| server.spec() == spec).cloned();
    let start = |spec: &ServerSpec| same(spec).unwrap_or_else(|| Arc::new(Server::start(spec.clone())));
    let servers: Vec<Arc<Server>> = specs.iter().map(start).collect();
    for server in servers.iter().filter(|server| server.spec().required) {
        server.wanted().await;
        if let Some(problem) = server.status().problem {
            return Err(GatewayError::Required(problem));
        }
    }
    Ok(servers)
}
