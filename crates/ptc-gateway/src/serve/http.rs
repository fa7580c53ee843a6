//! The gateway over streamable HTTP, for any number of clients.

mod rate;
mod sessions;
mod tokens;

use std::cell::Cell;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::ask::TokenName;
use super::{McpServer, blocking, forward};
use crate::gateway::Gateway;
use crate::metrics::OPEN_METRICS;
use rate::Rate;
use sessions::{FULL, Sessions};

pub use tokens::{Tokens, TokensError, check_http_address};

/// Where clients are answered.
const PATH: &str = "/mcp";

/// Where those who watch the gateway see that it runs, and clients how its servers are.
const HEALTH: &str = "/health";

/// Where clients see what it has done.
const METRICS: &str = "/metrics";

/// Names of this machine.
const OWN_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// How long the header of a request, or its body, may take to arrive; also how long a connection may be without one.
const ARRIVES: Duration = Duration::from_secs(30);

/// Bytes of a request.
const MAX_REQUEST: usize = 4 << 20;

/// How often idle sessions are looked for.
const LOOK_FOR_IDLE: Duration = Duration::from_secs(60);

/// How long to wait after a failed accept before accepting connections again.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

type Answer = Response<BoxBody<Bytes, Infallible>>;

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
            level: Arc::new(Mutex::new(forward::USUAL_LEVEL)),
            ..self.clone()
        }
    }

    /// The same, where only clients with one of these tokens are served over HTTP.
    #[must_use]
    pub fn tokens(mut self, tokens: Tokens) -> McpServer {
        self.tokens = Some(Arc::new(tokens));
        self
    }

    /// Serve any number of clients at `http://ADDRESS/mcp`, until `stop` says so. `ready` receives the address.
    ///
    /// Without [tokens](McpServer::tokens) the address must be one of this machine, and only requests to names of this
    /// machine are answered, so that no web page reaches the gateway through a browser.
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
        check_http_address(address, self.tokens.is_some())?;
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        ready(address);
        let mut config = StreamableHttpServerConfig::default();
        config.max_request_body_bytes = MAX_REQUEST;
        config.cancellation_token = stop.child_token();
        if self.tokens.is_some() {
            // A page that reaches the gateway under another name has no token.
            config.allowed_hosts.clear();
        }
        let sessions = Arc::new(Sessions::new({
            let gateway = self.gateway.clone();
            move || gateway.max_sessions()
        }));
        let doors = Arc::new(Doors {
            gateway: self.gateway.clone(),
            tokens: self.tokens.clone(),
            origins: own_origins(address),
            rate: Rate::default(),
        });
        let connection = move || Ok(handler(self.of_connection()));
        let service = StreamableHttpService::new(connection, Arc::clone(&sessions), config);
        let mut idle = tokio::time::interval(LOOK_FOR_IDLE);
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
                _ = idle.tick() => {
                    sessions.close_idle().await;
                    continue;
                }
                () = stop.cancelled() => return Ok(()),
            };
            let (service, doors, stop) = (service.clone(), Arc::clone(&doors), stop.clone());
            tokio::spawn(async move {
                let service = service_fn(|request| {
                    let (service, doors) = (service.clone(), Arc::clone(&doors));
                    async move { Ok::<_, Infallible>(answer(&service, &doors, request).await) }
                });
                let mut builder = http1::Builder::new();
                let connection = builder.timer(TokioTimer::new()).header_read_timeout(ARRIVES);
                tokio::select! {
                    // A client that goes away does not disturb the others.
                    _ended = connection.serve_connection(TokioIo::new(stream), service) => {}
                    () = stop.cancelled() => {}
                }
            });
        }
    }
}

/// Who may enter.
struct Doors {
    gateway: Gateway,
    /// Clients; all without tokens.
    tokens: Option<Arc<Tokens>>,
    origins: Vec<String>,
    rate: Rate,
}

impl Doors {
    /// The name of a client by its token, where clients have tokens. Nothing else of the request is read for one that is not
    /// known, or is a page of another address.
    fn known(&self, request: &Request<Incoming>) -> Result<Option<TokenName>, Box<Answer>> {
        let name = match &self.tokens {
            Some(tokens) => {
                let name = tokens.client(request.headers()).ok_or_else(|| Box::new(unknown_client()))?;
                Some(TokenName(name.into()))
            }
            // A page under another name of this machine sends no origin with what it only reads.
            None if request.uri().path() != PATH && !self.is_own_host(request) => {
                let text = "the gateway answers only under names of this machine";
                return Err(Box::new(plain(StatusCode::FORBIDDEN, text)));
            }
            None => None,
        };
        let is_own = |origin: &HeaderValue| self.origins.iter().any(|own| origin == own);
        match request.headers().get_all(header::ORIGIN).iter().all(is_own) {
            true => Ok(name),
            false => Err(Box::new(plain(StatusCode::FORBIDDEN, "the gateway answers only pages of this address"))),
        }
    }

