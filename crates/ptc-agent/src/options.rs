//! Options of agents that are more than a number.

use std::time::Duration;

use ptc_chat::{LlmError, LlmErrorKind};
use serde::{Deserialize, Serialize};

use crate::error::AgentError;

/// What happens when the definitions of a run grow over `memory_limit`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MemoryStrategy {
    /// The run ends with `memory_limit_exceeded`.
    #[default]
    Strict,
    /// The definitions of that turn are undone, and the model is told.
    Rollback,
}

/// How the context and the returned value are held against the signature of an agent.
///
/// Arguments of tools are converted where that is safe, and refused otherwise, whatever is chosen here.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SignatureValidation {
    /// Inputs are converted where that is safe, results must fit; further fields may come along.
    #[default]
    Enabled,
    /// Inputs are converted where that is safe; nothing is refused.
    WarnOnly,
    /// Nothing is converted, and fields that are not declared are refused.
    Strict,
    /// Nothing is looked at.
    Disabled,
}

/// How the wait between attempts grows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Backoff {
    /// base, 2 × base, 4 × base …
    #[default]
    Exponential,
    /// base, 2 × base, 3 × base …
    Linear,
    /// Always base.
    Constant,
}

/// How often a failed call of the model is repeated, and after which wait. Attempts cost no turns.
///
/// ```
/// use std::time::Duration;
/// use ptc_agent::LlmRetry;
///
/// let retry = LlmRetry { max_attempts: 3, base_delay: Duration::from_millis(100), ..LlmRetry::default() };
/// assert_eq!(retry.delay_after(1), Duration::from_millis(100));
/// assert_eq!(retry.delay_after(2), Duration::from_millis(200));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LlmRetry {
    /// Calls in all, the first one included; at least 1.
    pub max_attempts: u32,
    /// How the wait grows.
    pub backoff: Backoff,
    /// The wait after the first failure; a longer wait that the provider asks for wins.
    pub base_delay: Duration,
    /// Errors worth another attempt.
    pub retryable_errors: Vec<LlmErrorKind>,
}

impl Default for LlmRetry {
    fn default() -> Self {
        LlmRetry {
            max_attempts: 1,
            backoff: Backoff::Exponential,
            base_delay: Duration::from_secs(1),
            retryable_errors: vec![LlmErrorKind::RateLimit, LlmErrorKind::Timeout, LlmErrorKind::ServerError],
        }
    }
}

impl LlmRetry {
    /// Errors when it allows no attempt.
    pub(crate) fn check(&self) -> Result<(), AgentError> {
        match self.max_attempts {
            0 => Err(AgentError::Option("llm_retry.max_attempts must be an integer above 0".to_owned())),
            _ => Ok(()),
        }
    }

    /// The wait after failed attempt number `attempt`, from 1.
    #[must_use]
    pub fn delay_after(&self, attempt: u32) -> Duration {
        let factor = match self.backoff {
            Backoff::Exponential => 1u32.checked_shl(attempt.saturating_sub(1)).unwrap_or(u32::MAX),
            Backoff::Linear => attempt,
            Backoff::Constant => 1,
        };
        self.base_delay.saturating_mul(factor)
    }

    /// The wait before the attempt that follows this failure; `None` when it is final.
    pub(crate) fn wait(&self, attempt: u32, error: &LlmError) -> Option<Duration> {
        let again = attempt < self.max_attempts && self.retryable_errors.contains(&error.kind());
        again.then(|| self.delay_after(attempt).max(error.retry_after.unwrap_or_default()))
    }
}
