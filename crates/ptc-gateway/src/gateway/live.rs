//! The current tools of a gateway.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ptc_agent::{Agent, AgentBuilder, AgentError};
use ptc_lisp::Tool;
use ptc_mcp::ServerTool;

use super::{Gateway, Setup};
use crate::ask::lock;
use crate::audit::AuditEvent;
use crate::govern::{Governed, Governor, Ledger};
use crate::offer::OfferedTool;

/// The tools as the servers last listed them.
pub(crate) struct Live {
    pub setup: Arc<Setup>,
    pub governor: Arc<Governor>,
    pub agent: Agent,
    /// Tools that are left out, since another one has their name, each a sentence for people.
    pub conflicts: Vec<String>,
    /// The list versions of the servers: while they stay the same, so do the tools.
    pub changes: Vec<u64>,
    /// When the tools of pinned servers were reviewed last.
    reviewed_at: Option<SystemTime>,
}

impl Live {
    pub fn new(setup: Arc<Setup>, ledger: &Arc<Ledger>) -> Result<Live, AgentError> {
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
        let reviewed_at = setup.pins.reviewed_at();
        let governor = Arc::new(Governor::new(setup.clone(), offers, ledger.clone()));
        let governed = tools.into_iter().filter_map(|tool| Governed::new(tool, &governor));
        let agent = AgentBuilder::from(setup.agent.clone()).tools(governed).build()?;
        Ok(Live { setup, governor, agent, conflicts, changes, reviewed_at })
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
            if live.changes != known {
                return live.changes.clone();
            }
            tokio::time::sleep(LOOK_FOR_CHANGES).await;
        }
    }

    /// The tools as the servers last listed them. Tools that no agent can have change nothing: the previous ones stay,
    /// and the audit log has the reason.
    pub(crate) fn live(&self) -> Arc<Live> {
        let shared = &self.shared;
        let mut live = lock(&shared.live);
        let (changes, reviewed_at) = (live.setup.changes(), live.setup.pins.reviewed_at());
        if changes != live.changes || reviewed_at != live.reviewed_at {
            let fresh = Live::new(live.setup.clone(), &shared.ledger).unwrap_or_else(|error| {
                // Nothing was called: only the line is lost.
                let _lost = shared.ledger.audit.write(AuditEvent::Tools { error: error.to_string() });
                let Live { setup, governor, agent, conflicts, .. } = &**live;
                let (setup, governor, agent) = (setup.clone(), governor.clone(), agent.clone());
                Live { setup, governor, agent, conflicts: conflicts.clone(), changes, reviewed_at }
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
