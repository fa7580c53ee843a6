//! The current tools of a gateway.

use std::sync::Arc;

use ptc_agent::{Agent, AgentBuilder, AgentError, AgentSpec};
use ptc_lisp::Tool;
use ptc_mcp::{Server, ServerTool};

use super::Gateway;
use crate::ask::lock;
use crate::audit::AuditEvent;
use crate::govern::{Governed, Governor, Ledger};
use crate::offer::OfferedTool;
use crate::policy::Policy;

/// The tools as the servers last listed them.
pub(crate) struct Live {
    pub governor: Arc<Governor>,
    pub agent: Agent,
    /// The list versions of the servers: while they stay the same, so do the tools.
    pub changes: Vec<u64>,
}

impl Live {
    pub fn new(
        own: &[Arc<dyn Tool>],
        servers: &[Arc<Server>],
        spec: &AgentSpec,
        policy: &Arc<Policy>,
        ledger: &Arc<Ledger>,
    ) -> Result<Live, AgentError> {
        // Before the lists: one that changes meanwhile is read again.
        let changes = servers.iter().map(|server| server.changes()).collect();
        let mut offers: Vec<OfferedTool> =
            own.iter().map(|tool| OfferedTool::new(ServerTool::without_server(tool.spec()), tool.spec())).collect();
        let mut tools = own.to_vec();
        for (said, tool) in servers.iter().flat_map(|server| server.offers()) {
            offers.push(OfferedTool::new(said, tool.spec()));
            tools.push(tool);
        }
        let governor = Arc::new(Governor::new(policy.clone(), offers, ledger.clone()));
        let governed = tools.into_iter().filter_map(|tool| Governed::new(tool, &governor));
        let agent = AgentBuilder::from(spec.clone()).tools(governed).build()?;
        Ok(Live { governor, agent, changes })
    }
}

impl Gateway {
    /// The tools as the servers last listed them. Conflicting lists change nothing: the previous tools stay, and the
    /// audit log has the reason.
    pub(crate) fn live(&self) -> Arc<Live> {
        let shared = &self.shared;
        let mut live = lock(&shared.live);
        let changes: Vec<u64> = shared.servers.iter().map(|server| server.changes()).collect();
        if changes != live.changes {
            let fresh = Live::new(&shared.own, &shared.servers, &shared.agent, &shared.policy, &shared.ledger);
            *live = Arc::new(fresh.unwrap_or_else(|error| {
                // Nothing was called: only the line is lost.
                let _lost = shared.ledger.audit.write(AuditEvent::Tools { error: error.to_string() });
                Live { governor: live.governor.clone(), agent: live.agent.clone(), changes }
            }));
            self.note_servers();
        }
        live.clone()
    }
}
