//! Why a call of a model failed.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A failed call: its kind, its HTTP status, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{kind}{}{}", Status(*.status), Detail(.message))]
pub struct LlmError {
    /// What went wrong; decides whether a retry makes sense.
    pub kind: LlmErrorKind,
    /// HTTP status, when a server answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// What the provider or the client says.
    pub message: String,
    /// How long the provider asks to wait before the next attempt.
    #[serde(default, rename = "retry_after_ms", skip_serializing_if = "Option::is_none", with = "milliseconds")]
    pub retry_after: Option<Duration>,
}

impl LlmError {
    /// An error without an HTTP status.
    pub fn new(kind: LlmErrorKind, message: impl Into<String>) -> Self {
        LlmError { kind, status: None, message: message.into(), retry_after: None }
    }

    /// An error that a server answered with: 429 is `rate_limit`, 500 and above `server_error`, other 400 and above
    /// `client_error`, anything else `unknown`.
    pub fn from_status(status: u16, message: impl Into<String>) -> Self {
        let kind = match status {
            429 => LlmErrorKind::RateLimit,
            500.. => LlmErrorKind::ServerError,
            400.. => LlmErrorKind::ClientError,
            _ => LlmErrorKind::Unknown,
        };
        LlmError { status: Some(status), ..LlmError::new(kind, message) }
    }

    /// The same error with the wait that the provider asks for.
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> LlmErrorKind {
        self.kind
    }

    /// Whether a retry makes sense by default: `rate_limit`, `timeout`, `server_error`.
    pub fn is_retryable_by_default(&self) -> bool {
        matches!(self.kind, LlmErrorKind::RateLimit | LlmErrorKind::Timeout | LlmErrorKind::ServerError)
    }
}

struct Status(Option<u16>);

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(status) => write!(f, " (HTTP {status})"),
            None => Ok(()),
        }
    }
}

struct Detail<'a>(&'a str);

impl fmt::Display for Detail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => Ok(()),
            message => write!(f, ": {message}"),
        }
    }
}

/// The kinds of failed calls; [`LlmErrorKind::as_str`] returns the name used in options and records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub enum LlmErrorKind {
    /// Too many requests; HTTP 429.
    RateLimit,
    /// The provider failed; HTTP 500 and above.
    ServerError,
    /// The request was not accepted; other HTTP 400 and above.
    ClientError,
    /// No answer in time.
    Timeout,
    /// Wrong model name, missing key, unreadable file: nothing was sent.
    ConfigError,
    /// The model or a filter refused to answer.
    Refused,
    /// No connection to the provider.
    Unreachable,
    /// A scripted or recorded model has no answer left.
    OutOfAnswers {
        /// How many answers it returned before.
        used: usize,
    },
    /// Anything else.
    Unknown,
}

impl LlmErrorKind {
    /// The stable name, such as `rate_limit`.
    pub fn as_str(self) -> &'static str {
        match self {
            LlmErrorKind::RateLimit => "rate_limit",
            LlmErrorKind::ServerError => "server_error",
            LlmErrorKind::ClientError => "client_error",
            LlmErrorKind::Timeout => "timeout",
            LlmErrorKind::ConfigError => "config_error",
            LlmErrorKind::Refused => "refused",
            LlmErrorKind::Unreachable => "unreachable",
            LlmErrorKind::OutOfAnswers { .. } => "out_of_answers",
            LlmErrorKind::Unknown => "unknown",
        }
    }

    /// All kinds, except `out_of_answers`, which no record holds.
    pub const RECORDED: [LlmErrorKind; 8] = [
        LlmErrorKind::RateLimit,
        LlmErrorKind::ServerError,
        LlmErrorKind::ClientError,
        LlmErrorKind::Timeout,
        LlmErrorKind::ConfigError,
        LlmErrorKind::Refused,
        LlmErrorKind::Unreachable,
        LlmErrorKind::Unknown,
    ];

    /// The kind of this name, one of [`LlmErrorKind::RECORDED`].
    pub fn from_name(name: &str) -> Option<Self> {
        LlmErrorKind::RECORDED.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl fmt::Display for LlmErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<LlmErrorKind> for String {
    fn from(kind: LlmErrorKind) -> Self {
        kind.as_str().to_owned()
    }
}

impl TryFrom<String> for LlmErrorKind {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        LlmErrorKind::from_name(&name).ok_or_else(|| format!("there is no error kind `{name}`"))
    }
}

/// A wait as whole milliseconds.
mod milliseconds {
    use super::{Deserialize, Deserializer, Duration, Serialize, Serializer};

    #[allow(clippy::ref_option, reason = "the signature that serde asks for")]
    pub(super) fn serialize<S: Serializer>(wait: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
        wait.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_millis))
    }
}
