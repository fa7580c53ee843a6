//! What to do when a call of the model fails.

use std::time::Duration;

use ptc_chat::{LlmError, LlmErrorKind};
use serde::{Deserialize, Serialize};

use super::choice::names;
use super::row::OptionKind;
use super::table::options;

/// The longest wait that a provider may ask for: no server holds a run forever.
const LONGEST: Duration = Duration::from_secs(3_600);

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

options! {
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
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LlmRetry {
        /// Calls in all, the first one included.
        max_attempts: u32 = 1, OptionKind::POSITIVE, own;
        /// How the wait grows.
        backoff: Backoff = Backoff::Exponential, OptionKind::Choice { what: "backoff", names: names::<Backoff> }, own;
        /// The wait after the first failure; a longer wait that the provider asks for wins, up to an hour: a failure that
        /// asks for more is final.
        base_delay: Duration = Duration::from_secs(1), OptionKind::Time, own;
        /// Errors worth another attempt.
        retryable_errors: Vec<LlmErrorKind> =
            vec![LlmErrorKind::RateLimit, LlmErrorKind::Timeout, LlmErrorKind::ServerError],
            OptionKind::Own("list of names of errors"), own;
    }
}

impl LlmRetry {
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
        let asked = error.retry_after.unwrap_or_default();
        let again = attempt < self.max_attempts && self.retryable_errors.contains(&error.kind()) && asked <= LONGEST;
        again.then(|| self.delay_after(attempt).max(asked))
    }
}
