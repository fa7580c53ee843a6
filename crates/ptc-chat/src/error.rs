//! Why a call of a model failed.

mod kind;

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use kind::LlmErrorKind;

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

    /// An error that a server answered with; its kind is [that of the status](LlmErrorKind::of_status).
    pub fn from_status(status: u16, message: impl Into<String>) -> Self {
        LlmError { status: Some(status), ..LlmError::new(LlmErrorKind::of_status(status), message) }
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

    /// Whether another attempt may help.
    pub fn is_retryable_by_default(&self) -> bool {
        self.kind.is_retryable()
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
