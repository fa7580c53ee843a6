//! The MCP servers of a mission, connected as long as a command needs them.

use std::sync::Arc;

use ptc_runner::config::MissionFile;
use ptc_runner::mcp::Server;
use tokio::runtime::{Builder, Runtime};

use crate::failure::Failure;

/// Connected servers; they end with it. It must not be dropped where a runtime is at work.
pub(crate) struct Servers {
    runtime: Runtime,
    connected: Vec<Arc<Server>>,
}

impl Servers {
    /// Connect the servers of the mission, if it has any.
    pub(crate) fn connect(mission: &mut MissionFile) -> Result<Option<Servers>, Failure> {
        if mission.servers.is_empty() {
            return Ok(None);
        }
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| format!("cannot start the runtime of MCP servers: {error}"))?;
        runtime.block_on(mission.connect())?;
        Ok(Some(Servers { runtime, connected: mission.connected().to_vec() }))
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        for server in &self.connected {
            self.runtime.block_on(server.close());
        }
    }
}
