//! Parsing the name of a model.

#[cfg(test)]
mod tests;

use genai::adapter::AdapterKind;
use ptc_chat::{AddressSecrets, shown_address};
use reqwest::Url;

use crate::adapter::{self, Adapter, SERVER};

const URL_KEY: &str = "PTC_LLM_KEY";
/// Where chats are posted, from the base of the address on.
pub(crate) const CHAT_PATH: &str = "/chat/completions";
const OLLAMA: &str = "http://localhost:11434";
const EXAMPLES: &str =
    "write `URL#MODEL` such as `http://127.0.0.1:8080/v1#qwen3`, or `provider:MODEL` such as `ollama:qwen3`";

/// The name of a model that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LlmSpecError {
    /// There is no provider, no URL or no model in it.
    #[error("`{spec}` does not name a model: {problem}; {EXAMPLES}")]
    Incomplete {
        /// The input, as addresses are shown.
        spec: String,
        /// What is missing.
        problem: &'static str,
    },
    /// The part before the colon is not a provider.
    #[error("`{name}` is not a known provider; known are {}; for any other server {EXAMPLES}", .known.join(", "))]
    UnknownProvider {
        /// The text before the colon.
        name: String,
        /// Every provider that can be named.
        known: Vec<&'static str>,
    },
    /// The URL cannot be used.
    #[error("`{url}` is not a usable URL: {problem}; {EXAMPLES}")]
    BadUrl {
        /// The text before the `#`, as addresses are shown.
        url: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The address of Ollama in the environment cannot be used.
    #[error(
        "OLLAMA_HOST is `{host}`, which is not the address of a server: {problem}; write it like http://127.0.0.1:11434"
    )]
    BadHost {
        /// The value of the variable, as addresses are shown.
        host: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The provider needs a key and none is set.
    #[error("`{provider}` needs an API key: set the environment variable {variable}")]
    MissingKey {
        /// The provider, as it was named.
        provider: String,
        /// The variable that should hold the key.
        variable: &'static str,
    },
    /// A key that no request can carry.
    #[error("the API key holds a line break or another character that no request can carry; set {variable} without it")]
    UnusableKey {
        /// The variable that should hold the key.
        variable: &'static str,
    },
    /// The HTTP client could not be created.
    #[error("cannot set up the HTTP client: {problem}")]
    Client {
        /// The error of the client.
        problem: String,
    },
}

/// Which model to ask, how and where.
#[derive(Debug, PartialEq)]
pub(crate) struct Target {
    pub(crate) adapter: AdapterKind,
    pub(crate) model: String,
    pub(crate) place: Place,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Place {
    /// The adapter knows the address, unless `base` is set.
    Provider { key: Option<String>, base: Option<Url> },
    /// An OpenAI-compatible server: the address that chats are posted to, and whether it may decode by a grammar.
    Server { url: Url, key: Option<String>, takes_grammar: bool },
}

type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Target {
    /// Reads `spec`; `environment` returns the value of a variable that is set and not empty.
    pub(crate) fn parse(spec: &str, key: Option<&str>, environment: Environment) -> Result<Target, LlmSpecError> {
        let spec = spec.trim();
        let incomplete = |problem| LlmSpecError::Incomplete { spec: shown_address(spec), problem };
        let key = key.map(str::to_owned);
        if spec.starts_with("http://") || spec.starts_with("https://") {
            let (url, model) = spec.split_once('#').ok_or_else(|| incomplete("no `#MODEL` follows the URL"))?;
            let model = named(model).ok_or_else(|| incomplete("no model follows the `#`"))?;
            return server(url, model, key.or_else(|| environment(URL_KEY)));
        }
        let (provider, model) = spec.split_once(':').ok_or_else(|| incomplete("it names no provider"))?;
        let model = named(model).ok_or_else(|| incomplete("no model follows the colon"))?;
        match provider.trim().to_ascii_lowercase().replace('-', "_").as_str() {
            "ollama" => {
                let host = environment("OLLAMA_HOST");
                server(&ollama(host.clone()), model, key).map(Target::without_grammar).map_err(|error| {
                    match (error, host) {
                        (LlmSpecError::BadUrl { problem, .. }, Some(host)) => {
                            LlmSpecError::BadHost { host: shown_address(&host), problem }
                        }
                        (error, _) => error,
                    }
                })
            }
            name => hosted(provider.trim(), name, model, key, environment),
        }
    }

    /// The same model at another address.
    pub(crate) fn at(self, base: &str) -> Result<Target, LlmSpecError> {
        match self.place {
            Place::Server { key, takes_grammar, .. } => {
                let target = server(base, self.model, key)?;
                Ok(if takes_grammar { target } else { target.without_grammar() })
            }
            Place::Provider { key, .. } => {
                let mut url = address(base)?;
                // Without the last slash adapters would replace the last part of the path.
                url.set_path(&format!("{}/", url.path().trim_end_matches('/')));
                Ok(Target { place: Place::Provider { key, base: Some(url) }, ..self })
            }
        }
    }

    /// The same for a server that leaves grammars unread.
    fn without_grammar(self) -> Target {
        let place = match self.place {
            Place::Server { url, key, .. } => Place::Server { url, key, takes_grammar: false },
            place => place,
        };
        Target { place, ..self }
    }

    /// Secrets that no text about this model may quote.
    pub(crate) fn secrets(&self) -> AddressSecrets {
        let (address, key) = match &self.place {
            Place::Provider { base, key } => (base.as_ref(), key),
            Place::Server { url, key, .. } => (Some(url), key),
        };
        AddressSecrets::of(address.map_or("", Url::as_str)).and(key.as_deref().unwrap_or_default())
    }

    /// The variable of a key that no header can hold.
    pub(crate) fn unsendable_key(&self) -> Option<&'static str> {
        let (key, variable) = match &self.place {
            Place::Provider { key, .. } => (key, self.adapter.default_key_env_name().unwrap_or(URL_KEY)),
            Place::Server { key, .. } => (key, URL_KEY),
        };
        let is_sendable = |key: &String| key.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        key.as_ref().is_some_and(|key| !is_sendable(key)).then_some(variable)
    }

