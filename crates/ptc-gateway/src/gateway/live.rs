//! The current tools of a gateway.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use ptc_agent::{Agent, AgentBuilder, AgentError};
use ptc_lisp::Tool;
use ptc_mcp::ServerTool;

use super::{Client, Gateway, GatewayError, Refusal, Setup, broken};
use crate::ask::lock;
use crate::audit::AuditEvent;
use crate::govern::{Governed, Governor, Ledger};
use crate::offer::OfferedTool;
use crate::policy::{Holding, Policy};

/// The tools as the servers last listed them, under the rules of all clients or of some.
pub(crate) struct Live {
    pub setup: Arc<Setup>,
    pub governor: Arc<Governor>,
    pub agent: Agent,
    pub listed: Arc<Listed>,
    /// Where rules name clients: what clients have, by the rules that hold for them.
    of_clients: Mutex<HashMap<Holding, Arc<Live>>>,
}

/// What the servers last listed.
#[derive(Clone)]
pub(crate) struct Listed {
    offers: Vec<OfferedTool>,
    tools: Vec<Arc<dyn Tool>>,
    /// Tools that are left out, since another one has their name, each a sentence for people.
    pub conflicts: Vec<String>,
    /// The list versions of the servers: while they stay the same, so do the tools.
    pub changes: Vec<u64>,
    /// When the tools of pinned servers were reviewed last.
    reviewed_at: Option<SystemTime>,
}

impl Listed {
    fn of(setup: &Setup) -> Listed {
        // Before the lists: one that changes meanwhile is read again.
        let changes = setup.changes();
        let own = setup.own.iter().map(|tool| (ServerTool::without_server(tool.spec()), tool.clone()));
        let all = own.chain(setup.servers.iter().flat_map(|server| server.offers()));
        let (mut offers, mut tools, mut conflicts) = (Vec::new(), Vec::<Arc<dyn Tool>>::new(), Vec::new());
        let mut names = HashSet::new();
        for (said, tool) in all {
            if names.insert(tool.spec().name.clone()) {
                offers.push(OfferedTool::new(said, tool.spec()));
                tools.push(tool);
            } else {
                let (server, name) = (&said.server, &said.name);
                let why = format!("the name tool/{name} is taken: rename the server, or deny one of the tools");
                conflicts.push(format!("MCP server `{server}`: its tool `{}` is left out: {why}", said.tool));
            }
        }
        setup.pins.mark(&mut offers);
        Listed { offers, tools, conflicts, changes, reviewed_at: setup.pins.reviewed_at() }
    }
}

impl Live {
    pub fn new(setup: Arc<Setup>, ledger: &Arc<Ledger>) -> Result<Live, AgentError> {
        let (policy, listed) = (setup.policy.clone(), Arc::new(Listed::of(&setup)));
        Live::under(policy, setup, listed, ledger)
    }

    fn under(policy: Policy, setup: Arc<Setup>, listed: Arc<Listed>, ledger: &Arc<Ledger>) -> Result<Live, AgentError> {
        let offers = listed.offers.iter().cloned();
        let governor = Arc::new(Governor::new(setup.clone(), policy, offers, ledger.clone()));
        let governed = listed.tools.iter().filter_map(|tool| Governed::new(tool.clone(), &governor));
        let agent = AgentBuilder::from(setup.agent.clone()).tools(governed).build()?;
        Ok(Live { setup, governor, agent, listed, of_clients: Mutex::default() })
    }

    /// What a client has: the tools that the rules for it do not deny, under these rules.
    fn of(self: Arc<Self>, client: &Client) -> Result<Arc<Live>, AgentError> {
        let policy = &self.setup.policy;
        let Some(holding) = policy.holding(client.name.as_deref()) else { return Ok(self) };
        let mut of_clients = lock(&self.of_clients);
        if let Some(known) = of_clients.get(&holding) {
            return Ok(known.clone());
        }
        let (setup, listed, ledger) = (self.setup.clone(), self.listed.clone(), &self.governor.ledger);
        let live = Arc::new(Live::under(policy.of(&holding), setup, listed, ledger)?);
        of_clients.insert(holding, live.clone());
        Ok(live)
    }
}

impl Setup {
    /// The list versions of the servers.
    pub fn changes(&self) -> Vec<u64> {
        self.servers.iter().map(|server| server.changes()).collect()
    }
}

/// How often changes of the tools are looked for.
const LOOK_FOR_CHANGES: Duration = Duration::from_millis(200);

impl Gateway {
    /// The list versions of the servers once they differ from these.
    pub(crate) async fn other_changes(&self, known: &[u64]) -> Vec<u64> {
        loop {
            let live = self.live();
            if live.listed.changes != known {
                return live.listed.changes.clone();
            }
            tokio::time::sleep(LOOK_FOR_CHANGES).await;
        }
    }

    /// What a client has of the tools as the servers last listed them.
    pub(crate) fn live_of(&self, client: &Client) -> Result<Arc<Live>, AgentError> {
        self.live().of(client)
    }

    /// The same, or what the client should read.
    pub(crate) fn live_for(&self, client: &Client) -> Result<Arc<Live>, Refusal> {
        self.live_of(client).map_err(|error| broken(&GatewayError::Agent(error)))
    }

    /// The tools as the servers last listed them. Tools that no agent can have change nothing: the previous ones stay,
    /// and the audit log has the reason.
    pub(crate) fn live(&self) -> Arc<Live> {
        let shared = &self.shared;
        let mut live = lock(&shared.live);
        let (changes, reviewed_at) = (live.setup.changes(), live.setup.pins.reviewed_at());
        if changes != live.listed.changes || reviewed_at != live.listed.reviewed_at {
            let fresh = Live::new(live.setup.clone(), &shared.ledger).unwrap_or_else(|error| {
                // Nothing was called: only the line is lost.
                let _lost = shared.ledger.audit.write(AuditEvent::Tools { error: error.to_string() });
                let listed = Arc::new(Listed { changes, reviewed_at, ..(*live.listed).clone() });
                let (setup, governor, agent) = (live.setup.clone(), live.governor.clone(), live.agent.clone());
                Live { setup, governor, agent, listed, of_clients: Mutex::default() }
            });
            *live = Arc::new(fresh);
            let now = live.clone();
            drop(live);
            self.note_servers();
            return now;
        }
        live.clone()
    }
}
