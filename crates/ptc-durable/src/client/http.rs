//! Requests to the engine, and its answers.

use std::time::Duration;

use ptc_chat::shown_address;
use reqwest::{RequestBuilder, Response, Url};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::ClientError;
use crate::json::read;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit for answers that a worker has at once.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// A machine that disappears silently is noticed after four of these.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Bytes of an answer that are read: large parts of a mission are in the blob store, and a misbehaving engine could
/// send without end.
const MAX_ANSWER: usize = 64 << 20;
/// Characters of an answer that an error shows.
const MAX_SHOWN: usize = 300;

#[derive(Debug, Clone)]
pub(super) struct Http {
    client: reqwest::Client,
    address: Url,
}

/// An answer of the engine.
pub(super) struct Said {
    pub(super) status: u16,
    /// Whether an error comes from the mission, and not from the engine in front of it.
    pub(super) is_of_mission: bool,
    body: Vec<u8>,
}

impl Http {
    pub(super) fn new(address: &str) -> Result<Http, ClientError> {
        let problem = |problem: String| ClientError::Address { given: shown_address(address), problem };
        let url = Url::parse(address).map_err(|error| problem(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") || url.cannot_be_a_base() {
            return Err(problem("it does not begin with http:// or https://".to_owned()));
        }
        // The TLS backend is process-wide; a failure only means that the application has chosen one already.
        let _already_chosen = rustls::crypto::ring::default_provider().install_default();
        let mut client = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_keepalive(KEEP_ALIVE)
            .tcp_keepalive_interval(KEEP_ALIVE)
            .tcp_keepalive_retries(3)
            .tcp_nodelay(true);
        if is_local(&url) {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|error| problem(error.to_string()))?;
        Ok(Http { client, address: url })
    }

    /// The address of the engine, as errors show it.
    pub(super) fn place(&self) -> String {
        shown_address(self.address.as_str().trim_end_matches('/'))
    }

    pub(super) async fn get(&self, path: &[&str]) -> Result<Said, ClientError> {
        self.said(self.client.get(self.url(path)).timeout(ANSWER_TIMEOUT)).await
    }

    /// The answer may take days.
    pub(super) async fn get_slowly(&self, path: &[&str]) -> Result<Said, ClientError> {
        self.said(self.client.get(self.url(path))).await
    }

    pub(super) async fn post(&self, path: &[&str], body: &impl Serialize) -> Result<Said, ClientError> {
        self.said(self.client.post(self.url(path)).json(body).timeout(ANSWER_TIMEOUT)).await
    }

    /// The kind of answer; its body is not read.
    pub(super) async fn head_of(&self, path: &[&str]) -> Result<Said, ClientError> {
        let response = self.sent(self.client.get(self.url(path)).timeout(ANSWER_TIMEOUT)).await?;
        Ok(Said { body: Vec::new(), ..head(&response) })
    }

    /// The JSON of an answer.
    pub(super) fn parsed<T: DeserializeOwned>(&self, said: &Said) -> Result<T, ClientError> {
        read(&said.body).map_err(|error| ClientError::Unreadable {
            engine: self.place(),
            found: shown(&said.body),
            problem: error.to_string(),
        })
    }

    /// The error for an unexpected answer.
    pub(super) fn refused(&self, said: &Said) -> ClientError {
        let (engine, status, told) = (self.place(), said.status, said.message());
        if !said.is_of_mission && (status >= 500 || status == 429) {
            return ClientError::Failing { engine, status, told };
        }
        ClientError::Refused { engine, status, told }
    }

    fn url(&self, path: &[&str]) -> Url {
        let mut url = self.address.clone();
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.pop_if_empty().extend(path);
        }
        url
    }

    async fn said(&self, request: RequestBuilder) -> Result<Said, ClientError> {
        let mut response = self.sent(request).await?;
        let head = head(&response);
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.broken(&error))? {
            body.extend_from_slice(&chunk);
            if body.len() > MAX_ANSWER {
                return Err(ClientError::Unreadable {
                    engine: self.place(),
                    found: shown(&body),
                    problem: format!("it has more than {} MB", MAX_ANSWER >> 20),
                });
            }
        }
        Ok(Said { body, ..head })
    }

    async fn sent(&self, request: RequestBuilder) -> Result<Response, ClientError> {
        request.send().await.map_err(|error| self.broken(&error))
    }

    fn broken(&self, error: &reqwest::Error) -> ClientError {
        let (engine, why) = (self.place(), root_cause(error));
        if error.is_connect() {
            return ClientError::Unreachable { engine, why };
        }
        if error.is_timeout() {
            return ClientError::Silent { engine, seconds: ANSWER_TIMEOUT.as_secs() };
        }
        ClientError::Broken { engine, why }
    }
}

impl Said {
    /// The message of an error, else the text as it is.
    pub(super) fn message(&self) -> String {
        #[derive(Deserialize)]
        struct Error {
            message: String,
        }
        read::<Error>(&self.body).map_or_else(|_| shown(&self.body), |error| error.message)
    }
}

fn head(response: &Response) -> Said {
    let source = response.headers().get("x-restate-error-source").map(reqwest::header::HeaderValue::as_bytes);
    Said {
        status: response.status().as_u16(),
        is_of_mission: source == Some(b"invocation".as_slice()),
        body: Vec::new(),
    }
}

fn shown(body: &[u8]) -> String {
    // A character has at most four bytes.
    let start = body.get(..MAX_SHOWN * 4).unwrap_or(body);
    String::from_utf8_lossy(start).chars().take(MAX_SHOWN).collect()
}

fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

/// Whether requests stay on this machine, so that no proxy may see them.
fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
