//! The kinds of failed calls of models: one row each.

#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// The kinds of failed calls; [`LlmErrorKind::as_str`] returns the name used in options and records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub enum LlmErrorKind {
    /// Too many requests at a time; HTTP 429.
    RateLimit,
    /// The account has nothing left, which waiting does not change; HTTP 402, or a 429 that says so.
    NoCredit,
    /// The provider failed, broke off, or was not ready; HTTP 409, 425, 499, and 500 and above except 501 and 505.
    ServerError,
    /// The request was not accepted; other HTTP 400 and above.
    ClientError,
    /// No answer in time; HTTP 408.
    Timeout,
    /// Wrong model name, missing key, unreadable file, an untrusted certificate: nothing was sent.
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

/// What is known about a kind.
struct Row {
    kind: LlmErrorKind,
    name: &'static str,
    /// Whether another attempt may help.
    is_retryable: bool,
    /// The statuses of answers that are failures of this kind; the first row that has a status decides.
    statuses: &'static [RangeInclusive<u16>],
}

/// Every kind that a record can hold.
const ROWS: [Row; 9] = {
    use LlmErrorKind::{
        ClientError, ConfigError, NoCredit, RateLimit, Refused, ServerError, Timeout, Unknown, Unreachable,
    };
    [
        row(RateLimit, "rate_limit", true, &[429..=429]),
        row(Timeout, "timeout", true, &[408..=408]),
        row(ServerError, "server_error", true, &[409..=409, 425..=425, 499..=500, 502..=504, 506..=u16::MAX]),
        row(Unreachable, "unreachable", true, &[]),
        row(NoCredit, "no_credit", false, &[402..=402]),
        row(ClientError, "client_error", false, &[400..=u16::MAX]),
        row(ConfigError, "config_error", false, &[]),
        row(Refused, "refused", false, &[]),
        row(Unknown, "unknown", false, &[0..=u16::MAX]),
    ]
};

const fn row(
    kind: LlmErrorKind,
    name: &'static str,
    is_retryable: bool,
    statuses: &'static [RangeInclusive<u16>],
) -> Row {
    Row { kind, name, is_retryable, statuses }
}

impl LlmErrorKind {
    /// The kind of an answer with this HTTP status.
    pub fn of_status(status: u16) -> Self {
        let has = |row: &&Row| row.statuses.iter().any(|statuses| statuses.contains(&status));
        ROWS.iter().find(has).map_or(LlmErrorKind::Unknown, |row| row.kind)
    }

    /// The stable name, such as `rate_limit`.
    pub fn as_str(self) -> &'static str {
        self.row().map_or("out_of_answers", |row| row.name)
    }

    /// Whether another attempt may help.
    pub fn is_retryable(self) -> bool {
        self.row().is_some_and(|row| row.is_retryable)
    }

    fn row(self) -> Option<&'static Row> {
        ROWS.iter().find(|row| row.kind == self)
    }

    /// All kinds, except `out_of_answers`, which no record holds; those worth another attempt first.
    pub fn recorded() -> impl Iterator<Item = LlmErrorKind> {
        ROWS.iter().map(|row| row.kind)
    }

    /// The kind of this name, one of [`LlmErrorKind::recorded`].
    pub fn from_name(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.kind)
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
        LlmErrorKind::from_name(&name).ok_or_else(|| {
            let known: Vec<&str> = LlmErrorKind::recorded().map(LlmErrorKind::as_str).collect();
            format!("unknown error kind `{name}`; write one of {}", known.join(", "))
        })
    }
}
