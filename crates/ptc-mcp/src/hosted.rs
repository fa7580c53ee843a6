//! Servers for programs without their own runtime to keep them in.

use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};

use crate::error::McpError;
use crate::server::Server;
use crate::spec::ServerSpec;

/// Connected servers on their own thread. They end with it.
///
/// Panics when it is created or dropped inside an async runtime: use [`Server::connect`] there.
pub struct HostedServers {
    /// Started with the first server.
    runtime: Option<Runtime>,
    servers: Vec<Arc<Server>>,
}

impl HostedServers {
    /// Start or reach the servers, all at once; see [`Server::connect_all`].
    pub fn connect(specs: &[ServerSpec]) -> Result<HostedServers, McpError> {
        if specs.is_empty() {
            return Ok(HostedServers { runtime: None, servers: Vec::new() });
        }
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(McpError::Runtime)?;
        let servers = runtime.block_on(Server::connect_all(specs.iter().cloned()))?;
        Ok(HostedServers { servers, runtime: Some(runtime) })
    }

    /// The servers, in the order of their specs.
    #[must_use]
    pub fn servers(&self) -> &[Arc<Server>] {
        &self.servers
    }
}

impl Drop for HostedServers {
    fn drop(&mut self) {
        for (server, runtime) in self.servers.iter().zip(self.runtime.iter().cycle()) {
            runtime.block_on(server.close());
        }
    }
}