    fn is_own_host(&self, request: &Request<Incoming>) -> bool {
        let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|c| c.is_ascii_digit()));
        OWN_HOSTS.contains(&name.map_or(host, |(name, _)| name))
    }

    /// Whether a client may send one more request now, or what it is answered instead; without tokens all count as one.
    fn has_time(&self, client: Option<&TokenName>) -> Result<(), Box<Answer>> {
        let most = self.gateway.setup().client_requests;
        let name = client.map_or("", |TokenName(name)| name);
        self.rate.take(name, most, Instant::now()).map_err(|wait| {
            let text = "this client has sent too many requests within a minute (`client_requests` in the gateway file)";
            let mut answer = plain(StatusCode::TOO_MANY_REQUESTS, text);
            answer.headers_mut().insert(header::RETRY_AFTER, wait.as_secs().saturating_add(1).into());
            Box::new(answer)
        })
    }

    /// What those who watch the gateway read.
    async fn watched(&self, kind: &'static str, text: fn(&Gateway) -> String) -> Answer {
        let gateway = self.gateway.clone();
        let Ok(text) = blocking(move || text(&gateway)).await else {
            return plain(StatusCode::INTERNAL_SERVER_ERROR, "the gateway failed");
        };
        let mut answer = Response::new(Full::new(Bytes::from(text)).boxed());
        answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        answer
    }
}

/// Origins of pages of the gateway's own address, as browsers write them: no other page may reach it, not even one of
/// this machine.
fn own_origins(address: SocketAddr) -> Vec<String> {
    let port = if address.port() == 80 { String::new() } else { format!(":{}", address.port()) };
    let bound = match address.ip() {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    };
    OWN_HOSTS.into_iter().chain([&*bound]).map(|host| format!("http://{host}{port}")).collect()
}

async fn answer<H: ServerHandler>(
    service: &StreamableHttpService<H, Sessions>,
    doors: &Doors,
    mut request: Request<Incoming>,
) -> Answer {
    let path = request.uri().path().to_owned();
    if ![PATH, HEALTH, METRICS].contains(&&*path) {
        return plain(StatusCode::NOT_FOUND, "there is nothing here: the gateway is at /mcp");
    }
    let entered = doors.known(&request).and_then(|name| doors.has_time(name.as_ref()).map(|()| name));
    let refused = match entered {
        Ok(name) => {
            name.and_then(|name| request.extensions_mut().insert(name));
            None
        }
        Err(refused) => Some(refused),
    };
    match (&*path, refused) {
        (HEALTH, None) => return doors.watched("application/json", |gateway| gateway.health().to_string()).await,
        // Anyone may know that it runs.
        (HEALTH, Some(_)) => return plain(StatusCode::OK, "ok"),
        (_, Some(refused)) => return *refused,
        (METRICS, None) => return doors.watched(OPEN_METRICS, Gateway::metrics).await,
        _ => {}
    }
    let (head, body) = request.into_parts();
    let body = match tokio::time::timeout(ARRIVES, Limited::new(body, MAX_REQUEST).collect()).await {
        Ok(Ok(body)) => Full::new(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            return plain(StatusCode::PAYLOAD_TOO_LARGE, "a request has at most 4 MB");
        }
        Ok(Err(_)) => return plain(StatusCode::BAD_REQUEST, "the request did not arrive in full"),
        Err(_) => return plain(StatusCode::REQUEST_TIMEOUT, "the request did not arrive within 30 seconds"),
    };
    let ends_session = head.method == Method::DELETE;
    FULL.scope(Cell::new(false), async {
        let mut answer = service.handle(Request::from_parts(head, body)).await;
        if FULL.with(Cell::get) {
            *answer.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        }
        // It has ended when this is answered; one of the official clients warns of anything else.
        if ends_session && answer.status() == StatusCode::ACCEPTED {
            *answer.status_mut() = StatusCode::OK;
        }
        answer
    })
    .await
}

fn unknown_client() -> Answer {
    let text = "the gateway needs a token that it knows, as `Authorization: Bearer TOKEN`: ask who runs it for one";
    let mut answer = plain(StatusCode::UNAUTHORIZED, text);
    answer.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"ptc mcp\""));
    answer
}

/// An answer of this text.
fn plain(status: StatusCode, text: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(text)).boxed());
    *answer.status_mut() = status;
    answer
}

#[cfg(test)]
mod tests;
