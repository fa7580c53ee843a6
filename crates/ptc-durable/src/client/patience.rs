//! Retrying while the engine is unavailable.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::ClientError;

const FIRST_DELAY: Duration = Duration::from_millis(200);
const LONGEST_DELAY: Duration = Duration::from_secs(5);

/// Retry with growing delays, while only the connection fails, and not for longer than `patience`. An attempt that took
/// longer than the longest delay had reached the engine, which is unavailable only from then on.
pub(super) async fn patiently<T, F>(patience: Duration, mut ask: impl FnMut() -> F) -> Result<T, ClientError>
where
    F: Future<Output = Result<T, ClientError>>,
{
    let (mut away_since, mut delay) = (None, FIRST_DELAY);
    loop {
        let began = Instant::now();
        let error = match ask().await {
            Err(error) if error.is_passing() => error,
            done => return done,
        };
        if began.elapsed() > LONGEST_DELAY {
            (away_since, delay) = (None, FIRST_DELAY);
        }
        let since = *away_since.get_or_insert_with(Instant::now);
        if since.elapsed() + delay > patience {
            return Err(error);
        }
        sleep(delay).await;
        delay = (delay * 2).min(LONGEST_DELAY);
    }
}