    /// Whether requests stay on this machine, so that no proxy may see them.
    pub(crate) fn is_local(&self) -> bool {
        match &self.place {
            Place::Provider { base, .. } => base.as_ref().is_some_and(is_local),
            Place::Server { url, .. } => is_local(url),
        }
    }

    /// What is done for this provider or server.
    pub(crate) fn row(&self) -> &'static Adapter {
        match self.place {
            Place::Server { takes_grammar: true, .. } => &SERVER,
            Place::Server { .. } => &adapter::OLLAMA,
            Place::Provider { .. } => Adapter::of(self.adapter),
        }
    }
}

fn named(model: &str) -> Option<String> {
    Some(model.trim()).filter(|model| !model.is_empty()).map(str::to_owned)
}

fn server(base: &str, model: String, key: Option<String>) -> Result<Target, LlmSpecError> {
    let mut url = address(base)?;
    let path = url.path().trim_end_matches('/').to_owned();
    // The whole address may be written, as other clients show it.
    if !path.ends_with(CHAT_PATH) {
        url.set_path(&format!("{path}{CHAT_PATH}"));
    }
    Ok(Target { adapter: AdapterKind::OpenAI, model, place: Place::Server { url, key, takes_grammar: true } })
}

fn address(base: &str) -> Result<Url, LlmSpecError> {
    let bad = |problem: String| LlmSpecError::BadUrl { url: shown_address(base), problem };
    let url = Url::parse(base.trim()).map_err(|error| bad(error.to_string()))?;
    match url.host_str() {
        Some(_) => Ok(url),
        None => Err(bad("it has no host".to_owned())),
    }
}

fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// `OLLAMA_HOST` may be an address to listen on, without scheme or port.
fn ollama(host: Option<String>) -> String {
    let Some(host) = host else {
        return format!("{OLLAMA}/v1");
    };
    let with_scheme = if host.contains("://") { host } else { format!("http://{host}") };
    let Ok(mut url) = Url::parse(&with_scheme) else {
        return with_scheme;
    };
    if url.host_str() == Some("0.0.0.0") && url.set_host(Some("127.0.0.1")).is_err() {
        return with_scheme;
    }
    let explicit_port =
        with_scheme.rsplit(':').next().is_some_and(|port| port.trim_end_matches('/').parse::<u16>().is_ok());
    if !explicit_port && url.scheme() == "http" && url.set_port(Some(11434)).is_err() {
        return with_scheme;
    }
    format!("{}/v1", url.as_str().trim_end_matches('/'))
}

fn hosted(
    written: &str,
    name: &str,
    model: String,
    key: Option<String>,
    environment: Environment,
) -> Result<Target, LlmSpecError> {
    let Some(adapter) = Adapter::named(name) else {
        return Err(LlmSpecError::UnknownProvider { name: written.to_owned(), known: known() });
    };
    let Some(variable) = adapter.default_key_env_name() else {
        return Ok(Target { adapter, model, place: Place::Provider { key, base: None } });
    };
    let key = key.or_else(|| environment(variable)).or_else(|| environment(Adapter::of(adapter).key?));
    match key {
        Some(key) => Ok(Target { adapter, model, place: Place::Provider { key: Some(key), base: None } }),
        None => Err(LlmSpecError::MissingKey { provider: written.to_owned(), variable }),
    }
}

/// Every provider by the name that a user writes.
fn known() -> Vec<&'static str> {
    let mut names: Vec<&str> = AdapterKind::all().iter().map(|kind| Adapter::name(*kind)).collect();
    names.sort_unstable();
    names
}
