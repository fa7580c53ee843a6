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
        /// Maximum number of attempts, the first one included.
        max_attempts: u32 = 1, OptionKind::POSITIVE, own;
        /// How the wait grows.
        backoff: Backoff = Backoff::Exponential, OptionKind::Choice { what: "backoff", names: names::<Backoff> }, own;
        /// The wait after the first failure. A longer wait that the provider asks for wins, up to an hour or
        /// `patience`; a failure that asks for more is final.
        base_delay: Duration = Duration::from_secs(1), OptionKind::Time, own;
        /// The maximum wait to which `backoff` grows.
        max_delay: Duration = Duration::from_secs(60), OptionKind::Time, own;
        /// Whether each wait is shortened by up to half, differently for each run, so that runs that failed together do
        /// not retry together.
        jitter: bool = false, OptionKind::Flag, own;
        /// How long one call is retried from its first attempt on, instead of a number of attempts.
        patience: Option<Duration> = None, OptionKind::Time, own;
        /// Errors that are retried.
        retryable_errors: Vec<LlmErrorKind> = LlmErrorKind::recorded().filter(|kind| kind.is_retryable()).collect(),
            OptionKind::Own("list of names of errors"), own;
    }
}

impl LlmRetry {
    /// The same errors, tried for this long with growing waits and jitter.
    #[must_use]
    pub fn for_time(self, patience: Duration) -> LlmRetry {
        LlmRetry { patience: Some(patience), jitter: true, ..self }
    }

    /// The wait after failed attempt number `attempt`, from 1, without jitter.
    #[must_use]
    pub fn delay_after(&self, attempt: u32) -> Duration {
        let factor = match self.backoff {
            Backoff::Exponential => 1u32.checked_shl(attempt.saturating_sub(1)).unwrap_or(u32::MAX),
            Backoff::Linear => attempt,
            Backoff::Constant => 1,
        };
        // A longer first wait is meant as it is.
        self.base_delay.saturating_mul(factor).min(self.max_delay.max(self.base_delay))
    }

    /// The wait before the attempt that follows this failure; `None` when it is final.
    pub(crate) fn wait(&self, failed: &FailedAttempt<'_>) -> Option<Duration> {
        let asked = failed.error.retry_after.unwrap_or_default();
        if !self.retryable_errors.contains(&failed.error.kind()) {
            return None;
        }
        let wait = self.delay_after(failed.attempt);
        let wait = if self.jitter { shortened(wait, failed) } else { wait }.max(asked);
        let Some(patience) = self.patience else {
            return (failed.attempt < self.max_attempts && asked <= LONGEST).then_some(wait);
        };
        let left = patience.saturating_sub(failed.spent);
        // The last attempt is made when the patience ends.
        (left > Duration::ZERO && asked <= left).then(|| wait.min(left))
    }
}

/// A failed attempt, as far as the next one depends on it.
pub(crate) struct FailedAttempt<'a> {
    /// Its number, from 1.
    pub attempt: u32,
    pub error: &'a LlmError,
    /// The time since the first attempt started.
    pub spent: Duration,
    /// What tells this call from those of other runs.
    pub call: &'a str,
}

/// A wait between half of `wait` and all of it. It is the same for the same call and attempt: a run is a function of its
/// inputs, also on a durable engine.
fn shortened(wait: Duration, failed: &FailedAttempt<'_>) -> Duration {
    let bytes = failed.call.bytes().chain(failed.attempt.to_le_bytes());
    // FNV-1a, whose result does not depend on the version of the standard library.
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let steps = u32::try_from((hash >> 32) % 1024).unwrap_or_default();
    wait / 2 + wait / 2048 * steps
}

#[cfg(test)]
mod tests;
