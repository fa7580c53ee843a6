//! The gateway over streamable HTTP, for any number of clients.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::McpServer;

/// Origins that may reach the gateway: those of this machine, as the hosts that it answers to.
const OWN_ORIGINS: [&str; 6] = [
    "http://localhost:*",
    "http://127.0.0.1:*",
    "http://[::1]:*",
    "https://localhost:*",
    "https://127.0.0.1:*",
    "https://[::1]:*",
];

/// How long a connection over HTTP may be silent.
const KEEP_ALIVE: Duration = Duration::from_secs(24 * 60 * 60);

/// How long to wait after a failed accept before accepting connections again.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

impl McpServer {
    /// The same for another HTTP connection.
    fn of_connection(&self) -> McpServer {
        let cancelled = watch::channel(Vec::new()).0;
        McpServer {
            is_http: true,
            cancelled,
            given: Arc::default(),
            listed: Arc::default(),
            heard: Arc::default(),
            ..self.clone()
        }
    }

    /// Serve any number of clients at `http://ADDRESS/mcp`, until `stop` says so. `ready` receives the address.
    ///
    /// Only requests to names of this machine are answered, so that no web page reaches it through a browser. Anyone
    /// who can connect can run programs: keep the address on this machine, or put an authenticating proxy before it.
    pub async fn http(
        self,
        address: SocketAddr,
        stop: CancellationToken,
        ready: impl FnOnce(SocketAddr),
    ) -> io::Result<()> {
        self.http_through(address, stop, ready, |server| server).await
    }

    /// The same, through a handler for each connection that receives its server.
    ///
    /// Hidden, as the trait belongs to rmcp: the example `conformance_server` uses it to add the tools of the
    /// conformance suite.
    #[doc(hidden)]
    pub async fn http_through<H: ServerHandler>(
        self,
        address: SocketAddr,
        stop: CancellationToken,
        ready: impl FnOnce(SocketAddr),
        handler: impl Fn(McpServer) -> H + Send + Sync + 'static,
    ) -> io::Result<()> {
        let listener = TcpListener::bind(address).await?;
        ready(listener.local_addr()?);
        let mut config = StreamableHttpServerConfig::default();
        config.allowed_origins = OWN_ORIGINS.map(str::to_owned).to_vec();
        config.cancellation_token = stop.child_token();
        let connection = move || Ok(handler(self.of_connection()));
        // People take their time: a session that only waits for them has not ended.
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(KEEP_ALIVE);
        let service = StreamableHttpService::new(connection, Arc::new(sessions), config);
        loop {
            let stream = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    // The error of one client; a lack of file descriptors passes.
                    Err(_) => {
                        tokio::time::sleep(ACCEPT_AGAIN).await;
                        continue;
                    }
                },
                () = stop.cancelled() => return Ok(()),
            };
            let service = TowerToHyperService::new(service.clone());
            let stop = stop.clone();
            tokio::spawn(async move {
                let builder = Builder::new(TokioExecutor::new());
                let connection = builder.serve_connection(TokioIo::new(stream), service);
                tokio::select! {
                    // A client that goes away does not disturb the others.
                    _ended = connection => {}
                    () = stop.cancelled() => {}
                }
            });
        }
    }
}
