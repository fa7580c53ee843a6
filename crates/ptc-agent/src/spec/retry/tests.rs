use std::time::Duration;

use ptc_chat::{LlmError, LlmErrorKind};

use super::{Backoff, FailedAttempt, LlmRetry};

const SECOND: Duration = Duration::from_secs(1);

/// The waits until a failure is final, when each attempt takes a second.
fn waits(retry: &LlmRetry, error: &LlmError, call: &str) -> Vec<Duration> {
    let (mut waits, mut spent) = (Vec::new(), SECOND);
    while let Some(wait) = retry.wait(&FailedAttempt { attempt: waits.len() as u32 + 1, error, spent, call }) {
        waits.push(wait);
        spent += wait + SECOND;
    }
    waits
}

fn seconds(waits: &[Duration]) -> Vec<u64> {
    waits.iter().map(Duration::as_secs).collect()
}

fn busy() -> LlmError {
    LlmError::from_status(503, "busy")
}

#[test]
fn waits_grow_to_the_longest() {
    let retry = LlmRetry { max_attempts: 10, ..LlmRetry::default() };
    assert_eq!(seconds(&waits(&retry, &busy(), "r")), [1, 2, 4, 8, 16, 32, 60, 60, 60]);
    let linear = LlmRetry { backoff: Backoff::Linear, max_delay: 3 * SECOND, ..retry.clone() };
    assert_eq!(seconds(&waits(&linear, &busy(), "r")), [1, 2, 3, 3, 3, 3, 3, 3, 3]);
    let long = LlmRetry { base_delay: 90 * SECOND, max_attempts: 3, ..retry };
    assert_eq!(seconds(&waits(&long, &busy(), "r")), [90, 90]);
}

#[test]
fn patience_counts_time_instead_of_attempts() {
    let retry = LlmRetry { patience: Some(60 * SECOND), ..LlmRetry::default() };
    let told = waits(&retry, &busy(), "r");
    assert_eq!(seconds(&told), [1, 2, 4, 8, 16, 23]);
    assert_eq!(told.iter().sum::<Duration>() + 6 * SECOND, 60 * SECOND, "the last attempt begins at the end");
    let unreachable = LlmError::new(LlmErrorKind::Unreachable, "");
    assert_eq!(waits(&retry, &unreachable, "r"), told);
    assert!(waits(&retry, &LlmError::from_status(402, "pay"), "r").is_empty());
}

#[test]
fn a_provider_may_ask_for_as_long_as_patience_lasts() {
    let asked = |seconds| busy().with_retry_after(Duration::from_secs(seconds));
    let hours = LlmRetry::default().for_time(Duration::from_secs(7_200));
    assert_eq!(seconds(&waits(&hours, &asked(5_000), "r")), [5_000]);
    assert!(waits(&hours, &asked(7_200), "r").is_empty());
    let attempts = LlmRetry { max_attempts: 2, ..LlmRetry::default() };
    assert_eq!(seconds(&waits(&attempts, &asked(3_600), "r")), [3_600]);
    assert!(waits(&attempts, &asked(3_601), "r").is_empty());
}

#[test]
fn jitter_shortens_by_up_to_half_and_differs_from_run_to_run() {
    let retry = LlmRetry { max_attempts: 8, jitter: true, ..LlmRetry::default() };
    let plain = waits(&LlmRetry { jitter: false, ..retry.clone() }, &busy(), "a");
    let (one, other) = (waits(&retry, &busy(), "a"), waits(&retry, &busy(), "b"));
    assert_eq!(one, waits(&retry, &busy(), "a"));
    assert_ne!(one, other);
    for waits in [one, other] {
        assert_eq!(waits.len(), plain.len());
        assert!(waits.iter().zip(&plain).all(|(short, wait)| short >= &(*wait / 2) && short < wait), "{waits:?}");
    }
}
