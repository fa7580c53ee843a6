//! From the name of a model to a working client.

use std::sync::Arc;
use std::time::Duration;

use genai::Client;
use genai::resolver::{AuthData, Endpoint};
use ptc_chat::{Destination, Llm, check_redirect, shown_address};
use reqwest::redirect::{Action, Attempt, Policy};

use crate::provider::Provider;
use crate::spec::{LlmSpecError, Place, Target};

/// Connection options that a model's name does not have.
#[derive(Clone, Default)]
pub struct ConnectOptions {
    /// The key to send, instead of the one in the provider's environment variable.
    pub api_key: Option<String>,
    /// The address to send to, such as that of a gateway, instead of the provider's own or the one in the name. It ends
    /// where the provider's paths begin: in `/v1` for most, in `/v1beta` for Gemini.
    pub base_url: Option<String>,
    /// How long to wait for a connection; 10 seconds by default.
    pub connect_timeout: Option<Duration>,
    /// How long the provider may be silent before the call is a `timeout`; 10 minutes by default, because a model
    /// without streaming is silent until it is done.
    pub silence_timeout: Option<Duration>,
}

impl std::fmt::Debug for ConnectOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConnectOptions")
            .field("api_key", &self.api_key.as_ref().map(|_| "[hidden]"))
            .field("base_url", &self.base_url.as_deref().map(shown_address))
            .field("connect_timeout", &self.connect_timeout)
            .field("silence_timeout", &self.silence_timeout)
            .finish()
    }
}

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const SILENCE_TIMEOUT: Duration = Duration::from_secs(600);

/// Names a model: `URL#MODEL` for an OpenAI-compatible server, `provider:MODEL` for a known provider.
///
/// - keys: each provider's usual environment variable (`OPENAI_API_KEY`, `ANTHROPIC_API_KEY` …); for a URL
///   `PTC_LLM_KEY`, or none
/// - `ollama:MODEL` asks the server at `OLLAMA_HOST`, else `http://localhost:11434`
/// - errors: the name is not understood, or a key is missing; nothing is sent yet, so a wrong model name shows only in
///   the first call
pub fn connect(spec: &str) -> Result<Arc<dyn Llm>, LlmSpecError> {
    connect_with(spec, &ConnectOptions::default())
}

/// The same as [`connect`], with a key, an address or your own time limits.
pub fn connect_with(spec: &str, options: &ConnectOptions) -> Result<Arc<dyn Llm>, LlmSpecError> {
    let environment =
        |name: &str| std::env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    let target = Target::parse(spec, options.api_key.as_deref(), &environment)?;
    let target = match &options.base_url {
        Some(base) => target.at(base)?,
        None => target,
    };
    if let Some(variable) = target.unsendable_key() {
        return Err(LlmSpecError::UnusableKey { variable });
    }
    let client = client(&target, options)?;
    Ok(Arc::new(Provider::new(spec, target, client)))
}

/// Follow a redirect on the same host that keeps the request: neither question nor key goes anywhere else.
fn redirected(attempt: Attempt<'_>) -> Action {
    let to = destination(attempt.url());
    let may_follow = attempt.previous().last().is_some_and(|from| {
        check_redirect(attempt.status().as_u16(), attempt.previous().len() - 1, destination(from), to).is_ok()
    });
    // The answer with the redirect becomes an error that names the address.
    if may_follow { attempt.follow() } else { attempt.stop() }
}

fn destination(url: &reqwest::Url) -> Destination<'_> {
    Destination { scheme: url.scheme(), host: url.host_str().unwrap_or_default(), port: url.port_or_known_default() }
}

fn client(target: &Target, options: &ConnectOptions) -> Result<Client, LlmSpecError> {
    // The TLS backend is process-wide; a failure only means that the application has chosen one already.
    let _already_chosen = rustls::crypto::ring::default_provider().install_default();
    let mut http = reqwest::Client::builder()
        .connect_timeout(options.connect_timeout.unwrap_or(CONNECT_TIMEOUT))
        .read_timeout(options.silence_timeout.unwrap_or(SILENCE_TIMEOUT))
        .redirect(Policy::custom(redirected))
        .referer(false)
        .tcp_nodelay(true);
    if target.is_local() {
        http = http.no_proxy();
    }
    let http = http.build().map_err(|error| LlmSpecError::Client { problem: error.to_string() })?;
    let mut client = Client::builder().with_reqwest(http);
    if let Place::Provider { key, base } = &target.place {
        if let Some(key) = key {
            client = client.append_provider_config(target.adapter, AuthData::from_single(key));
        }
        if let Some(url) = base {
            client = client.append_provider_config(target.adapter, Endpoint::from_owned(url.as_str()));
        }
    }
    client.build().map_err(|error| LlmSpecError::Client { problem: error.to_string() })
}
